"""The whole book as one PDF: all its pages as one document, printed by Chromium.

Chromium makes the tags, the links and the running heads. It does not know on which page
something stands: the document is printed twice, and the contents of the second print
have the numbers that were found in the first. Solutions are open; code that the pages
show folded is left out; of an explorer there are its charts, and its settings in words.
"""

import sys
from collections.abc import Iterator
from html import escape
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import yaml
from pypdf import PageObject, PdfReader, PdfWriter
from pypdf.generic import (
    ArrayObject,
    Destination,
    DictionaryObject,
    Fit,
    IndirectObject,
    NameObject,
    NumberObject,
    TextStringObject,
)

import chromium
import pmeanlib as pm

HERE = Path(__file__).parent
SCALE = 0.8  # as print.css says
WIDTH = round((210 - 2 * 17) / 25.4 * 96 / SCALE)  # of the text, in CSS pixels
HEIGHT = round((297 - 20 - 22) / 25.4 * 96 / SCALE)
BODY = (20 / 297, 1 - 22 / 297)  # where the text of a page ends and begins, from below
BOX = 60  # points: what is drawn and higher than this may be a box
PATIENCE = 120_000  # milliseconds for the explorers of a page
FORMULA = "\u2061"  # begins the words of a formula in print.js
READY = """() => [...document.querySelectorAll(".explorer")]
    .every(e => "ready" in e.dataset)"""
NOTE = (
    "Code that draws figures or checks what the text says is not printed: it is in the "
    "notebooks, one for each chapter. The explorers, which readers of the pages can "
    "turn, are shown with one setting each."
)
DOCUMENT = """<!DOCTYPE html>
<html lang="{lang}" data-theme="light">
<head><meta charset="utf-8"><title>{title}</title>
{sheets}
<style>{style}</style></head>
<body><main class="book bd-main">
<div class="bd-content"><div class="bd-article-container">
{cover}{contents}{chapters}
</div></div></main></body></html>
"""
COVER = """<section class="cover">
<h1>{title}</h1>
<p class="subtitle">Who pays for learning? An executable book</p>
<p class="authors">{author}</p>
{drawing}
<div class="imprint">
<p>About the paper: {paper}</p>
<p>{year}. Text and figures: CC BY 4.0. Code: MIT License.</p>
</div></section>
"""
BARS = (10, 22, 30, 37, 40)  # of the logo
LEVELS = (1, 0, -2, -10)


class Heading(NamedTuple):
    """A heading of a chapter: its level, its id in the book, and its words."""

    level: int
    id: str
    words: str
    html: str


class Chapter(NamedTuple):
    """A page of the site, as it is to be printed."""

    name: str
    part: str | None
    html: str
    headings: list[Heading]
    sheets: list[str]

    @property
    def title(self) -> str:
        return self.headings[0].words


# -- the document ------------------------------------------------------------------


def parts(toc: dict) -> list[tuple[str | None, list[str]]]:
    """Captions and their chapters, in the order of `_toc.yml`."""
    rest = [
        (p.get("caption"), [c["file"] for c in p["chapters"]]) for p in toc["parts"]
    ]
    return [(None, [toc["root"]]), *rest]


def take(browser, html: Path, name: str, part: str | None) -> Chapter:
    """What is to be printed of one page, after its explorers have drawn."""
    tab = browser.new_page(viewport={"width": WIDTH, "height": 1123})
    tab.emulate_media(media="print", color_scheme="light")
    tab.goto((html / f"{name}.html").as_uri(), wait_until="load")
    if missing := chromium.untypeset(tab):
        raise RuntimeError(f"{name}: {missing} formulas are not typeset")
    tab.wait_for_function(READY, timeout=PATIENCE)
    tab.add_script_tag(path=HERE / "print.js")
    home = html.as_uri() + "/"
    found = tab.evaluate("([name, home]) => paper.take(name, home)", [name, home])
    tab.close()
    headings = [Heading(**h) for h in found["headings"]]
    return Chapter(name, part, found["html"], headings, found["sheets"])


def assemble(chapters: list[Chapter], config: dict, paper: str) -> str:
    """One document: cover, contents and all chapters."""
    sheets = dict.fromkeys(sheet for chapter in chapters for sheet in chapter.sheets)
    style = [(HERE / "print.css").read_text("utf8")]
    style += [running_head(i, chapter) for i, chapter in enumerate(chapters)]
    return DOCUMENT.format(
        lang=config["sphinx"]["config"]["language"],
        title=escape(config["title"]),
        sheets="\n".join(sheets),
        style="\n".join(style),
        cover=cover(config, paper),
        contents=contents(chapters),
        chapters="\n".join(article(i, chapter) for i, chapter in enumerate(chapters)),
    )


def running_head(number: int, chapter: Chapter) -> str:
    """The chapter at the left of each of its pages, and its part at the right."""
    return (
        f"@page chapter-{number} {{"
        f" @top-left {{ content: {css_string(chapter.title)} }}"
        f" @top-right {{ content: {css_string(chapter.part or '')} }} }}"
    )


def css_string(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def article(number: int, chapter: Chapter) -> str:
    opening = f'<p class="opening">{escape(chapter.part or "")}</p>'
    return (
        f'<article class="bd-article chapter" id="{chapter.name}"'
        f' style="page: chapter-{number}">{opening}{chapter.html}</article>'
    )


def contents(chapters: list[Chapter]) -> str:
    """Parts, chapters and their sections, each a link, with room for the page."""
    lines, part = [], None
    for chapter in chapters:
        if chapter.part != part:
            part = chapter.part
            lines.append(f"<h2>{escape(part)}</h2>")
        sections = [h for h in chapter.headings if h.level == 2]
        inner = "".join(f"<li>{entry(h.id, h.html)}</li>" for h in sections)
        title = entry(chapter.headings[0].id, chapter.headings[0].html)
        lines.append(f"<ol><li>{title}<ol>{inner}</ol></li></ol>")
    return (
        f'<nav class="index"><h1>Contents</h1><p class="note">{NOTE}</p>'
        f'<div class="columns">{"".join(lines)}</div></nav>'
    )


def entry(target: str, words: str) -> str:
    return (
        f'<a href="#{escape(target)}"><span class="words">{words}</span>'
        '<span class="dots"></span><span class="number">000</span></a>'
    )


def cover(config: dict, paper: str) -> str:
    return COVER.format(
        title=escape(config["title"]),
        author=escape(config["author"]),
        year=config["copyright"],
        paper=escape(paper),
        drawing=drawing(),
    )


def drawing() -> str:
    """The bars of the logo, and their p-mean sinking as p falls from 1."""
    bars = "".join(
        f'<rect x="{20 * i}" y="{44 - u}" width="14" height="{u}" rx="1.2"/>'
        for i, u in enumerate(BARS)
    )
    lines = "".join(
        f'<path d="M-2 {44 - level:.2f}H97"/>'
        f'<text x="99" y="{45 - level:.2f}">p = {p}</text>'.replace("= -", "= −")
        for p, level in ((p, pm.p_mean(BARS, p)) for p in LEVELS)
    )
    return (
        '<svg viewBox="-3 0 118 46" role="img" aria-label="Five bars of different '
        'height, and their p-mean as a level that sinks towards the lowest as p falls">'
        f'<g fill="#5fb4ee">{bars}</g>'
        f'<g stroke="#ff9a3c" stroke-width="0.6" fill="#ff9a3c">{lines}</g></svg>'
    )


def citation(cff: dict) -> str:
    """The paper, as CITATION.cff names it."""
    paper = cff["references"][0]
    authors = [f"{a['given-names']} {a['family-names']}" for a in paper["authors"]]
    names = f"{', '.join(authors[:-1])} and {authors[-1]}"
    return f"{names}: {paper['title']}. {paper['collection-title']}, {paper['year']}."


# -- the print ---------------------------------------------------------------------


def print_twice(browser, document: Path) -> bytes:
    """The document on paper, its contents with the numbers of the pages."""
    tab = browser.new_page(viewport={"width": WIDTH, "height": 1123})
    tab.set_default_timeout(0)
    tab.emulate_media(media="print", color_scheme="light")
    tab.goto(document.as_uri(), wait_until="load")
    tab.add_script_tag(path=HERE / "print.js")
    tab.evaluate("page => paper.settle(page)", HEIGHT)
    options = {"prefer_css_page_size": True, "scale": SCALE, "print_background": True}
    first = places(PdfReader(BytesIO(tab.pdf(**options, tagged=False))))
    numbers = {name: page + 1 for name, (page, _) in first.items()}
    tab.evaluate("numbers => paper.number(numbers)", numbers)
    printed = tab.pdf(**options, tagged=True)
    tab.close()
    return printed


def places(book: PdfReader) -> dict[str, tuple[int, Destination]]:
    """The page, counted from 0, and the place of every id that a link leads to."""
    return {
        name.removeprefix("/"): (book.get_destination_page_number(there), there)
        for name, there in book.named_destinations.items()
    }


def add_bookmarks(book: PdfWriter, chapters: list[Chapter], found: dict) -> None:
    """Parts, their chapters, and the sections of each with the place on the page."""
    above: dict = {0: None}
    part = None
    for chapter in chapters:
        if chapter.part != part:
            part, (page, _) = chapter.part, found[chapter.headings[0].id]
            above[0] = book.add_outline_item(part, page, bold=True)
        for heading in chapter.headings:
            page, there = found[heading.id]
            fit = Fit.xyz(there.left, there.top)
            above[heading.level] = book.add_outline_item(
                heading.words, page, above[heading.level - 1], fit=fit
            )


def tidy_tags(book: PdfReader) -> None:
    """Call formulas formulas, and give each run of text to what it is a part of.

    Chromium gives every run an element of its own that says nothing: most of the tree.
    """
    tree, owner = book.trailer["/Root"]["/StructTreeRoot"], {}
    todo = [tree.raw_get("/K")]
    while todo:
        reference = todo.pop()
        node, kids = reference.get_object(), []
        if node.get("/S") in ("/Em", "/Strong"):  # unknown to this version of PDF
            node[NameObject("/S")] = NameObject("/Span")
        if str(node.get("/Alt", "")).startswith(FORMULA):
            node[NameObject("/S")] = NameObject("/Formula")
            node[NameObject("/Alt")] = TextStringObject(node["/Alt"][1:])
        for kid in children(node):
            if is_run(kid):
                owner[kid.idnum], run = reference, kid.get_object()
                kids += [marked(run, number) for number in children(run)]
            else:
                kids.append(kid)
                todo += [kid] if isinstance(kid, IndirectObject) else []
        hang(node, kids)
    for runs in tree["/ParentTree"]["/Nums"][1::2]:
        runs = runs.get_object()
        if isinstance(runs, list):
            runs[:] = [owner.get(getattr(r, "idnum", None), r) for r in runs]


def children(node: DictionaryObject) -> list:
    """What hangs below an element of the tree: references, or marks of its page."""
    kids = node.raw_get("/K") if "/K" in node else []
    if isinstance(kids, IndirectObject) and isinstance(kids.get_object(), list):
        kids = kids.get_object()
    return list(kids) if isinstance(kids, list) else [kids]


def is_run(kid) -> bool:
    """Whether this is an element of no kind that holds marks of a page alone."""
    if not isinstance(kid, IndirectObject):
        return False
    node = kid.get_object()
    return (
        node.get("/S") == "/NonStruct"
        and "/Alt" not in node
        and all(isinstance(n, int) for n in children(node))
    )


def hang(node: DictionaryObject, kids: list) -> None:
    """Hang these below an element; if all are of one page, that is said once."""
    marks = [k for k in kids if isinstance(k, DictionaryObject) and "/MCID" in k]
    marks = [mark for mark in marks if "/Pg" in mark]
    pages = {mark.raw_get("/Pg").idnum for mark in marks}
    if len(pages) == 1 and "/Pg" not in node:
        node[NameObject("/Pg")] = marks[0].raw_get("/Pg")
        kids = [k["/MCID"] if k in marks else k for k in kids]
    node[NameObject("/K")] = ArrayObject(kids)


def marked(run: DictionaryObject, number: int) -> DictionaryObject:
    """The mark with this number on the page of a run, wherever that hangs."""
    return DictionaryObject(
        {
            NameObject("/Type"): NameObject("/MCR"),
            NameObject("/Pg"): run.raw_get("/Pg"),
            NameObject("/MCID"): NumberObject(number),
        }
    )


# -- how full the pages are ----------------------------------------------------------


def white(page: PageObject) -> float:
    """The highest band of the text area that nothing is printed on, as a share."""
    low, high = (share * float(page.mediabox.height) for share in BODY)
    marks = sorted((a, b) for a, b in ink(page) if b > low and b - a < high - low)
    widest, top = 0.0, low
    for bottom, above in [*(m for m in marks if m[0] < high), (high, high)]:
        widest, top = max(widest, bottom - top), max(top, above)
    return widest / (high - low)


def ink(page: PageObject) -> Iterator[tuple[float, float]]:
    """The lower and upper end of every text, picture, line and area on a page.

    But for high ones: they may be the ground of a box or its edge, with nothing in it.
    Chromium writes one operator to a line, and turns nothing but labels of axes.
    """
    stack, scale, shift, path = [], 1.0, 0.0, []
    for line in page.get_contents().get_data().splitlines():
        *numbers, operator = line.split() or [b""]
        if operator == b"q":
            stack.append((scale, shift))
        elif operator == b"Q":
            scale, shift = stack.pop()
        elif operator == b"cm":
            d, f = float(numbers[3]), float(numbers[5])
            scale, shift = scale * d, shift + scale * f
        elif operator == b"Tm":
            y = shift + scale * float(numbers[5])
            yield y - 3, y + 8
        elif operator == b"Do":
            yield tuple(sorted((shift, shift + scale)))
        elif operator in (b"m", b"l", b"c", b"v", b"y"):
            path += [shift + scale * float(y) for y in numbers[1::2]]
        elif operator == b"re":
            y, height = float(numbers[1]), float(numbers[3])
            path += [shift + scale * y, shift + scale * (y + height)]
        elif operator in (b"f", b"f*", b"S", b"s", b"B", b"B*", b"n"):
            if path and operator != b"n" and max(path) - min(path) < BOX:
                yield min(path), max(path)
            path = []


def bind(browser, html: Path, toc: dict, config: dict, paper: str) -> PdfWriter:
    """Print every page that `toc` names as one book."""
    chapters = [
        take(browser, html, name, part) for part, names in parts(toc) for name in names
    ]
    with TemporaryDirectory() as folder:
        document = Path(folder) / "book.html"
        document.write_text(assemble(chapters, config, paper), "utf8")
        printed = PdfReader(BytesIO(print_twice(browser, document)))
    tidy_tags(printed)
    book = PdfWriter(clone_from=printed)
    add_bookmarks(book, chapters, places(printed))
    book.add_metadata({"/Title": config["title"], "/Author": config["author"]})
    return book


def main(html: Path, out: Path) -> None:
    root = HERE.parents[1]
    toc, config, cff = (
        yaml.safe_load((root / name).read_text("utf8"))
        for name in ("_toc.yml", "_config.yml", "CITATION.cff")
    )
    with chromium.browser() as browser:
        book = bind(browser, html, toc, config, citation(cff))
    book.write(out)
    print(f"The book on {len(book.pages)} pages: {out}")


if __name__ == "__main__":
    main(*(Path(name).resolve() for name in sys.argv[1:3]))
