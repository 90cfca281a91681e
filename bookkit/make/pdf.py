"""`make pdf`: Chromium prints every page of the built book, and pypdf joins them.

What folds is printed open, but for the code that the pages fold. (By hand, as the
builder pdfhtml of Jupyter Book crashes on folded cells.)
"""

import sys
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path

from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, Fit, NameObject

from bookkit import reading
from bookkit.config import CONFIG
from bookkit.make import chromium

WIDTH, SCALE = 840, 0.8  # CSS pixels of the text, and their size on A4
PRINT = {
    "prefer_css_page_size": True,
    "scale": SCALE,
    "print_background": True,
    "outline": True,
    "tagged": True,
}
# Chromium notes the place of an id on paper if a link of the page leads to it.
OPEN = """() => {
    document.querySelectorAll("details:not(.hide, .program)")
        .forEach(e => { e.open = true; });
    document.querySelectorAll(".toggle-hidden")
        .forEach(e => e.classList.remove("toggle-hidden"));
    const links = document.querySelector("article").appendChild(
        document.createElement("div"));
    document.querySelectorAll("article [id]").forEach(e => {
        links.appendChild(document.createElement("a")).href = "#" + e.id;
    });
}"""
NUMBERS = """html {{ counter-reset: page {} }}
@page {{ @bottom-center {{ content: counter(page); font: 10px sans-serif }} }}"""


def printed(tab, url: str, start: int) -> PdfReader:
    """A page of the book on paper; `start` pages stand before it."""
    tab.goto(url, wait_until="load")
    if missing := chromium.untypeset(tab):
        raise RuntimeError(f"{url}: {missing} formulas are not typeset")
    tab.wait_for_function(chromium.DRAWN, timeout=120_000)
    tab.evaluate(OPEN)
    tab.add_style_tag(content=NUMBERS.format(start))
    return PdfReader(BytesIO(tab.pdf(**PRINT)))


def add_bookmarks(book: PdfWriter, chapter: PdfReader, items, start, above) -> None:
    """The headings of a chapter, each below the one that it belongs to."""
    last = above
    for item in items:
        if isinstance(item, list):
            add_bookmarks(book, chapter, item, start, last)
        else:
            page = start + chapter.get_destination_page_number(item)
            fit = Fit.xyz(item.left, item.top)
            last = book.add_outline_item(item.title, page, above, fit=fit)


def join_links(book: PdfWriter, home: str, urls: list[str], places: dict) -> None:
    """Let links between chapters lead to pages of the PDF; others of the site go."""
    for page, url in zip(book.pages, urls, strict=True):
        links = ArrayObject()
        for reference in page.get("/Annots", []):
            link = reference.get_object()
            name = str(link.get("/Dest", ""))[1:]
            target = f"{url}#{name}" if name else str(link["/A"]["/URI"]).split("?")[0]
            if place := places.get(target) or places.get(target.partition("#")[0]):
                link.pop("/A", None)
                link[NameObject("/Dest")] = place
            if place or not target.startswith(home):
                links.append(reference)
        page[NameObject("/Annots")] = links


def bind(browser, html: Path, parts: Iterable[tuple[str, list[str]]]) -> PdfWriter:
    """Every page of these parts of the book, with bookmarks and links."""
    book, urls, places = PdfWriter(), [], {}
    tab = browser.new_page(viewport={"width": WIDTH, "height": 1123})
    tab.emulate_media(media="print", color_scheme="light")
    for caption, names in parts:
        part = None
        for name in names:
            url, start = (html / "chapters" / f"{name}.html").as_uri(), len(book.pages)
            chapter = printed(tab, url, start)
            book.append(chapter, import_outline=False)
            urls += [url] * len(chapter.pages)
            if caption and not part:
                part = book.add_outline_item(caption, start, bold=True)
            add_bookmarks(book, chapter, chapter.outline, start, part)
            first = book.pages[start].indirect_reference
            places[url] = ArrayObject([first, NameObject("/Fit")])
            for id, target in chapter.named_destinations.items():
                number = chapter.get_destination_page_number(target) or 0
                page = book.pages[start + number]
                place = ArrayObject([page.indirect_reference, *target.dest_array[1:]])
                places[url + "#" + id.removeprefix("/")] = place
    tab.close()
    join_links(book, html.as_uri() + "/", urls, places)
    return book


def main(html: Path, out: Path) -> None:
    """Print the book that was built into a folder, and write the PDF."""
    with chromium.browser() as browser:
        book = bind(browser, html, reading.parts())
    book.add_metadata({"/Title": CONFIG["title"], "/Author": CONFIG["author"]})
    book.write(out)
    print(f"The book on {len(book.pages)} pages: {out}")


if __name__ == "__main__":
    main(*(Path(name).resolve() for name in sys.argv[1:3]))
