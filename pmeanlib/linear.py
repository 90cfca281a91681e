"""Linear bandits: arms with features, means that are linear in them (chapter `linear`).

No other module imports this one. Arm i is the row phi_i of `features`, its mean is
<phi_i, theta>, and whoever learns theta learns all arms at once. The *leverage* of an
arm is phi_i^T V^-1 phi_i, where V is the sum of phi phi^T over the arms pulled: how
little the data say about it. Exploration by a design keeps all leverages small.
"""

import math
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pmeanlib import _checks, bounds
from pmeanlib.compiled import cached_jit
from pmeanlib.engine import generator, group_sizes, progress_bar
from pmeanlib.estimates import Profile
from pmeanlib.instances import brief
from pmeanlib.policies import ORDERS

REFRESH = 100_000  # rounds after which V is inverted anew


@dataclass(frozen=True, eq=False)
class LinearInstance:
    """k arms with `features` (k, d) and means ``mu = features @ theta`` in [0, 1].

    An arm pays 1 with probability mu[i], else 0.

    >>> pm.linear.LinearInstance([[1, 0], [0, 1], [0.6, 0.6]], theta=[0.2, 0.9])
    LinearInstance(k=3, d=2, mu=[0.2, 0.9, 0.66])
    """

    features: np.ndarray
    theta: np.ndarray
    mu: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        x, theta = _arms(self.features), _checks.array("theta", self.theta, -math.inf)
        message = f"theta must have one entry for each of {x.shape[1]} features"
        _checks.require(theta.shape == x.shape[1:], f"{message}, got {theta.shape}")
        mu = x @ theta
        mu[abs(mu) < 1e-12] = 0  # rounded, not wrong
        mu[abs(mu - 1) < 1e-12] = 1
        _checks.array("mu = features @ theta", mu, 0, 1)
        for name, values in (("features", x), ("theta", theta), ("mu", mu)):
            object.__setattr__(self, name, values.copy())
            getattr(self, name).flags.writeable = False

    def __repr__(self) -> str:
        k, d = self.features.shape
        return f"LinearInstance(k={k}, d={d}, mu={brief(self.mu, '.3g')})"

    @property
    def mu_star(self) -> float:
        """The highest mean."""
        return float(self.mu.max())


def _arms(features: ArrayLike) -> np.ndarray:
    x = _checks.array("features", features, -1e100, 1e100)
    wrong = f"features must have shape (k, d) and not all be 0, got shape {x.shape}"
    _checks.require(x.ndim == 2 and bool(x.any()), wrong)
    return x


def in_span(features: ArrayLike) -> np.ndarray:
    """The same arms, described by as few numbers as they need, (k, rank).

    >>> pm.linear.in_span([[1, 2], [2, 4], [3, 6]]).shape
    (3, 1)
    """
    x = _arms(features)
    _, sizes, axes = np.linalg.svd(x, full_matrices=False)
    rank = int((sizes > 1e-10 * sizes[0]).sum())
    return x if rank == x.shape[1] else x @ axes[:rank].T


def leverages(features: ArrayLike, weights: ArrayLike) -> np.ndarray:
    """phi_i^T V^-1 phi_i of every arm, (k,), with V = sum_j weights_j phi_j phi_j^T.

    >>> pm.linear.leverages([[1, 0], [0, 1]], weights=[4, 2]).round(6)
    array([0.25, 0.5 ])
    """
    x, w = in_span(features), _checks.array("weights", weights)
    wrong = f"weights must be one for each of {len(x)} arms, got shape {w.shape}"
    _checks.require(w.shape == x.shape[:1], wrong)
    spans = w.any() and np.linalg.matrix_rank(x[w > 0]) == x.shape[1]
    _checks.require(bool(spans), "weights must be positive on arms that span the rest")
    return _leverages(x, w)


def _leverages(x: np.ndarray, w: np.ndarray) -> np.ndarray:
    return np.einsum("ij,ij->i", x @ np.linalg.inv((x.T * w) @ x), x)


def d_optimal(features: ArrayLike, tol: float = 1e-3) -> np.ndarray:
    """Weights (k,), of sum 1, for which the largest leverage is at most d (1 + tol).

    With d features that the arms need, no weights bring it below d (Kiefer and
    Wolfowitz). From d arms that span the others, steps of Frank and Wolfe to the arm of
    highest leverage, or away from the one of lowest, each as far as raises det V most.

    >>> pm.linear.d_optimal([[1, 0], [0, 1], [0.1, 0.1]]).round(6)
    array([0.5, 0.5, 0. ])
    """
    tol = _checks.real("tol", tol, 1e-9, 1e9)
    x, _ = np.linalg.qr(in_span(features))
    d = x.shape[1]
    weights, rest = np.zeros(len(x)), x.copy()
    for _ in range(d):
        i = np.argmax((rest**2).sum(axis=1))
        weights[i], axis = 1 / d, rest[i] / np.linalg.norm(rest[i])
        rest -= np.outer(rest @ axis, axis)
    while True:
        level = _leverages(x, weights)
        up, down = level.argmax(), np.where(weights > 0, level, np.inf).argmin()
        if level[up] <= d * (1 + tol):
            return weights / weights.sum()
        i = up if level[up] - d >= d - level[down] else down
        drop = -weights[i] / (1 - weights[i])
        step = (level[i] - d) / (d * (level[i] - 1)) if level[i] > 1 else drop
        weights *= 1 - max(step, drop)
        weights[i] = weights[i] + step if step > drop else 0


def schedule(weights: ArrayLike, n: float) -> np.ndarray:
    """How often to explore each arm: n times its weight, rounded up, (k,).

    >>> pm.linear.schedule([0.5, 0.3, 0.2], n=9)
    array([5, 3, 2])
    """
    n = _checks.real("n", n, 0, 1e12)
    return np.ceil(n * _checks.array("weights", weights) - 1e-9).astype(np.int64)


@dataclass(frozen=True, eq=False)
class LinUCB:
    """Explore by `schedule` (k,), then the arm of highest index.

    The index is <phi_i, theta_hat> + `width` sqrt(log T) times the root of the arm's
    leverage; `ridge` is added to the diagonal of V. The `order` of the exploration is
    "random", shuffled in every run, or "fixed": round robin.

    >>> pm.linear.LinUCB("LinUCB", np.array([5, 5]), width=1.5)
    LinUCB(name='LinUCB', width=1.5, ridge=0.0, order='random')
    """

    name: str
    schedule: np.ndarray = field(repr=False)
    width: float
    ridge: float = 0.0
    order: str = "random"

    def __post_init__(self) -> None:
        _checks.array("schedule", self.schedule)
        _checks.real("width", self.width, 0, 1e9)
        _checks.real("ridge", self.ridge, 0, 1e9)
        _checks.choice("order", self.order, ORDERS)


@dataclass(frozen=True)
class FairLinUCB:
    """Sarkar, Pandey and Chowdhury (2026), as their public code has it for p >= -1.

    Explores for 36 log T rounds, then twice as many, ..., half by a design and half
    uniformly, until x > 0 and x^2 t > 900 (sigma d)^2 log T, where x is the highest
    <phi_i, theta_hat> less 4 sigma d sqrt(3 log T / t). Then LinUCB with ridge 0.01.

    >>> pm.linear.FairLinUCB(sigma=0.5)
    FairLinUCB(sigma=0.5)
    """

    sigma: float = 0.5

    def __post_init__(self) -> None:
        _checks.real("sigma", self.sigma, 0, 1e9)


@dataclass(frozen=True)
class LinNash:
    """Sawarni, Pal and Barman (2023), for finitely many arms, after public code.

    Explores for 3 sqrt(T d log(T k)) rounds, half by a design and half uniformly,
    and then eliminates arms in phases that double, each by a design of its own. Here
    the arms of a phase come in random order.

    >>> pm.linear.LinNash()
    LinNash()
    """


def deviation(d: int) -> float:
    """sqrt(1 + d/2), the smallest width of Theorem E.

    >>> round(pm.linear.deviation(d=6), 6)
    2.0
    """
    return math.sqrt(1 + _checks.integer("d", d, 1) / 2)


def explore_enough(
    features: ArrayLike, T: float, mu_star: float, x0: float = 0.5, width: float = 0.0
) -> LinUCB:
    """LinUCB after the least exploration by a design that Theorem E allows.

    Its smallest width is taken where `width` is less.

    >>> pm.linear.explore_enough([[1, 0], [0, 1]], T=1e6, mu_star=0.9).schedule
    array([546, 546])
    """
    weights, least = d_optimal(features), deviation(in_span(features).shape[1])
    width = max(least, _checks.real("width", width, 0, 1e9))
    lost = _checks.real("x0", x0, 1e-9, 0.5) * _checks.real("mu_star", mu_star, 1e-9, 1)
    n = (width + least) ** 2 * math.log(_checks.real("T", T, 2)) / lost**2
    n *= leverages(features, weights).max()
    return LinUCB("LinUCB-E", schedule(weights, n), width)


def bound(
    features: ArrayLike, policy: LinUCB, T: float, p: float, mu_star: float,
    x0: float = 0.5,
) -> float:  # fmt: skip
    """The right side of Theorem E, for rewards in [0, 1], its hypotheses checked.

    mu_star L_g(p) T~/T + price(p, x0) b sqrt(1.01 d log(g T/(d T~)) log T / T) +
    mu_star/T, where g is T~ times the largest leverage of the schedule, and b = width +
    sqrt(1 + d/2).

    >>> arms = [[1, 0], [0, 1], [0.6, 0.6]]
    >>> policy = pm.linear.explore_enough(arms, T=1e6, mu_star=0.9)
    >>> round(pm.linear.bound(arms, policy, T=1e6, p=-1, mu_star=0.9), 4)
    0.079
    """
    d, T_tilde = in_span(features).shape[1], float(policy.schedule.sum())
    b = _checks.real("width", policy.width, deviation(d)) + deviation(d)
    _checks.real("ridge", policy.ridge, 0, 0)
    _checks.choice("order", policy.order, ("random",))
    T, mu_star = _checks.real("T", T, T_tilde), _checks.real("mu_star", mu_star, 0, 1)
    most = (_checks.real("x0", x0, 1e-9, 0.5) * mu_star / b) ** 2 / math.log(T)
    largest = float(leverages(features, policy.schedule).max())
    _checks.real("largest leverage", largest, 0, most)
    g, growth = max(1.0, T_tilde * largest), max(1.0, T * largest / d)  # but rounded
    root = math.sqrt(1.01 * d * math.log(growth) * math.log(T) / T)
    blind = mu_star * bounds.deformed_log(g, p) * T_tilde / T
    return blind + bounds.price(p, x0) * b * root + mu_star / T


def simulate(
    instance: LinearInstance, policy: LinUCB | FairLinUCB | LinNash, T: int,
    n_runs: int, rng: np.random.Generator | int,
) -> Profile:  # fmt: skip
    """Many runs, averaged round by round, for `measured_regret`; `rng` may be a seed.

    Every run has a stream of its own. `T_tilde` is the mean over the runs.

    >>> instance = pm.linear.LinearInstance([[1, 0], [0, 1]], theta=[0.2, 0.9])
    >>> policy = pm.linear.LinUCB("LinUCB", np.array([5, 5]), width=1.5)
    >>> pm.linear.simulate(instance, policy, T=100, n_runs=20, rng=1)
    Profile(T=100, n_runs=20, mu_star=0.9, T_tilde=10)
    """
    T, n_runs = _checks.integer("T", T, 1), _checks.integer("n_runs", n_runs, 1)
    streams: Any = generator(rng).bit_generator.seed_seq
    sizes = group_sizes(T, n_runs)
    totals = np.zeros((sizes.size, T))
    pulls = np.zeros((sizes.size, instance.mu.size), np.int64)
    explored = 0
    for place, seed in enumerate(progress_bar(streams.spawn(n_runs), unit="run")):
        run = play(instance, policy, T, np.random.default_rng(seed))
        totals[place % sizes.size] += run.mu_t
        pulls[place % sizes.size] += np.bincount(run.arms, minlength=instance.mu.size)
        explored += run.explored
    T_tilde = round(explored / n_runs)
    known = T_tilde if isinstance(policy, LinUCB) else 0
    return Profile(
        mu_star=instance.mu_star, total_t=totals.sum(axis=0), n_runs=n_runs,
        T_tilde=T_tilde, known=known, group_totals=totals, group_pulls=pulls,
        group_sizes=sizes,
    )  # fmt: skip


class LinearRun(NamedTuple):
    """The arm of each round (T,), what it expects (T,), and how many explored.

    Rounds whose arms are shuffled all expect the mean over these arms, exactly.
    """

    arms: np.ndarray
    mu_t: np.ndarray
    explored: int

    def __repr__(self) -> str:
        mean = self.mu_t.mean()
        return f"LinearRun(T={self.arms.size}, explored={self.explored}, mu={mean:.4g})"


def play(
    instance: LinearInstance, policy: LinUCB | FairLinUCB | LinNash, T: int,
    rng: np.random.Generator,
) -> LinearRun:  # fmt: skip
    """One run of T rounds.

    >>> instance = pm.linear.LinearInstance([[1, 0], [0, 1]], theta=[0.2, 0.9])
    >>> policy = pm.linear.LinUCB("LinUCB", np.array([5, 5]), width=1.5)
    >>> pm.linear.play(instance, policy, 100, np.random.default_rng(1)).explored
    10
    """
    run = _Run(instance, T, rng)
    kinds = {LinUCB: _lin_ucb, FairLinUCB: _fair_lin_ucb, LinNash: _lin_nash}
    return LinearRun(run.arms, run.mu_t, kinds[type(policy)](policy, run))


class _Run:
    """One run so far: `t` rounds, V, and b, the sum of reward times phi."""

    def __init__(self, instance, T, rng):
        self.x, self.mu = in_span(instance.features), instance.mu
        self.k, self.d = self.x.shape
        self.T, self.t = T, 0
        self.rng = rng
        self.arms, self.mu_t = np.empty(T, np.int32), np.empty(T)
        self.V, self.b = np.zeros((self.d, self.d)), np.zeros(self.d)

    def follow(self, line, shuffled=False):
        """Play the arms of a list, as far as T allows."""
        expected = self.mu[line]
        if shuffled and line.size:
            line = self.rng.permutation(line)
            expected = np.full(line.size, expected.mean())
        line = line[: self.T - self.t]
        rounds = slice(self.t, self.t + line.size)
        self.arms[rounds], self.mu_t[rounds] = line, expected[: line.size]
        rewards = (self.rng.random(line.size) <= self.mu[line]).astype(float)
        self.b += self.x[line].T @ rewards
        self.V += self.x[line].T @ self.x[line]
        self.t += line.size

    def means(self):
        """What the data say of each arm."""
        return self.x @ (np.linalg.pinv(self.V) @ self.b)

    def optimism(self, bonus, ridge):
        """Play the rest; in round t `bonus[t]` multiplies the roots of leverages.

        Every REFRESH rounds V is inverted anew, so that rounding errors do not add up.
        """
        self.V += ridge * np.eye(self.d)
        x, explored = np.ascontiguousarray(self.x.T), self.t
        if self.t < self.T:
            message = "schedule must explore arms that span the rest, or ridge be > 0"
            _checks.require(np.linalg.matrix_rank(self.V) == self.d, message)
        for start in range(explored, self.T, REFRESH):
            part, inverse = slice(start, start + REFRESH), np.linalg.inv(self.V)
            pairs, arms = np.ndindex(inverse.shape), self.arms[part]
            level = sum(x[j] * inverse[j, m] * x[m] for j, m in pairs)
            _optimism(self.rng, self.mu, x, inverse, self.b, level, bonus[part], arms)
            self.V += (x * np.bincount(arms, minlength=self.k)) @ self.x
        self.mu_t[explored:] = self.mu[self.arms[explored:]]
        return explored


def _lin_ucb(policy, run):
    message = f"schedule must have one entry for each of {run.k} arms"
    _checks.require(policy.schedule.shape == (run.k,), message)
    line = _round_robin(policy.schedule.astype(np.int64))
    run.follow(line, policy.order == "random")
    bonus = policy.width * math.sqrt(math.log(run.T))
    return run.optimism(np.full(run.T, bonus), policy.ridge)


def _round_robin(n: np.ndarray) -> np.ndarray:
    """Arms 0, 1, ... in turn, arm i in the first n[i] turns only."""
    arm = np.repeat(np.arange(n.size), n)
    turn = np.arange(arm.size) - np.repeat(n.cumsum() - n, n)
    return arm[np.lexsort((arm, turn))]


def _half_design(run, length):
    """A coin for every round: a uniform arm, or the next of the design's round robin.

    The latter holds arms for a third of the rounds; uniform arms follow when it ends.
    """
    line = run.rng.integers(0, run.k, length)
    places = np.flatnonzero(run.rng.random(length) < 0.5)
    design = _round_robin(schedule(d_optimal(run.x), length / 3))[: places.size]
    line[places[: design.size]] = design
    return line


def _fair_lin_ucb(policy, run):
    log_T, scale = math.log(run.T), policy.sigma * run.d
    clock, length = 1, 36 * log_T
    while run.t < run.T:
        x = run.means().max() - 4 * scale * math.sqrt(3 * log_T / clock)
        if x > 0 and x * x * clock > 900 * scale**2 * log_T:
            break
        run.follow(_half_design(run, int(length)))
        clock, length = clock + int(length), 2 * length
    t = np.arange(1, run.T + 1)
    root = np.sqrt(run.d * np.log1p(t / (run.d * 0.01)) + 2 * log_T)
    return run.optimism(policy.sigma * root + 0.1, 0.01)


def _lin_nash(_, run):
    rate = run.d * math.log(run.T * run.k)
    left = np.arange(run.k)
    length = 3 * math.sqrt(run.T * rate)
    run.follow(_half_design(run, math.ceil(length)))
    explored, length = run.t, length / 3
    while run.t < run.T:
        mean = run.means()[left]
        radius = 6 * np.sqrt(np.maximum(mean, 0) * rate / length)
        left = left[mean + radius >= (mean - radius).max()]
        run.V, run.b, length = 0 * run.V, 0 * run.b, 2 * length
        n = schedule(d_optimal(run.x[left], 0.01), length)
        run.follow(np.repeat(left, n), shuffled=True)
    return explored


@cached_jit(nogil=True, error_model="numpy")
def _optimism(rng, mu, x, inverse, b, level, bonus, arms):
    """LinUCB for arms.size rounds, O(k d) each; `x` is (d, k), `inverse` that of V.

    When phi phi^T joins V, its inverse loses v v^T / (1 + phi^T v), v = V^-1 phi
    (Sherman and Morrison), and every leverage, `level`, loses <phi_i, v>^2 over the
    same number. Scores are not made from older ones: then arms that were paid the same
    in another order would differ in a last digit, and tie no more.
    """
    k, d = level.size, b.size
    index, shared, v = np.empty(k), np.empty(k), np.empty(d)
    for t in range(arms.size):
        _share(x, inverse, b, v, index)
        for i in range(k):
            index[i] += bonus[t] * math.sqrt(max(level[i], 0))
        best = 0
        for i in range(k):
            if index[i] > index[best]:
                best = i
        arms[t] = best
        if rng.random() <= mu[best]:
            b += x[:, best]
        _share(x, inverse, x[:, best], v, shared)
        scale = 1 + shared[best]
        for j in range(d):
            for m in range(d):
                inverse[j, m] -= v[j] / scale * v[m]
        for i in range(k):
            level[i] -= shared[i] ** 2 / scale


@cached_jit(nogil=True, error_model="numpy")
def _share(x, inverse, vector, v, out):
    """`v` becomes inverse times vector, and `out` what it says of each arm, x^T v.

    In loops, since arrays that are made anew cost more than what is in them.
    """
    out[:] = 0
    for j in range(v.size):
        v[j] = 0
        for m in range(v.size):
            v[j] += inverse[j, m] * vector[m]
    for j in range(v.size):
        for i in range(out.size):
            out[i] += v[j] * x[j, i]
