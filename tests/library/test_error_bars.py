"""Error bars hold the truth where they are trusted: stored, and live with an oracle."""

from pathlib import Path

import numpy as np
import oracles
import pandas as pd
import pytest
from _data import error_bars

import pmeanlib as pm

DATA = Path(__file__).parents[2] / "chapters" / "_data"


@pytest.fixture(scope="module")
def stored():
    return pd.read_csv(DATA / "error_bars.csv")


def test_the_stored_table_is_that_of_its_script(stored):
    work = [(n, pair, p) for n in error_bars.BATCHES for pair in
            error_bars.PAIRS for p in error_bars.EXPONENTS]  # fmt: skip
    columns = stored[["n_runs", "pair", "p"]].itertuples(index=False, name=None)
    assert list(columns) == work
    assert len(error_bars.PAIRS) >= 12
    assert stored["batches"].tolist() == [error_bars.BATCHES[n] for n, *_ in work]


def test_what_is_trusted_covers_and_not_everything_is_doubted(stored):
    """At least 92 % of nominal 95 %, wherever it is mostly silent, and at all.

    Where it is seldom silent, those few are a selection; there it counts how often an
    interval is trusted and misses, among all. Left out are pairs, described in the
    chapter, whose dear errors are too rare to be seen among cheap ones.
    """
    stored = stored[~stored["pair"].isin(error_bars.UNSEEN)]
    cells = stored[stored["trusted"] >= 0.5 * stored["batches"]]
    assert len(cells) > 100
    assert (cells["trusted_covered"] >= 0.92 * cells["trusted"]).all()
    missed = stored["trusted"] - stored["trusted_covered"]
    assert (missed <= 0.08 * stored["batches"]).all()
    total = stored.groupby(["n_runs", "p"]).sum(numeric_only=True)
    sigma = np.sqrt(0.95 * 0.05 * total["trusted"])
    held = total["trusted_covered"]
    assert (held >= 0.95 * total["trusted"] - 3 * sigma).all()
    total = stored.sum(numeric_only=True)
    assert total["trusted"] / total["batches"] > 0.4
    bad = stored[stored["covered"] < 0.9 * stored["batches"]]
    assert bad["trusted"].sum() / bad["batches"].sum() < 0.1


def test_where_no_run_varied_the_bound_holds_too(stored):
    """The rule of three promises 95 % in each case, over all of its experiments: what
    was seen to vary not, and misses, is at most 5 %, and four sigma.
    """
    missed = stored["unvaried"] - stored["unvaried_covered"]
    n = stored["batches"]
    assert (missed <= 0.05 * n + 4 * np.sqrt(0.05 * 0.95 * n)).all()
    assert (stored["unvaried"] >= 0.3 * n).sum() >= 20  # there are such cases
    assert missed.sum() > 0  # some of them hard


@pytest.mark.parametrize(
    ("mu", "width"), [((0.02, 0.9), 4.0), ((0.3, 0.7), 1.0), ((0.5, 0.6), 0.5)]
)
def test_against_an_exact_oracle(mu, width):
    """150 intervals, the truth by dynamic programming: 5 sigma below 95 %."""
    truth = oracles.exact_profile(mu, oracles.ucb, width, 60, random_order=True)
    instance, policy = pm.bernoulli(mu), pm.ucb1(width, "random")
    rngs = np.random.default_rng(1).spawn(150)
    profiles = [pm.simulate(instance, policy, 60, 60, rng, workers=1) for rng in rngs]
    for p in (1, 0, -2):
        exact = pm.p_mean_regret(truth, max(mu), p)
        inside = trusted = 0
        for profile in profiles:
            estimate = pm.measured_regret(profile, p)
            low, high = estimate.interval
            trusted += estimate.trusted
            inside += estimate.trusted and low <= exact <= high
        assert inside >= 0.95 * trusted - 5 * np.sqrt(0.05 * 0.95 * max(trusted, 1))
        if p == 1:
            assert trusted == 150
