"""The bounds against 50-digit arithmetic, their limits, and measured regrets."""

import math
import re
from inspect import signature

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mpmath import log, mp, mpf, sqrt

import pmeanlib as pm
from pmeanlib import bounds

mp.dps = 50
horizons = st.floats(1, 40).map(lambda e: 10.0**e)
arms = st.integers(2, 500)
means = st.floats(0.05, 1)


def exact_period(T, k, p):
    c = mpf(k) ** p if p < 0 else mpf(k) ** (p if p > 0 else 1) / log(k)
    return 16 * sqrt(T * log(T) * c)


@given(horizons, arms, st.floats(0.01, 3), means, st.floats(0.1, 1))
def test_theorem_4(T, k, q, mu_star, share):
    mu_min = share * mu_star
    T_, mu = mpf(T), mpf(mu_star)
    T_tilde = exact_period(T_, k, -q)
    c, k_q = 2 / mpf(mu_min) ** q, mpf(k) ** q
    if q < 1:
        exact = (
            6 * sqrt(2 * k * log(T_)) / sqrt(T_tilde)
            + (k_q - 1) * T_tilde / (q * T_)
            + c / (q * T_)
        )
    else:
        inner = (k_q - 1) * T_tilde / T_ + c / T_
        inner += 6 * mpf(q) * sqrt(2 * k * log(T_)) / (sqrt(T_tilde) * mu)
        exact = mu * inner ** (1 / mpf(q))
    got = bounds.negative_p(T, k, -q, mu_star, mu_min)
    assert abs(got - exact) <= 1e-11 * exact


@given(horizons, arms, st.floats(1e-9, 1))
def test_theorem_5(T, k, p):
    T_, k_p = mpf(T), mpf(k) ** p
    exact = 16 * (k_p - 1) * sqrt(T_ * k_p * log(T_)) / (p * k_p * T_ * sqrt(log(k)))
    exact += 6 * sqrt(k * log(T_) / T_) + 4 / (p * T_)
    assert abs(bounds.positive_p(T, k, p) - exact) <= 1e-11 * exact


@given(horizons, arms)
def test_theorem_6(T, k):
    exact = 32 * sqrt(k * log(k) * log(mpf(T)) / mpf(T)) + 4 / mpf(T)
    assert abs(bounds.nash(T, k) - exact) <= 1e-12 * exact
    assert bounds.paper(T, k, 0, 1, 1) == bounds.nash(T, k)


@given(
    st.floats(8, 40),
    st.integers(2, 50),
    st.floats(-3, 1).filter(lambda p: p == 0 or abs(p) > 1e-9),  # the oracle cancels
    st.floats(0.5, 1),
)
def test_theorem_u(log10_T, k, p, mu_star):
    T = 10.0**log10_T
    T_, mu, b = mpf(T), mpf(mu_star), 4 + sqrt(mpf(3) / 2)
    least = 8 * b**2 * k * log(T_) / mu**2
    assert abs(bounds.least_exploration(T, k, mu_star) - least) <= 1e-12 * least
    T_tilde = float(least) * 1.5

    def L(a):  # noqa: N802
        return log(a) if p == 0 else (1 - mpf(a) ** -p) / p

    exact = mu * L(k) * mpf(T_tilde) / T_ + mu / T_
    exact += 2 * L(2) * b * sqrt((k - 1) * log(T_) / T_)
    assert abs(bounds.unified(T, k, p, mu_star, T_tilde) - exact) <= 1e-9 * exact


# -- assumptions and horizons, the numbers the chapters state -----------------------


@given(horizons, arms, st.floats(-2, 1))
def test_remark_1_is_an_identity(T, k, p):
    """At the floor of Assumption 1 and the second term of Assumption 2 it is exact."""
    mu_min = 1 / bounds.assumption_1(T, k, 1.0)
    T_tilde = 16 * T**0.25 / math.sqrt(math.log(k))
    assert mu_min == pytest.approx(128 * math.sqrt(k * math.log(T) / T_tilde))
    factor = mu_min / (128 * math.sqrt(k * math.log(T) / bounds.period(T, k, p)))
    assert bounds.raw.remark_1(T, k, p, mu_min) == pytest.approx(factor)


@given(horizons, arms, st.floats(-2, 1), means)
def test_the_assumptions_are_their_formulas(T, k, p, mu_min):
    T_, T_tilde = mpf(T), exact_period(mpf(T), k, p)
    assert bounds.period(T, k, p) == pytest.approx(float(T_tilde))
    asked = 32 * sqrt(k * log(T_) * sqrt(log(k)) / T_ ** mpf("0.25"))
    assert bounds.assumption_1(T, k, mu_min) == pytest.approx(float(mu_min / asked))
    asked = 8 * k * log(T_ * k) + 16 * sqrt(sqrt(T_) / log(k))
    assert bounds.assumption_2(T, k, p) == pytest.approx(float(T_tilde / asked))


def test_smallest_horizon_at_its_ends():
    assert bounds.smallest_horizon(lambda T: True) == 2
    assert bounds.smallest_horizon(lambda T: False) == math.inf
    bumpy = lambda T: T < 10 or T > 1e6  # noqa: E731
    assert bounds.smallest_horizon(bumpy) == pytest.approx(1e6, rel=1e-5)


# -- very negative p ----------------------------------------------------------------


@given(st.floats(16, 40), st.integers(2, 50), st.floats(2, 30), st.floats(0.5, 1))
def test_theorem_c_prime_is_theorem_u_at_one_over_q(log10_T, k, q, mu_star):
    """With x0 = 1/q, the least T~ for it and one round more, q = 2 included."""
    T, q, mu, b = mpf(10.0**log10_T), mpf(q), mpf(mu_star), 4 + sqrt(mpf(3) / 2)
    T_tilde = 2 * b**2 * k * log(T) * (q / mu) ** 2 + 1
    assume(T_tilde <= T)
    blind = mu * (mpf(k) ** q - 1) / q * T_tilde / T
    price = (1 - 1 / q) ** -q - 1
    exact = blind + price * b * sqrt((k - 1) * log(T) / T) + mu / T
    got = bounds.very_negative(float(T), k, -float(q), mu_star)
    assert abs(got - exact) <= 1e-9 * exact


def test_theorem_c_prime_begins_at_q_2_and_where_exploration_fits():
    for q in (2, 3):
        T = bounds.smallest_horizon(
            lambda x, p=-q: bounds.very_negative(x, 5, p, 0.9) >= 0
        )
        b = 4 + math.sqrt(1.5)
        assert pytest.approx(2 * b**2 * 5 * math.log(T) * (q / 0.9) ** 2, rel=1e-3) == T


# -- arguments ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: bounds.nash(1, 2), "T must be a number in .*, got 1"),
        (lambda: bounds.nash(100, 1), r"k must be a whole number in \[2, .*, got 1"),
        (lambda: bounds.positive_p(100, 2, 0), "p must be positive, got 0"),
        (lambda: bounds.negative_p(100, 2, 0.5, 1, 1), "p must be negative, got 0.5"),
        (lambda: bounds.negative_p(100, 2, -1, 0.5, 0.6), "mu_min must be"),
        (lambda: bounds.unified(1e6, 2, 0, 0.9, 5), "T_tilde must be .* in"),
        (lambda: bounds.unified(1e6, 2, 0, 0.9, 5e6), "T_tilde must be .* in"),
        (lambda: bounds.very_negative(1e9, 2, -1, 0.9), "p must be .* at most -2"),
        (
            lambda: bounds.least_exploration(1e6, 2, 0.9, 4, 0.6),
            "x0 must be .*, got 0.6",
        ),
        (lambda: bounds.impossible(1e6, 2, 0), "p must be negative"),
        (lambda: bounds.impossible(1e6, 2, -1, -1), r"eps must be .* \[0, 1\], got -1"),
        (lambda: bounds.paper(1e6, 2, math.nan, 1, 1), "p must be .* 1], got nan"),
        (lambda: bounds.remark_1(1e6, 5, -1, -1), r"mu_min must be .*e-100, 1\], got"),
        (lambda: bounds.nash(1e6, 10**400), "k must be a whole number in .*, got 1000"),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_formula_may_ask_for_what_has_a_domain_alone():
    with pytest.raises(ValueError, match=r"of a bound must be .*, got 'horizon'"):
        bounds.check_arguments(lambda T, horizon: T)


@pytest.mark.parametrize("most", [math.inf, math.nan, -1, 0, 1, 1e300, "x", None])
def test_smallest_horizon_ends_whatever_is_asked(most):
    with pytest.raises(
        ValueError, match=r"most must be a number in \[2, 1e\+299\], got"
    ):
        bounds.smallest_horizon(lambda T: True, most)


def tall(low, high):
    """Floats whose logarithm is spread evenly, both ends included."""
    spread = st.floats(math.log10(low), math.log10(high)).map(lambda e: 10.0**e)
    return st.sampled_from([low, high]) | spread.map(lambda x: min(max(x, low), high))


POINT = {
    "T": tall(2.0, 1e300),
    "k": st.sampled_from([2, 3, 50, 10**6]) | st.integers(2, 10**6),
    "p": tall(5e-324, 1e300).map(lambda q: -q) | st.floats(-9, 1) | tall(5e-324, 1.0),
    "mu_star": tall(1e-100, 1.0),
    "mu_min": tall(1e-100, 1.0),
    "T_tilde": tall(1e-300, 1e300),
    "T_0": tall(2.0, 1e300),
    "width": tall(2.0, 1e9),
    "eps": tall(1e-300, 1.0) | st.just(0.0),
    "x0": tall(1e-9, 1 - 1e-12),
}
FORMULAS = sorted(vars(bounds.raw))


def value_or_refusal(formula, point):
    try:
        return formula(**{name: point[name] for name in signature(formula).parameters})
    except ValueError as error:
        return str(error)


@given(st.fixed_dictionaries(POINT))
@settings(max_examples=1000)
def test_a_number_or_a_refusal_at_the_ends_of_the_world(point):
    for name in FORMULAS:
        value = value_or_refusal(getattr(bounds, name), point)
        if isinstance(value, str):
            assert re.match(r"\w+ must be .*, got ", value)
            continue
        assert type(value) is float
        assert value <= 1 if name == "impossible" else value >= 0  # hence not nan
        assert value < math.inf or not name.startswith(("assumption", "remark"))


# -- Theorem R and Corollary F ---------------------------------------------------------


@given(
    st.lists(st.floats(0, 1), min_size=1, max_size=30),
    st.floats(1e-6, 0.9999),
    st.floats(-30, 1),
)
def test_p_mean_regret_is_at_most_its_price_times_regret(shares, x0, p):
    """Theorem R: R_1 <= R_p <= price(p, x0) R_1 for every profile above (1 - x0)."""
    mu_t = 1 - x0 * np.array(shares)
    ordinary, fair = (pm.p_mean_regret(mu_t, 1, e) for e in (1, p))
    assert ordinary <= fair + 1e-14
    assert fair <= bounds.price(p, x0) * ordinary * (1 + 1e-9) + 1e-14


@pytest.mark.parametrize("p", [1, 0.5, 0, -1, -2, -7.5])
@pytest.mark.parametrize("x0", [1e-9, 0.01, 0.5, 0.98])
def test_the_price_is_approached_and_opens_at_one(p, x0):
    """A few rounds at x0, all others perfect, come as near as one likes."""
    T = 10**6
    mu_t = np.concatenate([[1 - x0], np.ones(T - 1)])
    price = bounds.price(p, x0)
    share = (1 - (1 - x0) ** p) / p if p else -math.log(1 - x0)
    assert price * x0 == pytest.approx(share, rel=1e-6)
    if x0 ** (1 - min(p, 0)) / T < 1e-3 and price < 1e3:
        assert pm.p_mean_regret(mu_t, 1, p) * T == pytest.approx(share, rel=2e-3)
    assert bounds.price(p, 1e-9) == pytest.approx(1, abs=1e-8)


@pytest.mark.parametrize(
    ("p", "k", "mu_star"), [(1, 2, 0.9), (0, 10, 0.5), (-5, 2, 0.9)]
)
@pytest.mark.parametrize("width", [math.sqrt(1.5), 4.0])
def test_the_best_x0_is_the_best_of_many(p, k, mu_star, width):
    T = 1e10

    def bound(x0):
        T_tilde = bounds.least_exploration(T, k, mu_star, width, x0)
        return bounds.unified(T, k, p, mu_star, T_tilde, width, x0)

    best = bounds.best_x0(T, k, p, mu_star, width)
    others = np.linspace(0.02, 0.5, 200)
    assert bound(best) <= min(map(bound, others)) * (1 + 1e-12)


def test_what_is_not_told_is_width_4_and_the_clock_of_two_rounds():
    T, k, p, mu_star = 1e10, 3, -1, 0.9
    told = bounds.best_x0(T, k, p, mu_star, 4.0)
    assert bounds.best_x0(T, k, p, mu_star) == told
    told = bounds.anytime(T, k, p, mu_star, 2, 4.0)
    assert bounds.anytime(T, k, p, mu_star) == told
    assert bounds.impossible(T, k, -40) == bounds.impossible(T, k, -40, 0.0)


@given(horizons, arms, st.floats(1, 1e6), st.floats(0, 1))
def test_proposition_l_is_its_formula(T, k, q, eps):
    exact = 1 - mpf(T) ** (1 / mpf(q)) * (1 / mpf(k) + mpf(eps))
    got = bounds.impossible(T, k, -q, eps)
    assert got == pytest.approx(float(exact), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("T_0", [2, 100])
def test_theorem_d_is_theorem_u_but_for_the_clock(T_0):
    """By hand at p = -1, k = 2; and, for large T, Theorem U's leading term."""
    T, b, x = 10**6, 4 + math.sqrt(1.5), 0.50002
    clock = math.log(2 * T + T_0)
    N = math.ceil(8 * b**2 * 2 * clock / 0.64)
    later = b * math.sqrt(clock / T) + 0.02 * 0.8 / T
    by_hand = 0.8 * N / T + later / (1 - x)  # L_2(-1) = 1, the price is 1 / (1 - x0)
    assert bounds.anytime(T, 2, -1, 0.8, T_0) == pytest.approx(by_hand, rel=1e-12)
    for p in (1, 0, -2):
        T = 1e30
        T_tilde = math.ceil(bounds.least_exploration(T, 5, 0.8))
        known = bounds.unified(T, 5, p, 0.8, T_tilde)
        unknown = bounds.anytime(T, 5, p, 0.8, T_0)
        assert 1 < unknown / known < 1.01


def test_theorem_d_says_nothing_before_exploration_ends():
    """Then all rounds are blind, and their cost is the whole bound, and more."""
    assert bounds.anytime(1000, 3, 0, 0.5) > 0.5 * math.log(3)
