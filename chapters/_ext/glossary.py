"""Sphinx extension of the book: every term leads to its entry where it is first used.

The page `glossary` is Sphinx's own `{glossary}`. On every other page the first use of
each term in running prose becomes a link to its entry, which `tips.js` shows on the
spot. An entry may say, with the role `forms`, under which forms it occurs:

    {forms}`gaps, *gap*, (the) gap, gap (of)`

Words in brackets must stand next to the form and are not linked, and a form between
stars counts only where it is emphasised, which is where a chapter defines it. So an
everyday word can be a term without its everyday use being taken for one. An entry that
says nothing occurs as it is written and with an s. In words that are emphasised only
the whole is looked at: the rest are headings of paragraphs.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx_design.dropdown import dropdown_main

from finder import readable

EMPHASISED = nodes.emphasis | nodes.strong
SILENT = (  # where a word is no running prose, or already leads somewhere
    *(nodes.title, nodes.caption, nodes.legend, nodes.table, nodes.rubric, nodes.raw),
    *(nodes.literal, nodes.literal_block, nodes.FixedTextElement, nodes.comment),
    *(nodes.math, nodes.math_block, nodes.reference, nodes.citation, nodes.footnote),
    *(addnodes.pending_xref, addnodes.desc, nodes.term, dropdown_main),
)
ASIDE = {  # no running prose
    *("cell", "dropdown", "exercise", "learn", "quick", "explorer-box"),
}


class Form(NamedTuple):
    """One way in which a term may occur, and the entry that it leads to."""

    entry: int
    label: str
    words: str
    before: str = ""
    after: str = ""
    emphasised: bool = False


# -- the glossary -----------------------------------------------------------------


class Forms(nodes.Inline, nodes.Element):
    """Says in an entry under which forms its term occurs; it is not shown."""


def forms_role(name, rawtext, text, lineno, inliner, options=None, content=None):
    """The forms of an entry, or what is wrong with them."""
    try:
        return [Forms(forms=[parse(form.strip()) for form in text.split(",")])], []
    except ValueError as error:
        return [], [inliner.reporter.error(str(error), line=lineno)]


def glossary(doctree: nodes.document) -> list[Form]:
    """All forms of all entries, the longest first: the longer says more."""
    items = (
        item
        for page in doctree.findall(addnodes.glossary)
        for item in page.findall(nodes.definition_list_item)
    )
    forms = (form for entry, item in enumerate(items) for form in of(entry, item))
    return sorted(forms, key=lambda form: -len(form.words))


def of(entry: int, item: nodes.definition_list_item) -> Iterator[Form]:
    """The forms of one entry; each leads to that of its terms which it resembles."""
    terms = {term.astext(): term["ids"][0] for term in item.findall(nodes.term)}
    told = item.next_node(Forms)
    if told:
        for form in told["forms"]:
            alike = (term for term in terms if form.words[:4] == term[:4])
            label = terms[next(alike, next(iter(terms)))]
            yield form._replace(entry=entry, label=label)
    else:
        for term, label in terms.items():
            yield Form(entry, label, term)
            yield Form(entry, label, f"{term}s")


def parse(text: str) -> Form:
    """A form as the role has it: words, perhaps neighbours in brackets, or stars."""
    if star := re.fullmatch(r"\*(.+)\*", text):
        return Form(0, "", star[1], emphasised=True)
    found = re.fullmatch(r"(?:\(([^()]+)\) )?([^()]+?)(?: \(([^()]+)\))?", text)
    if not found:
        raise ValueError(f"forms must be words, (words) or *words*, got {text!r}")
    return Form(0, "", found[2], found[1] or "", found[3] or "")


# -- a page -----------------------------------------------------------------------


def pattern(form: Form) -> str:
    """What a form looks like in a text; a sentence may begin with it."""
    first, rest = re.escape(form.words[0]), re.escape(form.words[1:])
    before = form.before and rf"(?<=\b{re.escape(form.before)} )"
    after = form.after and rf"(?= {re.escape(form.after)}\b)"
    whole = rf"(?<![\w-]){before}(?i:{first}){rest}(?![\w-]){after}"
    return re.sub(r"\\? ", r"\\s", whole).replace("'", "['’]")


class Linker:
    """Links the first use of each term; `known` are labels that are linked already."""

    def __init__(self, forms: list[Form], start: str, known: set[str]):
        self.forms, self.start = forms, start
        done = {form.entry for form in forms if form.label in known}
        self.fresh = {form.entry for form in forms} - done
        named = [f"(?P<f{i}>{pattern(form)})" for i, form in enumerate(forms)]
        plain = (p for p, form in zip(named, forms, strict=True) if not form.emphasised)
        self.plain = re.compile("|".join(plain) or "(?!)")
        self.whole = re.compile(rf"\A(?:{'|'.join(named)})(?=[.:,;]?\Z)")

    def link(self, node: nodes.Element) -> None:
        """Link what is used in a node, in reading order."""
        children: list[nodes.Node] = []
        for child in node.children:
            if isinstance(child, nodes.Text):
                self._text(child, children, isinstance(node, EMPHASISED))
            else:
                if not silent(child):
                    self.link(child)
                children.append(child)
        node[:] = children

    def _text(self, text: nodes.Text, line: list, emphasised: bool) -> None:
        """Add a text to its line; a letter before it belongs to its first word."""
        symbol = letter(line[-1]) if line else ""
        seen, done = symbol + text, len(symbol)
        for found in (self.whole if emphasised else self.plain).finditer(seen):
            form = self.forms[int(found.lastgroup[1:])]
            if form.entry not in self.fresh:
                continue
            self.fresh.remove(form.entry)
            link = nodes.reference("", "", internal=True, classes=["term"])
            link["refuri"] = f"{self.start}#{form.label}"
            if found.start() < len(symbol):
                link += line.pop()
            elif found.start() > done:
                line.append(nodes.Text(seen[done : found.start()]))
            link += nodes.Text(seen[max(done, found.start()) : found.end()])
            line.append(link)
            done = found.end()
        if seen[done:]:
            line.append(nodes.Text(seen[done:]))


def silent(node: nodes.Element) -> bool:
    """Whether nothing is to be linked in here."""
    return isinstance(node, SILENT) or bool(ASIDE & set(node.get("classes", [])))


def letter(node: nodes.Node) -> str:
    """The letter that a formula consists of, as in the p of p-mean, or nothing."""
    words = readable(node.astext()) if isinstance(node, nodes.math) else ""
    return words if len(words) == 1 else ""


class LinkTerms(SphinxPostTransform):
    """Link each term of the glossary where a page first uses it."""

    default_priority = 600  # when references are resolved and folds are made
    formats = ("html",)

    def run(self, **kwargs):
        page, here = self.config.glossary_page, self.env.docname
        if page not in self.env.found_docs or here in (page, *self.config.no_terms):
            return
        start = self.app.builder.get_relative_uri(here, page)
        links = self.document.findall(nodes.reference)
        ends = (link.get("refuri", "").partition("#") for link in links)
        known = {label for uri, _, label in ends if uri == start}
        Linker(self.forms(page), start, known).link(self.document)

    def forms(self, page: str) -> list[Form]:
        """The forms of the glossary, read once for each build."""
        kept = vars(self.app.builder)
        if "forms" not in kept:
            kept["forms"] = glossary(self.env.get_doctree(page))
        return kept["forms"]


def skip(self, node):
    raise nodes.SkipNode


def setup(app):
    app.add_config_value("glossary_page", "chapters/glossary", "html", str)
    app.add_config_value("no_terms", [], "html", list)  # pages that only look up
    app.add_role("forms", forms_role)
    app.add_node(Forms, html=(skip, None))
    app.add_post_transform(LinkTerms)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
