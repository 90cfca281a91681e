"""Sphinx extension of the book: errata, and their rows on the page of all errata."""

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

from bookkit import compat, model
from bookkit.sphinx.statements import Permalink

PAGE = "chapters/errata"


class Erratum(SphinxDirective):
    """``:::{erratum} title`` with a label: what is printed, and what holds instead."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec = dict.fromkeys(["label"], str)

    def run(self):
        block = nodes.admonition(classes=["erratum"], ids=[self.options["label"]])
        titles, messages = self.state.inline_text(
            f"Erratum: {self.arguments[0]}", self.lineno
        )
        block += nodes.title("", "", *titles)
        self.state.nested_parse(self.content, self.content_offset, block)
        return [block, *messages]


class Errata(SphinxPostTransform):
    """Rows that show how serious they are and have a link; blocks that lead to them.

    The block ``err-x`` of a chapter and the row ``errata-x`` belong together.
    """

    default_priority = compat.AFTER_TITLES
    formats = ("html",)

    def run(self, **kwargs):
        for word in self.document.findall(nodes.inline):
            if word["names"] and word.next_node(nodes.strong):
                word["classes"] += ["severity", f"is-{word.astext()}"]
                word += Permalink()
        if PAGE in self.env.found_docs:
            start = self.app.builder.get_relative_uri(self.env.docname, PAGE)
            for block in self.document.findall(nodes.admonition):
                if "erratum" in block["classes"]:
                    row = model.errata_row(block["ids"][0])
                    link = nodes.reference(
                        "", "", internal=True, refuri=f"{start}#{row}"
                    )
                    link += nodes.Text("Its row in the errata")
                    block[-1] += [nodes.Text(" "), link, nodes.Text(".")]


def setup(app):
    app.add_directive("erratum", Erratum)
    app.add_post_transform(Errata)
