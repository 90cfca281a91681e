"""Every page of the built book, as its readers meet it."""

import reader

DARK = "document.documentElement.dataset.theme == 'dark'"
HEAVY, MANY = 1_500_000, 25  # bytes and files of one page, with all that it loads
SHIFT = 0.05  # how much a page may move while it loads
SLOW = 4  # how many times slower than this one a reader's machine may be


def test_a_page_opens_at_once(path, browser, address):
    """Formulas come with the text, nothing moves, and little is loaded."""
    with browser.new_context() as context:
        page = context.new_page()
        slowly = context.new_cdp_session(page)
        slowly.send("Emulation.setCPUThrottlingRate", {"rate": SLOW})
        page.add_init_script(reader.WATCH)
        response = page.goto(address["http"] + path, wait_until="load")
        delivered = response.text().count("<mjx-container")
        assert page.locator("mjx-container").count() == delivered
        opened = page.evaluate(reader.OPENED)
    assert opened["requests"] <= MANY
    assert opened["bytes"] <= HEAVY
    assert opened["shift"] < SHIFT


def test_a_page_over_http_on_a_wide_screen_and_on_paper(path, page_at):
    visit = page_at("http", path, "wide", "light")
    page = visit.page
    complaints = page.evaluate(reader.SIDEWAYS)
    page.evaluate(reader.MARKED)
    complaints += page.evaluate(reader.STOPS)
    visit.resize("laptop")
    complaints += page.evaluate(reader.CUT)

    visit.resize("A4")
    page.emulate_media(media="print")
    complaints += page.evaluate(reader.SIDEWAYS)
    if path.startswith("chapters/"):
        complaints += page.evaluate(reader.FURNITURE)
    page.evaluate(
        reader.SHORTEN
    )  # before the page is laid out again for the wide screen
    page.emulate_media(media="screen")

    visit.resize("wide")
    page.evaluate(reader.MARKED)
    complaints += reader.axe(page)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(DARK)
    complaints += reader.axe(page, runOnly=reader.COLOUR)
    assert not complaints, "\n".join(complaints)


def test_a_page_from_the_folder_on_a_dark_phone(path, page_at):
    visit = page_at("file", path, "phone", "dark")
    page = visit.page
    page.wait_for_function(DARK)
    complaints = page.evaluate(reader.CUT)
    page.evaluate(reader.MARKED)
    complaints += page.evaluate(reader.STOPS)
    if page.locator(".explorer").count():
        complaints += page.evaluate(reader.EXPLORER)
    for screen in ("small", "wide", "phone"):
        visit.resize(screen)
        complaints += page.evaluate(reader.SIDEWAYS)
    page.evaluate(reader.SHORTEN)
    rules = {"color-contrast": {"enabled": False}}  # seen on the wide screen
    complaints += reader.axe(page, rules=rules)
    assert not complaints, "\n".join(complaints)


def test_axe_finds_nothing_inside_the_formulas_either(page_at):
    visit = page_at("http", "chapters/notation.html")
    reader.load_axe(visit.page)
    result = visit.page.evaluate("axe.run('article', {preload: false})")
    assert visit.page.locator("mjx-container").count() > 20
    serious = [v["id"] for v in result["violations"] if v["impact"] in reader.SERIOUS]
    assert not serious
