"""Some chapters as a PDF: what stands on its pages, and where its links lead."""

import re
from io import BytesIO
from unicodedata import normalize

import pdf
import pytest
import yaml
from pypdf import PdfReader
from reader import HTML
from reader import ROOT as REPOSITORY

ROOT, OTHERS = "chapters/notation", ("chapters/welfare", "chapters/laboratory")
CHAPTERS = [{"file": name} for name in OTHERS]
TOC = {"root": ROOT, "parts": [{"caption": "A part", "chapters": CHAPTERS}]}
CONFIG = yaml.safe_load((REPOSITORY / "_config.yml").read_text("utf8"))
CITATION = yaml.safe_load((REPOSITORY / "CITATION.cff").read_text("utf8"))


@pytest.fixture(scope="module")
def paper(browser) -> bytes:
    out = BytesIO()
    pdf.bind(browser, HTML, TOC, CONFIG, pdf.citation(CITATION)).write(out)
    return out.getvalue()


@pytest.fixture(scope="module")
def book(paper) -> PdfReader:
    return PdfReader(BytesIO(paper))


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


def chapter_starts(book: PdfReader) -> dict[str, int]:
    """The page of each chapter, counted from 0, by its title."""
    titles = ("Symbols and names", "One number for everyone", "The laboratory")
    marks = {item.title: item for _, item in flat(book.outline)}
    return {title: book.get_destination_page_number(marks[title]) for title in titles}


def tags(book: PdfReader) -> list[dict]:
    """Every element of the structure tree."""
    found, todo = [], [book.trailer["/Root"]["/StructTreeRoot"]["/K"]]
    while todo:
        node = todo.pop().get_object()
        if isinstance(node, list):
            todo += node
        elif isinstance(node, dict) and "/S" in node:
            found.append(node)
            todo.append(node["/K"])
    return found


def test_the_cover_says_what_the_book_is(texts):
    cover = letters(texts[0])
    for words in (CONFIG["title"], CONFIG["author"], "executable", "Krishna", "CC BY"):
        assert letters(words) in cover
    assert CONFIG["copyright"] in texts[0]


def test_contents_give_the_page_that_each_link_leads_to(book):
    there = book.named_destinations
    links = [reference.get_object()["/Dest"] for reference in book.pages[1]["/Annots"]]
    leads = [book.get_destination_page_number(there[str(to)]) + 1 for to in links]
    printed = re.findall(r"\D (\d+)$", book.pages[1].extract_text(), re.MULTILINE)
    assert len(leads) > 12
    assert [int(number) for number in printed] == leads


def test_bookmarks_name_what_is_printed_at_the_place_they_lead_to(book, texts):
    marks = flat(book.outline)
    depths = {item.title: depth for depth, item in marks}
    assert depths["A part"] == 0
    assert depths["One number for everyone"] == 1
    assert depths["Exercises"] == 2
    for _, item in marks:
        number = book.get_destination_page_number(item)
        printed = letters(texts[number])
        for words in re.split(r"\b\w\b", item.title):  # symbols stand apart
            assert letters(words) in printed
        if item.title != "A part":
            assert 0 < item.top <= book.pages[number].mediabox.top


def test_every_page_bears_its_number_and_the_title_of_its_chapter(book, texts):
    starts = chapter_starts(book)
    for number, text in enumerate(texts[1:], start=1):
        lines = [line.strip() for line in text.splitlines()]
        assert str(number + 1) in lines[:4] + lines[-3:]
        begun = [title for title, start in starts.items() if start <= number]
        if begun:
            assert begun[-1] in " ".join(lines[:3] + lines[-3:])


def test_it_is_tagged_and_says_its_language_and_title(book):
    catalogue = book.trailer["/Root"]
    assert catalogue["/MarkInfo"]["/Marked"].value
    assert catalogue["/Lang"] == "en"
    assert catalogue["/ViewerPreferences"]["/DisplayDocTitle"].value
    assert book.metadata.title == CONFIG["title"]
    assert book.metadata.author == CONFIG["author"]
    kinds = [str(node["/S"]) for node in tags(book)]
    for kind in ("/H1", "/H2", "/P", "/Table", "/TH", "/TD", "/Figure", "/L", "/Link"):
        assert kind in kinds
    assert kinds.count("/Formula") > 100


def test_formulas_and_figures_have_words(book):
    for node in tags(book):
        if node["/S"] == "/Formula":
            assert node["/Alt"].strip()
            assert pdf.FORMULA not in node["/Alt"]
    words = [str(n.get("/Alt", "")) for n in tags(book) if n["/S"] == "/Figure"]
    assert any(alt.startswith("Line chart of welfare") for alt in words)


def test_what_is_marked_on_a_page_belongs_to_an_element_of_the_tree(book):
    known = {id(node) for node in tags(book)}
    runs = book.trailer["/Root"]["/StructTreeRoot"]["/ParentTree"]["/Nums"]
    by_key = dict(zip(runs[::2], (r.get_object() for r in runs[1::2]), strict=True))
    for page in book.pages:
        for owner in by_key[page["/StructParents"]]:
            assert id(owner.get_object()) in known


def test_links_lead_within_the_book_or_to_the_network_never_to_this_machine(
    paper, book
):
    second = chapter_starts(book)["One number for everyone"]
    there = book.named_destinations
    crossing = 0
    for number, page in enumerate(book.pages):
        for link in (reference.get_object() for reference in page.get("/Annots", [])):
            if "/Dest" in link:
                target = book.get_destination_page_number(there[str(link["/Dest"])])
                crossing += (number < second) != (target < second)
            else:
                assert link["/A"]["/URI"].startswith("https://")
    assert crossing > 0
    assert b"file:" not in paper


def test_no_page_is_a_third_empty_but_at_the_end_of_a_chapter(book):
    starts = set(chapter_starts(book).values())
    ends = {start - 1 for start in starts} | {len(book.pages) - 1}
    empty = {
        number + 1: round(pdf.white(page), 2)
        for number, page in enumerate(book.pages)
        if number > 0 and number not in ends and pdf.white(page) > 1 / 3
    }
    assert not empty


def test_emptiness_is_the_highest_white_band(browser):
    tab = browser.new_page()
    tab.set_content(
        "<style>@page { size: A4; margin: 22mm 0 20mm } div { height: 127.5mm }</style>"
        "<p style='margin: 0'>a</p><div></div><p>b</p>"
    )
    page = PdfReader(BytesIO(tab.pdf(prefer_css_page_size=True))).pages[0]
    tab.close()
    assert 0.47 < pdf.white(page) < 0.53


def test_solutions_are_printed_and_what_a_hand_could_do_is_not(texts):
    text = " ".join(texts)
    assert "bybisection" in letters(text)  # in a solution of the chapter
    assert "Click to show" not in text
    assert "Show code cell" not in text
    assert letters("Code that draws figures") in letters(texts[1])
    assert letters("The code of this cell") not in letters(text)
    assert not re.search(r"\b[Dd]rag", text)


@pytest.mark.parametrize("name", OTHERS)
def test_an_explorer_is_printed_with_its_settings(page_at, texts, name):
    page = page_at("file", f"{name}.html").page
    page.wait_for_selector(".explorer[data-ready]")
    words = page.locator(".explorer[data-ready] .printed").first.text_content()
    assert re.search(r"p = \S", words)
    assert letters(words) in letters(" ".join(texts))
