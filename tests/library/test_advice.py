"""A table of one's own in, advice out: what is refused, what is said, how surely."""

import io
import math
from contextlib import suppress

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pmeanlib as pm
from pmeanlib import advice
from pmeanlib.advice import make_arms, offered, play_worlds, read, weigh

GOOD = pd.DataFrame({"arm": list("ab") * 20, "x": [0, 1] * 20, "v": range(40)})


@pytest.fixture(autouse=True)
def _few_worlds(monkeypatch):
    """Twenty worlds are enough for what is true of any number of them."""
    monkeypatch.setattr(advice, "WORLDS", 20)


def made(outcomes, clusters=None) -> pd.DataFrame:
    """A frame with these outcomes of the arms a, b, ..."""
    parts = [
        pd.DataFrame({"arm": name, "x": np.asarray(x, float)})
        for name, x in zip("abcdef", outcomes)
    ]
    frame = pd.concat(parts, ignore_index=True)
    return frame if clusters is None else frame.assign(v=np.concatenate(clusters))


def ask(frame, T=100, p=0, **more) -> advice.Advice:
    return pm.advise(frame, **{"T": T, "p": p, "arm": "arm", "outcome": "x"} | more)


def intervals(frame, cluster=None, rng=1) -> np.ndarray:
    arms, _ = weigh(read(frame, "arm", "x", cluster), rng)
    return arms[["from", "to"]].to_numpy()


# -- what is refused ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"x": {3: "yes"}}, r"outcome in row 3, column 'x', must be a number .*'yes'"),
        ({"x": {3: -2}}, r"row 3, column 'x', must be a number in .* got -2"),
        ({"x": {3: None}}, r"outcome must not be empty .* in row 3, column 'x'"),
        ({"arm": {3: None}}, r"arm must not be empty .*keep_default_na=False.* row 3"),
        ({"arm": {3: ""}}, r"arm must not be empty .* got '' in row 3, column 'arm'"),
        ({"arm": {3: math.nan}}, r"arm must not be empty .* got nan in row 3"),
        ({"v": {3: pd.NA}}, r"cluster must not be empty .* row 3, column 'v'"),
        ({"arm": dict.fromkeys(range(40), "a")}, r"number of arms.* in \[2, 100\].* 1"),
        ({"x": dict.fromkeys(range(40), 0)}, r"outcome must not be 0 in every row"),
    ],
)
def test_a_bad_cell_is_refused_by_row_and_column(changes, message):
    frame = GOOD.astype(object)
    for column, cells in changes.items():
        for row, value in cells.items():
            frame.loc[row, column] = value
    with pytest.raises(ValueError, match=f"(?s){message}"):
        ask(frame, cluster="v")


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"frame": "data.csv"}, "frame must be a DataFrame, got str"),
        ({"frame": GOOD.head(0)}, "number of arms"),
        ({"frame": pd.concat([GOOD, GOOD], axis=1)}, "arm must name one column"),
        ({"T": 3}, "T must be a whole number in"),
        ({"T": 1e7}, "T must be a whole number in"),
        ({"p": 2}, "p must be a number in .*, got 2"),
        ({"arm": "drug"}, "arm must name one column .*'arm', 'x', 'v', got 'drug'"),
        ({"outcome": ["x"]}, "outcome must name one column"),
        ({"cluster": 7}, "cluster must name one column of the frame, .* got 7"),
        ({"rng": "one"}, "rng"),
    ],
)
def test_what_is_asked_must_make_sense(asked, message):
    with pytest.raises(ValueError, match=message):
        ask(**{"frame": GOOD} | asked)


CELLS = st.none() | st.floats() | st.integers() | st.text(max_size=3) | st.booleans()


@given(st.lists(st.tuples(CELLS, CELLS, CELLS), max_size=12))
@settings(deadline=None, max_examples=50)
def test_any_frame_is_advised_on_or_refused_in_one_line(cells):
    frame = pd.DataFrame(cells, columns=["arm", "x", "v"], dtype=object)
    with suppress(ValueError):  # nothing else may be raised
        said = ask(frame, T=1_000, cluster="v")
        assert said.verdict == "unknown"  # fewer than ten rows of an arm


@pytest.mark.parametrize(
    "name", ["none", "NA", "null", "nan", "$5{ or", 7, 7.5, "\x1b[7m"]
)
def test_an_arm_may_have_any_name(name):
    """Also those that pandas takes for missing, unless one tells it not to."""
    frame = GOOD.assign(arm=[name, "other"] * 20)
    assert len(ask(frame, p=-1).arms) == 2
    if not isinstance(name, str) or not name.isprintable():
        return
    text = frame.to_csv(index=False)
    again = pd.read_csv(io.StringIO(text), keep_default_na=False)
    assert {*ask(again).arms.index} == {name, "other"}
    if name not in ("$5{ or",):
        with pytest.raises(ValueError, match=r"(?s)arm must not .*keep_default_na"):
            ask(pd.read_csv(io.StringIO(text.replace(name, "NA"))))


def test_names_do_nothing_to_a_terminal_a_page_or_a_drawing():
    hostile = "\x1b[31m<script>$x{</script>\n"
    said = ask(GOOD.assign(arm=[hostile, "$5 or $6"] * 20))
    assert "\x1b" not in repr(said)
    assert "<script>" not in said._repr_html_()
    assert said.plot()[0].figure.canvas.print_to_buffer()


# -- how surely --------------------------------------------------------------------


def test_intervals_of_shares_hold_what_they_say():
    """Exactly: each number of successes in 60 rows, weighed by the binomial law.

    As Jeffreys' intervals do: 95 % on average over the truths, for none much less.
    """
    n, rng, held = 60, np.random.default_rng(7), []
    s = np.arange(n + 1)
    counts = [np.repeat([1.0, 0.0], [i, n - i]) for i in s]
    ends = [intervals(made([x, 1 - x]), rng=rng) for x in counts[n // 2 :]]
    low, high = np.array([e[0] for e in ends] + [e[1] for e in ends[1:]]).T
    seen = [*s[n // 2 :], *(n - s[n // 2 + 1 :])]
    ways = np.array([math.comb(n, i) for i in seen], float)
    for mu in np.linspace(0.05, 0.95, 91):
        chance = ways * mu ** np.array(seen) * (1 - mu) ** (n - np.array(seen))
        assert chance.sum() == pytest.approx(1)
        held.append(chance[(low <= mu) & (mu <= high)].sum())
    assert np.mean(held) == pytest.approx(0.95, abs=0.01)
    assert min(held) > 0.9


@pytest.mark.parametrize("n", [12, 60])
def test_intervals_of_amounts_hold_what_they_say(n):
    """Of 400 intervals at 95 % at least 91.7 % hold: three standard errors less."""
    rng, held = np.random.default_rng(7), []
    for _ in range(200):
        low, high = intervals(made(rng.beta(2, 5, (2, n))), rng=rng).T
        held += [*((low <= 2 / 7) & (high >= 2 / 7))]
    assert np.mean(held) >= 0.95 - 3 * math.sqrt(0.95 * 0.05 / len(held))


def test_intervals_over_clusters_hold_what_they_say():
    """Forty villages of eight people each who mostly do as their village does."""
    rng, held, naive = np.random.default_rng(3), [], []
    village = np.repeat(np.arange(40), 8)
    for _ in range(200):
        x = rng.random((2, 320)) < rng.beta(1, 1, (2, 40)).repeat(8, axis=1)
        frame = made(x, [village, village])
        for cluster, found in (("v", held), (None, naive)):
            low, high = intervals(frame, cluster, rng).T
            found += [*((low <= 0.5) & (high >= 0.5))]
    assert np.mean(held) >= 0.95 - 3 * math.sqrt(0.95 * 0.05 / len(held))
    assert np.mean(naive) < 0.85  # what the clusters are for


def test_rows_said_again_say_nothing_new():
    x, clusters = np.random.default_rng(1).random(50), np.arange(50)
    once = ask(made([x, x], [clusters, clusters]), cluster="v").arms
    again = made([x.repeat(4)] * 2, [clusters.repeat(4)] * 2)
    assert once["worth"].tolist() == [50, 50]
    wider = 1.96 / 2.01  # the normal law's and Student's t's quantile, 49 degrees
    worth = ask(again, cluster="v").arms["worth"].tolist()
    assert worth == pytest.approx([50 * wider**2] * 2, rel=0.03)


def test_one_village_says_nothing_about_an_arm():
    x = [np.repeat([1.0, 0.0], [29, 71]), np.repeat([1.0, 0.0], [90, 10])]
    said = ask(made(x, [[0] * 100, [1] * 100]), cluster="v")
    assert said.arms["worth"].tolist() == [1, 1]
    assert said.verdict == "unknown"
    assert "100 rows in 1 clusters" in repr(said)


def test_arms_that_never_vary_are_not_sure_to_the_last_digit():
    low, high = intervals(
        made([np.full(30, 2 / 3), np.full(30, 0.9)]), rng=np.random.default_rng(1)
    ).T
    assert (high - low > 0.01).all()


def test_equal_arms_are_seldom_told_apart():
    rng = np.random.default_rng(11)
    tossed = (made(rng.random((4, 40)) < 0.3) for _ in range(100))
    apart = np.mean([ask(frame, T=8, rng=rng).verdict == "apart" for frame in tossed])
    assert apart <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 100)


def test_a_mean_that_was_seen_lies_in_its_interval():
    said = ask(made([[0.0] * 40, [1.0] * 40]))
    assert said.arms["from"].tolist()[1] == 0
    assert said.arms["to"].tolist()[0] == 1


# -- the verdict -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("counts", "verdict"),
    [
        (((20, 100), (80, 100)), "apart"),
        (((52, 100), (48, 100)), "unknown"),
        (((9_520, 10_000), (9_500, 10_000)), "alike"),
        (((0, 9), (80, 100)), "unknown"),
    ],
)
def test_the_verdict(counts, verdict):
    said = ask(made([[1.0] * good + [0.0] * (n - good) for good, n in counts]))
    assert said.verdict == verdict
    assert len(said.tables) == (3 if verdict == "apart" else 1)
    assert ("Thompson" in repr(said)) == (verdict == "apart")


def test_the_rows_needed_are_the_textbooks_formula():
    """Two means that differ by d: 2 (1.96 + 0.84)^2 m (1 - m) / d^2 rows each."""
    said = repr(ask(made([[1.0] * 250 + [0.0] * 750] * 2)))
    formula = 2 * 2.8**2 * 0.25 * 0.75 / 0.05**2
    told = int(said.replace("\n", " ").split("about ")[1].split()[0].replace(",", ""))
    assert told == pytest.approx(formula, rel=0.1)  # from 4,000 draws
    assert "power 80%" in said.replace("\n", " ")


# -- the costs ---------------------------------------------------------------------


@given(
    st.lists(st.lists(st.floats(0, 1), min_size=2, max_size=9), min_size=2, max_size=5),
    st.data(),
)
def test_moved_outcomes_have_the_mean_and_stay_rewards(outcomes, data):
    wanted = [data.draw(st.floats(1e-9, 1)) for _ in outcomes]
    rows = read(made([[*x, 0.5] for x in outcomes]), "arm", "x", None)
    np.testing.assert_allclose(make_arms(rows, np.array(wanted)).mu, wanted, atol=1e-12)


def test_costs_are_a_direct_calculation(monkeypatch):
    """In one world: drawing by lot costs the average gap, exactly, at every p; UCB1 and
    Thompson agree with a simulation of their own."""
    monkeypatch.setattr(advice, "WORLDS", 1)
    monkeypatch.setattr(advice, "RUNS", 400)
    mu = np.array([0.8, 0.5, 0.3])
    rows = read(made([[0, 1]] * 3), "arm", "x", None)
    games = play_worlds(rows, mu[None], 200, -1.0, np.random.default_rng(5))
    games = games.set_index("policy")
    lot = games.loc["by lot, for ever"]
    for p in (1, 0, -1, -5):
        assert lot[f"p = {p}"] == pytest.approx(mu.max() - mu.mean())
        for name in ("UCB1", "Thompson"):
            policy = offered(200, 3, -1.0)[name]
            again = pm.simulate(pm.bernoulli(mu), policy, 200, 4_000, 99)
            there = pm.measured_regret(again, p)
            error = math.hypot(1, math.sqrt(10)) * there.standard_error
            assert abs(games.loc[name, f"p = {p}"] - there.value) <= 5 * error


def test_what_settling_and_going_on_cost():
    """Settling costs the gap in each world; going on is seldom worse, anew dearer."""
    rng = np.random.default_rng(2)
    said = ask(made([rng.random(80) < mu for mu in (0.3, 0.55, 0.6)]), T=2_000)
    average = said.ways.loc["average"]
    assert average["go on"] <= 1.1 * average["settle"]
    assert average["go on"] <= average["begin anew"]
    assert (said.ways.loc["worst 5%"] >= average).all()
    regrets = said.policies["regret"]
    assert (regrets.to_numpy() == np.sort(regrets)).all()
    assert (said.policies["from"] <= regrets).all()
    assert (regrets <= said.policies["to"]).all()
    assert said.policies["least in"].sum() == pytest.approx(1)
    assert regrets["Thompson"] < regrets["by lot, for ever"]


def test_no_regret_is_negative_in_any_world():
    """An arm that pays nothing, p = -1: error bars that cannot be trusted."""
    said = ask(made([np.zeros(40), np.repeat([1.0, 0.0], [30, 10])]), p=-1)
    assert (said.policies[["regret", "from"]] >= 0).all(axis=None)


def test_amounts_are_told_in_the_units_of_the_table():
    """And a scale of 0 to 100 is that of 0 to 1, a hundred times."""
    rng = np.random.default_rng(4)
    frame = made([rng.gamma(4, 5, 60), rng.gamma(4, 12, 60)])
    said = ask(frame, T=200)
    assert said.arms.loc["b", "mean"] == pytest.approx(frame["x"][60:].mean())
    coins = made([rng.random(60) < mu for mu in (0.2, 0.8)])
    one, hundred = ask(coins), ask(coins.assign(x=100 * coins["x"]))
    for table in ("ways", "policies"):
        columns = [c for c in getattr(one, table) if c[-3:] != " in"]
        found, there = getattr(hundred, table)[columns], getattr(one, table)[columns]
        np.testing.assert_allclose(found, 100 * there, atol=1e-9)


def test_the_same_seed_gives_the_same_advice_on_any_number_of_cores(monkeypatch):
    frame = made([np.repeat([1.0, 0.0], [n, 50 - n]) for n in (10, 40)])
    first = repr(ask(frame, rng=3))
    monkeypatch.setattr(pm.engine, "cpu_count", lambda: 1)
    assert repr(ask(frame, rng=np.random.default_rng(3))) == first
    assert repr(ask(frame, rng=4)) != first


@given(st.lists(st.tuples(*[st.floats(0, 1).map(lambda x: x**9)] * 2), min_size=1))
def test_no_average_is_said_to_lie_outside_its_range(regrets):
    """Not even where one world in a hundred has nearly all the regret."""
    games = pd.DataFrame(
        {"world": w, "policy": name, "p = 0": x, "trusted 0": True}
        for w, pair in enumerate(regrets)
        for name, x in zip("ab", pair)
    ).assign(first=1.0, last=1.0)
    table = advice.compare(games, 0)
    assert (table["from"] <= table["regret"]).all()
    assert (table["regret"] <= table["to"]).all()
    (shown,) = advice.shown((GOOD[:0], GOOD[:0], table), 0.05, 9, 0)
    for _, regret, low, high, *_ in shown.rows:
        assert float(low) <= float(regret) <= float(high)


def test_no_cost_is_said_to_be_larger_than_in_the_worst_worlds():
    """A surely best arm: its cost is nothing, or next to nothing, in every line."""
    said = ask(made([[1.0] * 95 + [0.0] * 5, [1.0] * 60 + [0.0] * 40]))
    assert (said.ways["settle"] == 0).all()
    assert "0.000" not in repr(said.tables[1])  # what is nothing is shown as 0
    lines = repr(said.tables[1]).splitlines()[-2:]
    average, worst = (
        [float(x.replace(",", "")) for x in line.split()[-3:]] for line in lines
    )
    assert all(a <= b for a, b in zip(average, worst))
