"""Sphinx extension of the book: statements that can be linked to and have names.

Each gets a link to itself, the famous ones are called by their names where they are
stated and where they are cited, and no two elements of a page have the same id.
"""

import re

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from bookkit import compat


class UniqueIds(SphinxPostTransform):
    """Drop the ids that all blocks of a kind share; a proof is known by a class.

    Not while a page is read: Sphinx numbers the statements by the ids of sections.
    """

    default_priority = compat.AFTER_TITLES
    formats = ("html",)

    def run(self, **kwargs):
        compat.know_proofs_by_class(self.document)
        for content in self.document.findall(nodes.section):
            if isinstance(content.parent, nodes.Admonition):
                content["ids"] = []


class Permalink(nodes.Inline, nodes.Element):
    """Stands where a statement or a row of the errata has the link to itself.

    It has no text of its own, which would become part of the title in the search index.
    """


def visit_permalink(self, node):
    """A link to the next thing around it that has an id."""
    place = node.parent
    while not place["ids"]:
        place = place.parent
    kind = "row" if isinstance(place, nodes.inline) else "statement"
    self.add_permalink_ref(place, f"Link to this {kind}")


def depart_permalink(self, node):
    pass


class LinkStatements(SphinxPostTransform):
    """Give each statement, exercise and erratum a link to itself."""

    default_priority = compat.AFTER_TITLES
    formats = ("html",)

    def run(self, **kwargs):
        for block in self.document.findall(nodes.Admonition):
            titled = block["ids"] and isinstance(block[0], nodes.title)
            if titled and "solution" not in block["classes"]:
                block[0] += Permalink()


class NameReferences(SphinxPostTransform):
    """A reference to a statement that has a name says it, instead of a number."""

    default_priority = compat.AFTER_REFERENCES

    def run(self, **kwargs):
        names = self.config.statement_names
        for link in self.document.findall(nodes.reference):
            label = link.get("refid") or link.get("refuri", "").rpartition("#")[2]
            if label in names and re.fullmatch(r"[A-Z][a-z]+ [\d.]+", link.astext()):
                link.children = [nodes.Text(names[label])]


def setup(app):
    app.add_config_value("statement_names", {}, "env", dict)
    app.setup_extension("sphinx_proof")  # its nodes get a visitor below
    app.add_node(Permalink, html=(visit_permalink, depart_permalink))
    compat.call_statements_by_name(app)
    app.add_post_transform(NameReferences)
    app.add_post_transform(UniqueIds)
    app.add_post_transform(LinkStatements)
