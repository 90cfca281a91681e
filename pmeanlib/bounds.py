"""One function per theorem: the number on its right-hand side, hypotheses checked.

The paper's own bounds keep the paper's constants; those of this book are proved in the
chapter `unified`. Horizons may be as large as 1e40: everything is plain float algebra
in T.
"""

import math
from collections.abc import Callable
from functools import partial, wraps
from inspect import signature
from types import SimpleNamespace
from typing import Any, ParamSpec

from pmeanlib import _checks

DEVIATION = math.sqrt(1.5)  # Hoeffding radius of Theorem U, in units of sqrt(log T / s)
P = ParamSpec("P")

DOMAIN = {  # of every argument, by its name
    "T": partial(_checks.real, low=2, high=1e300),
    "k": lambda name, value: float(_checks.integer(name, value, 2)),
    "p": partial(_checks.real, low=-1e300, high=1),
    "mu_star": partial(_checks.real, low=1e-100, high=1),
    "mu_min": partial(_checks.real, low=1e-100, high=1),
    "T_tilde": partial(_checks.real, low=0),
    "width": partial(_checks.real, low=DEVIATION, high=1e9),
    "eps": partial(_checks.real, low=0, high=1),
}
raw = SimpleNamespace()
"""The formulas by their names, arguments unchecked: for whoever has checked them."""


def door(formula: Callable[P, Any]) -> Callable[P, Any]:
    """Check the arguments of a formula once, by their names; give them as floats."""
    parameters = signature(formula)

    @wraps(formula)
    def checked(*args: P.args, **kwargs: P.kwargs) -> Any:
        given = parameters.bind(*args, **kwargs).arguments
        exact = {name: DOMAIN[name](name, value) for name, value in given.items()}
        if "mu_min" in exact:
            _checks.real("mu_min", exact["mu_min"], high=exact.get("mu_star", 1))
        return formula(**exact)

    setattr(raw, formula.__name__, formula)
    return checked


@door
def period(T: float, k: int, p: float) -> float:
    """The paper's exploration period T~ = 16 sqrt(c T log T), before rounding up."""
    return 16 * math.sqrt(_c(k, p) * math.log(T)) * math.sqrt(T)


# -- the paper's bounds ------------------------------------------------------------


@door
def negative_p(T: float, k: int, p: float, mu_star: float, mu_min: float) -> float:
    """Theorem 4 of the paper, p = -q < 0, in its last explicit form.

    With T~ as in Table 1, c = 2 / mu_min^q and beta = 6 sqrt(2 k log T / T~):
    q < 1: beta + ((k^q - 1) T~ + c) / (q T);
    q >= 1: mu_star (((k^q - 1) T~ + c) / T + q beta / mu_star)^(1/q).
    """
    if p >= 0:
        raise ValueError(f"p must be negative, got {p}")
    q, T_tilde = -p, raw.period(T, k, p)
    beta = 6 * math.sqrt(2 * k * math.log(T) / T_tilde)
    z = (k**q - 1) * (T_tilde / T) + 2 * mu_min**p / T
    if q < 1:
        return beta + z / q
    return mu_star * (z + q * beta / mu_star) ** (1 / q)


@door
def positive_p(T: float, k: int, p: float) -> float:
    """Theorem 5 of the paper, 0 < p <= 1.

    16 (k^p - 1) sqrt(log T / (T k^p log k)) / p + 6 sqrt(k log T / T) + 4 / (p T).
    """
    if p <= 0:
        raise ValueError(f"p must be positive, got {p}")
    phase_1 = deformed_log(k, p) * raw.period(T, k, p) / T
    return phase_1 + 6 * math.sqrt(k * math.log(T) / T) + 4 / (p * T)


@door
def nash(T: float, k: int) -> float:
    """Theorem 6 of the paper, p = 0: 32 sqrt(k log k log T / T) + 4 / T."""
    return 32 * math.sqrt(k * math.log(k) * math.log(T) / T) + 4 / T


@door
def paper(T: float, k: int, p: float, mu_star: float, mu_min: float) -> float:
    """The paper's bound for this p: Theorem 4, 5 or 6."""
    if p < 0:
        return raw.negative_p(T, k, p, mu_star, mu_min)
    return raw.positive_p(T, k, p) if p > 0 else raw.nash(T, k)


# -- the paper's assumptions: factors of at least 1 mean that they hold ------------


@door
def assumption_1(T: float, k: int, mu_min: float) -> float:
    """mu_min over what Assumption 1 asks, 32 sqrt(k log T sqrt(log k) / T^(1/4))."""
    return mu_min / (
        32 * math.sqrt(k * math.log(T) * math.sqrt(math.log(k))) / T**0.125
    )


@door
def assumption_2(T: float, k: int, p: float) -> float:
    """T~ over what Assumption 2 asks, 8 k log(T k) + 16 sqrt(sqrt(T) / log k)."""
    asked = 8 * k * math.log(T * k) + 16 * T**0.25 / math.sqrt(math.log(k))
    return raw.period(T, k, p) / asked


@door
def remark_1(T: float, k: int, p: float, mu_min: float) -> float:
    """mu_min over what Remark 1 gives, 128 sqrt(k log T / T~)."""
    return mu_min / (128 * math.sqrt(k * math.log(T) / raw.period(T, k, p)))


# -- this book's theorems ----------------------------------------------------------


def deformed_log(a: float, p: float) -> float:
    """L_a(p) = (1 - a^-p) / p, and log a at p = 0: decreasing and continuous in p."""
    log_a = math.log(a)
    if -p * log_a > 700:
        return math.inf
    return log_a if abs(p) < 1e-300 else -math.expm1(-p * log_a) / p


@door
def least_exploration(T: float, k: int, mu_star: float, width: float = 4.0) -> float:
    """What Theorem U asks of T~: 8 b^2 k log T / mu_star^2, b = width + sqrt(3/2)."""
    return 8 * _b(width) ** 2 * k * math.log(T) / mu_star**2


@door
def unified(
    T: float, k: int, p: float, mu_star: float, T_tilde: float, width: float = 4.0
) -> float:
    """Theorem U: every p <= 1, any T~ with least_exploration <= T~ <= T.

    mu_star L_k(p) T~/T + 2 L_2(p) b sqrt((k - 1) log T / T) + mu_star / T.
    No lower bound on the other means is needed.
    """
    least = raw.least_exploration(T, k, mu_star, width)
    if not least <= T_tilde <= T:
        raise ValueError(
            f"T_tilde must be in [{least:.6g}, {T:.6g}], got {T_tilde:.6g}"
        )
    phase_1 = mu_star * deformed_log(k, p) * (T_tilde / T)
    phase_2 = 2 * deformed_log(2, p) * _b(width) * math.sqrt((k - 1) * math.log(T) / T)
    return phase_1 + phase_2 + mu_star / T


@door
def repaired(T: float, k: int, p: float, mu_star: float) -> float:
    """Theorems A, B and C: Theorem U with the paper's T~, rounded up, and width 4."""
    return raw.unified(T, k, p, mu_star, math.ceil(raw.period(T, k, p)))


@door
def very_negative(T: float, k: int, p: float, mu_star: float) -> float:
    """Theorem C': p = -q <= -2, T~ = ceil(2 b^2 q^2 k log T / mu_star^2) <= T, width 4.

    mu_star (k^q - 1)/q T~/T + ((1 - 1/q)^-q - 1) b sqrt((k - 1) log T/T) + mu_star/T.
    """
    if p > -2:
        raise ValueError(f"p must be a number of at most -2, got {p}")
    q, b = -p, _b(4)
    T_tilde = 2 * b**2 * q**2 * k * math.log(T) / mu_star**2 + 1
    if T_tilde > T:
        raise ValueError(f"T must be at least T_tilde = {T_tilde:.6g}, got {T:.6g}")
    slope = math.expm1(-q * math.log1p(-1 / q))
    phase_1 = mu_star * deformed_log(k, p) * (T_tilde / T)
    return phase_1 + slope * b * math.sqrt((k - 1) * math.log(T) / T) + mu_star / T


@door
def impossible(T: float, k: int, p: float, eps: float = 0.0) -> float:
    """Proposition L: on some instance of means 1 and eps, R >= 1 - T^(1/q)(1/k + eps).

    Holds for every algorithm and every p = -q < 0; negative when it says nothing.
    """
    if p >= 0:
        raise ValueError(f"p must be negative, got {p}")
    return 1 - math.exp(math.log(T) / -p) * (1 / k + eps)


# -- when do they begin to say something -------------------------------------------


def smallest_horizon(holds: Callable[[float], bool], most: float = 1e40) -> float:
    """The T from which on `holds` is true, up to `most`; inf if it is not true there.

    The last change from false to true on a grid of 200 points a decade, then bisected
    to six digits. `holds` may raise ValueError where its hypotheses fail: false.
    """

    def true_at(log_T: float) -> bool:
        try:
            return holds(math.exp(log_T))
        except ValueError:
            return False

    high, step = math.log(most), math.log(10) / 200
    if not true_at(high):
        return math.inf
    while high > math.log(2) and true_at(max(high - step, math.log(2))):
        high -= step
    if high <= math.log(2):
        return 2.0
    low = high - step
    while high - low > 1e-6:
        middle = (low + high) / 2
        low, high = (low, middle) if true_at(middle) else (middle, high)
    return math.exp(high)


@door
def report(T: float, k: int, p: float, mu_star: float, mu_min: float) -> dict[str, Any]:
    """Everything at one setting: periods, assumptions, bounds, and where they begin.

    None stands for "never, up to T = 1e40" and for a bound whose hypotheses fail.
    """
    T_tilde, least = raw.period(T, k, p), raw.least_exploration(T, k, mu_star)
    factors = {
        "assumption_1": raw.assumption_1(T, k, mu_min),
        "assumption_2": raw.assumption_2(T, k, p),
        "remark_1": raw.remark_1(T, k, p, mu_min),
    }
    bounds = {
        "paper": lambda T: raw.paper(T, k, p, mu_star, mu_min),
        "repaired": lambda T: raw.repaired(T, k, p, mu_star),
        "unified": lambda T: raw.unified(
            T, k, p, mu_star, raw.least_exploration(T, k, mu_star)
        ),
    }
    result: dict[str, Any] = {
        "T_tilde": T_tilde,
        "T_tilde_exceeds_T": T_tilde > T,
        "T_tilde_theorem_U": least,
    }
    for name, factor in factors.items():
        result[name] = {"holds": factor >= 1, "factor": factor}
    for name, bound in bounds.items():
        try:
            value = bound(T)
        except ValueError:
            value = None
        begins = {
            f"below_{level:g}_from_T": _finite(
                smallest_horizon(lambda T, b=bound, x=level: b(T) < x)
            )
            for level in (1, 0.1)
        }
        result[f"{name}_bound"] = {"value": value} | begins
    return result


def _finite(T: float) -> float | None:
    return T if math.isfinite(T) else None


def _c(k: int, p: float) -> float:
    return k**p if p < 0 else k ** (p or 1) / math.log(k)


def _b(width: float) -> float:
    return width + DEVIATION
