"""The p-mean of an array, and the regret that it defines.

All p-means are computed in logarithms. A power mean raises numbers to the power p,
averages, and takes the p-th root; done literally, the powers overflow for p far from 0,
drown in rounding for p near 0, and a product of twenty thousand numbers is simply 0.0
(chapter `welfare`).

There is one p-mean, `_log_means`: with ``z = p log(x / scale)`` it is ``log1p(mean of
expm1(z)) / p``, which keeps all digits where z is small, or, where that would overflow
or cancel, ``(s + log(mean of exp(z - s))) / p`` with the largest z as s.
"""

import math

import numpy as np
from numba import njit
from numpy.typing import ArrayLike

from pmeanlib import _checks
from pmeanlib.compiled import cached_jit

SAME_AS_ZERO = 2.0**-100  # p-means this near to p = 0 are the same, far beyond a double
LARGEST = np.finfo(float).max
LEAST_WEIGHT = 1e-290  # of the largest: powers of less are lost among other powers
BLOCK, LANES = 4096, 64  # rounds whose logarithms are kept at once; sums side by side
LOG_2 = math.log(2)
TAYLOR = tuple(1 / math.factorial(n) for n in range(13, 0, -1))  # of exp


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
        Each is 0 or at least 1e-290 times the largest.
    axis : the axis to average over; the whole array if not given.

    Returns
    -------
    float, or an array with `axis` removed.

    Examples
    --------
    >>> round(pm.p_mean([1, 4], p=-1), 6)
    1.6
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
    message = f"weights must be 0 or at least {LEAST_WEIGHT} of the largest, got less"
    _checks.require(w.min() >= LEAST_WEIGHT, message)
    low, high = float(x.min()), float(x.max())
    if math.isinf(p) or low == high or (low == 0 and p <= 0):
        return high if p > 0 else low
    extreme = high if p > 0 else low  # no power of x / extreme exceeds 1
    mantissa, exponent = math.frexp(extreme)
    with np.errstate(all="ignore"):
        if abs(p) == 1:  # arithmetic and harmonic need no logarithm
            powers = np.ldexp(x, -exponent) ** p
            mean = np.ldexp(((powers * w).sum() / w.sum()) ** p, exponent)
        else:  # extreme * exp(log_mean), with the power of 2 apart: no overflow
            log_mean = max(_log_means(x, w, extreme, np.array([p]))[0], -1e4)
            n = round(log_mean / LOG_2)
            ratio = math.exp(log_mean - n * LOG_2)
            mean = np.ldexp(mantissa * ratio, exponent + n)
    return min(max(float(mean), low), high)


def p_mean_regret(mu_t: ArrayLike, mu_star: float, p: float) -> float:
    """The p-mean regret ``mu_star - W_p(mu_t)`` for p <= 1 (chapter `regret`).

    `mu_t` holds E[mu_{I_t}], the expected reward of each round. The difference is never
    formed: with ``y_t = log(mu_t / mu_star)`` the regret is ``-mu_star *
    expm1(log-p-mean of y)``, which keeps its digits when the regret is a tiny part of
    `mu_star`.

    >>> round(pm.p_mean_regret([0.4, 0.9], mu_star=0.9, p=0), 6)
    0.3
    """
    p = _checks.real("p", p, high=1)
    mu_star = _checks.real("mu_star", mu_star, low=1e-300, high=1e300)
    x = _checks.array("mu_t", mu_t).ravel()
    return float(regrets(x, mu_star, np.array([p]))[0])


def regrets(x: np.ndarray, mu_star: float, exponents: np.ndarray) -> np.ndarray:
    """`p_mean_regret` at each of the exponents, arguments unchecked.

    >>> pm.welfare.regrets(np.array([0.4, 0.9]), 0.9, np.array([1, 0])).round(6)
    array([0.25, 0.3 ])
    """
    half = np.expm1(0.5 * _log_means(x, np.ones(x.size), mu_star, exponents))
    return -mu_star * half * (half + 2)  # a factor that cannot overflow, twice


def _log_means(
    x: np.ndarray, w: np.ndarray, scale: float, exponents: np.ndarray
) -> np.ndarray:
    """log(W_p(x) / scale) for each exponent p, with weights w.

    A zero makes W_p zero if p <= 0; else it adds to the total weight and nothing more.
    """
    if x.min() > 0:
        return _log_means_of_positive(x, w, scale, x.min(), x.max(), exponents)
    others = x > 0
    if not others.any():
        return np.full(exponents.size, -math.inf)
    left, lost = w[others].sum(), w[~others].sum()
    total = left + lost
    log_share = math.log(left / total) if left < lost else math.log1p(-lost / total)
    means = _log_means(x[others], w[others], scale, exponents)
    pairs = zip(means, exponents.tolist(), strict=True)
    return np.array([m + log_share / p if p > 0 else -math.inf for m, p in pairs])


@cached_jit(nogil=True, error_model="numpy")
def _log_means_of_positive(x, w, scale, least, largest, exponents):
    """The same, where no x is zero; the first and the last step of the formula."""
    low, high = _log_ratio(least, scale), _log_ratio(largest, scale)
    n, size = exponents.size, 0.0
    excess, power, means = np.zeros(n), np.zeros(n), np.empty(n)
    y, weights, lanes = np.empty(BLOCK), np.empty(BLOCK), np.empty((2, LANES))
    for start in range(0, x.size, BLOCK):  # sums of sums lose fewer digits
        stop = start + BLOCK
        m, more = _take_logarithms(x[start:stop], w[start:stop], scale, y, weights)
        size += more
        for j in range(n):
            p, shift = _tame(exponents[j]), _shift(exponents[j], low, high)
            sums = _sum_powers(y[:m], weights[:m], p, shift, lanes[0], lanes[1])
            excess[j] += sums[0]
            power[j] += sums[1]
    for j in range(n):
        p, shift = _tame(exponents[j]), _shift(exponents[j], low, high)
        if low == high or math.isinf(exponents[j]):
            means[j] = high if p > 0 else low
        elif shift == 0 and excess[j] > -0.5 * size:
            means[j] = math.log1p(excess[j] / size) / p
        else:
            means[j] = shift + math.log(power[j] / size) / p
    return means


@njit(inline="always")
def _tame(p):
    """A number that is not 0 and not infinite, and as good as p."""
    return SAME_AS_ZERO if abs(p) < SAME_AS_ZERO else min(max(p, -LARGEST), LARGEST)


@njit(inline="always")
def _shift(p, low, high):
    """What to take off all y, so that p y is at most 0; nothing if no sum overflows."""
    top = high if p > 0 else low
    return 0.0 if -0.5 < p * top < 500 else top


@njit(error_model="numpy")
def _take_logarithms(x, w, scale, y, weights):
    """Write log(x / scale) to y, once for equal neighbours; give number and weight."""
    m, total = 0, 0.0
    for t in range(x.size):
        if t and x[t] == x[t - 1]:
            weights[m - 1] += w[t]
        else:
            y[m], weights[m] = _log_ratio(x[t], scale), w[t]
            m += 1
        total += w[t]
    return m, total


@njit(error_model="numpy")
def _sum_powers(y, w, p, shift, excess, power):
    """The sums of w (exp(z) - 1) and of w exp(z), where z = p (y - shift).

    Compiled, a processor works on several numbers at a time, if no sum waits for the
    one before: so there is one in each place of `excess` and `power`. And if exp is no
    call: with z = n log 2 + r it is 2^n exp(r), and exp(r) is Taylor's series.
    """
    excess[:], power[:] = 0, 0
    for start in range(0, y.size, LANES):
        part, weights = y[start : start + LANES], w[start : start + LANES]
        for i in range(part.size):
            z = min(max(p * (part[i] - shift), -708.0), 700.0)
            n = np.int64(math.floor(z * (1 / LOG_2) + 0.5))
            r, series = z - n * LOG_2, 0.0
            for coefficient in TAYLOR:
                series = series * r + coefficient
            power_of_2 = np.int64((n + 1023) << 52).view(np.float64)  # its bits
            rest = power_of_2 * (series * r)
            excess[i] += weights[i] * (rest + (power_of_2 - 1))
            power[i] += weights[i] * (rest + power_of_2)
    total_excess, total_power = 0.0, 0.0
    for i in range(LANES):
        total_excess += excess[i]
        total_power += power[i]
    return total_excess, total_power


@njit(inline="always")
def _log_ratio(x, scale):
    """log(x / scale), both positive, for any doubles; close ones do not cancel."""
    ratio = x / scale
    if 0.99 < ratio < 1.01:
        return math.log1p((x - scale) / scale)
    if 1e-290 < ratio < 1e290:
        return math.log(ratio)
    return math.log(x) - math.log(scale)
