"""How a page is read: what is cited is shown, and what is linked is reached."""

import pytest
import reader

FOCUSED = "document.activeElement.closest(%r) !== null"


CITED = {  # a page, links on it, and words of what they lead to
    "unified": {
        "reduction.html#lem-chord": "Chord",
        "#equation-eq-unified": "",  # its number, as the link says it
        "#fig-unified-free": "Fig.",
        "bibliography.html#work-krishna2025pmean": "p-Mean Regret",
        "reduction.html#reduction": "p-mean regret is ordinary regret",
    },
    "nash": {"errata.html#errata-nash-join": "Can fail for two arms"},
    "reduction": {"glossary.html#term-ordinary-regret": "how much a round loses"},
    "notation": {"api.html#pmeanlib.bounds.unified": "Theorem U"},
}


@pytest.mark.parametrize(("kind", "scheme"), [("http", "light"), ("file", "dark")])
@pytest.mark.parametrize("chapter", CITED)
def test_what_is_cited_is_shown_at_its_link(kind, scheme, chapter, fresh_page_at):
    visit = fresh_page_at(kind, f"chapters/{chapter}.html", "wide", scheme)
    page, card = visit.page, visit.page.get_by_role("tooltip")
    assert not any("/tips/" in url for url in visit.loaded)
    for href, words in CITED[chapter].items():
        link = page.locator(f"a.reference[href='{href}']").first
        link.scroll_into_view_if_needed()
        link.hover()
        card.wait_for()
        assert (words or link.inner_text()) in card.inner_text()
        assert "\\(" not in card.inner_text()
        assert link.get_attribute("aria-describedby") == card.get_attribute("id")
        box = card.bounding_box()
        assert 0 <= box["x"] <= box["x"] + box["width"] <= reader.SCREENS["wide"][0]
        page.keyboard.press("Escape")
        card.wait_for(state="detached")
        assert link.get_attribute("aria-describedby") is None
    page.mouse.move(0, 0)
    link.hover()
    card.hover()  # it stays while it is read
    page.wait_for_timeout(500)
    assert card.is_visible()
    assert not reader.axe(page, runOnly=reader.COLOUR)


def test_a_keyboard_shows_what_is_cited_and_a_finger_does_not(fresh_page_at, browser):
    page = fresh_page_at("file", "chapters/reduction.html", "phone").page
    link = page.locator("article a.reference.internal[href*='#thm']").first
    link.evaluate("e => e.focus({focusVisible: true})")
    card = page.get_by_role("tooltip")
    card.wait_for()
    box = card.bounding_box()
    assert 0 <= box["x"] <= box["x"] + box["width"] <= reader.SCREENS["phone"][0]
    assert not page.evaluate(reader.SIDEWAYS)
    link.blur()
    card.wait_for(state="detached")
    link.dispatch_event("pointerover", {"pointerType": "touch", "bubbles": True})
    page.wait_for_timeout(500)
    assert card.count() == 0
    page.emulate_media(media="print")
    link.evaluate("e => e.focus({focusVisible: true})")
    page.locator("#book-tip").wait_for(state="attached")
    assert not page.locator("#book-tip").is_visible()


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
