"""The laboratory, driven as a reader drives it; its numbers are the library's."""

import csv
import io
import re
import sys
from contextlib import contextmanager
from itertools import pairwise
from urllib.parse import parse_qsl

import numpy as np
import pytest
import reader
from reader import ROOT, SCREENS

import pmeanlib as pm

sys.path.insert(0, str(ROOT / "chapters" / "_ext"))
import explorer

PAGE = "chapters/laboratory.html"
START = explorer.START["laboratory"]
KINDS = ("http", "file")
READY = ".explorer[data-ready]"
SMALL = "horizon=1000&runs=20"  # quickly done
QUICK = f"{PAGE}#bench?{SMALL}"
STATE = """() => [...document.querySelectorAll(".explorer :is(input, select)")]
    .map(e => e.value).join("|")"""
MARKUP = "<img src=x onerror=window.hurt=1>"


def ready(page) -> None:
    page.wait_for_selector(READY, timeout=120_000)


def settled(page) -> None:
    """Wait until what was just set is drawn and measured."""
    page.evaluate("() => new Promise(r => requestAnimationFrame(() => setTimeout(r)))")
    ready(page)


def readings(page) -> dict[str, tuple[float, float, bool]]:
    """By letter: regret, standard error, and whether that is to be trusted."""
    found = {}
    for row in page.locator(".explorer tr[data-policy]").all():
        text = row.locator(".regret").inner_text().replace("\u2212", "-")
        parts = re.fullmatch(r"(-?[\d.]+) ± ([\d.]+)( \(\?\))?", text)
        value, error = map(float, parts.groups()[:2])
        found[row.get_attribute("data-policy")] = value, error, not parts[3]
    return found


def means(page) -> list[float]:
    bars = page.locator(".explorer [role=slider]").all()
    return [float(bar.get_attribute("aria-valuenow")) for bar in bars]


def turn(page, label: str, value: float) -> None:
    page.get_by_label(label, exact=True).evaluate(
        "(e, v) => { e.value = v; e.dispatchEvent(new Event('input')); }", value
    )


def choose(page, label: str, value: str) -> None:
    page.get_by_label(label, exact=True).select_option(value)


def program(page) -> str:
    """The program, which is written when its fold has opened."""
    page.locator(".program summary").click()
    page.wait_for_function("document.querySelector('.program pre').textContent != ''")
    return page.locator(".program pre").text_content()


def at(tail: str) -> str:
    return f"{PAGE}#bench?{tail}"


# -- the same numbers ------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_it_begins_with_the_numbers_of_its_cell(page_at, kind):
    visit = page_at(kind, PAGE)
    ready(visit.page)
    table = visit.page.locator(".cell_output table").inner_text()
    for letter, (value, error, trusted) in readings(visit.page).items():
        doubt = "" if trusted else " (?)"
        assert re.search(
            rf"^{letter}\s.*\s{value:.5f} ± {error:.5f}{re.escape(doubt)}$", table, re.M
        )
    assert not visit.complaints


@pytest.mark.parametrize(
    "tail",
    [
        f"{SMALL}&p=-2",
        f"{SMALL}&family=uniform&arms=0.1+0.5+0.9&p=0.5&policy4=none",
        f"{SMALL}&policy1=own&index1=mu_hat+%2B+2*sqrt(log_t/pulls)&p=-1&seed=7",
        f"{SMALL}&policy1=eucb&tilde1=50&policy2=ncb&tilde2=0&policy3=none&width4=0.5",
        f"{SMALL}&policy1=ucb1&policy2=ucb1&order2=random&policy3=ucb1&width3=1.5",
    ],
)
def test_the_program_gives_the_numbers_of_the_page(fresh_page_at, tail):
    page = fresh_page_at("file", at(tail)).page
    ready(page)
    shown, space = readings(page), {}
    text = program(page)
    exec(compile(text, "laboratory.py", "exec"), space)  # our own page's program
    p = float(page.get_by_label("p", exact=True).input_value())
    profiles = list(space["profiles"].values())
    assert len(profiles) == len(shown)
    for (value, error, trusted), profile in zip(shown.values(), profiles, strict=True):
        ours = pm.measured_regret(profile, p)
        assert value == pytest.approx(ours.value, abs=5.1e-6)
        assert error == pytest.approx(ours.standard_error, abs=5.1e-6)
        assert trusted == ours.trusted
    parts = page.locator(".best-part").all_inner_texts()
    instance = space["instance"]
    for part, profile in zip(parts, profiles, strict=True):
        share = profile.pulls[instance.best] / profile.mu_t.size
        assert float(part.removesuffix(" %")) == pytest.approx(100 * share, abs=0.51)


def test_every_policy_on_offer_runs(fresh_page_at):
    visit = fresh_page_at("file", at(f"{SMALL}&policy2=none&policy3=none&policy4=none"))
    page = visit.page
    ready(page)
    offered = page.get_by_label("policy A", exact=True).locator("option")
    keys = [o.get_attribute("value") for o in offered.all()]
    assert len(keys) > 8
    for key in keys:
        choose(page, "policy A", key)
        settled(page)
        assert not page.locator(".policy .wrong", has_text=re.compile(".")).count(), key
        assert len(readings(page)) == (key != "none")
    assert not visit.complaints


def test_the_library_s_warning_stands_beside_its_sign(fresh_page_at):
    page = fresh_page_at("file", at("p=-6&runs=50&horizon=1000")).page
    ready(page)
    doubtful = [letter for letter, r in readings(page).items() if not r[2]]
    assert doubtful
    words = page.locator(".warning").inner_text()
    for letter in doubtful:
        assert f"(?) The error bar of {letter} is not to be trusted" in words
    assert page.locator(".point.doubtful").count()


# -- under the reader's hands ----------------------------------------------------------


def test_a_bar_is_dragged_and_follows_keys(fresh_page_at):
    visit = fresh_page_at("file", QUICK)
    page = visit.page
    ready(page)
    before = readings(page)
    assert means(page) == [0.03, 0.2, 0.35, 0.5, 0.9]
    bar = page.locator(".arm .bar").nth(1)
    bar.scroll_into_view_if_needed()
    box = bar.bounding_box()
    x, floor = box["x"] + box["width"] / 2, box["y"] + box["height"]
    page.mouse.move(x, box["y"])
    page.mouse.down()
    page.mouse.move(x, floor - 3 * box["height"], steps=6)
    page.mouse.up()
    assert means(page)[1] == pytest.approx(0.6, abs=0.03)
    page.locator(".arm").nth(1).focus()
    for key, expected in (("Home", 0), ("ArrowUp", 0.01), ("PageUp", 0.11), ("End", 1)):
        page.keyboard.press(key)
        assert means(page)[1] == pytest.approx(expected)
    page.get_by_role("button", name="+ arm", exact=True).click()
    assert means(page) == [0.03, 1, 0.35, 0.5, 0.9, 0.5]
    page.get_by_role("button", name="\u2212 arm", exact=True).click()
    assert page.get_by_label("means", exact=True).input_value() == "0.03 1 0.35 0.5 0.9"
    settled(page)
    assert readings(page) != before
    assert not visit.complaints


def test_two_to_twenty_arms_and_no_others(fresh_page_at):
    page = fresh_page_at("file", QUICK).page
    entry = page.get_by_label("means", exact=True)
    entry.fill(" ".join(["0.5"] * 20))
    assert len(means(page)) == 20
    assert page.get_by_role("button", name="+ arm", exact=True).is_disabled()
    error = page.locator(".bench .entry:has(.means) .wrong")
    for text, message in (
        ("0.5", "at least 2 arms"),
        (" ".join(["0.5"] * 21), "at most 20 arms"),
        ("0.5 1.5", "from 0 to 1"),
        ("0.5 " + MARKUP, "from 0 to 1"),
    ):
        entry.fill(text)
        assert entry.get_attribute("aria-invalid") == "true"
        assert message in error.inner_text()
        assert len(means(page)) == 20  # what cannot be read changes nothing
    assert error.locator("img").count() == 0
    assert page.evaluate("window.hurt") is None
    entry.fill("0.5, 0.25")
    assert entry.get_attribute("aria-invalid") == "false"
    assert means(page) == [0.5, 0.25]


def test_a_formula_runs_and_its_mistakes_are_pointed_at(fresh_page_at):
    visit = fresh_page_at("file", QUICK)
    page = visit.page
    ready(page)
    entry = page.locator(".policy.s4 input.formula")
    before = readings(page)
    for text, at_character in (
        ("mu_hat + ", None),
        ("mu_hat + )", ")"),
        ("mu_hat + alert(1)", "a"),
        ("mu_hat @ 2", "@"),
        (MARKUP, "<"),
    ):
        entry.fill(text)
        assert entry.get_attribute("aria-invalid") == "true"
        wrong = page.locator(".policy.s4 .entry .wrong")
        assert len(wrong.locator("> span").inner_text()) > 5
        if at_character:
            assert wrong.locator("mark").inner_text() == at_character
        assert wrong.locator("img").count() == 0
    spoken = page.locator(".explorer [role=status]")
    spoken.get_by_text("'<' means nothing here").wait_for(state="attached")
    settled(page)
    assert readings(page) == before  # the last good index still runs
    entry.fill("mu_hat + 3 * sqrt(log_T / pulls)")
    settled(page)
    index = pm.index(lambda mu_hat, pulls, log_T: mu_hat + 3 * (log_T / pulls) ** 0.5)
    arms = pm.bernoulli(means(page))
    profile = pm.simulate(arms, pm.Policy("own", index), 1000, 20, 1)
    ours = pm.measured_regret(profile, START["p"])
    assert readings(page)["D"][0] == pytest.approx(ours.value, abs=5.1e-6)
    assert page.evaluate("window.hurt") is None
    assert not visit.complaints


def test_a_story_asks_before_it_tells(fresh_page_at):
    visit = fresh_page_at("file", PAGE)
    page = visit.page
    ready(page)
    start = page.evaluate(STATE)
    asked = page.locator(".explorer .prompt .now")
    stories = page.locator(".explorer .presets button").all_inner_texts()
    stories = [s for s in stories if s not in ("reset", "full screen")]
    assert len(stories) >= 5
    found = {}
    for story in stories:
        page.get_by_role("button", name=story, exact=True).click()
        assert asked.inner_text().endswith("?")
        settled(page)
        before = readings(page)
        page.get_by_role("button", name="show me", exact=True).click()
        assert not asked.inner_text().endswith("?")
        assert page.evaluate("document.activeElement.textContent") == "show me"
        settled(page)
        found[story] = before, readings(page)
    page.get_by_role("button", name="reset", exact=True).click()
    assert page.evaluate(STATE) == start
    # what the answers say is so
    ask, tell = found["a fixed order"]
    assert ask["A"][0] == pytest.approx(ask["B"][0], abs=0.002)
    assert tell["A"][0] > 3 * tell["B"][0]
    ask, tell = found["too much exploring"]
    assert tell["B"][0] > 3 * ask["B"][0]
    ask, tell = found["does NCB need it?"]
    assert ask["A"][0] > 5 * ask["B"][0]
    assert tell["C"][0] > tell["B"][0] + 2 * tell["C"][1]
    ask, tell = found["ruin UCB1"]
    assert ask["A"][0] < 0.02
    assert tell["A"][0] > 0.999
    assert tell["B"][0] < 0.25
    ask, tell = found["your own index"]
    assert ask["D"][0] < ask["A"][0] / 5
    assert tell["D"][0] == pytest.approx(tell["A"][0], abs=1e-3)
    assert not visit.complaints


def test_a_run_is_the_library_s_and_can_be_stepped_through(fresh_page_at):
    page = fresh_page_at("file", at(f"{SMALL}&round=1")).page
    ready(page)
    policy = pm.ucb1()
    seed = np.random.default_rng(START["seed"]).bit_generator.seed_seq.spawn(1)[0]
    arms = pm.bernoulli(means(page))
    run = pm.play(arms, policy, 1000, np.random.default_rng(seed))
    why, step = page.locator(".why"), page.get_by_role("button", name="round \u25b6")
    for t in range(12):
        settled(page)
        words = why.inner_text()
        assert f"Round {t + 1} of run 1, UCB1: arm {run.arms[t] + 1}" in words
        assert f"pays {run.rewards[t]:g}." in words
        chosen = page.locator(".tube").evaluate_all(
            "es => es.map(e => e.classList.contains('chosen'))"
        )
        assert chosen.index(True) == run.arms[t]
        step.click()
    page.get_by_label("round", exact=True).focus()
    page.keyboard.press("End")
    settled(page)
    assert f"Round 1,000 of run 1, UCB1: arm {run.arms[-1] + 1}" in why.inner_text()


def test_turning_p_simulates_nothing_anew(fresh_page_at):
    page = fresh_page_at("file", QUICK).page
    ready(page)
    line = page.locator(".explorer svg.near .line.s2").first.get_attribute("d")
    for p in (1, -1, -10):
        turn(page, "p", p)
        settled(page)
        assert (
            f"p = {p}".replace("-", "\u2212")
            in page.locator(".explorer caption").inner_text()
        )
        assert (
            page.locator(".explorer svg.near .line.s2").first.get_attribute("d") == line
        )
        for row in page.locator(".explorer svg .bars").all()[:4]:
            assert row.get_attribute("d") is not None


def test_a_policy_that_is_pointed_at_stands_out_everywhere(fresh_page_at):
    page = fresh_page_at("file", QUICK).page
    ready(page)
    page.locator(".policy.s2 select").first.focus()
    assert "lit-s2" in page.locator(".explorer").get_attribute("class")
    page.locator("tr.s3").hover()
    assert "lit-s3" in page.locator(".explorer").get_attribute("class")
    page.locator(".explorer caption").hover()
    assert "lit-" not in page.locator(".explorer").get_attribute("class")


def test_a_moved_control_drops_what_was_being_simulated(fresh_page_at):
    """Of a long job that is left behind nothing is shown, and the new one is done."""
    visit = fresh_page_at("file", at("horizon=100000&runs=10000"))
    page = visit.page
    page.wait_for_selector(".explorer .line.s1")
    assert page.locator(READY).count() == 0
    turn(page, "rounds T", 3)
    turn(page, "runs", 1.301)
    settled(page)
    assert page.locator("output", has_text="20 of 20 runs").count() == 1
    policy = pm.ucb1()
    profile = pm.simulate(pm.bernoulli(means(page)), policy, 1000, 20, START["seed"])
    ours = pm.measured_regret(profile, START["p"]).value
    assert readings(page)["A"][0] == pytest.approx(ours, abs=5.1e-6)
    assert not visit.complaints


# -- the address -----------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_link_reproduces_everything(fresh_page_at, kind):
    visit = fresh_page_at(kind, QUICK)
    page = visit.page
    choose(page, "policy C", "own")
    page.locator(".policy.s3 input.formula").fill("mu_hat + 1/pulls^0.5")
    page.get_by_label("means", exact=True).fill("0.1 0.2 0.7")
    choose(page, "rewards", "uniform")
    turn(page, "p", -1.5)
    settled(page)
    page.wait_for_function("location.hash.includes('p=-1.5')")
    copied, state, shown = page.url, page.evaluate(STATE), readings(page)
    page.goto("about:blank")
    page.goto(copied, wait_until="load")
    ready(page)
    assert page.evaluate(STATE) == state
    assert readings(page) == shown
    assert page.locator(".explorer").evaluate(
        "e => e.getBoundingClientRect().top < innerHeight"
    )
    assert not visit.complaints


@pytest.mark.parametrize(
    "tail",
    [
        f"p={MARKUP}&arms={MARKUP}&family=<b>&horizon=NaN&runs=&seed=-1",
        "arms=0.5&horizon=Infinity&seed=1e99&policy1=__proto__&order1=toString",
        "__proto__=1&constructor=2&index4=alert(1)&index1=mu_hat;x&tuned2=7&shown=9",
        f"index4={MARKUP}&policy1=constructor&width1={MARKUP}&tilde2=x&round={MARKUP}",
        "arms=0.1+2&arms2=1&index4=&policy2=<script>&family=__proto__",
    ],
)
def test_a_hostile_address_sets_nothing(fresh_page_at, tail):
    page = fresh_page_at("file", PAGE).page
    ready(page)
    start = page.evaluate(STATE)
    visit = fresh_page_at("file", at(tail))
    page = visit.page
    ready(page)
    assert page.evaluate(STATE) == start != ""
    assert page.evaluate("window.hurt") is None
    assert page.locator(".explorer :is(img, b, script)").count() == 0
    assert not visit.complaints


def test_numbers_beyond_the_edges_stop_there(fresh_page_at):
    page = fresh_page_at("file", at("p=-99&horizon=1&runs=1&width1=99&round=9e9")).page
    ready(page)
    assert page.get_by_label("p", exact=True).input_value() == "-10"
    assert page.locator("output", has_text="10 of 10 runs").count() == 1
    assert "T = 100" in page.locator(".explorer caption").inner_text()
    assert "Round 100 of run 1" in page.locator(".why").inner_text()


@pytest.mark.parametrize("name", ["reduction", "nash", "limits", "unified", "anytime"])
def test_a_chapter_s_link_shows_its_point(fresh_page_at, name):
    """The link on the page, followed: every field that it names is set."""
    visit = fresh_page_at("file", f"chapters/{name}.html")
    page = visit.page
    link = page.locator("article a[href*='laboratory.html#bench?']").first
    wanted = dict(parse_qsl(link.get_attribute("href").partition("?")[2]))
    assert wanted == dict(parse_qsl(explorer.address(name).partition("?")[2]))
    link.click()
    page.wait_for_selector(".explorer.drawn")
    told = page.get_by_label("means", exact=True).input_value()
    assert told == explorer.shown_in(name)["arms"]
    for n, letter in zip(explorer.SLOTS, "ABCD", strict=True):
        policy = page.get_by_label(f"policy {letter}", exact=True).input_value()
        assert policy == explorer.shown_in(name)[f"policy{n}"]
    assert not visit.complaints


# -- taken away ------------------------------------------------------------------------


def test_the_table_has_what_is_shown(fresh_page_at):
    page = fresh_page_at("file", QUICK).page
    ready(page)
    with page.expect_download() as caught:
        page.get_by_role("button", name="numbers (CSV)", exact=True).click()
    text = caught.value.path().read_text("utf8")
    rows = list(csv.DictReader(io.StringIO(text)))
    names = list(dict.fromkeys(row["policy"] for row in rows))
    assert names == ["UCB1", "EUCB", "NCB", "your index"]
    for letter, name in zip("ABCD", names, strict=True):
        mine = [row for row in rows if row["policy"] == name]
        by = {q: [r for r in mine if r["quantity"] == q] for q in
              ("regret", "pulls", "expected_reward")}  # fmt: skip
        now = next(r for r in by["regret"] if float(r["from"]) == START["p"])
        value, error, trusted = readings(page)[letter]
        assert float(now["value"]) == pytest.approx(value, abs=5.1e-6)
        assert float(now["standard_error"]) == pytest.approx(error, abs=5.1e-6)
        assert (now["trusted"] == "yes") == trusted
        assert sum(float(r["value"]) for r in by["pulls"]) == pytest.approx(1000)
        rounds = [(int(r["from"]), int(r["to"])) for r in by["expected_reward"]]
        assert rounds[0][0] == 1
        assert rounds[-1][1] == 1000
        assert all(a[1] + 1 == b[0] for a, b in pairwise(rounds))


def test_the_picture_is_a_picture(fresh_page_at):
    visit = fresh_page_at("file", QUICK)
    ready(visit.page)
    with visit.page.expect_download() as caught:
        visit.page.get_by_role("button", name="picture (PNG)", exact=True).click()
    data = caught.value.path().read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = (int.from_bytes(data[i : i + 4]) for i in (16, 20))
    assert width > 1200
    assert height > 600
    assert len(data) > 30_000  # something is drawn
    assert not visit.complaints


# -- for everyone ----------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", ["wide", "phone"])
def test_it_can_be_read_by_everyone(page_at, screen, scheme):
    visit = page_at("file", QUICK, screen, scheme)
    page = visit.page
    ready(page)
    page.locator(".policy details").evaluate_all("es => es.forEach(e => e.open = true)")
    page.locator(".program summary").click()
    page.locator(".policy.s4 input.formula").fill("mu_hat + ")
    visit.complaints.extend(reader.axe(page))
    visit.complaints.extend(reader.sideways(page))
    visit.complaints.extend(reader.explorer_troubles(page))
    assert not visit.complaints, "\n".join(visit.complaints)


def test_nothing_scrolls_sideways_at_320_pixels(page_at):
    page = page_at("file", at(f"{SMALL}&arms={'+'.join(['0.123456'] * 20)}")).page
    page.set_viewport_size({"width": 320, "height": 256})
    page.locator(".policy details").evaluate_all("es => es.forEach(e => e.open = true)")
    page.wait_for_function(
        """() => [...document.querySelectorAll(".explorer svg")]
            .every(e => e.viewBox.baseVal.width <= 320)"""
    )
    wide = page.evaluate(
        """() => [...document.querySelectorAll(".explorer *")].filter(e =>
            !e.closest("svg") && !e.closest("pre") && e.checkVisibility()
            && e.getBoundingClientRect().right > innerWidth).map(e => e.outerHTML)"""
    )
    assert not wide
    assert not reader.sideways(page)


def test_a_finger_scrolls_over_the_charts_and_drags_a_bar(browser, address):
    width, height = SCREENS["phone"]
    context = browser.new_context(
        viewport={"width": width, "height": height}, has_touch=True
    )
    page = context.new_page()
    page.goto(address["file"] + QUICK, wait_until="load")
    ready(page)
    finger = context.new_cdp_session(page)

    def swipe(x, y, by):
        points = [(x, y + by * part / 10) for part in range(11)]
        kinds = ["touchStart", *["touchMove"] * 10]
        for kind, (a, b) in zip(kinds, points, strict=True):
            event = {"type": kind, "touchPoints": [{"x": a, "y": b}]}
            finger.send("Input.dispatchTouchEvent", event)
        event = {"type": "touchEnd", "touchPoints": []}
        finger.send("Input.dispatchTouchEvent", event)

    bar = page.locator(".arm .bar").nth(3)
    bar.evaluate("e => e.scrollIntoView({block: 'center', behavior: 'instant'})")
    scroll, box = page.evaluate("scrollY"), bar.bounding_box()
    swipe(box["x"] + box["width"] / 2, box["y"], 30)
    assert page.evaluate("scrollY") == scroll
    assert means(page)[3] < 0.45
    for selector in (
        ".explorer svg.arms",
        ".explorer svg.near >> nth=0",
        ".turn input",
    ):
        node = page.locator(selector)
        node.evaluate("e => e.scrollIntoView({block: 'center', behavior: 'instant'})")
        before, scroll = page.evaluate(STATE), page.evaluate("scrollY")
        box = node.bounding_box()
        swipe(box["x"] + 0.25 * box["width"], box["y"] + 0.5 * box["height"], -200)
        assert page.evaluate("scrollY") - scroll > 50, selector
        assert page.evaluate(STATE) == before, selector
    context.close()


def test_a_screen_reader_hears_one_sentence_when_it_is_quiet(fresh_page_at):
    page = fresh_page_at("file", QUICK).page
    ready(page)
    status = page.locator(".explorer [role=status]")
    page.evaluate(
        """() => { window.said = []; new MutationObserver(() => said.push(
            document.querySelector(".explorer [role=status]").textContent))
            .observe(document.querySelector(".explorer [role=status]"),
                {childList: true, characterData: true, subtree: true}); }"""
    )
    for p in np.arange(-3, 1, 0.25):
        turn(page, "p", float(p))
    status.get_by_text("At p = 0.75: UCB1 regrets").wait_for(state="attached")
    assert len(page.evaluate("said")) <= 4
    assert "5 Bernoulli arms, T = 1,000, n_runs = 20" in status.text_content()


def test_whoever_wants_no_motion_gets_none(browser, address):
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.goto(address["file"] + QUICK, wait_until="load")
    ready(page)
    page.locator(".policy.s2 select").first.focus()
    assert page.locator(".explorer").evaluate(
        "e => e.getAnimations({subtree: true}).length"
    ) == 0  # fmt: skip
    context.close()


def test_on_paper_it_says_what_it_shows(page_at):
    page = page_at("file", QUICK).page
    ready(page)
    page.emulate_media(media="print")
    words = page.locator(".explorer .printed").inner_text()
    assert "At p = \u22123: UCB1 regrets" in words
    for control in page.locator(".explorer :is(button, input, select, pre)").all():
        assert not control.is_visible()
    page.emulate_media(media="null")


@contextmanager
def traced(browser):
    """What Chromium notes of its tasks: a list that is full when the block is left."""
    session, found, ended = browser.new_browser_cdp_session(), [], []
    session.on("Tracing.dataCollected", lambda part: found.extend(part["value"]))
    session.on("Tracing.tracingComplete", lambda _: ended.append(True))
    kinds = ("toplevel", "blink.user_timing", "disabled-by-default-devtools.timeline")
    session.send(
        "Tracing.start",
        {"traceConfig": {"includedCategories": kinds}, "transferMode": "ReportEvents"},
    )
    yield found
    session.send("Tracing.end")
    while not ended:
        session.send("Target.getTargets")  # lets the rest come in
    session.detach()


def tasks(found: list[dict], since: dict) -> list[tuple[float, float]]:
    """Tasks of a mark's thread from it on: when each ended, what it took (CPU ms)."""
    return [
        (e["ts"] + e["dur"], e.get("tdur", 0) / 1000)
        for e in found
        if e["name"] == "RunTask" and e.get("ph") == "X" and e["ts"] >= since["ts"]
        if (e["pid"], e["tid"]) == (since["pid"], since["tid"])
    ]


def test_how_long_the_page_is_held_up(browser, address, record_property):
    """Figures, no verdict on time: the longest tasks, and the first curve."""
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script(
        """document.addEventListener("readystatechange", () => {
            if (document.readyState === "interactive") performance.mark("read");
        });
        let drawn = false;
        new MutationObserver(() => {
            if (drawn || !document.querySelector(".explorer .line.s1")) return;
            drawn = true;
            performance.mark("curve");
        }).observe(document, {childList: true, subtree: true});"""
    )
    with traced(browser) as found:
        page.goto(address["http"] + PAGE, wait_until="load")
        page.wait_for_function(f"document.querySelector('{READY}')", polling=500)
    marks = {e["name"]: e for e in found if e.get("cat") == "blink.user_timing"}
    read, curve = marks["read"], marks["curve"]
    opened = tasks(found, read)
    with traced(browser) as found:
        page.locator(".arm").nth(2).focus()
        for _ in range(20):
            page.keyboard.press("ArrowUp")
        settled(page)
    keys = tasks(found, curve)
    assert opened
    assert keys
    record_property(
        "laboratory",
        {
            "curve": (curve["ts"] - read["ts"]) / 1000,
            "until": sum(cpu for end, cpu in opened if end <= curve["ts"]),
            "opening": sorted((cpu for _, cpu in opened), reverse=True)[:3],
            "keys": sorted((cpu for _, cpu in keys), reverse=True)[:3],
        },
    )
    context.close()
