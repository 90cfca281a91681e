"""Every page of the built book, as its readers meet it."""

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

import pytest
import reader
from reader import HTML

from bookkit import model
from bookkit.make import chromium

EXPLORERS = {
    f"chapters/{name}.html"
    for name in reader.DIALS + reader.HOUSEHOLDS + reader.PERIODS + reader.LABORATORIES
}
DARK = "document.documentElement.dataset.theme == 'dark'"
NO_NOTEBOOKS = ("api", "bibliography", "glossary", "self_test")
HEAVY, MANY = 1_500_000, 25  # bytes and files of one page, with all that it loads
SHIFT = 0.05  # how much a page may move while it loads
SLOW = 4  # how many times slower than this one a reader's machine may be


def test_a_page_opens_at_once(path, browser, address, record_property):
    """Formulas come with the text, nothing moves, and little is loaded."""
    with browser.new_context() as context:
        page = context.new_page()
        slowly = context.new_cdp_session(page)
        slowly.send("Emulation.setCPUThrottlingRate", {"rate": SLOW})
        page.add_init_script(reader.WATCH)
        response = page.goto(address["http"] + path, wait_until="load")
        delivered = response.text().count("<mjx-container")
        assert page.locator("mjx-container").count() == delivered
        opened = reader.opened(page)
    record_property("opened", {"page": path, "formulas": delivered} | opened)
    assert opened["requests"] <= MANY
    assert opened["bytes"] <= HEAVY
    assert opened["shift"] < SHIFT


def test_a_page_over_http_on_a_wide_screen_and_on_paper(path, page_at):
    visit = page_at("http", path, "wide", "light")
    page, complaints = visit.page, visit.complaints
    complaints += reader.raw_markup(page)
    complaints += reader.images_without_words(page)
    complaints += reader.sideways(page)
    reader.await_marks(page)
    complaints += reader.stops(page)
    visit.resize("laptop")
    complaints += reader.cut_formulas(page)

    visit.resize("A4")
    page.emulate_media(media="print")
    complaints += reader.sideways(page)
    if path.startswith("chapters/"):
        complaints += reader.printed_furniture(page)
    reader.shorten(page)  # before the page is laid out again for the wide screen
    page.emulate_media(media="screen")

    visit.resize("wide")
    reader.await_marks(page)
    complaints += reader.axe(page)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(DARK)
    complaints += reader.axe(page, runOnly=reader.COLOUR)
    assert not complaints, "\n".join(complaints)


def test_a_page_from_the_folder_on_a_dark_phone(path, page_at):
    visit = page_at("file", path, "phone", "dark")
    page, complaints = visit.page, visit.complaints
    page.wait_for_function(DARK)
    complaints += reader.raw_markup(page)
    complaints += reader.cut_formulas(page)
    reader.await_marks(page)
    complaints += reader.stops(page)
    if path in EXPLORERS:
        complaints += reader.explorer_troubles(page)
    for screen in ("small", "wide", "phone"):
        visit.resize(screen)
        complaints += reader.sideways(page)
    reader.shorten(page)
    rules = {"color-contrast": {"enabled": False}}  # seen on the wide screen
    complaints += reader.axe(page, rules=rules)
    assert not complaints, "\n".join(complaints)


@pytest.mark.parametrize("kind", ["http", "file"])
def test_the_first_page_leads_to_the_first_chapter(kind, page_at, address):
    visit = page_at(kind, "search.html")
    visit.page.goto(address[kind] + "index.html")
    visit.page.wait_for_url("**/chapters/index.html")
    assert not visit.complaints, "\n".join(visit.complaints)


def test_axe_finds_nothing_inside_the_formulas_either(page_at):
    visit = page_at("http", "chapters/notation.html")
    reader.load_axe(visit.page)
    result = visit.page.evaluate("axe.run('article', {preload: false})")
    assert visit.page.locator("mjx-container").count() > 20
    serious = [v["id"] for v in result["violations"] if v["impact"] in reader.SERIOUS]
    assert not serious


@pytest.mark.parametrize(("kind", "screen"), [("http", "wide"), ("file", "phone")])
def test_a_reader_who_searches_for_nash_finds_chapters(kind, screen, fresh_page_at):
    visit = fresh_page_at(kind, "chapters/welfare.html", screen)
    page = visit.page
    page.locator(".search-button__button:visible").first.click()
    page.locator("#pst-search-dialog input").press_sequentially("Nash")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=Nash*")
    page.locator("#search-results a[href*='chapters/nash.html']").first.wait_for()
    assert not visit.complaints, "\n".join(visit.complaints)


def test_every_link_and_anchor_within_the_book_exists():
    anchors = {p.resolve(): _Anchors(p) for p in chromium.pages(HTML)}
    broken = [
        f"{page.relative_to(HTML)}: {href}"
        for page, here in anchors.items()
        for href in here.links
        if not leads_somewhere(page, href, anchors)
    ]
    assert sum(len(a.links) for a in anchors.values()) > 500
    assert not broken, "\n".join(broken)


def test_every_chapter_can_be_named_described_downloaded_and_left():
    titles = set()
    chapters = [p for p in chromium.pages(HTML) if p.parent.name == "chapters"]
    for page in chapters:
        text = page.read_text("utf8")
        titles |= set(re.findall(r"<title>(.+?)</title>", text))
        assert re.search(r'<meta name="description" content="[^"]{30,}"', text)
        assert re.search(r'<link rel="icon" href="[^"]+logo.svg"', text)
        assert 'title="previous page"' in text or page.stem == "index"
        assert 'title="next page"' in text or page.stem == "bibliography"
        if page.stem not in NO_NOTEBOOKS:
            source = HTML / "_sources" / "chapters" / f"{page.stem}.ipynb"
            assert f'href="../_sources/chapters/{source.name}"' in text
            assert model.load(source)["cells"]
    assert len(titles) == len(chapters)
    assert "There is no such page" in (HTML / "404.html").read_text("utf8")


def leads_somewhere(page: Path, href: str, anchors: dict) -> bool:
    """Outside the book, or to a file of it and, on a page, to an id that is there."""
    parts = urlsplit(href)
    if parts.scheme or parts.netloc:
        return parts.scheme in ("https", "http", "mailto")
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    fragment = unquote(urldefrag(href).fragment).split("?")[0]  # an explorer's state
    if target not in anchors:
        return target.is_file() and not fragment
    return not fragment or fragment in anchors[target].ids


class _Anchors(HTMLParser):
    """The ids of a page and everything it links to or shows."""

    def __init__(self, page: Path):
        super().__init__()
        self.ids, self.links = set(), []
        self.feed(page.read_text("utf8"))

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.ids |= {values[key] for key in ("id", "name") if values.get(key)}
        self.links += [values[key] for key in ("href", "src") if values.get(key)]
