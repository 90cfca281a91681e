"""The answers that `pm.check` knows, in plain, and the file of their hashes.

`make answers` writes `pmeanlib/exercises.json` from this list. An exercise is called by
the words of its label: `ex-nash-hand` is "nash-hand". This file is part of no build: it
stays with the solutions.
"""

import json
import math
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from pmeanlib import bounds, linear
from pmeanlib.engine import play
from pmeanlib.exercises import digest
from pmeanlib.instances import uniform
from pmeanlib.policies import auer, exploration_period
from pmeanlib.welfare import p_mean

FILE = Path(__file__).parents[2] / "pmeanlib" / "exercises.json"


@dataclass(frozen=True)
class Answer:
    """What is asked for, in words; the answer; its figures, 0 for whole numbers.

    Where `value` is only an example, everything with the properties `must` is right.
    """

    asks: str
    value: ArrayLike
    figures: int
    must: tuple[str, ...] = ()
    example: bool = False


def bisect(low: float, high: float, f) -> float:
    """Where an increasing function crosses 0."""
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (low, middle) if f(middle) > 0 else (middle, high)
    return low


def attention() -> float:
    """The p at which the outcome 1 beside three of 10 has half of the attention."""
    return 1 - math.log(3) / math.log(10)


def ties() -> list[float]:
    """Where the p-means of the two programmes of chapter `welfare` are equal."""
    u, v = [1.9, 5, 5, 10], [2, 4, 4.4, 11]
    return [
        bisect(-10, 0, lambda p: p_mean(u, p) - p_mean(v, p)),
        bisect(1, 10, lambda p: p_mean(v, p) - p_mean(u, p)),
    ]


def most_negative() -> int:
    """The largest q with 0.01 times the price at p = -q, x_0 = 1/2, at most 0.1."""
    return max(q for q in range(1, 50) if 0.01 * bounds.price(-q, 0.5) <= 0.1)


def own_groups() -> float:
    """The average cost at p = -2 of the two groups of chapter `reduction`."""
    t = np.arange(1, 10_001)
    lost = np.where(t <= 100, 0.9, 3 / np.sqrt(t))
    return float(np.mean(((1 - lost) ** -2 - 1) / 2))


def leaves_tube(c: float = 0.5, T: int = 100) -> float:
    """The chance that the average of a fair coin leaves its tube, head by head."""
    paths = {0: 1.0}  # heads so far: their chance, inside all the way
    for s in range(1, T + 1):
        radius, tossed = c * math.sqrt(math.log(T) / s), dict[int, float]()
        for heads, chance in paths.items():
            for more in (heads, heads + 1):
                if abs(more / s - 0.5) <= radius:
                    tossed[more] = tossed.get(more, 0.0) + chance / 2
        paths = tossed
    return 1 - sum(paths.values())


def best_of_nine(width: float, T: int = 8) -> int:
    """The best length of exploration at p = -1 for the arms 1 and 0, by enumeration."""

    def regret(length: int) -> float:
        paid = np.zeros(T)
        for first in product((1, 0), repeat=length):
            pulls = {1: 0, 0: 0}
            for t in range(T):
                index = {  # an arm pays its own name; of equals the first is pulled
                    i: i + width * math.sqrt(math.log(T) / n) if n else math.inf
                    for i, n in pulls.items()
                }
                arm = first[t] if t < length else max(pulls, key=index.__getitem__)
                pulls[arm] += 1
                paid[t] += arm / 2**length
        return 1 - p_mean(paid, -1)

    return min(range(T + 1), key=regret)


def sharp_horizons() -> list[float]:
    """From where on the bound before the tangent is below 0.5, 0.1 and 0.01."""
    k, p, mu_star = 10, -2, 0.9

    def sharp(T):
        T_tilde = bounds.least_exploration(T, k, mu_star, bounds.DEVIATION)
        whole = bounds.unified(T, k, p, mu_star, math.ceil(T_tilde), bounds.DEVIATION)
        y = (whole - mu_star / T) / mu_star
        return mu_star * (1 - (1 - 1 / T) * (1 - p * y) ** (1 / p))

    return [
        bounds.smallest_horizon(lambda T, level=level: sharp(T) < level)
        for level in (0.5, 0.1, 0.01)
    ]


def no_mistakes() -> list[float]:
    """Regret at p = -1 if Phase II plays the best arm only, for six gaps."""
    T = 100_000
    tau = math.ceil(bounds.period(T, 2, -1)) / T
    gaps = (0.02, 0.05, 0.1, 0.2, 0.5, 0.9)
    return [0.9 - 1 / (tau / (0.9 - gap / 2) + (1 - tau) / 0.9) for gap in gaps]


def inequality() -> list[float]:
    """What Nash regret adds to the ordinary one on one good arm, and v / 2m."""
    tau = exploration_period(100_000, 5, 0) / 100_000
    u, weights = np.array([0.26, 0.9]), np.array([tau, 1 - tau])
    mean = float(weights @ u)
    variance = float(weights @ (u - mean) ** 2)
    return [mean - p_mean(u, 0, weights), variance / (2 * mean)]


def less_is_more() -> list[int]:
    """From how many arms on the shorter period of chapter `nash` is provably better."""

    def better(T, k):
        length = 16 * math.sqrt(k * T * math.log(T)) / math.log(k) + 1
        least = -0.9 * math.expm1(-math.log(k) * bounds.period(T, k, 0) / T)
        return bounds.or_nan(bounds.unified, T, k, 0, 0.9, length) < least

    return [next(k for k in range(2, 99) if better(T, k)) for T in (1e7, 1e8, 1e10)]


def paid_once(T: float, k: int, q: float, mu_star: float) -> float:
    """Theorem C with the price in a term of second order."""
    explored = mu_star * bounds.deformed_log(k, -q) * math.ceil(bounds.period(T, k, -q))
    root = WIDE * math.sqrt((k - 1) * math.log(T) / T)
    price = 2 * (2**q - 1) / q
    return (explored + mu_star) / T + root + 2 * (price - 1) * root**2 / mu_star


def three_terms() -> list[float]:
    """The bound of Theorem G with the numbers of the warm-up in `learners`."""

    def bound(p):
        blind = 0.8 * bounds.deformed_log(4, p) * 400 / 10_000
        return blind + bounds.price(p, 0.5) * 0.01 + 0.8 * (1 - 0.999)

    return [bound(p) for p in (1, 0, -1)]


def commit() -> list[float]:
    """The best length before committing to an arm, and the bound there."""
    a = 0.9 * bounds.deformed_log(10, 0) / 1e6
    c = bounds.price(0, 0.5) * math.sqrt(12 * 10 * math.log(1e6))
    T_tilde = (c / (2 * a)) ** (2 / 3)
    return [T_tilde, a * T_tilde + c / math.sqrt(T_tilde)]


def false_at() -> list[int]:
    """The smallest k at which claim (i) is false, for p = -0.5 and a tiny p > 0."""

    def fails(k, p):
        return bounds.assumption_2(8 * k**2 * math.log(k), k, p) < 1

    return [next(k for k in range(2, 2000) if fails(k, p)) for p in (-0.5, 1e-9)]


def true_horizons() -> int:
    """For how many T from 2 to 99 the Nash regret of UCB1 is at least 1 - 1/T."""
    sure = uniform([1, 0], [1, 0])  # equal ends: the arms pay a constant
    bad, true = play(sure, auer(), 99, np.random.default_rng(1)).arms, 0
    for T in range(2, 100):
        n_bad = bad[:T].sum()
        welfare = n_bad / T * (math.log(T + 1) - T * math.log(2 * math.e))
        if n_bad == 1:  # the round that plays it expects exactly its mean
            welfare = -math.log(2 * math.e)
        true += welfare <= -math.log(T)
    return int(true)


def clones() -> np.ndarray:
    """What a uniform round and one of the design expect, a line for each climate."""
    yields = np.array([[1, 0], [0.8, 0.4], [0.65, 0.65], [0.4, 0.8], [0, 1]])
    many = np.vstack([yields, np.tile(yields[0], (95, 1))])
    share = linear.d_optimal(many)
    climates = [many @ theta for theta in ([0.4, 0.5], [0, 0.7])]
    return np.array([[mu.mean(), share @ mu] for mu in climates])


def largest_leverage(d: int) -> float:
    """That of the uniform design, for the 500 panels of chapter `linear`."""
    panels = np.random.default_rng(d).random((500, d)) ** 3
    return float(linear.leverages(panels, np.full(500, 1 / 500)).max())


OFFERS = (0.339, 0.673, 0.772, 0.842, 0.870, 0.852)  # the shares of `case_study`


def seventh(mu: tuple[float, ...]) -> float:
    """What the seventh person expects: the first offer that worked, else the first."""
    expects, none_yet = 0.0, 1.0
    for share in mu:
        expects += none_yet * share**2
        none_yet *= 1 - share
    return expects + none_yet * mu[0]


def half_of_the_rounds() -> float:
    """The T with T = 32 (sqrt(k - 1) - 1)^2 log T / gap^2 for k = 10, gap = 0.6."""
    return bisect(100, 1e5, lambda T: T - 32 * 2**2 * math.log(T) / 0.6**2)


def balance() -> list[float]:
    """From where on UCB's term of Theorem U exceeds the exploring one."""
    k, mu_star, b = 10, 0.9, 2 * bounds.DEVIATION

    def ahead(T, p):
        exploring = bounds.deformed_log(k, p) * 8 * b * k / mu_star
        return T / math.log(T) - (exploring / bounds.price(p, 0.5)) ** 2 / (k - 1)

    return [bisect(10, 1e9, lambda T, p=p: ahead(T, p)) for p in (1, 0, -1, -2)]


def perfect() -> float:
    """Regret at p = 1/2 of a Phase II without mistakes; means 0.9 and 0."""
    tau = exploration_period(100_000, 2, 0.5) / 100_000
    return 0.9 - p_mean([0.45, 0.9], 0.5, [tau, 1 - tau])


def pooled() -> list[float]:
    """Regret at p = 1/2 with expectations first, and over all runs and rounds."""
    tau = 0.4471
    first = p_mean([2.15 / 3, 0.9], 0.5, [tau, 1 - tau])
    pool = p_mean([0.9, 0.85, 0.4, 0.9], 0.5, [tau / 3] * 3 + [1 - tau])
    return [0.9 - first, 0.9 - pool]


def shortest_phase() -> int:
    """The least multiple of 8 with 4 P(fewer than half of the share) at most 1e-4."""

    def too_few(n):
        tail = (math.comb(n, j) * 3 ** (n - j) for j in range(n // 8))
        return 4 * sum(tail) / 4**n

    return next(n for n in range(8, 999, 8) if too_few(n) <= 1e-4)


def leaves_above(d: float, T: int = 1_000) -> float:
    """P(a fair coin's average is once more than d sqrt(log T / s) above 1/2)."""
    inside, left = np.ones(1), 0.0
    for s in range(1, T + 1):
        inside = np.convolve(inside, [0.5, 0.5])
        out = np.arange(s + 1) / s - 0.5 > d * math.sqrt(math.log(T) / s)
        left += inside[out].sum()
        inside[out] = 0
    return float(left)


def returns(T: int = 10**5) -> int:
    """How often UCB1 plays an arm that always pays 0 beside one that always pays 1."""
    n = [1, 1]
    for t in range(2, T):
        reach = [math.sqrt(2 * math.log(t) / m) for m in n]
        n[reach[1] > 1 + reach[0]] += 1
    return n[1]


def early_losses(q: float, m: float = 0.5) -> float:
    """In blind rounds, the losses of "stay with what pays" of chapter `limits`."""
    lost = [0.5 * (1 - m) ** (t // 2) for t in range(1, 400)]
    return sum((1 - x) ** -q - 1 for x in lost) / (2**q - 1)


def timetable() -> list[int]:
    """When Phase II of Theorem D begins for mu_0 = 1/2; what the next epoch asks."""
    quota = [math.ceil(384 * math.log(1000 * (2 ** (j + 1) - 1))) for j in range(5)]
    j = next(j for j in range(5) if quota[j] < 1000 * (2 ** (j + 1) - 1))
    return [quota[j] + 1, quota[j + 1] - quota[j]]


def fatal(T: int = 2_000) -> list[int]:
    """How many of the arms 0.05, ..., 1 make thinning play a worthless arm for certain.

    And the first such round for the best of them. States are kept as a set of counts.
    """
    firsts = {}
    for good in (i / 20 for i in range(1, 21)):
        states = {0, 1}  # pulls of the good arm after round 1
        for t in range(2, T + 1):
            if math.isqrt(2 * t) > math.isqrt(2 * (t - 1)):
                states |= {n + 1 for n in states}
                continue
            log = 2 * math.log(t)
            bad = {
                n
                for n in states
                if n
                and (n == t - 1 or good + (log / n) ** 0.5 < (log / (t - 1 - n)) ** 0.5)
            }
            if bad == states:
                firsts.setdefault(good, t)
            states = bad | {n + 1 for n in states - bad}
    return [len(firsts), firsts[max(firsts)]]


def south() -> list[float]:
    """From which p on firm A gets all jobs, and its best share at p = -1."""
    ratio = math.sqrt(3 / 2)  # north over south at p = -1
    return [
        1 - math.log(1.5) / math.log(4.5),
        (0.6 * ratio - 0.3) / (0.6 + 0.4 * ratio),
    ]


WIDE, NARROW = 4 + bounds.DEVIATION, 2 * bounds.DEVIATION  # b of the widths 4, least
GOLDEN = (1 + math.sqrt(5)) / 2
ANSWERS = {
    "welfare-warm": Answer(
        "what the second household gets at p = 1, 0 and -1",
        [2 * 4 - 6, 4**2 / 6, 1 / (2 / 4 - 1 / 6)],
        3,
        ("positive",),
    ),
    "welfare-districts": Answer(
        "the welfare at p = -1 of all six, and from the averages",
        [p_mean([10, 10, 10, 2, 7, 7], -1), p_mean([8, 7], -1, weights=[4, 2])],
        3,
        ("positive",),
    ),
    "welfare-attention": Answer(
        "the p for outcomes 10, 10, 10 and 1", attention(), 3, ("share",)
    ),
    "welfare-code": Answer("the exponents of the ties of u and v", ties(), 3),
    "regret-warm": Answer(
        "the regrets of the fixed order at p = 1, 0 and -1, and that of the lot",
        [*(1 - p_mean([1, 1 / 2, 1 / 4], p) for p in (1, 0, -1)), 1 - 7 / 12],
        3,
        ("share",),
    ),
    "regret-zero": Answer(
        "the chance, and the number of runs",
        [0.99**30, math.ceil(math.log(0.05) / math.log(0.99))],
        4,  # with three, one run too few would pass
        ("positive",),
    ),
    "reduction-warm": Answer(
        "the price at q = 3, and the largest q",
        [bounds.price(-3, 0.5), most_negative()],
        3,
        ("positive",),
    ),
    "reduction-hand": Answer(
        "the regret at p = 1, at p = -1, and at p = -1 if all share the loss",
        [0.009, 1 - 100 / 109, 0.009],
        2,
        ("share",),
    ),
    "reduction-groups": Answer(
        "the bound at p = -2 with a group for each round", own_groups(), 3
    ),
    "reduction-above": Answer(
        "the price and the regret at p = 2",
        [(1 - 0.5**2) / (2 * 0.5), 1 - p_mean([0.5] * 2 + [1] * 8, 2)],
        3,
        ("share",),
    ),
    "optimism-warm": Answer(
        "how many lamps for 0.1, and for 0.05",
        [math.ceil(math.log(2 / 0.05) / (2 * eps**2)) for eps in (0.1, 0.05)],
        0,
        ("whole",),
    ),
    "optimism-tube": Answer(
        "the chance to leave the tube with c = 0.5", leaves_tube(), 3, ("share",)
    ),
    "optimism-edge": Answer(
        "the gap", 2 * bounds.DEVIATION * math.sqrt(4 * math.log(1e5) / 1e5), 3
    ),
    "optimism-hand": Answer(
        "how many pulls at most", 1 + 6 * math.log(1e6) / 0.2**2, 3, ("positive",)
    ),
    "algorithm-warm": Answer(
        "the premium at p = 1 and at p = -1",
        [0.9 - p_mean([1.42 / 3, 0.9], p, weights=[1, 9]) for p in (1, -1)],
        3,
        ("share",),
    ),
    "algorithm-small": Answer(
        "the best length for width 4, and for width 1",
        [best_of_nine(4), best_of_nine(1)],
        0,
        ("whole",),
    ),
    "algorithm-unseen": Answer(
        "k log(kT) for k = 50, T = 20,000", 50 * math.log(50 * 20_000), 3
    ),
    "algorithm-hand": Answer(
        "the p at which the answer changes, for k = 50",
        math.log(math.log(50)) / math.log(50),
        3,
    ),
    "good_event-hand": Answer(
        "beta for w = 4, beta for the least w, and the length of Phase I",
        [WIDE / 10, NARROW / 10, 100 * WIDE**2 / 0.4**2],
        3,
        ("positive",),
    ),
    "good_event-warm": Answer(
        "the exact probability and the union bound", [7 / 27, 64 / 243], 3, ("share",)
    ),
    "good_event-short": Answer(
        "the shortest Phase I for T = 10,000", shortest_phase(), 0, ("whole",)
    ),
    "good_event-code": Answer(
        "the one-sided probabilities for half-widths 0.5 and 0.75",
        [leaves_above(0.5), leaves_above(0.75)],
        3,
        ("share",),
    ),
    "good_event-open": Answer(
        "the d that the union bound allows", math.sqrt(3) / 2, 3, ("positive",)
    ),
    "unified-warm": Answer(
        "the regret, and fraction times cost", [3 / 11, 3 / 8], 3, ("share",)
    ),
    "unified-balance": Answer(
        "the four horizons, for p = 1, 0, -1 and -2", balance(), 2, ("positive",)
    ),
    "unified-open": Answer(
        "the least C for p = -1", 2 * (bounds.price(-1, 0.5) - 1), 3, ("positive",)
    ),
    "unified-code": Answer(
        "the three horizons of the sharper bound: below 0.5, 0.1 and 0.01",
        sharp_horizons(),
        2,
        ("positive",),
    ),
    "positive_p-hand": Answer(
        "the limit of S_p for p to 0 and S_1, for k = 10",
        [math.log(10), (10 - 1) / math.sqrt(10)],
        3,
        ("positive",),
    ),
    "positive_p-warm": Answer(
        "the regret and the average cost", [32 / 81, 4 / 9], 3, ("share",)
    ),
    "positive_p-price": Answer("the x_0 of this price", 24 / 49, 3, ("share",)),
    "positive_p-code": Answer(
        "the regret of a perfect Phase II at the largest gap", perfect(), 3, ("share",)
    ),
    "positive_p-pooled": Answer(
        "the two regrets, expectation first and pooled", pooled(), 3, ("share",)
    ),
    "nash-hand": Answer(
        "the mu_star at which the answer changes",
        2 - 1 / math.sqrt(math.log(2)),
        3,
        ("share",),
    ),
    "nash-code": Answer(
        "the T_tilde, of the six, with the least Nash regret",
        exploration_period(100_000, 5, 0) // 128,
        3,
        ("positive",),
    ),
    "nash-half": Answer(
        "the share tau, and the ordinary regret / mu_star",
        [1 / 3, 7 / 24],
        3,
        ("share",),
    ),
    "nash-inequality": Answer(
        "Nash regret less ordinary regret, and v / 2m, for one_good",
        inequality(),
        2,
        ("share",),
    ),
    "nash-arms-code": Answer(
        "the smallest k for T = 1e7, 1e8 and 1e10", less_is_more(), 0, ("whole",)
    ),
    "nash-hypothesis": Answer(
        "the largest x_0", bisect(0.5, 0.99, lambda x: -math.log(1 - x) / x - 2), 3
    ),
    "negative_p-hand": Answer(
        "a v between 0 and 1, for q = 1/2", 0.5, 1, ("share", "refutes"), example=True
    ),
    "negative_p-code": Answer(
        "the regrets without mistakes, for the six gaps", no_mistakes(), 2, ("share",)
    ),
    "negative_p-tries": Answer(
        "the number of tries, welfare and regret at p = -1",
        [1437.5, 1000 / 1437.5, 0.8 - 1000 / 1437.5],
        3,
        ("positive",),
    ),
    "negative_p-once": Answer(
        "the new bound and that of Theorem C, for q = 8 and T = 1e8",
        [paid_once(1e8, 2, 8, 0.9), bounds.repaired(1e8, 2, -8, 0.9)],
        2,
        ("positive",),
    ),
    "negative_p-hypothesis": Answer(
        "up to which q",
        math.log10(4 * 1e8 * 0.9**4 / (WIDE**4 * 10**2 * math.log(1e8))),
        3,
    ),
    "limits-warm": Answer(
        "the regrets at p = 0, -1 and -3",
        [1 - p_mean([1 / 3] + [1] * 9, p) for p in (0, -1, -3)],
        3,
        ("share",),
    ),
    "limits-arms": Answer(
        "the k for p = -2, -6 and -log T",
        [2 * 1000, 2 * 10, math.ceil(2 * math.e)],
        0,
        ("whole",),
    ),
    "limits-code": Answer(
        "how many of the 98 horizons", true_horizons(), 0, ("whole",)
    ),
    "limits-small": Answer(
        "log10 of 1/delta for (a) and for (b)",
        [n * math.log10(2) / returns() for n in (1e5, exploration_period(10**5, 2, 0))],
        3,
        ("positive",),
    ),
    "limits-open": Answer(
        "worth how many blind rounds, for q = 1 and 10",
        [early_losses(1), early_losses(10)],
        3,
        ("positive",),
    ),
    "learners-terms": Answer(
        "the bounds for p = 1, 0 and -1", three_terms(), 3, ("share",)
    ),
    "learners-commit": Answer(
        "the best length of Phase I, and the bound", commit(), 3, ("positive",)
    ),
    "learners-hand": Answer(
        "pi, the least regret, and the length of Phase I",
        [0.04, 0.016, math.log(2e6 / (1 - math.exp(-0.08))) / 0.02],
        3,
        ("positive",),
    ),
    "anytime-warm": Answer(
        "the first round of Phase II, and the blind rounds of the next epoch",
        timetable(),
        0,
        ("whole",),
    ),
    "anytime-hand": Answer("the limit of the ratio", 3, 0),
    "anytime-share": Answer(
        "the limits of the ratio for p = 0, -1 and -2",
        [bounds.price(p, 3 / 4) for p in (0, -1, -2)],
        3,
        ("positive",),
    ),
    "anytime-fatal": Answer(
        "how many of the twenty, and the first such round for the largest of them",
        fatal(),
        0,
        ("whole",),
    ),
    "anytime-golden": Answer(
        "the best r, and its factor",
        [GOLDEN**2, GOLDEN * math.sqrt((GOLDEN + 1) / (GOLDEN - 1))],
        3,
        ("positive",),
    ),
    "rivals-schedule": Answer(
        "how often the ranks 1, 2, 3 and 4 come up",
        [sum(n % d == 0 for n in range(1, 9)) for d in range(1, 5)],
        0,
        ("whole",),
    ),
    "rivals-hand": Answer(
        "the rounds of Phase I for a variance of 1/4 and of 1",
        [8 * 121 * v * 50 * math.log(1e7) / 0.97**2 for v in (1 / 4, 1)],
        3,
        ("positive",),
    ),
    "rivals-zero": Answer(
        "the rounds of Phase I for c = 0.2 and for c = 0.6",
        [8 * 121 * 0.1**2 * 10 * math.log(2e4) / mu_star**2 for mu_star in (0.4, 0.8)],
        3,
        ("positive",),
    ),
    "linear-leverage": Answer(
        "the leverages of A, C and E",
        [1 / 4, 0.65**2 * (1 / 4 + 1 / 9), 1 / 9],
        3,
        ("share",),
    ),
    "linear-hand": Answer(
        "what a round expects, and what the lemma promises", [1 / 3, 1 / 4], 3
    ),
    "linear-clones": Answer(
        "a line for each climate: a uniform round, a round of the design",
        clones(),
        2,
        ("share",),
    ),
    "linear-uniform": Answer(
        "g of the uniform design, for 2, 5 and 10 features",
        [largest_leverage(d) for d in (2, 5, 10)],
        3,
        ("positive",),
    ),
    "linear-nearly": Answer(
        "the largest error, in units of epsilon", 0.65 + 0.65, 3, ("positive",)
    ),
    "case-missed": Answer(
        "how many people, and the regret at p = 1",
        [100 * (0.870 - 0.339), 100 * (0.870 - 0.339) / 2834],
        3,
        ("positive",),
    ),
    "case-exchange": Answer(
        "the p, and the rate for 0.725",
        [
            1 - math.log(3) / math.log(2.7),
            (0.9 / 0.725) ** (math.log(3) / math.log(2.7)),
        ],
        3,
    ),
    "case-seventh": Answer(
        "what she expects in the first and in the second numbering",
        [seventh(OFFERS), seventh(OFFERS[::-1])],
        2,
        ("share",),
    ),
    "fairness-warm": Answer(
        "the regret by a coin and by a clock",
        [0.8 - p_mean([0.8, 0.5, 0.2], p, weights=[8, 1, 1]) for p in (1, -1)],
        3,
        ("share",),
    ),
    "fairness-hand": Answer(
        "the regrets of (a) and (b), and the epsilon", [1 / 6, 1 / 8, 1 / 3], 3
    ),
    "fairness-south": Answer(
        "the p from which on, and the best share at p = -1", south(), 3, ("share",)
    ),
    "fairness-open": Answer(
        "the probability in round 2", 1 / 2 + (0.9 - 0.5) / 6, 3, ("share",)
    ),
    "table2-hand": Answer(
        "below which mean, and the chance for 50 arms",
        [1 - 2 ** (-1 / 30), 1 - (30 / 31) ** 50],
        2,
        ("share",),
    ),
    "rates-hand": Answer("the T for k = 10", half_of_the_rounds(), 2, ("positive",)),
    "error_bars-hand": Answer("the number a of the bias a/n", -0.27, 2),
    "speed-hand": Answer(
        "the arms of the nine pulls", [1, 2, 1, 2, 2, 2, 1, 1, 1], 0, ("whole",)
    ),
    "errata-code": Answer(
        "the smallest k for p = -0.5, and for a tiny p > 0", false_at(), 0, ("whole",)
    ),
}


def hashed(name: str, answer: Answer) -> dict:
    """What the library may know of an answer."""
    x = np.asarray(answer.value, float)
    numbers = [] if answer.example else list(enumerate(x.flat))
    coarse = answer.figures - 1
    return {
        "asks": answer.asks,
        "shape": list(x.shape),
        "figures": answer.figures,
        "must": list(answer.must),
        "right": [digest(name, at, y, answer.figures) for at, y in numbers],
        "close": [digest(name, at, y, coarse) for at, y in numbers if coarse > 0],
    }


def text() -> str:
    """The file, one exercise a line."""
    lines = (f' "{n}": {json.dumps(hashed(n, a))}' for n, a in sorted(ANSWERS.items()))
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    FILE.write_text(text(), "utf8")
    print(f"{len(ANSWERS)} answers hashed in pmeanlib/{FILE.name}")
