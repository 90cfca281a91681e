"""Some chapters as a PDF: what stands on its pages, and where its links lead."""

import re
import subprocess
from io import BytesIO
from unicodedata import normalize

import pytest
from bs4 import BeautifulSoup
from pypdf import PdfReader
from reader import HTML, ROOT

from bookkit.make import pdf

OTHERS = ["welfare", "laboratory"]
PARTS = [("", ["notation"]), ("A part", OTHERS)]
TITLES = ("Symbols and names", "One number for everyone", "The laboratory")


@pytest.fixture(scope="module")
def book(browser) -> PdfReader:
    out = BytesIO()
    pdf.bind(browser, HTML, PARTS).write(out)
    return PdfReader(out)


@pytest.fixture(scope="module")
def texts(book) -> list[str]:
    return [page.extract_text() for page in book.pages]


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


@pytest.fixture(scope="module")
def starts(book) -> list[int]:
    """The page of each chapter, counted from 0."""
    marks = {item.title: item for _, item in flat(book.outline)}
    return [book.get_destination_page_number(marks[title]) for title in TITLES]


def test_bookmarks_name_what_is_printed_on_the_page_they_lead_to(book, texts, starts):
    marks = flat(book.outline)
    depths = {item.title: depth for depth, item in marks}
    assert depths["A part"] == depths[TITLES[0]] == 0
    assert depths[TITLES[1]] == depths[TITLES[2]] == 1
    assert depths["Exercises"] == 2
    assert starts[0] == 0 < starts[1] < starts[2]
    for _, item in marks:
        printed = letters(texts[book.get_destination_page_number(item)])
        for words in re.split(r"\b\w\b", item.title):  # symbols stand apart
            assert item.title == "A part" or letters(words) in printed


def test_no_page_is_blank_and_every_page_bears_its_number(texts):
    for number, text in enumerate(texts, start=1):
        lines = text.split("\n")
        assert str(number) in lines
        assert len(lines) > 2


def test_links_lead_within_the_book_or_to_the_network(book, starts):
    crossing = 0
    for number, page in enumerate(book.pages):
        for link in (reference.get_object() for reference in page["/Annots"]):
            if "/Dest" in link:
                place, kind, *_ = link["/Dest"]
                target = book.get_page_number(place.get_object())
                exact = kind == "/XYZ"  # a place on the page
                crossing += exact and (number < starts[1]) != (target < starts[1])
            else:
                assert link["/A"]["/URI"].startswith("https://")
    assert crossing > 0


def test_folds_are_printed_open_but_for_code_that_draws(texts):
    text = " ".join(texts)
    assert "bybisection" in letters(text)  # in a solution of the chapter
    assert letters("Write the three means down first") in letters(text)  # in a hint
    assert "0.198883" in text  # a number that its code gives
    assert "Wp(u) = " in text  # a formula
    html = (HTML / "chapters" / f"{OTHERS[0]}.html").read_text("utf8")
    page = BeautifulSoup(html, "html.parser")
    for code in page.select("details.hide pre"):
        assert letters(code.get_text()) not in letters(text)
    assert "Show code cell" not in text


def test_a_book_without_solutions_is_printed_from_pages_without_solutions():
    ask = ["make", "-n", "pdf", "SOLUTIONS=0"]
    told = subprocess.run(ask, cwd=ROOT, capture_output=True, text=True).stdout
    line = next(line for line in told.splitlines() if "make.pdf" in line)
    assert "_build/student-html _build/student-p-mean-regret.pdf" in line


@pytest.mark.parametrize("name", OTHERS)
def test_an_explorer_is_printed_with_its_settings(page_at, texts, name):
    page = page_at("file", f"chapters/{name}.html").page
    page.wait_for_selector(".explorer[data-ready]")
    words = page.locator(".explorer[data-ready] .printed").first.text_content()
    assert re.search(r"p = \S", words)
    assert letters(words) in letters(" ".join(texts))
