"""The rivals leave exploration when the rules that their authors wrote say so."""

import math

import numpy as np
import pytest
from _data import rivals

import pmeanlib as pm


def test_the_instances_are_those_of_the_scripts():
    made = rivals.instances()
    assert made["rivals"].k == made["gaussian"].k == 50
    assert made["rivals"].mu[0] == pytest.approx(0.005 + 0.995 * 0.3745401188473625)
    assert made["gaussian"].mu[0] == pytest.approx(0.01 + 0.99 * 0.7739560485559633)
    assert made["haystack"].k == 200
    assert made["needle"].mu_star == 0.2


def counts(run, k):
    """Pulls of every arm in the exploration, and what they paid on average."""
    arms, rewards = run.arms[: run.explored], run.rewards[: run.explored]
    pulls = np.bincount(arms, minlength=k)
    return pulls, np.bincount(arms, rewards, minlength=k) / np.maximum(pulls, 1)


@pytest.mark.parametrize("p", [0, -1, -2])
def test_welfarist_leaves_when_a_mean_is_many_radii(p):
    """The rule as its script has it, and as Lemma `lem-rivals-form` has it."""
    T, k, sigma = 3_000, 4, 0.1
    instance = pm.gaussian([0.2, 0.5, 0.7, 0.9], sigma)
    log_T, a = math.log(T), max(1, -p)
    for seed in range(5):
        run = pm.play(instance, pm.welfarist(T, p, sigma), T, seed)
        assert k < run.explored < T
        for end in (run.explored - 1, run.explored):
            cut = pm.Run(run.arms, run.rewards, end)
            pulls, mean = counts(cut, k)
            radius = 2 * sigma * np.sqrt(2 * log_T / pulls)
            with np.errstate(divide="ignore", invalid="ignore"):
                asked = 800 * a**2 * sigma**2 * log_T / (mean - radius)
            on = (mean <= radius) | (pulls * mean < asked + pulls * radius)
            form = mean < (1 + 10 * a) * radius
            assert on.tolist() == form.tolist()
            assert on.all() == (end < run.explored)


def test_hare_leaves_where_its_proposition_has_it():
    T, k, sigma = 5_000, 6, 0.1
    instance = pm.gaussian([0.1, 0.3, 0.5, 0.6, 0.8, 0.9], sigma)
    log = math.log(8 * k * T**2)
    for seed in range(5):
        run = pm.play(instance, pm.hare(T, k, sigma), T, seed)
        low = 32 * k * (sigma / 0.9) ** 2 * log
        high = 2 * k * 2.45 * math.ceil(72 * (sigma / 0.9) ** 2 * log)
        assert low <= run.explored <= high


def test_a_departure_is_where_the_proposition_has_it():
    T, k, sigma, log_T = 20_000, 5, 0.1, math.log(20_000)
    instance = pm.gaussian([0.1, 0.3, 0.5, 0.6, 0.8], sigma)
    unit = 8 * (sigma / 0.8) ** 2 * log_T
    for p, gamma in ((0, 11), (-2, 21)):
        policy = pm.welfarist(T, p, sigma)
        found = [pm.play(instance, policy, T, seed).explored for seed in range(20)]
        assert min(found) > k * (unit * (gamma - 1) ** 2 - 1)
        assert max(found) <= k * math.ceil(unit * (gamma + 1) ** 2)


def test_laps_in_random_order_are_averaged_without_bias():
    """`simulate` knows what a whole lap expects; single runs, averaged, agree."""
    T, n_runs, instance = 600, 2_000, pm.gaussian([0.2, 0.5, 0.9], 0.1)
    policy = pm.welfarist(T, -1, 0.1)
    runs = [pm.play(instance, policy, T, seed) for seed in range(n_runs)]
    plain = np.mean([instance.mu[run.arms] for run in runs], axis=0)
    profile = pm.simulate(instance, policy, T, n_runs, 1)
    ends = [run.explored for run in runs]
    np.testing.assert_allclose(profile.mu_t[:200], instance.mu.mean())
    assert 200 < min(ends) < max(ends) < T
    # a round's standard error is at most 0.35 / sqrt(2000); 600 rounds: 4.5 of them,
    # of the difference of two such means
    error = 0.35 * math.sqrt(2 / n_runs)
    assert np.max(np.abs(profile.mu_t - plain)) < 4.5 * error
