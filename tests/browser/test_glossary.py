"""The terms on the pages: explained on the spot, and found."""

import pytest


@pytest.mark.parametrize("kind", ["http", "file"])
def test_a_term_is_explained_on_the_spot_and_can_be_looked_up(kind, fresh_page_at):
    visit = fresh_page_at(kind, "chapters/reduction.html")
    page = visit.page
    link = page.locator("a:has(.std-term)", has_text="ordinary regret").first
    link.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    card = page.locator("#book-tip")
    card.wait_for()
    assert card.locator("strong").inner_text() == "ordinary regret"
    assert "how much a round loses on average" in card.inner_text()
    assert link.get_attribute("aria-describedby") == "book-tip"
    page.keyboard.press("Enter")
    page.wait_for_url("**/glossary.html#term-ordinary-regret")
    assert page.locator("dt:target").is_visible()
    assert not visit.complaints, "\n".join(visit.complaints)


def test_the_search_finds_a_term(fresh_page_at):
    visit = fresh_page_at("file", "search.html?q=loss+factor")
    found = visit.page.locator("#search-results a[href*='#term-loss-factor']")
    found.wait_for()
    assert not visit.complaints, "\n".join(visit.complaints)
