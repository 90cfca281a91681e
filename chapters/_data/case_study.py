"""The people of the chapter `case_study`, and worlds that might have been.

    python _data/case_study.py

from the folder `chapters` writes `_data/case_study.csv`; it may be stopped,
and resumes. The people are those of Thornton's experiment, read from the
package `causaldata`. A world has the shares of people who come when the
villages are drawn anew, with replacement.
"""

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd

import pmeanlib as pm
from pmeanlib import bounds
from pmeanlib.store import write_whole
from pmeanlib.sweep import Setting, sweep

UP_TO = (0, 0.5, 1, 1.5, 2, 3)  # dollars: an offer is a bin
OFFERS = ("nothing", "up to $0.50", "up to $1", "up to $1.50", "up to $2")
OFFERS += ("up to $3",)
SEED, WORLDS, N_RUNS = 2008, 200, 200
EXPONENTS = (1, -1, -5)
KEPT = ["world", "name", "p", "regret", "standard_error", "trusted"]


def experiment() -> pd.DataFrame:
    """All rows as the package has them; the package is not imported."""
    package = find_spec("causaldata")
    if not (package and package.origin):
        raise ModuleNotFoundError("causaldata holds the data of this chapter")
    folder = Path(package.origin).parent / "thornton_hiv"
    return pd.read_stata(folder / "thornton_hiv.dta")


def people() -> pd.DataFrame:
    """Whose offer and answer are known: village, dollars, arm, and who came.

    Somebody without a village has one of their own.
    """
    seen = experiment().dropna(subset=["got", "tinc"]).reset_index(drop=True)
    arm = np.searchsorted(np.array(UP_TO) + 1e-6, seen["tinc"])
    alone = pd.Series(-1 - seen.index, seen.index)
    columns = {"village": seen["villnum"].fillna(alone), "arm": arm}
    columns |= {"dollars": seen["tinc"].astype(float), "came": seen["got"]}
    return pd.DataFrame(columns)


def by_village(values: pd.Series, people: pd.DataFrame) -> np.ndarray:
    """The sum of the values in each village and arm, (villages, arms)."""
    parts = values.groupby([people["village"], people["arm"]])
    return parts.sum().unstack(fill_value=0).to_numpy(float)


def drawn_villages(n_villages: int, n: int) -> np.ndarray:
    """How often each village is drawn in each of n worlds, (n, villages)."""
    equal = np.full(n_villages, 1 / n_villages)
    return np.random.default_rng(SEED).multinomial(n_villages, equal, size=n)


def worlds(values: pd.Series, people: pd.DataFrame, n: int) -> np.ndarray:
    """The mean of the values for each arm in n worlds, (n, arms)."""
    total = by_village(values, people)
    size = by_village(values * 0 + 1, people)
    drawn = drawn_villages(len(total), n)
    return (drawn @ total) / (drawn @ size)


def policies(T: int, k: int) -> dict[str, pm.Policy]:
    """The policies of the chapter, under the names it gives them."""
    narrow = bounds.DEVIATION
    greedy = pm.Policy("greedy", pm.greedy_index, T_tilde=20 * k)
    return {
        "by lot": pm.Policy("by lot", pm.ucb_index, T_tilde=T),
        "RR-NCB": pm.rr_ncb(T),
        "UCB-HARE": pm.hare(T, k),
        "EUCB, p = -1": pm.explore_then_ucb(T, k, -1),
        "EUCB, p = -5": pm.explore_then_ucb(T, k, -5),
        "UCB1, w = 4": pm.ucb1(4.0, "random"),
        "UCB1, fixed order": pm.ucb1(narrow),
        "UCB1, random order": pm.ucb1(narrow, "random"),
        "KL-UCB": pm.kl_ucb("random"),
        "MOSS": pm.moss("random"),
        "greedy": pm.greedy("random"),
        "20 each, greedy": greedy,
        "Thompson": pm.thompson("random"),
    }


def settings() -> list[Setting]:
    """A setting for each world and policy, in the order of the table."""
    seen, found = people(), []
    means = worlds(seen["came"], seen, WORLDS)
    for world, mu in enumerate(means):
        for name, policy in policies(len(seen), mu.size).items():
            label = {"world": world, "name": name}
            how = (pm.bernoulli(mu), policy, len(seen), N_RUNS, SEED)
            found.append(Setting(*how, EXPONENTS, label))
    return found


if __name__ == "__main__":
    table = sweep(settings())[KEPT]
    text = table.to_csv(index=False, float_format="%.6g", lineterminator="\n")
    write_whole(Path(__file__).with_suffix(".csv"), text)
