"""The decks in a real browser, over file://: whole, legible, and by themselves."""

import re
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest
from reader import HTML, ROOT, Visit, chromium, heard

LEAST = 20  # pixels of 720: what is read from the back of a room
DRAWN = 1.5  # pixels a point of a figure, whose letters have eleven
# What sticks out of its slide, or is cut by something that scrolls
CUT = """() => Reveal.getSlides().flatMap((slide, n) => {
    const room = slide.getBoundingClientRect();
    return [...slide.querySelectorAll(".slide-title, .slide-body *")]
        .filter(e => !e.closest("mjx-assistive-mml") && !e.parentElement.closest("svg"))
        .filter(e => {
            const r = e.getBoundingClientRect();
            const out = r.width && r.height && (r.left < room.left - 1
                || r.top < room.top - 1 || r.right > room.right + 1
                || r.bottom > room.bottom + 1);
            const cut = getComputedStyle(e).overflow !== "visible"
                && !e.closest("mjx-container, .math, svg")
                && (e.scrollHeight > e.clientHeight + 2
                    || e.scrollWidth > e.clientWidth + 2);
            return out || cut;
        }).map(e => `${n + 1}: ${e.tagName} ${e.className}`);
})"""
SMALL = """least => Reveal.getSlides().flatMap((slide, n) => {
    const words = document.createTreeWalker(slide, NodeFilter.SHOW_TEXT), small = [];
    while (words.nextNode()) {
        const e = words.currentNode.parentElement;
        if (!words.currentNode.textContent.trim()) continue;
        if (e.closest("mjx-container, aside, svg")) continue;
        const size = parseFloat(getComputedStyle(e).fontSize) * e.currentCSSZoom;
        if (size < least) small.push(`${n + 1}: ${size} ${e.textContent}`);
    }
    return small;
})"""
SCALES = """() => [...document.querySelectorAll(".slides .ink svg")].map(svg => {
    const r = svg.getBoundingClientRect(), box = svg.viewBox.baseVal;
    return Math.min(r.width / box.width, r.height / box.height);
})"""
SHOWN = """() => [...document.querySelectorAll(".slides > section")].filter(e =>
    getComputedStyle(e).visibility === "visible" && getComputedStyle(e).opacity > 0)
    .map(e => e.id)"""


@pytest.fixture(scope="session")
def folder(tmp_path_factory) -> Path:
    """All decks, as `make slides` writes them."""
    out = tmp_path_factory.mktemp("slides")
    tool = ROOT / "bookkit" / "make" / "slides.py"
    subprocess.run([sys.executable, tool, HTML, out], check=True, capture_output=True)
    return out


@pytest.fixture(scope="session")
def decks(folder) -> list[Path]:
    others = {"index.html", "notes.html"}
    return sorted(p for p in folder.glob("*.html") if p.name not in others)


@pytest.fixture
def present(browser):
    """Open a deck on a screen of 1280 by 720, and hear what goes wrong."""
    with ExitStack() as stack:

        def open_deck(path: Path, query="", scheme="light") -> Visit:
            size = {"width": 1280, "height": 720}
            context = stack.enter_context(
                browser.new_context(viewport=size, color_scheme=scheme)
            )
            visit = Visit(context.new_page(), [], [])
            stack.enter_context(heard(visit, path.as_uri()))
            visit.page.goto(path.as_uri() + query, wait_until="load")
            visit.page.wait_for_selector("html[data-ready]", state="attached")
            return visit

        yield open_deck


def troubles(page) -> list[str]:
    """What is cut or too small to be read from the back of a room."""
    wrong = page.evaluate(CUT) + page.evaluate(SMALL, LEAST)
    scales = page.evaluate(SCALES)
    return wrong + [f"a figure at {scale:.2f}" for scale in scales if scale < DRAWN]


def test_every_deck_is_whole_and_legible_on_the_screen_and_on_paper(decks, present):
    found = {}
    for path in decks:
        page = present(path).page
        wrong = troubles(page)
        if missing := chromium.untypeset(page):
            wrong.append(f"{missing} formulas are not typeset")
        page = present(path, "?print-pdf").page
        page.wait_for_selector(".pdf-page")
        page.emulate_media(media="print")
        found[path.stem] = wrong + [f"on paper: {words}" for words in troubles(page)]
    assert len(found) >= 14
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


def test_arrow_keys_move_on_and_back(decks, present):
    page = present(decks[0]).page
    assert page.evaluate(SHOWN) == ["s0"]
    page.keyboard.press("ArrowRight")
    assert page.evaluate(SHOWN) == ["s1"]
    page.keyboard.press("Space")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate(SHOWN) == ["s1"]
    page.keyboard.press("End")
    last = page.evaluate("Reveal.getTotalSlides() - 1")
    assert page.evaluate(SHOWN) == [f"s{last}"]
    assert page.locator(f"#s{last} h2").inner_text() == "To remember"


def test_light_and_dark(folder, present):
    ground = "getComputedStyle(document.body).backgroundColor"
    light = present(folder / "nash.html").page
    dark = present(folder / "nash.html", scheme="dark").page
    asked = present(folder / "nash.html", "?theme=light", scheme="dark").page
    assert light.evaluate(ground) == asked.evaluate(ground) != dark.evaluate(ground)
    dark.keyboard.press("d")
    assert dark.evaluate(ground) == light.evaluate(ground)


def test_a_link_leads_to_its_slide(folder, present):
    page = present(folder / "nash.html").page
    source, target = page.evaluate(
        """() => { const a = document.querySelector(".slide-body a[href]");
        return [a.closest("section").id, a.getAttribute("href").slice(2)]; }"""
    )
    page.evaluate(f"Reveal.slide({source[1:]})")
    page.locator(f"#{source} .slide-body a").first.click()
    page.wait_for_function(f"Reveal.getCurrentSlide().id === '{target}'")


def test_the_speaker_sees_the_notes_from_a_folder_and_the_audience_does_not(
    folder, present
):
    page = present(folder / "welfare.html").page
    assert not page.locator("aside.notes >> visible=true").count()
    with page.expect_popup() as opened:
        page.keyboard.press("s")
    notes = opened.value.locator(".speaker-controls-notes .value")
    for _ in range(2):
        said = page.evaluate(
            "Reveal.getCurrentSlide().querySelector('.notes').textContent.trim()"
        )
        notes.get_by_text(said[7:40]).wait_for()
        page.keyboard.press("ArrowRight")


def test_the_list_leads_to_all_decks(folder, decks):
    links = re.findall(r'href="([^"]+)"', (folder / "index.html").read_text("utf8"))
    assert {p.name for p in decks} <= set(links)
    assert (folder / "notes.html").read_text("utf8").count("<h2") == len(decks)
