"""The measurements of the chapter `learners`. From the folder `chapters`:

    python _data/learners.py

writes `_data/learners.csv`; it may be stopped, and resumes. "map" has nine
learners after no exploration, a short one, one of k log T rounds, and the
paper's, on three kinds of instances; "length" follows four learners as the
exploration gets longer, on rewards with noise and without.
"""

import math
from pathlib import Path

import numpy as np

import pmeanlib as pm
from pmeanlib.store import write_whole
from pmeanlib.sweep import Setting, sweep

EXPONENTS = (1, 0, -1, -2, -5)
NARROW = math.sqrt(1.5)
LEARNERS = {
    "UCB, 4": (pm.ucb_index, 4.0),
    "UCB, √2": (pm.ucb_index, math.sqrt(2)),
    "UCB, √1.5": (pm.ucb_index, NARROW),
    "Auer": (pm.auer_index, 4.0),
    "MOSS": (pm.moss_index, 4.0),
    "KL-UCB": (pm.kl_ucb_index, NARROW),  # threshold 3 log T
    "KL-UCB, 1": (pm.kl_ucb_index, math.sqrt(0.5)),  # log T
    "Thompson": (pm.thompson_index, 4.0),
    "greedy": (pm.greedy_index, 4.0),
}
PLACES = [(2, 10**3), (2, 10**4), (2, 10**5), (10, 10**3), (10, 10**4)]
PLACES += [(10, 10**5), (50, 10**3), (50, 10**4)]
N_RUNS = {10**3: 800, 10**4: 160, 10**5: 64}
LENGTHS = [0, 5, 10, 20, 40, 80, 93, 120, 160, 320, 640, 1280]
COLUMNS = ["part", "kind", "draw", "phase", "policy", "k", "T", "T_tilde"]
COLUMNS += ["capped", "p", "n_runs", "regret", "standard_error"]
COLUMNS += ["regret_plug_in", "trusted"]
FOUR = ("UCB, √1.5", "MOSS", "KL-UCB", "Thompson")


def instances(k: int, T: int) -> dict[tuple[str, int], pm.Instance]:
    """Of three kinds: random as in the paper, close, and poor."""
    close = 0.5 + min(0.4, round(2 * math.sqrt(k / T), 4))
    found = {
        ("random", j): pm.random_instance(
            "bernoulli", k, np.random.default_rng([k, j])
        )
        for j in range(3 if T < 10**5 else 2)
    }
    found["close", 0] = pm.bernoulli([0.5] * (k - 1) + [close])
    found["poor", 0] = pm.bernoulli([0.02] * (k - 1) + [0.9])
    return found


def learner(name: str, T: int, period: int) -> pm.Policy:
    """The learner after `period` uniform rounds, or all T of them."""
    index, width = LEARNERS[name]
    return pm.Policy(
        name, index, width, min(period, T), order="random", period=period
    )


def phases(k: int, T: int) -> list[tuple[str, int, list[int]]]:
    """What the first phase is called, its length, and for which exponents."""
    every = list(EXPONENTS)
    found = [("none", 0, every), ("2k", 2 * k, every)]
    found.append(("k log T", math.ceil(k * math.log(T)), every))
    for some in ([1, 0], [-1], [-2], [-5]):  # T~ is the same at 1 and 0
        found.append(("paper", pm.exploration_period(T, k, some[0]), some))
    return found


def the_map() -> list[Setting]:
    found = []
    for k, T in PLACES:
        for (kind, j), instance in instances(k, T).items():
            n_runs = N_RUNS[T] // 2 if kind == "random" else N_RUNS[T]
            if k == 50:
                n_runs = n_runs * 3 // 5
            for phase, period, some in phases(k, T):
                about = {"part": "map", "kind": kind, "draw": j}
                about["phase"] = phase
                for name in LEARNERS:
                    if period >= T and name != "UCB, 4":
                        continue  # it never begins: all learners agree
                    policy = learner(name, T, period)
                    runs = T, n_runs, 1
                    found.append(
                        Setting(instance, policy, *runs, some, about)
                    )
    return found


def the_lengths() -> list[Setting]:
    k, T, found = 10, 10**4, []
    mu = [0.02] * (k - 1) + [0.9]
    kinds = {"poor": pm.bernoulli(mu), "steady": pm.uniform(mu, mu)}
    for kind, instance in kinds.items():
        about = {"part": "length", "kind": kind, "draw": 0, "phase": "length"}
        for name in FOUR:
            n_runs = 200 if name == "Thompson" else 400
            for period in LENGTHS:
                policy = learner(name, T, period)
                runs = T, n_runs, 2
                found.append(
                    Setting(instance, policy, *runs, EXPONENTS, about)
                )
    return found


def settings() -> list[Setting]:
    """Every setting, in the order of the table."""
    return the_map() + the_lengths()


if __name__ == "__main__":
    table = sweep(settings())[COLUMNS]
    text = table.to_csv(index=False, lineterminator="\n", float_format="%.7g")
    write_whole(Path(__file__).with_suffix(".csv"), text)
