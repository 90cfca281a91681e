"""The p-mean, the regret it defines, and what simulated runs say about it.

A `Profile` holds the averages of simulated runs (`engine` makes it), and an `Estimate`
the regret measured from it, with its error bar. Nothing here is random.

All p-means are computed in logarithms. A power mean raises numbers to the power p,
averages, and takes the p-th root; done literally, the powers overflow for p far from 0,
drown in rounding for p near 0, and a product of twenty thousand numbers is simply 0.0
(chapter `welfare`).
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import ArrayLike

from pmeanlib import _checks
from pmeanlib.compiled import cached_jit

SAME_AS_ZERO = 1e-30  # below it p-mean and geometric mean agree far beyond a double
BLOCK = 128  # rounds that are summed at once
EQUAL = np.ones(0)  # the weights of all rounds, if they are equal
ARRAYS = ("total_t", "group_totals", "group_pulls", "group_sizes")  # of a profile
DOUBT = 0.125  # beyond it error bars cover less than they say: `_data/error_bars.py`


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
    return float(_regrets(x, mu_star, np.array([p]))[0])


def _regrets(x: np.ndarray, mu_star: float, exponents: np.ndarray) -> np.ndarray:
    """The regret of one profile at each of the exponents."""
    return -mu_star * np.expm1(_log_means(x, EQUAL, mu_star, exponents))


@dataclass(frozen=True)
class Estimate:
    """A simulated number: its value less the bias, its error bar, the plain plug-in.

    `doubt` says how much of the error bar is curvature: beyond DOUBT it is not to be
    `trusted` (chapter `error_bars`).
    """

    value: float
    standard_error: float
    plug_in: float
    n_runs: int = 0
    n_groups: int = 0
    doubt: float = 0.0

    @property
    def trusted(self) -> bool:
        """Whether the error bar means what it says."""
        return self.doubt <= DOUBT

    @property
    def runs_needed(self) -> int:
        """About how many runs a trusted error bar takes; at most 100 times as many."""
        more = min(100.0, (self.doubt / DOUBT) ** 2)
        return self.n_runs if self.trusted else math.ceil(self.n_runs * more)

    def runs_for(self, error: float) -> int:
        """About how many runs a trusted standard error of this size takes."""
        more = (self.standard_error / error) ** 2
        return max(self.runs_needed, math.ceil(self.n_runs * min(more, 1e6)))

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true value lies, 95 times in 100: Student's t over the groups."""
        half = t_quantile(self.n_groups - 1) * self.standard_error
        return self.value - half, self.value + half

    @property
    def row(self) -> dict[str, Any]:
        """The estimate as columns of a table."""
        return {"regret": self.value, "standard_error": self.standard_error,
                "regret_plug_in": self.plug_in, "trusted": self.trusted,
                "runs_needed": self.runs_needed}  # fmt: skip

    def __format__(self, spec: str) -> str:
        spec = spec or ".5f"
        doubtful = "" if self.trusted else " (?)"
        return f"{self.value:{spec}} ± {self.standard_error:{spec}}{doubtful}"

    def __str__(self) -> str:
        enough = f"{self.runs_needed} runs or so would do"  # unless nobody can tell
        why = "all runs are alike" if math.isinf(self.doubt) else enough
        return format(self) + ("" if self.trusted else f": not to be trusted, {why}")


@dataclass(frozen=True)
class Profile:
    """What `n_runs` independent runs say about each round, in O(T) memory.

    `total_t` (T,) sums mu[arms] over the runs, `T_tilde` is the number of exploration
    rounds played, and the expectations of the first `known` rounds are exact. For error
    bars the runs are dealt into groups of `group_sizes` runs: `group_totals` (n_groups,
    T) and `group_pulls` (n_groups, k) hold each group's sums, the former in single
    precision beyond a million rounds.
    """

    mu_star: float
    total_t: np.ndarray
    n_runs: int
    T_tilde: int
    known: int
    group_totals: np.ndarray
    group_pulls: np.ndarray
    group_sizes: np.ndarray

    def __add__(self, other: "Profile") -> "Profile":
        """The runs of both, of the same instance, policy and T, group by group."""
        sums = {n: _added(getattr(self, n), getattr(other, n)) for n in ARRAYS}
        return replace(self, n_runs=self.n_runs + other.n_runs, **sums)

    def __post_init__(self) -> None:
        for name in ARRAYS:
            getattr(self, name).flags.writeable = False

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


def _added(*arrays: np.ndarray) -> Any:
    """The sum of two arrays, of which one may have fewer rows."""
    shorter, longer = sorted(arrays, key=len)
    total = longer.copy()
    total[: len(shorter)] += shorter
    return total


def measured_regret(profile: Profile, p: float) -> Estimate:
    """The p-mean regret of a simulated profile, with error bar and bias correction.

    A p-mean with p < 1 is concave, so the mean of finitely many runs gives a regret
    that is too large on average; the jackknife over groups of runs measures by how much
    (chapter `error_bars`).
    """
    return measured_regrets(profile, [p])[0]


def measured_regrets(profile: Profile, exponents: Iterable[float]) -> list[Estimate]:
    """`measured_regret` at each of the exponents, all in one pass over the rounds."""
    ps = np.array([_checks.real("p", p) for p in exponents])
    mu_t, variance = profile.mu_t, np.zeros(profile.total_t.size)
    plug_in, left_out = _regrets(mu_t, profile.mu_star, ps), []
    for x, size in zip(profile.leave_one_out(), profile.group_sizes, strict=False):
        left_out.append(_regrets(x, profile.mu_star, ps))
        x -= mu_t
        variance += (profile.n_runs / size - 1) * np.square(x, out=x)
    variance /= max(len(left_out), 1)
    estimates = []
    for j, value in enumerate(plug_in.tolist()):
        column = [regrets[j] for regrets in left_out]
        estimate = jackknife(value, column, profile.group_sizes)
        doubt = _doubt(profile, mu_t, variance, float(ps[j]), estimate)
        if max(column) >= profile.mu_star > value:
            doubt = max(doubt, 10 * DOUBT)  # a round that lives on one group's reward
        estimates.append(replace(estimate, doubt=doubt))
    return estimates


def _doubt(
    profile: Profile, mu_t: np.ndarray, variance: np.ndarray, p: float, e: Estimate
) -> float:
    """How uncertain the bias is, in units of the standard error.

    To second order an estimated mean with relative variance v_t biases the logarithm of
    the p-mean by (1 - p)/2 s_t v_t, where s_t is the round's share of sum mu_t^p. The
    jackknife removes the bias; what it removes is itself uncertain by about as much, in
    each round on its own.
    """
    known, mu_star = profile.known, profile.mu_star
    if known == mu_t.size or (p <= 0 and 0 in mu_t[:known]):
        return 0.0  # it is exact
    if e.standard_error < 1e-9:  # all runs alike: nothing was seen to vary
        return math.inf
    q = min(1 - p, 1e9)
    noise = q / 2 * _bias(mu_t, variance, known, mu_star, profile.n_runs, q)
    doubt = (mu_star - e.plug_in) * noise / e.standard_error
    return doubt if doubt >= 0 else math.inf  # nan: a round pays next to nothing


@cached_jit(nogil=True, error_model="numpy")
def _bias(mu_t, variance, known, mu_star, n_runs, q):
    """sqrt(sum (s_t v_t)^2) over the rounds that are not known.

    A rare event that no run has seen is not impossible: so the variance of every round
    includes one more run, in which the best arm is played.
    """
    low, shares, squares = mu_t.min(), 0.0, 0.0
    for t in range(mu_t.size):
        share = math.exp((1 - q) * math.log(mu_t[t] / low))
        shares += share
        if t >= known:
            unseen = (mu_star - mu_t[t]) / n_runs
            squares += (share * (variance[t] + unseen**2) / mu_t[t] ** 2) ** 2
    return math.sqrt(squares) / shares


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
    return Estimate(value, math.sqrt(variance), plug_in, int(sizes.sum()), sizes.size)


def t_quantile(df: int) -> float:
    """The 97.5 % point of Student's t, by Cornish and Fisher's expansion."""
    if df <= 3:
        return (math.inf, 12.7062, 4.3027, 3.1824)[max(df, 0)]
    z = 1.959963984540054
    terms = (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + terms[0] / df + terms[1] / df**2 + third / df**3


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
