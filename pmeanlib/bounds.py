"""One function per theorem: the number on its right-hand side, hypotheses checked.

The paper's own bounds keep the paper's constants; those of this book are proved in the
chapter `unified`. Horizons may be as large as 1e40: everything is plain float algebra
in T. A bound beyond all floats, on the way to it at least, is inf.
"""

import math
from collections.abc import Callable
from functools import wraps
from inspect import signature
from types import SimpleNamespace
from typing import Any, TypeVar

from pmeanlib import _checks

DEVIATION = math.sqrt(1.5)  # Hoeffding radius of Theorem U, in units of sqrt(log T / s)
LOG_LARGEST = 709.782712893  # exp of it is a float, of a little more it is not
Formula = TypeVar("Formula", bound=Callable[..., Any])

DOMAIN = {  # of every argument, by its name; k must be a whole number
    "T": (2, 1e300), "k": (2, 1e300), "p": (-1e300, 1), "mu_star": (1e-100, 1),
    "mu_min": (1e-100, 1), "T_tilde": (0, math.inf), "T_0": (2, 1e300),
    "width": (DEVIATION, 1e9), "eps": (0, 1), "x0": (1e-9, 1 - 1e-12),
}  # fmt: skip
raw = SimpleNamespace()
"""The formulas by their names, without the check of DOMAIN: for whoever has made it."""


def check_arguments(formula: Formula) -> Formula:
    """Check the arguments of a formula once, by their names; give all as floats."""
    for name in signature(formula).parameters:
        _checks.choice("an argument of a bound", name, tuple(DOMAIN))
    bind = signature(formula).bind

    @wraps(formula)
    def checked(*args: Any, **kwargs: Any) -> Any:
        given = bind(*args, **kwargs).arguments
        for name, value in given.items():
            check = _checks.integer if name == "k" else _checks.real
            given[name] = float(check(name, value, *DOMAIN[name]))
        _checks.real("mu_min", given.get("mu_min", 0.0), high=given.get("mu_star", 1))
        return formula(**given)

    setattr(raw, formula.__name__, formula)
    return checked  # type: ignore


@check_arguments
def period(T: float, k: int, p: float) -> float:
    """The paper's exploration period T~ = 16 sqrt(c T log T), before rounding up.

    >>> round(pm.bounds.period(T=10**6, k=5, p=-1), 1)
    26596.1
    """
    c = k**p if p < 0 else k ** (p or 1) / math.log(k)
    return 16 * math.sqrt(c * math.log(T)) * math.sqrt(T)


# -- the paper's bounds ------------------------------------------------------------


@check_arguments
def negative_p(T: float, k: int, p: float, mu_star: float, mu_min: float) -> float:
    """Theorem 4 of the paper, p = -q < 0, in its last explicit form.

    With T~ as in Table 1, c = 2 / mu_min^q and beta = 6 sqrt(2 k log T / T~):
    q < 1: beta + ((k^q - 1) T~ + c) / (q T);
    q >= 1: mu_star (((k^q - 1) T~ + c) / T + q beta / mu_star)^(1/q).

    >>> round(pm.bounds.negative_p(T=1e12, k=5, p=-1, mu_star=0.9, mu_min=0.2), 4)
    0.0164
    """
    _checks.require(p < 0, f"p must be negative, got {p}")
    q, T_tilde = -p, raw.period(T, k, p)
    if q * math.log(max(k, 1 / mu_min)) > LOG_LARGEST:
        return math.inf
    beta = 6 * math.sqrt(2 * k * math.log(T) / T_tilde)
    z = (k**q - 1) * (T_tilde / T) + 2 * mu_min**p / T
    return beta + z / q if q < 1 else mu_star * (z + q * beta / mu_star) ** (1 / q)


@check_arguments
def positive_p(T: float, k: int, p: float) -> float:
    """Theorem 5 of the paper, 0 < p <= 1.

    16 (k^p - 1) sqrt(log T / (T k^p log k)) / p + 6 sqrt(k log T / T) + 4 / (p T).

    >>> round(pm.bounds.positive_p(T=1e6, k=5, p=0.5), 4)
    0.1274
    """
    _checks.require(p > 0, f"p must be positive, got {p}")
    phase_1 = deformed_log(k, p) * raw.period(T, k, p) / T
    return phase_1 + 6 * math.sqrt(k * math.log(T) / T) + 4 / (p * T)


@check_arguments
def nash(T: float, k: int) -> float:
    """Theorem 6 of the paper, p = 0: 32 sqrt(k log k log T / T) + 4 / T.

    >>> round(pm.bounds.nash(T=1e6, k=5), 4)
    0.3374
    """
    return 32 * math.sqrt(k * math.log(k) * math.log(T) / T) + 4 / T


@check_arguments
def paper(T: float, k: int, p: float, mu_star: float, mu_min: float) -> float:
    """The paper's bound for this p: Theorem 4, 5 or 6.

    >>> pm.bounds.paper(1e6, 5, 0, mu_star=0.9, mu_min=0.2) == pm.bounds.nash(1e6, 5)
    True
    """
    if p < 0:
        return raw.negative_p(T, k, p, mu_star, mu_min)
    return raw.positive_p(T, k, p) if p > 0 else raw.nash(T, k)


# -- the paper's assumptions: factors of at least 1 mean that they hold ------------


@check_arguments
def assumption_1(T: float, k: int, mu_min: float) -> float:
    """mu_min over what Assumption 1 asks, 32 sqrt(k log T sqrt(log k) / T^(1/4)).

    >>> round(pm.bounds.assumption_1(T=1e6, k=5, mu_min=0.2), 4)
    0.0038
    """
    asked = 32 * math.sqrt(k * math.log(T) * math.sqrt(math.log(k))) / T**0.125
    return mu_min / asked


@check_arguments
def assumption_2(T: float, k: int, p: float) -> float:
    """T~ over what Assumption 2 asks, 8 k log(T k) + 16 sqrt(sqrt(T) / log k).

    >>> round(pm.bounds.assumption_2(T=1e6, k=5, p=-1), 4)
    26.1818
    """
    asked = 8 * k * math.log(T * k) + 16 * T**0.25 / math.sqrt(math.log(k))
    return raw.period(T, k, p) / asked


@check_arguments
def remark_1(T: float, k: int, p: float, mu_min: float) -> float:
    """mu_min over what Remark 1 gives, 128 sqrt(k log T / T~).

    >>> round(pm.bounds.remark_1(T=1e6, k=5, p=-1, mu_min=0.2), 4)
    0.0307
    """
    T_tilde = raw.period(T, k, p)  # 0 where it is below all floats
    return mu_min / (128 * math.sqrt(k * math.log(T) / T_tilde)) if T_tilde else 0.0


# -- this book's theorems ----------------------------------------------------------


def deformed_log(a: float, p: float) -> float:
    """L_a(p) = (1 - a^-p) / p, and log a at p = 0: decreasing and continuous in p.

    >>> round(pm.bounds.deformed_log(a=2, p=1), 4)
    0.5
    """
    return _integral(math.log(a), p)


def _integral(log_a: float, p: float) -> float:
    """Of exp(-p s) for s from 0 to log a."""
    if -p * log_a > 700:
        return math.inf
    return log_a if abs(p) < 1e-300 else -math.expm1(-p * log_a) / p


@check_arguments
def price(p: float, x0: float) -> float:
    """lambda_p(x0) = (1 - (1 - x0)^p) / (p x0) of Theorem R (chapter `reduction`).

    The most that p-mean regret can be, in units of ordinary regret, if every round
    expects at least (1 - x0) mu_star. It is L_a(p) / x0 with a = 1 / (1 - x0).

    >>> round(pm.bounds.price(p=-1, x0=0.5), 4)
    2.0
    """
    return _integral(-math.log1p(-x0), p) / x0


@check_arguments
def least_exploration(
    T: float, k: int, mu_star: float, width: float = 4.0, x0: float = 0.5
) -> float:
    """What Theorem U asks of T~: 2 b^2 k log T / (x0 mu_star)^2, b = width + sqrt(3/2).

    The gaps of Phase II are then at most x0 mu_star; x0 = 1/2 gives the 8 of (*).

    >>> round(pm.bounds.least_exploration(T=1e6, k=5, mu_star=0.9), 1)
    18624.0
    """
    _checks.real("x0", x0, high=0.5)
    return 2 * (width + DEVIATION) ** 2 * k * math.log(T) / (x0 * mu_star) ** 2


@check_arguments
def unified(
    T: float, k: int, p: float, mu_star: float, T_tilde: float, width: float = 4.0,
    x0: float = 0.5,
) -> float:  # fmt: skip
    """Theorem U: every p <= 1, any T~ with least_exploration <= T~ <= T.

    mu_star L_k(p) T~/T + price(p, x0) b sqrt((k - 1) log T / T) + mu_star / T.
    No lower bound on the other means is needed.

    >>> round(pm.bounds.unified(T=1e6, k=5, p=-1, mu_star=0.9, T_tilde=2e4), 4)
    0.1497
    """
    least = raw.least_exploration(T, k, mu_star, width, x0)
    _checks.real("T_tilde", T_tilde, least, T)
    root = math.sqrt((k - 1) * math.log(T) / T)
    phase_2 = raw.price(p, x0) * (width + DEVIATION) * root
    return mu_star * deformed_log(k, p) * (T_tilde / T) + phase_2 + mu_star / T


@check_arguments
def best_x0(T: float, k: int, p: float, mu_star: float, width: float = 4.0) -> float:
    """The x0 for which Theorem U, with the least T~ for it, says most (Corollary F).

    The bound is convex in x0: a term in x0^-2 and one, the price, with a power series
    of positive coefficients.

    >>> round(pm.bounds.best_x0(T=1e9, k=5, p=-5, mu_star=0.9), 3)
    0.446
    """
    least = raw.least_exploration(T, k, mu_star, width)
    low, high = 0.5 * math.sqrt(least / _checks.real("T", T, low=least)), 0.5

    def bound(x0: float) -> float:
        T_tilde = raw.least_exploration(T, k, mu_star, width, x0)
        return raw.unified(T, k, p, mu_star, min(T_tilde, T), width, x0)

    for _ in range(100):
        third = (high - low) / 3
        if bound(low + third) > bound(high - third):
            low += third
        else:
            high -= third
    return (low + high) / 2


@check_arguments
def repaired(T: float, k: int, p: float, mu_star: float) -> float:
    """Theorems A, B and C: Theorem U with the paper's T~, rounded up, and width 4.

    >>> round(pm.bounds.repaired(T=1e6, k=5, p=0, mu_star=0.9), 4)
    0.2057
    """
    return raw.unified(T, k, p, mu_star, math.ceil(raw.period(T, k, p)))


@check_arguments
def very_negative(T: float, k: int, p: float, mu_star: float) -> float:
    """Theorem C', p = -q <= -2: Theorem U with width 4, x0 = 1/q and the T~ for it.

    The price is then (1 - 1/q)^-q - 1, at most 3 and near e - 1.

    >>> round(pm.bounds.very_negative(T=1e9, k=5, p=-5, mu_star=0.9), 4)
    0.1013
    """
    x0 = max(-1 / _checks.real("p", p, high=-2), 1e-9)
    T_tilde = raw.least_exploration(T, k, mu_star, x0=x0) + 1
    return raw.unified(_checks.real("T", T, low=T_tilde), k, p, mu_star, T_tilde, x0=x0)


@check_arguments
def anytime(
    T: float, k: int, p: float, mu_star: float, T_0: float = 2, width: float = 4.0
) -> float:
    """Theorem D: for every T at once, whoever does not know it (chapter `anytime`).

    mu_star L_k(p) N/T + price(p, .50002) (b sqrt((k-1) log(2T + T_0) / T) + .02
    mu_star / T), with N = 8 b^2 k log(2T + T_0) / mu_star^2, rounded up, at most T.

    >>> round(pm.bounds.anytime(T=1e6, k=5, p=-1, mu_star=0.9), 4)
    0.15
    """
    clock = 2 * T + T_0
    N = min(math.ceil(raw.least_exploration(clock, k, mu_star, width)), T)
    root = (width + DEVIATION) * math.sqrt((k - 1) * math.log(clock) / T)
    later = raw.price(p, 0.50002) * (root + 0.02 * mu_star / T)
    return mu_star * deformed_log(k, p) * (N / T) + later


@check_arguments
def impossible(T: float, k: int, p: float, eps: float = 0.0) -> float:
    """Proposition L: on some instance of means 1 and eps, R >= 1 - T^(1/q)(1/k + eps).

    Holds for every algorithm and every p = -q < 0; negative when it says nothing.

    >>> round(pm.bounds.impossible(T=1e6, k=100, p=-10), 4)
    0.9602
    """
    _checks.require(p < 0, f"p must be negative, got {p}")
    root = math.log(T) / -p
    return 1 - (math.exp(root) if root < LOG_LARGEST else math.inf) * (1 / k + eps)


# -- when do they begin to say something -------------------------------------------


def or_nan(bound: Callable[..., float], *args: float) -> float:
    """The value of a bound, nan where its hypotheses fail.

    >>> pm.bounds.or_nan(pm.bounds.nash, 1e6, 1)
    nan
    """
    try:
        return bound(*args)
    except ValueError:
        return math.nan


def smallest_horizon(holds: Callable[[float], bool], most: float = 1e40) -> float:
    """The T from which on `holds` is true, up to `most`; inf if it is not true there.

    The last change from false to true on a grid of 200 points a decade, then bisected
    to six digits. `holds` may raise ValueError where its hypotheses fail: false.

    >>> T = pm.bounds.smallest_horizon(lambda T: pm.bounds.nash(T, 5) < 0.5)
    >>> f"{T:.3g}"
    '4.27e+05'
    """

    def true_at(log_T: float) -> bool:
        return or_nan(holds, math.exp(log_T)) == 1

    high, step = math.log(_checks.real("most", most, 2, 1e299)), math.log(10) / 200
    if not true_at(high):
        return math.inf
    while true_at(max(high - step, math.log(2))):
        high -= step
        if high <= math.log(2):
            return 2.0
    low = high - step
    while high - low > 1e-6:
        middle = (low + high) / 2
        low, high = (low, middle) if true_at(middle) else (middle, high)
    return math.exp(high)
