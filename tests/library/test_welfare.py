"""p_mean and p_mean_regret against 50-digit arithmetic, closed forms, inequalities."""

import math
import warnings

import numpy as np
import pytest
import stress_welfare
from hypothesis import example, given
from hypothesis import strategies as st
from mpmath import mpf
from oracles import exact_p_mean

from pmeanlib import (
    Setting,
    bernoulli,
    measured_regret,
    p_mean,
    p_mean_regret,
    random_instance,
    simulate,
    ucb1,
)


@pytest.fixture(autouse=True)
def no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


any_exponent = (
    st.builds(lambda sign, e: sign * 10.0**e, st.sampled_from([-1, 1]),
              st.floats(-300, 308) | st.floats(-35, -25) | st.floats(-3, 3))
    | st.sampled_from([0.0, 1.0, -1.0, math.inf, -math.inf, 2.0**-100])
)  # fmt: skip
any_value = st.floats(0, 1.7e308) | st.floats(0, 1) | st.sampled_from([0.0, 5e-324])


@given(st.lists(any_value, min_size=1, max_size=8), any_exponent)
@example([5e-324, *[1e308] * 7], -1e-12)
@example([5e-324, 1e-320], -1e-3)
@example([0.0, 5e-324, 0.5], 1e-31)
@example([0.7, 0.7 * (1 - 2.0**-52)], 1e-300)
def test_right_to_some_ulps_for_any_floats_and_any_p(x, p):
    assert stress_welfare.p_mean_error(x, p) <= 1
    if p <= 1:
        assert stress_welfare.regret_error(x, 0.7, p) <= 1


@given(st.integers(0, 2**32))
def test_profiles_drawn_as_for_the_stress(seed):
    what, errors = stress_welfare.one_case(np.random.default_rng(seed))
    assert max(errors) <= 1, what


@pytest.mark.parametrize("p", [-150, -400, -3000])
@pytest.mark.parametrize("seed", [9, 20])
def test_profiles_whose_powers_grow_from_block_to_block(p, seed):
    """Hundreds of arms tried in turn: many a shift of the exponents, in any order."""
    rng = np.random.default_rng(seed)
    profile = simulate(random_instance("uniform", 400, rng), ucb1(), 2000, 32, rng)
    estimate = measured_regret(profile, p)
    for mu_t in (profile.mu_t, profile.mu_t[::-1], np.sort(profile.mu_t)):
        error = stress_welfare.regret_error(mu_t, profile.mu_star, p)
        assert error <= 1
    exact = mpf(profile.mu_star) - exact_p_mean(profile.mu_t, p)
    assert estimate.plug_in == pytest.approx(float(exact), rel=1e-12)


@pytest.mark.parametrize(
    "p", [-1e6, -3, -1, -1e-2, -1e-12, 0, 1e-12, 1e-3, 0.5, 2, 1e6]
)
def test_twelve_digits_for_a_million_values(p, rng):
    distinct = 10 ** rng.uniform(-300, 300, 500)
    counts = rng.multinomial(10**6, np.ones(500) / 500)
    x = rng.permutation(np.repeat(distinct, counts))
    exact = exact_p_mean(distinct, p, counts)
    assert abs(p_mean(x, p) - exact) <= 1e-12 * exact


@pytest.mark.parametrize("p", [-2, 0, 1])
@pytest.mark.parametrize("axis", [None, 0, 1, -1])
def test_two_axes(p, axis, rng):
    """A square, where an axis that is mistaken for the other raises no error."""
    x, w = rng.uniform(0.1, 1, (4, 4)), rng.uniform(0.1, 1, (4, 4))
    if axis is None:
        assert p_mean(x, p) == pytest.approx(float(exact_p_mean(x.ravel(), p)))
        exact = exact_p_mean(x.ravel(), p, w.ravel())
        assert p_mean(x, p, w) == pytest.approx(float(exact))
        return
    lines, heavy = (x, w) if axis else (x.T, w.T)
    expected = {
        "no weights": (p_mean(x, p, axis=axis), [None] * 4),
        "of full shape": (p_mean(x, p, w, axis=axis), heavy),
        "one per entry": (p_mean(x, p, w[0], axis=axis), [w[0]] * 4),
    }
    for name, (found, weights) in expected.items():
        exact = [float(exact_p_mean(*each)) for each in zip(lines, [p] * 4, weights)]
        np.testing.assert_allclose(found, exact, rtol=1e-13, err_msg=name)


@pytest.mark.parametrize("p", [2000, 1 + 2**-52, math.inf, math.nan, True, "1", None])
def test_regrets_refuse_a_p_that_is_no_number_of_at_most_1(p):
    arms = bernoulli([0.4, 0.6])
    calls = (
        lambda: p_mean_regret([0.5] * 10, 1.0, p),
        lambda: measured_regret(simulate(arms, ucb1(), 10, 2, 0), p),
        lambda: Setting(arms, ucb1(), 10, 2, 0, (1, p)),
    )
    for call in calls:
        with pytest.raises(ValueError, match="p must be a number of at most 1, got"):
            call()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: p_mean([1, 2], 2, [1, 1e-300]), "weights must be 0 or at"),
        (lambda: p_mean([1, 2], 2, [0, 0]), "weights must have a positive sum"),
        (lambda: p_mean([1, 2], True), "p must be a number, got True"),
        (lambda: p_mean([], 1), "x must hold at least one number, got none"),
        (lambda: p_mean([1, -1], 1), "x must be finite numbers of at least 0, got -1"),
        (lambda: p_mean([1, math.nan], 1), "x must be finite numbers.*got nan"),
        (lambda: p_mean(["a"], 1), "x must be an array of numbers"),
        (lambda: p_mean([1, 2], math.nan), "p must be a number, got nan"),
        (lambda: p_mean([1, 2], "1"), "p must be a number, got '1'"),
        (lambda: p_mean([1, 2], 1, [1]), "weights must have the shape of x"),
        (lambda: p_mean([1, 2], 1, [1, -1]), "weights must be finite numbers"),
        (lambda: p_mean([1, 2], 1, axis=1), "axis must be a whole number in"),
        (lambda: p_mean_regret([1], 0, 1), "mu_star must be a number"),
        (lambda: p_mean_regret([-0.1], 1, 1), "mu_t must be finite numbers"),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


# -- regret ---------------------------------------------------------------


@pytest.mark.parametrize("p", [-40, -3, -1, -1e-12, 0, 1e-12, 0.5, 1])
@pytest.mark.parametrize("worst", [1e-1, 1e-9])
def test_long_profiles_are_measured_block_by_block(p, worst, rng):
    """Sorted, so that no two blocks of rounds are alike; each distinct value once."""
    distinct = 0.9 * (1 - worst * rng.uniform(0, 1, 300))
    counts = rng.multinomial(10**6 + 12_345, np.ones(300) / 300)
    mu_t = np.sort(np.repeat(distinct, counts))
    exact = mpf(0.9) - exact_p_mean(distinct, p, counts)
    assert abs(p_mean_regret(mu_t, 0.9, p) - exact) <= 1e-11 * exact + 1e-16 * worst


@pytest.mark.parametrize("p", [-2, -1, 0, 0.5, 1])
@pytest.mark.parametrize("scale", [1e308, 1e-308, 5e-324])
def test_weights_of_any_size(p, scale):
    """Only their ratios count: sums of large ones overflowed."""
    x, w = [0.2, 0.9, 0.5], np.array([1.0, 3.0, 2.0])
    if scale < 1e-320:
        w = np.ones(3)
    with np.errstate(over="ignore"):
        big = w / w.max() * scale
    assert p_mean(x, p, weights=big) == pytest.approx(
        p_mean(x, p, weights=w), rel=1e-12
    )
