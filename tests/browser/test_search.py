"""The search page, over http and from a folder, with the keyboard."""

import pytest
import reader


@pytest.mark.parametrize(("kind", "screen"), [("http", "wide"), ("file", "phone")])
def test_a_reader_types_and_walks_to_a_result(kind, screen, fresh_page_at):
    page = fresh_page_at(kind, "chapters/welfare.html", screen).page
    page.locator(".search-button__button:visible").first.click()
    page.locator("#pst-search-dialog input").press_sequentially("good event")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=good*")
    page.get_by_text("Search finished").wait_for()
    first = page.locator("#search-results li").first
    assert "Lemmas 1 to 3 of the paper" in first.inner_text()
    complaints = page.evaluate(reader.SIDEWAYS) + reader.axe(page)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/chapters/good_event.html")
    page.wait_for_load_state()
    assert not page.locator(".highlighted").count()
    assert not complaints


def test_what_is_asked_for_is_text_and_nothing_else(fresh_page_at):
    query = "<img src=x onerror=alert(1)><b>price</b>"
    page = fresh_page_at("file", f"search.html?q={query}").page
    page.get_by_text("did not match any documents").wait_for()
    assert page.locator(".bd-search-container input").input_value() == query
    assert page.locator(".bd-search-container :is(img, b)").count() == 0
