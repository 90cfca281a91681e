"""The measurements of the chapter `rivals`. From the folder `chapters`:

    python _data/rivals.py

writes `_data/rivals.csv`; it may be stopped, and resumes. Nine instances:
the four of the paper's experiments; Bernoulli arms and Gaussian arms with
the means of the rivals' scripts; one good arm among 49 poor ones, or among
nine that pay nothing; and five good arms among 195 poor ones, which is
Experiment C of UCB-HARE's script.
"""

import math
from pathlib import Path

import numpy as np

import pmeanlib as pm
from pmeanlib.published import HORIZON, SEED, K
from pmeanlib.store import write_whole
from pmeanlib.sweep import Setting, sweep

EXPONENTS = (1, 0, -1, -2)
WIDTHS = (
    math.sqrt(1.5),
    4.0,
)  # of UCB1: the least that is proved, the paper's
NOISE = 0.02  # sqrt(400) / 1000: the rivals' Gaussian arms in units of 1000
N_RUNS = {1_000: 400, 3_000: 400, 10_000: 200, 30_000: 100, 100_000: 50}
N_RUNS |= {300_000: 30, 1_000_000: 20, 3_000_000: 10, 10_000_000: 10}
LONG = (1_000_000, 10_000_000)


def instances() -> dict[str, pm.Instance]:
    """By name; the means of "rivals" and "gaussian" are the scripts' own."""
    draw = np.random.RandomState(42)  # as the script of Welfarist-UCB does
    other = np.random.default_rng(42)  # as that of UCB-HARE does
    few = [0.2, 0.4, 0.6, 0.8, 1.0]
    made = {
        name: pm.random_instance(name, K, np.random.default_rng(SEED))
        for name in HORIZON
    }
    made["rivals"] = pm.bernoulli(draw.uniform(0.005, 1, K))
    made["gaussian"] = pm.gaussian(other.uniform(10, 1000, K) / 1000, NOISE)
    made["needle"] = pm.bernoulli([0.01] * (K - 1) + [0.2])
    made["zeros"] = pm.bernoulli([0] * 9 + [0.9])
    made["haystack"] = pm.gaussian(few + [0.01] * 195, NOISE)
    return made


def policies(T: int, k: int, sigma: float, exponents: tuple) -> list[tuple]:
    """Each policy with the exponents at which it is to be measured.

    Explore-Then-UCB and Welfarist-UCB are tuned to p. Where sigma is known to
    be less than 1/2, UCB1 and Explore-Then-UCB come with scaled widths, too.
    """
    known = sorted({1.0, 2 * sigma}, reverse=True)
    found = [
        (pm.ucb1(w * s, "random"), exponents) for s in known for w in WIDTHS
    ]
    for p in exponents:
        found += [(pm.explore_then_ucb(T, k, p, 4 * s), (p,)) for s in known]
    all_p = (pm.ncb(T, k), pm.modified_ncb(T), pm.rr_ncb(T))
    found += [(policy, exponents) for policy in all_p]
    mild = tuple(p for p in exponents if p >= -1)
    found.append((pm.welfarist(T, -1, sigma), mild))
    found += [(pm.welfarist(T, p, sigma), (p,)) for p in exponents if p < -1]
    return [*found, (pm.hare(T, k, sigma), exponents)]


def settings() -> list[Setting]:
    """Every setting, in the order of the table."""
    plan = [(name, T, 100) for name, T in HORIZON.items()]
    plan += [("rivals", T, n_runs) for T, n_runs in N_RUNS.items()]
    plan += [("gaussian", 1_000_000, 20), ("needle", 1_000_000, 20)]
    plan += [("haystack", 5_000, 1_500), ("zeros", 100_000, 50)]
    made, found = instances(), []
    for seed, (name, T, n_runs) in enumerate(plan):
        short = name == "rivals" and T not in LONG
        exponents = (-1,) if short else EXPONENTS
        sigma = NOISE if name in ("gaussian", "haystack") else 0.5
        for policy, measured in policies(T, made[name].k, sigma, exponents):
            label = {"instance": name}
            how = (made[name], policy, T, n_runs, seed, measured, label)
            found.append(Setting(*how))
    return found


if __name__ == "__main__":
    table = sweep(settings()).to_csv(index=False, lineterminator="\n")
    write_whole(Path(__file__).with_suffix(".csv"), table)
