"""The search page: what a reader asks for is found where the book defines it."""

from urllib.parse import quote, unquote

import pytest
from reader import HTML

# What readers ask for, and the section, statement or chapter that defines it.
EXPECTED = {
    "jackknife": "error_bars.html#the-jackknife",
    "T~": "algorithm.html#alg-eucb",
    "T_tilde": "algorithm.html#alg-eucb",
    "mu star": "regret.html#a-bandit-from-nothing",
    "Nash": "nash.html",
    "Theorem U": "unified.html#thm-unified",
    "Theorem A": "unified.html#cor-positive",
    "theorem 4": "negative_p.html#thm-negative",
    "Hoeffding": "optimism.html#lem-hoeffding",
    "good event": "optimism.html#the-good-event-everybody-in-the-tube",
    "p-mean": "welfare.html",
    "p mean welfare": "welfare.html#def-welfare",
    "power mean inequality": "welfare.html#thm-power-mean",
    "UCB1": "optimism.html#alg-ucb1",
    "NCB": "algorithm.html#three-indices",
    "ex ante": "regret.html#three-things-called-the-regret",
    "stable sort": "speed.html#prop-stable-sort",
    "Table 2": "table2.html",
    "Assumption 1": "assumptions.html",
    "price": "reduction.html#the-theorem",
    "p_mean": "api.html#pmeanlib.welfare.p_mean",
    "Littlewood": "bibliography.html",
}
RESULTS = """() => [...document.querySelectorAll("#search-results > li")].map(item => ({
    address: item.querySelector("a").getAttribute("href"),
    title: item.querySelector("a").textContent,
    words: item.querySelector(".search-snippet").textContent,
    marked: item.querySelectorAll("mark").length}))"""
MARKUP = ("\\", "$", "_{", "^{", "}`", "``", "</", "Toggle", "Click to")
HOSTILE = "<img src=x onerror=document.title='caught'><b>price</b>"


@pytest.fixture
def found(page_at):
    """Ask the search page by its address; returns the visit and what is listed."""

    def ask(query, kind="file", screen="wide"):
        visit = page_at(kind, "search.html?q=" + quote(query), screen)
        return visit, visit.page.evaluate(RESULTS)

    return ask


@pytest.mark.parametrize("kind", ["http", "file"])
def test_what_defines_a_thing_is_found_first(kind, found):
    wrong = {}
    for query, address in EXPECTED.items():
        visit, results = found(query, kind)
        first = results[0]["address"] if results else "nothing"
        if "#" not in address and query == "Littlewood":
            first = first.partition("#")[0]  # the label of a work is not a name
        if first != f"chapters/{address}":
            wrong[query] = first
        assert not visit.complaints, "\n".join(visit.complaints)
    assert not wrong


def test_a_result_shows_words_where_it_was_found_and_no_markup(found):
    for query in ("price", "T~", "Hoeffding", "simulate", "jackknife"):
        results = found(query)[1]
        assert len(results) > 5
        for result in results:
            assert not [m for m in MARKUP if m in result["words"]], result
            assert 2 <= len(result["words"].split()) < 90, result
            page, _, anchor = result["address"].partition("#")
            text = (HTML / page).read_text("utf8")
            assert not anchor or f'id="{unquote(anchor)}"' in text, result
        shown = [r["marked"] or query.lower() in r["title"].lower() for r in results]
        assert sum(map(bool, shown)) > len(results) / 2


def test_what_is_asked_for_is_text_and_nothing_else(found):
    visit, _ = found(HOSTILE)
    page = visit.page
    assert page.locator(".bd-search-container :is(img, b)").count() == 0
    assert page.locator(".bd-search-container input").input_value() == HOSTILE
    assert HOSTILE in page.locator("#search-summary").inner_text()
    assert page.title().startswith(HOSTILE)
    assert not visit.complaints, "\n".join(visit.complaints)


def test_the_page_helps_who_asks_nothing_or_finds_nothing(found):
    visit, results = found("")
    summary = visit.page.locator("#search-summary")
    assert not results
    assert "Theorem U" in summary.inner_text()
    visit, results = found("zyzzyva")
    assert not results
    assert "Nothing was found" in summary.inner_text()
    advice = visit.page.get_by_role("link", name="Symbols and names").last
    assert advice.get_attribute("href") == "chapters/notation.html"
    assert visit.page.locator(".bd-search-container").inner_text().count("\n") < 12


@pytest.mark.parametrize("kind", ["http", "file"])
def test_a_reader_types_and_walks_to_a_result_with_the_keyboard(kind, found):
    visit, _ = found("", kind, "phone")
    page = visit.page
    page.locator(".bd-search-container input").press_sequentially("regret")
    page.keyboard.press("Enter")
    page.locator("#search-results > li").nth(19).wait_for()
    assert "q=regret" in page.url
    assert "places for “regret”" in page.get_by_role("status").inner_text()
    page.get_by_role("button", name="Show 20 more").click()
    assert page.locator("#search-results > li").count() == 40
    assert (
        page.evaluate(
            "[...document.querySelectorAll('#search-results a')]"
            ".indexOf(document.activeElement)"
        )
        == 20
    )
    page.keyboard.press("Enter")
    page.wait_for_url("**/chapters/*.html*")
    assert not visit.complaints, "\n".join(visit.complaints)


def test_the_search_page_loads_its_own_index_and_no_other(found):
    visit, _ = found("price", "http")
    names = {address.rpartition("/")[2] for address in visit.loaded}
    assert {"search.js", "search-index.js"} <= names
    assert not names & {"searchtools.js", "searchindex.js", "language_data.js"}
    assert (HTML / "_static" / "search-index.js").stat().st_size < 640_000  # 30 pages
