"""Advice on a table of your own: how good its arms are, and what learning would cost.

The chapter `advice` explains every number. Means that the data allow are drawn at
random; each draw is a *world*, and every policy is simulated in each world.
"""

import html
import math
import textwrap
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from pmeanlib import figures
from pmeanlib._checks import integer, real, require
from pmeanlib.bounds import DEVIATION
from pmeanlib.engine import generator, progress_bar, simulate
from pmeanlib.estimates import measured_regrets, t_quantile
from pmeanlib.instances import Instance, bernoulli, from_data
from pmeanlib.policies import Policy, explore_then_ucb, kl_ucb, thompson, ucb1
from pmeanlib.rules import ucb_index

LEAST = 10  # rows, and clusters, of each arm: with fewer nothing is said
LEVEL = 0.05  # how often the tests may call equal arms different
ALIKE = 0.1  # of the best mean: a difference that hardly matters
DRAWS, DEALS, WORLDS, RUNS = 4_000, 2_000, 100, 8
EXPONENTS = (1.0, 0.0, -1.0, -5.0)  # beside the p that is asked
HEADS = (
    "Arms. From and to: where the mean lies, 95 times in 100. Worth: rows, if they were"
    " independent. Best in: share of the worlds. Worse: surely not best ({0:.0%}).",
    "The next {1:,} people, if they are like these: what they lose against the best"
    " arm, all together, on average over the worlds and over the worst 5% of them.",
    "The next {1:,} people, if they are others: regret at p = {2:g} of policies that"
    " begin anew, on average over the worlds; nine in ten lie between from and to."
    " Least in, trusted in: share of the worlds where the regret is the least, where"
    " its error bar can be trusted. Then: what first and last people can expect.",
)
SHARES = ("best in", "least in", "trusted in")  # columns in per cent
EMPTY = "must not be empty (drop such rows; names like NA need keep_default_na=False)"


class Rows(NamedTuple):
    """For each arm its outcomes, as rewards (divided by `scale`), and its clusters.

    The arms stand in the order of their means, the best first. `binary` says whether
    every outcome is all or nothing.
    """

    names: list[str]
    outcomes: list[np.ndarray]
    clusters: list[np.ndarray]
    scale: float
    binary: bool


@dataclass(frozen=True, repr=False)
class Advice:
    """What a table says: a `verdict`, the reasons in `lines`, and three tables.

    The verdict is `apart`, `alike` or `unknown` (too little data). `arms`, `ways` and
    `policies` are DataFrames, the last two empty unless the arms are apart; `tables`
    has them as they are shown.
    """

    verdict: str
    lines: list[str]
    arms: pd.DataFrame
    ways: pd.DataFrame
    policies: pd.DataFrame
    tables: list[Any]

    def __repr__(self) -> str:
        lines = "\n".join(textwrap.fill(line, 80) for line in self.lines)
        return "\n\n".join([lines, *map(repr, self.tables)])

    def _repr_html_(self) -> str:
        lines = [f"<p>{html.escape(line)}</p>" for line in self.lines]
        return "\n".join([*lines, *(table._repr_html_() for table in self.tables)])

    def plot(self) -> Any:
        """Draw the means and, if the arms are apart, the regrets; gives the axes."""
        pairs = [(self.arms, "mean"), (self.policies, "regret")]
        n = 2 if self.verdict == "apart" else 1
        axes: Any = figures.new_axes(n, layout="constrained")
        for ax, (frame, column) in zip(np.ravel(axes), pairs, strict=False):
            y = np.arange(len(frame))[::-1]
            ax.hlines(y, frame["from"], frame["to"], color=figures.BLUE, linewidth=3)
            ax.plot(frame[column], y, "o", color=figures.ORANGE)
            ax.set_yticks(y, [name.replace("$", r"\$") for name in frame.index])
            figures.finish(ax, column, "")
        return axes


def advise(
    frame: pd.DataFrame, *, T: int, p: float, arm: str, outcome: str,
    cluster: str | None = None, rng: np.random.Generator | int = 1,
) -> Advice:  # fmt: skip
    """What a table says about its arms, and what learning would cost the next T people.

    ``pm.advise(frame, T=5000, p=-1, arm="offer", outcome="came", cluster="village")``
    prints as text, is a few small tables in a notebook, and has a `plot()`.

    Parameters
    ----------
    frame : a pandas DataFrame with a row for each person.
    T, p : how many people will come, and the exponent, from -100 to 1.
    arm, outcome, cluster : the columns that say what a person was given (any name),
        what came of it (a number, 0 for nothing, more is better), and to which group
        they belong. Only None, NaN and "" are empty, and refused; but `pandas.read_csv`
        makes NaN of an arm called "None", "NA" or "null", unless it is told
        `keep_default_na=False`.
    rng : a Generator or a seed. The number of cores cannot change the result.

    Returns
    -------
    Advice: a verdict, its reasons and three tables.

    Examples
    --------
    >>> people = {"offer": ["much", "little"] * 50, "came": [1, 1, 0, 0] * 25}
    >>> said = pm.advise(pd.DataFrame(people), T=200, p=0, arm="offer", outcome="came")
    >>> said.verdict
    'unknown'
    """
    rows = read(frame, arm, outcome, cluster)
    T, p = integer("T", T, 2 * len(rows.names), 1e6), real("p", p, -100, 1)
    of_arms, of_ways, of_policies = generator(rng).spawn(3)
    arms, possible = weigh(rows, of_arms)
    verdict, *lines = judge(arms, possible, by_chance(rows, arms, of_arms))
    ways = policies = pd.DataFrame()
    if verdict == "apart":
        lost = go_on(arms, possible, T, of_ways) * rows.scale
        games = play_worlds(rows, possible, T, p, of_policies)
        tenth = max(1, T // 10)
        names = {name: f"{name} {tenth:,}" for name in ("first", "last")}
        policies = compare(games, p).rename(columns=names)
        anew = games[games["policy"] == policies.index[0]].set_index("world")
        lost["begin anew"] = anew["p = 1"]
        tail = lost.apply(lambda x: x.nlargest(len(x) // 20).mean())
        ways = T * pd.DataFrame({"average": lost.mean(), "worst 5%": tail}).T
        lines += what_to_do(arms.index[0], lost["settle"] - lost["go on"], games, p)
    arms.loc[:, "mean":"to"] *= rows.scale
    tables = shown((arms, ways, policies), LEVEL, T, p)
    return Advice(verdict, lines, arms, ways, policies, tables)


# -- the table ---------------------------------------------------------------------


def read(frame: pd.DataFrame, arm: str, outcome: str, cluster: str | None) -> Rows:
    """The rows of a frame; what is wrong is named with its row and column."""
    given = f"frame must be a DataFrame, got {type(frame).__name__}"
    require(isinstance(frame, pd.DataFrame), given)
    label, x = _column(frame, "arm", arm).map(_name), _column(frame, "outcome", outcome)
    group = label if cluster is None else _column(frame, "cluster", cluster).map(_name)
    for row, value in zip(frame.index, x, strict=True):
        real(f"outcome in row {row!r}, column {outcome!r},", value, 0, 1e300)
    integer(f"arm, column {arm!r}: the number of arms", label.nunique(), 2, 100)
    require(x.max() > 0, "outcome must not be 0 in every row")
    scale = max(1.0, float(x.max()))
    code = np.arange(len(x)) if cluster is None else pd.factorize(group)[0]
    table = pd.DataFrame({"x": x.to_numpy(float) / scale, "cluster": code})
    parts = dict(list(table.groupby(label.to_numpy())))
    names = sorted(parts, key=lambda name: (-parts[name]["x"].mean(), name))
    x, code = ([parts[name][c].to_numpy() for name in names] for c in table)
    return Rows(names, x, code, scale, bool(table["x"].isin((0.0, 1.0)).all()))


def _column(frame: pd.DataFrame, symbol: str, name: str) -> pd.Series:
    """A column of which no cell is empty."""
    known = ", ".join(map(repr, frame.columns[:20]))
    once = list(frame.columns).count(name) == 1
    require(once, f"{symbol} must name one column of the frame, {known}, got {name!r}")
    for row, value in zip(frame.index, frame[name], strict=True):
        empty = pd.isna(value) is True or (isinstance(value, str) and not value.strip())
        at = f"got {value!r} in row {row!r}, column {name!r}"
        require(not empty, f"{symbol} {EMPTY}, {at}")
    return frame[name]


def _name(value: Any) -> str:
    """A name as it is shown: in quotes, where a terminal would not show it as it is."""
    text = str(value)
    return text if text.isprintable() and text == text.strip() else ascii(text)


# -- what it says about the arms ---------------------------------------------------


def weigh(rows: Rows, rng: np.random.Generator) -> tuple[pd.DataFrame, np.ndarray]:
    """The arms as a table, and the means that the data allow, (DRAWS, k)."""
    mean = np.array([x.mean() for x in rows.outcomes])
    spread, worth, clusters = np.transpose(
        [*map(_effective_rows, rows.outcomes, rows.clusters)]
    )
    size = DRAWS, mean.size
    if rows.binary:  # Jeffreys' prior: no arm is sure, even if it never failed
        possible = rng.beta(worth * mean + 0.5, worth * (1 - mean) + 0.5, size)
    else:
        t = rng.standard_t(np.maximum(clusters - 1, 1), size)
        possible = np.clip(mean + t * spread / np.sqrt(worth), 1e-9, 1)
    low, high = np.quantile(possible, (0.025, 0.975), axis=0)
    wins = np.bincount(possible.argmax(axis=1), minlength=mean.size) / DRAWS
    bad = np.mean(possible >= possible[:, :1], axis=0) <= LEVEL / 2 / (mean.size - 1)
    columns = {"rows": [*map(len, rows.outcomes)], "clusters": clusters.astype(int),
               "worth": worth, "mean": mean, "from": np.minimum(low, mean),
               "to": np.maximum(high, mean), "best in": wins, "worse": bad}  # fmt: skip
    return pd.DataFrame(columns, pd.Index(rows.names, name="arm")), possible


def _effective_rows(x: np.ndarray, cluster: np.ndarray) -> tuple[float, float, int]:
    """An arm's standard deviation, how many independent rows it is worth, clusters.

    The variance of the mean comes from the sums of the clusters, made larger as
    Student's t is wider than the normal law; that of independent rows would be smaller
    by the ratio which is returned as fewer rows.
    """
    code, left = np.unique(cluster, return_inverse=True)[1], x - x.mean()
    sums = np.bincount(code, left)
    n, groups, spread = x.size, sums.size, float(x.std(ddof=1)) if x.size > 1 else 0.5
    alike = spread < 1e-9  # up to rounding
    if alike or groups in (1, n):
        return 0.5 / math.sqrt(n) if alike else spread, groups, groups
    wider = t_quantile(groups - 1) / 1.96
    variance = wider**2 * groups / (groups - 1) * float(sums @ sums) / n**2
    return spread, min(max(spread**2 / max(variance, 1e-300), 1.0), n), groups


def by_chance(rows: Rows, arms: pd.DataFrame, rng: np.random.Generator) -> float:
    """How often a deal of the same outcomes at random would differ so much by arm.

    Where clusters make a row worth less, the difference seen counts for less by it.
    """
    sizes, x = arms["rows"].to_numpy(), np.concatenate(rows.outcomes)
    starts, x = np.cumsum(sizes) - sizes, x - x.mean()
    n = min(DEALS, max(200, 10**8 // x.size))
    deals = (rng.permutation(x) if i else x for i in range(1 + n))
    sums = (np.add.reduceat(y, starts) for y in deals)
    seen, *dealt = [float(np.sum(each**2 / sizes)) for each in sums]
    seen /= float(np.average(sizes / arms["worth"], weights=sizes))
    return sum(each >= seen * (1 - 1e-12) for each in (seen, *dealt)) / (1 + n)


def judge(arms: pd.DataFrame, possible: np.ndarray, chance: float) -> tuple[str, str]:
    """The verdict, `apart`, `alike` or `unknown`, and why.

    The rows needed are the textbook's, for two means, a test at LEVEL and power 0.8.
    """
    rare = arms.loc[arms["clusters"].idxmin()]
    if rare["clusters"] < LEAST:
        few = f"{rare['rows']} rows in {rare['clusters']} clusters, fewer than {LEAST}"
        return "unknown", f"Too little data: {rare.name!r} has {few}."
    dealt = f"dealt at random, the outcomes differ as much in {chance:.2%} of all deals"
    if chance <= LEVEL:
        return "apart", f"The arms differ beyond chance: {dealt} (level {LEVEL:.0%})."
    high, low = possible.max(axis=1), possible.min(axis=1)
    if np.quantile((high - low) / high, 0.95) <= ALIKE:
        near = f"in 95% of the worlds the worst is within {ALIKE:.0%} of the best"
        return "alike", f"The arms are alike: {near}."
    each = possible.var(axis=0) * arms["worth"]  # the variance of one row
    average, variance = np.average([arms["mean"], each], axis=1, weights=arms["rows"])
    need = math.ceil(2 * (1.96 + 0.84) ** 2 * variance / (0.2 * average) ** 2)
    return "unknown", (
        f"Too little data: {dealt}. To see a fifth of the average as a difference takes"
        f" about {need:,} independent rows of each arm (power 80%, level {LEVEL:.0%}),"
        f" and a tenth {4 * need:,}; the scarcest has {arms['worth'].min():,.0f}."
    )


# -- what learning costs -----------------------------------------------------------


def offered(T: int, k: int, p: float) -> dict[str, Policy]:
    """The policies that are compared."""
    return {"by lot, for ever": Policy("uniform", ucb_index, T_tilde=T),
            "EUCB, the paper's": explore_then_ucb(T, k, p),
            "UCB1": ucb1(4.0, "random"), "narrow UCB": ucb1(DEVIATION, "random"),
            "KL-UCB": kl_ucb("random"), "Thompson": thompson("random")}  # fmt: skip


def make_arms(rows: Rows, mean: np.ndarray) -> Instance:
    """Arms as in the table with these means: outcomes are moved towards 0 or 1."""
    if rows.binary:
        return bernoulli(mean)
    pairs = [(x, x.mean(), m) for x, m in zip(rows.outcomes, mean, strict=True)]
    return from_data([x * (m / now) if m <= now else 1 - (1 - x) * ((1 - m) / (1 - now))
                      for x, now, m in pairs])  # fmt: skip


def play_worlds(
    rows: Rows, possible: np.ndarray, T: int, p: float, rng: np.random.Generator
) -> pd.DataFrame:
    """What each policy costs in each world if it begins from nothing, a row for both.

    The columns "p = ..." are regrets, "trusted ..." say whether their error bars can be
    trusted; "first" and "last" are the outcomes that the first and the last tenth of
    the people can expect.
    """
    n_runs, tenth = max(2, min(RUNS, 80_000 // T)), max(1, T // 10)
    offers, games = offered(T, len(rows.names), p).items(), []
    for w, stream in enumerate(progress_bar(rng.spawn(WORLDS), unit="world")):
        instance = make_arms(rows, possible[w])
        for (name, policy), own in zip(offers, stream.spawn(len(offers)), strict=True):
            profile = simulate(instance, policy, T, n_runs, own, progress=bool)
            mu_t = rows.scale * profile.mu_t
            game = {"world": w, "policy": name, "first": mu_t[:tenth].mean(),
                    "last": mu_t[-tenth:].mean()}  # fmt: skip
            estimates = measured_regrets(profile, (p, *EXPONENTS))
            for q, e in zip((p, *EXPONENTS), estimates, strict=True):
                game[f"p = {q:g}"] = rows.scale * (e.value if e.trusted else e.plug_in)
                game[f"trusted {q:g}"] = e.trusted
            games.append(game)
    return pd.DataFrame(games)


def compare(games: pd.DataFrame, p: float) -> pd.DataFrame:
    """The policies over all worlds, the least regret first, doubtful ones last."""
    regret, by = f"p = {p:g}", games.groupby("policy")
    least = games.pivot(index="world", columns="policy", values=regret).idxmin(axis=1)
    average, low, high = by[regret].mean(), *map(by[regret].quantile, (0.05, 0.95))
    columns = {"regret": average, "from": np.minimum(low, average),
               "to": np.maximum(high, average),
               "least in": least.value_counts(normalize=True),
               "trusted in": by[f"trusted {p:g}"].mean(),
               "first": by["first"].mean(), "last": by["last"].mean()}  # fmt: skip
    table = pd.DataFrame(columns).fillna({"least in": 0.0})
    return table.iloc[np.lexsort((table["regret"], table["trusted in"] < 0.5))]


def go_on(
    arms: pd.DataFrame, possible: np.ndarray, T: int, rng: np.random.Generator
) -> pd.DataFrame:
    """What a person loses, in each world, by settling and by going on learning.

    Settling gives everybody the arm that looks best; going on is Thompson sampling
    whose beliefs begin with the table. Outcomes are tossed as coins of the same means;
    beliefs change after every batch, of which there are 1,000 at most.
    """
    n_runs = max(1, min(RUNS, 300_000 // (T * len(arms))))
    mean = np.repeat(possible[:WORLDS], n_runs, axis=0)
    run, best, loss = np.arange(len(mean)), mean.max(axis=1), np.zeros(len(mean))
    good = np.tile(arms["worth"] * arms["mean"] + 0.5, (len(mean), 1))
    bad = np.tile(arms["worth"] * (1 - arms["mean"]) + 0.5, (len(mean), 1))
    batch = math.ceil(T / 1_000)
    for start in progress_bar(range(0, T, batch), unit="batch"):
        size = min(batch, T - start), *good.shape
        for chosen in rng.beta(good, bad, size).argmax(axis=2):
            came = rng.random(len(mean)) < mean[run, chosen]
            good[run, chosen] += came
            bad[run, chosen] += ~came
            loss += best - mean[run, chosen]
    both = np.array([best - mean[:, 0], loss / T]).reshape(2, WORLDS, n_runs)
    return pd.DataFrame(both.mean(axis=2).T, columns=["settle", "go on"])


def what_to_do(best: str, gain: pd.Series, games: pd.DataFrame, p: float) -> list[str]:
    """For people like these, for others, and whether it depends on p."""
    settle, doubt = f"settle on {best!r}", 2 * gain.std() / math.sqrt(gain.size)
    if abs(gain.mean()) <= doubt:
        settle += " or go on learning: there is little to choose"
    elif gain.mean() > 0:
        settle = "go on learning where the table ends"
    exponents = sorted({p, *EXPONENTS}, reverse=True)
    first = {f"{q:g}": compare(games, q).index[0] for q in exponents}
    least = "; ".join(f"{name} at p = {q}" for q, name in first.items())
    if len({*first.values()}) == 1:
        least = f"{first[f'{p:g}']} at p = {', '.join(first)}: here p matters little"
    return [
        f"If the arms were given by lot and the next people are like these: {settle}.",
        f"If they are others, begin anew. Least regret: {least}.",
    ]


# -- how it is shown ---------------------------------------------------------------


def shown(frames: tuple[pd.DataFrame, ...], *values: float) -> list[Any]:
    """The tables as the book shows them, each with a head that explains its columns.

    The ends of a range have as many digits as what lies between them.
    """
    tables = []
    for frame, head in zip(frames, HEADS, strict=True):
        if len(frame):
            columns = {"": ""} | {name: _spec(frame[name]) for name in frame}
            for middle in columns.keys() & {"mean", "regret"}:
                columns |= dict.fromkeys(("from", "to"), columns[middle])
            head = textwrap.fill(head.format(*values), 80)
            tables.append(figures.table(columns, frame.itertuples(name=None), head))
    return tables


def _spec(column: pd.Series) -> str:
    """How a column is written: shares, or four figures of its largest number."""
    digits = 3 - math.floor(math.log10(max(column.max() or 1e3, 1e-9)))  # 0 is "0"
    number = ".0%" if column.name in SHARES else f",.{max(digits, 0)}f"
    return {"b": "", "i": ",d"}.get(column.dtype.kind, number)
