"""Sphinx extension of the book: its blocks, and a last look at the pages.

Statements get links of their own, the famous ones their names, errata a block of their
own, and no two elements the same id; and the build fails if raw markup has leaked into
a page. That last look is the only thing here that reads HTML: it is about what came
out, whatever made it.
"""

import re
from html.parser import HTMLParser
from pathlib import Path

from docutils import nodes
from numpy.typing import ArrayLike
from sphinx.errors import ExtensionError
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import stringify_annotation
from sphinx_proof.nodes import proof_node, theorem_node, visit_enumerable_node

from bookkit.sphinx import compat

RAW_MARKUP = re.compile(r"(`{3,}|:{3,})\{[a-z:_-]+\}|\{[a-z]+(:[a-z]+)?\}`|\$\$")


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


class UniqueIds(SphinxPostTransform):
    """Drop the ids that all blocks of a kind share; a proof is known by a class.

    Not while a page is read: Sphinx numbers the statements by the ids of sections.
    """

    default_priority = 400
    formats = ("html",)

    def run(self, **kwargs):
        for proof in self.document.findall(proof_node):
            block = proof[0]
            block["ids"] = []
            block["classes"] = ["proof", "is-proof", *block["classes"][2:]]
        for content in self.document.findall(nodes.section):
            if isinstance(content.parent, nodes.Admonition):
                content["ids"] = []


class Permalink(nodes.Inline, nodes.Element):
    """Stands where a statement or a row of the errata has the link to itself.

    It has no text of its own, which would become part of the title in the search index.
    """


def visit_permalink(self, node):
    place = node.parent
    while not place["ids"]:
        place = place.parent
    kind = "row" if isinstance(place, nodes.inline) else "statement"
    self.add_permalink_ref(place, f"Link to this {kind}")


def depart_permalink(self, node):
    pass


class LinkStatements(SphinxPostTransform):
    """Give each statement, exercise and erratum a link to itself."""

    default_priority = 400  # sphinx-exercise makes its titles at 20
    formats = ("html",)

    def run(self, **kwargs):
        for block in self.document.findall(nodes.Admonition):
            titled = block["ids"] and isinstance(block[0], nodes.title)
            if titled and "solution" not in block["classes"]:
                block[0] += Permalink()


class Errata(SphinxPostTransform):
    """Rows that show how serious they are and have a link; blocks that lead to them.

    The block ``err-x`` of a chapter and the row ``errata-x`` belong together.
    """

    default_priority = 400
    formats = ("html",)

    def run(self, **kwargs):
        for word in self.document.findall(nodes.inline):
            if word["names"] and word.next_node(nodes.strong):
                word["classes"] += ["severity", f"is-{word.astext()}"]
                word += Permalink()
        page = self.config.errata_page
        if page in self.env.found_docs:
            start = self.app.builder.get_relative_uri(self.env.docname, page)
            for block in self.document.findall(nodes.admonition):
                if "erratum" in block["classes"]:
                    row = block["ids"][0].replace("err-", "errata-", 1)
                    link = nodes.reference(
                        "", "", internal=True, refuri=f"{start}#{row}"
                    )
                    link += nodes.Text("Its row in the errata")
                    block[-1] += [nodes.Text(" "), link, nodes.Text(".")]


class NameReferences(SphinxPostTransform):
    """A reference to a statement that has a name says it, instead of a number."""

    default_priority = 20  # references are resolved at 10

    def run(self, **kwargs):
        names = self.config.statement_names
        for link in self.document.findall(nodes.reference):
            label = link.get("refid") or link.get("refuri", "").rpartition("#")[2]
            if label in names and re.fullmatch(r"[A-Z][a-z]+ [\d.]+", link.astext()):
                link.children = [nodes.Text(names[label])]


def depart_statement(self, node):
    """As sphinx-proof does, but a statement that has a name is called by it."""
    compat.depart_statement(self, node, self.config.statement_names.get(node["label"]))


def visit_citation(self, node):
    """As docutils does, but as an item of the list that it opens around them.

    Its role, doc-biblioentry, is deprecated since version 1.1 of DPUB-ARIA.
    """
    if not isinstance(node.previous_sibling(), nodes.citation):
        self.body.append('<div role="list" class="citation-list">\n')
    start = self.starttag(node, "div", classes=[node.tagname], role="listitem")
    self.body.append(start)


def keep_index_open(app, pagename, templatename, context, doctree):
    """An index that folds needs options which its page loads too late."""
    context["collapse_index"] = False


def finish(app, exception):
    """Read every page for raw markup."""
    if exception or app.builder.name != "html":
        return
    out = Path(app.outdir)
    leaks = [
        f"{page.relative_to(out)}: {leak}"
        for page in sorted(out.rglob("*.html"))
        if "_static" not in page.parts
        for leak in raw_markup(page.read_text("utf8"))
    ]
    if leaks:
        raise ExtensionError("raw markup on the page:\n  " + "\n  ".join(leaks))


def raw_markup(html: str) -> list[str]:
    """What looks like an unparsed role, directive or formula outside of code."""
    reader = _Text()
    reader.feed(html)
    text = "".join(reader.text)
    return [text[m.start() : m.start() + 60] for m in RAW_MARKUP.finditer(text)]


class _Text(HTMLParser):
    """Collects the text of a page that is not code, script or formula."""

    SKIP = ("pre", "code", "script", "style", "title")

    def __init__(self):
        super().__init__()
        self.text, self.depth = [], 0

    def handle_starttag(self, tag, attrs):
        self.depth += tag in self.SKIP

    def handle_endtag(self, tag):
        self.depth -= tag in self.SKIP

    def handle_data(self, data):
        if not self.depth:
            self.text.append(data)


def shorten(app, what, name, obj, options, signature, returns):
    """Call whatever becomes an array by its name, not by all that it stands for."""
    for mode in ("smart", "fully-qualified", "fully-qualified-except-typing"):
        long = stringify_annotation(ArrayLike, mode)
        signature = signature and signature.replace(long, "ArrayLike")
    return signature, returns


def setup(app):
    app.add_config_value("statement_names", {}, "env", dict)
    app.add_config_value("errata_page", "chapters/errata", "env", str)
    app.add_directive("erratum", Erratum)
    app.setup_extension("sphinx_proof")  # its nodes get visitors below
    app.setup_extension("sphinx.ext.autodoc")  # has the event
    app.connect("autodoc-process-signature", shorten)
    app.add_node(Permalink, html=(visit_permalink, depart_permalink))
    app.add_node(nodes.citation, override=True, html=(visit_citation, None))
    visitors = visit_enumerable_node, depart_statement
    app.add_node(theorem_node, override=True, html=visitors)
    app.add_post_transform(NameReferences)
    app.add_post_transform(UniqueIds)
    app.add_post_transform(LinkStatements)
    app.add_post_transform(Errata)
    app.connect("html-page-context", keep_index_open)
    app.connect("build-finished", finish)
