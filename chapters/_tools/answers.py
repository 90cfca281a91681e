"""The answers that `pm.check` knows, in plain, and the file of their hashes.

`make answers` writes `pmeanlib/exercises.json` from this list. An exercise is called by
the words of its label: `ex-nash-hand` is "nash-hand". This file is part of no build: it
stays with the solutions.
"""

import json
import math
from dataclasses import dataclass
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


def half_of_the_rounds() -> float:
    """The T with T = 32 (sqrt(k - 1) - 1)^2 log T / gap^2 for k = 10, gap = 0.6."""
    return bisect(100, 1e5, lambda T: T - 32 * 2**2 * math.log(T) / 0.6**2)


WIDE, NARROW = 4 + bounds.DEVIATION, 2 * bounds.DEVIATION  # b of the widths 4, least
GOLDEN = (1 + math.sqrt(5)) / 2
ANSWERS = {
    "welfare-attention": Answer(
        "the p for outcomes 10, 10, 10 and 1", attention(), 3, ("share",)
    ),
    "welfare-code": Answer("the exponents of the ties of u and v", ties(), 3),
    "reduction-hand": Answer(
        "the regret at p = 1, at p = -1, and at p = -1 if all share the loss",
        [0.009, 1 - 100 / 109, 0.009],
        2,
        ("share",),
    ),
    "optimism-hand": Answer(
        "how many pulls at most", 1 + 6 * math.log(1e6) / 0.2**2, 3, ("positive",)
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
    "nash-hypothesis": Answer(
        "the largest x_0", bisect(0.5, 0.99, lambda x: -math.log(1 - x) / x - 2), 3
    ),
    "negative_p-hand": Answer(
        "a v between 0 and 1, for q = 1/2", 0.5, 1, ("share", "refutes"), example=True
    ),
    "negative_p-code": Answer(
        "the regrets without mistakes, for the six gaps", no_mistakes(), 2, ("share",)
    ),
    "negative_p-hypothesis": Answer(
        "up to which q",
        math.log10(4 * 1e8 * 0.9**4 / (WIDE**4 * 10**2 * math.log(1e8))),
        3,
    ),
    "limits-code": Answer(
        "how many of the 98 horizons", true_horizons(), 0, ("whole",)
    ),
    "learners-hand": Answer(
        "pi, the least regret, and the length of Phase I",
        [0.04, 0.016, math.log(2e6 / (1 - math.exp(-0.08))) / 0.02],
        3,
        ("positive",),
    ),
    "anytime-hand": Answer("the limit of the ratio", 3, 0),
    "anytime-golden": Answer(
        "the best r, and its factor",
        [GOLDEN**2, GOLDEN * math.sqrt((GOLDEN + 1) / (GOLDEN - 1))],
        3,
        ("positive",),
    ),
    "rivals-hand": Answer(
        "the rounds of Phase I for a variance of 1/4 and of 1",
        [8 * 121 * v * 50 * math.log(1e7) / 0.97**2 for v in (1 / 4, 1)],
        3,
        ("positive",),
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
