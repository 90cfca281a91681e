"""What the theorems say about one setting, and from which horizon on."""

import math
from functools import partial
from typing import Any

from pmeanlib.bounds import door, or_nan, raw, smallest_horizon

LEVELS = (1, 0.1)


@door
def report(T: float, k: int, p: float, mu_star: float, mu_min: float) -> dict[str, Any]:
    """Everything at one setting: periods, assumptions, bounds, and where they begin.

    None stands for "never, up to T = 1e40", for a bound whose hypotheses fail, and for
    what is infinite or beyond all floats.
    """
    period, least = raw.period(T, k, p), partial(raw.least_exploration, mu_star=mu_star)
    result: dict[str, Any] = {"T_tilde": period, "T_tilde_exceeds_T": period > T}
    result["T_tilde_theorem_U"] = _finite(least(T, k))
    factors = {
        "assumption_1": raw.assumption_1(T, k, mu_min),
        "assumption_2": raw.assumption_2(T, k, p),
        "remark_1": raw.remark_1(T, k, p, mu_min),
    }
    bounds = {
        "paper_bound": lambda T: raw.paper(T, k, p, mu_star, mu_min),
        "repaired_bound": lambda T: raw.repaired(T, k, p, mu_star),
        "unified_bound": lambda T: raw.unified(T, k, p, mu_star, least(T, k)),
    }
    for name, factor in factors.items():
        result[name] = {"holds": factor >= 1, "factor": factor}
    for name, bound in bounds.items():
        result[name] = {"value": _finite(or_nan(bound, T))}
        for level in LEVELS:
            begin = smallest_horizon(lambda T, f=bound, u=level: f(T) < u)  # type: ignore
            result[name][f"below_{level:g}_from_T"] = _finite(begin)
    return result


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
