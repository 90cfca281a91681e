"""Sphinx extension of the book: Sphinx's own search, which also finds things by name.

Sections, statements, exercises, figures and terms enter its index as objects. The text
of a page enters it with formulas as words, and without code, solutions, hints and the
exam. `search.js` says what a word of a query is and which results come first.
"""

import re
from collections import ChainMap
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.domains import Domain
from sphinx.search.en import SearchEnglish

from bookkit import compat
from bookkit.tex import readable, tidy_spaces

NAMED = "theorem|lemma|corollary|proposition|definition|algorithm|assumption|figure"
# What is one word, in Python and in JavaScript.
WORD = rf"(?:{NAMED}|exercise|table|claim) (?:\d+|[a-z])(?!\w)|[\wÀ-ῼ]+(?:-[\wÀ-ῼ]+)*"
ASKING = "can do does from how i me my what when where which who why you"
SCRIPT = Path(__file__).with_name("search.js")
HIDDEN = {"solution", "quick", "exam"}  # classes of what is not to be found
UNREAD = nodes.literal_block | nodes.raw | addnodes.index
LINE = nodes.title | nodes.paragraph | nodes.caption | nodes.term


def is_unread(node: nodes.Node) -> bool:
    """Whether the index leaves a node out: code, a solution, a hint, the exam."""
    classes = node.get("classes", []) if isinstance(node, nodes.Element) else []
    is_hidden = isinstance(node, UNREAD) or not HIDDEN.isdisjoint(classes)
    return is_hidden or compat.is_hint(node)


def as_words(node: nodes.Element) -> nodes.Element:
    """A copy of a node as the index reads it: one title, and lines of plain words."""
    copy = node.deepcopy()
    for unread in list(copy.findall(is_unread)):
        unread.parent.remove(unread)
    for formula in copy.findall(lambda n: isinstance(n, nodes.math | nodes.math_block)):
        formula[:] = [nodes.Text(readable(formula.astext()))]
    for line in copy.findall(lambda n: isinstance(n, LINE)):
        line[:] = [nodes.Text(line.astext())]  # in p-mean, p is a formula
    for title in list(copy.findall(nodes.title))[1:]:  # the others are objects
        title.parent.replace(title, nodes.paragraph("", title.astext()))
    return copy


def names_of(node: nodes.Element) -> tuple[str, str, nodes.Element | None]:
    """The kind of what can be found by itself, what it is called, and its title."""
    if (called := compat.called(node))[0]:
        return called
    if isinstance(node, nodes.figure):
        return "figure", "Figure", node.next_node(nodes.caption)
    if isinstance(node, nodes.section) and isinstance(node.parent, nodes.section):
        return "section", "", node[0]
    return "term", "", node if isinstance(node, nodes.term) else None


class Places(Domain):
    """What the search finds by name."""

    name = label = "places"

    def get_objects(self):
        for page in self.env.found_docs:
            numbers = ChainMap(*self.env.toc_fignumbers.get(page, {}).values())
            for node in self.env.get_doctree(page).findall(nodes.Element):
                kind, called, title = names_of(node)
                if title and node["ids"]:
                    label = node["ids"][0]
                    called = f"{called} {numbers.get(label, [''])[0]}"
                    called = self.env.config.statement_names.get(label, called)
                    words = as_words(title).astext().split()[:12]  # of a caption
                    name = tidy_spaces(" ".join([called, *words]))
                    yield name, name, kind, page, label, 1


class Words(SearchEnglish):
    """English, in which "Theorem U" and "p-mean" are words, and "how" is none."""

    stopwords = SearchEnglish.stopwords | set(ASKING.split())
    js_splitter_code = SCRIPT.read_text("utf8").replace("WORD", f"/{WORD}/giu")

    def split(self, input):
        words = re.findall(WORD, " ".join(input.split()), re.I)
        return [*super().split(input), *(w for w in words if not w.isidentifier())]


class Builder(StandaloneHTMLBuilder):
    """Sphinx's own, but the index reads pages as words, with what they are about."""

    def index_page(self, pagename, doctree, title):
        tree = as_words(doctree)
        tree += nodes.paragraph("", " ".join(words_of(self.config, pagename)))
        super().index_page(pagename, tree, title)


def words_of(config, page: str) -> tuple[str, str]:
    """What a page is about, and other words by which readers ask for it."""
    name = page.rpartition("/")[2]
    return config.page_descriptions.get(name, ""), config.page_keywords.get(name, "")


def tell_page(app, pagename, templatename, context, doctree) -> None:
    """Let the page of the search know what every page is about."""
    if pagename == "search":
        context["page_words"] = {p: words_of(app.config, p) for p in app.env.found_docs}


def setup(app):
    app.add_config_value("page_keywords", {}, "html", dict)
    app.add_domain(Places)
    app.add_search_language(Words)
    app.add_builder(Builder, override=True)
    app.connect("html-page-context", tell_page)
