"""Quick questions and folded exercises, with a keyboard alone."""

import re

import pytest
from reader import HTML

QUESTION = re.compile(r'<div class="quick [^>]*id="([^"]+)".*?data-kind="(\w+)"', re.S)
FOUND = {  # of each kind one question: its page and its name
    kind: (f"chapters/{page.name}", name)
    for page in sorted((HTML / "chapters").glob("*.html"))
    for name, kind in QUESTION.findall(page.read_text("utf8"))
}


@pytest.fixture(params=[("file", "phone"), ("http", "wide")], ids=lambda p: p[0])
def ask(request, fresh_page_at):
    """Open the question of a kind; says its box, and how to type keys into it."""

    def go(kind):
        path, name = FOUND[kind]
        visit = fresh_page_at(request.param[0], path, request.param[1])
        box = visit.page.locator(f"#{name}")
        form = box.locator(".quick-form")
        assert form.locator("button").is_visible()
        assert box.locator(".quick-said").text_content() == ""
        return visit, box, form

    return go


def said(box) -> str:
    return box.locator(".quick-said").text_content()


def is_open(box) -> bool:
    return box.locator(".quick-why").evaluate("e => e.open")


def test_a_choice_is_judged_by_keyboard(ask):
    visit, box, form = ask("choose")
    keys, fields = visit.page.keyboard, form.locator("input")
    form.locator("button").focus()
    keys.press("Enter")
    assert said(box) == "Choose one first."
    right = int(form.get_attribute("data-answer"))
    fields.first.focus()
    keys.press("Space")
    for _ in range((right + 1) % fields.count()):
        keys.press("ArrowDown")
    keys.press("Enter")
    assert said(box) == "Not this one."
    assert not is_open(box)
    for _ in range(fields.count() - 1):
        keys.press("ArrowDown")
    assert said(box) == ""
    keys.press("Enter")
    assert said(box) == "Right."
    assert is_open(box)
    assert not visit.complaints


def test_a_number_is_judged_and_says_how_it_is_off(ask):
    visit, box, form = ask("number")
    right = float(form.get_attribute("data-answer"))
    within, field = float(form.get_attribute("data-within")), form.locator("input")
    far = 10 * max(abs(right), within, 1)
    tried = {
        "": "Type a number first.",
        "one": "Type a number first.",
        f"{right + far}": "too large.",
        f"{right - far}": "too small.",
        f"{right + within / 2:.12g}".replace(".", ","): "Right.",
        f"{2 * right:.12g}/2": "Right.",
    }
    for text, verdict in tried.items():
        field.fill(text)
        field.press("Enter")
        assert said(box).endswith(verdict), text
    assert is_open(box)
    assert not visit.complaints


def test_a_number_may_be_typed_in_several_ways(fresh_page_at):
    """The answer is 0.875; what is no number, or another one, is not taken for it."""
    visit = fresh_page_at("file", "chapters/self_test.html", "wide")
    box = visit.page.locator("#quick-self_test-independence")
    field = box.locator(".quick-form input")
    right = ("0.875", ".875", "0,875", "7/8", "87.5%", "87,5 %")
    no_number = ("/8", "7/", "1/0", "%", "-", "a/b")
    tried = dict.fromkeys(right, "Right.")
    tried |= dict.fromkeys(no_number, "Type a number first.")
    tried |= dict.fromkeys(("1,875", "875"), "too large.")
    tried |= dict.fromkeys(("0,125", "1/8", "\N{MINUS SIGN}7/8"), "too small.")
    for text, verdict in tried.items():
        field.fill(text)
        field.press("Enter")
        assert said(box).endswith(verdict), text
    assert not visit.complaints


def test_nothing_is_stored_or_sent(ask):
    visit, box, form = ask("choose")
    before = len(visit.loaded)
    kept = "JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])"
    stored = visit.page.evaluate(kept)
    form.locator("input").first.check()
    form.locator("button").click()
    assert said(box)
    assert visit.page.evaluate(kept) == stored
    assert len(visit.loaded) == before


def test_without_a_script_the_answer_is_there(browser, address):
    path, name = FOUND["choose"]
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(address["file"] + path)
        box = page.locator(f"#{name}")
        assert not box.locator("button").is_visible()
        box.locator("summary").click()
        assert box.locator(".quick-why p").first.is_visible()
        assert page.locator("div.exercise section").first.is_visible()


def test_an_exercise_opens_and_then_has_its_solution(fresh_page_at):
    visit = fresh_page_at("file", "chapters/nash.html", "wide")
    page = visit.page
    exercise = page.locator("div.exercise").first
    solution = page.locator("div.exercise + div.solution").first
    assert not exercise.locator("section").is_visible()
    assert not solution.is_visible()
    exercise.locator("button.toggle-button").focus()
    page.keyboard.press("Enter")
    assert exercise.locator("section").is_visible()
    assert solution.is_visible()
    assert not solution.locator("p").nth(1).is_visible()
    assert not visit.complaints


@pytest.mark.parametrize("kind", ["http", "file"])
def test_a_link_to_an_exercise_opens_it(kind, fresh_page_at, address):
    visit = fresh_page_at(kind, "search.html", "wide")
    page = visit.page
    page.goto(address[kind] + "chapters/nash.html#ex-nash-code")
    page.locator("#ex-nash-code section").wait_for()
    page.evaluate("location.hash = '#ex-nash-hand'")
    page.locator("#ex-nash-hand section").wait_for()
    assert not visit.complaints
