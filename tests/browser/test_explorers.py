"""The explorers, driven as a reader drives them, and their numbers."""

import json
import math
import re

import numpy as np
import pytest
from reader import ROOT, SCREENS, STATE, choose, drag, turn

import pmeanlib as pm
from pmeanlib import bounds

DATA = json.loads((ROOT / "chapters" / "_data" / "explorer.json").read_text("utf8"))
KINDS = ("http", "file")
DIALS = ("index", "regret")  # chapters with an explorer, by its kind
HOUSEHOLDS = ("welfare",)
PERIODS = ("algorithm", "unified")
LABORATORIES = ("laboratory",)
LIGHT = (*DIALS, *HOUSEHOLDS, *PERIODS)  # these simulate nothing
EVERY = (*LIGHT, *LABORATORIES)
DIAL, PERIOD = "chapters/index.html", "chapters/algorithm.html"
ESTIMATE = re.compile(r"(-?[\d.]+)(?: ± <?([\d.]+)| \[<?([\d.]+)\])?")


def stored(family: str, key: str, p: int) -> tuple[float, float]:
    """Regret and standard error that the library measured, at a whole p."""
    frame = next(f for f in DATA["frames"] if f["family"] == family)
    series = next(s for s in frame["series"] if s["key"] == key)
    place = DATA["exponents"].index(p)
    return series["regrets"][place], series["errors"][place]


def regrets(page) -> dict[str, tuple[float, float]]:
    """Regret and error as printed in the explorer's table."""
    rows = page.locator(".explorer tr[data-algorithm]")
    result = {}
    for row in rows.all():
        text = row.locator(".regret").inner_text().replace("\u2212", "-")
        value, bar, _ = ESTIMATE.match(text).groups()
        result[row.get_attribute("data-algorithm")] = float(value), float(bar or 0)
    return result


@pytest.mark.parametrize("family", [f["family"] for f in DATA["frames"]])
def test_the_dial_shows_what_the_library_measured(page_at, family):
    page = page_at("file", DIAL).page
    choose(page, "instance", family)
    choose(page, "EUCB explores for", "follow")
    for p, tuning in ((1, "1"), (0, "0"), (-1, "-1"), (-2, "-2"), (-10, "-2")):
        turn(page, "p", p)
        shown = regrets(page)
        for name, key in (("UCB1", "UCB1"), ("NCB", "NCB"), ("EUCB", f"EUCB {tuning}")):
            np.testing.assert_allclose(shown[name], stored(family, key, p), atol=1e-5)
    choose(page, "EUCB explores for", "0.5")
    expected = stored(family, "EUCB 0.5", -10)
    np.testing.assert_allclose(regrets(page)["EUCB"], expected, atol=1e-5)


def test_keyboard_and_mouse_turn_the_dial(fresh_page_at):
    page = fresh_page_at("file", DIAL).page
    choose(page, "instance", "uniform")
    dial = page.get_by_label("p", exact=True)
    dial.focus()
    page.keyboard.press("End")
    assert float(dial.input_value()) == 1
    at_1 = regrets(page)["UCB1"][0]
    page.keyboard.press("ArrowLeft")
    assert float(dial.input_value()) == pytest.approx(0.95)
    assert "0.95" in dial.get_attribute("aria-valuetext")
    assert regrets(page)["UCB1"][0] > at_1
    page.keyboard.press("Home")
    assert float(dial.input_value()) == -10
    expected = stored("uniform", "UCB1", -10)[0]
    assert regrets(page)["UCB1"][0] == pytest.approx(expected, abs=1e-5)

    drag(page.locator(".explorer svg.across"), (0.3, 0.5), (0.99, 0.5))
    assert float(dial.input_value()) == 1
    assert regrets(page)["UCB1"][0] == at_1
    status = page.locator(".explorer [role=status]")
    status.get_by_text("At p = 1: UCB1 regrets").wait_for(state="attached")


def outcomes(page) -> list[float]:
    """What the sliders say that the households get."""
    return [
        float(page.get_by_label(f"household {i}", exact=True).input_value())
        for i in range(1, 5)
    ]


def level(page) -> float:
    return read(page.locator(".people .level").inner_text())


def attention(page) -> list[float]:
    cells = page.locator(".people .share").all_text_contents()
    return [read(text.removesuffix(" %")) / 100 for text in cells]


def test_households_follow_keys_mouse_and_buttons(fresh_page_at):
    page = fresh_page_at("file", "chapters/welfare.html").page
    assert outcomes(page) == [10, 10, 10, 2]
    assert level(page) == 8
    fourth = page.get_by_label("household 4", exact=True)
    fourth.focus()
    page.keyboard.press("ArrowRight")
    assert outcomes(page) == [10, 10, 10, 2.1]
    assert "2.1" in fourth.get_attribute("aria-valuetext")
    turn(page, "p", -1)
    status = page.locator(".explorer [role=status]")
    status.get_by_text(
        "At p = \u22121 the p-mean of 10.0, 10.0, 10.0, 2.1 (kWh a day) is 5.1"
    ).wait_for(state="attached")

    page.get_by_role("button", name="even: 7, 7, 7, 7", exact=True).click()
    assert outcomes(page) == [7, 7, 7, 7]
    assert level(page) == 7
    drag(page.locator(".people svg .bar").first, (0.5, 0), (0.5, 4 / 7))
    assert outcomes(page) == pytest.approx([3, 7, 7, 7], abs=0.11)
    assert level(page) == pytest.approx(pm.p_mean(outcomes(page), -1), abs=5e-4)
    powers = np.array(outcomes(page)) ** (-1.0 - 1)
    np.testing.assert_allclose(attention(page), powers / powers.sum(), atol=0.0051)
    page.get_by_role("button", name="reset", exact=True).click()
    assert outcomes(page) == [10, 10, 10, 2]
    assert page.get_by_label("p", exact=True).input_value() == "1"


def swipe(finger, start: tuple[float, float], by: tuple[float, float]) -> None:
    """Move one finger over the screen."""

    def touch(kind, *points):
        event = {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]}
        finger.send("Input.dispatchTouchEvent", event)

    touch("touchStart", start)
    for part in range(1, 11):
        touch("touchMove", tuple(s + b * part / 10 for s, b in zip(start, by)))
    touch("touchEnd")


@pytest.mark.parametrize("name", PERIODS)
def test_the_period_and_its_hypotheses(page_at, name):
    page = page_at("file", f"chapters/{name}.html").page
    star, least = 0.9, 0.1
    for log_T, k, p in ((4.3, 50, 1), (8, 10, -1), (21, 2, 0.5), (6, 2, 0)):
        T = float(f"{10**log_T:.1e}")
        turn(page, "horizon T", log_T)
        turn(page, "arms k", math.log10(k))
        turn(page, "exponent p", p)
        part = bounds.period(T, k, p) / T
        enough = bounds.least_exploration(T, k, star)
        for hypothesis, factor in (
            ("fits", 1 / part),
            ("assumption1", bounds.assumption_1(T, k, least)),
            ("assumption2", bounds.assumption_2(T, k, p)),
            ("remark1", bounds.remark_1(T, k, p, least)),
            ("long", part * T / enough),
        ):
            item = page.locator(f"li[data-hypothesis={hypothesis}]")
            assert (item.get_attribute("class") == "yes") == (factor >= 1)
        share = page.locator("[data-share=paper]").inner_text()
        unit = "times the horizon" if part > 1 else "% of the horizon"
        assert share.endswith(unit)
        printed = read(share.removesuffix(unit))
        assert printed == pytest.approx(part if part > 1 else 100 * part, rel=0.01)
        for bound, value in (
            ("paper", bounds.paper(T, k, p, star, least)),
            ("repaired", bounds.or_nan(bounds.repaired, T, k, p, star)),
            ("unified", bounds.or_nan(bounds.unified, T, k, p, star, enough)),
        ):
            text = page.locator(f"tr[data-bound={bound}] .bound").inner_text()
            if math.isnan(value):
                assert text == "hypothesis fails"
            else:
                assert read(text) == pytest.approx(value, rel=0.05)


def read(text: str) -> float:
    return float(text.replace("\u2212", "-").replace(",", ""))


def test_the_period_can_be_dragged_and_typed(fresh_page_at):
    page = fresh_page_at("file", "chapters/unified.html").page
    horizon = page.get_by_label("horizon T", exact=True)
    before = float(horizon.input_value())
    horizon.focus()
    page.keyboard.press("ArrowRight")
    assert float(horizon.input_value()) == pytest.approx(before + 0.1)
    turn(page, "horizon T", 8)
    turn(page, "exponent p", -1)
    drag(page.locator(".explorer svg.across").nth(1), (0.2, 0.5), (0.99, 0.5))
    knob = page.get_by_label("your T~", exact=True)
    assert float(knob.input_value()) == 1  # explores to the end
    mine = page.locator("tr[data-bound=yours] .bound")
    turn(page, "your T~", 0.6)
    value = bounds.unified(1e8, 10, -1, 0.9, round(1e8**0.6))
    assert read(mine.inner_text()) == pytest.approx(value, rel=0.01)
    turn(page, "best mean", 0.05)  # the least mean follows
    assert page.get_by_label("least mean", exact=True).input_value() == "0.05"


# -- how they behave under the reader's hands ------------------------------------------

TOPS = """() => [...document.querySelectorAll(".explorer svg")]
    .map(e => e.getBoundingClientRect().top + scrollY).join()"""


@pytest.fixture
def phone(browser, address):
    """Open a page on a phone: the page, and a finger."""
    width, height = SCREENS["phone"]
    context = browser.new_context(
        viewport={"width": width, "height": height}, has_touch=True
    )

    def open_page(name: str):
        page = context.new_page()
        page.goto(address["file"] + f"chapters/{name}.html", wait_until="load")
        page.wait_for_selector(".explorer[data-ready]")
        return page, context.new_cdp_session(page)

    yield open_page
    context.close()


@pytest.mark.parametrize("name", EVERY)
def test_a_finger_scrolls_over_charts_and_drags_knobs(phone, name):
    page, finger = phone(name)
    chart = page.locator(".explorer svg.across, .explorer svg.upright").last
    slider = page.locator(".explorer .turn input").first
    for knob in page.locator(".explorer svg .knob").all():
        knob.evaluate("e => e.scrollIntoView({block: 'center', behavior: 'instant'})")
        before, scroll = page.evaluate(STATE), page.evaluate("scrollY")
        box = knob.bounding_box()
        middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        swipe(finger, middle, (40, 60))
        assert page.evaluate("scrollY") == scroll
        assert page.evaluate(STATE) != before
    for node, at in ((chart, 0.6), (slider, 0.5)):
        node.evaluate("e => e.scrollIntoView({block: 'center', behavior: 'instant'})")
        before, scroll = page.evaluate(STATE), page.evaluate("scrollY")
        box = node.bounding_box()
        start = box["x"] + 0.3 * box["width"], box["y"] + at * box["height"]
        swipe(finger, start, (4, -200))
        assert page.evaluate("scrollY") - scroll > 50
        assert page.evaluate(STATE) == before


# -- questions, the way back, the address ----------------------------------------------


@pytest.mark.parametrize("name", LIGHT)
def test_a_question_is_asked_before_it_is_answered(fresh_page_at, name):
    page = fresh_page_at("file", f"chapters/{name}.html").page
    start = page.evaluate(STATE)
    asked = page.locator(".explorer .prompt .now")
    reset = page.get_by_role("button", name="reset", exact=True)
    questions = page.locator(".explorer .presets button:not(:last-child)").all()
    assert len(questions) >= 2
    assert not page.locator(".explorer .prompt").is_visible()
    for question in questions:
        question.click()
        text, before = asked.inner_text(), page.evaluate(STATE)
        assert text.endswith("?")
        top = page.evaluate(TOPS)
        page.get_by_role("button", name="show me", exact=True).click()
        assert page.evaluate(TOPS) == top
        assert asked.inner_text() != text
        assert not asked.inner_text().endswith("?")
        assert page.evaluate(STATE) != before
        reset.click()
        assert page.evaluate(STATE) == start


def in_address(page, text: str) -> None:
    page.wait_for_function("t => location.hash.includes(t)", arg=text)


@pytest.mark.parametrize("kind", KINDS)
def test_the_address_keeps_the_state(fresh_page_at, address, kind):
    page = fresh_page_at(kind, DIAL).page
    turn(page, "p", -7.25)
    choose(page, "instance", "uniform")
    turn(page, "person 2", 0.66)
    in_address(page, "u2=0.66")
    copied, state = page.url, page.evaluate(STATE)
    assert copied.endswith("#explorer-dial?p=-7.25&instance=uniform&u2=0.66")
    page.reload(wait_until="load")
    assert page.evaluate(STATE) == state
    page.goto(address[kind] + PERIOD)
    page.go_back(wait_until="load")
    assert page.evaluate(STATE) == state
    page.goto("about:blank")
    page.goto(copied, wait_until="load")
    assert page.evaluate(STATE) == state
    assert page.locator(".explorer").evaluate(
        "e => e.getBoundingClientRect().top < innerHeight"
    )
    page.evaluate("location.hash = '#explorer-dial?p=0.5'")  # a link on the same page
    page.wait_for_function("document.querySelector('.explorer input').value === '0.5'")
    page.go_back()
    page.wait_for_function("s => (" + STATE + ")() === s", arg=state)
    page.get_by_role("button", name="reset", exact=True).click()
    page.wait_for_function("location.hash === '#explorer-dial'")


def test_an_address_can_set_only_what_a_control_could(fresh_page_at):
    page = fresh_page_at("file", "chapters/reduction.html").page
    start = fresh_page_at("file", DIAL).page.evaluate(STATE).split("|")
    for tail, expected in (
        ("p=-99", "-10"),
        ("p=7", "1"),
        ("p=-0.333", "-0.35"),
        ("__proto__=1&constructor=2&instance=own&tuning=<b>", "-4"),
    ):
        page.goto("about:blank")
        page.goto(_file(DIAL) + "#explorer-dial?" + tail, wait_until="load")
        state = page.evaluate(STATE).split("|")
        assert state[0] == expected
        assert state[1:] == start[1:]
        assert page.locator(".explorer :is(img, b)").count() == 0
    page.goto("about:blank")
    tail = "#explorer-period?k=1e9&star=0.2&least=0.7&logt=-4"
    page.goto(_file(PERIOD) + tail, wait_until="load")
    values = [
        page.get_by_label(label, exact=True).input_value()
        for label in ("arms k", "best mean", "least mean", "horizon T")
    ]
    assert [float(v) for v in values] == pytest.approx([3, 0.7, 0.7, 2], abs=0.001)


def _file(path: str) -> str:
    return (ROOT / "_build" / "html" / path).as_uri()


# -- access, paper, weight -------------------------------------------------------------


@pytest.mark.parametrize("name", EVERY)
def test_on_paper_an_explorer_says_what_it_shows(page_at, name):
    page = page_at("file", f"chapters/{name}.html").page
    page.wait_for_selector(".explorer[data-ready]", timeout=120_000)
    turn(page, "exponent p" if name in PERIODS else "p", -3)
    page.emulate_media(media="print")
    box = page.locator(".explorer-box")
    text = box.inner_text()
    assert not re.search(r"\bdrag|\bpress\b|\bclick", text, re.I)
    words = box.locator(".printed").inner_text()
    assert "p = \u22123" in words
    for control in box.locator("button, input, select, pre, .knob").all():
        assert not control.is_visible()
    if name in DIALS:
        for algorithm, (regret, _) in regrets(page).items():
            printed = re.search(rf"\b{algorithm} regrets ([\d.]+) ", words).group(1)
            assert float(printed) == pytest.approx(regret, abs=1e-4)
    if name in HOUSEHOLDS:
        assert f"is {pm.p_mean([10, 10, 10, 2], -3):.3f}" in words
    page.emulate_media(media="null")
