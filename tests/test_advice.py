"""Own data in, advice out: files, what they say, and how it is told."""

import csv
import math
from html.parser import HTMLParser
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pmeanlib as pm
from pmeanlib.advice import judge as judging
from pmeanlib.advice.judge import LEAST_ROWS, judge, make_arms, offered, weigh
from pmeanlib.advice.page import page
from pmeanlib.advice.rows import Rows, read
from pmeanlib.advice.tell import HOW, Section, sections
from pmeanlib.lab.cli import main

OPEN_BANDIT = "dataset/obd/random/men/men.csv"


def installed(package: str, path: str) -> Path:
    """A file of a package that is installed for its data and cannot be imported."""
    return Path(find_spec(package).origin).parent / path


def made(outcomes, clusters=None) -> Rows:
    """Rows with these outcomes in [0, 1]."""
    outcomes = tuple(np.asarray(x, float) for x in outcomes)
    ends = np.cumsum([0, *map(len, outcomes)])
    apart = tuple(np.arange(a, b) for a, b in pairwise(ends))
    names = tuple(f"arm {i}" for i in range(len(outcomes)))
    own = apart if clusters is None else tuple(map(np.asarray, clusters))
    return Rows(names, outcomes, own, 0.0, 1.0, "outcome", "", 0)


@pytest.fixture(scope="module")
def malawi(tmp_path_factory) -> Path:
    """The experiment of chapter `case_study` as a file."""
    people = pd.read_stata(installed("causaldata", "thornton_hiv/thornton_hiv.dta"))
    people = people.dropna(subset=["got", "tinc", "villnum"])
    bins = [-1, 0, 0.5, 1, 1.5, 2, 3]
    people["offer"] = pd.cut(people.tinc, bins).cat.codes
    path = tmp_path_factory.mktemp("malawi") / "malawi.csv"
    people[["villnum", "offer", "got"]].astype(int).to_csv(path, index=False)
    return path


# -- a file ------------------------------------------------------------------------


def write(folder: Path, text: str | bytes) -> Path:
    path = folder / "data.csv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("", {}, "row 1: has no names of columns"),
        ("arm,outcome\n", {}, "has a header and no row to use"),
        ("arm,outcome\na,1\nb,yes\n", {}, "row 3, column 'outcome': must be a number,"),
        ("arm,outcome\na,1\nb,inf\n", {}, "row 3, column 'outcome': must be a number,"),
        ("arm,outcome\na,\nb,1\n", {}, "row 2, column 'outcome': is missing"),
        ("arm,outcome\na,1\n ,1\n", {}, "row 3, column 'arm': is missing"),
        ("arm,outcome\na,1\nb\n", {}, "row 3: must have 2 fields, got 1"),
        ("arm,outcome\na,1\nb,0,7\n", {}, "row 3: must have 2 fields, got 3"),
        (
            "arm,outcome\na,1\nb,-2\n",
            {},
            r"row 3, .*: must be at least 0 \(--low\), go",
        ),
        ("arm,outcome\na,1\nb,9\n", {"high": 5}, r"row 3, .* at most 5 \(--high\), go"),
        ("arm,outcome\na,1\na,0\n", {}, "column 'arm': must hold 2 to 100 .* got 1"),
        ("arm,outcome\na,0\nb,0\n", {}, "column 'outcome': every outcome is 0"),
        ("arm,outcome\na,2\nb,2\n", {"low": 2}, "'outcome': every outcome is 2"),
        ("a,b,c\n1,2,3\n", {}, "--arm COLUMN --outcome COLUMN; there are a, b, c"),
        ("a,b\n1,2\n", {"arm": "x"}, "has no column 'x', must be one of a, b"),
        ("a,b\n1,2\n", {"arm": "a", "outcome": "a"}, "must differ, got 'a', 'a'"),
        (
            "a,a,b\n1,2,3\n",
            {"arm": "a", "outcome": "b"},
            "must name the column 'a' onc",
        ),
        ('arm,outcome\n"a,1\n', {}, "is no table of values"),
        (b"arm,outcome\n\xff,1\n", {}, "must be UTF-8 text, is not at byte 12"),
    ],
)
def test_what_is_wrong_in_a_file_is_named_with_its_place(
    tmp_path, capsys, text, options, message
):
    path = write(tmp_path, text)
    with pytest.raises(ValueError, match=message) as error:
        read(path, **options)
    assert str(error.value).startswith(str(path))
    words = [word for n, v in options.items() for word in (f"--{n}", str(v))]
    with pytest.raises(SystemExit) as stopped:
        main(["advise", str(path), "-T", "100", *words])
    said = capsys.readouterr()
    assert stopped.value.code == 2
    assert said.out == ""
    assert len(said.err.splitlines()) == 1


@pytest.mark.parametrize("name", ["", "nowhere.csv"])
def test_a_folder_or_nothing_is_no_file(tmp_path, name):
    with pytest.raises(ValueError, match=r": (Is a directory|No such file)"):
        read(tmp_path / name)


@given(st.binary(max_size=60) | st.text("arm,;\t\n\"'outcome10.5-e x", max_size=60))
def test_any_file_is_read_or_refused(tmp_path_factory, content):
    path = write(tmp_path_factory.getbasetemp(), content)
    try:
        rows = read(path)
    except ValueError as error:
        rows, said = None, str(error)
    assert min(map(len, rows.outcomes)) > 0 if rows else said.startswith(str(path))


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_a_table_is_a_table_whatever_parts_its_columns(tmp_path, mark):
    lines = ["\ufefftreatment, cured ", "10,1", "9,0.5", '"9",0', "", "10,1"]
    rows = read(write(tmp_path, "\r\n".join(lines).replace(",", mark)))
    assert rows.arms == ("9", "10")  # by number, not by letter
    assert [x.tolist() for x in rows.outcomes] == [[0.5, 0], [1, 1]]
    assert not rows.binary


def test_columns_scale_clusters_and_gaps(tmp_path):
    text = "village,arm,pay\nu,b,30\nu,a,10\nv,b,NA\nv,a,20\nu,a,10\n"
    with pytest.raises(ValueError, match="row 4, column 'pay': is missing"):
        read(write(tmp_path, text), outcome="pay", cluster="village")
    rows = read(write(tmp_path, text), cluster="village", drop_missing=True)
    assert (rows.low, rows.high, rows.dropped, rows.size) == (0, 30, 1, 4)
    np.testing.assert_allclose(rows.outcomes[0], [1 / 3, 2 / 3, 1 / 3])
    assert rows.clusters[0].tolist() == [0, 1, 0]
    lifted = read(path := write(tmp_path, text), "arm", "pay", "", 5, 45, True)
    np.testing.assert_allclose(lifted.outcomes[1], [25 / 40])
    with pytest.raises(ValueError, match="a finite number above low = 50, got 45"):
        read(path, "arm", "pay", low=50, high=45, drop_missing=True)


# -- what it says ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("draw", "mean"),
    [
        (lambda rng, n: (rng.random(n) < 0.05).astype(float), 0.05),
        (lambda rng, n: (rng.random(n) < 0.6).astype(float), 0.6),
        (lambda rng, n: rng.beta(2, 5, n), 2 / 7),
    ],
)
@pytest.mark.parametrize("n", [12, 60])
def test_intervals_hold_what_they_say(monkeypatch, draw, mean, n):
    """Of 600 intervals at 95 % at least 92.5 % hold: three standard errors less."""
    monkeypatch.setattr(judging, "SHUFFLES", 1)
    rng, held = np.random.default_rng(7), []
    for _ in range(300):
        arms = weigh(made([draw(rng, n), draw(rng, n)]), rng)
        low, high = arms.interval
        held += [*((low <= mean) & (mean <= high))]
    assert np.mean(held) >= 0.95 - 3 * math.sqrt(0.95 * 0.05 / len(held))


def test_intervals_over_clusters_hold_what_they_say(monkeypatch):
    """Forty villages of eight people each who mostly do as their village does."""
    monkeypatch.setattr(judging, "SHUFFLES", 1)
    rng, held, naive = np.random.default_rng(3), [], []
    village = np.repeat(np.arange(40), 8)
    for _ in range(300):
        x = rng.random((2, 320)) < rng.beta(1, 1, (2, 40)).repeat(8, axis=1)
        for clusters, found in (([village, village], held), (None, naive)):
            low, high = weigh(made(x, clusters), rng).interval
            found += [*((low <= 0.5) & (high >= 0.5))]
    assert np.mean(held) >= 0.95 - 3 * math.sqrt(0.95 * 0.05 / len(held))
    assert np.mean(naive) < 0.85  # what the clusters are for


def test_rows_said_again_say_nothing_new(rng):
    x = rng.random(50)
    clusters = np.arange(50)
    once = weigh(made([x, x]), rng)
    again = weigh(made([x.repeat(4)] * 2, [clusters.repeat(4)] * 2), rng)
    assert once.effective.tolist() == [50, 50]
    wider = 1.96 / 2.01  # the normal law's and Student's t's quantile, 49 degrees
    assert again.effective == pytest.approx([50 * wider**2] * 2, rel=0.03)


@pytest.mark.parametrize("share", [0.29, 0.5, 0.66])
def test_one_village_says_nothing_about_an_arm(share):
    """Whatever rounding makes of residuals that sum to nothing."""
    x = [np.repeat([1.0, 0.0], [round(100 * s), round(100 - 100 * s)]) for s in
         (share, 0.9)]  # fmt: skip
    arms = weigh(made(x, [[0] * 100, [1] * 100]), np.random.default_rng(1))
    assert arms.effective.tolist() == [1, 1]
    assert arms.verdict == "unknown"


def test_arms_that_never_vary_are_not_sure_to_the_last_digit(rng):
    arms = weigh(made([np.full(30, 2 / 3), np.full(30, 0.9)]), rng)
    low, high = arms.interval
    assert (high - low > 0.01).all()


def test_going_on_with_the_file_is_better_than_beginning_anew():
    """And never much worse than settling for the arm that looks best."""
    rng = np.random.default_rng(2)
    rows = made([(rng.random(80) < mu).astype(float) for mu in (0.3, 0.55, 0.6)])
    advice = judge(rows, 2_000, 0, seed=3)
    losses = advice.ranked[0].world_losses
    error = advice.going_on.std() / math.sqrt(advice.going_on.size)
    assert advice.going_on.mean() <= losses.mean() + 3 * error
    settled = advice.arms.loss[: advice.going_on.size]
    assert advice.going_on.mean() <= settled.mean() + 3 * error


def test_equal_arms_are_seldom_told_apart():
    rng = np.random.default_rng(11)
    tossed = (made((rng.random((4, 40)) < 0.3).astype(float)) for _ in range(200))
    apart = np.mean([weigh(rows, rng).chance <= 0.05 for rows in tossed])
    assert apart <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 200)


def test_the_verdict(rng):
    def verdict(*counts):  # of ones among n, for each arm
        arms = [[1.0] * good + [0.0] * (n - good) for good, n in counts]
        return weigh(made(arms), rng).verdict

    assert verdict((20, 100), (80, 100)) == "apart"
    assert verdict((52, 100), (48, 100)) == "unknown"
    assert verdict((9_520, 10_000), (9_500, 10_000)) == "alike"
    assert verdict((0, LEAST_ROWS - 1), (80, 100)) == "unknown"


def test_rows_needed_is_the_textbooks_formula(rng):
    """Two means that differ by d: 2 (1.96 + 0.84)^2 m (1 - m) / d^2 rows each."""
    arms = weigh(made([[1.0] * 250 + [0.0] * 750] * 2), rng)
    formula = 2 * 2.8**2 * 0.25 * 0.75 / 0.05**2
    assert arms.rows_needed == pytest.approx(formula, rel=0.1)  # from 4,000 draws
    assert weigh(made([np.ones(40)] * 2), rng).rows_needed == LEAST_ROWS


@given(
    st.lists(st.lists(st.floats(0, 1), min_size=2, max_size=9), min_size=2, max_size=5),
    st.data(),
)
def test_squeezed_outcomes_have_the_mean_and_stay_rewards(outcomes, data):
    wanted = [data.draw(st.floats(0, 1)) for _ in outcomes]
    rows = made([[*x, 0.5] for x in outcomes])
    np.testing.assert_allclose(make_arms(rows, np.array(wanted)).mu, wanted, atol=1e-12)


def test_costs_are_the_libraries_own_numbers():
    """Exploring for ever costs the average gap, exactly, for every p; others agree with
    a simulation of their own."""
    rng = np.random.default_rng(1)
    rows = made([(rng.random(300) < mu).astype(float) for mu in (0.3, 0.5, 0.8)])
    advice = judge(rows, 600, -1, seed=5)
    mu = advice.arms.mean
    found = {cost.name: cost for cost in advice.costs}
    assert set(found) == set(HOW)
    lot = found["by lot, for ever"]
    assert [e.value for e in lot.regrets] == pytest.approx([mu.max() - mu.mean()] * 4)
    assert lot.lost == pytest.approx(600 * (mu.max() - mu.mean()))
    for name in ("EUCB, the paper's", "narrow UCB", "Thompson"):
        policy = offered(600, 3, -1, mu.max())[name]
        assert policy == found[name].policy
        again = pm.simulate(pm.bernoulli(mu), policy, 600, 2_000, 99)
        for p, here in zip(advice.exponents, found[name].regrets, strict=True):
            there = pm.measured_regret(again, p)
            error = math.hypot(here.standard_error, there.standard_error)
            assert abs(here.value - there.value) <= 5 * error
    names = [cost.name for cost in advice.ranked]
    assert names.index("Thompson") < names.index("by lot, for ever")
    lengths = dict(advice.lengths)
    assert lengths[600].value == pytest.approx(mu.max() - mu.mean())
    assert advice.least_in.sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("T", "p", "message"),
    [(3, 0, "T must be .* in"), (1e7, 0, "T must be"), (99, 2, "p must be .* got 2")],
)
def test_what_is_asked_must_make_sense(T, p, message):
    with pytest.raises(ValueError, match=message):
        judge(made([[0, 1], [1, 1]]), T, p, seed=1)


# -- how it is told ----------------------------------------------------------------


def test_the_malawi_file_gets_advice(malawi, tmp_path, capsys):
    report = tmp_path / "report.html"
    columns = "--arm offer --outcome got --cluster villnum".split()
    asked = ["-p", "-1", "-T", "2834", "--html", str(report)]
    words = ["advise", str(malawi), *columns, *asked]
    assert main(words) == 0
    text = capsys.readouterr().out
    assert 'The arm that looks best is "4": 0.8703 on average' in text
    assert 'by lot: "0", "1", "2".' in " ".join(text.split())
    assert "going on where the file ends" in " ".join(text.split())
    assert "WHAT TO KEEP IN MIND" in text
    first = report.read_bytes()
    assert main(words) == 0
    assert capsys.readouterr().out == text
    assert report.read_bytes() == first
    assert main([*words, "--seed", "2"]) == 0
    assert capsys.readouterr().out != text


def test_clicks_that_are_too_few_get_no_advice(capsys):
    """46 clicks in 10,000 rows, 34 arms: a warning, not a ranking."""
    path = installed("obp", OPEN_BANDIT)
    words = [
        "advise",
        str(path),
        "-T",
        "5000",
        "--arm",
        "item_id",
        "--outcome",
        "click",
    ]
    assert main(words) == 0
    text = capsys.readouterr().out
    assert text.startswith("TOO LITTLE DATA TO ADVISE")
    assert "10,000 rows, 34 arms" in text
    for word in (*HOW, "looks best", "beyond chance", "learning", "simulated"):
        assert word not in text


def test_percent_are_people_all_the_same(tmp_path):
    """Outcomes of 0 and 100: people are counted, not hundredths."""
    lines = [f"{arm},{100 * (i < good)}" for arm, good in (("a", 20), ("b", 80))
             for i in range(100)]  # fmt: skip
    path = write(tmp_path, "arm,x\n" + "\n".join(lines))
    told = {s.title: s for s in sections(judge(read(path), 100, 1, seed=1))}
    rows = {row[0]: row for row in told["What each policy would cost"].table.rows}
    assert rows["by lot, for ever"][3] == "30"


def test_a_name_with_dollars_is_no_formula(rng):
    good = made([(rng.random(60) < mu).astype(float) for mu in (0.2, 0.9)])
    rows = Rows(("$1 to $2", "$5{ or $6"), *list(vars(good).values())[1:])
    assert "<img" in page("dollars", sections(judge(rows, 100, 0, seed=1)))


def test_no_regret_is_negative_in_any_world():
    """An arm that pays nothing, p = -1: error bars that cannot be trusted."""
    rows = made([np.zeros(40), np.repeat([1.0, 0.0], [30, 10])])
    for cost in judge(rows, 200, -1, seed=1).costs:
        assert cost.worlds.min() >= 0


def test_arms_that_are_alike_are_told_so():
    rows = made([[1.0] * 9_520 + [0.0] * 480, [1.0] * 9_500 + [0.0] * 500])
    short, *rest = sections(judge(rows, 1_000, 0, seed=1))
    assert "it hardly matters" in short.sentences[1]
    assert "What each policy would cost" not in {section.title for section in rest}


def test_amounts_are_told_in_the_units_of_the_file(tmp_path):
    rng = np.random.default_rng(4)
    lines = [("a", x) for x in rng.gamma(4, 5, 80)] + [
        ("b", x) for x in rng.gamma(4, 12, 80)
    ]
    path = tmp_path / "data.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([("arm", "income"), *lines])
    rows = read(path)
    advice = judge(rows, 200, 0, seed=1)
    assert advice.arms.verdict == "apart"
    told = "\n\n".join(map(str, sections(advice)))
    mean = np.mean([x for name, x in lines if name == "b"])
    assert f'The arm that looks best is "b": {mean:.2f} on average' in told
    assert f"on a scale from 0 (nothing) to {rows.high:g}" in " ".join(told.split())
    assert "people would miss" not in told
    uniform = next(c for c in advice.costs if c.name == "by lot, for ever")
    gap = rows.high * (advice.arms.mean.max() - advice.arms.mean.mean())
    assert uniform.regrets[0].value * rows.high == pytest.approx(gap)


class Reader(HTMLParser):
    """The text of a page, and the addresses that it opens."""

    def __init__(self, text):
        super().__init__()
        self.words, self.opened, self.tags = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.opened += [v for n, v in attrs if n in ("src", "href", "action")]

    def handle_data(self, data):
        self.words.append(data)


def test_the_report_needs_nothing_else_and_runs_nothing(rng):
    hostile = "<script>alert(1)</script><img src=x onerror=alert(1)>"
    good = made([(rng.random(60) < mu).astype(float) for mu in (0.2, 0.9)])
    rows = Rows((hostile, "b"), *list(vars(good).values())[1:5], hostile, "", 0)
    told = sections(judge(rows, 100, -1, seed=1))
    reader = Reader(page(hostile, told))
    assert "script" not in reader.tags
    assert reader.opened
    assert all(address.startswith("data:image/svg+xml;") for address in reader.opened)
    text = "".join(reader.words)
    assert hostile in text
    for section in told:
        assert section.title in text
        assert all(sentence in text for sentence in section.sentences)


def test_a_section_reads_the_same_in_a_terminal():
    section = Section("Title", ("One sentence.",), pm.figures.table({"a": "d"}, [(7,)]))
    assert str(section) == "TITLE\nOne sentence.\n\na\n7"
