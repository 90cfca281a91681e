"""The whole book as one PDF: its pages printed by Chromium, joined, with bookmarks.

Solutions are opened; of code that the pages show folded there is a word where to
find it, and of an explorer its charts. Links between chapters lead within the PDF.
"""

import sys
from io import BytesIO
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urldefrag

import yaml
from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, Fit, NameObject, NullObject

import chromium

SCALE = 0.8  # 16 pixels become 9.6 points, and 78 columns of code fit the line
MARGIN = {"top": "17mm", "bottom": "20mm", "left": "17mm", "right": "17mm"}
WIDTH = round((210 - 2 * 17) / 25.4 * 96 / SCALE)  # of the text, in CSS pixels
# Beyond what book.css says of printed pages
STYLE = """
#jb-print-docs-body, details.hide.above-input > * { display: none !important; }
details.hide.above-input { border: 0; box-shadow: none; background: none; }
details.hide.above-input::before {
    content: "The code of this cell is in the chapter's notebook.";
    font-size: 0.8rem; font-style: italic;
}
.bd-main .bd-content .bd-article h1:first-of-type { display: block; }
pre { white-space: pre-wrap !important; }
"""
# Chromium notes the place of an id on paper if a link of the page leads to it.
PREPARE = """() => {
    document.querySelectorAll(".toggle-hidden")
        .forEach(e => e.classList.remove("toggle-hidden"));
    document.querySelectorAll("details").forEach(e => { e.open = true; });
    for (const e of document.querySelectorAll(
            "div.math, .cell_output, .pst-scrollable-table-container"))
        if (e.scrollWidth > e.clientWidth + 1)
            e.style.zoom = e.clientWidth / e.scrollWidth;
    for (const e of document.querySelectorAll("section[id] > :is(h1, h2, h3, h4)")) {
        e.id = e.parentElement.id;  // a section may begin on the page before
        e.parentElement.removeAttribute("id");
    }
    for (const e of document.querySelectorAll("article [id]:not(mjx-container *)")) {
        const link = document.createElement("a");
        link.href = "#" + encodeURIComponent(e.id);
        document.body.append(link);
    }
}"""
HEADINGS = """() => [
    ...document.querySelectorAll("article :is(h1, h2, h3)[id]")
].map(heading => {
    const copy = heading.cloneNode(true);
    copy.querySelectorAll(".headerlink").forEach(e => e.remove());
    copy.querySelectorAll("mjx-container").forEach(
        e => e.replaceWith(e.querySelector("mjx-assistive-mml").textContent));
    return [Number(heading.tagName[1]), heading.id, copy.textContent];
})"""
NUMBERS = """<style>
@page { size: A4; margin: 0 }
body { margin: 0; font: 9pt sans-serif; color: #444; text-align: center }
div { height: 297mm; padding-top: 284mm; box-sizing: border-box; overflow: hidden }
div + div { break-before: page }
</style>"""


class Printed(NamedTuple):
    """A page of the site on paper, and its headings: level, id and words."""

    paper: PdfReader
    headings: list[tuple[int, str, str]]


class Place(NamedTuple):
    """A page of the book, counted from 0, and a point on it."""

    number: int
    left: float | None
    top: float | None

    @property
    def fit(self) -> ArrayObject:
        point = [NullObject() if x is None else x for x in self[1:]]
        return ArrayObject([NameObject("/XYZ"), *point, NullObject()])


def parts(toc: dict) -> list[tuple[str | None, list[str]]]:
    """Captions and their chapters, in the order of `_toc.yml`."""
    rest = [(p["caption"], [c["file"] for c in p["chapters"]]) for p in toc["parts"]]
    return [(None, [toc["root"]]), *rest]


def print_page(browser, page: Path) -> Printed:
    """One page on A4 paper, after MathJax has finished."""
    tab = browser.new_page(viewport={"width": WIDTH, "height": 1123})
    tab.emulate_media(media="print", color_scheme="light")
    tab.goto(page.as_uri(), wait_until="load")
    if missing := chromium.untypeset(tab):
        raise RuntimeError(f"{page.name}: {missing} formulas are not typeset")
    tab.add_style_tag(content=STYLE)
    tab.evaluate(PREPARE)
    headings = tab.evaluate(HEADINGS)
    paper = tab.pdf(
        format="A4",
        margin=MARGIN,
        scale=SCALE,
        print_background=True,
    )
    tab.close()
    return Printed(PdfReader(BytesIO(paper)), headings)


def print_numbers(browser, count: int) -> PdfReader:
    """Empty paper with the page numbers of the whole book at its foot."""
    tab = browser.new_page()
    tab.set_content(NUMBERS + "".join(f"<div>{n + 1}</div>" for n in range(count)))
    paper = tab.pdf(prefer_css_page_size=True)
    tab.close()
    return PdfReader(BytesIO(paper))


def join(printed: dict[str, Printed]) -> tuple[PdfWriter, dict[str, int]]:
    """All pages in one PDF, and the number of the first page of every chapter."""
    book, first = PdfWriter(), {}
    for name, (paper, _) in printed.items():
        first[name] = len(book.pages)
        for page in paper.pages:
            book.add_page(page)
    return book, first


def places(printed: dict[str, Printed], first: dict[str, int]) -> dict[str, Place]:
    """Where in the book `chapters/name.html#id` is, for every chapter and id."""
    found = {}
    for name, (paper, _) in printed.items():
        found[f"{name}.html"] = Place(first[name], None, None)
        for anchor, there in paper.named_destinations.items():
            number = first[name] + paper.get_destination_page_number(there)
            url = f"{name}.html#{unquote(anchor.removeprefix('/'))}"
            found[url] = Place(number, there.left, there.top)
    return found


def redirect(book: PdfWriter, home: str, name: str, numbers: range, found: dict):
    """Lead the links of one chapter within the book, and drop those to other files."""
    for page in (book.pages[number] for number in numbers):
        kept = ArrayObject()
        for reference in page.get("/Annots", []):
            link = reference.get_object()
            uri = str(link.get("/A", {}).get("/URI", ""))
            if "/Dest" in link:
                uri = f"{home}{name}.html#{str(link['/Dest']).removeprefix('/')}"
            if uri.startswith("file:"):
                url = unquote(uri.removeprefix(home))
                place = found.get(url) or found.get(urldefrag(url).url)
                if not place:
                    continue
                link.pop("/A", None)
                target = book.pages[place.number].indirect_reference
                link[NameObject("/Dest")] = ArrayObject([target, *place.fit])
            kept.append(reference)
        page[NameObject("/Annots")] = kept


def add_bookmarks(book: PdfWriter, toc: dict, printed: dict, found: dict) -> None:
    """Parts, their chapters, and the sections of each with the place on the page."""
    for caption, names in parts(toc):
        start = found[f"{names[0]}.html"].number
        above = {0: caption and book.add_outline_item(caption, start, bold=True)}
        for name in names:
            for level, anchor, title in printed[name].headings:
                place = found[f"{name}.html#{anchor}"]
                fit = Fit.xyz(place.left, place.top)
                above[level] = book.add_outline_item(
                    title, place.number, above[level - 1], fit=fit
                )


def bind(browser, html: Path, toc: dict) -> PdfWriter:
    """Print every page that `toc` names and make one book of them."""
    names = [name for _, chapters in parts(toc) for name in chapters]
    printed = {n: print_page(browser, html / f"{n}.html") for n in names}
    book, first = join(printed)
    found = places(printed, first)
    for name, (paper, _) in printed.items():
        numbers = range(first[name], first[name] + len(paper.pages))
        redirect(book, html.as_uri() + "/", name, numbers, found)
    feet = print_numbers(browser, len(book.pages))
    for page, foot in zip(book.pages, feet.pages, strict=True):
        page.merge_page(foot)
        page.compress_content_streams()
    add_bookmarks(book, toc, printed, found)
    book.compress_identical_objects(remove_unreferenced=True)
    return book


def main(html: Path, out: Path) -> None:
    root = Path(__file__).parents[2]
    toc = yaml.safe_load((root / "_toc.yml").read_text("utf8"))
    config = yaml.safe_load((root / "_config.yml").read_text("utf8"))
    with chromium.browser() as browser:
        book = bind(browser, html, toc)
    book.add_metadata({"/Title": config["title"], "/Author": config["author"]})
    book.write(out)
    print(f"The book on {len(book.pages)} pages: {out}")


if __name__ == "__main__":
    main(*(Path(name).resolve() for name in sys.argv[1:3]))
