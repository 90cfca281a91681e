"""Runs until an error bar is small enough."""

import numpy as np
import pytest

import pmeanlib as pm
from pmeanlib.estimates import ARRAYS

ARMS, POLICY = pm.bernoulli([0.2, 0.5, 0.8]), pm.ucb1(1, "random")


def test_it_stops_when_every_error_is_small_and_trusted():
    profile = pm.simulate_until(ARMS, POLICY, 400, (1, -1), 0.0008, 1)
    for estimate in pm.measured_regrets(profile, (1, -1)):
        assert estimate.standard_error <= 0.0008
        assert estimate.trusted
    short = pm.simulate_until(ARMS, POLICY, 400, (1, -1), 0.0008, 1, budget=64)
    assert short.n_runs == 64 < profile.n_runs


def same(a, b):
    assert (a.n_runs, a.T_tilde, a.known) == (b.n_runs, b.T_tilde, b.known)
    for name in ARRAYS:
        assert getattr(a, name).tobytes() == getattr(b, name).tobytes()


def test_workers_and_pieces_change_no_bit():
    seen = []
    work = ARMS, POLICY, 400, (1, -1), 0.001
    one, two = (pm.simulate_until(*work, 1, workers=w) for w in (1, 2))
    same(one, two)
    pm.simulate_until(*work, 1, after=seen.append)
    assert len(seen) > 1
    same(one, seen[-1])
    for start in seen:
        same(one, pm.simulate_until(*work, 1, start=start))


def test_more_runs_are_the_runs_of_one_long_simulation():
    """Run r has the r-th stream, however the runs are dealt into pieces."""
    profile = pm.simulate_until(ARMS, POLICY, 400, (1,), 1e-9, 5, budget=100, workers=2)
    whole = pm.simulate(ARMS, POLICY, 400, 100, 5)
    np.testing.assert_allclose(profile.mu_t, whole.mu_t, rtol=1e-13)
    np.testing.assert_allclose(profile.pulls, whole.pulls)


def test_up_to_a_million_rounds_groups_are_added_in_double_precision():
    profile = pm.simulate(ARMS, POLICY, 10**6, 3, 1, n_groups=2)
    parts = profile.group_totals.sum(axis=0)
    np.testing.assert_allclose(parts, profile.total_t, rtol=1e-14)


@pytest.mark.parametrize(
    ("change", "message"),
    [({"error": 0}, "error must be a number of at least 1e-12, got 0"),
     ({"error": float("nan")}, "error must be a number"),
     ({"T": 0}, "T must be a whole number of at least 1, got 0"),
     ({"budget": 1}, "budget must be a whole number of at least 2, got 1")],
)  # fmt: skip
def test_bad_arguments_are_named(change, message):
    good = {"T": 50, "exponents": (0,), "error": 0.1, "rng": 1}
    with pytest.raises(ValueError, match=message):
        pm.simulate_until(ARMS, POLICY, **(good | change))
