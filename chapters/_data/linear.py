"""The measurements of the chapter `linear`. From the folder `chapters`:

    python _data/linear.py

writes `_data/linear.csv`, in some minutes. Panels have yields in d kinds of
weather, cubes of uniform numbers, so that most of them are poor; theta holds
the shares of the kinds, which nobody knows. For each d there is one best
panel, which stands in the middle of every smaller set of panels.
"""

from pathlib import Path

import numpy as np
import pandas as pd

import pmeanlib as pm
from pmeanlib import bounds, linear
from pmeanlib.store import write_whole

T, N_RUNS, MOST = 40_000, 64, 500
EXPONENTS = (1, 0, -1, -2)
SIZES = [(5, 10), (5, 30), (5, 100), (5, 300), (5, MOST)]
SIZES += [(2, MOST), (10, MOST)]


def instance(d: int, k: int) -> linear.LinearInstance:
    """k of 500 panels with d features, the best of all in the middle."""
    rng = np.random.default_rng(d)
    theta = rng.dirichlet(np.ones(d))
    features = rng.random((MOST, d)) ** 3
    best = int((features @ theta).argmax())
    chosen = np.delete(np.arange(MOST), best)[: k - 1]
    return linear.LinearInstance(
        features[np.insert(chosen, k // 2, best)], theta
    )


def policies(d: int, k: int) -> dict:
    """The policies that are compared, by their names in the chapter."""
    world = instance(d, k)
    width = linear.deviation(d)
    short = linear.schedule(linear.d_optimal(world.features), 20 * d)
    return {
        "LinUCB-E": linear.explore_enough(world.features, T, world.mu_star),
        "LinUCB, short": linear.LinUCB("short", short, width),
        "LinUCB, cold": linear.LinUCB("cold", np.zeros(k), width, 1.0),
        "LinNash": linear.LinNash(),
        "FairLinUCB": linear.FairLinUCB(),
        "UCB1": pm.ucb1(bounds.DEVIATION, "random"),
        "EUCB": None,  # one for each exponent
    }


def rows(d: int, k: int, name: str) -> list[dict]:
    """What one policy has on one instance, a row for each exponent."""
    world, policy = instance(d, k), policies(d, k)[name]
    if name in ("UCB1", "EUCB"):
        arms, found = pm.bernoulli(world.mu), []
        for p in EXPONENTS:
            chosen = policy or pm.explore_then_ucb(T, k, p)
            profile = pm.simulate(arms, chosen, T, N_RUNS, 1, workers=1)
            found.append((profile, pm.measured_regret(profile, p)))
    else:
        profile = linear.simulate(world, policy, T, N_RUNS, 1)
        found = [
            (profile, e) for e in pm.measured_regrets(profile, EXPONENTS)
        ]
    first = {"d": d, "k": k, "policy": name, "T": T, "n_runs": N_RUNS}
    first |= {"mu_star": world.mu_star, "mean": world.mu.mean()}
    return [
        first | {"T_tilde": profile.T_tilde, "p": p} | estimate.row
        for p, (profile, estimate) in zip(EXPONENTS, found, strict=True)
    ]


if __name__ == "__main__":
    names = policies(2, 10)
    table = [r for size in SIZES for name in names for r in rows(*size, name)]
    text = pd.DataFrame(table).to_csv(index=False, lineterminator="\n")
    write_whole(Path(__file__).with_suffix(".csv"), text)
