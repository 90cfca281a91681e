"""The exploration period of the paper's Table 1, and policies as frozen values."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pmeanlib as pm


@pytest.mark.parametrize(
    ("T", "k", "p", "formula"),
    [
        (10**6, 50, 1, lambda T, k: 16 * math.sqrt(T * k * math.log(T) / math.log(k))),
        (10**6, 9, 0.5, lambda T, k: 16 * math.sqrt(T * 3 * math.log(T) / math.log(k))),
        (10**6, 50, 0, lambda T, k: 16 * math.sqrt(T * k * math.log(T) / math.log(k))),
        (10**6, 50, -1, lambda T, k: 16 * math.sqrt(T * math.log(T) / k)),
        (10**6, 50, -2, lambda T, k: 16 * math.sqrt(T * math.log(T)) / k),
    ],
)
def test_table_1(T, k, p, formula):
    assert pm.exploration_period(T, k, p) == math.ceil(formula(T, k))


def test_the_period_jumps_at_zero():
    """At p = 0 it is sqrt(k) times its limit from above, and sqrt(log k) from below."""
    T, k = 10**12, 50
    at, above, below = (pm.exploration_period(T, k, p) for p in (0, 1e-12, -1e-12))
    assert at / above == pytest.approx(math.sqrt(k), rel=1e-6)
    assert below / above == pytest.approx(math.sqrt(math.log(k)), rel=1e-6)


def test_the_published_setting_never_stops_exploring():
    T, k = 20_000, 50
    assert pm.exploration_period(T, k, 1) > T
    assert pm.explore_then_ucb(T, k, 1).T_tilde == T
    assert pm.explore_then_ucb(T, k, 1).capped
    assert pm.ncb(T, k).capped
    assert not pm.explore_then_ucb(T, k, -1).capped


def test_exploring_as_long_as_theorem_u_asks():
    """8 (4 + sqrt(3/2))^2 k log T / mu_star^2, rounded up, and never beyond T."""
    T, k, mu_star = 10**6, 4, 0.9
    least = 8 * (4 + math.sqrt(1.5)) ** 2 * k * math.log(T) / mu_star**2
    policy = pm.explore_enough(T, k, mu_star)
    assert policy.T_tilde == math.ceil(least)
    assert not policy.capped
    short = pm.explore_enough(1000, k, mu_star)
    assert (short.T_tilde, short.capped) == (1000, True)


@given(st.integers(2, 10**12), st.integers(2, 1000), st.floats(-1e6, 1))
def test_the_period_is_a_positive_whole_number(T, k, p):
    period = pm.exploration_period(T, k, p)
    assert isinstance(period, int)
    assert period >= 1


def test_extreme_horizons():
    assert pm.exploration_period(1, 2, 0) == 0
    assert pm.exploration_period(10**6, 50, -math.inf) == 1
    expected = 16 * math.sqrt(1e40 * math.log(1e40) / math.log(2) * 2)
    assert pm.exploration_period(10**40, 2, 1) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: pm.exploration_period(10, 1, 0), "k must be .* at least 2, got 1"),
        (lambda: pm.exploration_period(10, 2, 1.5), "p must be .* at most 1, got 1.5"),
        (lambda: pm.exploration_period(10, 2, math.nan), "p must be .*got nan"),
        (lambda: pm.exploration_period(0, 2, 0), "T must be .* at least 1, got 0"),
        (lambda: pm.exploration_period(10.5, 2, 0), "T must be a whole number"),
        (lambda: pm.ucb1(width=-1), "width must be a number"),
        (lambda: pm.ucb1(order="zigzag"), "order must be one of fixed, random"),
        (lambda: pm.Policy("x", max), "index must be made by pmeanlib.index"),
        (lambda: pm.index(lambda mu_hat: mu_hat), "an index must be a function of"),
        (lambda: pm.index(lambda m, n, log_T: m.upper()), "that numba compiles"),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_indices_are_their_formulas():
    log_T = math.log(10_000)
    assert pm.ucb_index(0.5, 25, log_T, 4) == 0.5 + 4 * math.sqrt(log_T / 25)
    assert pm.ncb_index(0.25, 25, log_T, 4) == 0.25 + 4 * math.sqrt(0.25 * log_T / 25)


def test_a_policy_is_a_value():
    assert pm.ucb1() == pm.ucb1(width=4)
    assert pm.ucb1() != pm.ucb1(width=6)
    with pytest.raises(AttributeError):
        pm.ucb1().width = 5
