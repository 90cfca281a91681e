"""What the rows say: how good the arms are, how surely, and what learning would cost.

Nothing is told here in words; `tell` does that. Means that the data allow are drawn at
random, and every policy plays also in the worlds which they make (chapter `advice`).
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from pmeanlib import _checks
from pmeanlib.advice.rows import Rows
from pmeanlib.bounds import DEVIATION
from pmeanlib.engine import progress_bar, simulate
from pmeanlib.instances import Instance, bernoulli, from_data
from pmeanlib.policies import Policy, by_name, ucb1
from pmeanlib.rules import ucb_index
from pmeanlib.welfare import Estimate, Profile, measured_regrets

LEAST_ROWS = LEAST_CLUSTERS = 10  # of an arm, to say anything
SURE = 0.05  # arms that differ less than chance would, so often, are not told apart
ALIKE = 0.1  # of the best mean: a difference that hardly matters
DRAWS, SHUFFLES, WORLDS = 4_000, 2_000, 40
ROUNDS = 40_000_000  # simulated for one policy, about
MOST_T = 1_000_000


@dataclass(frozen=True)
class Arms:
    """Rows, means and intervals (k,), and `possible` means (DRAWS, k).

    `effective` counts the rows of each arm that say something of their own: fewer than
    there are where rows of one cluster are alike. `clusters` counts the clusters of
    each arm. `chance` is how often arms that are all the same would differ so much.
    """

    names: tuple[str, ...]
    rows: np.ndarray
    effective: np.ndarray
    clusters: np.ndarray
    mean: np.ndarray
    possible: np.ndarray
    chance: float

    @property
    def interval(self) -> np.ndarray:
        """Where each mean lies, 95 times in 100, shape (2, k)."""
        return np.quantile(self.possible, (0.025, 0.975), axis=0)

    @property
    def best(self) -> int:
        """The arm that looks best."""
        return int(self.mean.argmax())

    @property
    def best_in(self) -> np.ndarray:
        """In which share of the possible worlds each arm is the best, (k,)."""
        winners = self.possible.argmax(axis=1)
        return np.bincount(winners, minlength=self.mean.size) / len(self.possible)

    @property
    def worse(self) -> list[int]:
        """The arms surely worse than the one that looks best: all of them at 5 %."""
        as_good = np.mean(self.possible >= self.possible[:, [self.best]], axis=0)
        return np.flatnonzero(as_good <= SURE / 2 / max(1, self.mean.size - 1)).tolist()

    @property
    def loss(self) -> np.ndarray:
        """What the arm that looks best costs a person in each possible world."""
        return self.possible.max(axis=1) - self.possible[:, self.best]

    @property
    def verdict(self) -> str:
        """`apart`, `alike` (it hardly matters), or `unknown`: too little data."""
        if self.rows.min() < LEAST_ROWS or self.clusters.min() < LEAST_CLUSTERS:
            return "unknown"
        if self.chance <= SURE:
            return "apart"
        high, low = self.possible.max(axis=1), self.possible.min(axis=1)
        hardly = np.quantile((high - low) / high, 0.95) <= ALIKE
        return "alike" if hardly else "unknown"

    @property
    def rows_needed(self) -> int:
        """Of each arm, to see a fifth of the average as a difference of two arms.

        Four times in five, by a test at 5 per cent, of rows that are independent.
        """
        each = self.possible.var(axis=0) * self.effective  # the variance of one row
        average, variance = np.average([self.mean, each], axis=1, weights=self.rows)
        needed = 2 * (1.96 + 0.84) ** 2 * variance / (0.2 * average) ** 2
        return max(LEAST_ROWS, math.ceil(needed))


@dataclass(frozen=True)
class Cost:
    """What a policy costs: measured at the means of the file, and in possible worlds.

    `regrets` holds an estimate for each exponent; `worlds` (WORLDS,) the regret at the
    first of them in each world, and `world_losses` the average loss of a person there.
    `places` are the expected rewards of the first k people, the next k, the first tenth
    and the last tenth of the queue. `sure` is the share of the worlds in which the
    error bar of the regret can be trusted.
    """

    name: str
    policy: Policy
    regrets: tuple[Estimate, ...]
    lost: float
    places: tuple[float, ...]
    mu_t: np.ndarray
    worlds: np.ndarray
    world_losses: np.ndarray
    sure: float


@dataclass(frozen=True)
class Advice:
    """All that `tell` puts into words.

    `going_on` is what a person loses, in each of many worlds, when one goes on learning
    where the file ends.
    """

    rows: Rows
    arms: Arms
    T: int
    exponents: tuple[float, ...]
    seed: int
    costs: tuple[Cost, ...]
    lengths: tuple[tuple[int, Estimate], ...]
    going_on: np.ndarray

    @property
    def ranked(self) -> list[Cost]:
        """By the regret in possible worlds, the least first, doubtful ones last."""
        return sorted(self.costs, key=lambda c: (c.sure < 0.5, c.worlds.mean()))

    @property
    def least_in(self) -> np.ndarray:
        """In which share of the worlds each of `ranked` has the least regret."""
        least = np.argmin([cost.worlds for cost in self.ranked], axis=0)
        return np.bincount(least, minlength=len(self.costs)) / WORLDS


def judge(rows: Rows, T: int, p: float, seed: int) -> Advice:
    """Everything about the next T people; no costs where the verdict is `unknown`."""
    T = _checks.integer("T", T, 2 * len(rows.arms), MOST_T)
    p = _checks.real("p", p, -100, 1)
    of_arms, of_costs, of_lengths, of_more = (
        np.random.default_rng([seed, part]) for part in range(4)
    )
    arms = weigh(rows, of_arms)
    exponents = (p, *(q for q in (1.0, 0.0, -1.0, -5.0) if q != p))
    worlds = arms.possible[:WORLDS]
    costs: list[Cost] = []
    lengths: list[tuple[int, Estimate]] = []
    going_on = np.empty(0)
    if arms.verdict == "apart":
        offers = offered(T, len(arms.names), p, float(arms.mean.max()))
        streams = zip(offers.items(), of_costs.spawn(len(offers)), strict=True)
        for (name, policy), rng in progress_bar(streams, total=len(offers)):
            costs.append(cost(name, policy, rows, arms, worlds, T, exponents, rng))
        lengths = list(by_length(make_arms(rows, arms.mean), T, p, of_lengths))
        going_on = go_on(arms, T, of_more)
    return Advice(
        rows, arms, T, exponents, seed, tuple(costs), tuple(lengths), going_on
    )


def weigh(rows: Rows, rng: np.random.Generator) -> Arms:
    """The arms, and the means that the data allow."""
    mean = np.array([x.mean() for x in rows.outcomes])
    spread, effective, clusters = np.transpose([
        _effective(x, c) for x, c in zip(rows.outcomes, rows.clusters, strict=True)
    ])  # fmt: skip
    size = DRAWS, mean.size
    if rows.binary:  # Jeffreys' prior: no arm is sure, even if it never failed
        good, bad = effective * mean, effective * (1 - mean)
        possible = rng.beta(good + 0.5, bad + 0.5, size)
    else:
        t = rng.standard_t(np.maximum(clusters - 1, 1), size)
        possible = np.clip(mean + t * spread / np.sqrt(effective), 0, 1)
    n = np.array([len(x) for x in rows.outcomes])
    ratio = float(np.average(n / effective, weights=n))
    chance = _chance(rows, ratio, rng)
    return Arms(rows.arms, n, effective, clusters, mean, possible, chance)


def _effective(x: np.ndarray, cluster: np.ndarray) -> tuple[float, float, int]:
    """An arm's standard deviation, how many independent rows it is worth, clusters.

    The variance of the mean comes from the sums of the clusters, made larger as
    Student's t is wider than the normal law; that of independent rows would be smaller
    by the ratio which is returned as fewer rows.
    """
    code, left = np.unique(cluster, return_inverse=True)[1], x - x.mean()
    sums = np.bincount(code, left)
    n, groups, spread = x.size, sums.size, float(x.std(ddof=1)) if x.size > 1 else 0.5
    if spread < 1e-9:  # all alike, up to rounding
        return 0.5 / math.sqrt(n), groups, groups
    if groups == n:
        return spread, n, groups
    if groups == 1:
        return spread, 1, groups
    wider = Estimate(0, 1, 0, n_groups=groups).interval[1] / 1.96
    variance = wider**2 * groups / (groups - 1) * float(sums @ sums) / n**2
    worth = spread**2 / max(variance, 1e-12 * spread**2)
    return spread, min(max(worth, 1.0), n), groups


def _chance(rows: Rows, ratio: float, rng: np.random.Generator) -> float:
    """How often a deal of the same outcomes at random would differ so much by arm.

    Where clusters make a row worth less, the difference seen counts for less by it.
    """
    ends = np.cumsum([len(x) for x in rows.outcomes])[:-1]
    x, sizes = np.concatenate(rows.outcomes), np.array([len(x) for x in rows.outcomes])
    x = x - x.mean()

    def difference() -> float:
        sums = np.add.reduceat(x, [0, *ends])
        return float(np.sum(sums**2 / sizes))

    seen, as_large = difference() / ratio, 1
    deals = min(SHUFFLES, max(200, 10**8 // x.size))
    for _ in range(deals):
        rng.shuffle(x)
        as_large += difference() >= seen * (1 - 1e-12)
    return as_large / (deals + 1)


def make_arms(rows: Rows, mean: np.ndarray) -> Instance:
    """Arms as in the file with these means: outcomes are squeezed to have them."""
    if rows.binary:
        return bernoulli(mean)
    moved = (_squeezed(x, m) for x, m in zip(rows.outcomes, mean, strict=True))
    return from_data(list(moved))


def _squeezed(x: np.ndarray, mean: float) -> np.ndarray:
    """The outcomes moved towards 0, or towards 1, until they have this mean."""
    now = x.mean()
    if mean <= now:
        return x * (mean / now) if now else x
    return 1 - (1 - x) * ((1 - mean) / (1 - now))


def offered(T: int, k: int, p: float, mu_star: float) -> dict[str, Policy]:
    """The policies that are compared, by the names that the report gives them."""
    named = partial(by_name, T=T, k=k, p=p, mu_star=mu_star, order="random")
    narrow = DEVIATION
    short = Policy("EUCB", ucb_index, narrow, min(2 * k, T))
    return {
        "by lot, for ever": Policy("uniform", ucb_index, T_tilde=T),
        "UCB1": named("ucb1", width=4.0),
        "narrow UCB": ucb1(narrow, "random"),
        "short EUCB": short,
        "EUCB, the paper's": named("eucb"),
        "EUCB, Theorem U's": named("eucb-unified", width=narrow),
        "NCB": named("ncb"),
        "Welfarist-UCB": named("welfarist"),
        "UCB-HARE": named("hare"),
        "KL-UCB": named("kl-ucb"),
        "Thompson": named("thompson"),
    }


def cost(
    name: str,
    policy: Policy,
    rows: Rows,
    arms: Arms,
    worlds: np.ndarray,
    T: int,
    exponents: tuple[float, ...],
    rng: np.random.Generator,
) -> Cost:
    """What one policy costs at the file's means, and in each of the worlds."""
    n_runs = max(8, min(400, ROUNDS // (4 * T)))
    here, *there = rng.spawn(1 + len(worlds))
    profile = _quietly(make_arms(rows, arms.mean), policy, T, n_runs, here)
    few, losses, regrets = max(2, min(40, ROUNDS // (T * len(worlds)))), [], []
    for mean, stream in zip(worlds, there, strict=True):
        world = _quietly(make_arms(rows, mean), policy, T, few, stream)
        losses.append(world.mu_star - float(world.mu_t.mean()))
        regrets.append(measured_regrets(world, exponents[:1])[0])
    mu_t, tenth, k = profile.mu_t, max(1, T // 10), len(arms.names)
    parts = mu_t[:k], mu_t[k : 2 * k], mu_t[:tenth], mu_t[-tenth:]
    places = tuple(float(part.mean()) if part.size else math.nan for part in parts)
    estimates = tuple(measured_regrets(profile, exponents))
    lost = T * (profile.mu_star - float(mu_t.mean()))
    safe = [e.value if e.trusted else e.plug_in for e in regrets]
    both = np.array(safe), np.array(losses)
    sure = float(np.mean([e.trusted for e in regrets]))
    return Cost(name, policy, estimates, lost, places, mu_t, *both, sure)


def go_on(arms: Arms, T: int, rng: np.random.Generator) -> np.ndarray:
    """What a person loses on average by Thompson sampling that begins with the file.

    In each of many possible worlds, one run. Outcomes are tossed as coins of the same
    means; beliefs change after every batch, of which there are 1,000 at most.
    """
    mean = arms.possible[: max(20, min(200, 10**8 // (T * arms.mean.size)))]
    rounds = np.arange(len(mean))
    good = np.tile(arms.effective * arms.mean + 0.5, (len(mean), 1))
    bad = np.tile(arms.effective * (1 - arms.mean) + 0.5, (len(mean), 1))
    loss, batch = np.zeros(len(mean)), math.ceil(T / 1_000)
    for start in range(0, T, batch):
        size = min(batch, T - start)
        drawn = rng.beta(good, bad, (size, *good.shape)).argmax(axis=2)
        for chosen in drawn:
            came = rng.random(len(mean)) < mean[rounds, chosen]
            good[rounds, chosen] += came
            bad[rounds, chosen] += ~came
            loss += mean.max(axis=1) - mean[rounds, chosen]
    return loss / T


def by_length(
    instance: Instance, T: int, p: float, rng: np.random.Generator
) -> Iterator[tuple[int, Estimate]]:
    """The regret of narrow UCB after explorations of several lengths."""
    lengths = np.unique(np.geomspace(instance.k, T, 9).round().astype(int))
    n_runs = max(8, min(400, ROUNDS // (4 * T)))
    for T_tilde, stream in zip(lengths, rng.spawn(lengths.size), strict=True):
        policy = Policy("EUCB", ucb_index, DEVIATION, int(T_tilde))
        profile = _quietly(instance, policy, T, n_runs, stream)
        yield int(T_tilde), measured_regrets(profile, [p])[0]


def _silent(_: int) -> None:
    """No bar for one of many simulations."""


_quietly: Callable[..., Profile] = partial(simulate, progress=_silent)
