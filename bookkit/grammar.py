"""The grammar of a chapter for CONTRIBUTING.md: how each value of `model` is written.

`python -m bookkit.grammar` prints it. In their order the examples are a small chapter.
"""

from collections.abc import Mapping
from textwrap import fill
from typing import NamedTuple

from bookkit import model


class Written(NamedTuple):
    """Where a value stands and what is free about it, and how one is written.

    The example is text, or the metadata of a cell of code if it begins with a brace.
    """

    words: str
    example: str


WRITTEN: Mapping[type, Written] = {
    model.Box: Written(
        "in the first cell, below `(name)=` and `# Title`. The first sentence of **You "
        "need** names earlier chapters",
        """\
:::{admonition} In this chapter
:class: learn
**You will learn** what a dry well costs.
**You need** {ref}`welfare` and {ref}`regret`.
**Time**: 30 minutes to read, 45 with the cells.
:::""",
    ),
    model.Question: Written(
        "`choose` as here, or `number` with `:answer:` and `:within:`; `:predict:` if "
        "it comes before a figure. What follows `---` is why",
        """\
:::{quick} choose
:name: quick-wells-dry
:predict:
Who goes first to a dry well?
- [x] whoever lives near it
- [ ] everybody
---
Nobody has told them yet.
:::""",
    ),
    model.Figure: Written(
        "the metadata of the cell that draws it",
        """\
{"mystnb": {"figure": {"name": "fig-wells-rate", "caption": "What is seen."},
            "image": {"alt": "What is drawn, for those who do not see it."}}}""",
    ),
    model.Statement: Written(
        "`prf:` and theorem, proposition, lemma, corollary, definition or algorithm; "
        "or `erratum`. A name instead of its number, such as Theorem U, stands under "
        "`statement_names` in `_config.yml`",
        """\
:::{prf:theorem} Wells run dry
:label: thm-wells-dry
What holds, and when.
:::""",
    ),
    model.Exercise: Written(
        "one to three stars, a kind (below) and a title",
        """\
::::{exercise} ★★ By code: the next well
:label: ex-wells-next
*Trains*: the harmonic mean.

What is asked. *Check yourself*: `pm.check("wells-next", x)`.
:::{dropdown} Hint
Where to begin.
:::
::::""",
    ),
    model.Solution: Written(
        "below its exercise. Its cells of code follow with the tag `solution`, or "
        "stand between `solution-start` and `solution-end`",
        """\
:::{solution} ex-wells-next
How it is done.
:::""",
    ),
    model.Checked: Written(
        "the metadata of the cell of a solution that computes what `pm.check` knows. "
        'It assigns `answer` and ends with `assert pm.check("wells-next", answer)`',
        """\
{"tags": ["solution"],
 "answer": {"name": "wells-next", "asks": "the harmonic mean", "figures": 3}}""",
    ),
    model.Slide: Written(
        "the metadata of a cell, of text or of code, that goes onto one. The first "
        "cell and what to remember do so anyway, and have `slide` alone. With the "
        "`slide_type` `fragment` the next cell shows its output on the same slide. A "
        "statement may take two: `slide` is a list, and before, between and after what "
        "they show stands `<!--slide-->`",
        """\
{"slideshow": {"slide_type": "slide"},
 "slide": {"title": "Two wells", "notes": "2 min. What the speaker says."}}""",
    ),
}


def text() -> str:
    """What stands in a chapter, an example each, and the kinds of exercises."""
    things = [
        fill(f"**{value.__name__}**: {words}.", 98) + f"\n```\n{example}\n```\n"
        for value, (words, example) in WRITTEN.items()
    ]
    kinds = [f"- *{kind}*: {what}" for kind, what in model.EXERCISES.items()]
    return "\n".join([*things, "The kinds of exercises:", *kinds])


if __name__ == "__main__":
    print(text())
