"""The p-mean of an array, and the regret that it defines.

All p-means are computed in logarithms. A power mean raises numbers to the power p,
averages, and takes the p-th root; done literally, the powers overflow for p far from 0,
drown in rounding for p near 0, and a product of twenty thousand numbers is simply 0.0
(chapter `welfare`).
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import ArrayLike

from pmeanlib import _checks
from pmeanlib.compiled import cached_jit

SAME_AS_ZERO = 1e-30  # below it p-mean and geometric mean agree far beyond a double
BLOCK = 128  # rounds that are summed at once
EQUAL = np.ones(0)  # the weights of all rounds, if they are equal


def p_mean(
    x: ArrayLike, p: float, weights: ArrayLike | None = None, axis: int | None = None
) -> float | np.ndarray:
    """The p-mean welfare W_p of `x` (chapter `welfare`).

    ``W_p = (sum_t w_t x_t^p / sum_t w_t)^(1/p)``; its limits give the minimum (p =
    -inf), the geometric mean (p = 0) and the maximum (p = inf). A zero in `x` makes it
    0 for every p <= 0.

    Parameters
    ----------
    x : array of finite numbers >= 0.
    p : any real number, or -inf, or inf.
    weights : of the shape of `x`, or one number per entry of `axis`; else all equal.
    axis : the axis to average over; the whole array if not given.

    Returns
    -------
    float, or an array with `axis` removed.
    """
    p, x = _checks.real("p", p), _checks.array("x", x)
    if axis is not None:
        axis = _checks.integer("axis", axis, -x.ndim, x.ndim - 1)
    w = np.ones(x.shape) if weights is None else _checks.array("weights", weights)
    if w.shape == x.shape:
        w = w.ravel() if axis is None else np.moveaxis(w, axis, -1)
    elif axis is None or w.shape != (x.shape[axis],):
        raise ValueError(f"weights must have the shape of x, {x.shape}, got {w.shape}")
    rows = x.ravel() if axis is None else np.moveaxis(x, axis, -1)
    mean = np.vectorize(_p_mean_of_row, signature="(n),(n),()->()")(rows, w, p)
    return mean if mean.ndim else float(mean)


def _p_mean_of_row(x: np.ndarray, w: np.ndarray, p: float) -> float:
    _checks.require(w.max() > 0, "weights must have a positive sum, got 0")
    x, w = x[w > 0], w[w > 0] / w.max()
    low, high = x.min(), x.max()
    if math.isinf(p) or low == high or (low == 0 and p <= 0):
        return high if p > 0 else low
    extreme = high if p >= 0 else low  # no power of x / extreme exceeds 1
    with np.errstate(all="ignore"):
        if abs(p) == 1:  # arithmetic and harmonic need no logarithm
            power_of_2 = np.frexp(extreme)[1]
            ratio = np.ldexp(x, -power_of_2) ** p
            mean = np.ldexp(((ratio * w).sum() / w.sum()) ** p, power_of_2)
        else:
            half = np.exp(0.5 * _log_means(x, w, extreme, np.array([p]))[0])
            mean = extreme * half * half
    return min(max(mean, low), high)


def p_mean_regret(mu_t: ArrayLike, mu_star: float, p: float) -> float:
    """The p-mean regret ``mu_star - W_p(mu_t)`` (chapter `regret`).

    `mu_t` holds E[mu_{I_t}], the expected reward of each round. The difference is never
    formed: with ``y_t = log(mu_t / mu_star)`` the regret is ``-mu_star *
    expm1(log-p-mean of y)``, which keeps its digits when the regret is a tiny part of
    `mu_star`.
    """
    p = _checks.real("p", p)
    mu_star = _checks.real("mu_star", mu_star, low=1e-300, high=1e300)
    x = _checks.array("mu_t", mu_t).ravel()
    return float(regrets(x, mu_star, np.array([p]))[0])


def regrets(x: np.ndarray, mu_star: float, exponents: np.ndarray) -> np.ndarray:
    """`p_mean_regret` at each of the exponents, arguments unchecked."""
    return -mu_star * np.expm1(_log_means(x, EQUAL, mu_star, exponents))


class _Sums(NamedTuple):
    """Sums over the rounds, one for each exponent p, with z = p log(x / scale).

    `term` adds up exp(z) - 1, which keeps all digits where z is small (at p = 0: the
    logarithm), and `power` exp(z - shift), which cannot overflow. The other two are
    what rounding has added to these (Kahan's summation).
    """

    shift: np.ndarray
    term: np.ndarray
    power: np.ndarray
    lost_term: np.ndarray
    lost_power: np.ndarray


@cached_jit(nogil=True, error_model="numpy")
def _log_means(x, w, scale, exponents):
    """log(W_p(x) / scale) for each exponent p, with weights w (none: all equal).

    A value that has just been seen costs nothing.
    """
    n, size, low, high, y = exponents.size, 0.0, np.inf, 0.0, np.empty(BLOCK)
    sums = _Sums(np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(n))
    for start in range(0, x.size, BLOCK):  # sums of sums lose fewer digits
        part, weights = x[start : start + BLOCK], w[start : start + BLOCK]
        low, high = _take_logarithms(part, scale, low, high, y)
        for t in range(part.size):
            size += weights[t] if w.size else 1.0
        for j in range(n):
            term, power = _sum_part(part, weights, y, scale, exponents[j], sums, j)
            _add(sums.term, sums.lost_term, j, term)
            _add(sums.power, sums.lost_power, j, power)
    means = np.empty(n)
    for j in range(n):
        totals = sums.shift[j], sums.term[j], sums.power[j], size
        means[j] = _log_mean(exponents[j], low, high, scale, totals)
    return means


@njit(error_model="numpy")
def _take_logarithms(x, scale, low, high, y):
    """Write log(x / scale) to y; `low` and `high`, if no x is below or above them."""
    for t in range(x.size):
        if t and x[t] == x[t - 1]:
            y[t] = y[t - 1]
        else:
            low, high, y[t] = min(low, x[t]), max(high, x[t]), _log_ratio(x[t], scale)
    return low, high


@njit(error_model="numpy")
def _sum_part(x, w, y, scale, p, sums, j):
    """What these rounds add to `term` and `power` of the exponent p, number j."""
    term, power, terms, powers = 0.0, 0.0, 0.0, 0.0
    shifts = p != 1 and abs(p) > SAME_AS_ZERO
    for t in range(x.size):
        if t == 0 or y[t] != y[t - 1]:
            z = p * y[t]
            if shifts and z - sums.shift[j] > 500:
                smaller, sums.shift[j] = math.exp(sums.shift[j] - z), z
                powers *= smaller
                sums.power[j] *= smaller
            term, power = _term_and_power(x[t], scale, y[t], p, sums.shift[j])
        share = w[t] if w.size else 1.0
        terms += share * term
        powers += share * power
    return terms, powers


@njit(inline="always")
def _term_and_power(x, scale, y, p, shift):
    """exp(z) - 1 and exp(z - shift) of z = p y, where y = log(x / scale)."""
    z = p * y
    if abs(p) <= SAME_AS_ZERO:
        term, power = y, 0.0
    elif p == 1:
        term, power = (x - scale) / scale, x / scale
    elif abs(z) < 0.01 and shift == 0:
        term = math.expm1(z)
        power = 1 + term
    else:
        power = math.exp(z - shift)
        term = power - 1
    return term, power


@njit
def _add(sums, lost, j, more):
    """Add `more` to sums[j], with what rounding has added too much before."""
    more -= lost[j]
    total = sums[j] + more
    lost[j] = (total - sums[j]) - more
    sums[j] = total


@njit(inline="always")
def _log_mean(p, low, high, scale, totals):
    """log(W_p / scale) from the least and the largest value, and from the sums."""
    shift, term, power, size = totals
    if math.isinf(p) or low == 0 >= p or high == 0:
        mean = _log_ratio(high if p == np.inf else low, scale)
    elif abs(p) <= SAME_AS_ZERO:
        mean = term / size
    elif shift == 0 and term >= -0.5 * size:
        mean = math.log1p(term / size) / p
    else:
        mean = (shift + math.log(power / size)) / p
    return mean


@njit(inline="always")
def _log_ratio(x, scale):
    """log(x / scale): no overflow for any doubles, no cancellation for close ones."""
    ratio = x / scale
    if 0.99 < ratio < 1.01:
        return math.log1p((x - scale) / scale)
    if 1e-290 < ratio < 1e290 or x == 0:
        return math.log(ratio)
    return math.log(x) - math.log(scale)
