"""How a page is read: what is cited is shown, and what is linked is reached."""

import pytest
import reader

FOCUSED = "document.activeElement.closest(%r) !== null"


CITED = [  # a page, a link on it, and words of what it leads to
    ("unified", "reduction.html#lem-chord", "Chord"),
    ("unified", "#equation-eq-unified", "(24)"),
    ("unified", "#fig-unified-free", "Fig."),
    ("unified", "bibliography.html#work-krishna2025pmean", "p-Mean Regret"),
    ("unified", "reduction.html#reduction", "p-mean regret is ordinary regret"),
    ("nash", "errata.html#errata-nash-join", "Can fail for two arms"),
    ("notation", "api.html#pmeanlib.bounds.unified", "Theorem U"),
]


@pytest.mark.parametrize(("kind", "scheme"), [("http", "light"), ("file", "dark")])
@pytest.mark.parametrize(("chapter", "href", "words"), CITED)
def test_what_is_cited_is_shown_at_its_link(
    kind, scheme, chapter, href, words, fresh_page_at
):
    visit = fresh_page_at(kind, f"chapters/{chapter}.html", "wide", scheme)
    page, link = visit.page, visit.page.locator(f"a.reference[href='{href}']").first
    assert not any("/tips/" in url for url in visit.loaded)
    link.scroll_into_view_if_needed()
    link.hover()
    card = page.get_by_role("tooltip")
    card.wait_for()
    assert words in card.inner_text()
    assert "\\(" not in card.inner_text()
    assert link.get_attribute("aria-describedby") == card.get_attribute("id")
    assert len(page.locator("[id=book-tip]").all()) == 1
    box = card.bounding_box()
    assert 0 <= box["x"] <= box["x"] + box["width"] <= reader.SCREENS["wide"][0]
    card.hover()  # it stays while it is read
    page.wait_for_timeout(500)
    assert card.is_visible()
    assert not reader.axe(page, runOnly=reader.COLOUR)
    page.keyboard.press("Escape")
    card.wait_for(state="detached")
    assert link.get_attribute("aria-describedby") is None
    assert not visit.complaints, "\n".join(visit.complaints)


def test_a_keyboard_shows_what_is_cited_and_a_finger_does_not(fresh_page_at, browser):
    visit = fresh_page_at("file", "chapters/reduction.html", "phone")
    page = visit.page
    link = page.locator("article a.reference.internal[href*='#thm']").first
    link.evaluate("e => e.focus({focusVisible: true})")
    card = page.get_by_role("tooltip")
    card.wait_for()
    box = card.bounding_box()
    assert 0 <= box["x"] <= box["x"] + box["width"] <= reader.SCREENS["phone"][0]
    assert not reader.sideways(page)
    link.blur()
    card.wait_for(state="detached")
    link.dispatch_event("pointerover", {"pointerType": "touch", "bubbles": True})
    page.wait_for_timeout(500)
    assert card.count() == 0
    page.emulate_media(media="print")
    link.evaluate("e => e.focus({focusVisible: true})")
    page.locator("#book-tip").wait_for(state="attached")
    assert not page.locator("#book-tip").is_visible()


def test_every_link_in_the_text_has_its_card(page_at):
    """What is written at build time is what the links of the text ask for."""
    visit = page_at("file", "chapters/errata.html")
    missing = visit.page.evaluate(
        """async () => {
        const all = {}, missing = [];
        window.bookTips = (page, cards) => { all[page] = cards; };
        const links = [...document.querySelectorAll(
            "article a.reference.internal[href*='#']")];
        const name = a => a.pathname.split("/").pop().replace(".html", "");
        for (const page of new Set(links.map(name)))
            await new Promise((done, fail) => {
                const script = document.createElement("script");
                script.src = `../_static/tips/${page}.js`;
                script.onload = done;
                script.onerror = fail;
                document.head.append(script);
            });
        return links.filter(a => !all[name(a)][decodeURIComponent(a.hash.slice(1))])
            .map(a => a.href);
    }"""
    )
    assert visit.page.locator("article a.reference.internal").count() > 70
    assert not missing
    ids = visit.page.evaluate("[...document.querySelectorAll('[id]')].map(e => e.id)")
    assert len(ids) == len(set(ids))


def test_a_row_of_the_errata_says_how_serious_it_is_and_can_be_linked(page_at):
    visit = page_at("http", "chapters/errata.html#errata-mild")
    row = visit.page.locator("tr:has(#errata-mild)")
    assert row.locator(".severity.is-loose").count() == 1
    assert row.evaluate("e => e.getBoundingClientRect().top < innerHeight")
    row.hover()
    sign = row.locator("a.headerlink[href='#errata-mild']")
    assert sign.is_visible()


def test_the_first_control_is_six_stops_from_the_skip_link(page_at):
    page = page_at("http", "chapters/index.html").page
    page.keyboard.press("Tab")
    assert page.evaluate(FOCUSED % ".skip-link")
    page.keyboard.press("Enter")
    controls = []
    for _ in range(6):
        page.keyboard.press("Tab")
        controls.append(page.evaluate(FOCUSED % ".explorer"))
    assert any(controls)
