"""The paper's printed numbers as data, and the replay of the protocol that made them.

The protocol is that of the authors' public script (philips-george/
p-mean-regret-stochastic-bandits), run again from its facts: one random stream for the
arms and for all runs, width 6, an exploration period that may exceed T, and a regret
from the mean observed reward of each round (chapter `table2`).
"""

import csv
import math
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pmeanlib import _checks, instances
from pmeanlib.engine import play, progress_bar, simulate
from pmeanlib.estimates import Profile, measured_regret
from pmeanlib.instances import FAMILIES, Instance
from pmeanlib.policies import Policy, by_name
from pmeanlib.rules import Rule
from pmeanlib.store import remember

if TYPE_CHECKING:
    import pandas as pd

SEED, K, N_RUNS, WIDTH = 12479, 50, 30, 6.0
EXPONENTS = (1.0, 0.5, 0.0, -0.5, -1.0, -2.0)
MAKERS = {"UCB1": "ucb1", "NCB": "ncb", "EUCB": "explore_then_ucb"}  # of policies
ALGORITHMS = tuple(MAKERS)
HORIZON = {"bernoulli": 10**5, "triangular": 20_000, "beta": 20_000, "uniform": 20_000}

_PRINTED = Path(__file__).with_name("table2.csv").read_text("utf8").splitlines()
TABLE_2: dict[tuple[str, float, str], float] = {
    (row["family"], float(row["p"]), algorithm): float(row[algorithm])
    for row in csv.DictReader(_PRINTED)
    for algorithm in ALGORITHMS
}
"""Table 2 of the paper: (family, p, algorithm) -> printed regret, 72 cells."""

EXCHANGED = (("bernoulli", 0.5), ("triangular", -1.0), ("uniform", -1.0))
"""Settings in which the printed entries of NCB and EUCB stand in each other's place."""


def random_instance(family: str, k: int, rng: np.random.Generator) -> Instance:
    """k arms drawn as the paper's experiments draw them, arm by arm from one stream.

    bernoulli: mean ~ U(0.0005, 1), as in the authors' script (the paper's text has
    0.005). beta: alpha, then beta ~ U(0.005, 0.995). triangular: mode ~ U(0.005,
    0.995). uniform: lower ~ U(0.005, 0.995), then upper ~ U(lower + 0.001, 1).
    gaussian, which is not in the paper: means as for bernoulli, sigma = 1/2.

    >>> pm.random_instance("bernoulli", 3, np.random.default_rng(1))
    Instance(Bernoulli, k=3, mu=[0.512, 0.95, 0.145])
    """
    _checks.choice("family", family, FAMILIES)
    k = _checks.integer("k", k, 1)
    draw = rng.uniform
    if family == "bernoulli":
        return instances.bernoulli(draw(0.0005, 1, k))
    if family == "gaussian":
        return instances.gaussian(draw(0.0005, 1, k))
    if family == "triangular":
        return instances.triangular(draw(0.005, 0.995, k))
    if family == "beta":
        return instances.beta(*draw(0.005, 0.995, (k, 2)).T)
    ends = [(low := draw(0.005, 0.995), draw(low + 0.001, 1)) for _ in range(k)]
    return instances.uniform(*np.transpose(ends))


def _script_ucb(mu_hat, pulls, log_T, width):
    """The script's order of operations; `width` already contains sqrt(log T)."""
    return mu_hat + width * math.sqrt(1.0 / pulls)


def _script_ncb(mu_hat, pulls, log_T, width):
    return mu_hat + width * math.sqrt(mu_hat / pulls)


_UCB, _NCB = Rule(_script_ucb), Rule(_script_ncb)


@dataclass(frozen=True)
class Replay:
    """One call of the script: regrets, and what they were computed from.

    `profile[algorithm]` is the mean observed reward of each round over the runs; its
    length, the number of rounds played, is max(T, T_tilde) (for UCB1 max(T, k)).
    """

    instance: Instance
    regret: dict[str, float]
    profile: dict[str, np.ndarray] = field(repr=False)
    T_tilde: dict[str, int]


def replay(
    family: str, p: float, T: int, n_runs: int, k: int, seed: int = SEED
) -> Replay:
    """The authors' experiment for one family and one p.

    Arms are drawn first, then EUCB plays its runs, then NCB, then UCB1, all on one
    stream. Profiles and `plug_in_regret` are the script's, to the last bit if it runs
    on the same machine: NumPy rounds powers differently where there is AVX-512.

    >>> again = pm.published.replay("bernoulli", p=0, T=100, n_runs=2, k=2)
    >>> again.T_tilde
    {'EUCB': 584, 'NCB': 584, 'UCB1': 0}
    """
    T, k = _checks.integer("T", T, 1), _checks.integer("k", k, 2)
    n_runs = _checks.integer("n_runs", n_runs, 1)
    rng = np.random.default_rng(_checks.integer("seed", seed, 0))
    periods = {"EUCB": script_period(T, k, p), "NCB": script_period(T, k, 0), "UCB1": 0}
    family = _checks.choice("family", family, FAMILIES[:4])  # of the paper
    instance = random_instance(family, k, rng)
    profile = {}
    for name, T_tilde in periods.items():
        rule, width = (_NCB, 4.0) if name == "NCB" else (_UCB, WIDTH)
        policy = Policy(name, rule, float(width * np.sqrt(np.log(T))), T_tilde)
        rounds = max(T, T_tilde, k if name == "UCB1" else 1)
        runs = (play(instance, policy, rounds, rng).rewards for _ in range(n_runs))
        profile[name] = sum(runs, np.zeros(rounds)) / n_runs
    regret = {a: plug_in_regret(profile[a], instance.mu_star, p) for a in ALGORITHMS}
    return Replay(instance, regret, profile, periods)


def script_period(T: int, k: int, p: float) -> int:
    """The script's T~: int(16 sqrt(T log T c) + 1), with its limit on negative p.

    >>> pm.published.script_period(T=20_000, k=50, p=0)
    25458
    """
    p = _checks.real("p", p, high=1)
    T_log_T = T * np.log(T)
    if p >= 0:
        return int(16.0 * np.sqrt(T_log_T * np.pow(k, p or 1.0) / np.log(k)) + 1)
    least = -int(np.log(T) / (2.0 * np.log(k)) + 1)
    if p < least:
        raise ValueError(f"p must be at least {least} for T = {T}, k = {k}, got {p}")
    return int(16.0 * np.sqrt(T_log_T / np.pow(k, -p)) + 1)


def plug_in_regret(profile: np.ndarray, mu_star: float, p: float) -> float:
    """The script's regret: powers and products of the profile, taken literally.

    The product over the rounds underflows to 0, and a round that paid nobody makes the
    p-mean 0 for p < 0; either way the result is `mu_star`.

    >>> round(pm.published.plug_in_regret(np.array([0.4, 0.9]), 0.9, p=0), 6)
    0.3
    """
    with np.errstate(divide="ignore"):
        if p == 0:
            return float(mu_star - np.pow(np.prod(profile), 1.0 / profile.size))
        return float(mu_star - np.pow(np.mean(np.pow(profile, p)), 1.0 / p))


def by_definition(
    family: str, algorithm: str, p: float, n_runs: int, width: float = 4.0
) -> tuple[Policy, Profile]:
    """One algorithm on the published instance of one family, as the text defines it.

    True means instead of rewards, T~ capped at T, the text's width for UCB1 and EUCB
    (NCB keeps its 4). UCB1 and NCB do not depend on p, nor do their random streams.

    >>> pm.published.by_definition("bernoulli", "UCB1", p=0, n_runs=2)[1]
    Profile(T=100000, n_runs=2, mu_star=0.9643, T_tilde=0)
    """
    instance = random_instance(family, K, np.random.default_rng(SEED))
    if _checks.choice("algorithm", algorithm, ALGORITHMS) == "NCB":
        width = 4.0
    T = HORIZON[family]
    policy = by_name(MAKERS[algorithm], T=T, k=K, p=p, width=width)
    stream = [SEED, FAMILIES.index(family), ALGORITHMS.index(algorithm)]
    if algorithm == "EUCB":
        stream.append(EXPONENTS.index(p))
    return policy, simulate(instance, policy, T, n_runs, np.random.default_rng(stream))


def table(
    estimator: str = "published", n_runs: int = N_RUNS, width: float = 4.0
) -> "pd.DataFrame":
    """The 72 cells of Table 2 again: "published" by `replay`, or by the "definition".

    `width` belongs to the definition. Finished settings are cached on disk, so that an
    interrupted table resumes.

    >>> pm.published.table("published")  # takes minutes  # doctest: +SKIP
    """
    import pandas as pd

    _checks.choice("estimator", estimator, ("published", "definition"))
    n_runs, rows = _checks.integer("n_runs", n_runs, 1), []
    width = _checks.real("width", width, 0, 1e9)
    settings = [(family, p) for family in HORIZON for p in EXPONENTS]
    for family, p in progress_bar(settings, unit="setting"):
        work = estimator, family, p, n_runs, width
        cells = remember({"table2": work}, partial(_cells, *work))
        for name in ALGORITHMS:
            cell = {"family": family, "p": p, "algorithm": name} | cells[name]
            rows.append(cell | {"printed": TABLE_2[family, p, name]})
    return pd.DataFrame(rows)


def _cells(
    estimator: str, family: str, p: float, n_runs: int, width: float
) -> dict[str, dict[str, Any]]:
    """What Table 2 has in one setting, by algorithm."""
    if estimator == "published":
        again = replay(family, p, HORIZON[family], n_runs, K)
        T_tilde, regret = again.T_tilde, again.regret
        return {n: {"T_tilde": T_tilde[n], "regret": regret[n]} for n in ALGORITHMS}
    cells = {}
    for name in ALGORITHMS:
        policy, profile = by_definition(family, name, p, n_runs, width)
        estimate = measured_regret(profile, p)
        cells[name] = {"T_tilde": policy.T_tilde, **estimate.row}
    return cells
