"""p_mean and p_mean_regret against 50-digit arithmetic, closed forms, inequalities."""

import math
import warnings
from itertools import pairwise

import numpy as np
import pytest
import stress_welfare
from hypothesis import example, given
from hypothesis import strategies as st
from mpmath import betainc, mpf
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
from pmeanlib.estimates import Estimate, Profile, jackknife, legend, t_quantile

exponents = st.builds(
    lambda sign, power: sign * 10.0**power,
    st.sampled_from([-1, 1]),
    st.floats(-12, 6),
) | st.sampled_from([0.0, 1.0, -1.0, 2.0, 0.5])
magnitudes = st.floats(-300, 300).map(lambda e: 10.0**e)
vectors = st.lists(magnitudes, min_size=1, max_size=12)
close = st.lists(st.floats(0.4, 1.0), min_size=1, max_size=12)


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


def test_all_powers_underflow_at_a_large_p():
    assert p_mean([0.5] * 10, 2000) == 0.5
    assert p_mean([0.5, 0.25], 2000) == pytest.approx(0.5 * 0.5 ** (1 / 2000))


def test_a_zero_counts_however_near_p_is_to_0():
    x = np.r_[0.0, np.ones(200)]
    assert p_mean(x, 1e-31) == p_mean_regret(x, 1, 1e-31) - 1 == 0
    assert p_mean(x, 0.01) == pytest.approx((200 / 201) ** 100)
    tiny = p_mean([0.0, 1.0], 1e-31, weights=[1e-31, 1])
    assert tiny == pytest.approx(math.exp(-1))


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


@given(vectors | close, exponents)
@example([1e300, 1e-300], 1e-12)
@example([1e300, 1e-300], -1e-12)
@example([1e-300, 1e300, 1e300], 1e-3)
def test_twelve_digits_for_any_p(x, p):
    exact = exact_p_mean(x, p)
    assert abs(p_mean(x, p) - exact) <= 1e-12 * exact


@pytest.mark.parametrize(
    "p", [-1e6, -3, -1, -1e-2, -1e-12, 0, 1e-12, 1e-3, 0.5, 2, 1e6]
)
def test_twelve_digits_for_a_million_values(p, rng):
    distinct = 10 ** rng.uniform(-300, 300, 500)
    counts = rng.multinomial(10**6, np.ones(500) / 500)
    x = rng.permutation(np.repeat(distinct, counts))
    exact = exact_p_mean(distinct, p, counts)
    assert abs(p_mean(x, p) - exact) <= 1e-12 * exact


@pytest.mark.parametrize("p", [0.25, 1, 3])
def test_one_large_value_among_a_million_small_ones(p):
    x = np.full(10**6, 1e-300)
    x[123] = 0.7
    assert p_mean(x, p) == pytest.approx(0.7 * 1e-6 ** (1 / p), rel=1e-12)


@given(vectors | close, st.lists(exponents, min_size=2, max_size=6))
def test_rises_with_p(x, ps):
    means = [p_mean(x, p) for p in [-math.inf, *sorted(ps), math.inf]]
    assert all(a <= b * (1 + 1e-12) for a, b in pairwise(means))
    assert means[0] == min(x)
    assert means[-1] == max(x)


@pytest.mark.parametrize("p", [-math.inf, -1e6, -1, -1e-12, 0])
def test_a_zero_rules_every_p_up_to_0(p):
    assert p_mean([0.0, 0.5, 1.0], p) == 0


def test_zeros_for_positive_p():
    assert p_mean([0.0, 1.0], 1) == 0.5
    assert p_mean([0.0, 1.0], 0.5) == pytest.approx(0.25, rel=1e-14)
    assert p_mean([0.0, 1.0], 1e-12) == 0
    assert p_mean([0.0, 0.0], 1) == 0


@given(st.lists(st.tuples(magnitudes, st.integers(0, 4)), min_size=1), exponents)
def test_whole_weights_are_repetitions(pairs, p):
    x, w = (np.array(v, float) for v in zip(*pairs))
    if w.sum() == 0:
        with pytest.raises(ValueError, match="weights must have a positive sum"):
            p_mean(x, p, weights=w)
        return
    repeated = p_mean(np.repeat(x, w.astype(int)), p)
    assert p_mean(x, p, weights=w) == pytest.approx(repeated, rel=2e-12)


@pytest.mark.parametrize("p", [-math.inf, -2, 0, 1e-9, 1, math.inf])
def test_axis_and_weights_along_it(p, rng):
    x, w = rng.uniform(size=(4, 5, 6)), rng.uniform(size=5)
    expected = [[p_mean(x[i, :, j], p, w) for j in range(6)] for i in range(4)]
    np.testing.assert_allclose(p_mean(x, p, w, axis=1), expected, rtol=1e-13)
    np.testing.assert_allclose(p_mean(x, p, w, axis=-2), expected, rtol=1e-13)


@pytest.mark.parametrize("p", [-2, 0, 1])
@pytest.mark.parametrize("axis", [None, 0, 1])
def test_two_axes(p, axis, rng):
    """A square, where an axis that is mistaken for the other raises no error."""
    x, w = rng.uniform(0.1, 1, (4, 4)), rng.uniform(0.1, 1, (4, 4))
    if axis is None:
        assert p_mean(x, p) == pytest.approx(float(exact_p_mean(x.ravel(), p)))
        exact = exact_p_mean(x.ravel(), p, w.ravel())
        assert p_mean(x, p, w) == pytest.approx(float(exact))
        return
    lines, heavy = (x, w) if axis == 1 else (x.T, w.T)
    expected = {
        "no weights": (p_mean(x, p, axis=axis), [None] * 4),
        "of full shape": (p_mean(x, p, w, axis=axis), heavy),
        "one per entry": (p_mean(x, p, w[0], axis=axis), [w[0]] * 4),
    }
    for name, (found, weights) in expected.items():
        exact = [float(exact_p_mean(*each)) for each in zip(lines, [p] * 4, weights)]
        np.testing.assert_allclose(found, exact, rtol=1e-13, err_msg=name)


def test_the_axis_of_square_weights_is_the_axis_of_x():
    found = p_mean([[0.0, 1.0], [0.5, 0.5]], 1, [[1, 1], [3, 5]], axis=0)
    np.testing.assert_allclose(found, [3 / 8, 7 / 12])


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


@given(
    st.floats(0.01, 1),
    st.lists(st.floats(0, 1), min_size=1, max_size=12),
    exponents.filter(lambda p: p <= 1),
)
def test_regret_is_the_definition(mu_star, fractions, p):
    mu_t = np.array(fractions) * mu_star
    exact = mpf(mu_star)
    if p > 0 or mu_t.min() > 0:
        exact -= exact_p_mean(mu_t, p)
    assert abs(p_mean_regret(mu_t, mu_star, p) - exact) <= 1e-12 * abs(exact)


@pytest.mark.parametrize("p", [1, 0.5, 1e-9, 0, -1e-9, -1, -30, -1e6])
@pytest.mark.parametrize("tiny", [1e-9, 1e-12, 1e-15])
def test_a_tiny_regret_keeps_its_digits(p, tiny, rng):
    mu_star = 0.7
    mu_t = mu_star * (1 - tiny * rng.uniform(size=200))
    exact = mpf(mu_star) - exact_p_mean(mu_t, p)
    assert abs(p_mean_regret(mu_t, mu_star, p) - exact) <= 1e-12 * exact


@pytest.mark.parametrize("p", [-40, -3, -1, -1e-12, 0, 1e-12, 0.5, 1])
@pytest.mark.parametrize("worst", [1e-1, 1e-9])
def test_long_profiles_are_measured_block_by_block(p, worst, rng):
    """Sorted, so that no two blocks of rounds are alike; each distinct value once."""
    distinct = 0.9 * (1 - worst * rng.uniform(0, 1, 300))
    counts = rng.multinomial(10**6 + 12_345, np.ones(300) / 300)
    mu_t = np.sort(np.repeat(distinct, counts))
    exact = mpf(0.9) - exact_p_mean(distinct, p, counts)
    assert abs(p_mean_regret(mu_t, 0.9, p) - exact) <= 1e-11 * exact + 1e-16 * worst


@pytest.mark.parametrize("p", [0.25, 0.5, 1])
def test_long_profiles_with_blocks_of_zeros(p):
    mu_t = np.repeat([0.0, 0.8], [10**6, 10**6])
    exact = 0.9 - 0.8 * 0.5 ** (1 / p)
    assert p_mean_regret(mu_t, 0.9, p) == pytest.approx(exact, rel=1e-12)
    assert p_mean_regret(mu_t, 0.9, -p) == 0.9


def test_one_bad_round_among_many_good_ones():
    mu_t = np.full(10**6, 0.5)
    mu_t[0] = 0.5 / 9
    exact = mpf(0.5) - exact_p_mean([0.5, 0.5 / 9], -1, [10**6 - 1, 1])
    assert p_mean_regret(mu_t, 0.5, -1) == pytest.approx(float(exact), rel=1e-12)


def test_regret_at_the_ends():
    mu_t = [0.2, 0.5, 0.4]
    assert p_mean_regret(mu_t, 0.5, -math.inf) == pytest.approx(0.3)
    assert p_mean_regret([0.5, 0.5], 0.5, -3) == 0
    assert p_mean_regret([0.6], 0.5, 0) == pytest.approx(-0.1)


# -- error bars -----------------------------------------------------------


def test_jackknife_of_a_mean_is_the_textbook_standard_error(rng):
    x = rng.normal(size=40)
    left_out = [np.delete(x, i).mean() for i in range(40)]
    estimate = jackknife(x.mean(), left_out, np.ones(40))
    assert estimate.standard_error == pytest.approx(x.std(ddof=1) / math.sqrt(40))
    assert estimate.value == pytest.approx(x.mean())


def test_jackknife_removes_the_bias_of_the_variance(rng):
    x = rng.normal(size=25)
    left_out = [np.delete(x, i).var() for i in range(25)]
    estimate = jackknife(x.var(), left_out, np.ones(25))
    assert estimate.value == pytest.approx(x.var(ddof=1))


def test_jackknife_with_unequal_groups_covers_the_truth(rng):
    sizes = np.array([3, 3, 2, 2, 2, 2, 3, 3])
    inside = 0
    for _ in range(1000):
        x = rng.normal(size=sizes.sum())
        groups = np.repeat(np.arange(sizes.size), sizes)
        left_out = [x[groups != g].mean() for g in range(sizes.size)]
        e = jackknife(x.mean(), left_out, sizes)
        inside += abs(e.value) <= 2.365 * e.standard_error  # Student t, 7 degrees, 95%
    assert abs(inside - 950) <= 4 * math.sqrt(1000 * 0.95 * 0.05)


def test_an_error_bar_needs_two_groups():
    with pytest.raises(ValueError, match="n_runs must be at least 2 for an error bar"):
        jackknife(0.5, [0.5], [1])


def profile_of(groups, known=0):
    groups = np.array(groups, float)
    sizes, pulls = np.ones(len(groups), int), np.ones((len(groups), 2), int)
    return Profile(0.9, groups.sum(axis=0), len(groups), 0, known, groups, pulls, sizes)


def test_measured_regret_of_two_runs():
    estimate = measured_regret(profile_of([[0.6, 0.7], [0.4, 0.7]]), 1)
    assert estimate.value == pytest.approx(0.3)
    assert estimate.standard_error == pytest.approx(0.05)
    assert str(Estimate(0.5, 0.25, 0.4)) == "0.50000 ± 0.25000"


def test_a_round_that_pays_next_to_nothing_gives_no_warning():
    """At p = 1 its relative variance, inf, was multiplied by 0 with NumPy's scalars."""
    estimate = measured_regret(profile_of([[1e-305, 0.6], [1e-305, 0.4]]), 1)
    assert estimate.value == pytest.approx(0.65)


def test_profiles_add_up():
    a, b = profile_of([[0.1, 0.5]] * 3), profile_of([[0.7, 0.9]] * 2)
    both = a + b
    assert both.n_runs == 5
    assert both.group_sizes.tolist() == [2, 2, 1]
    np.testing.assert_allclose(both.mu_t, [(0.3 + 1.4) / 5, (1.5 + 1.8) / 5])
    np.testing.assert_allclose(both.group_totals[0], [0.8, 1.4])


def test_a_rare_event_that_nobody_saw_is_not_trusted():
    """Thirty runs, all served badly in one round: a thirty-first might not be."""
    rng = np.random.default_rng(1)
    groups = rng.choice([0.5, 0.9], size=(30, 400))
    for p in (1, 0):
        assert measured_regret(profile_of(groups), p).trusted
    groups[:, 7] = 0.02
    estimate = measured_regret(profile_of(groups), -5)
    assert not estimate.trusted
    assert estimate.runs_needed > 30
    assert "(?)" in f"{estimate:.3f}"
    assert "few rounds carry the sum, about 3,000 runs needed" in str(estimate)
    known = profile_of(groups[:, [7, *range(7), *range(8, 400)]], known=1)
    assert measured_regret(known, -5).doubt < estimate.doubt


def test_runs_for_an_error_and_the_interval():
    estimate = Estimate(0.5, 0.02, 0.5, n_runs=100, n_groups=32)
    assert estimate.runs_for(0.01) == 400
    assert estimate.runs_for(0.1) == estimate.runs_needed == 100
    low, high = estimate.interval
    assert high - low == pytest.approx(2 * 2.0395 * 0.02, rel=1e-4)
    doubtful = Estimate(0.5, 0.02, 0.5, 100, 32, doubt=0.25)
    assert doubtful.runs_needed == 400
    assert Estimate(0.5, 0.0, 0.5, 100, 32, unseen=0.1).runs_needed == 10_000
    assert Estimate(0.5, 0.0, 0.5, 100, 32, unseen=0.1).interval == (0.4, 0.6)
    assert Estimate(0.5, 0.0, 0.5).interval == (0.5, 0.5)
    assert Estimate(0.5, 0.02, 0.5).interval == (-math.inf, math.inf)


FOUR = [
    (Estimate(0.105, 0.003, 0.1, 40, 32), "measured", "0.105 ± 0.003", ""),
    (Estimate(0.105, 1e-6, 0.1, 40, 32), "measured", "0.105 ± <0.001", ""),
    (Estimate(0.105, 0.003, 0.1, 40, 32, 0.25), "doubtful", "0.105 ± 0.003 (?)",
     ": few rounds carry the sum, about 160 runs needed"),
    (Estimate(0.105, 0.0, 0.1, 40, 32), "exact", "0.105 (exact)", ""),
    (Estimate(0.105, 0.0, 0.1, 4_000, 32, unseen=0.002), "unvaried", "0.105 [0.002]",
     ": no run erred in 4,000; errors that none made change it by 0.002 or less"),
]  # fmt: skip


@pytest.mark.parametrize(("estimate", "certainty", "short", "reason"), FOUR)
def test_an_estimate_says_what_it_knows(estimate, certainty, short, reason):
    assert estimate.certainty == certainty
    assert estimate.trusted == (certainty in ("measured", "exact"))
    assert f"{estimate:.3f}" == short
    assert reason in str(estimate)
    assert legend([estimate]).count("\n") == 0
    assert bool(legend([estimate])) == bool(reason)
    again = Estimate.of_row(estimate.row | {"n_runs": estimate.n_runs})
    assert (f"{again:.4f}", again.certainty) == (f"{estimate:.4f}", certainty)
    assert again.runs_needed == pytest.approx(estimate.runs_needed, abs=1)
    assert f"{estimate.times(10):.2f}"[:4] == "1.05"


def test_a_legend_has_one_line_for_each_sign():
    text = legend([e for e, *_ in FOUR] + [Estimate(0, 0.1, 0, 1, 1, doubt=1)])
    assert text.splitlines()[0].endswith("about 64 to 160 runs needed")
    assert text.splitlines()[1].startswith("[x]: no run erred in 4,000; ")
    assert legend([FOUR[0][0], FOUR[3][0]]) == ""


def test_the_doubt_of_one_unknown_round_is_its_formula():
    """Two known rounds and an unknown one, four runs, each a group of its own."""
    seen = np.array([0.2, 0.4, 0.4, 0.8])
    groups = np.column_stack([np.full((4, 2), 0.5), seen])
    p, n, u = -1, 4, seen.mean()
    estimate = measured_regret(profile_of(groups, known=2), p)
    share = u**p / (2 * 0.5**p + u**p)
    v = (seen.var(ddof=1) / n + ((0.9 - u) / n) ** 2) / u**2
    welfare = 0.9 - estimate.plug_in
    doubt = (1 - p) / 2 * welfare * share * v / estimate.standard_error
    assert estimate.doubt == pytest.approx(doubt, rel=1e-12)
    assert doubt > 0.125  # the last round alone makes it doubtful
    assert not estimate.trusted


@pytest.mark.parametrize("low", [0.3, 1e-9, 0.0])
def test_at_p_1_there_is_no_bias_to_doubt(low):
    groups = [[low, 0.6], [low, 0.4], [low, 0.6]]
    estimate = measured_regret(profile_of(groups), 1)
    assert estimate.doubt == 0
    assert estimate.certainty == "measured"


@pytest.mark.parametrize("p", [1, 0.5, 0, -1, -20])
@pytest.mark.parametrize("n", [2, 5, 400])
def test_where_no_run_varies_the_rule_of_three_bounds_what_was_unseen(n, p):
    """All rounds unknown and alike: welfare falls by 3/n of itself, or rises so."""
    rate, profile = min(1, 3 / n), profile_of(np.full((n, 6), 0.6))
    estimate = measured_regret(profile, p)
    assert estimate.certainty == "unvaried"
    assert estimate.unseen == pytest.approx(rate * max(0.6, 0.9 - 0.6))
    assert estimate.standard_error == estimate.doubt == 0
    assert measured_regret(profile_of(np.full((n, 6), 0.6), 6), p).certainty == "exact"


@pytest.mark.parametrize("p", [1, 0, -2])
def test_no_error_as_rare_as_three_in_n_changes_more_than_the_bound(p, rng):
    """Whatever the erring runs play, round by round, in the rounds not known."""
    path, n, known = rng.uniform(0.05, 0.9, size=40), 30, 10
    estimate = measured_regret(profile_of(np.tile(path, (n, 1)), known), p)
    for rate in (0.01, 0.05, 0.1):
        for _ in range(50):
            other = rng.choice([0, 0.3, 0.9], size=40)
            truth = path + rate * (other - path) * (np.arange(40) >= known)
            change = p_mean_regret(truth, 0.9, p) - estimate.value
            assert abs(change) <= estimate.unseen + 1e-12


@pytest.mark.parametrize("df", [1, 2, 3, 4, 7, 31])
def test_students_quantiles(df):
    """Against the distribution function, integrated by mpmath."""
    t = mpf(t_quantile(df))
    x = df / (df + t**2)
    tail = betainc(df / 2, 0.5, 0, x, regularized=True) / 2
    assert float(tail) == pytest.approx(0.025, rel=0.01)


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


@pytest.mark.parametrize("p", [0, -1, -5])
def test_a_round_that_lives_on_one_run_is_not_trusted(p):
    """Without that run its p-mean is 0: the jackknife then says anything."""
    total = np.full(50, 7.2)
    total[10] = 0.9
    groups = np.full((8, 50), 0.9)
    groups[1:, 10] = 0
    pulls, sizes = np.zeros((8, 2), int), np.ones(8, int)
    profile = Profile(0.9, total, 8, 0, 0, groups, pulls, sizes)
    estimate = measured_regret(profile, p)
    assert not estimate.trusted
    assert estimate.runs_needed == 800
