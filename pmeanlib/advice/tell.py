"""Advice in plain words: sections, each with sentences, a table and a figure.

The terminal and the report say the same: both are made from these sections.
"""

import math
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from pmeanlib import figures
from pmeanlib.advice.judge import (
    ALIKE,
    DRAWS,
    LEAST_CLUSTERS,
    LEAST_ROWS,
    WORLDS,
    Advice,
    Arms,
    Cost,
)
from pmeanlib.bounds import DEVIATION, least_exploration
from pmeanlib.figures import GUIDE, Table
from pmeanlib.policies import exploration_period
from pmeanlib.welfare import Estimate

ONCE = "each arm once in a random order, then "
HOW = {  # what a policy does, for somebody who has to do it
    "by lot, for ever": "every arm with the same chance, to the end",
    "UCB1": f"{ONCE}the arm of highest mean plus a wide margin",
    "narrow UCB": f"{ONCE}the arm of highest mean plus a narrow margin",
    "short EUCB": "two people an arm by lot, then the arm of highest"
    " mean plus a narrow margin",
    "EUCB, the paper's": "by lot for the paper's period, then the arm of"
    " highest mean plus a wide margin",
    "EUCB, Theorem U's": "by lot for the period that Theorem U asks for,"
    " then the arm of highest mean plus a narrow margin",
    "NCB": "by lot for its period, then the arm of highest mean plus a margin that is"
    " smaller for arms of small means",
    "Welfarist-UCB": "all arms in turn, each turn in a random order, until one is"
    " surely good; then the arm of highest mean plus a margin",
    "UCB-HARE": "new arms and the surest one side by side, until all are known well;"
    " then the arm of highest mean plus a margin",
    "KL-UCB": f"{ONCE}the arm with the largest mean that the data so far do not refute",
    "Thompson": f"{ONCE}for each person a mean drawn for each arm from what the data so"
    " far allow, and the arm with the largest",
}
SHOWN = ("EUCB, the paper's", "narrow UCB")  # beside the leader


@dataclass(frozen=True)
class Section:
    """Sentences, and perhaps a table, and a figure with the words for it."""

    title: str
    sentences: tuple[str, ...]
    table: Table | None = None
    draw: Callable[[Axes], None] | None = None
    alt: str = ""

    def __str__(self) -> str:
        """As a terminal shows it."""
        lines = [textwrap.fill(sentence, 80) for sentence in self.sentences]
        table = ["", repr(self.table)] if self.table else []
        return "\n".join([self.title.upper(), *lines, *table])


@dataclass(frozen=True)
class Units:
    """Rewards in [0, 1] as numbers on the scale of the file."""

    low: float
    scale: float
    digits: int

    @property
    def spec(self) -> str:
        """As many digits as make four of the best mean."""
        return f".{self.digits}f"

    def level(self, reward: float) -> str:
        """A mean outcome."""
        return format(self.low + self.scale * reward, self.spec)

    def much(self, difference: float) -> str:
        """A difference of outcomes."""
        return format(self.scale * difference, self.spec)

    def regret(self, e: Estimate) -> Estimate:
        """An estimate on this scale."""
        parts = ("value", "standard_error", "plug_in")
        return replace(e, **{name: self.scale * getattr(e, name) for name in parts})


def sections(advice: Advice) -> list[Section]:
    """All that is to be said, the most important first."""
    scale = advice.rows.high - advice.rows.low
    digits = 3 - math.floor(math.log10(scale * advice.arms.mean.max()))
    units = Units(advice.rows.low, scale, max(0, digits))
    told = [_the_arms(advice, units)]
    if advice.costs:
        told += [
            _the_costs(advice, units),
            _with_p(advice, units),
            _who_bears_it(advice, units),
            _how_long(advice, units),
        ]
    return [_in_short(advice, units), *told, _caveats(advice), _made_how(advice)]


def _in_short(advice: Advice, units: Units) -> Section:
    arms, T, p = advice.arms, advice.T, advice.exponents[0]
    best, share = _named(arms, arms.best), arms.best_in[arms.best]
    low, high = (units.level(x) for x in arms.interval[:, arms.best])
    looks = (
        f"The arm that looks best is {best}: {units.level(arms.mean[arms.best])} on"
        f" average, {low} to {high}. It is the best one in {_share(share)} of the"
        " worlds that the data allow."
    )
    if arms.verdict == "unknown":
        return Section("Too little data to advise", _too_little(advice))
    if arms.verdict == "alike":
        alike = (
            "The arms cannot be told apart, and it hardly matters: in 19 of 20 worlds"
            f" that the data allow, the worst arm is within {ALIKE:.0%} of the best."
            " Choose by other reasons, such as what the arms cost."
        )
        return Section("In short", (looks, alike))
    leader = advice.ranked[0]
    return Section("In short", (looks, _settle(advice, leader, units),
                                _learn(advice, leader, units, T, p)))  # fmt: skip


def _too_little(advice: Advice) -> tuple[str, ...]:
    arms = advice.arms
    fewest, scarce = int(arms.rows.argmin()), int(arms.clusters.argmin())
    if arms.rows[fewest] < LEAST_ROWS:
        why = (
            f"The arm {_named(arms, fewest)} has {arms.rows[fewest]} rows; nothing is"
            f" said about an arm with fewer than {LEAST_ROWS}. Leave it out, or join it"
            " with another."
        )
    elif arms.clusters[scarce] < LEAST_CLUSTERS:
        why = (
            f"The arm {_named(arms, scarce)} was given in {arms.clusters[scarce]:.0f}"
            f" clusters; with fewer than {LEAST_CLUSTERS} what an arm does and what its"
            " clusters do cannot be told apart."
        )
    else:
        why = (
            f"The {len(arms.names)} arms differ no more than chance would make them:"
            f" if all were the same, they would differ as much in {_share(arms.chance)}"
            " of all cases. A policy chosen by these means would be chosen by noise."
        )
    need, have = arms.rows_needed, arms.effective.min()
    seen = (
        "To see a difference of a fifth of the average between two arms takes about"
        f" {need:,} independent rows of each; those of one arm here are worth"
        f" {have:,.0f}."
    )
    if need <= have:
        seen = (
            "A difference of a fifth of the average would probably have been seen; one"
            f" of a tenth takes about {4 * need:,} independent rows of each arm."
        )
    return why, seen


def _settle(advice: Advice, leader: Cost, units: Units) -> str:
    arms, loss = advice.arms, advice.arms.loss
    average, bad = units.much(loss.mean()), units.much(np.quantile(loss, 0.95))
    anew, on = leader.world_losses.mean(), advice.going_on.mean()
    costs = (
        f"On average over these worlds {_named(arms, arms.best)} for everybody costs a"
        f" person {average} (in 19 of 20 at most {bad}), going on where the file ends,"
        f" by Thompson sampling, {units.much(on)}, and beginning from nothing"
        f" {units.much(anew)}."
    )
    gain = loss[: advice.going_on.size] - advice.going_on
    sure = 2 * gain.std() / math.sqrt(gain.size)
    settle = f"give them {_named(arms, arms.best)}"
    if gain.mean() > sure:
        settle = "go on learning where the file ends"
    elif gain.mean() > -sure:
        settle += " or go on learning where the file ends: there is little to choose"
    like = f"If the arms were given by lot and the next {advice.T:,} people are like"
    return f"{like} those of the file, {settle}. {costs}"


def _learn(advice: Advice, leader: Cost, units: Units, T: int, p: float) -> str:
    low, high = (units.much(x) for x in np.quantile(leader.worlds, (0.05, 0.95)))
    regret = format(units.regret(leader.regrets[0]), units.spec)
    return (
        f"If one has to learn anew, for other people or in another place, with"
        f" p = {p:g}: {leader.name}, that is, {HOW[leader.name]}. Its p-mean regret"
        f" would be {regret} at the means of the file, and {low} to {high} in nine of"
        f" ten worlds that the data allow; {_people(advice, leader.lost)}."
    )


def _people(advice: Advice, lost: float) -> str:
    if advice.rows.binary:
        return (
            f"some {lost:,.0f} of {advice.T:,} people would miss what the best arm"
            " would have given them"
        )
    amount = lost * (advice.rows.high - advice.rows.low)
    return f"all {advice.T:,} people together lose about {_amount(amount)}"


def _amount(x: float) -> str:
    return f"{x:,.0f}" if abs(x) >= 100 else f"{x:.3g}"


def _named(arms: Arms, i: int) -> str:
    """An arm's name as a name, whatever words it has."""
    return f'"{arms.names[i]}"'


def _plain(name: str) -> str:
    """A name in which a drawing sees no formula."""
    return name.replace("$", r"\$")


def _share(part: float) -> str:
    if part < 0.001 or part > 0.995:
        return "fewer than 0.1%" if part < 0.001 else "more than 99%"
    return f"{part:.1%}" if part < 0.1 else f"{part:.0%}"


def _the_arms(advice: Advice, units: Units) -> Section:
    arms = advice.arms
    low, high = arms.interval
    columns = {"arm": "", "rows": ",d", "worth": ",.0f", "mean": "", "from": "",
               "to": "", "best in": ".0%"}  # fmt: skip
    table = figures.table(columns, [
        (name, int(arms.rows[i]), arms.effective[i], units.level(arms.mean[i]),
         units.level(low[i]), units.level(high[i]), arms.best_in[i])
        for i, name in enumerate(arms.names)
    ])  # fmt: skip
    worse = ", ".join(_named(arms, i) for i in arms.worse) or "none"
    sure = (
        f" Worse than {_named(arms, arms.best)} beyond chance, if the arms were given"
        f" by lot: {worse}."
    )
    words = (
        "From and to: where the mean lies, 95 times in 100. Worth: how many independent"
        " rows say as much. Best in: the share of possible worlds in which the arm is"
        " the best.",
        f"Arms that are all the same would differ so much in {_share(arms.chance)} of"
        f" all cases.{sure if arms.verdict == 'apart' else ''}",
    )

    def draw(ax: Axes) -> None:
        y = np.arange(len(arms.names))[::-1]
        ends = units.low + units.scale * arms.interval
        ax.hlines(y, *ends, color=figures.BLUE, linewidth=3)
        ax.plot(units.low + units.scale * arms.mean, y, "o", color=figures.ORANGE)
        ax.set_yticks(y, [_plain(name) for name in arms.names])
        figures.finish(ax, f"mean of {_plain(advice.rows.outcome)}", "")

    alt = f"The mean of {advice.rows.outcome} for each arm, with its 95 % interval."
    return Section("The arms", words, table, draw, alt)


def _the_costs(advice: Advice, units: Units) -> Section:
    rows = []
    for cost, least in zip(advice.ranked, advice.least_in, strict=True):
        low, high = np.quantile(cost.worlds, (0.05, 0.95))
        doubtful = "" if cost.sure >= 0.5 else " (?)"
        rows.append(
            (cost.name, _explores(cost, advice.T), units.regret(cost.regrets[0]),
             f"{cost.lost:,.0f}" if advice.rows.binary else
             _amount(cost.lost * units.scale), units.much(low),
             units.much(high) + doubtful, f"{least * WORLDS:.0f} of {WORLDS}")
        )  # fmt: skip
    lost = "people missed" if advice.rows.binary else "lost in all"
    columns = {"policy": "", "explores": "", "regret": units.spec, lost: "",
               "from": "", "to": "", "least in": ""}  # fmt: skip
    words = (
        f"p-mean regret for p = {advice.exponents[0]:g} over {advice.T:,} people, all"
        " policies beginning from nothing: at the means of the file with its standard"
        " error, and, since these means may be off, from where to where it goes in nine"
        f" of ten of {WORLDS} worlds that the data allow. Least in: in how many of"
        " these worlds it is the least. (?) marks error bars that cannot be trusted.",
    )

    def draw(ax: Axes) -> None:
        y = np.arange(len(advice.costs))[::-1]
        ranges = np.array([np.quantile(c.worlds, (0.05, 0.95)) for c in advice.ranked])
        ax.hlines(y, *(units.scale * ranges.T), color=figures.BLUE, linewidth=3)
        values = [units.scale * c.regrets[0].value for c in advice.ranked]
        ax.plot(values, y, "o", color=figures.ORANGE)
        ax.set_yticks(y, [c.name for c in advice.ranked])
        figures.finish(ax, f"p-mean regret, $p={advice.exponents[0]:g}$", "")

    alt = "The regret of each policy, and its range over the worlds that are possible."
    title = "What each policy would cost"
    return Section(title, words, figures.table(columns, rows), draw, alt)


def _explores(cost: Cost, T: int) -> str:
    policy = cost.policy
    if policy.T_tilde >= T:
        return "all along"
    if policy.stop or policy.explore == "anchored":
        return "by a rule"
    return f"{policy.T_tilde:,}" if policy.T_tilde else "each arm once"


def _with_p(advice: Advice, units: Units) -> Section:
    order = np.argsort(advice.exponents)[::-1]
    columns = {"policy": ""} | {f"p = {advice.exponents[j]:g}": "" for j in order}
    rows = [
        (c.name, *(f"{units.much(c.regrets[j].value)}"
                   + ("" if c.regrets[j].trusted else " (?)") for j in order))
        for c in advice.ranked
    ]  # fmt: skip
    leaders = [min(advice.costs, key=lambda c, j=j: c.regrets[j].value).name  # type: ignore[misc]
               for j in order]  # fmt: skip
    at = [f"{name} ({p})" for name, p in zip(leaders, [*columns][1:], strict=True)]
    least = f"{leaders[0]}, at each p," if len({*leaders}) == 1 else ", ".join(at)
    words = (
        "p is a choice, not a fact: at p = 1 everybody counts the same, and the further"
        " down, the more the worst-served people in the queue decide. Those that are"
        f" tuned by p are tuned for p = {advice.exponents[0]:g} here.",
        f"At the means of the file {least} has the least regret.",
    )
    title = "How the answer moves with p"
    return Section(title, words, figures.table(columns, rows))


def _who_bears_it(advice: Advice, units: Units) -> Section:
    k, tenth = len(advice.arms.names), max(1, advice.T // 10)
    columns = dict.fromkeys(("policy", f"first {k}", f"next {k}", f"first {tenth:,}",
                             f"last {tenth:,}"), "")  # fmt: skip
    rows = [(c.name, *(units.level(x) if x == x else None for x in c.places))
            for c in advice.ranked]  # fmt: skip
    words = (
        "What people can expect by their place in the queue. Learning is paid for by"
        " those who come first; an order by lot makes the first few equal.",
    )
    names = advice.ranked[0].name, *SHOWN
    shown = [cost for cost in advice.ranked if cost.name in names]

    def draw(ax: Axes) -> None:
        for cost in shown:
            places, values = figures.thin(cost.mu_t, 150)
            ax.plot(places, units.low + units.scale * values, label=cost.name)
        ax.legend()
        settings: dict[str, Any] = {"xscale": "log"}
        ylabel = _plain(advice.rows.outcome)
        figures.finish(ax, "place in the queue", ylabel, **settings)

    alt = "Expected outcome against the place in the queue, for three policies."
    title = "Who bears it"
    return Section(title, words, figures.table(columns, rows), draw, alt)


def _period(rounds: int, T: int) -> str:
    return f"{rounds:,}" + (" (more than there are)" if rounds > T else "")


def _how_long(advice: Advice, units: Units) -> Section:
    T, k, p = advice.T, len(advice.arms.names), advice.exponents[0]
    columns = {"explored by lot": ",d", "regret": units.spec}
    measured = [(length, units.regret(e)) for length, e in advice.lengths]
    best = min(advice.lengths, key=lambda pair: pair[1].value)
    near = [
        length
        for length, e in advice.lengths
        if e.value <= best[1].value + 2 * (e.standard_error + best[1].standard_error)
    ]
    asked = exploration_period(T, k, p)
    theorem = math.ceil(least_exploration(T, k, advice.arms.mean.max(), DEVIATION))
    words = (
        f"Rounds in which the arm is drawn by lot, before UCB of width"
        f" {DEVIATION:.3g}. The least regret was measured at {best[0]:,} rounds;"
        f" from {min(near):,} to {max(near):,} one cannot tell the difference.",
        f"The paper's period for this T and p is {_period(asked, T)}, Theorem U's"
        f" {_period(theorem, T)}. They come from worst cases and large T.",
    )

    def draw(ax: Axes) -> None:
        x, e = zip(*advice.lengths, strict=True)
        ax.plot(x, [units.scale * each.value for each in e], **figures.role("EUCB"))
        ax.axvline(min(asked, T), color=GUIDE, linestyle=":")
        ylabel = f"p-mean regret, $p={p:g}$"
        settings: dict[str, Any] = {"xscale": "log"}
        figures.finish(ax, "rounds explored by lot", ylabel, **settings)

    alt = "Regret against the length of exploration; a dotted line at the paper's."
    table = figures.table(columns, measured)
    return Section("How long to explore", words, table, draw, alt)


def _caveats(advice: Advice) -> Section:
    rows = advice.rows
    told = [
        "The rows are taken as they are: if arms were not given by lot, their means may"
        " differ for other reasons than the arms.",
        "The next people are taken to be like those of the file, each answering at once"
        " and for themselves.",
        "What the arms cost, and whether those served would agree, is not in the file.",
    ]
    if not rows.cluster:
        told.append(
            "Rows are taken as independent; if people come in groups, such as villages,"
            " name their column with --cluster."
        )
    else:
        told.append(
            "Possible means are drawn for each arm on its own; if clusters raise and"
            " lower all arms together, close arms are a little easier to tell apart."
        )
    if (rows.low, rows.high) != (0, 1):
        told.append(
            f"Outcomes are on a scale from {rows.low:g} (nothing) to {rows.high:g}; the"
            " p-mean depends on what counts as nothing (--low)."
        )
    if rows.dropped:
        told.append(f"{rows.dropped:,} rows with missing values were left out.")
    seen = np.unique(np.concatenate(rows.outcomes))
    if seen.size == 2 and seen[0] > 0:
        least = f"{rows.low + (rows.high - rows.low) * seen[0]:g}"
        told.append(
            f"There are two outcomes only; if {least} means no, say --low {least}."
        )
    if advice.costs:
        told.append(
            "The arm that looks best was picked for that: expect a little less."
        )
        told.append(
            "A policy that does well here need not have a theorem: Thompson sampling"
            " and short explorations are measured, not guaranteed."
        )
    return Section("What to keep in mind", tuple(told))


def _made_how(advice: Advice) -> Section:
    rows = advice.rows
    how = "Beta distributions" if rows.binary else "Student's t, outcomes squeezed"
    return Section("How this was computed", (
        f"{rows.size:,} rows, {len(rows.arms)} arms, seed {advice.seed}. Possible"
        f" means: {DRAWS:,} draws from {how}"
        + (f"; {WORLDS} of these worlds are simulated." if advice.costs else "."),
    ))  # fmt: skip
