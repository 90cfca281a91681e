"""What simulated runs say about the regret: profiles, estimates, error bars.

A `Profile` holds the averages of simulated runs (`engine` makes it), and an `Estimate`
the regret measured from it, with its error bar (chapter `error_bars`). Nothing here is
random.
"""

import html
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pmeanlib import _checks
from pmeanlib.compiled import cached_jit
from pmeanlib.instances import brief
from pmeanlib.welfare import regrets

ARRAYS = ("total_t", "group_totals", "group_pulls", "group_sizes")  # of a profile
DOUBT = 0.125  # beyond it error bars cover less than they say: `_data/error_bars.py`


@dataclass(frozen=True)
class Estimate:
    """A simulated number: its value less the bias, its error bar, the plain plug-in.

    `doubt` says how much of the error bar is curvature, `unseen` what an error could
    change that no run made (0 if the runs differ). Its `certainty` is one of four
    (chapter `error_bars`): "measured", with a bar to be `trusted`; "doubtful"; "exact",
    since all rounds that count are known; "unvaried", since no run changes the number.

    >>> pm.Estimate(0.25, 0.01, 0.2501, n_runs=100)
    Estimate(0.25000 ± 0.01000, n_runs=100)
    """

    value: float
    standard_error: float
    plug_in: float
    n_runs: int = 0
    n_groups: int = 0
    doubt: float = 0.0
    unseen: float = 0.0

    @property
    def certainty(self) -> str:
        """Which of the four it is, in one word."""
        if self.unseen > 0:
            return "unvaried"
        if self.doubt > DOUBT:
            return "doubtful"
        return "measured" if self.standard_error > 0 else "exact"

    @property
    def trusted(self) -> bool:
        """Whether the error bar means what it says."""
        return self.certainty in ("measured", "exact")

    @property
    def runs_needed(self) -> int:
        """About how many runs a trusted error bar takes; at most 100 times as many."""
        if self.trusted:
            return self.n_runs
        more = 100.0 if self.unseen > 0 else min(100.0, (self.doubt / DOUBT) ** 2)
        return math.ceil(self.n_runs * more)

    def runs_for(self, error: float) -> int:
        """About how many runs a trusted standard error of this size takes."""
        more = (self.standard_error / error) ** 2
        return max(self.runs_needed, math.ceil(self.n_runs * min(more, 1e6)))

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true value lies, 95 times in 100: Student's t over the groups.

        Where no run varied, it is what an unseen error could change.
        """
        half = self.unseen
        if self.standard_error > 0:
            half = t_quantile(self.n_groups - 1) * self.standard_error
        return self.value - half, self.value + half

    @property
    def row(self) -> dict[str, Any]:
        """The estimate as columns of a table."""
        return {"regret": self.value, "standard_error": self.standard_error,
                "regret_plug_in": self.plug_in, "trusted": self.trusted,
                "runs_needed": self.runs_needed, "certainty": self.certainty,
                "unseen": self.unseen}  # fmt: skip

    def times(self, unit: float) -> "Estimate":
        """The same in other units."""
        parts = ("value", "standard_error", "plug_in", "unseen")
        return replace(self, **{name: unit * getattr(self, name) for name in parts})

    @classmethod
    def of_row(cls, row: Mapping[str, Any]) -> "Estimate":
        """The estimate that a row of a table was made from, but for its groups."""
        more = row["runs_needed"] / row["n_runs"]
        doubt = DOUBT * math.sqrt(more) if row["certainty"] == "doubtful" else 0.0
        names = ("regret", "standard_error", "regret_plug_in", "n_runs")
        value, error, plug_in, n_runs = (row[name] for name in names)
        return cls(value, error, plug_in, n_runs, 0, doubt, row["unseen"])

    def __repr__(self) -> str:
        return f"Estimate({self:.5f}, n_runs={self.n_runs})"

    def __format__(self, spec: str) -> str:
        """Short, as in a cell of a table; `legend` says what the signs mean."""
        spec = spec or ".5f"
        value, bar = format(self.value, spec), _above_zero(self.standard_error, spec)
        return {"measured": f"{value} ± {bar}", "doubtful": f"{value} ± {bar} (?)",
                "exact": f"{value} (exact)",
                "unvaried": f"{value} [{_above_zero(self.unseen, spec)}]",
                }[self.certainty]  # fmt: skip

    def __str__(self) -> str:
        """The same with its reason."""
        why = legend([self]).partition(": ")[2]
        if self.certainty == "unvaried":
            return f"{self.value:.5f}: {why.replace('x', f'{self.unseen:.2g}')}"
        return format(self) + (f": {why}" if why else "")


def _above_zero(number: float, spec: str) -> str:
    """A positive number as text, or what it is below if that would be zero."""
    text = format(number, spec)
    return text if re.search("[1-9]", text) else "<" + re.sub(r"0(?=\D*$)", "1", text)


def legend(estimates: Iterable[Estimate]) -> str:
    """What the signs behind these estimates mean, one line for each sign.

    >>> print(pm.estimates.legend([pm.Estimate(0.1, 0.01, 0.1, 50, doubt=0.25)]))
    (?): few rounds carry the sum, about 200 runs needed
    """
    estimates, lines = list(estimates), []
    if doubtful := [e for e in estimates if e.certainty == "doubtful"]:
        needed = _range(float(f"{e.runs_needed:.1e}") for e in doubtful)
        lines.append(f"(?): few rounds carry the sum, about {needed} runs needed")
    if unvaried := [e for e in estimates if e.certainty == "unvaried"]:
        runs = _range(e.n_runs for e in unvaried)
        rest = "errors that none made change it by x or less (95 %)"
        lines.append(f"[x]: no run erred in {runs}; {rest}")
    return "\n".join(lines)


def _range(numbers: Iterable[float]) -> str:
    """From the least to the greatest of some whole numbers."""
    values = sorted(numbers)
    return " to ".join(f"{x:,.0f}" for x in dict.fromkeys((values[0], values[-1])))


@dataclass(frozen=True)
class Profile:
    """What `n_runs` independent runs say about each round, in O(T) memory.

    `total_t` (T,) sums mu[arms] over the runs, `T_tilde` is the number of exploration
    rounds played, and the expectations of the first `known` rounds are exact. For error
    bars the runs are dealt into groups of `group_sizes` runs: `group_totals` (n_groups,
    T) and `group_pulls` (n_groups, k) hold each group's sums, the former in single
    precision beyond a million rounds.

    >>> instance, policy = pm.bernoulli([0.2, 0.9]), pm.ucb1()
    >>> print(pm.simulate(instance, policy, T=100, n_runs=50, rng=1))
    runs    50 of 100 rounds, 0 of them explored
    p = 1   regret 0.18102 ± 0.00166
    p = 0   regret 0.19231 ± 0.00212
    p = -1  regret 0.21176 ± 0.00419
    pulls   [25.9, 74.1]
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

    def __repr__(self) -> str:
        T, mu_star = self.total_t.size, f"{self.mu_star:.4g}"
        known = f"mu_star={mu_star}, T_tilde={self.T_tilde}"
        return f"Profile(T={T}, n_runs={self.n_runs}, {known})"

    def __str__(self) -> str:
        return "\n".join(f"{what:<7} {said}" for what, said in _summary(self))

    def _repr_html_(self) -> str:
        cells = [(what, html.escape(said)) for what, said in _summary(self)]
        rows = (f'<tr><th scope="row">{a}</th><td>{b}</td></tr>' for a, b in cells)
        return '<table class="numbers">\n' + "\n".join(rows) + "\n</table>"

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


def _summary(profile: Profile) -> list[tuple[str, str]]:
    """What a profile says: its runs, the regret at three exponents, the pulls."""
    T, explored = profile.total_t.size, f"{profile.T_tilde:,} of them explored"
    lines = [("runs", f"{profile.n_runs:,} of {T:,} rounds, {explored}")]
    if profile.n_runs > 1 and profile.mu_star > 0:  # else there is nothing to measure
        exponents = 1, 0, -1
        found = zip(exponents, measured_regrets(profile, exponents), strict=True)
        lines += [(f"p = {p}", f"regret {estimate!s}") for p, estimate in found]
    return [*lines, ("pulls", brief(profile.pulls, ".1f"))]


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

    >>> instance, policy = pm.bernoulli([0.2, 0.9]), pm.ucb1()
    >>> profile = pm.simulate(instance, policy, T=100, n_runs=50, rng=1)
    >>> pm.measured_regret(profile, p=-1)
    Estimate(0.21176 ± 0.00419, n_runs=50)
    """
    return measured_regrets(profile, [p])[0]


def measured_regrets(profile: Profile, exponents: Iterable[float]) -> list[Estimate]:
    """`measured_regret` at each of the exponents: the rounds are read once for all.

    Once for the mean of all runs, that is, and once without each group of runs.

    >>> instance, policy = pm.bernoulli([0.2, 0.9]), pm.ucb1()
    >>> profile = pm.simulate(instance, policy, T=100, n_runs=50, rng=1)
    >>> [str(e) for e in pm.measured_regrets(profile, [1, 0])]
    ['0.18102 ± 0.00166', '0.19231 ± 0.00212']
    """
    ps = np.array([_checks.real("p", p, high=1) for p in exponents])
    mu_t = profile.mu_t
    plug_in = regrets(mu_t, profile.mu_star, ps)
    left_out, variance = _without_each_group(profile, mu_t, ps)
    columns = zip(ps.tolist(), plug_in.tolist(), left_out.T, strict=True)
    return [_estimate(profile, mu_t, variance, *column) for column in columns]


def _without_each_group(
    profile: Profile, mu_t: np.ndarray, ps: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The regrets at `ps` without each group of runs, and the variance of `mu_t`."""
    left_out, variance = [], np.zeros(mu_t.size)
    for others, size in zip(profile.leave_one_out(), profile.group_sizes, strict=False):
        left_out.append(regrets(others, profile.mu_star, ps))
        _add_squares(variance, others, mu_t, profile.n_runs / size - 1)
    variance /= max(len(left_out), 1)
    return np.reshape(left_out, (-1, ps.size)), variance


@cached_jit(nogil=True, error_model="numpy")
def _add_squares(total, x, y, factor):
    """Add factor (x - y)^2 to each round, without arrays for what is in between."""
    for t in range(total.size):
        total[t] += factor * (x[t] - y[t]) ** 2


def _estimate(
    profile: Profile, mu_t: np.ndarray, variance: np.ndarray, p: float, plug_in: float,
    left_out: np.ndarray,
) -> Estimate:  # fmt: skip
    """The jackknife's estimate at one exponent, and how surely it is known."""
    estimate = jackknife(plug_in, left_out, profile.group_sizes)
    if _is_exact(profile, mu_t, p):
        return replace(estimate, standard_error=0.0)
    if estimate.standard_error < 1e-9:
        unseen = _unseen(profile, mu_t, p, plug_in)
        return replace(estimate, standard_error=0.0, unseen=unseen)
    if p == 1:
        return estimate  # without any bias to doubt
    doubt = _doubt(profile, mu_t, variance, p, estimate)
    if left_out.max() >= profile.mu_star > plug_in:
        doubt = max(doubt, 10 * DOUBT)  # a round lives on one group's reward
    return replace(estimate, doubt=doubt)


def _is_exact(profile: Profile, mu_t: np.ndarray, p: float) -> bool:
    """Whether the rounds that are known determine the p-mean."""
    return profile.known == mu_t.size or (p <= 0 and 0 in mu_t[: profile.known])


def _unseen(profile: Profile, mu_t: np.ndarray, p: float, plug_in: float) -> float:
    """How much errors that no run made can change the regret, at 95 %.

    What none of n independent runs did has probability at most 3/n (the rule of three).
    So the rounds that are not known may expect up to 3/n more of the best arm, or of an
    arm that pays nothing: the larger change counts. Assumed is that the runs are alike,
    or that the rounds in which they differ hardly matter at this p.
    """
    rate, changes = min(1.0, 3 / profile.n_runs), []
    for other in (0.0, profile.mu_star):
        x = mu_t.copy()
        x[profile.known :] += rate * (other - x[profile.known :])
        changed = regrets(x, profile.mu_star, np.array([p]))
        changes.append(abs(float(changed[0]) - plug_in))
    return max(changes)


def _doubt(
    profile: Profile, mu_t: np.ndarray, variance: np.ndarray, p: float, e: Estimate
) -> float:
    """How uncertain the bias is, in units of the standard error.

    To second order an estimated mean with relative variance v_t biases the logarithm of
    the p-mean by (1 - p)/2 s_t v_t, where s_t is the round's share of sum mu_t^p. The
    jackknife removes the bias; what it removes is itself uncertain by about as much, in
    each round on its own.
    """
    q, mu_star = min(1 - p, 1e9), profile.mu_star
    noise = q / 2 * _bias(mu_t, variance, profile.known, mu_star, profile.n_runs, q)
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

    >>> pm.estimates.jackknife(0.5, left_out=[0.4, 0.55], sizes=[10, 10])
    Estimate(0.52500 ± 0.07500, n_runs=20)
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
    """The 97.5 % point of Student's t, by Cornish and Fisher's expansion.

    >>> round(pm.estimates.t_quantile(31), 3)
    2.04
    """
    if df <= 3:
        return (math.inf, 12.7062, 4.3027, 3.1824)[max(df, 0)]
    z = 1.959963984540054
    terms = (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + terms[0] / df + terms[1] / df**2 + third / df**3
