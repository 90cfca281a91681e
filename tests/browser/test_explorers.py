"""The explorers, driven as a reader drives them, and their numbers."""

import json
import math
import re

import numpy as np
import pytest
from reader import (
    DIALS,
    HOUSEHOLDS,
    PERIODS,
    ROOT,
    SCREENS,
    explorer_troubles,
    sideways,
)

import pmeanlib as pm
from pmeanlib import bounds, published

DATA = json.loads((ROOT / "chapters" / "_data" / "explorer.json").read_text("utf8"))
KINDS = ("http", "file")
EVERY = (*DIALS, *HOUSEHOLDS, *PERIODS)
DIAL, PERIOD = "chapters/index.html", "chapters/algorithm.html"


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
        value, error = re.fullmatch(r"(-?[\d.]+) ± ([\d.]+)", text).groups()
        result[row.get_attribute("data-algorithm")] = float(value), float(error)
    return result


def turn(page, label: str, value: float) -> None:
    """Set a slider as dragging it does."""
    page.get_by_label(label, exact=True).evaluate(
        "(e, v) => { e.value = v; e.dispatchEvent(new Event('input')); }", value
    )


def choose(page, label: str, value: str) -> None:
    page.get_by_label(label, exact=True).select_option(value)


def cases() -> list[tuple[list[float], float, list[float]]]:
    """Numbers, exponents and weights, some of them nasty."""
    rng = np.random.default_rng(2)
    found = [([0.0, 1.0], p, [1, 1]) for p in (-1.0, 0.0, 0.5, 1.0)]
    found += [([0.5] * 20_000, p, [1] * 20_000) for p in (-10.0, 0.0, 1.0)]
    for p in (-300.0, -10.0, -1.0, -1e-9, 0.0, 1e-12, 1e-3, 0.5, 1.0, 7.0):
        for low in (-300, -8, -1, -1e-6):
            x = 10 ** rng.uniform(low, 0, size=rng.integers(1, 40))
            found.append((x.tolist(), p, rng.uniform(0.1, 9, x.size).tolist()))
    found += [([0.2, 0.4], p, [1, 3]) for p in (-math.inf, math.inf)]
    return found


def test_the_p_mean_is_the_library_s(page_at):
    page = page_at("file", "chapters/index.html").page
    shared = cases()
    theirs = page.evaluate(
        "cs => cs.map(([x, p, w]) => pmean.maths.pMean(x, Number(p), w))",
        [(x, str(p).replace("inf", "Infinity"), w) for x, p, w in shared],
    )
    ours = [pm.p_mean(x, p, weights=w) for x, p, w in shared]
    np.testing.assert_allclose(theirs, ours, rtol=1e-9, atol=0)


def test_the_bounds_are_the_library_s(page_at):
    page = page_at("file", "chapters/algorithm.html").page
    settings = [
        (T, k, p, mu_star, mu_min)
        for T in (100, 2e4, 1e9, 1e30)
        for k in (2, 50, 1000)
        for p in (-10, -2, -1, -0.5, 0, 0.1, 1)
        for mu_star, mu_min in ((1, 1), (0.9, 0.1), (0.05, 0.01))
    ]
    theirs = page.evaluate(
        """settings => settings.map(s => {
            const [T, k, p, star, least] = s, m = pmean.maths;
            const f = m.factors(T, k, p, star, least);
            return [m.period(T, k, p), m.leastExploration(T, k, star),
                m.paperBound(T, k, p, star, least), f.assumption1, f.assumption2,
                f.remark1, m.repaired(T, k, p, star)];
        })""",
        settings,
    )
    for (T, k, p, mu_star, mu_min), row in zip(settings, theirs):
        try:
            repaired = bounds.repaired(T, k, p, mu_star)
        except ValueError:
            repaired = math.nan
        ours = [
            bounds.period(T, k, p),
            bounds.least_exploration(T, k, mu_star),
            bounds.paper(T, k, p, mu_star, mu_min),
            bounds.assumption_1(T, k, mu_min),
            bounds.assumption_2(T, k, p),
            bounds.remark_1(T, k, p, mu_min),
            repaired,
        ]
        row = [math.nan if v is None else v for v in row]
        np.testing.assert_allclose(row, ours, rtol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("family", [f["family"] for f in DATA["frames"]])
def test_the_dial_shows_what_the_library_measured(page_at, kind, family):
    visit = page_at(kind, "chapters/index.html")
    page = visit.page
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
    assert not visit.complaints


@pytest.mark.parametrize("name", DIALS)
def test_keyboard_and_mouse_turn_the_dial(fresh_page_at, name):
    page = fresh_page_at("file", f"chapters/{name}.html").page
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

    chart = page.locator(".explorer svg.across")
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 0.3 * box["width"], middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 2, middle, steps=5)
    page.mouse.up()
    assert float(dial.input_value()) == 1
    assert regrets(page)["UCB1"][0] == at_1
    status = page.locator(".explorer [role=status]")
    status.get_by_text("At p = 1: UCB1 regrets").wait_for(state="attached")


def test_half_of_the_say(page_at):
    page = page_at("file", "chapters/index.html").page
    half = page.evaluate(
        """() => [1, -1, -3].map(
            p => pmean.maths.halfTheSay([0.5, 0.1, 0.9], p, [4, 1, 5]))"""
    )
    # p = 1: any five of ten; -1: weights u^-2 are 16, 100, 6.2; -3: 64, 10000, 7.6
    assert half == [5, 1, 1]
    choose(page, "instance", "bernoulli")
    rounds = {}
    for p in (1, -10):
        turn(page, "p", p)
        text = page.locator("tr[data-algorithm=UCB1] .half").inner_text()
        rounds[p] = int(text.replace(",", ""))
    assert rounds[1] == 50_000
    assert rounds[-10] < 20


@pytest.mark.parametrize("mu", [(0.2, 0.8), (0.9, 0.3)])
def test_two_arms_of_the_reader_s_own(page_at, mu):
    """The browser's simulation is the library's, measured by blocks of rounds."""
    page = page_at("file", "chapters/index.html").page
    T, p = 20_000, -1
    choose(page, "instance", "own")
    choose(page, "EUCB explores for", "follow")
    turn(page, "mean of the first arm", mu[0])
    turn(page, "mean of the second arm", mu[1])
    turn(page, "p", p)
    page.wait_for_selector(".explorer[data-ready]")
    arms = pm.bernoulli(list(mu))
    policies = (pm.ucb1(), pm.explore_then_ucb(T, 2, p), pm.ncb(T, 2))
    shown = regrets(page)
    for policy in policies:
        profile = pm.simulate(arms, policy, T, 200, published.SEED)
        ours = pm.measured_regret(profile, p)
        value, error = shown[policy.name]
        assert value == pytest.approx(ours.value, abs=2e-4), policy.name
        assert error == pytest.approx(ours.standard_error, rel=0.1, abs=2e-5)


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


@pytest.mark.parametrize("kind", KINDS)
def test_households_have_the_library_s_p_mean_and_the_chapter_s_attention(
    page_at, kind
):
    visit = page_at(kind, "chapters/welfare.html")
    page = visit.page
    for u in ([10, 10, 10, 2], [7, 7, 7, 7], [0.1, 12, 3.3, 5], [12, 12, 0.1, 0.1]):
        for i, value in enumerate(u):
            turn(page, f"household {i + 1}", value)
        for p in (1, 0.95, 0.2, 0, -0.05, -1, -2.5, -10):
            turn(page, "p", p)
            assert level(page) == pytest.approx(pm.p_mean(u, p), abs=5.1e-4)
            powers = np.array(u, float) ** (p - 1)
            expected = powers / powers.sum()
            np.testing.assert_allclose(attention(page), expected, atol=0.0051)
    assert not visit.complaints


def test_households_follow_keys_mouse_and_buttons(fresh_page_at):
    page = fresh_page_at("file", "chapters/welfare.html").page
    assert outcomes(page) == [10, 10, 10, 2]
    assert level(page) == 8
    fourth = page.get_by_label("household 4", exact=True)
    fourth.focus()
    page.keyboard.press("ArrowRight")
    assert outcomes(page) == [10, 10, 10, 2.1]
    assert "2.1" in fourth.get_attribute("aria-valuetext")
    assert page.locator(".people g.lit[data-person='3']").count() == 2
    turn(page, "p", -1)
    status = page.locator(".explorer [role=status]")
    status.get_by_text(
        "At p = \u22121 the p-mean of 10.0, 10.0, 10.0, 2.1 (kWh a day) is 5.1"
    ).wait_for(state="attached")

    page.get_by_role("button", name="even: 7, 7, 7, 7", exact=True).click()
    assert outcomes(page) == [7, 7, 7, 7]
    assert level(page) == 7
    bar = page.locator(".people svg .bar").first
    bar.scroll_into_view_if_needed()
    box = bar.bounding_box()
    middle, bottom = box["x"] + box["width"] / 2, box["y"] + box["height"]
    page.mouse.move(middle, box["y"])
    page.mouse.down()
    page.mouse.move(middle, bottom - 3 * box["height"] / 7, steps=5)
    page.mouse.up()
    page.mouse.move(middle, bottom)  # let go: the bar stays
    assert outcomes(page) == pytest.approx([3, 7, 7, 7], abs=0.11)
    assert level(page) == pytest.approx(pm.p_mean(outcomes(page), -1), abs=5e-4)
    page.get_by_role("button", name="reset", exact=True).click()
    assert outcomes(page) == [10, 10, 10, 2]
    assert page.get_by_label("p", exact=True).input_value() == "1"


def test_households_on_a_phone_are_dragged_by_their_tops_only(browser, address):
    width, height = SCREENS["phone"]
    context = browser.new_context(
        viewport={"width": width, "height": height}, has_touch=True
    )
    page = context.new_page()
    page.goto(address["file"] + "chapters/welfare.html", wait_until="load")
    page.wait_for_selector(".explorer[data-ready]")
    assert not explorer_troubles(page)
    assert page.locator(".explorer").evaluate("e => e.getAnimations().length") == 0
    bar, dial = page.locator(".people .bar"), page.get_by_label("p", exact=True)
    dial.evaluate("e => e.scrollIntoView({block: 'start', behavior: 'instant'})")
    page.evaluate("window.scrollBy({top: -120, behavior: 'instant'})")
    chart = page.locator(".people svg").first.bounding_box()
    control = dial.bounding_box()
    assert 0 < chart["y"] - control["y"] - control["height"] < 80

    finger = context.new_cdp_session(page)
    before = outcomes(page)
    for at_top in (True, False):
        box, scroll = bar.nth(1).bounding_box(), page.evaluate("scrollY")
        x = box["x"] + box["width"] / 2
        y = box["y"] + (0 if at_top else box["height"] - 10)
        swipe(finger, (x, y), (0, 60 if at_top else -150))
        moved = page.evaluate("scrollY") - scroll
        if at_top:  # the bar follows the finger, and the page stays
            assert moved == 0
            assert outcomes(page)[1] < before[1] - 2
            before = outcomes(page)
        else:  # the page scrolls, and the bar stays
            assert moved > 50
            assert outcomes(page) == before
    context.close()


def swipe(finger, start: tuple[float, float], by: tuple[float, float]) -> None:
    """Move one finger over the screen."""

    def touch(kind, *points):
        event = {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]}
        finger.send("Input.dispatchTouchEvent", event)

    touch("touchStart", start)
    for part in range(1, 11):
        touch("touchMove", tuple(s + b * part / 10 for s, b in zip(start, by)))
    touch("touchEnd")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", PERIODS)
def test_the_period_and_its_hypotheses(page_at, kind, name):
    visit = page_at(kind, f"chapters/{name}.html")
    page = visit.page
    for log_T, k, p in ((4.3, 50, 1), (8, 10, -1), (21, 2, 0.5), (6, 2, 0)):
        T = float(f"{10**log_T:.1e}")
        turn(page, "horizon T", log_T)
        turn(page, "arms k", math.log10(k))
        turn(page, "exponent p", p)
        for hypothesis, factor in (
            ("assumption1", bounds.assumption_1(T, k, 0.1)),
            ("assumption2", bounds.assumption_2(T, k, p)),
            ("remark1", bounds.remark_1(T, k, p, 0.1)),
        ):
            item = page.locator(f"li[data-hypothesis={hypothesis}]")
            assert (item.get_attribute("class") == "yes") == (factor >= 1)
        fits = page.locator("li[data-hypothesis=fits]").get_attribute("class")
        T_tilde = bounds.period(T, k, p)
        assert (fits == "no") == (T_tilde > T)
        share = page.locator("[data-share=paper]").inner_text()
        part = T_tilde / T
        unit = "times the horizon" if part > 1 else "% of the horizon"
        assert share.endswith(unit)
        printed = read(share.removesuffix(unit))
        assert printed == pytest.approx(part if part > 1 else 100 * part, rel=0.01)
        least = bounds.least_exploration(T, k, 0.9)
        for bound, value in (
            ("paper", bounds.paper(T, k, p, 0.9, 0.1)),
            ("repaired", bounds.or_nan(bounds.repaired, T, k, p, 0.9)),
            ("unified", bounds.or_nan(bounds.unified, T, k, p, 0.9, least)),
        ):
            text = page.locator(f"tr[data-bound={bound}] .bound").inner_text()
            if math.isnan(value):
                assert text == "hypothesis fails"
            else:
                assert read(text) == pytest.approx(value, rel=0.05)
    assert not visit.complaints


def read(text: str) -> float:
    return float(text.replace("\u2212", "-").replace(",", ""))


def test_the_period_can_be_dragged_and_typed(fresh_page_at):
    page = fresh_page_at("file", "chapters/algorithm.html").page
    horizon = page.get_by_label("horizon T", exact=True)
    horizon.focus()
    page.keyboard.press("ArrowRight")
    assert float(horizon.input_value()) == pytest.approx(4.4)
    chart = page.locator(".explorer svg.across").first
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    page.mouse.click(box["x"] + box["width"] - 2, box["y"] + box["height"] / 2)
    assert float(horizon.input_value()) == 30
    turn(page, "best mean", 0.05)  # the least mean follows
    assert page.get_by_label("least mean", exact=True).input_value() == "0.05"


def test_the_exploration_is_a_knob_on_the_rounds_of_the_game(fresh_page_at):
    page = fresh_page_at("file", "chapters/unified.html").page
    T, k, p, mu_star = 1e8, 10, -1, 0.9
    turn(page, "exponent p", p)
    least = bounds.least_exploration(T, k, mu_star)
    line = page.locator(".explorer svg.across").nth(1)
    line.scroll_into_view_if_needed()
    box = line.bounding_box()
    page.mouse.move(box["x"] + 60, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 2, box["y"] + 60, steps=5)
    page.mouse.up()
    knob = page.get_by_label("your T~", exact=True)
    assert float(knob.input_value()) == 1  # explores to the end
    mine = page.locator("tr[data-bound=yours] .bound")
    for power in (0.3, 0.55, 0.6, 0.8, 1):
        turn(page, "your T~", power)
        tilde = round(T**power)
        if tilde < least:
            assert mine.inner_text() == "hypothesis fails"
        else:
            ours = bounds.unified(T, k, p, mu_star, tilde)
            assert read(mine.inner_text()) == pytest.approx(ours, rel=0.01)


# -- how they behave under the reader's hands ------------------------------------------

EXPONENTS = np.arange(-10, 1.01, 0.25)
HORIZONS = np.arange(2, 30.1, 1)


def sweeps(name: str) -> list[tuple[str, np.ndarray]]:
    """The sliders that are turned most on this page, and values over their range."""
    if name in PERIODS:
        return [("exponent p", EXPONENTS[::2]), ("horizon T", HORIZONS)]
    return [("p", EXPONENTS)]


TOPS = """() => [...document.querySelectorAll(".explorer svg")]
    .map(e => e.getBoundingClientRect().top + scrollY).join()"""
HEIGHT = "() => document.querySelector('.explorer').offsetHeight"
STATE = """() => [...document.querySelectorAll(".explorer :is(input, select)")]
    .map(e => e.value).join()"""


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


@pytest.mark.parametrize("screen", ["wide", "phone"])
@pytest.mark.parametrize("name", EVERY)
def test_nothing_jumps_while_a_slider_is_turned(page_at, name, screen):
    page = page_at("file", f"chapters/{name}.html", screen).page
    tops, heights = set(), set()
    for label, values in sweeps(name):
        for value in values:
            turn(page, label, float(value))
            tops.add(page.evaluate(TOPS))
            heights.add(page.evaluate(HEIGHT))
    assert len(tops) == 1
    assert len(heights) == 1


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


@pytest.mark.parametrize("name", EVERY)
def test_the_wheel_changes_nothing(fresh_page_at, name):
    page = fresh_page_at("file", f"chapters/{name}.html").page
    before = page.evaluate(STATE)
    for node in (
        page.locator(".explorer svg.across, .explorer svg.upright").first,
        page.locator(".explorer .turn input").first,
    ):
        node.evaluate("e => e.scrollIntoView({block: 'center', behavior: 'instant'})")
        node.hover()
        if node.evaluate("e => e.tagName") == "INPUT":
            node.focus()
        scroll = page.evaluate("scrollY")
        page.mouse.wheel(0, 120)
        page.wait_for_function("y => scrollY !== y", arg=scroll)
    assert page.evaluate(STATE) == before


@pytest.mark.parametrize("name", EVERY)
def test_on_a_phone_what_is_turned_stands_beside_its_chart(phone, name):
    page, _ = phone(name)
    charts = page.locator(".explorer svg")
    turned = page.locator(".explorer .turn")
    turned.evaluate("e => e.scrollIntoView({block: 'start', behavior: 'instant'})")
    control = turned.bounding_box()
    gap = charts.first.bounding_box()["y"] - control["y"] - control["height"]
    assert 0 <= gap < 80
    for chart in charts.all():  # and it stays in sight down to the last of them
        chart.evaluate("e => e.scrollIntoView({block: 'end', behavior: 'instant'})")
        control = turned.bounding_box()
        assert 0 <= control["y"] < SCREENS["phone"][1] - control["height"]


@pytest.mark.parametrize("name", EVERY)
def test_nothing_scrolls_sideways_at_400_percent(page_at, name):
    page = page_at("file", f"chapters/{name}.html").page
    page.set_viewport_size({"width": 320, "height": 256})
    page.wait_for_function(
        """() => [...document.querySelectorAll(".explorer svg")]
            .every(e => e.viewBox.baseVal.width <= 320)"""
    )
    wide = page.evaluate(
        """() => [...document.querySelectorAll(".explorer *")].filter(e =>
            !e.closest("svg") && e.checkVisibility()
            && e.getBoundingClientRect().right > innerWidth).map(e => e.outerHTML)"""
    )
    assert not wide
    assert not sideways(page)


# -- own arms, in a worker -------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_own_arms_are_simulated_beside_the_page(fresh_page_at, kind):
    """A worker draws every random number; of settings left behind nothing is shown."""
    visit = fresh_page_at(kind, DIAL)
    page = visit.page
    explorer = page.locator(".explorer")
    page.evaluate(
        "() => { Math.imul = () => { throw Error('simulated on the page'); }; }"
    )
    choose(page, "instance", "own")
    assert explorer.get_attribute("data-ready") is None
    explorer.locator("progress").wait_for()
    page.wait_for_selector(".explorer[data-ready]")
    at_once = regrets(page)
    for mean in np.linspace(0.9, 0.2, 15):
        turn(page, "mean of the first arm", float(mean))
    assert explorer.get_attribute("data-ready") is None
    page.wait_for_selector(".explorer[data-ready]")
    assert regrets(page) == at_once
    assert 1 <= len(page.workers) <= 3  # at most one for each algorithm
    assert not visit.complaints


def test_an_explorer_is_ready_when_its_simulation_is(fresh_page_at):
    page = fresh_page_at("file", DIAL + "#explorer-dial?instance=own&p=-2").page
    page.wait_for_selector(".explorer[data-ready]")
    assert "n_runs = 200" in page.locator(".explorer caption").inner_text()
    assert "n_runs = 200" in page.locator(".explorer .printed").text_content()


def test_the_sliders_of_own_arms_are_of_one_length(page_at):
    for screen in ("wide", "phone"):
        page = page_at("file", DIAL, screen).page
        choose(page, "instance", "own")
        widths = {
            round(e.bounding_box()["width"])
            for e in page.locator(".explorer .own input").all()
        }
        assert len(widths) == 1


# -- what is drawn ---------------------------------------------------------------------


@pytest.mark.parametrize("screen", ["wide", "phone"])
@pytest.mark.parametrize("name", [*DIALS, *PERIODS])
def test_every_curve_has_its_name_and_names_do_not_overlap(page_at, name, screen):
    page = page_at("file", f"chapters/{name}.html", screen).page
    charts = page.evaluate(
        """() => [...document.querySelectorAll("svg:has(.line)")].map(svg => ({
            kinds: [...new Set([...svg.querySelectorAll(".line")]
                .map(e => e.classList[1]))].sort(),
            names: [...svg.querySelectorAll(".name")].map(e => {
                const {left, top, right, bottom} = e.getBoundingClientRect();
                const colour = getComputedStyle(e).getPropertyValue("--kind");
                return {kind: e.classList[1], colour, box: [left, top, right, bottom]};
            })
        }))"""
    )
    assert charts
    for chart in charts:
        names = chart["names"]
        drawn = [k for k in chart["kinds"] if k != "repaired" or len(names) > 3]
        assert [k for k in drawn if k not in {n["kind"] for n in names}] == []
        assert len({n["kind"] for n in names}) == len(names)
        assert all(n["colour"] for n in names)
        for i, one in enumerate(names):
            for other in names[:i]:
                (a, b, c, d), (e, f, g, h) = one["box"], other["box"]
                assert c <= e or g <= a or d <= f or h <= b, (one, other)


def test_colours_and_lines_are_those_of_the_figures(page_at):
    def looks(page, *kinds):
        return [
            page.locator(f".explorer .line.{kind}").last.evaluate(
                """e => { const s = getComputedStyle(e);
                    return [s.stroke, s.strokeDasharray, s.strokeWidth]; }"""
            )
            for kind in kinds
        ]

    page = page_at("file", DIAL).page
    ucb1, eucb, ncb = looks(page, "ucb1", "eucb", "ncb")
    assert ucb1[1] == "none"
    assert len({ucb1[0], eucb[0], ncb[0]}) == len({ucb1[1], eucb[1], ncb[1]}) == 3
    page = page_at("file", "chapters/unified.html").page
    paper, repaired, unified = looks(page, "paper", "repaired", "unified")
    assert repaired[:2] == unified[:2]
    assert float(unified[2].removesuffix("px")) > float(repaired[2].removesuffix("px"))
    assert paper[0] not in {ucb1[0], eucb[0], ncb[0], unified[0]}
    assert paper[1] not in {ucb1[1], eucb[1], ncb[1]}


def test_a_profile_is_its_local_mean_within_a_band(page_at):
    """No more than a point for every few pixels, where blocks of rounds are many."""
    page = page_at("file", DIAL).page
    chart = page.locator(".explorer svg:has(.band)")
    points = chart.locator(".line.ucb1").get_attribute("d").count("L")
    assert 10 < points < chart.bounding_box()["width"] / 6
    assert chart.locator(".band").count() == 3


def test_the_weights_have_one_scale(page_at):
    """Every row adds up to the height that is marked as 100 %."""
    page = page_at("file", DIAL).page
    for p in (1, -1, -10):
        turn(page, "p", p)
        for row in page.locator(".explorer svg .bars").all():
            heights = re.findall(r"v-([\d.]+)", row.get_attribute("d"))
            # 34 pixels; bars of less than 0.2 % are not drawn
            assert sum(map(float, heights)) == pytest.approx(34, abs=1.5)


# -- questions, the way back, the address ----------------------------------------------


@pytest.mark.parametrize("name", EVERY)
def test_a_question_is_asked_before_it_is_answered(fresh_page_at, name):
    visit = fresh_page_at("file", f"chapters/{name}.html")
    page = visit.page
    start = page.evaluate(STATE)
    asked = page.locator(".explorer .prompt .now")
    reset = page.get_by_role("button", name="reset", exact=True)
    questions = page.locator(".explorer .presets button:not(:last-child)").all()
    assert len(questions) >= 3
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
    assert not visit.complaints


def in_address(page, text: str) -> None:
    page.wait_for_function("t => location.hash.includes(t)", arg=text)


@pytest.mark.parametrize("kind", KINDS)
def test_the_address_keeps_the_state(fresh_page_at, address, kind):
    visit = fresh_page_at(kind, DIAL)
    page = visit.page
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
    assert not visit.complaints


def test_an_address_can_set_only_what_a_control_could(fresh_page_at):
    visit = fresh_page_at("file", "chapters/reduction.html")
    page = visit.page
    start = fresh_page_at("file", DIAL).page.evaluate(STATE).split(",")
    for tail, expected in (
        ("p=-99", "-10"),
        ("p=7", "1"),
        ("p=-0.333", "-0.35"),
        ("p=Infinity", "-4"),
        ("p=", "-4"),
        ("p=<img src=x onerror=alert(1)>&instance=<b>&tuning=3", "-4"),
        ("__proto__=1&constructor=2&toString=3&first=0x", "-4"),
    ):
        page.goto("about:blank")
        page.goto(_file(DIAL) + "#explorer-dial?" + tail, wait_until="load")
        state = page.evaluate(STATE).split(",")
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
    assert not visit.complaints


def _file(path: str) -> str:
    return (ROOT / "_build" / "html" / path).as_uri()


def test_links_to_sections_work_as_ever(fresh_page_at):
    page = fresh_page_at("file", DIAL + "#fig-question").page
    assert page.url.endswith("#fig-question")
    top = page.locator("#fig-question").evaluate("e => e.getBoundingClientRect().top")
    assert 0 <= top < SCREENS["wide"][1]
    turn(page, "p", -2)
    in_address(page, "p=-2")
    page.locator("a[href='#fig-question']").first.click()
    assert page.url.endswith("#fig-question")
    assert float(page.get_by_label("p", exact=True).input_value()) == -2


# -- access, paper, weight -------------------------------------------------------------


def test_the_keyboard_reaches_the_first_control_within_six_stops(fresh_page_at):
    page = fresh_page_at("file", DIAL).page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.hash") == "#text"  # the skip link
    page.keyboard.press("Enter")
    stops = 0
    while not page.evaluate("!!document.activeElement.closest('.explorer')"):
        page.keyboard.press("Tab")
        stops += 1
        assert stops <= 6


@pytest.mark.parametrize("name", EVERY)
def test_on_paper_an_explorer_says_what_it_shows(page_at, name):
    page = page_at("file", f"chapters/{name}.html").page
    label = "exponent p" if name in PERIODS else "p"
    turn(page, label, -3)
    page.emulate_media(media="print")
    box = page.locator(".explorer-box")
    text = box.inner_text()
    assert not re.search(r"\bdrag|\bpress\b|\bclick", text, re.I)
    words = box.locator(".printed").inner_text()
    assert "p = \u22123" in words
    for control in box.locator("button, input, select, progress, .knob").all():
        assert not control.is_visible()
    if name in DIALS:
        for algorithm, (regret, _) in regrets(page).items():
            printed = re.search(rf"\b{algorithm} regrets ([\d.]+) ", words).group(1)
            assert float(printed) == pytest.approx(regret, abs=1e-4)
    if name in HOUSEHOLDS:
        assert f"is {pm.p_mean([10, 10, 10, 2], -3):.3f}" in words
    page.emulate_media(media="null")


def test_pages_load_what_their_explorers_need_and_no_more(fresh_page_at):
    def loaded(name):
        visit = fresh_page_at("file", f"chapters/{name}.html")
        files = {url.rpartition("/_static/")[2] for url in visit.loaded}
        return {file for file in files if file.startswith("explorer")}

    assert not loaded("reduction")
    for name in EVERY:
        files = loaded(name)
        assert "explorer/explorer.css" in files
        assert ("explorer-data.js" in files) == (name in DIALS)


@pytest.mark.parametrize("name", EVERY)
def test_a_picture_stands_there_without_scripts(browser, address, name):
    context = browser.new_context(java_script_enabled=False, color_scheme="dark")
    page = context.new_page()
    page.goto(address["file"] + f"chapters/{name}.html")
    picture = page.locator(".explorer img")
    assert picture.bounding_box()["height"] > 100
    assert len(picture.get_attribute("alt")) > 60
    box = "e => getComputedStyle(e).backgroundColor"  # a light one, in the dark too
    assert picture.evaluate(box) == "rgb(255, 255, 255)"
    context.close()
