"""Means, sampling and the draw order of random instances."""

import math
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pmeanlib as pm
from pmeanlib.instances import Sample
from pmeanlib.kernel import draw

ARMS = {
    "bernoulli": pm.bernoulli([0.05, 0.5, 0.93]),
    "beta": pm.beta([0.2, 2.0, 5.0], [0.7, 2.0, 1.0]),
    "triangular": pm.triangular([0.0, 0.4, 1.0]),
    "uniform": pm.uniform([0.0, 0.2, 0.5], [1.0, 0.3, 0.5]),
    "gaussian": pm.gaussian([0.0, 0.2, 1.0], [0.5, 0.01, 0.3]),
    "data": pm.from_data([[0, 1, 1], [0.5], [4, 0.2, 3, 1.7]], high=4),
}


@pytest.mark.parametrize("family", ARMS)
def test_rewards_average_to_mu(family, rng):
    instance, n = ARMS[family], 20_000
    for i in range(instance.k):
        x = [draw(rng, instance.params, i, s) for s in range(n)]
        # a reward in [0, 1] has variance at most mu (1 - mu); five standard errors
        variance = instance.mu[i] * (1 - instance.mu[i])
        if family == "gaussian":
            variance = instance.params.sigma[i] ** 2
        else:
            assert 0 <= min(x) <= max(x) <= 1
        assert abs(np.mean(x) - instance.mu[i]) <= 5 * math.sqrt(variance / n)


@pytest.mark.parametrize("family", ARMS)
def test_compiled_rewards_are_numpys_to_the_last_bit(family):
    instance, T = ARMS[family], 300
    run = pm.play(instance, pm.ucb1(), T, np.random.default_rng(5))
    rng = np.random.default_rng(5)
    a = instance.params
    numpy_draw = {
        "bernoulli": lambda i: float(rng.uniform(0, 1) <= a.mu[i]),
        "beta": lambda i: rng.beta(a.alpha[i], a.beta[i]),
        "triangular": lambda i: rng.triangular(0, a.mode[i], 1),
        "uniform": lambda i: rng.uniform(a.lower[i], a.upper[i]),
        "gaussian": lambda i: rng.normal(a.mean[i], a.sigma[i]),
        "data": lambda i: rng.choice(a.outcomes[a.start[i] : a.stop[i]]),
    }[family]
    assert run.rewards.tolist() == [numpy_draw(i) for i in run.arms]


def test_an_instance_is_frozen():
    instance = pm.bernoulli([0.2, 0.9, 0.9])
    assert (instance.k, instance.best, instance.mu_star) == (3, 1, 0.9)
    np.testing.assert_allclose(instance.gap, [0.7, 0, 0])
    with pytest.raises(ValueError, match="read-only"):
        instance.mu[0] = 1
    with pytest.raises(AttributeError):
        instance.mu = instance.mu
    again = pickle.loads(pickle.dumps(instance))  # in another process
    assert not again.mu.flags.writeable
    assert not again.params.mu.flags.writeable


def test_the_caller_s_array_stays_writeable():
    mu = np.array([0.1, 0.2])
    pm.bernoulli(mu)
    mu[0] = 0.5


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: pm.bernoulli([0.5, 1.5]), r"mu must be .* in \[0, 1\], got 1.5"),
        (lambda: pm.bernoulli([[0.5]]), "mu must be one list of numbers"),
        (lambda: pm.beta([1], [0]), "beta must be finite numbers"),
        (lambda: pm.beta([1, 2], [1]), "beta must have the length of alpha, 2, got 1"),
        (lambda: pm.triangular([-1]), "mode must be finite numbers"),
        (
            lambda: pm.uniform([0.5], [0.4]),
            "lower must be at most upper, got 0.5 > 0.4",
        ),
        (lambda: pm.uniform([0.5], [1.5]), r"upper must be .* in \[0, 1\], got 1.5"),
        (lambda: pm.uniform([-1], [0.5]), r"lower must be .* in \[0, 1\], got -1"),
        (lambda: pm.from_data([]), "the number of arms must be .* at least 1, got 0"),
        (lambda: pm.from_data([[1], []]), r"outcomes\[1\] must hold at least one"),
        (lambda: pm.from_data([[1], [2]]), r"outcomes\[1\] must be .* \[0, 1\], got 2"),
        (lambda: pm.from_data([[[1]]]), r"outcomes\[0\] must be one list of numbers"),
        (lambda: pm.from_data({"a": [1]}), "outcomes must be a list .* got dict"),
        (lambda: pm.from_data(pd.DataFrame({"a": [1]})), r"groupby\(arm\).* DataFrame"),
        (lambda: pm.from_data([[1]], 1, 1), "high - low must be a number in .* got 0"),
        (lambda: pm.from_tape([0.5]), r"rewards must have shape \(k, T\)"),
        (
            lambda: pm.random_instance("gauss", 2, np.random.default_rng(0)),
            "family must be one of bernoulli, beta, triangular, uniform, gaussian, got",
        ),
        (
            lambda: pm.random_instance("beta", 0, np.random.default_rng(0)),
            "k must be a whole number of at least 1, got 0",
        ),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_arms_and_means_must_fit():
    """Compiled code would read beyond the end of an array."""
    many = pm.bernoulli([0.5] * 200_000)
    with pytest.raises(ValueError, match="mu must have one entry for each of 1 arms"):
        pm.Instance(many.params, np.array([0.5]))


def test_arms_of_data_stay_among_their_own_outcomes():
    """No arm reads another's outcomes, or beyond the last."""
    for start, stop in (([0, 2], [2, 4]), ([-1, 2], [2, 3]), ([0, 2], [2, 2])):
        ends = np.array(start), np.array(stop)
        with pytest.raises(ValueError, match="every arm must have its own outcomes"):
            pm.Instance(Sample(*ends, np.array([0.1, 0.2, 0.3])), np.array([0.1, 0.3]))


@given(
    st.lists(st.lists(st.floats(-50, 300), min_size=1, max_size=9), min_size=1),
    st.integers(0, 99),
)
def test_arms_of_data_pay_what_was_seen_on_the_scale_given(outcomes, seed):
    instance, rng = pm.from_data(outcomes, -50, 300), np.random.default_rng(seed)
    for i, x in enumerate(outcomes):
        scaled = [(v + 50) / 350 for v in x]
        assert instance.mu[i] == pytest.approx(np.mean(scaled))
        assert draw(rng, instance.params, i, 0) in scaled
