"""The measurements of the chapter `rates`. From the folder `chapters`:

    python _data/rates.py

writes `_data/rates.csv`; it may be stopped, and resumes. The best arm has
mean 0.9 and is the last one; the k - 1 others are alike. In "gaps" they have
ten gaps to the best, from 0.9 down by halves, at every horizon.
"""

import math
from pathlib import Path

import pmeanlib as pm
from pmeanlib.store import write_whole
from pmeanlib.sweep import Setting, sweep

BEST, ALL = 0.9, [1, 0.5, 0, -0.5, -1, -2]
OTHERS = {  # the mean of the other arms
    "easy": lambda T, k: 0.3,
    "close": lambda T, k: BEST - 2 * math.sqrt(k * math.log(T) / T),
    "poor": lambda T, k: 1 / math.sqrt(T),
}
SEED = {"easy": 1, "close": 2, "poor": 3, "close, k": 4, "poor, k": 5}
SEED |= {"gaps": 6}
GAPS = [BEST / 2**j for j in range(10)]
N_RUNS = {1_000: 400, 3_000: 400, 10_000: 200, 30_000: 100, 100_000: 100}
N_RUNS |= {300_000: 16, 1_000_000: 16, 10_000_000: 16}
TWO = ["explore_then_ucb", "explore_enough"]
EVERY, RANDOM = (
    [*TWO, "ucb1", "ucb1, random", "ncb"],
    [TWO[0], "ucb1, random"],
)
LABELS = {"family": "bernoulli", "instance_seed": None}


def at(
    name: str,
    T: int,
    k: int,
    n_runs: int,
    exponents: list,
    policies: list[str],
    gap: float | None = None,
) -> list[Setting]:
    """One instance at one horizon, its means in six digits.

    One simulation serves all exponents, unless the policy is tuned to p.
    """
    kind = name.partition(",")[0]
    value = OTHERS[kind](T, k) if gap is None else BEST - gap
    other = float(f"{value:.6g}")
    instance, found = pm.bernoulli([other] * (k - 1) + [BEST]), []
    for word, _, order in (policy.partition(", ") for policy in policies):
        asked = {"T": T, "k": k, "mu_star": BEST, "order": order or "fixed"}
        tuned = word == "explore_then_ucb"
        for some in [[p] for p in exponents] if tuned else [exponents]:
            policy = pm.by_name(word, **asked, p=some[0])
            how = (instance, policy, T, n_runs, SEED[name], some, LABELS)
            found.append(Setting(*how))
    return found


def growing_horizons() -> list[Setting]:
    """Each instance at several T, for few arms and for many."""
    found = []
    for k in (2, 10):
        for T, n in N_RUNS.items():
            found += at("easy", T, k, n, ALL, EVERY)
    for k in (2, 10):
        for T, n in (N_RUNS | {10_000_000: 8}).items():
            found += at("close", T, k, n, [1, -2], EVERY)
    for k in (2, 10):
        for T in [T for T in N_RUNS if T <= 100_000]:
            found += at("poor", T, k, 200, ALL, EVERY)
    return found


def growing_arms() -> list[Setting]:
    """One horizon, several k."""
    found = []
    for name in ("close, k", "poor, k"):
        for k in (2, 4, 8, 16, 32):
            n = 25 * k if name == "poor, k" else 50
            found += at(name, 100_000, k, n, [1, 0, -1, -2], TWO)
    return found


def many_gaps() -> list[Setting]:
    """For the worst gap at each horizon."""
    found, short = [], {1_000: 100, 10_000: 100, 100_000: 50, 1_000_000: 16}
    for k in (2, 10):
        for T, n in short.items():
            for gap in GAPS:
                found += at("gaps", T, k, n, [1, -1], RANDOM, gap)
    return found


def settings() -> list[Setting]:
    """Every setting, in the order of the table."""
    return [*growing_horizons(), *growing_arms(), *many_gaps()]


if __name__ == "__main__":
    table = sweep(settings()).to_csv(index=False, lineterminator="\n")
    write_whole(Path(__file__).with_suffix(".csv"), table)
