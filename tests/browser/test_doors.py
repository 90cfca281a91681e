"""The map of the chapters and the tally of the self-test, as visitors use them."""

import pytest
import reader

PAGE = "chapters/doors.html"
WAYS = ("reader", "programmer", "theorist")
SMALL = {"width": 320, "height": 640}
PLACES = [("http", "wide"), ("file", "phone")]
# What stands out, row by row: whether it is on a way, is tinted, and shows its letter.
ROWS = """() => [...document.querySelectorAll(".map-drawing")]
    .filter(e => e.checkVisibility())
    .flatMap(e => [...e.querySelectorAll(".stop")]).map(e => ({
        ways: [...e.classList].slice(1),
        tinted: getComputedStyle(e.querySelector("rect")).fill != "rgba(0, 0, 0, 0)",
        shown: [...e.querySelectorAll(".station")]
            .filter(s => getComputedStyle(s).visibility == "visible")
            .map(s => s.classList[1]),
        lit: [...e.querySelectorAll(".lit")]
            .filter(s => getComputedStyle(s).stroke != "none").length,
    }))"""
# Letters that are too small, and words that leave their row or meet a way.
TROUBLES = """() => {
    const told = [], drawing = [...document.querySelectorAll(".map-drawing")]
        .find(e => e.checkVisibility());
    const scale = drawing.getScreenCTM().a;
    for (const text of drawing.querySelectorAll("text")) {
        const size = scale * parseFloat(getComputedStyle(text).fontSize);
        if (size < 12) told.push(`${size} px: ${text.textContent}`);
    }
    const apart = (a, b) => a.right <= b.left || b.right <= a.left
        || a.bottom <= b.top || b.bottom <= a.top;
    const ways = [...drawing.querySelectorAll(".station circle, .thread")]
        .map(e => e.getBoundingClientRect());
    const words = [...drawing.querySelectorAll(".stop a > text, .part")];
    for (const text of words) {
        const box = text.getBoundingClientRect();
        if (ways.some(way => !apart(box, way)))
            told.push("meets a way: " + text.textContent);
        const row = text.closest("a")?.querySelector("rect").getBoundingClientRect();
        if (row && (box.left < row.left || box.right > row.right
                    || box.top < row.top - 1 || box.bottom > row.bottom + 1))
            told.push("leaves its row: " + text.textContent);
    }
    return words.length > 25 ? told : [...told, "few words"];
}"""


def rows(page) -> list[dict]:
    return page.evaluate(ROWS)


def visible(page, selector: str):
    return page.locator(f".map-drawing:visible {selector}")


@pytest.mark.parametrize(("kind", "screen"), PLACES)
def test_a_click_on_the_map_leads_to_the_chapter(kind, screen, fresh_page_at):
    visit = fresh_page_at(kind, PAGE, screen)
    page = visit.page
    assert page.locator(".map-drawing:visible").count() == 1
    visible(page, "a[href^='limits.html']").click()
    page.wait_for_url("**/chapters/limits.html#limits")
    assert (
        page.locator("article h1").text_content().startswith("What no algorithm can do")
    )
    assert not visit.complaints, "\n".join(visit.complaints)


@pytest.mark.parametrize(("kind", "screen"), PLACES)
def test_a_chosen_way_stands_out_and_nothing_is_lost(kind, screen, fresh_page_at):
    visit = fresh_page_at(kind, PAGE, screen)
    page = visit.page
    found = rows(page)
    assert len(found) > 20
    assert all(row["shown"] == row["ways"] for row in found)
    assert not any(row["tinted"] or row["lit"] for row in found)
    for way in WAYS:
        page.locator(f".way.{way}").click()
        for row in rows(page):
            on = way in row["ways"]
            assert row["tinted"] == on
            assert row["shown"] == ([way] if on else [])
            assert on or not row["lit"]
        assert sum(row["lit"] for row in rows(page)) > 4
        assert not reader.axe(page, runOnly=reader.COLOUR)
    page.locator(".way.all").click()
    page.mouse.move(0, 0)
    assert rows(page) == found
    assert not visit.complaints, "\n".join(visit.complaints)


def test_ways_are_chosen_and_chapters_opened_without_a_script(browser, address):
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(address["file"] + PAGE)
        page.locator("input[value=reader]").check()
        assert visible(page, ".station.reader").first.is_visible()
        assert not visible(page, ".station.theorist").first.is_visible()
        page.locator(".chapter-map summary").click()
        assert page.locator(".chapter-map li").first.is_visible()
        visible(page, "a[href^='nash.html']").click()
        page.wait_for_url("**/nash.html#nash")


def test_the_keyboard_chooses_a_way_and_opens_a_chapter(fresh_page_at):
    visit = fresh_page_at("file", PAGE, "wide")
    page = visit.page
    page.locator("input[value=all]").focus()
    page.keyboard.press("ArrowDown")
    assert page.locator("input[value=reader]").is_checked()
    page.keyboard.press("Tab")  # from the ways to the first chapter of the map
    link = page.locator("a:focus")
    assert link.get_attribute("href") == "welfare.html#welfare"
    ring = link.locator("rect").evaluate("e => getComputedStyle(e).strokeWidth")
    assert ring == "3px"
    page.get_by_role("tooltip").wait_for()  # what the chapter is about
    page.keyboard.press("Tab")
    assert page.locator("a:focus").get_attribute("href") == "regret.html#regret"
    page.keyboard.press("Enter")
    page.wait_for_url("**/regret.html#regret")
    assert not visit.complaints, "\n".join(visit.complaints)


def test_whoever_hears_the_map_hears_titles_minutes_and_needs(page_at):
    page = page_at("http", PAGE).page
    drawing = page.get_by_role("group", name="Map of the chapters")
    assert drawing.count() == 1  # the other drawing is not there for anybody
    links = drawing.get_by_role("link")
    assert links.count() > 20
    named = "Who pays for learning?. 35 minutes to read. Needs: One number for everyone"
    assert drawing.get_by_role("link", name=named).count() == 1
    ways = page.get_by_role("radio")
    assert page.get_by_role("group", name="Choose a way").count() == 1
    assert ways.nth(1).is_visible()


def test_a_chapter_shows_what_leads_to_it(fresh_page_at):
    page = fresh_page_at("http", PAGE).page
    names = visible(page, ".stop a").evaluate_all(
        "all => all.map(e => e.getAttribute('href'))"
    )
    at = names.index("algorithm.html#algorithm")
    assert not rows(page)[at]["lit"]
    visible(page, "a[href^='algorithm.html']").hover()
    assert rows(page)[at]["lit"] == 2  # from the reduction and from optimism
    card = page.get_by_role("tooltip")
    card.wait_for()
    assert "Explore-Then-UCB" in card.inner_text()


@pytest.mark.parametrize("screen", ["wide", "laptop", "A4", "phone", "small"])
def test_the_map_can_be_read_on_every_screen(screen, page_at):
    visit = page_at("http", PAGE)
    if screen == "small":
        visit.page.set_viewport_size(SMALL)
    else:
        visit.resize(screen)
    assert not visit.page.evaluate(TROUBLES)
    assert not reader.sideways(visit.page)


def test_the_page_is_short(page_at):
    assert reader.length(page_at("http", PAGE).page) <= 6


def test_the_tally_counts_what_is_right_and_says_where_to_begin(fresh_page_at):
    visit = fresh_page_at("file", PAGE, "phone")
    page, told = visit.page, visit.page.locator(".quick-tally .quick-said")
    boxes = page.locator(".quick").all()
    assert len(boxes) == 10
    assert told.text_content() == ""
    for n, box in enumerate(boxes):
        form = box.locator(".quick-form")
        answer, kind = (form.get_attribute(f"data-{k}") for k in ("answer", "kind"))
        if n < 3:  # these are looked up, and one of them answered after that
            box.locator("summary").click()
        if n >= 2 and kind == "choose":
            form.locator("input").nth(int(answer)).check()
        elif n >= 2:
            form.locator("input").fill(answer)
        if n >= 2:
            form.locator("button").click()
            assert box.get_attribute("data-right") == "true"
        page.wait_for_timeout(50)  # a fold says that it is open a moment later
        left = 9 - n
        end = f", {left} to go." if left else ":"
        assert told.text_content() == f"{max(0, n - 2)} of 10 right{end}"
    marked = page.locator(".quick-tally li.now")
    assert marked.count() == 1
    assert marked.text_content().startswith("Six to eight.")
    assert not visit.complaints, "\n".join(visit.complaints)
