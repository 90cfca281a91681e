"""Linear bandits: designs by their certificate, runs by a slow oracle, Theorem E."""

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from _data import linear as stored
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import pmeanlib as pm
from pmeanlib import linear

DATA = Path(__file__).parents[2] / "chapters" / "_data"


def world(rng, k=12, d=3):
    theta = rng.dirichlet(np.ones(d))
    return linear.LinearInstance(rng.random((k, d)) ** 2, theta)


FEATURES = hnp.arrays(
    float,
    st.tuples(st.integers(1, 12), st.integers(1, 4)),
    elements=st.integers(-8, 8).map(lambda n: n / 4),
).filter(lambda x: x.any())


# -- designs -----------------------------------------------------------------------


@given(FEATURES)
def test_kiefer_and_wolfowitz_certify_every_design(x):
    rank, weights = np.linalg.matrix_rank(x), linear.d_optimal(x, 1e-4)
    assert weights.min() >= 0
    assert weights.sum() == pytest.approx(1)
    level = linear.leverages(x, weights)
    assert rank * (1 - 1e-9) <= level.max() <= rank * (1 + 1.001e-4)
    assert weights @ level == pytest.approx(rank)


def test_arms_that_do_not_span_are_described_in_their_span(rng):
    x = rng.normal(size=(9, 2)) @ rng.normal(size=(2, 5))
    assert linear.in_span(x).shape == (9, 2)
    np.testing.assert_allclose(linear.in_span(x) @ linear.in_span(x).T, x @ x.T)
    assert linear.leverages(x, linear.d_optimal(x)).max() == pytest.approx(2, rel=2e-3)


def test_a_schedule_rounds_up_and_explores_as_well_as_its_design(rng):
    x = rng.random((40, 5))
    weights = linear.d_optimal(x)
    n = linear.schedule(weights, 100)
    assert 100 <= n.sum() <= 100 + (weights > 0).sum()
    level = linear.leverages(x, n)
    assert level.max() <= linear.leverages(x, weights).max() / 100 + 1e-12
    assert linear.schedule([0.3, 0.7], 10).tolist() == [3, 7]


# -- runs --------------------------------------------------------------------------


def slowly(instance, n, width, ridge, T, rng):
    """LinUCB with a fixed round robin, by matrix inversion in every round."""
    x, d, arms = instance.features, instance.features.shape[1], []
    line = [
        i for turn in range(max(n, default=0)) for i in range(len(n)) if turn < n[i]
    ]
    V, b = ridge * np.eye(d), np.zeros(d)
    for t in range(T):
        if t < len(line):
            i = line[t]
        else:
            inverse = np.linalg.inv(V)
            root = np.sqrt(np.einsum("ij,jm,im->i", x, inverse, x))
            i = np.argmax(x @ (inverse @ b) + width * math.sqrt(math.log(T)) * root)
        reward = float(rng.random() <= instance.mu[i])
        V, b = V + np.outer(x[i], x[i]), b + reward * x[i]
        arms.append(i)
    return np.array(arms)


@pytest.mark.parametrize("refresh", [7, linear.REFRESH])
@pytest.mark.parametrize("ridge", [0.0, 1.0])
def test_rank_one_updates_play_as_inversion_does(monkeypatch, ridge, refresh):
    monkeypatch.setattr(linear, "REFRESH", refresh)
    for seed in range(20):
        rng = np.random.default_rng(seed)
        instance = world(rng, int(rng.integers(5, 30)), int(rng.integers(1, 5)))
        design = linear.d_optimal(instance.features)
        n = linear.schedule(design, 0 if ridge else 9)
        policy = linear.LinUCB("fast", n, rng.uniform(0.1, 2), ridge, "fixed")
        run = linear.play(instance, policy, 500, np.random.default_rng(seed))
        assert run.explored == n.sum()
        alike = np.random.default_rng(seed)
        oracle = slowly(instance, n, policy.width, ridge, 500, alike)
        np.testing.assert_array_equal(run.arms, oracle)


@pytest.mark.parametrize(("k", "d", "same"), [(50, 5, 0), (20, 20, 0), (50, 5, 0.9)])
def test_scores_and_leverages_do_not_drift(monkeypatch, rng, k, d, same):
    """By direct solves, to 1e-7, at the end of each stretch until T = 1e6.

    Twenty cubes of random numbers span R^20 just so; and arms that have .9 of each
    number in common are nearly one arm: V is far from a multiple of 1.
    """
    x, pulls = same + (1 - same) * rng.random((k, d)) ** 3, np.ones(k, int)
    instance = linear.LinearInstance(x, np.full(d, 1 / d))
    compiled, lengths = linear._optimism, []

    def checked(rng, mu, rows, inverse, b, level, bonus, arms):
        compiled(rng, mu, rows, inverse, b, level, bonus, arms)
        pulls[:] += np.bincount(arms, minlength=k)
        V = (x.T * pulls) @ x
        found, score = x @ (inverse @ b), x @ np.linalg.solve(V, b)
        np.testing.assert_allclose(found, score, rtol=0, atol=1e-7)
        exact = np.einsum("ij,ji->i", x, np.linalg.solve(V, x.T))
        np.testing.assert_allclose(np.sqrt(level), np.sqrt(exact), rtol=1e-7)
        lengths.append(arms.size)

    monkeypatch.setattr(linear, "_optimism", checked)
    policy = linear.LinUCB("", pulls.copy(), 1.0)
    linear.play(instance, policy, 10**6, rng)
    assert sum(lengths) == 10**6 - k
    assert max(lengths) == linear.REFRESH


def test_arms_that_are_one_arm_tie_and_the_first_is_played(rng):
    """Also after V was inverted anew: what is alike stays alike to the last bit."""
    x = rng.random((10, 3))[rng.permutation(np.repeat(np.arange(10), 5))]
    instance = linear.LinearInstance(x, [0.2, 0.3, 0.5])
    policy = linear.LinUCB("", np.zeros(50), 2.0, 1.0)
    T = linear.REFRESH + 5000
    arms = np.unique(linear.play(instance, policy, T, rng).arms)
    firsts = np.unique(x, axis=0, return_index=True)[1]
    assert set(arms) <= set(firsts)
    assert arms.size > 1


@pytest.mark.parametrize("width", [0.5, math.sqrt(1.5), 4.0])
@pytest.mark.parametrize("seed", range(4))
def test_unit_vectors_are_the_k_armed_bandit(width, seed):
    """The same luck and the same arms in every round as UCB1, ties included."""
    mu = np.array([0.3, 0.8, 0.8, 0.5, 0.1])
    arms = pm.play(pm.bernoulli(mu), pm.ucb1(width), 4000, seed).arms
    policy = linear.LinUCB("unit vectors", np.ones(5), width, 0, "fixed")
    instance = linear.LinearInstance(np.eye(5), mu)
    ours, *_ = linear.play(instance, policy, 4000, np.random.default_rng(seed))
    np.testing.assert_array_equal(ours, arms)


def test_a_simulation_is_the_average_of_its_runs(rng):
    instance, policy = world(rng), linear.LinNash()
    profile = linear.simulate(instance, policy, 400, 40, 7)
    seeds = np.random.default_rng(7).bit_generator.seed_seq.spawn(40)
    plays = [
        linear.play(instance, policy, 400, np.random.default_rng(s)) for s in seeds
    ]
    mean = np.mean([run.mu_t for run in plays], axis=0)
    np.testing.assert_allclose(profile.mu_t, mean)
    assert profile.pulls.sum() == pytest.approx(400)
    assert profile.group_sizes.sum() == 40
    again = linear.simulate(instance, policy, 400, 40, 7)
    np.testing.assert_array_equal(again.total_t, profile.total_t)


def test_a_shuffled_exploration_is_exact_and_true(rng):
    instance = world(rng)
    n = linear.schedule(linear.d_optimal(instance.features), 50)
    profile = linear.simulate(instance, linear.LinUCB("", n, 1.0), 60, 300, 1)
    assert profile.known == n.sum()
    expected = instance.mu @ n / n.sum()
    np.testing.assert_allclose(profile.mu_t[: n.sum()], expected)
    runs = np.random.default_rng(1).bit_generator.seed_seq.spawn(300)
    policy = linear.LinUCB("", n, 1.0)
    arms = [
        linear.play(instance, policy, 60, np.random.default_rng(s))[0] for s in runs
    ]
    seen = instance.mu[np.array(arms)[:, 5]]
    assert abs(seen.mean() - expected) < 5 * seen.std() / math.sqrt(300)


# -- the rivals --------------------------------------------------------------------


def test_fair_lin_ucb_stops_when_its_rule_says_so():
    x, T = np.eye(2), 20_000
    instance = linear.LinearInstance(x, [0.9, 0.2])
    policy = linear.FairLinUCB(sigma=0.05)
    arms, _, explored = linear.play(instance, policy, T, np.random.default_rng(1))
    log_T, lengths = math.log(T), [36 * math.log(T) * 2**j for j in range(12)]
    ends = np.cumsum([int(length) for length in lengths])
    assert explored in ends
    clock = 1 + explored
    x_hat = 0.9 - 4 * 0.05 * 2 * math.sqrt(3 * log_T / clock)
    assert x_hat**2 * clock > 0.8 * 900 * (0.05 * 2) ** 2 * log_T
    assert np.mean(arms[explored:] == 0) > 0.95


def test_lin_nash_explores_as_long_as_it_says_and_keeps_the_best_arm():
    instance = linear.LinearInstance(np.eye(3), [0.9, 0.05, 0.02])
    T = 20_000
    arms, _, explored = linear.play(
        instance, linear.LinNash(), T, np.random.default_rng(1)
    )
    assert explored == math.ceil(3 * math.sqrt(T * 3 * math.log(T * 3)))
    assert np.mean(arms[-5000:] == 0) == 1
    assert set(arms[:explored]) == {0, 1, 2}


def test_a_phase_of_lin_nash_expects_its_mean_in_every_round(rng):
    instance = world(rng)
    run = linear.play(instance, linear.LinNash(), 5000, rng)
    ends = np.flatnonzero(np.diff(run.mu_t[run.explored :])) + 1
    assert 0 < ends.size < 9
    start = run.explored
    for end in ends + run.explored:
        mean = instance.mu[run.arms[start:end]].mean()
        np.testing.assert_allclose(run.mu_t[start:end], mean)
        start = end
    explored = instance.mu[run.arms[: run.explored]]
    np.testing.assert_array_equal(run.mu_t[: run.explored], explored)


def test_half_of_the_rivals_rounds_follow_the_design(rng):
    between = np.array([[1, 0], [0, 1], [0.5, 0.5]])
    run = linear._Run(linear.LinearInstance(between, [0.5, 0.5]), 10, rng)
    line = linear._half_design(run, 30_000)
    share = np.bincount(line) / 30_000
    # two thirds of the rounds are uniform or begin so: one third is the design's
    np.testing.assert_allclose(share, [7 / 18, 7 / 18, 4 / 18], atol=0.01)


# -- Theorem E ---------------------------------------------------------------------


def test_theorem_e_by_hand():
    """Two unit vectors, each explored n times: the largest leverage is 1/n, g = 2."""
    T, n, w = 10**6, 20_000, linear.deviation(2)
    policy = linear.LinUCB("", np.array([n, n]), w)
    learn = 2 * w * math.sqrt(1.01 * 2 * math.log(T / (2 * n)) * math.log(T) / T)
    for p, price, blind in ((1, 1, 0.5), (-1, 2, 1)):
        expected = 0.8 * blind * 0.04 + price * learn + 0.8 / T
        found = linear.bound(np.eye(2), policy, T, p, 0.8)
        assert found == pytest.approx(expected)
    assert linear.deviation(1) == pytest.approx(math.sqrt(1.5))


@pytest.mark.parametrize("d", [1, 3])
def test_theorem_e_where_all_rounds_explore(d):
    """T = T~ and g = d: rounding may put a logarithm of 1 below 0."""
    for n in range(600, 700):
        policy = linear.LinUCB("", np.full(d, n), linear.deviation(d))
        found = linear.bound(np.eye(d), policy, d * n, 1, 1.0)
        assert found == pytest.approx(1 - 1 / d + 1 / (d * n), abs=1e-6)


def test_enough_is_just_enough(rng):
    x = rng.random((20, 3))
    policy = linear.explore_enough(x, 10**7, 0.7, 0.25)
    level = linear.leverages(x, policy.schedule).max()
    most = (0.25 * 0.7 / (2 * policy.width)) ** 2 / math.log(10**7)
    assert 0.99 * most < level <= most
    assert linear.bound(x, policy, 10**7, 0, 0.7, 0.25) < 0.7
    with pytest.raises(ValueError, match="largest leverage must be a number in"):
        linear.bound(x, policy, 10**7, 0, 0.6, 0.25)
    wide = linear.explore_enough(x, 10**7, 0.7, 0.25, 4.0)
    assert wide.width == 4
    assert wide.schedule.sum() > policy.schedule.sum()


# -- bad input ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("features", "theta", "words"),
    [
        ([[1, 2]], [0.5, 0.5], r"mu = features @ theta .* in \[0, 1\], got 1.5"),
        ([[1, 0]], [-0.5, 0.5], r"mu = features @ theta .* got -0.5"),
        ([1, 0], [0.5, 0.5], r"features must have shape \(k, d\) .*, got shape"),
        ([[0, 0]], [0.5, 0.5], "not all be 0"),
        ([[1, 0]], [0.5], r"theta must have one entry .* got \(1,\)"),
        ([[1, math.nan]], [0.5, 0], "features must be finite numbers"),
    ],
)
def test_an_instance_says_what_is_wrong(features, theta, words):
    with pytest.raises(ValueError, match=words):
        linear.LinearInstance(features, theta)


def test_rounding_is_forgiven_and_values_are_read_only():
    instance = linear.LinearInstance([[0.1, 0.2], [1, 0]], [1 + 1e-15, -0.5])
    assert instance.mu.tolist() == [0, 1]
    assert instance.mu_star == 1
    with pytest.raises(ValueError, match="read-only"):
        instance.features[0, 0] = 2


ARMS, TWO = linear.LinearInstance(np.eye(4), np.full(4, 0.5)), np.eye(2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: linear.LinUCB("", np.ones(4), 1.0, order="x"), "order must be one of"),
        (lambda: linear.LinUCB("", np.ones(4), -1.0), "width must be a number"),
        (lambda: linear.FairLinUCB(sigma=-1), "sigma must be a number in .*, got -1"),
        (lambda: linear.simulate(ARMS, linear.LinNash(), 9, 2, None),
         "rng .* must be a whole number .* got None"),
        (lambda: linear.simulate(ARMS, linear.LinUCB("", np.ones(3), 1.0), 9, 2, 1),
         "one entry for each of 4 arms"),
        (lambda: linear.simulate(ARMS, linear.LinUCB("", np.zeros(4), 1.0), 9, 2, 1),
         "span the rest, or ridge"),
        (lambda: linear.leverages(TWO, [1, 0]), "weights must be positive on arms"),
        (lambda: linear.leverages(TWO, [1, 0, 0]), "one for each of 2 arms"),
        (lambda: linear.explore_enough(TWO, 100, 0.5, 0.7), "x0 must be a number"),
        (lambda: linear.bound(TWO, linear.LinUCB("", np.ones(2), 9, 1.0), 99, 0, 1),
         "ridge must be a number"),
    ],
)  # fmt: skip
def test_bad_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


# -- the stored table of the chapter -----------------------------------------------


def test_the_command_makes_these_numbers():
    script, table = stored, pd.read_csv(DATA / "linear.csv")
    names = script.policies(2, 10)
    assert len(table) == len(script.SIZES) * len(names) * len(script.EXPONENTS)
    found = [*zip(table["d"], table["k"], table["policy"], table["p"])]
    cases = [(*s, n) for s in script.SIZES for n in names]
    assert found == [(*case, p) for case in cases for p in script.EXPONENTS]
    assert table["mu_star"].groupby(table["d"]).nunique().max() == 1
    for case in ((5, 10, "LinUCB-E"), (5, 10, "LinNash"), (5, 30, "UCB1")):
        again = pd.DataFrame(script.rows(*case))
        kept = table.set_index(["d", "k", "policy"]).loc[case].reset_index(drop=True)
        for column in ("regret", "standard_error", "T_tilde", "mu_star"):
            np.testing.assert_allclose(
                again[column], kept[column], rtol=1e-7, atol=1e-9
            )
