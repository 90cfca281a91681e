"""Counterexamples of the chapter `errata`, each with its place in the paper.

Here stand those that its own cells do not compute.
"""

import math

import numpy as np
import pytest

import pmeanlib as pm
from pmeanlib import bounds

# -- definitions and introduction ---------------------------------------------------


def test_the_five_printed_axioms_do_not_force_a_power_mean():
    """Related work: a mean of W_1 and W_0 meets all five and fails independence."""

    def both(u):
        return pm.p_mean(u, 1) + pm.p_mean(u, 0)

    u = [2.0, 3.0, 7.0]
    assert math.isclose(both(u[::-1]), both(u))
    assert math.isclose(both([5 * v for v in u]), 5 * both(u))
    assert both([2.1, 3.0, 7.0]) > both(u)
    prefers = [both([0.5, 9, third]) > both([4, 4, third]) for third in (0.01, 100)]
    assert prefers == [True, False]


def test_exploration_bypasses_the_counterexample_without_assumption_1():
    """Contributions: "the assumption ... allows us to bypass the counter-example"."""
    T, instance = 100_000, pm.uniform([1, 0], [1, 0])
    policy = pm.explore_then_ucb(T, 2, 0)
    arms = pm.play(instance, policy, T, np.random.default_rng(1)).arms
    assert set(arms[: policy.T_tilde]) == {0, 1}
    assert set(arms[policy.T_tilde :]) == {0}
    profile = np.where(np.arange(T) < policy.T_tilde, 0.5, 1.0)
    assert round(pm.p_mean_regret(profile, 1, 0), 3) == 0.183
    assert bounds.assumption_1(T, 2, 1) < 1


# -- assumptions --------------------------------------------------------------------


@pytest.mark.parametrize("k", [2, 3, 10, 50, 1000])
def test_assumption_1_carries_the_others(k):
    """Claims (i), (ii) after Remark 1 and T~ <= T hold where Assumption 1 does."""
    start = bounds.smallest_horizon(lambda T: bounds.assumption_1(T, k, 1) >= 1)
    for T in start * np.geomspace(1, 1e9, 10):
        for p in (1, 0.5, 1e-9, 0, -0.5, -1, -math.log(T) / (2 * math.log(k))):
            assert bounds.period(T, k, p) < T
            assert bounds.assumption_2(T, k, p) > 1


@pytest.mark.parametrize("k", [2, 5, 50])
@pytest.mark.parametrize("p", [1, 0.5, 0, -0.5, -1, -3])
def test_without_room_for_phase_2_the_bounds_hold_trivially(k, p):
    """Theorems 4, 5, 6: T~ <= T is not among the hypotheses."""
    short = [T for T in range(2, 5000, 7) if bounds.period(T, k, p) > T]
    assert short or 256 * k**p < math.e  # T / log T is never below e
    for T in short:
        assert bounds.paper(T, k, p, 1, 1) >= 1 - 1 / k


# -- Theorem 4 ----------------------------------------------------------------------


@pytest.mark.parametrize(("q", "outgrows"), [(5, False), (7, True), (9, True)])
def test_from_which_q_c_breaks_the_rate(q, outgrows):
    """Theorem 4, last line for q >= 1: the ratio of the two terms grows iff q > 6."""

    def log_ratio(log_T):
        log_mu_min = math.log(32) + math.log(2 * log_T * math.sqrt(math.log(2))) / 2
        log_mu_min -= log_T / 8
        return (math.log(2) - log_T) / q - log_mu_min + log_T / (4 * q)

    assert (log_ratio(1e6) > log_ratio(1e5) > 0) == outgrows


def test_the_root_is_wasteful():
    """Theorem 4, q >= 1: "(a - b)^(1/q) >= a^(1/q) - b^(1/q)"."""
    q, w = 2, 0.01
    exact = 1 - (1 - w) ** (1 / q)
    assert w / q < exact < w < w ** (1 / q)
    assert round(exact, 5) == 0.00501
    q = 0.5
    assert (1 - 0.5) ** (1 / q) == 0.25 < 1 - 0.5 ** (1 / q) == 0.75


@pytest.mark.parametrize("q", [0.3, 1, 1.5, 3, 12])
def test_the_explicit_bound_survives(q):
    """Theorem 4: beta + mu_star z / q, which is proved, is at most what is printed."""
    for k in (2, 10, 50):
        for T in np.geomspace(1e3, 1e30, 28):
            for mu_star, mu_min in ((1, 0.1), (0.3, 0.3), (0.5, 0.01)):
                T_tilde = bounds.period(T, k, -q)
                beta = 6 * math.sqrt(2 * k * math.log(T) / T_tilde)
                z = ((k**q - 1) * T_tilde + 2 / mu_min**q) / T
                proved = min(mu_star, beta + mu_star * z / q)
                printed = bounds.negative_p(T, k, -q, mu_star, mu_min)
                assert proved <= printed * (1 + 1e-12)


# -- remarks and limits -------------------------------------------------------------


def test_impossible_long_before_the_printed_exponent():
    """Contributions: "not possible ... for p <= -T log T"."""
    u = np.ones(10**4)
    u[0] = 0.5
    assert pm.p_mean(u, -math.log(10**4)) <= math.e * u.min()
    assert pm.p_mean_regret(u, 1, -2 * math.log(10**4)) >= 1 - math.sqrt(math.e) / 2


def test_remark_2_locates_the_bound():
    """Remark 2: the bound is kappa at |p| = 3.9, the transition is near 66."""
    T, k, kappa = 1e20, 2, 0.5
    q = math.log(T) / (4 * (math.log(math.sqrt(k * math.log(T))) - math.log(kappa)))
    assert round(q, 2) == 3.90
    assert math.sqrt(k * math.log(T)) / T ** (1 / (4 * q)) == pytest.approx(kappa)
    assert bounds.very_negative(T, k, -20, 1) < 0.01
    assert bounds.impossible(T, k, -20) < 0
    assert bounds.impossible(T, k, -1.5 * math.log2(T)) > 0.2
