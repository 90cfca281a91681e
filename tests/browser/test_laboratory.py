"""The laboratory, driven as a reader drives it; its numbers are the library's."""

import re
from urllib.parse import parse_qsl

import numpy as np
import pytest
import reader
from reader import STATE, choose, drag, turn

import pmeanlib as pm
from bookkit.assets import laboratory

PAGE = "chapters/laboratory.html"
START = laboratory.START
KINDS = ("http", "file")
READY = ".explorer[data-ready]"
SMALL = "horizon=1000&runs=20"  # quickly done
QUICK = f"{PAGE}#bench?{SMALL}"
MARKUP = "<img src=x onerror=window.hurt=1>"
ESTIMATE = re.compile(r"(-?[\d.]+) (?:\(exact\)|[±[] ?<?([\d.]+)( \(\?\)|\])?)")


def ready(page) -> None:
    page.wait_for_selector(READY, timeout=120_000)


def settled(page) -> None:
    """Wait until what was just set is drawn and measured."""
    page.evaluate("() => new Promise(r => requestAnimationFrame(() => setTimeout(r)))")
    ready(page)


def readings(page) -> dict[str, tuple[float, float, bool]]:
    """By letter: regret, error or what was unseen, and whether a bar is trusted."""
    found = {}
    for row in page.locator(".explorer tr[data-policy]").all():
        text = row.locator(".regret").inner_text().replace("\u2212", "-")
        value, error, sign = ESTIMATE.fullmatch(text).groups()
        bar = float(error or 0)  # none where it is exact
        found[row.get_attribute("data-policy")] = float(value), bar, not sign
    return found


def means(page) -> list[float]:
    bars = page.locator(".explorer [role=slider]").all()
    return [float(bar.get_attribute("aria-valuenow")) for bar in bars]


def at(tail: str) -> str:
    return f"{PAGE}#bench?{tail}"


@pytest.fixture
def lab(fresh_page_at):
    """Open the laboratory with what an address says; it has simulated it."""

    def open_at(tail=SMALL):
        page = fresh_page_at("file", at(tail)).page
        ready(page)
        return page

    return open_at


# -- the same numbers ------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_it_begins_with_the_numbers_of_its_cell(page_at, kind):
    visit = page_at(kind, PAGE)
    ready(visit.page)
    table = visit.page.locator(".cell_output table").inner_text()
    shown = readings(visit.page)
    assert list(shown) == list("ABCD")
    for letter, (value, error, trusted) in shown.items():
        text = re.search(rf"^{letter}\s.*\s([\d.]+ [±[].*)$", table, re.M)[1]
        there = ESTIMATE.fullmatch(text).groups()
        assert (float(there[0]), float(there[1]), not there[2]) == (
            value,
            error,
            trusted,
        )


def test_the_program_gives_the_numbers_of_the_page(lab):
    """After a change too; that they agree for any setting is proved in Node."""
    page = lab(f"{SMALL}&family=uniform&arms=0.1+0.5+0.9&p=0.5&policy4=none")
    page.locator(".program summary").click()
    turn(page, "p", 1)
    choose(page, "policy B", "ncb")
    settled(page)
    shown, space = readings(page), {}
    text = page.locator(".program pre").text_content()
    exec(compile(text, "laboratory.py", "exec"), space)  # our own page's program
    profiles = list(space["profiles"].values())
    for (value, error, trusted), profile in zip(shown.values(), profiles, strict=True):
        ours = pm.measured_regret(profile, 1)
        assert value == pytest.approx(ours.value, abs=5.1e-6)
        assert error == pytest.approx(ours.standard_error or ours.unseen, abs=1e-5)
        assert trusted == ours.trusted
    parts = page.locator(".best-part").all_inner_texts()
    for part, profile in zip(parts, profiles, strict=True):
        share = 100 * profile.pulls[space["instance"].best] / profile.mu_t.size
        assert float(part.removesuffix(" %")) == pytest.approx(share, abs=0.51)


def test_the_library_s_warning_stands_beside_its_sign(lab):
    page = lab("p=-6&runs=50&horizon=1000")
    doubtful = [letter for letter, r in readings(page).items() if not r[2]]
    assert doubtful
    words = page.locator(".warning").inner_text()
    for letter in doubtful:
        assert re.search(f"{letter}: (few rounds carry the sum|no run erred)", words)
    assert page.locator(".point.doubtful").count()


# -- under the reader's hands ----------------------------------------------------------


def test_a_bar_is_dragged_and_follows_keys(lab):
    page = lab()
    before = readings(page)
    assert means(page) == [0.03, 0.2, 0.35, 0.5, 0.9]
    drag(page.locator(".arm .bar").nth(1), (0.5, 0), (0.5, -2))
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


def test_two_to_twenty_arms_and_no_others(lab):
    page = lab()
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


def test_a_formula_runs_and_its_mistakes_are_pointed_at(lab):
    page = lab()
    entry = page.locator(".policy.s4 input.formula")
    before = readings(page)
    for text, at_character in (
        ("mu_hat + ", None),
        ("mu_hat + )", ")"),
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
    assert readings(page)["D"] != before["D"]
    assert page.evaluate("window.hurt") is None


def test_a_story_asks_before_it_tells(lab):
    page = lab("")
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


def test_a_run_is_the_library_s_and_can_be_stepped_through(lab):
    page = lab(f"{SMALL}&round=1")
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


# -- the address -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "tail",
    [
        f"p={MARKUP}&arms={MARKUP}&family=<b>&horizon=NaN&runs=&seed=-1",
        "arms=0.5&horizon=Infinity&seed=1e99&order1=toString&policy=thompson",
        "__proto__=1&constructor=2&index4=alert(1)&index1=mu_hat;x&tuned2=7&shown=9",
        f"index4={MARKUP}&width1={MARKUP}&tilde2=x&round={MARKUP}&family=__proto__",
    ],
)
def test_a_hostile_address_sets_nothing(lab, tail):
    page = lab("")
    start = page.evaluate(STATE)
    page = lab(tail)
    assert page.evaluate(STATE) == start != ""
    assert page.evaluate("window.hurt") is None
    assert page.locator(".explorer :is(img, b, script)").count() == 0
    said = page.locator(".explorer .ignored").inner_text()
    assert said.startswith("The address asks for")
    assert all(key in said for key in re.findall(r"(\w+)=", tail)[:1])


@pytest.mark.parametrize("asked", ["thompson", "kl-ucb", "__proto__", "<script>"])
def test_an_unknown_policy_is_said_and_no_other_plays(lab, asked):
    page = lab(f"{SMALL}&policy1={asked}")
    said = page.locator(".explorer .ignored")
    assert said.inner_text() == (
        f"The address asks for policy1 = {asked}, which is not offered here."
    )
    assert list(readings(page)) == list("BCD")
    assert page.get_by_label("policy A", exact=True).input_value() == "none"
    choose(page, "policy A", "ucb1")
    settled(page)
    assert list(readings(page)) == list("ABCD")
    assert said.inner_text() == ""


@pytest.mark.parametrize("name", ["reduction", "unified", "learners"])
def test_a_chapter_s_link_shows_its_point(fresh_page_at, name):
    """The link on the page, followed: every field that it names is set."""
    page = fresh_page_at("file", f"chapters/{name}.html").page
    link = page.locator("article a[href*='laboratory.html#bench?']").first
    wanted = dict(parse_qsl(link.get_attribute("href").partition("?")[2]))
    assert wanted == dict(parse_qsl(laboratory.address(name).partition("?")[2]))
    link.click()
    page.wait_for_selector(".explorer.drawn")
    told = page.get_by_label("means", exact=True).input_value()
    assert told == laboratory.shown_in(name)["arms"]
    for n, letter in zip(laboratory.SLOTS, "ABCD", strict=True):
        policy = page.get_by_label(f"policy {letter}", exact=True).input_value()
        assert policy == laboratory.shown_in(name)[f"policy{n}"]
    assert page.locator(".explorer .ignored").inner_text() == ""


# -- for everyone ----------------------------------------------------------------------


@pytest.mark.parametrize(("screen", "scheme"), [("wide", "light"), ("phone", "dark")])
def test_it_can_be_read_by_everyone(page_at, screen, scheme):
    visit = page_at("file", QUICK, screen, scheme)
    page = visit.page
    ready(page)
    page.locator(".policy details").evaluate_all("es => es.forEach(e => e.open = true)")
    page.locator(".program summary").click()
    page.locator(".policy.s4 input.formula").fill("mu_hat + ")
    assert not reader.axe(page)
    assert not page.evaluate(reader.SIDEWAYS)
    assert not page.evaluate(reader.EXPLORER)
