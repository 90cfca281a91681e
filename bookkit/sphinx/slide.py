"""Sphinx extension of the book: what of a chapter goes onto a slide.

A slide is a cell of a notebook whose metadata say so, in Jupyter's own words:

    {"slideshow": {"slide_type": "slide"},
     "slide": {"title": "The price of $x_0$", "notes": "3 min. What the speaker says."}}

The title may have formulas; without one it is the heading of the section. If the next
cell has the `slide_type` `fragment`, its output stands on the slide too. Where a
statement takes more than one slide, `slide` is a list, and `<!--slide-->` stands in
the text before, between and after what they show.

Sphinx reads the text of such a cell in a directive `{slide}`, and a cell of code with
the tag `slide`. The page looks as if they were not there; `make slides` finds them and
cuts a deck out of the built page (bookkit/make/slides.py). The notes are for the
speaker, so they are no part of the page: the tool reads them in the notebook.
"""

import json
import re
from html import escape
from itertools import groupby
from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

from bookkit import ipynb, model, reading
from bookkit.sphinx import maths

FORMULA = re.compile(r"\$([^$]+)\$")
FENCE = "`" * 9  # longer than any other, and closed by no colons


class Piece(nodes.General, nodes.Element):
    """What is wrapped, with the title of its slide."""


class Slide(SphinxDirective):
    """What it wraps is part of the page, and of a deck."""

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar = {"cell": directives.flag}

    def run(self) -> list[nodes.Node]:
        title = self.arguments[0] if self.arguments else ""
        piece = Piece(title=title, cell="cell" in self.options)
        self.state.nested_parse(self.content, self.content_offset, piece)
        return [piece]


def visit_piece(self, node: Piece) -> None:
    """What `make slides` looks for: a box with the title of the slide."""
    attributes = {"CLASS": "slide"}
    if node["title"]:
        attributes["data-title"] = title(self, node)
    if node["cell"]:
        attributes["data-cell"] = "next"
    self.body.append(self.starttag(node, "div", **attributes))


def title(self, node: Piece) -> str:
    """The title as HTML: its words, and its formulas as those of the page."""
    parts = FORMULA.split(node["title"])  # words and TeX by turns
    parts[::2] = map(escape, parts[::2])
    parts[1::2] = [
        f'<span class="math notranslate nohighlight" data-tex="{escape(tex)}">'
        f"{maths.formula(self, node, tex, display=False)}</span>"
        for tex in parts[1::2]
    ]
    return "".join(parts)


def depart_piece(self, node: Piece) -> None:
    self.body.append("</div>\n")


def mark_slides(app, docname: str, source: list[str]) -> None:
    """Write the directive around texts that go onto slides, and the tag at code."""
    if not str(app.env.doc2path(docname)).endswith(".ipynb"):
        return
    notebook = json.loads(source[0])
    cells = ipynb.cells(notebook)
    chosen = (s for s in reading.slides(cells) if s.kind in ("piece", "cell"))
    for number, slides in groupby(chosen, key=lambda slide: slide.cell.number):
        cell, stored = cells[number - 1], notebook["cells"][number - 1]
        if cell.is_code:
            stored["metadata"].setdefault("tags", []).append("slide")
        else:
            titles = [slide.title for slide in slides]
            after = [c.slide_type for c in cells[number : number + 1]]
            option = ":cell:\n" if after == ["fragment"] else ""
            text = "".join(stored["source"])
            stored["source"] = wrapped(text, titles, option)
    source[0] = json.dumps(notebook)


def wrapped(text: str, titles: list[str], option: str = "") -> str:
    """A text in directives of these titles: all of it, or what is between borders."""
    parts = text.split(model.BORDER)
    before, *pieces, after = parts if len(parts) > 1 else ("", text, "")
    if len(pieces) != len(titles):
        rule = f"{model.BORDER} stands before, between and after slides"
        raise ValueError(f"{rule}, got {len(titles)} slides and {len(pieces)} pieces")
    fenced = (
        f"{FENCE}{{slide}} {title}\n{option}\n{piece}\n{FENCE}\n"
        for title, piece in zip(titles, pieces, strict=True)
    )
    return "".join([before, *fenced, after])


def setup(app):
    app.connect("source-read", mark_slides)
    app.add_node(Piece, html=(visit_piece, depart_piece))
    app.add_directive("slide", Slide)
