"""Sphinx extension of the book: a search that finds where a thing is defined.

While pages are written, their sections, statements, exercises, errata, figures,
symbols, terms, functions and works are collected as plain text, with the terms that
each defines. All of it becomes one classic script, which only the search page loads,
over file:// too; `_static/search.js` ranks it. Sphinx's own index knows whole pages.
"""

import json
import posixpath
import re
import unicodedata
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.util.osutil import relative_uri
from sphinx_design.dropdown import dropdown_main

INDEX = "search-index.js"
SCRIPTS = (INDEX, "search.js")  # of the search page
BODY = """
<div class="bd-search-container">
<h1>Search</h1>
<noscript><p>The search needs JavaScript. <a href="{notation}">Symbols and names</a>
lists what the letters mean and where they are explained.</p></noscript>
<form class="bd-search d-flex align-items-center" role="search" action="#" method="get">
<input type="search" class="form-control" name="q" aria-label="Search this book"
placeholder="Search this book" autocomplete="off" autocorrect="off"
autocapitalize="off" spellcheck="false">
</form>
<p id="search-summary" role="status"></p>
<ol id="search-results" data-notation="{notation}"></ol>
</div>
"""

# -- formulas as words ------------------------------------------------------------
GREEK = {
    unicodedata.name(letter).split()[-1].lower().replace("lamda", "lambda"): letter
    for letter in "αβγδεζηθικλμνξπρστυφχψω"
}
SYMBOLS = {
    **GREEK,
    **{name.title(): letter.upper() for name, letter in GREEK.items()},
    **{"varepsilon": "ε", "varphi": "φ", "ell": "ℓ", "E": "E", "infty": "∞"},
    **{"sum": "∑", "prod": "∏", "int": "∫", "partial": "∂", "neg": "not "},
    **{"lceil": "⌈", "rceil": "⌉", "lfloor": "⌊", "rfloor": "⌋", "cdot": "·"},
    **{"lvert": "|", "rvert": "|", "dots": "…", "cdots": "…", "ast": "*"},
    **{"le": " ≤ ", "ge": " ≥ ", "ne": " ≠ ", "neq": " ≠ ", "approx": " ≈ "},
    **{"to": " → ", "in": " ∈ ", "cap": " ∩ ", "cup": " ∪ ", "mid": " | "},
    **{"pm": " ± ", "times": " × ", "leftarrow": " ← ", "mapsto": " ↦ "},
    **{"quad": " ", "qquad": " ", "triangleq": " = ", "square": "", "blacksquare": ""},
}
ACCENTS = {"tilde": "\u0303", "hat": "\u0302", "bar": "\u0304"}
FRACTIONS = ("frac", "tfrac", "dfrac")
SILENT = re.compile(
    r"[bB]ig+[lrm]?|left|right|\w*style|math(rm|sf|bf|bb|cal|it)|underline|limits"
)
PIECE = re.compile(
    r"\\(?:text|mathrm|operatorname)\s*\{([^{}]*)\}"  # words
    r"|\\([A-Za-z]+)|\\(.)|(\S)",  # a command, a sign, any other character
    re.S,
)
APART = re.compile(r"[\w*′\u0302-\u0304][\w√∑∏∫]")  # what would run together


def readable(tex: str) -> str:
    r"""A formula as a line of text: ``\tilde T\le\mu^*/k`` is T̃ ≤ μ*/k."""
    pieces = list(reversed(list(PIECE.finditer(tex))))
    text = _row(pieces)
    while pieces:  # a brace too many
        text += _row(pieces)
    return " ".join(text.split())


def _row(pieces: list[re.Match]) -> str:
    """The atoms up to the end of a group, set apart where they would run together."""
    text = ""
    while pieces and pieces[-1][0] != "}":
        atom = _scripts(_atom(pieces), pieces)
        border = text[-1:] + atom[:1]
        text += " " + atom if APART.match(border) and not border.isdigit() else atom
    if pieces:
        pieces.pop()
    return text


def _atom(pieces: list[re.Match]) -> str:
    """The next letter, number, sign, group or command with what it acts on."""
    if not pieces:
        return ""
    piece = pieces.pop()
    words, command, sign, other = piece.groups()
    if words is not None:
        return words
    if command in FRACTIONS:
        above, below = _group(pieces), _group(pieces)
        return f"{above}/{below}"
    if command == "sqrt":
        return "√" + _group(pieces)
    if command in ACCENTS:
        return _atom(pieces) + ACCENTS[command]
    if command in ("begin", "end"):
        _atom(pieces)
        return " "
    if command:
        return "" if SILENT.fullmatch(command) else SYMBOLS.get(command, command)
    if sign:
        return {"\\": " ", "{": "{", "}": "}", "|": "|"}.get(sign, "")
    if other == "{":
        return _row(pieces)
    return {"&": " ", "~": " ", "'": "′", "=": " = ", "<": " < ", ">": " > "}.get(
        other, other
    )


def _scripts(atom: str, pieces: list[re.Match]) -> str:
    """An atom with the exponents and indices that follow it."""
    while pieces and pieces[-1][4] in ("^", "_"):
        mark = pieces.pop()[4]
        script = _group(pieces)
        atom += script if mark == "^" and script in ("*", "′") else mark + script
    return atom


def _group(pieces: list[re.Match]) -> str:
    """What a fraction, a root or a script acts on, in brackets if it is long."""
    text = _atom(pieces).strip()
    short = len(text) == 1 or re.fullmatch(r"-?[\w.\u0302-\u0304*′]*", text)
    return text if short else f"({text})"


# -- pages as entries -------------------------------------------------------------
TITLED = nodes.section | nodes.Admonition | nodes.table  # their titles are no text
SKIPPED = (
    *(nodes.literal_block, nodes.raw, nodes.comment, nodes.image, nodes.label),
    *(nodes.system_message, nodes.thead, addnodes.index, addnodes.desc_signature),
)
ASIDE = {  # boxes that say what stands elsewhere too, or are found by what they follow
    *("learn", "remember", "quick", "solution", "exam"),
}
FORMULA = nodes.math | nodes.math_block


class Reader:
    """Takes a page apart into entries, in the order in which they are read.

    `names` are those that statements have instead of numbers; `numbers` is what Sphinx
    knows of the page: label and number, for each kind of thing that is counted.
    """

    def __init__(self, names: dict[str, str], numbers: dict[str, dict]):
        self.names = names
        self.numbers = {
            label: ".".join(map(str, number))
            for counted in numbers.values()
            for label, number in counted.items()
        }
        self.entries: list[dict] = []

    def read(self, doctree: nodes.document) -> list[dict]:
        for child in doctree.children:
            self._read(child, {"text": [], "terms": [], "heads": []}, [])
        for entry in self.entries:
            entry["text"] = squeeze("".join(entry["text"]))
        return self.entries

    def _read(self, node: nodes.Node, entry: dict, path: list[str]) -> None:
        """Add a node to the entry in which it stands, or make it one of its own."""
        if isinstance(node, SKIPPED) or ASIDE & set(classes(node)):
            return
        if isinstance(node, dropdown_main) and entry.get("kind") == "exercise":
            return  # a hint
        if isinstance(node, nodes.title) and isinstance(node.parent, TITLED):
            return
        if new := self.heading(node):
            entry = new | {"within": path, "text": [], "terms": [], "heads": []}
            self.entries.append(entry)
            if isinstance(node, nodes.section) and new["kind"] != "page":
                path = [*path, new["title"]]
            if new["kind"] == "symbol":
                entry["chapter"] = explained_in(node)
        if isinstance(node, nodes.emphasis | nodes.strong):
            entry["heads" if opens_item(node) else "terms"].append(plain(node))
        if isinstance(node, nodes.Text | FORMULA):
            entry["text"].append(plain(node))
        for child in () if isinstance(node, FORMULA) else inside(node):
            self._read(child, entry, path)
        if not isinstance(node, nodes.Text | nodes.Inline):
            entry["text"].append(" ")

    def heading(self, node: nodes.Node) -> dict | None:
        """Kind, anchor and title of what can be found by itself."""
        ids = node.get("ids") if isinstance(node, nodes.Element) else None
        kind, title = None, ""
        if isinstance(node, nodes.row):
            ids, kind, title = self.row(node)
        elif isinstance(node, nodes.definition_list_item):
            terms = [t for t in node.findall(nodes.term) if t["ids"]]  # of a glossary
            ids = [i for term in terms for i in term["ids"]]
            kind, title = "term", ", ".join(map(plain, terms))
        elif isinstance(node, addnodes.desc):
            ids, kind, title = node[0]["ids"], "function", node[0].get("fullname", "")
        elif not ids:
            return None
        elif isinstance(node, nodes.section) and isinstance(node[0], nodes.title):
            title = plain(node[0])
            kind = "section" if title != "Exercises" else "exercise"
            if isinstance(node.parent, nodes.document):
                kind, ids = "page", [""]
        elif isinstance(node, nodes.Admonition):
            kind, title = self.block(node)
        elif isinstance(node, nodes.figure):
            kind, title = "figure", f"Figure {self.numbers.get(ids[0], '')}"
        elif isinstance(node, nodes.citation):
            authors = re.split(r"(?<=[^\W\d_]{2})\. ", plain(node[-1]))
            kind, title = "work", authors[0]
        if not kind or not ids:
            return None
        return {"kind": kind, "id": ids[0], "title": squeeze(title)}

    def block(self, node: nodes.Element) -> tuple[str | None, str]:
        """Kind and title of a statement, an exercise or an erratum."""
        label, title = node["ids"][0], plain(node[0])
        if "realtype" in node:
            name = f"{node['realtype'].title()} {self.numbers.get(label, '')}"
            return "statement", f"{self.names.get(label, name)} {title}"
        if node.get("type") == "exercise":
            return "exercise", f"Exercise {self.numbers.get(label, '')} {title}"
        return ("erratum" if "erratum" in classes(node) else None), title

    def row(self, node: nodes.row) -> tuple[list[str], str | None, str]:
        """Anchor, kind and title of a row: a symbol, or an erratum with an id in it.

        A symbol has no id yet; it gets one here, before the page is written.
        """
        head = node.parent.parent.next_node(nodes.thead)
        if head and plain(head[0][0]) == "symbol":
            tex = node[0].astext() or node[1].astext()
            label = "symbol-" + nodes.make_id(tex)
            while any(entry["id"] == label for entry in self.entries):
                label += "-2"  # x_t and X_t
            node["ids"] = [label]
            return node["ids"], "symbol", plain(node[0]) or plain(node[1])
        named = next((n for n in node.findall(nodes.inline) if n["names"]), None)
        if not named:
            return [], None, ""
        place = plain(node[0]).removeprefix(plain(named)).partition(":")[0]
        return named["ids"], "erratum", f"Erratum, {plain(named)}: {place}"


def opens_item(node: nodes.Node) -> bool:
    """Whether an item of a list begins with this node; empty texts do not count."""
    line, item = node.parent, node.parent.parent
    first = next(child for child in line.children if child.astext())
    return first is node and isinstance(item, nodes.list_item) and item[0] is line


def inside(node: nodes.Node) -> list[nodes.Node]:
    """What is to be read of a node: of a symbol, neither itself nor its chapter."""
    if isinstance(node, nodes.row) and node["ids"]:
        return node.children[1:-1]
    if isinstance(node, nodes.definition_list_item):
        return [n for n in node if not (isinstance(n, nodes.term) and n["ids"])]
    return node.children


def explained_in(node: nodes.row) -> str:
    """The chapter that the last column of a table of symbols leads to."""
    links = [link.get("refuri", "") for link in node[-1].findall(nodes.reference)]
    return links[0].partition(".html")[0] if links else ""


def classes(node: nodes.Node) -> list[str]:
    return node.get("classes", []) if isinstance(node, nodes.Element) else []


def plain(node: nodes.Node) -> str:
    """The text of a node, formulas as words."""
    if isinstance(node, SKIPPED):
        return ""
    if isinstance(node, nodes.Text):
        return node.astext()
    if isinstance(node, FORMULA):
        words = readable(node.astext())
        return f" {words} " if isinstance(node, nodes.math_block) else words
    return "".join(plain(child) for child in node.children)


def squeeze(text: str) -> str:
    """A line without needless spaces; formulas of their own line end in some."""
    return re.sub(r"\s+([.,;:!?])", r"\1", " ".join(text.split()))


# -- what is defined where --------------------------------------------------------
TEACHING = ("page", "section", "statement")
LISTED = ("erratum", "symbol", "term", "function", "work")
NAMED = ("Definition", "Algorithm")  # statements whose titles are what they define
TERM = re.compile(r"[^\W\d_][\w'’′ -]{1,40}")


def define(pages: dict[str, list[dict]], start: str) -> None:
    """Tell the entries which terms and symbols they define; pages in reading order.

    A symbol is defined where it first appears in the chapter that its row in the table
    of symbols names; a definition or an algorithm defines its title; any other term is
    defined where it is first emphasised, and where it is the head of an item of a list,
    unless an earlier statement is called by it.
    The first page only promises, so it defines nothing.
    """
    rows = [(n, e) for n, entries in pages.items() for e in entries if "chapter" in e]
    known = {sign.casefold() for _, row in rows for sign in signs(row)}
    called = ""
    for name, entries in pages.items():
        for entry in entries:
            entry["defines"] = []
            emphasised, heads = entry.pop("terms"), entry.pop("heads")
            if name == start or entry["kind"] not in TEACHING:
                continue
            if entry["kind"] == "statement":
                called += f" {entry['title'].casefold()} "
                if entry["title"].startswith(NAMED):
                    entry["defines"].append(
                        entry["title"].partition("(")[2].rstrip(")")
                    )
            for term in filter(is_term, heads + emphasised):
                word = term.casefold()
                fresh = term in heads or word not in known
                if fresh and not re.search(rf"\b{word}\b", called):
                    entry["defines"].append(term)
                    known.add(word)
    for name, row in rows:
        chapter = posixpath.join(posixpath.dirname(name), row.pop("chapter"))
        for sign in signs(row):
            if place := first_use(sign, pages.get(chapter, [])):
                place["defines"].append(sign)
    for entries in pages.values():
        if sum(e["kind"] in LISTED for e in entries) > len(entries) / 2:
            for entry in entries:  # a page of lists teaches nothing itself
                if entry["kind"] in TEACHING:
                    entry["kind"] = "reference"


def signs(row: dict) -> list[str]:
    """The symbols of a row of the table of symbols."""
    return row["title"].split(", ")


def is_term(text: str) -> bool:
    """Whether an emphasised text can be a name: a few words, and no sentence."""
    return bool(TERM.fullmatch(text)) and len(text.split()) <= 4


def first_use(sign: str, entries: list[dict]) -> dict | None:
    """The first part of a chapter in which a symbol appears."""
    whole = re.compile(rf"(?<![\w]){re.escape(sign)}(?![\w*~\u0302-\u0304])")
    taught = (e for e in entries if e["kind"] in TEACHING)
    return next((e for e in taught if whole.search(f"{e['title']} {e['text']}")), None)


# -- the index, and the page that uses it -----------------------------------------


KEYS = ("kind", "id", "title", "defines", "text")


def script(pages: dict[str, list[dict]], titles: dict[str, str], start: str) -> str:
    """The index as a classic script, in lists, lest names are repeated."""
    define(pages, start)
    found = [
        (place, entry)
        for place, entries in enumerate(pages.values())
        for entry in entries
        if entry["text"]
    ]
    paths = list(dict.fromkeys(tuple(entry["within"]) for _, entry in found))
    numbers = {path: number for number, path in enumerate(paths)}
    told = {
        "front": list(pages).index(start),
        "greek": {letter: name for name, letter in GREEK.items()},
        "pages": [[f"{name}.html", titles[name]] for name in pages],
        "paths": paths,
        "entries": [
            [place, *(e[k] for k in KEYS), numbers[tuple(e["within"])]]
            for place, e in found
        ],
    }
    text = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    return f"window.bookIndex = {text};\n"


def collect(app, doctree, docname) -> None:
    """Take a page apart when all its references are resolved."""
    if app.builder.name == "html":
        numbers = app.env.toc_fignumbers.get(docname, {})
        reader = Reader(app.config.statement_names, numbers)
        found_by(app)[docname] = reader.read(doctree)


def found_by(app) -> dict[str, list[dict]]:
    """The entries of each page that this build has met."""
    return vars(app.builder).setdefault("found", {})


def replace_search(app) -> None:
    """Neither index nor search page by Sphinx."""
    app.builder.search = False


def search_page(app):
    """The search page, when all others have been taken apart, and its index."""
    start, found = app.config.root_doc, found_by(app)
    order = [start, *app.env.toctree_includes.get(start, [])]
    for name in set(order) - set(found):  # did not change, so it was not written
        app.env.get_and_resolve_doctree(name, app.builder)
    pages = {name: found[name] for name in order}
    for name, (page, *_) in pages.items():
        summary = app.config.page_descriptions.get(posixpath.basename(name), "")
        page["text"] = squeeze(f"{summary} {page['text']}")
    titles = {name: squeeze(plain(app.env.titles[name])) for name in pages}
    text = script(pages, titles, start)
    (Path(app.outdir) / "_static" / INDEX).write_text(text, "utf8")
    notation = relative_uri("search.html", f"{app.config.search_notation}.html")
    body = BODY.format(notation=notation)
    yield "search", {"title": "Search", "body": body}, "page.html"


def add_scripts(app, pagename, templatename, context, doctree) -> None:
    for name in SCRIPTS if pagename == "search" else ():
        app.add_js_file(name, loading_method="defer")


def setup(app):
    app.add_config_value("search_notation", "chapters/notation", "html", str)
    app.connect("doctree-resolved", collect, priority=900)
    app.connect("builder-inited", replace_search)
    app.connect("html-collect-pages", search_page)
    app.connect("html-page-context", add_scripts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
