"""Quick questions and folded exercises, with a keyboard alone."""

import pytest

PAGE = "chapters/self_test.html"
NAMES = {"choose": "quick-self_test-axis", "number": "quick-self_test-independence"}


@pytest.fixture(params=[("file", "phone"), ("http", "wide")], ids=lambda p: p[0])
def ask(request, fresh_page_at):
    """Open the question of a kind; says its box and its form."""

    def go(kind):
        visit = fresh_page_at(request.param[0], PAGE, request.param[1])
        box = visit.page.locator(f"#{NAMES[kind]}")
        form = box.locator(".quick-form")
        assert form.locator("button").is_visible()
        assert said(box) == ""
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


NUMBERS = {  # what is typed where the answer is 0.875, and what is said
    "Right.": ("0.875", ".875", "0,875", "7/8", "87.5%", "87,5 %"),
    "Type a number first.": ("", "one", "/8", "7/", "1/0", "%", "-", "a/b"),
    "too large.": ("1,875", "875"),
    "too small.": ("0,125", "1/8", "\N{MINUS SIGN}7/8"),
}


def test_a_number_is_judged_and_says_how_it_is_off(ask):
    _, box, form = ask("number")
    field = form.locator("input")
    for verdict, texts in NUMBERS.items():
        for text in texts:
            field.fill(text)
            field.press("Enter")
            assert said(box).endswith(verdict), text
    within = float(form.get_attribute("data-within"))
    field.fill(f"{0.875 + within / 2:.12g}")
    field.press("Enter")
    assert said(box) == "Right."
    assert is_open(box)


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
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(address["file"] + "chapters/nash.html")
        box = page.locator(".quick").first
        assert not box.locator("button").is_visible()
        box.locator("summary").click()
        assert box.locator(".quick-why p").first.is_visible()
        assert page.locator("div.exercise section").first.is_visible()


def test_an_exercise_opens_and_then_has_its_solution(fresh_page_at):
    page = fresh_page_at("file", "chapters/nash.html", "wide").page
    exercise = page.locator("div.exercise").first
    solution = page.locator("div.exercise + div.solution").first
    assert not exercise.locator("section").is_visible()
    assert not solution.is_visible()
    exercise.locator("button.toggle-button").focus()
    page.keyboard.press("Enter")
    assert exercise.locator("section").is_visible()
    assert solution.is_visible()
    assert not solution.locator("p").nth(1).is_visible()


@pytest.mark.parametrize("kind", ["http", "file"])
def test_a_link_to_an_exercise_opens_it(kind, fresh_page_at, address):
    page = fresh_page_at(kind, "search.html", "wide").page
    page.goto(address[kind] + "chapters/nash.html#ex-nash-code")
    page.locator("#ex-nash-code section").wait_for()
    page.evaluate("location.hash = '#ex-nash-hand'")
    page.locator("#ex-nash-hand section").wait_for()
