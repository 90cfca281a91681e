"""Sphinx extension of the book: no line begins with the full stop of the one before.

A browser may break a line on either side of a formula, whatever stands next to it. So a
formula and the punctuation that belongs to it become one piece, when the book is built.
"""

import re

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

OPENING = re.compile(r"[(\[{“‘]+$")
CLOSING = re.compile(r"[^\w\s(\[{“‘]+|\w+")  # "." or ")," or the rest of "n-th"
WORDS = (nodes.emphasis, nodes.strong)


class KeepTogether(SphinxPostTransform):
    """Bind every formula in a line of text to what stands next to it."""

    default_priority = 700
    formats = ("html",)

    def run(self, **kwargs):
        for formula in list(self.document.findall(nodes.math)):
            bind(formula)
        for link in self.document.findall(nodes.reference):
            lead_in(link)


def bind(formula: nodes.math) -> None:
    """Put a formula and its punctuation, if it has some, into a piece of their own."""
    before = cut(beside(formula, -1), OPENING)
    after = cut(beside(formula, 1), CLOSING)
    if before or after:
        piece = nodes.inline(classes=["nobr"])
        formula.replace_self(piece)
        piece += [nodes.Text(before), formula, nodes.Text(after)]


def lead_in(link: nodes.reference) -> None:
    """A blank at the beginning of a link, which would be underlined, goes before it."""
    text = link.next_node(nodes.Text)
    if text and text.startswith(" "):
        put(text, text.lstrip())
        link.parent.insert(link.parent.index(link), nodes.Text(" "))


def beside(node: nodes.Node, step: int) -> nodes.Node | None:
    """The node before (-1) or after (1) a formula, also outside emphasis around it."""
    place = node.parent.index(node) + step
    if 0 <= place < len(node.parent):
        return node.parent[place]
    return beside(node.parent, step) if isinstance(node.parent, WORDS) else None


def cut(node: nodes.Node | None, edge: re.Pattern) -> str:
    """Take from a text what is at the edge, and return it."""
    text = str(node) if isinstance(node, nodes.Text) else ""
    match = edge.search(text) if edge is OPENING else edge.match(text)
    if not match:
        return ""
    rest = text[: match.start()] + text[match.end() :]
    put(node, rest)
    return match[0]


def put(node: nodes.Text, text: str) -> None:
    """Another text in the place of this one; equal texts are not the same place."""
    parent = node.parent
    place = next(i for i, child in enumerate(parent) if child is node)
    parent[place] = nodes.Text(text)


def setup(app):
    app.add_post_transform(KeepTogether)
