"""The command line: what it prints, and how it refuses."""

import json
import math
from argparse import Namespace

import numpy as np
import pytest

import pmeanlib as pm
from pmeanlib.lab.cli import main, show


def run(capsys, *words):
    assert main(words) == 0
    return capsys.readouterr().out


def strict(text):
    """What a reader makes of it that knows no number but those of JSON."""
    return json.loads(text, parse_constant=lambda word: pytest.fail(f"{word} in JSON"))


def test_regret_in_full_precision(capsys):
    words = "regret beta --policy eucb -p -1 -T 2e4 -n 30 -k 50 --seed 1 --json".split()
    result = json.loads(run(capsys, *words))
    rng = np.random.default_rng(1)
    instance = pm.random_instance("beta", 50, rng)
    policy = pm.explore_then_ucb(20_000, 50, -1)
    estimate = pm.measured_regret(pm.simulate(instance, policy, 20_000, 30, rng), -1)
    assert result["regret"] == estimate.value
    assert result["standard_error"] == estimate.standard_error
    assert result["regret_plug_in"] == estimate.plug_in
    assert result["mu_star"] == instance.mu_star
    assert result["exploration_period"] == pm.exploration_period(20_000, 50, -1)
    assert result["capped"] is False


@pytest.mark.parametrize("policy", ["ucb1", "eucb", "ncb"])
@pytest.mark.parametrize("family", ["bernoulli", "triangular", "uniform"])
def test_every_family_and_policy(capsys, family, policy):
    words = ("regret", family, "--policy", policy, "-T", "2000", "-n", "4", "-k", "5")
    result = json.loads(run(capsys, *words, "--json"))
    assert 0 < result["regret"] < result["mu_star"]
    assert (result["exploration_period"] > 0) == (policy != "ucb1")
    assert "exploration period" in run(capsys, *words)


def test_a_capped_exploration_is_told(capsys):
    out = run(capsys, *"regret beta --policy ncb -T 1000 -n 4 -k 50".split())
    assert "longer than T" in out


@pytest.mark.parametrize("p", ["-1e-3", "-inf", "1"])
def test_exponents_that_look_like_options(capsys, p):
    words = (
        "regret",
        "bernoulli",
        "-p",
        p,
        "-T",
        "500",
        "-n",
        "4",
        "-k",
        "3",
        "--json",
    )
    assert float(strict(run(capsys, *words))["p"]) == float(p)


def test_width_and_order_matter(capsys):
    base = ("regret bernoulli --policy ucb1 -p -2 -T 3000 -n 9 -k 9 --json").split()
    results = {
        json.loads(run(capsys, *base, *extra))["regret"]
        for extra in ((), ("--width", "1"), ("--order", "random"))
    }
    assert len(results) == 3
    assert all(map(math.isfinite, results))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("regret beta -p 2", "p must be a number of at most 1, got 2.0"),
        ("regret beta -p x", "invalid float value: 'x'"),
        ("regret beta -p", "expected one argument"),
        ("regret beta -k 1", "k must be a whole number of at least 2, got 1"),
        ("regret beta -T 0", "T must be a whole number of at least 1, got 0"),
        ("regret beta -T 1.5", "must be a whole number, got 1.5"),
        ("regret beta -T inf", "must be a whole number, got inf"),
        ("regret beta -n 1 -T 9", "n_runs must be at least 2 for an error bar, got 1"),
        ("regret beta --width -1", "width must be a number in [0, 1e+09], got -1.0"),
        ("regret beta --seed -1", "seed must be a whole number of at least 0, got -1"),
        ("regret gauss", "invalid choice: 'gauss'"),
        ("regrets", "invalid choice: 'regrets'"),
        ("sweep", "required: FILE"),
        ("sweep nowhere.toml", "nowhere.toml: No such file or directory"),
        ("sweep . --out t.csv", ".: Is a directory"),
        ("sweep x --workers 1.5", "must be a whole number, got 1.5"),
        ("sweep x --out no/f.csv", "--out: must be a file one can write, got no/f.csv"),
        ("sweep x --out README.md/f", "must be a file one can write, got README.md/f"),
        ("", "required"),
    ],
)
def test_a_bad_argument_gets_one_line_and_status_2(capsys, words, message):
    with pytest.raises(SystemExit) as stop:
        main(words.split())
    error = capsys.readouterr().err
    assert stop.value.code == 2
    assert message in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        "regret uniform -k 3 -T 90 -n 3 --policy ucb1",
        "bound -T 1e300 -k 1e6 --mu-star 1e-100 --mu-min 1e-100",
        "bound -T 1e6 -k 50",
        "bound -T 1e300 -k 1e300",
    ],
)
@pytest.mark.parametrize("p", ["-inf", "-1e300", "-400", "-1", "-5e-324", "0", "1"])
def test_what_is_printed_as_json_is_json(capsys, words, p):
    command = [*words.split(), "-p", p]
    if p == "-inf" and "bound" in words:
        with pytest.raises(SystemExit):
            main(command)
        return
    assert strict(run(capsys, *command, "--json"))
    assert "nan" not in run(capsys, *command)


def test_a_bound_beyond_all_floats_is_null(capsys):
    words = "bound -p -400 -T 1e6 -k 50".split()
    found = strict(run(capsys, *words, "--json"))
    assert found["paper_bound"]["value"] is None
    assert found["remark_1"] == {"holds": False, "factor": 0.0}
    assert "hypotheses fail or inf" in run(capsys, *words)


def test_numbers_keep_all_their_digits(capsys):
    values = [0.1, 1 / 3, 5e-324, -0.0, 2**70, math.inf, -math.inf]
    show(Namespace(json=True), {"a": values}, ())
    assert [float(x) for x in strict(capsys.readouterr().out)["a"]] == values


@pytest.mark.parametrize(
    "words", [["--help"], *([c, "--help"] for c in ("regret", "sweep"))]
)
def test_help_teaches(capsys, words):
    with pytest.raises(SystemExit) as stop:
        main(words)
    assert stop.value.code == 0
    assert "python -m pmeanlib" in capsys.readouterr().out
