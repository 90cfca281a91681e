"""What the scripts of the explorers are told: measured results, and shared numbers."""

import json

import numpy as np
import pytest

import pmeanlib as pm
from bookkit import config
from bookkit.assets import explorer_modules
from bookkit.make import explorer_data
from pmeanlib import published

ROOT = config.ROOT
DATA = explorer_modules.results()
SERIES = [(frame, series) for frame in DATA["frames"] for series in frame["series"]]


def name(value):
    return value.get("family") or value["key"]


@pytest.mark.parametrize("T", [1, 499, 500, 501, 20_000, 100_000])
def test_blocks_of_rounds_cover_every_round_once(T):
    ends = explorer_modules.edges(T)
    assert ends[0] == 0
    assert ends[-1] == T
    assert np.diff(ends).min() == 1
    ramp = np.arange(T, dtype=float)
    means = explorer_data.in_blocks(ramp, ends)
    assert np.dot(means, np.diff(ends)) == pytest.approx(ramp.sum())
    assert np.all(np.diff(ends) <= np.maximum(1, 0.01 * ends[1:]))


@pytest.mark.parametrize(("frame", "series"), SERIES, ids=name)
def test_stored_blocks_and_stored_regrets_belong_together(frame, series):
    values = np.array(series["values"]) / explorer_modules.DIGITS
    weights = np.diff(frame["edges"])
    for p, regret in zip(DATA["exponents"], series["regrets"]):
        blocks = frame["mu_star"] - pm.p_mean(values, p, weights=weights)
        assert blocks == pytest.approx(regret, abs=2e-3)


@pytest.mark.parametrize(
    ("frame", "series"), [s for s in SERIES if s[0]["T"] == 20_000][::5], ids=name
)
def test_stored_regrets_are_what_the_library_measures(frame, series):
    p = float(series["key"].partition(" ")[2] or 1)
    policy, profile = published.by_definition(frame["family"], series["name"], p, 200)
    assert policy.T_tilde == series["T_tilde"]
    assert policy.capped == series["capped"]
    assert profile.mu_star == pytest.approx(frame["mu_star"])
    for q in (1, -1, -4):
        ours, place = pm.measured_regret(profile, q), DATA["exponents"].index(q)
        allowed = 6 * np.hypot(ours.standard_error, series["errors"][place]) + 1e-5
        assert series["regrets"][place] == pytest.approx(ours.value, abs=allowed)


def test_the_programmes_of_the_explorer_are_those_of_the_chapter():
    chapter = (ROOT / "chapters" / "welfare.ipynb").read_text("utf8")
    uneven, even = map(list, explorer_modules.PROGRAMMES.values())
    assert f"uneven, even = {uneven}, {even}" in chapter
    for told in explorer_modules.PEOPLE.values():
        low, high = told["outcomes"]
        assert all(low < u < high for u in told["values"])
    first = (ROOT / "chapters" / "index.ipynb").read_text("utf8")
    queue = list(explorer_modules.PEOPLE["queue"]["values"])
    assert f"pm.bernoulli({queue})" in first  # in fixed order, the worst first


def test_scripts_are_told_what_python_knows():
    told = json.loads(json.dumps(explorer_modules.constants()))
    assert told["exponents"] == [DATA["exponents"][0], DATA["exponents"][-1]]
    assert {a["name"] for a in DATA["algorithms"]} == set(published.ALGORITHMS)
    keys = {a["name"] for a in DATA["algorithms"] if not a["tuned"]}
    keys |= {tuning["key"] for tuning in DATA["tunings"]}
    assert keys == {series["key"] for _, series in SERIES}
