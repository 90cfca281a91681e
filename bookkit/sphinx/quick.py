"""Sphinx extension of the book: quick questions, answered on the page.

    :::{quick} choose
    :name: quick-nash-cost

    What does an exploring round cost at $p=0$, at most?

    - [ ] $\\log T$
    - [x] $\\log k$
    ---
    It expects at least $\\mu^*/k$.
    :::

A question is of one of two kinds: `choose` has one right choice; `number` has its
`:answer:` and how far off it may be, `:within:`. What follows `---` is why. With
`:predict:` the question belongs before a figure; `:called:` gives it other first words.
The answer is folded on the page itself, for readers without scripts; `quick.js` judges.
"""

import math
import re
from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

from bookkit import model, reading

NAMES = {False: "Quick question.", True: "Before you look."}


class Quick(SphinxDirective):
    """A question with its choices, and its answer below."""

    required_arguments = 1
    has_content = True
    option_spec: ClassVar = {
        "name": directives.unchanged_required,
        "predict": directives.flag,
        "called": directives.unchanged_required,
        "answer": directives.unchanged_required,
        "within": directives.unchanged_required,
    }

    def run(self) -> list[nodes.Node]:
        kind, name = self.arguments[0], self.options.get("name", "")
        if kind not in ("choose", "number"):
            raise self.error(f"quick must be choose or number, got {kind}")
        if not re.fullmatch(r"quick-[\w-]+", name):
            raise self.error(f"name must be quick-..., got {name!r}")
        words = reading.asked(kind, "\n".join(self.content))
        question, why = self.parsed(words.question), self.parsed(words.why)
        if not question or not why:
            raise self.error(f"{name} must have a question, one line --- and a why")
        if kind == "choose":
            data, form, right = self.choose(name, words)
        else:
            data, form, right = self.number(name)
        called = self.options.get("called") or NAMES["predict" in self.options]
        question[0][:0] = [nodes.strong("", called), nodes.Text(" ")]
        why[0][:0] = [nodes.strong("", "", *right, nodes.Text(".")), nodes.Text(" ")]
        kinds = ["quick", "predict"] if "predict" in self.options else ["quick"]
        box = nodes.container(classes=kinds, ids=[name], names=[name])
        box += [
            raw(f'<div class="quick-asked" id="{name}-asked">'),
            *question,
            raw(f'</div><div class="quick-form" data-kind="{kind}" {data}>'),
            *form,
            raw(
                '<button type="button" hidden>Check</button></div>'
                '<p class="quick-said" role="status"></p>'
                '<details class="quick-why"><summary>Answer</summary>'
            ),
            *why,
            raw("</details>"),
        ]
        self.state.document.note_explicit_target(box)
        return [box]

    def parsed(self, text: str) -> list:
        """A part of the content as nodes."""
        holder, lines = nodes.container(), StringList(text.split("\n"), "")
        self.state.nested_parse(lines, self.content_offset, holder)
        return holder.children

    def choose(self, name: str, words: model.Asked) -> tuple:
        """The data for `quick.js`, the form and the answer where one item is right."""
        marks = words.marks
        if marks.count("x") != 1 or not 2 <= len(marks) <= 6:
            raise self.error(
                f"choose must have 2 to 6 items, one of them right, got {[*marks]}"
            )
        right = marks.index("x")
        opening = f'<div role="radiogroup" aria-labelledby="{name}-asked">'
        form: list[nodes.Node] = [raw(opening)]
        for n, item in enumerate(words.items):
            field = f'<input type="radio" name="{name}" value="{n}">'
            form += [raw(f"<label>{field}<span>"), *self.inline(item)]
            form.append(raw("</span></label>"))
        form.append(raw("</div>"))
        return f'data-answer="{right}"', form, self.inline(words.items[right])

    def inline(self, item: str) -> list[nodes.Node]:
        """What stands in the one paragraph of an item."""
        return list(self.parsed(item)[0].children)

    def number(self, name: str) -> tuple:
        """The same where a number is to be guessed."""
        answer, within = self.options.get("answer", ""), self.options.get("within", "")
        try:
            value, off = float(answer.replace(",", "")), float(within)
        except ValueError as wrong:
            message = f"answer and within must be numbers, got {answer!r}, {within!r}"
            raise self.error(message) from wrong
        if not math.isfinite(value):
            raise self.error(f"answer must be finite, got {answer}")
        if not off >= 0:
            raise self.error(f"within must be at least 0, got {within}")
        field = (
            '<label>Your guess <input type="text" inputmode="decimal" size="9" '
            f'autocomplete="off" aria-describedby="{name}-asked"></label>'
        )
        data = f'data-answer="{value!r}" data-within="{off!r}"'
        return data, [raw(field)], [nodes.Text(answer)]


def raw(text: str) -> nodes.raw:
    return nodes.raw("", text, format="html")


def setup(app):
    app.add_directive("quick", Quick)
