"""The explorers, driven as a reader drives them, and their numbers."""

import json
import math
import re

import numpy as np
import pytest
from reader import DIALS, HOUSEHOLDS, PERIODS, ROOT, SCREENS, explorer_troubles

import pmeanlib as pm
from pmeanlib import bounds
from pmeanlib.lab.report import report

DATA = json.loads((ROOT / "chapters" / "_data" / "explorer.json").read_text("utf8"))
KINDS = ("http", "file")


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

    chart = page.locator(".explorer svg.draggable")
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
    """The browser's simulation agrees with the library's, within the errors of both."""
    page = page_at("file", "chapters/index.html").page
    T, p = 20_000, -1
    choose(page, "instance", "own")
    choose(page, "EUCB explores for", "follow")
    turn(page, "mean of the first arm", mu[0])
    turn(page, "mean of the second arm", mu[1])
    turn(page, "p", p)
    page.get_by_text("n_runs = 200").first.wait_for()
    arms = pm.bernoulli(list(mu))
    policies = (pm.ucb1(), pm.explore_then_ucb(T, 2, p), pm.ncb(T, 2))
    shown = regrets(page)
    for policy in policies:
        ours = pm.measured_regret(pm.simulate(arms, policy, T, 400, 3), p)
        value, error = shown[policy.name]
        # five standard errors of the difference, and the blocks of rounds
        allowed = 5 * math.hypot(error, ours.standard_error) + 2e-4
        assert value == pytest.approx(ours.value, abs=allowed), policy.name


def outcomes(page) -> list[float]:
    """What the sliders say that the households get."""
    return [
        float(page.get_by_label(f"household {i}", exact=True).input_value())
        for i in range(1, 5)
    ]


def level(page) -> float:
    return read(page.locator(".households .level").inner_text())


def attention(page) -> list[float]:
    cells = page.locator(".households tr[data-row=share] td").all_inner_texts()
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
    assert page.locator(".households g.lit[data-household='3']").count() == 2
    turn(page, "p", -1)
    status = page.locator(".households [role=status]")
    status.get_by_text("At p = \u22121 the p-mean is 5.1").wait_for(state="attached")

    page.get_by_role("button", name="even: 7, 7, 7, 7", exact=True).click()
    assert outcomes(page) == [7, 7, 7, 7]
    assert level(page) == 7
    bar = page.locator(".households svg .bar").first
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
    page.wait_for_selector(".households[data-ready]")
    assert not explorer_troubles(page)
    assert page.locator(".households").evaluate("e => e.getAnimations().length") == 0
    bar, dial = page.locator(".households .bar"), page.get_by_label("p", exact=True)
    dial.evaluate("e => e.scrollIntoView({block: 'start', behavior: 'instant'})")
    page.evaluate("window.scrollBy({top: -120, behavior: 'instant'})")
    chart = page.locator(".households svg").first.bounding_box()
    control = dial.bounding_box()
    assert 0 < chart["y"] - control["y"] - control["height"] < 80

    finger = context.new_cdp_session(page)
    before = outcomes(page)
    for at_top in (True, False):
        box, scroll = bar.nth(1).bounding_box(), page.evaluate("scrollY")
        x = box["x"] + box["width"] / 2
        y = box["y"] + (0 if at_top else box["height"] - 10)
        swipe(finger, x, y, y + (60 if at_top else -150))
        moved = page.evaluate("scrollY") - scroll
        if at_top:  # the bar follows the finger, and the page stays
            assert moved == 0
            assert outcomes(page)[1] < before[1] - 2
            before = outcomes(page)
        else:  # the page scrolls, and the bar stays
            assert moved > 50
            assert outcomes(page) == before
    context.close()


def swipe(finger, x: float, start: float, end: float) -> None:
    """Move one finger up or down the screen."""

    def touch(kind, *points):
        event = {"type": kind, "touchPoints": [{"x": x, "y": y} for y in points]}
        finger.send("Input.dispatchTouchEvent", event)

    touch("touchStart", start)
    for part in range(1, 11):
        touch("touchMove", start + (end - start) * part / 10)
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
        found = report(T, k, p, 0.9, 0.1)
        for hypothesis, key in (
            ("assumption1", "assumption_1"),
            ("assumption2", "assumption_2"),
            ("remark1", "remark_1"),
        ):
            item = page.locator(f"li[data-hypothesis={hypothesis}]")
            assert (item.get_attribute("class") == "yes") == found[key]["holds"]
        fits = page.locator("li[data-hypothesis=fits]").get_attribute("class")
        assert (fits == "no") == found["T_tilde_exceeds_T"]
        share = page.locator("[data-share=paper] strong").inner_text()
        part = found["T_tilde"] / T
        unit = "times the horizon" if part > 1 else "% of the horizon"
        assert share.endswith(unit)
        printed = read(share.removesuffix(unit))
        assert printed == pytest.approx(part if part > 1 else 100 * part, rel=0.01)
        for bound in ("paper", "repaired", "unified"):
            text = page.locator(f"tr[data-bound={bound}] .bound").inner_text()
            value = found[f"{bound}_bound"]["value"]
            if value is None:
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
    chart = page.locator(".explorer svg.draggable")
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    page.mouse.click(box["x"] + box["width"] - 2, box["y"] + box["height"] / 2)
    assert float(horizon.input_value()) == 30
    turn(page, "best mean", 0.05)  # the least mean follows
    assert page.get_by_label("least mean", exact=True).input_value() == "0.05"


@pytest.mark.parametrize("name", [*DIALS, *HOUSEHOLDS, *PERIODS])
def test_a_picture_stands_there_without_scripts(browser, address, name):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address["file"] + f"chapters/{name}.html")
    picture = page.locator(".explorer img")
    assert picture.bounding_box()["height"] > 100
    assert len(picture.get_attribute("alt")) > 60
    context.close()
