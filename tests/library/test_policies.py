"""The exploration period of the paper's Table 1, and policies as frozen values."""

import math
import pickle
import sys
import tempfile
from pathlib import Path

import cloudpickle
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

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
        (lambda: pm.thinning(1e15, 2), "T must be .* in .1, 5e.11., got 1000"),
        (lambda: pm.thinning(9, 1), "k must be .*, got 1"),
        (lambda: pm.ucb1(width=-1), "width must be a number"),
        (lambda: pm.ucb1(order="zigzag"), "order must be one of fixed, random"),
        (lambda: pm.Policy("x", max), "index must be made by pmeanlib.index"),
        (lambda: pm.index(lambda m: m), "argument of an index must be .*, got 'm'"),
        (lambda: pm.index(lambda mu_hat: mu_hat.upper()), "that numba compiles"),
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


# -- fingerprints, and an index that goes wrong ----------------------------------------

FACTOR = 0.1


def _reads_a_global(mu_hat, pulls, log_T):
    return mu_hat + FACTOR * math.sqrt(log_T / pulls)


def test_a_fingerprint_is_that_of_the_compiled_code(monkeypatch):
    """F1: what an index reads is frozen when it is decorated."""
    module = sys.modules[__name__]
    narrow = pm.index(_reads_a_global)
    before = narrow.fingerprint
    monkeypatch.setattr(module, "FACTOR", 3.0)
    assert narrow.fingerprint == before
    wide = pm.index(_reads_a_global)
    assert wide.fingerprint != before
    arms, (a, b) = pm.bernoulli([0.3, 0.9]), (pm.Policy("x", i) for i in (narrow, wide))
    few, many = (pm.simulate(arms, policy, 500, 4, 1).pulls[0] for policy in (a, b))
    assert few < many
    assert pickle.loads(pickle.dumps(wide)).fingerprint == wide.fingerprint
    with pytest.raises(ValueError, match="must be decorated again"):
        pickle.loads(pickle.dumps(narrow))


def test_an_array_changed_in_place_changes_no_fingerprint():
    table = np.array([0.1, 0.2])
    rule = pm.index(lambda mu_hat, pulls, log_T: mu_hat + table[0] / pulls)
    before = rule.fingerprint
    table[0] = 5.0
    assert rule.fingerprint == before
    with pytest.raises(ValueError, match="must be decorated again"):
        pickle.loads(cloudpickle.dumps(rule))


def test_an_index_that_raises_is_an_error_and_no_number():
    """F2"""

    @pm.index
    def tired(mu_hat, pulls, log_T):
        if pulls > 100:
            raise ValueError("no more")
        return mu_hat

    policy = pm.Policy("tired", tired)
    message = "index of tired must be a number, got ValueError: no more at mu_hat"
    with pytest.raises(ValueError, match=message):
        pm.simulate(pm.bernoulli([0.5, 0.9]), policy, 1000, 4, 1)
    setting = pm.Setting(pm.bernoulli([0.5, 0.9]), policy, 1000, 4, 1, (0,))
    with tempfile.TemporaryDirectory() as folder:
        with pytest.raises(ValueError, match=message):
            pm.sweep([setting], store=Path(folder))
        assert not list(Path(folder).iterdir())


def test_an_index_that_is_no_number_is_told_with_its_place():
    nan = pm.index(lambda mu_hat, pulls, log_T: math.sqrt(mu_hat - 0.5))
    with pytest.raises(ValueError, match=r"got (nan|.*domain.*) at mu_hat = 0"):
        pm.play(pm.bernoulli([0.0, 0.0]), pm.Policy("x", nan), 100, 1)


def _helped(factor):
    @njit
    def helper(x, c=factor):
        return c * x

    return pm.index(lambda mu_hat, pulls, log_T: mu_hat + helper(1.0 / pulls))


def test_a_fingerprint_knows_default_arguments():
    """F7"""
    assert _helped(0.1).fingerprint != _helped(3.0).fingerprint


def _draws(mu_hat, pulls, log_T):
    return mu_hat + np.random.random()  # noqa: NPY002


def test_an_index_must_not_draw_random_numbers():
    """F7: nobody could repeat it."""
    with pytest.raises(ValueError, match="must not draw random numbers"):
        pm.index(_draws)
    helper = njit(lambda: np.random.random())  # noqa: NPY002
    with pytest.raises(ValueError, match="must not draw random numbers"):
        pm.index(lambda mu_hat, pulls, log_T: mu_hat + helper())


def test_whole_numbers_are_made_whole_and_seeds_are_taken():
    """F8"""
    policy = pm.Policy("x", pm.ucb_index, T_tilde=10.0)
    assert isinstance(policy.T_tilde, int)
    arms = pm.bernoulli([0.2, 0.9])
    run = pm.play(arms, policy, 50, rng=1)
    assert (run.arms == pm.play(arms, policy, 50, np.random.default_rng(1)).arms).all()
    with pytest.raises(ValueError, match=r"rng .* must be a whole number"):
        pm.play(arms, policy, 50, rng="x")


def _undefined(mu_hat, pulls, log_T):
    return mu_hat + no_such_name  # noqa: F821


def _imports(mu_hat, pulls, log_T):
    import math as m

    return m.sqrt(mu_hat)


def _opens(mu_hat, pulls, log_T):
    with open("x") as file:
        return float(file.read())


def _class(mu_hat, pulls, log_T):
    class Thing:
        pass

    return mu_hat


@pytest.mark.parametrize("bad", [_undefined, _imports, _opens, _class])
def test_what_numba_cannot_compile_is_refused_with_its_reason(bad):
    """F13"""
    with pytest.raises(ValueError, match=r"numba compiles; it says: .{10}") as e:
        pm.index(bad)
    assert "During: Pass" not in str(e.value)
    if bad is _undefined:
        assert "no_such_name" in str(e.value)


def test_a_rule_is_given_nothing_else():
    """F13: defaults are not taken for arguments."""
    with pytest.raises(ValueError, match=r"noise, belief, got 'c'"):
        pm.index(lambda mu_hat, pulls, log_T, c=2.0: mu_hat + c)


def test_names_may_come_in_any_order():
    """Two ways to write one index play the same arms."""
    one = pm.index(lambda pulls, width, mu_hat, log_T: mu_hat + width * log_T / pulls)
    other = pm.index(lambda mu_hat, pulls, log_T, width: mu_hat + width * log_T / pulls)
    arms = pm.bernoulli([0.2, 0.5, 0.6])
    runs = [
        pm.play(arms, pm.Policy("x", rule, 0.1), 300, 1).arms for rule in (one, other)
    ]
    assert (runs[0] == runs[1]).all()
