"""A bandit instance: the family of its arms, and what each pays on average."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pmeanlib import _checks

FAMILIES = ("bernoulli", "beta", "triangular", "uniform", "gaussian")


class Bernoulli(NamedTuple):
    """Pays 1 with probability `mu`, else 0."""

    mu: np.ndarray


class Beta(NamedTuple):
    """Pays a Beta(alpha, beta) reward."""

    alpha: np.ndarray
    beta: np.ndarray


class Triangular(NamedTuple):
    """Pays a triangular reward on (0, 1) with its peak at `mode`."""

    mode: np.ndarray


class Uniform(NamedTuple):
    """Pays a reward uniform between `lower` and `upper`."""

    lower: np.ndarray
    upper: np.ndarray


class Gaussian(NamedTuple):
    """Pays a normal reward of this mean and standard deviation, of any sign."""

    mean: np.ndarray
    sigma: np.ndarray


class Sample(NamedTuple):
    """Pays one of its own outcomes, `outcomes[start[i]:stop[i]]`, each as likely."""

    start: np.ndarray
    stop: np.ndarray
    outcomes: np.ndarray


class Tape(NamedTuple):
    """Arm i pays `rewards[i, s]` when pulled after s pulls; shape (k, at least T)."""

    rewards: np.ndarray


@dataclass(frozen=True, eq=False)
class Instance:
    """k arms with mean rewards `mu` (k,) in [0, 1] (chapter `regret`).

    Use the functions `bernoulli`, `beta`, `triangular`, `uniform`, `gaussian`,
    `from_data`, `from_tape` or `random_instance` to make one. `params` holds the
    parameters of the family, read-only; `kernel.draw` draws a reward from them.

    >>> pm.bernoulli([0.2, 0.9]).gap.round(6)
    array([0.7, 0. ])
    """

    params: NamedTuple
    mu: np.ndarray

    def __post_init__(self) -> None:
        for name, values in [*self.params._asdict().items(), ("mu", self.mu)]:
            enough = f"{name} must have one entry for each of {self.k} arms"
            fits = len(values) == self.k or name == "outcomes"
            _checks.require(fits, f"{enough}, got {len(values)}")
            values.flags.writeable = False
        if isinstance(self.params, Sample):
            start, stop, outcomes = self.params
            inside = (start >= 0) & (start < stop) & (stop <= outcomes.size)
            _checks.require(bool(inside.all()), "every arm must have its own outcomes")

    def __repr__(self) -> str:
        family = type(self.params).__name__
        return f"Instance({family}, k={self.k}, mu={brief(self.mu, '.3g')})"

    def __reduce__(self):
        return Instance, (self.params, self.mu)  # read-only in another process too

    @property
    def k(self) -> int:
        """The number of arms."""
        return self.mu.size

    @property
    def best(self) -> int:
        """The arm with the highest mean, the lowest-numbered one if several have it."""
        return int(self.mu.argmax())

    @property
    def mu_star(self) -> float:
        """The highest mean."""
        return float(self.mu.max())

    @property
    def gap(self) -> np.ndarray:
        """How far each arm's mean lies below `mu_star`, shape (k,)."""
        return self.mu_star - self.mu


def brief(numbers: np.ndarray, spec: str) -> str:
    """Numbers on one line, the first and the last of them if there are many.

    >>> pm.instances.brief(np.arange(20), "d")
    '[0, 1, 2, 3, ..., 18, 19]'
    """
    shown = [format(x, spec) for x in numbers]
    if len(shown) > 8:
        shown[4:-2] = ["..."]
    return f"[{', '.join(shown)}]"


def bernoulli(mu: ArrayLike) -> Instance:
    """Arms that pay 1 with probability `mu[i]`, else 0.

    >>> pm.bernoulli([0.2, 0.9])
    Instance(Bernoulli, k=2, mu=[0.2, 0.9])
    """
    mu = _arms("mu", mu, 0, 1)
    return Instance(Bernoulli(mu), mu)


def beta(alpha: ArrayLike, beta: ArrayLike) -> Instance:
    """Arms that pay a Beta(alpha[i], beta[i]) reward: mean alpha / (alpha + beta).

    >>> pm.beta(alpha=[1, 3], beta=[1, 1])
    Instance(Beta, k=2, mu=[0.5, 0.75])
    """
    alpha, beta = _arms("alpha", alpha, 1e-6, 1e6), _arms("beta", beta, 1e-6, 1e6)
    _same_length("alpha", alpha, "beta", beta)
    return Instance(Beta(alpha, beta), alpha / (alpha + beta))


def triangular(mode: ArrayLike) -> Instance:
    """Arms that pay a triangular reward on (0, 1) and this mode: mean (1 + mode)/3.

    >>> pm.triangular(mode=[0.2, 0.8])
    Instance(Triangular, k=2, mu=[0.4, 0.6])
    """
    mode = _arms("mode", mode, 0, 1)
    return Instance(Triangular(mode), (1 + mode) / 3)


def uniform(lower: ArrayLike, upper: ArrayLike) -> Instance:
    """Arms that pay uniformly between lower[i] and upper[i], equal ends included.

    >>> pm.uniform(lower=[0, 0.5], upper=[0.5, 1])
    Instance(Uniform, k=2, mu=[0.25, 0.75])
    """
    lower, upper = _arms("lower", lower, 0, 1), _arms("upper", upper, 0, 1)
    _same_length("lower", lower, "upper", upper)
    i = int(np.argmax(lower > upper))
    message = f"lower must be at most upper, got {lower[i]} > {upper[i]} for arm {i}"
    _checks.require(lower[i] <= upper[i], message)
    return Instance(Uniform(lower, upper), (lower + upper) / 2)


def gaussian(mu: ArrayLike, sigma: ArrayLike = 0.5) -> Instance:
    """Arms that pay normal rewards of mean mu[i] in [0, 1]: sigma-sub-Gaussian.

    `sigma` is one number, or one for each arm; 1/2 is that of any reward in [0, 1].
    Rewards on another scale are divided by it: so is every p-mean regret.

    >>> pm.gaussian([0.2, 0.9], sigma=0.1)
    Instance(Gaussian, k=2, mu=[0.2, 0.9])
    """
    mu = _arms("mu", mu, 0, 1)
    each = np.full(mu.size, sigma) if np.ndim(sigma) == 0 else sigma
    sigma = _arms("sigma", each, 0, 1e6)
    _same_length("mu", mu, "sigma", sigma)
    return Instance(Gaussian(mu, sigma), mu)


def from_data(
    outcomes: Sequence[ArrayLike], low: float = 0.0, high: float = 1.0
) -> Instance:
    """Arms that pay again what was observed: arm i draws one of outcomes[i], any one.

    What is observed may lie in [low, high]; the reward is (x - low) / (high - low), so
    that `low` is what counts as nothing (chapter `case_study`).

    >>> pm.from_data([[0, 2, 4], [1, 3]], high=4)
    Instance(Sample, k=2, mu=[0.5, 0.5])
    """
    if isinstance(outcomes, Mapping) or hasattr(outcomes, "columns"):
        how = "[part[column] for _, part in frame.groupby(arm)]"
        message = "outcomes must be a list with one array for each arm"
        raise ValueError(f"{message}, such as {how}, got {type(outcomes).__name__}")
    _checks.integer("the number of arms", len(outcomes), 1)
    width = _checks.real("high - low", high - low, 1e-300, 1e300)
    given = (_arms(f"outcomes[{i}]", x, low, high) for i, x in enumerate(outcomes))
    arms = [(x - low) / width for x in given]
    edges = np.cumsum([0, *map(len, arms)])
    mu = np.array([min(x.mean(), 1.0) for x in arms])
    return Instance(Sample(edges[:-1], edges[1:], np.concatenate(arms)), mu)


def from_tape(rewards: ArrayLike) -> Instance:
    """Arms whose rewards are given: arm i pays rewards[i, 0], rewards[i, 1], ...

    The same tape under two algorithms compares them on equal luck. `mu` is each row's
    mean.

    >>> pm.from_tape([[0, 1, 1], [1, 0, 0]])
    Instance(Tape, k=2, mu=[0.667, 0.333])
    """
    rewards = np.ascontiguousarray(_checks.array("rewards", rewards, 0, 1)).copy()
    shape = rewards.shape
    _checks.require(len(shape) == 2, f"rewards must have shape (k, T), got {shape}")
    return Instance(Tape(rewards), rewards.mean(axis=1))


def _arms(name: str, values: ArrayLike, low: float, high: float) -> np.ndarray:
    x = np.atleast_1d(_checks.array(name, values, low, high)).copy()
    message = f"{name} must be one list of numbers, got shape {x.shape}"
    _checks.require(x.ndim == 1, message)
    return x


def _same_length(name_a: str, a: np.ndarray, name_b: str, b: np.ndarray) -> None:
    message = f"{name_b} must have the length of {name_a}, {a.size}, got {b.size}"
    _checks.require(a.size == b.size, message)
