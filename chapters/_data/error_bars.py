"""How often an error bar holds the truth. From the folder `chapters`:

    python _data/error_bars.py

writes `_data/error_bars.csv`: for each pair of instance and policy, each p
and each number of runs, how many of the simulated intervals hold the true
regret; how many of them the library trusts, and how many have seen no run
that changes the number; and how many of each of these hold it.
The truth comes from TRUTH runs of their own. Finished rows are kept, so it
may be stopped, and resumes.
"""

from pathlib import Path

import numpy as np
import pandas as pd
from joblib import Parallel, delayed

import pmeanlib as pm
from pmeanlib.estimates import DOUBT
from pmeanlib.store import remember, write_whole

T, EXPONENTS, TRUTH = 500, (1, 0, -1, -2, -5), 200_000
BATCHES = {8: 1_000, 30: 1_000, 200: 500}  # by number of runs
FIVE, TEN = [0.05, 0.2, 0.4, 0.6, 0.8], np.linspace(0.05, 0.95, 10)


def explore(T_tilde: int, width=4.0, index=pm.ucb_index) -> pm.Policy:
    return pm.Policy("explore", index, width, T_tilde)


PAIRS = {
    "5 arms, UCB1": (FIVE, pm.ucb1()),
    "5 arms, UCB1, random order": (FIVE, pm.ucb1(order="random")),
    "5 arms, EUCB(-2)": (FIVE, pm.explore_then_ucb(T, 5, -2)),
    "5 arms, 50 rounds explored": (FIVE, explore(50)),
    ".1 and .9, UCB1, random order": ([0.1, 0.9], pm.ucb1(order="random")),
    ".02 and .9, width 1, random order": ([0.02, 0.9], pm.ucb1(1, "random")),
    ".02 and .9, UCB1, random order": ([0.02, 0.9], pm.ucb1(4, "random")),
    ".02 and .9, UCB1": ([0.02, 0.9], pm.ucb1()),
    ".3 and .9, UCB1, random order": ([0.3, 0.9], pm.ucb1(order="random")),
    ".3 and .9, pure exploration": ([0.3, 0.9], explore(T)),
    ".3 and .9, 40 rounds explored": ([0.3, 0.9], explore(40)),
    ".02 and .9, width 1, 40 explored": ([0.02, 0.9], explore(40, 1.0)),
    "0, .5 and 1, width 1, random order": ([0, 0.5, 1], pm.ucb1(1, "random")),
    "10 arms, UCB1, random order": (TEN, pm.ucb1(order="random")),
    "10 arms, NCB, 100 explored": (
        TEN,
        pm.Policy("NCB", pm.ncb_index, 4, 100),
    ),
    ".05 and .1, width 1, random order": ([0.05, 0.1], pm.ucb1(1, "random")),
    # some runs in a hundred, or in a thousand, err after exploring
    ".1, .3 and .9, width .02, 20 explored": (
        [0.1, 0.3, 0.9],
        explore(20, 0.02),
    ),
    ".3 and .9, width .02, 20 explored": ([0.3, 0.9], explore(20, 0.02)),
    ".1 and .9, width .3, 20 explored": ([0.1, 0.9], explore(20, 0.3)),
    "0 and .9, width 1, random order": ([0, 0.9], pm.ucb1(1, "random")),
}


# Most errors are cheap; a dear one, a run that keeps to a poor arm, is rarer.
UNSEEN = [
    ".1, .3 and .9, width .02, 20 explored",
    ".3 and .9, width .02, 20 explored",
]


def measure(pair: str, n_runs: int) -> list[dict]:
    """The rows of one pair and one number of runs, one for each exponent."""
    means, policy = PAIRS[pair]
    instance = pm.bernoulli(means)
    seed = [list(PAIRS).index(pair), n_runs]
    one, many = (np.random.default_rng([*seed, i]) for i in range(2))
    play = {"instance": instance, "policy": policy, "T": T, "workers": 1}
    truth = pm.simulate(n_runs=TRUTH, rng=one, n_groups=2, **play).mu_t
    exact = [pm.p_mean_regret(truth, instance.mu_star, p) for p in EXPONENTS]
    shape = BATCHES[n_runs], len(EXPONENTS)
    holds, trusted, unvaried = np.zeros((3, *shape), bool)
    for b in range(BATCHES[n_runs]):
        profile = pm.simulate(n_runs=n_runs, rng=many, **play)
        for j, e in enumerate(pm.measured_regrets(profile, EXPONENTS)):
            low, high = e.interval
            holds[b, j] = low - 1e-12 <= exact[j] <= high + 1e-12
            trusted[b, j] = e.trusted
            unvaried[b, j] = e.certainty == "unvaried"
    return [
        {
            "pair": pair,
            "n_runs": n_runs,
            "p": p,
            "batches": BATCHES[n_runs],
            "covered": int(holds[:, j].sum()),
            "trusted": int(trusted[:, j].sum()),
            "trusted_covered": int((holds & trusted)[:, j].sum()),
            "unvaried": int(unvaried[:, j].sum()),
            "unvaried_covered": int((holds & unvaried)[:, j].sum()),
            "truth": exact[j],
        }
        for j, p in enumerate(EXPONENTS)
    ]


def kept(pair: str, n_runs: int) -> list[dict]:
    key = {
        "coverage by certainty": [
            DOUBT,
            T,
            TRUTH,
            BATCHES[n_runs],
            pair,
            n_runs,
        ]
    }
    return remember(key, lambda: measure(pair, n_runs))


if __name__ == "__main__":
    work = [delayed(kept)(pair, n) for n in BATCHES for pair in PAIRS]
    pieces = Parallel(-1, "multiprocessing", verbose=5)(work)
    rows = [row for piece in pieces for row in piece]
    text = pd.DataFrame(rows).to_csv(index=False, lineterminator="\n")
    write_whole(Path(__file__).with_suffix(".csv"), text)
