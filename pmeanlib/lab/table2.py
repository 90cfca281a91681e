"""The whole of Table 2 anew, by the published protocol or by the definition.

Finished pieces are kept on disk, so that an interrupted run resumes.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

from pmeanlib import _checks, published
from pmeanlib.engine import progress_bar
from pmeanlib.lab.store import remember
from pmeanlib.published import ALGORITHMS, EXPONENTS
from pmeanlib.welfare import measured_regret

VERSION = 1  # of the numbers: raise it when the same settings give other ones
ESTIMATORS = ("published", "definition")


def table(
    estimator: str = "published", n_runs: int | None = None, width: float | None = None
) -> Iterator[dict[str, Any]]:
    """The 72 cells of Table 2, row by row, with a progress bar."""
    replayed = _checks.choice("estimator", estimator, ESTIMATORS) == "published"
    default = published.N_RUNS if replayed else 100
    n_runs = _checks.integer("n_runs", default if n_runs is None else n_runs, 1)
    width = _checks.real("width", 4.0 if width is None else width, 0, 1e9)
    settings = [(family, p) for family in published.HORIZON for p in EXPONENTS]
    for family, p in progress_bar(settings, unit="setting"):
        key = {"version": VERSION, "table2": estimator, "family": family, "n": n_runs}
        if replayed:
            kept = remember(key | {"p": p}, partial(_replayed, family, p, n_runs))
        for name in ALGORITHMS:
            if replayed:
                row = kept[name]
            else:
                exact = {"algorithm": name, "width": width}
                exact["p"] = p if name == "EUCB" else None  # the others serve every p
                measure = partial(_measured, family, name, p, n_runs, width)
                piece = remember(key | exact, measure)
                row = piece["cell"] | piece["regrets"][str(p)]
            cell = {"family": family, "p": p, "algorithm": name} | row
            printed = published.TABLE_2[family, p, name]
            yield cell | {"printed": printed, "n_runs": n_runs}


def _replayed(family: str, p: float, n_runs: int) -> dict[str, dict[str, Any]]:
    T = published.HORIZON[family]
    result = published.replay(family, p, T, n_runs, published.K)
    width = dict.fromkeys(ALGORITHMS, published.WIDTH) | {"NCB": 4.0}
    return {a: {"regret": result.regret[a], "width": width[a],
                "T_tilde": result.T_tilde[a], "mu_star": result.instance.mu_star}
            for a in ALGORITHMS}  # fmt: skip


def _measured(
    family: str, algorithm: str, p: float, n_runs: int, width: float
) -> dict[str, Any]:
    """Regrets by the definition; for UCB1 and NCB one simulation serves every p."""
    policy, profile = published.by_definition(family, algorithm, p, n_runs, width)
    exponents = (p,) if algorithm == "EUCB" else EXPONENTS
    cell = {"width": policy.width, "T_tilde": policy.T_tilde, "capped": policy.capped,
            "mu_star": profile.mu_star}  # fmt: skip
    regrets = {str(q): measured_regret(profile, q).row for q in exponents}
    return {"cell": cell, "regrets": regrets}
