"""Policies as frozen values: how long they explore, and their authors' numbers."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import log, mp, mpf

import pmeanlib as pm
from pmeanlib.policies import BY_NAME

mp.dps = 50


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


def test_a_policy_is_a_value():
    assert pm.ucb1() == pm.ucb1(width=4)
    assert pm.ucb1() != pm.ucb1(width=6)
    assert isinstance(pm.Policy("x", pm.ucb_index, T_tilde=10.0).T_tilde, int)
    assert pm.Policy("x", pm.ucb_index, 0, level=0).level == 0  # the least there is
    with pytest.raises(AttributeError):
        pm.ucb1().width = 5


def test_rivals_have_the_numbers_of_their_authors():
    T, k, sigma = 10**6, 50, 0.02
    assert pm.modified_ncb(T).level == 420 * 3**2
    assert pm.modified_ncb(T).width == pytest.approx(2 * 3 * math.sqrt(2))
    assert pm.modified_ncb(20_000).capped  # 3780 log T rounds are more than T
    hare, n = pm.hare(T, k, sigma), 77
    radius = math.sqrt(2 * sigma**2 * math.log(8 * k * T * T) / n)
    got = pm.ucb_index(0.3, n, math.log(T), hare.width)
    assert got == pytest.approx(0.3 + radius)
    quarter = 0.8 / 4  # stops when all radii are at most a quarter of B = 0.8
    least = hare.level * hare.width**2 * math.log(T) / 0.8**2
    assert math.sqrt(2 * sigma**2 * math.log(8 * k * T * T) / least) == pytest.approx(
        quarter
    )
    assert least == pytest.approx(32 * sigma**2 * math.log(8 * k * T * T) / 0.8**2)


def test_rivals_that_are_told_no_sigma_take_rewards_for_half_sub_gaussian():
    """Their papers' formulas at sigma = 1/2; Welfarist's c is 2, its a = max(1, -p)."""
    T, k, n, log_T = 10**6, 50, 77, math.log(10**6)
    for p, a in ((1, 1), (-1, 1), (-2.5, 2.5)):
        policy = pm.welfarist(T, p)
        radius = 2 * math.sqrt(2 * 0.5**2 * log_T / n)
        assert pm.ucb_index(0, n, log_T, policy.width) == pytest.approx(radius)
        assert policy.level == pytest.approx(200 * 2**2 * a**2 * 0.5**2)
        assert policy.T_tilde == math.ceil(policy.level * log_T)
    width = pm.welfarist(T, 0, 0.03).width
    assert width == pytest.approx(2 * math.sqrt(2) * 0.03)
    radius = math.sqrt(2 * 0.5**2 * math.log(8 * k * T**2) / n)
    assert pm.ucb_index(0, n, log_T, pm.hare(T, k).width) == pytest.approx(radius)


def test_widths_that_are_not_told_are_the_papers():
    T, k = 10**6, 5
    six = "ucb1", "explore_then_ucb", "explore_enough", "ncb", "doubling", "anytime"
    for name in six:
        assert pm.by_name(name, T=T, k=k, p=-1, mu_star=0.9).width == 4
    assert pm.doubling(k, -1).stages[0].end == pm.anytime(k, 0.9).stages[0].end == 2


def test_every_policy_has_a_name_of_its_own():
    """Names tell their random streams apart in a sweep."""
    given_ = {"T": 300, "k": 3, "p": -1, "mu_star": 0.9}
    assert len({pm.by_name(name, **given_).name for name in BY_NAME}) == len(BY_NAME)


def exact_kl_ucb(mu_hat, target):
    """The largest q with d(mu_hat, q) <= target, by bisection of [mu_hat, 1]."""
    m, low, high = mpf(mu_hat), mpf(mu_hat), mpf(1)

    def refuted(q):
        terms = [(a, b) for a, b in ((m, q), (1 - m, 1 - q)) if a > 0]
        return sum(a * log(a / b) for a, b in terms) > target

    for _ in range(100):
        middle = (low + high) / 2
        low, high = (low, middle) if refuted(middle) else (middle, high)
    return low


@given(st.floats(0, 1), st.integers(1, 10**6), st.floats(0.01, 40), st.floats(0.01, 4))
def test_kl_ucb_is_the_largest_mean_that_is_not_refuted(mu_hat, pulls, log_T, width):
    got = pm.kl_ucb_index(mu_hat, pulls, log_T, width)
    exact = exact_kl_ucb(mu_hat, 2 * width**2 * log_T / pulls)
    assert got == pytest.approx(float(exact), abs=1e-9)


def test_kl_ucb_refutes_what_lies_beyond_3_log_t():
    assert 2 * pm.kl_ucb().width ** 2 == pytest.approx(3)


def test_theorem_d_explores_as_much_as_it_says():
    """E_j in all by the end of epoch j, whole epochs while that is not enough."""
    k, mu_star, T_0, b = 3, 0.8, 100, 4 + math.sqrt(1.5)
    policy, done, start = pm.anytime(k, mu_star, T_0=T_0), 0, 0
    for j, stage in enumerate(policy.stages):
        assert stage.end == (2 ** (j + 1) - 1) * T_0 == stage.clock
        assert not stage.forget
        done += stage.n_explore
        asked = math.ceil(8 * b**2 * k * math.log(stage.end) / mu_star**2)
        assert done == asked or stage.n_explore == stage.end - start
        assert done <= asked
        start = stage.end
    assert start > 10**15


def test_restarts_explore_as_the_paper_does():
    policy = pm.doubling(5, -1, T_0=10)
    ends = [stage.end for stage in policy.stages[:4]]
    assert ends == [10, 30, 70, 150]
    for stage in policy.stages:
        assert stage.forget
        assert stage.n_explore == pm.exploration_period(int(stage.clock), 5, -1)


def test_a_doubling_from_a_large_start_can_be_played():
    """Its last epochs had ends beyond 64 bits, and all horizons lie before."""
    run = pm.play(pm.bernoulli([0.2, 0.9]), pm.doubling(2, -1, T_0=10**6), 50, 1)
    assert run.explored == 50


@given(st.integers(2, 60), st.integers(1, 5_000))
def test_thinning_explores_wherever_sqrt_k_t_passes_a_whole_number(k, T):
    stages = pm.thinning(T, k).stages
    starts = [0, *(stage.end for stage in stages)]
    assert starts[-1] == T
    assert {stage.n_explore for stage in stages} == {1}
    root = [math.isqrt(k * t) for t in range(T + 1)]
    explored = [t for t in range(1, T + 1) if root[t] > root[t - 1]]
    assert [start + 1 for start in starts[:-1]] == explored


def _staged(*stages):
    return pm.Policy("x", pm.ucb_index, stages=stages)


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
        (lambda: pm.thinning(0, 2), "T must be .*, got 0"),
        (lambda: pm.modified_ncb(1), "T must be a whole number of at least 2, got 1"),
        (lambda: pm.rr_ncb(9.5), "T must be a whole number of at least 2, got 9.5"),
        (lambda: pm.welfarist(1, 0), "T must be a whole number of at least 2, got 1"),
        (lambda: pm.welfarist(9, 0, -0.5), "sigma must be a number in .*, got -0.5"),
        (lambda: pm.hare(9, 2, -0.5), "sigma must be a number in .*, got -0.5"),
        (lambda: pm.hare(1, 2), "T must be a whole number of at least 2, got 1"),
        (lambda: pm.anytime(3, 0.5, T_0=1), "T_0 must be a whole number in .*, got 1"),
        (lambda: pm.welfarist(100, 2), "p must be a number"),
        (lambda: pm.hare(100, 1), "k must be a whole number of at least 2"),
        (lambda: pm.by_name("ucb1", widht=1), "argument of a policy .*, got 'widht'"),
        (lambda: pm.ucb1(width=-1), "width must be a number"),
        (lambda: pm.ucb1(order="zigzag"), "order must be one of fixed, random"),
        (lambda: pm.Policy("x", max), "index must be made by pmeanlib.index"),
        (lambda: pm.Policy("x", pm.ucb_index, stop=max), "stop must be made by"),
        (lambda: pm.Policy("x", pm.ucb_index, explore="x"), "explore must be one of"),
        (lambda: pm.Policy("x", pm.ucb_index, level=-1), "level must be a number"),
        (lambda: _staged(pm.Stage(9, 1, 9), pm.Stage(9, 1, 9)),
         r"the end of a stage must be .* in \[10, .*, got 9"),
        (lambda: _staged(pm.Stage(2**63, 1, 9)), "the end of a stage must be .*, got"),
        (lambda: _staged(pm.Stage(9, 0.5, 9)), "n_explore of a stage .*, got 0.5"),
        (lambda: _staged(pm.Stage(9, 1, 0)), "the clock of a stage must be .*, got 0"),
    ],
)  # fmt: skip
def test_bad_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
