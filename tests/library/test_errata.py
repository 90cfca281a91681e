"""Every counterexample of the chapter `errata`, each with its place in the paper."""

import math
from itertools import pairwise

import mpmath
import numpy as np
import pytest

import pmeanlib as pm
from pmeanlib import bounds
from pmeanlib.published import ALGORITHMS, EXCHANGED, EXPONENTS, HORIZON, TABLE_2, K

LOG_2 = math.log(2)


def least_horizon_of_assumption_1(k, mu_min):
    return bounds.smallest_horizon(lambda T: bounds.assumption_1(T, k, mu_min) >= 1)


# -- definitions and introduction ---------------------------------------------------


def test_a_transfer_may_matter_less_as_p_falls():
    """Introduction: "the magnitude of this effect intensifies as p decreases"."""
    exponents = (0, -0.5, -1, -5, -10, -50)
    gain = [pm.p_mean([1, 6, 8], p) - pm.p_mean([1, 5, 9], p) for p in exponents]
    assert all(a > b for a, b in pairwise(gain))
    assert gain[-2] > 0
    assert gain[-1] < 1e-12


def test_the_limit_of_large_p_is_the_maximum():
    """Introduction: "p to +infinity ... a more utilitarian perspective"."""
    u = [1, 2, 9]
    assert pm.p_mean(u, math.inf) == 9
    assert abs(pm.p_mean(u, 1e4) - 9) < 0.01
    assert pm.p_mean(u, 1) == 4


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


def test_hoeffding_exponents():
    """Preliminaries "O(T^-4)" and proof of Lemma 1 "2 T^-4": they are 32 and 8."""
    T, s = 1000, 25
    for C, exponent in ((4, 32), (2, 8), (math.sqrt(2), 4), (bounds.DEVIATION, 3)):
        deviation = C * mpmath.sqrt(mpmath.log(T) / s)
        tail = mpmath.exp(-2 * s * deviation**2)
        assert mpmath.almosteq(tail, mpmath.mpf(T) ** -exponent, rel_eps=1e-10)


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


@pytest.mark.parametrize(
    ("k", "mu_min", "T"), [(2, 1, 3.5e19), (2, 0.1, 1.5e28), (50, 1, 1.6e27)]
)
def test_assumption_1_is_not_mild(k, mu_min, T):
    """Abstract: "under mild assumptions"."""
    assert least_horizon_of_assumption_1(k, mu_min) == pytest.approx(T, rel=0.02)
    assert round(1 / bounds.assumption_1(20_000, 50, 1)) == 290


@pytest.mark.parametrize("k", [2, 3, 10, 50, 1000])
def test_assumption_1_carries_the_others(k):
    """Claims (i), (ii) after Remark 1 and T~ <= T hold where Assumption 1 does."""
    start = least_horizon_of_assumption_1(k, 1)
    for T in start * np.geomspace(1, 1e9, 10):
        for p in (1, 0.5, 1e-9, 0, -0.5, -1, -math.log(T) / (2 * math.log(k))):
            assert bounds.period(T, k, p) < T
            assert bounds.assumption_2(T, k, p) > 1


@pytest.mark.parametrize(
    ("k", "p", "period", "asked"),
    [
        (2, -1, 94, 102),
        (10, -1, 595, 855),
        (50, -1, 2125, 6207),
        (50, -0.5, 5649, 6207),
    ],
)
def test_claim_i_fails(k, p, period, asked):
    """Claim (i) after Remark 1, at T = 8 k^2 log k."""
    T = 8 * k**2 * math.log(k)
    needed = 8 * k * math.log(T * k) + 16 * math.sqrt(math.sqrt(T) / math.log(k))
    assert round(bounds.period(T, k, p)) == period < asked == round(needed)


@pytest.mark.parametrize(
    ("p", "smallest"), [(-1, 2), (-0.75, 2), (-0.5, 33), (-0.25, 1735), (1e-9, 573)]
)
def test_where_claim_i_begins_to_fail(p, smallest):
    """Claim (i) after Remark 1."""

    def fails(k):
        return bounds.assumption_2(8 * k**2 * math.log(k), k, p) < 1

    assert next(k for k in range(2, 3000) if fails(k)) == smallest


@pytest.mark.parametrize(
    ("k", "T", "p"), [(50, 78_241, -1.4), (50, 1e7, -2), (10, 1843, -1.6)]
)
def test_claim_ii_fails(k, T, p):
    """Claim (ii) after Remark 1."""
    assert 8 * k**2 * math.log(k) <= T
    assert 1 < -p <= math.log(T) / (2 * math.log(k))
    assert bounds.assumption_2(T, k, p) < 1


@pytest.mark.parametrize(("p", "T"), [(-0.5, 9.54e4), (-1, 7.51e5), (-2, 4.79e7)])
def test_the_least_horizon_of_assumption_2(p, T):
    """Claims (i), (ii) after Remark 1, k = 50."""
    least = bounds.smallest_horizon(lambda T: bounds.assumption_2(T, 50, p) >= 1)
    assert least == pytest.approx(T, rel=0.002)
    assert bounds.period(least, 50, p) < least


def test_exploration_is_shorter_below_zero_and_jumps_at_zero():
    """Table 1 and "for more negative values of p ... a shorter exploration phase"."""
    T, k = 1e6, 50
    below_zero = [bounds.period(T, k, p) for p in (-1e-12, -0.5, -1, -2, -5)]
    assert all(a > b for a, b in pairwise(below_zero))
    above, at, below = (bounds.period(T, k, p) for p in (1e-12, 0, -1e-12))
    assert at == bounds.period(T, k, 1)
    assert at / above == pytest.approx(math.sqrt(k), rel=1e-9)
    assert below / above == pytest.approx(math.sqrt(math.log(k)), rel=1e-9)


@pytest.mark.parametrize(("p", "T"), [(1, 34_155), (0, 34_155), (0.5, 3816)])
def test_exploration_may_be_longer_than_the_game(p, T):
    """Table 1: T~ has no cap; k = 50."""
    assert bounds.period(T - 2, 50, p) > T - 2
    assert bounds.period(T + 2, 50, p) < T + 2


def test_some_arms_may_be_unsampled_after_exploration():
    """Algorithm 1: the index divides by n_i; k = 50, T = 20,000, p = -2."""
    T_tilde = int(bounds.period(20_000, 50, -2))
    assert 2.8 < 50 * (1 - 1 / 50) ** T_tilde < 2.9


@pytest.mark.parametrize("k", [2, 5, 50])
@pytest.mark.parametrize("p", [1, 0.5, 0, -0.5, -1, -3])
def test_without_room_for_phase_2_the_bounds_hold_trivially(k, p):
    """Theorems 4, 5, 6: T~ <= T is not among the hypotheses."""
    short = [T for T in range(2, 5000, 7) if bounds.period(T, k, p) > T]
    assert short or 256 * k**p < math.e  # T / log T is never below e
    for T in short:
        assert bounds.paper(T, k, p, 1, 1) >= 1 - 1 / k


# -- Theorem 4 ----------------------------------------------------------------------


def test_bernoulli_is_reversed():
    """Theorem 4 before (*_1), q < 1; Theorem 5 before the second bound on y."""
    assert math.sqrt(1 - 0.25) < 1 - 0.5 * 0.25
    for a in (0.01, 0.3, 0.5, 0.99):
        for b in (0.01, 0.1, 0.5, 0.9):
            assert (1 - b) ** a < 1 - a * b
    for a in (1.5, 3):
        for b in (0.01, 0.1, 0.5, 0.9):
            assert (1 - b) ** a > 1 - a * b


def test_the_exponent_of_k():
    """Theorem 4, last line for q >= 1: "1/4 + 1/(2q) <= 1/2"."""
    exponent = {q: 1 / 4 + 1 / (2 * q) for q in (1, 1.5, 1.99, 2, 3)}
    assert exponent[1] == 0.75
    assert min(exponent[1.5], exponent[1.99]) > 0.5
    assert exponent[3] < exponent[2] == 0.5


def test_one_minus_z_may_be_negative():
    """Theorem 4 at (*_2): "in (0, 1)", under Assumptions 1 and 2."""
    k, T, q = 2, 1e40, 20
    mu_min = 1 / bounds.assumption_1(T, k, 1) * (1 + 1e-12)
    assert bounds.assumption_1(T, k, mu_min) >= 1
    assert bounds.assumption_2(T, k, -q) > 1
    assert q < math.log(T) / (2 * math.log(k))
    assert 2 / mu_min**q / T > 2e8
    assert (50**2 - 1) * bounds.period(20_000, 50, -2) / 20_000 > 17


@pytest.mark.parametrize(
    ("k", "T", "q", "root", "claimed"),
    [(2, 1e40, 20, 2.61, 0.447), (10, 1e60, 12, 0.229, 0.178)],
)
def test_c_is_not_a_constant(k, T, q, root, claimed):
    """Theorem 4, last line for q >= 1: c = 2 / mu_min^q is absorbed in O~."""
    mu_min = 1 / bounds.assumption_1(T, k, 1)
    assert (2 / mu_min**q / T) ** (1 / q) == pytest.approx(root, abs=0.005)
    assert math.sqrt(k) * T ** (-1 / (4 * q)) == pytest.approx(claimed, abs=0.005)
    assert root > claimed


@pytest.mark.parametrize(("q", "outgrows"), [(5, False), (7, True), (9, True)])
def test_from_which_q_c_breaks_the_rate(q, outgrows):
    """Theorem 4, last line for q >= 1: the ratio of the two terms grows iff q > 6."""

    def log_ratio(log_T):
        log_mu_min = math.log(32) + math.log(2 * log_T * math.sqrt(LOG_2)) / 2
        log_mu_min -= log_T / 8
        return (LOG_2 - log_T) / q - log_mu_min + log_T / (4 * q)

    assert (log_ratio(1e6) > log_ratio(1e5) > 0) == outgrows


def test_q_beta_over_mu_star_may_exceed_1():
    """Theorem 4 at (*_3): Remark 1 ensures a positive factor only for q < 15.08."""
    largest = 6 * math.sqrt(2) / 128
    assert round(1 / largest, 2) == 15.08
    assert 1 - 16 * largest < 0 < 1 - 15 * largest
    assert largest < 6 / 64 < 1 / 2


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


# -- Theorems 5 and 6 ---------------------------------------------------------------


def test_the_constant_6_of_theorem_5():
    """Theorem 5: 6 becomes 6.21, or 5.41 with the deviation sqrt(3/2)."""
    x_0 = 6 * math.sqrt(2) / 128
    stretch = -math.log1p(-x_0) / x_0
    assert round(6 * stretch, 2) == 6.21
    assert round((4 + bounds.DEVIATION) * stretch, 2) == 5.41
    for p in (1e-6, 0.1, 0.5, 1):
        for x in np.linspace(0, x_0, 50):
            assert (1 - x) ** p >= 1 - p * stretch * x - 1e-15


def test_theorem_5_does_not_tend_to_theorem_6():
    """Theorem 5 as p -> 0: first below Theorem 6, then without limit."""
    T, k = 1e8, 10
    values = [bounds.positive_p(T, k, p) for p in (0.01, 1e-6, 1e-8)]
    assert [round(v, 4) for v in values] == [0.0186, 0.0586, 4.0186]
    assert values[1] < bounds.nash(T, k) < values[2]


@pytest.mark.parametrize("T", [1e6, 1e20])
def test_two_arms_in_the_nash_proof(T):
    """Theorem 6: (1-A)(1-B) >= (1-A/mu_star)(1-sqrt(log k) B) fails for k = 2."""

    def sides(k):
        A = 16 * math.sqrt(k * math.log(k) * math.log(T) / T)
        B = 16 * math.sqrt(k * math.log(T) / T)
        return (1 - A) * (1 - B), (1 - A) * (1 - math.sqrt(math.log(k)) * B)

    assert sides(2)[0] < sides(2)[1]
    assert sides(3)[0] > sides(3)[1]
    for k in range(2, 100):
        assert 16 * math.sqrt(math.log(k)) + 12 <= 32 * math.sqrt(math.log(k))


def test_a_product_of_three():
    """Theorem 6: "(1-x)(1-y) >= 1-x-y for all x, y >= 0", used for many factors."""
    assert (1 - 4) ** 3 == -27 < 1 - 3 * 4 == -11
    assert (1 - 4) ** 2 > 1 - 2 * 4


# -- remarks and limits -------------------------------------------------------------


def test_impossible_long_before_the_printed_exponent():
    """Contributions: "not possible ... for p <= -T log T"; k = 2, T = 1e6."""
    T = 1e6
    q = 1.5 * math.log2(T)
    assert q < T * math.log(T) / 1e5
    assert round(bounds.impossible(T, 2, -q), 3) == 0.206
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


# -- experiments --------------------------------------------------------------------


def test_three_printed_pairs_are_impossible():
    """Table 2: NCB does not know p, yet its regret falls with p in three places."""
    rows = [p for p in EXPONENTS if p != 0]
    falls = [
        (family, lower)
        for family in HORIZON
        for p, lower in pairwise(rows)
        if TABLE_2[family, lower, "NCB"] < TABLE_2[family, p, "NCB"] - 0.005
    ]
    assert sorted(falls) == sorted(EXCHANGED)
    for family, p in EXCHANGED:
        assert TABLE_2[family, p, "NCB"] < TABLE_2[family, p, "EUCB"]


def test_the_exchange_hides_two_bold_entries():
    """Table 2: bold where EUCB is at least as good as both others."""
    bold = [
        TABLE_2[f, p, "NCB"] <= min(TABLE_2[f, p, "EUCB"], TABLE_2[f, p, "UCB1"])
        for f, p in EXCHANGED
    ]
    assert sum(bold) == 2


@pytest.mark.parametrize("family", HORIZON)
def test_the_row_of_zero_is_an_underflow(family):
    """Table 2, p = 0: the best mean, for all three; no double holds the product."""
    mu_star = pm.random_instance(family, K, np.random.default_rng(12479)).mu_star
    for algorithm in ALGORITHMS:
        assert round(mu_star, 3) == TABLE_2[family, 0.0, algorithm]
    assert mu_star ** HORIZON[family] == 0
    assert HORIZON[family] * math.log10(mu_star) < -324
    mu_t = np.resize([0.3, mu_star], HORIZON[family])
    assert np.prod(mu_t) == 0
    assert pm.p_mean(mu_t, 0) == pytest.approx(math.sqrt(0.3 * mu_star))


def test_the_experiment_is_outside_the_theorems():
    """Experiments: "to further validate our theoretical results"; k = 50."""
    fails = {
        T: [p for p in EXPONENTS if bounds.assumption_2(T, 50, p) < 1]
        for T in (20_000, 100_000)
    }
    assert fails == {20_000: [-0.5, -1.0, -2.0], 100_000: [-1.0, -2.0]}
    assert all(bounds.assumption_1(T, 50, 1) < 0.01 for T in fails)
    assert math.log(100_000) / (2 * math.log(50)) < 2
    assert round(bounds.period(20_000, 50, 1) / 20_000, 2) == 1.27


@pytest.mark.parametrize("family", ["triangular", "beta", "uniform"])
def test_entries_that_are_uniform_choice(family):
    """Table 2, p = 1, T = 20,000: NCB and EUCB print mu_star minus the mean arm."""
    mu = pm.random_instance(family, K, np.random.default_rng(12479)).mu
    for algorithm in ("NCB", "EUCB"):
        printed = TABLE_2[family, 1.0, algorithm]
        assert printed == pytest.approx(mu.max() - mu.mean(), abs=0.0015)
