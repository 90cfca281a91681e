"""Two chapters as a PDF: bookmarks, page numbers and links lead where they say."""

import re
from io import BytesIO
from unicodedata import normalize

import pdf
import pytest
from pypdf import PdfReader
from reader import HTML

ROOT, OTHER = "chapters/notation", "chapters/welfare"
TOC = {"root": ROOT, "parts": [{"caption": "A part", "chapters": [{"file": OTHER}]}]}


@pytest.fixture(scope="module")
def paper(browser) -> bytes:
    out = BytesIO()
    pdf.bind(browser, HTML, TOC).write(out)
    return out.getvalue()


@pytest.fixture(scope="module")
def book(paper) -> PdfReader:
    return PdfReader(BytesIO(paper))


def letters(text: str) -> str:
    """Letters alone: no ligatures, mathematical alphabets, spaces or line breaks."""
    return re.sub(r"[^a-z]", "", normalize("NFKC", text).lower())


def flat(outline: list, depth: int = 0) -> list:
    return [
        pair
        for item in outline
        for pair in (
            flat(item, depth + 1) if isinstance(item, list) else [(depth, item)]
        )
    ]


def test_bookmarks_name_what_is_printed_at_the_place_they_lead_to(book):
    marks = flat(book.outline)
    depths = {item.title: depth for depth, item in marks}
    assert depths["A part"] == 0
    assert depths["One number for everyone"] == 1
    assert depths["Exercises"] == 2
    for _, item in marks:
        if item.title != "A part":
            page = book.pages[book.get_destination_page_number(item)]
            printed = letters(page.extract_text())
            for words in re.split(r"\b\w\b", item.title):  # symbols stand apart
                assert letters(words) in printed
            assert 0 < item.top <= page.mediabox.top


def test_every_page_bears_its_number_in_the_book(book):
    for number, page in enumerate(book.pages, start=1):
        assert page.extract_text().split()[-1] == str(number)


def test_links_lead_within_the_book_or_to_the_network_never_to_this_machine(
    paper, book
):
    start = {page.indirect_reference.idnum: n for n, page in enumerate(book.pages)}
    second = next(
        book.get_destination_page_number(item)
        for _, item in flat(book.outline)
        if item.title == "A part"
    )
    crossing = 0
    for number, page in enumerate(book.pages):
        for link in (reference.get_object() for reference in page["/Annots"]):
            if "/Dest" in link:
                target = start[link.raw_get("/Dest")[0].idnum]
                crossing += (number < second) != (target < second)
            else:
                assert link["/A"]["/URI"].startswith("https://")
    assert crossing > 0
    assert b"file:" not in paper


def test_solutions_are_printed_and_buttons_are_not(book):
    text = " ".join(page.extract_text() for page in book.pages)
    assert "bybisection" in letters(text)  # in a solution of the chapter
    assert "Click to show" not in text
    assert "Show code cell" not in text
