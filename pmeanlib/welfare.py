"""The p-mean of an array and the regret it defines: no randomness, no simulation.

Everything happens in logarithms. A power mean raises numbers to the power p, averages,
and takes the p-th root; done literally, the powers overflow for p far from 0, drown in
rounding for p near 0, and a product of twenty thousand numbers is simply 0.0 (chapter
`welfare`).
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from pmeanlib import _checks

SAME_AS_ZERO = 1e-30  # below it p-mean and geometric mean agree far beyond a double
LONG, BLOCK = 10**6, 2**16  # beyond LONG rounds, BLOCK of them at a time


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
    p = _checks.real("p", p)
    rows, w = _rows(_checks.array("x", x), weights, axis)
    with np.errstate(all="ignore"):
        low = np.where(w > 0, rows, np.inf).min(axis=-1, keepdims=True)
        high = np.where(w > 0, rows, -np.inf).max(axis=-1, keepdims=True)
        if math.isinf(p):
            mean = high if p > 0 else low
        else:
            extreme = high if p >= 0 else low  # no power of x / extreme exceeds 1
            scale = np.where(extreme > 0, extreme, 1.0)
            x = np.where(w > 0, rows, scale)
            if abs(p) == 1:  # arithmetic and harmonic need no logarithm
                power_of_2 = np.frexp(scale)[1]
                ratio = np.ldexp(x, -power_of_2) ** p
                mean = np.ldexp(_mean(ratio, w) ** p, power_of_2)
            else:
                half = np.exp(0.5 * _log_p_mean(_log_ratio(x, scale), w, p))
                mean = scale * half * half
            mean = np.clip(mean, low, high)
            mean = np.where(low > 0 if p <= 0 else high > 0, mean, 0.0)
    mean = mean[..., 0]
    return float(mean) if mean.ndim == 0 else mean


def p_mean_regret(mu_t: ArrayLike, mu_star: float, p: float) -> float:
    """The p-mean regret ``mu_star - W_p(mu_t)`` (chapter `regret`).

    `mu_t` holds E[mu_{I_t}], the expected reward of each round. The difference is never
    formed: with ``y_t = log(mu_t / mu_star)`` the regret is ``-mu_star *
    expm1(log-p-mean of y)``, which keeps its digits when the regret is a tiny part of
    `mu_star`.
    """
    p = _checks.real("p", p)
    mu_star = _checks.real("mu_star", mu_star, low=1e-300, high=1e300)
    x = _checks.array("mu_t", mu_t).reshape(1, -1)
    if math.isinf(p):
        return mu_star - float(x.max() if p > 0 else x.min())
    if (p <= 0 and x.min() == 0) or x.max() == 0:
        return mu_star
    with np.errstate(all="ignore"):
        y, sizes = map(np.hstack, zip(*_log_blocks(x, mu_star, p), strict=True))
        log_mean = y if y.size == 1 else _log_p_mean(y, sizes, p)
        return float(-mu_star * np.expm1(log_mean)[0, 0])


def _log_blocks(x: np.ndarray, mu_star: float, p: float) -> Iterator[tuple]:
    """The log p-mean of x / mu_star in each block of rounds, and the block's size.

    The p-mean of their p-means, weighted by size, is the p-mean of all.
    """
    length = BLOCK if x.size > LONG else x.size
    for start in range(0, x.size, length):
        part = x[:, start : start + length]
        if part.any():
            y = _log_ratio(part, np.asarray(mu_star))
            yield _log_p_mean(y, np.ones_like(part), p), part.size
        else:
            yield np.full((1, 1), -np.inf), part.size


@dataclass(frozen=True)
class Estimate:
    """A simulated number: its value less the bias, its error bar, the plain plug-in."""

    value: float
    standard_error: float
    plug_in: float

    @property
    def row(self) -> dict[str, float]:
        """The estimate as columns of a table."""
        return {"regret": self.value, "standard_error": self.standard_error,
                "regret_plug_in": self.plug_in}  # fmt: skip

    def __format__(self, spec: str) -> str:
        spec = spec or ".5f"
        return f"{self.value:{spec}} ± {self.standard_error:{spec}}"

    def __str__(self) -> str:
        return format(self)


@dataclass(frozen=True)
class Profile:
    """What `n_runs` independent runs say about each round, in O(T) memory.

    `total_t` (T,) sums mu[arms] over the runs, `T_tilde` is the number of exploration
    rounds played. For error bars the runs are dealt into groups of `group_sizes` runs:
    `group_totals` (n_groups, T) and `group_pulls` (n_groups, k) hold each group's sums,
    the former in single precision beyond a million rounds.
    """

    mu_star: float
    total_t: np.ndarray
    n_runs: int
    T_tilde: int
    group_totals: np.ndarray
    group_pulls: np.ndarray
    group_sizes: np.ndarray

    @property
    def mu_t(self) -> np.ndarray:
        """E[mu_{I_t}] of every round (T,), from the true means of the arms pulled."""
        mean = self.total_t / self.n_runs
        return np.minimum(mean, self.mu_star, out=mean)

    @property
    def pulls(self) -> np.ndarray:
        """The mean number of pulls of each arm in a run, (k,)."""
        return self.group_pulls.sum(axis=0) / self.n_runs

    def leave_one_out(self) -> Iterator[np.ndarray]:
        """`mu_t` without the runs of one group, for each group in turn."""
        for total, size in zip(self.group_totals, self.group_sizes, strict=True):
            if size < self.n_runs:
                others = self.total_t - total
                others /= self.n_runs - size
                yield np.clip(others, 0, self.mu_star, out=others)


def measured_regret(profile: Profile, p: float) -> Estimate:
    """The p-mean regret of a simulated profile, with error bar and bias correction.

    A p-mean with p < 1 is concave, so the mean of finitely many runs gives a regret
    that is too large on average; the jackknife over groups of runs measures by how much
    (chapter `regret`).
    """
    plug_in = p_mean_regret(profile.mu_t, profile.mu_star, p)
    left_out = [
        p_mean_regret(mu_t, profile.mu_star, p) for mu_t in profile.leave_one_out()
    ]
    return jackknife(plug_in, left_out, profile.group_sizes)


def jackknife(plug_in: float, left_out: ArrayLike, sizes: ArrayLike) -> Estimate:
    """Delete-a-group jackknife for groups of any sizes (Busing et al. 1999).

    `plug_in` is the statistic of all runs, `left_out[g]` the same without group g of
    `sizes[g]` runs.
    """
    left_out, sizes = np.asarray(left_out, float), np.asarray(sizes, float)
    message = f"n_runs must be at least 2 for an error bar, got {sizes.sum():g}"
    _checks.require(left_out.size >= 2, message)
    h = sizes.sum() / sizes
    value = plug_in + float(np.sum((1 - 1 / h) * (plug_in - left_out)))
    pseudo = h * plug_in - (h - 1) * left_out
    variance = float(np.mean((pseudo - value) ** 2 / (h - 1)))
    return Estimate(value, math.sqrt(variance), plug_in)


def _log_p_mean(y: np.ndarray, w: np.ndarray, p: float) -> np.ndarray:
    """The logarithm of the p-mean of exp(y), for finite p, along the last axis."""
    middle = _mean(y, w)
    if abs(p) < SAME_AS_ZERO:
        return middle
    spread = np.abs(p) * np.abs(y).max(axis=-1, keepdims=True)
    if np.all(spread <= 1):  # powers close to 1: from the geometric mean, all digits
        return middle + _log_mean_exp(p * (y - middle), w) / p
    return _log_mean_exp(p * y, w) / p


def _log_mean_exp(z: np.ndarray, w: np.ndarray) -> np.ndarray:
    """log(mean(exp(z))) along the last axis, with all its digits for small z too."""
    top = z.max(axis=-1, keepdims=True)
    shift = np.where(np.abs(top) > 500, top, 0.0)
    excess = _mean(np.expm1(z - shift), w)
    log_mean = np.log1p(excess)
    if np.any(excess < -0.5):
        exact = np.log(_mean(np.exp(z - shift), w))
        log_mean = np.where(excess < -0.5, exact, log_mean)
    return shift + log_mean


def _log_ratio(x: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """log(x / scale): no overflow for any doubles, no cancellation for close ones."""
    (m_x, e_x), (m_s, e_s) = np.frexp(x), np.frexp(scale)
    far = np.log(m_x / m_s) + (e_x - e_s) * math.log(2)
    near = np.log1p((x - scale) / scale)
    return np.where((x >= scale / 2) & (x / 2 <= scale), near, far)


def _mean(x: np.ndarray, w: np.ndarray) -> np.ndarray:
    return (x * w).sum(axis=-1, keepdims=True) / w.sum(axis=-1, keepdims=True)


def _rows(x: np.ndarray, weights: ArrayLike | None, axis: int | None) -> tuple:
    """`x` and its weights, the averaged axis last and contiguous: summed in pairs."""
    if axis is not None:
        axis = _checks.integer("axis", axis, -x.ndim, x.ndim - 1)
    rows = x.ravel() if axis is None else np.moveaxis(x, axis, -1)
    w = np.ones(x.shape) if weights is None else _checks.array("weights", weights)
    if w.shape == x.shape:
        w = w.ravel() if axis is None else np.moveaxis(w, axis, -1)
    elif axis is None or w.shape != rows.shape[-1:]:
        message = f"weights must have the shape of x, {x.shape}, got {w.shape}"
        raise ValueError(message)
    w = np.broadcast_to(w, rows.shape)
    _checks.require(
        (w.sum(axis=-1) > 0).all(), "weights must have a positive sum, got 0"
    )
    return np.ascontiguousarray(rows), np.ascontiguousarray(w)
