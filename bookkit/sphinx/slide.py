"""Sphinx extension of the book: what of a chapter goes onto a slide.

    ::::{slide} The price of $x_0$
    :notes: 3 min. What the speaker says and asks.
    :::{prf:theorem} ...
    :::
    ::::

The page looks as if the directive were not there; `make slides` finds what it wraps and
cuts a deck out of the built page (bookkit/make/slides.py). The title may have
formulas; without one it is the heading of the section. With `:cell:` the output of the
code cell that follows stands on the slide too, and if nothing is wrapped, it stands
there alone. The notes are for the speaker, so they are no part of the page: the tool
reads them in the notebook.
"""

import re
from html import escape
from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

from bookkit.sphinx import maths

FORMULA = re.compile(r"\$([^$]+)\$")


class Piece(nodes.General, nodes.Element):
    """What is wrapped, with the title of its slide."""


class Slide(SphinxDirective):
    """``:::{slide} title``: what it wraps is part of the page, and of a deck."""

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar = {"cell": directives.flag, "notes": directives.unchanged}

    def run(self) -> list[nodes.Node]:
        title = self.arguments[0] if self.arguments else ""
        cell = "cell" in self.options or not self.content
        piece = Piece(title=title, cell=cell)
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


def setup(app):
    app.add_node(Piece, html=(visit_piece, depart_piece))
    app.add_directive("slide", Slide)
