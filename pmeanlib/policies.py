"""An algorithm is a frozen value: how it explores, for how long, and by which index.

Every policy first explores, and then plays, in each round, the arm with the highest
index. An arm never pulled comes first; ties go to the lowest-numbered arm.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from inspect import signature
from typing import Any, NamedTuple

from pmeanlib import _checks, bounds, rules
from pmeanlib.kernel import Exploration
from pmeanlib.rules import Rule

ORDERS = ("fixed", "random")
EXPLORATIONS = tuple(kind.name.lower() for kind in Exploration)


class Stage(NamedTuple):
    """Until round `end`: `n_explore` rounds of exploration, then the index.

    The index takes `clock` for the horizon; `forget` drops all data at the beginning.
    `Policy` checks its stages: each ends after the one before.

    >>> stages = pm.Stage(9, 3, 9), pm.Stage(99, 5, 99)
    >>> pm.Policy("two", pm.ucb_index, stages=stages)
    Policy(name='two', index=ucb_index, width=4, T_tilde=0, stages=(2 of them))
    """

    end: int
    n_explore: int
    clock: float
    forget: bool = False


@dataclass(frozen=True)
class Policy:
    """Exploration for `T_tilde` rounds, then the arm of highest `index`.

    Parameters
    ----------
    width, level : two numbers that rules may ask for.
    order : in which order arms not yet pulled after the exploration come: "fixed" is 0,
        1, ..., k-1, "random" a new random order in every run.
    period : the exploration that was asked for, where it may exceed the horizon.
    explore : how rounds of exploration choose arms: drawn "uniform", by random
        "permutations" of all arms, by a "cycle" 0, 1, ..., k-1, 0, ..., or "anchored",
        as `hare` does.
    stop : a rule; exploration goes on after T_tilde rounds until the rule gives a
        positive number for the arm just pulled.
    stages : of a policy that does not know the horizon (chapter `anytime`).

    Examples
    --------
    >>> pm.Policy("narrow", pm.ucb_index, width=1.5, T_tilde=40)
    Policy(name='narrow', index=ucb_index, width=1.5, T_tilde=40)
    """

    name: str
    index: Rule
    width: float = 4.0
    T_tilde: int = 0
    order: str = "fixed"
    period: int = 0
    explore: str = "uniform"
    stop: Rule | None = None
    level: float = 1.0
    stages: tuple[Stage, ...] = ()

    def __post_init__(self) -> None:
        for name, rule in (("index", self.index), ("stop", self.stop or self.index)):
            message = f"{name} must be made by pmeanlib.index, got {rule!r}"
            _checks.require(isinstance(rule, Rule), message)
        _checks.real("width", self.width, 0, 1e9)
        _checks.real("level", self.level, 0, 1e300)
        T_tilde = _checks.integer("T_tilde", self.T_tilde, 0)
        object.__setattr__(self, "T_tilde", T_tilde)
        _checks.choice("order", self.order, ORDERS)
        _checks.choice("explore", self.explore, EXPLORATIONS)
        end = 0
        for stage in self.stages:
            end = _checks.integer("the end of a stage", stage.end, end + 1, 2**63 - 1)
            _checks.integer("n_explore of a stage", stage.n_explore, 0)
            _checks.real("the clock of a stage", stage.clock, 1)

    def __repr__(self) -> str:
        """Without what is as usual; of rules the name, of stages the number."""
        usual = {f.name: f.default for f in fields(self)}
        usual |= {"width": None, "T_tilde": None}
        if not self.capped:
            usual["period"] = self.period
        given = {name: getattr(self, name) for name in usual}
        words = (f"{n}={_in_short(x)}" for n, x in given.items() if x != usual[n])
        return f"Policy({', '.join(words)})"

    @property
    def capped(self) -> bool:
        """The exploration asked for is longer than T: the index is never used."""
        return self.period > self.T_tilde

    @property
    def fingerprints(self) -> list[str]:
        """Of its rules."""
        return [rule.fingerprint for rule in (self.index, self.stop) if rule]


def _in_short(value: Any) -> str:
    if isinstance(value, Rule):
        return value.function.__name__
    if isinstance(value, tuple):
        return f"({len(value)} of them)"
    return f"{value:.4g}" if isinstance(value, float) else repr(value)


def exploration_period(T: int, k: int, p: float) -> int:
    """The paper's T~, rounded up to whole rounds (its Table 1; chapter `notation`).

    ``16 sqrt(T log T c)`` with ``c = k^p / log k`` for 0 < p <= 1, ``k / log k`` for p
    = 0 and ``k^p`` for p < 0. It may exceed T: the policies cap it and say so.

    >>> pm.exploration_period(T=10**6, k=5, p=-1)
    26597
    """
    T, k = _checks.integer("T", T, 1), _checks.integer("k", k, 2)
    p = _checks.real("p", p, high=1)
    return max(1, math.ceil(bounds.period(T, k, max(p, -1e300)))) if T > 1 else 0


def ucb1(width: float = 4.0, order: str = "fixed") -> Policy:
    """The paper's UCB1: every arm once, then the highest upper confidence bound.

    That is mu_hat + width sqrt(log T / n); UCB1 of Auer et al., which needs no T, is
    `auer`.

    >>> pm.ucb1()
    Policy(name='UCB1', index=ucb_index, width=4, T_tilde=0)
    """
    return Policy("UCB1", rules.ucb_index, width, order=order)


def explore_then_ucb(T: int, k: int, p: float, width: float = 4.0) -> Policy:
    """The paper's Explore-Then-UCB for the exponent p: T~ uniform rounds, then UCB.

    >>> pm.explore_then_ucb(T=10**6, k=5, p=-1)
    Policy(name='EUCB', index=ucb_index, width=4, T_tilde=26597)
    """
    period = exploration_period(T, k, p)
    return _explore_first("EUCB", rules.ucb_index, width, T, period)


def explore_enough(T: int, k: int, mu_star: float, width: float = 4.0) -> Policy:
    """Explore-Then-UCB with the T~ that Theorem U asks for, the same for every p.

    >>> pm.explore_enough(T=10**6, k=5, mu_star=0.9)
    Policy(name='EUCB-U', index=ucb_index, width=4, T_tilde=18624)
    """
    period = bounds.least_exploration(T, k, mu_star, width)
    return _explore_first("EUCB-U", rules.ucb_index, width, T, period)


def ncb(T: int, k: int, width: float = 4.0) -> Policy:
    """Nash Confidence Bound (Barman et al. 2023): the T~ of p = 0, then its index.

    >>> pm.ncb(T=10**6, k=5)
    Policy(name='NCB', index=ncb_index, width=4, T_tilde=104822)
    """
    return _explore_first("NCB", rules.ncb_index, width, T, exploration_period(T, k, 0))


def _explore_first(
    name: str, index: Rule, width: float, T: int, period: float, **more: Any
) -> Policy:
    period = math.ceil(period)
    return Policy(name, index, width, min(period, int(T)), period=period, **more)


# -- other learners (chapter `learners`) -------------------------------------------


def auer(order: str = "fixed") -> Policy:
    """UCB1 as Auer et al. (2002) have it, with sqrt(2 log t / n); it needs no T.

    >>> pm.auer()
    Policy(name='Auer', index=auer_index, width=4, T_tilde=0)
    """
    return Policy("Auer", rules.auer_index, order=order)


def moss(order: str = "fixed") -> Policy:
    """MOSS (Audibert and Bubeck 2009): no bonus for arms pulled T/k times.

    >>> pm.moss()
    Policy(name='MOSS', index=moss_index, width=4, T_tilde=0)
    """
    return Policy("MOSS", rules.moss_index, order=order)


def kl_ucb(order: str = "fixed") -> Policy:
    """KL-UCB (Garivier and Cappe 2011) for Bernoulli rewards, with 3 log T.

    >>> pm.kl_ucb()
    Policy(name='KL-UCB', index=kl_ucb_index, width=1.225, T_tilde=0)
    """
    return Policy("KL-UCB", rules.kl_ucb_index, bounds.DEVIATION, order=order)


def thompson(order: str = "fixed") -> Policy:
    """Thompson sampling (1933) from Beta posteriors, each arm pulled once before.

    >>> pm.thompson()
    Policy(name='Thompson', index=thompson_index, width=4, T_tilde=0)
    """
    return Policy("Thompson", rules.thompson_index, order=order)


def greedy(order: str = "fixed") -> Policy:
    """The arm with the highest mean so far, after each arm was pulled once.

    >>> pm.greedy()
    Policy(name='greedy', index=greedy_index, width=4, T_tilde=0)
    """
    return Policy("greedy", rules.greedy_index, order=order)


# -- exploration that ends by a rule (chapter `rivals`) ----------------------------


def modified_ncb(T: int, explore: str = "uniform") -> Policy:
    """Modified NCB (Barman et al. 2023): until an arm has paid 3780 log T, then NCB.

    >>> pm.modified_ncb(T=10**6).T_tilde
    52223
    """
    name = "RR-NCB" if explore == "cycle" else "Modified NCB"
    level = 420.0 * 3**2
    least = level * math.log(_checks.integer("T", T, 2))  # no reward exceeds 1
    return _explore_first(
        name, rules.ncb_index, 6 * math.sqrt(2), T, least,
        explore=explore, stop=rules.rich_enough, level=level,
    )  # fmt: skip


def rr_ncb(T: int) -> Policy:
    """RR-NCB (Ghosh 2026): Modified NCB whose exploration goes round and round.

    >>> pm.rr_ncb(T=10**6).T_tilde
    52223
    """
    return modified_ncb(T, "cycle")


def welfarist(T: int, p: float, sigma: float = 0.5) -> Policy:
    """Welfarist-UCB (Sarkar et al. 2025), for sigma-sub-Gaussian rewards.

    It explores until an arm's lower confidence bound x has n x^2 >= 800 (a sigma)^2 log
    T, with a = max(1, -p); then it is UCB of width sqrt(8) sigma.

    >>> pm.welfarist(T=10**6, p=-1).T_tilde
    2764
    """
    sigma = _checks.real("sigma", sigma, 0, 1e9)
    a = max(1.0, -_checks.real("p", p, -1e9, 1))
    level = 800 * (a * sigma) ** 2
    least = level * math.log(_checks.integer("T", T, 2))
    return _explore_first(
        "Welfarist-UCB", rules.ucb_index, math.sqrt(8) * sigma, T, least,
        explore="permutations", stop=rules.welfare_enough, level=level,
    )  # fmt: skip


def hare(T: int, k: int, sigma: float = 0.5) -> Policy:
    """UCB-HARE (2026), for sigma-sub-Gaussian rewards; it needs no p.

    Blocks of two rounds, in random order: an arm of a schedule that favours the first
    arms of a random permutation, and the arm with the highest lower confidence bound B,
    as soon as B > 0; until every arm's radius is at most B/4. Then UCB.

    >>> round(pm.hare(T=10**6, k=5).width, 3)
    1.065
    """
    T, k = _checks.integer("T", T, 2), _checks.integer("k", k, 2)
    logs = math.log(8 * k * float(T) ** 2) / math.log(T)
    width = _checks.real("sigma", sigma, 0, 1e9) * math.sqrt(2 * logs)
    return Policy("UCB-HARE", rules.ucb_index, width, explore="anchored", level=16.0)


# -- without knowing the horizon (chapter `anytime`) -------------------------------


def doubling(k: int, p: float, width: float = 4.0, T_0: int = 2) -> Policy:
    """The paper's algorithm begun afresh after T_0, 2 T_0, 4 T_0, ... rounds more.

    >>> [stage.end for stage in pm.doubling(k=5, p=0).stages[:4]]
    [2, 6, 14, 30]
    """
    stages = (
        Stage(end, exploration_period(length, k, p), length, forget=True)
        for end, length in _epochs(T_0)
    )
    return Policy("doubling", rules.ucb_index, width, stages=tuple(stages))


def anytime(k: int, mu_star: float, width: float = 4.0, T_0: int = 2) -> Policy:
    """Theorem D: a few new exploration rounds at each doubling, nothing forgotten.

    >>> [stage.end for stage in pm.anytime(k=5, mu_star=0.9).stages[:4]]
    [2, 6, 14, 30]
    """
    stages, done = [], 0
    for end, length in _epochs(T_0):
        asked = math.ceil(bounds.least_exploration(end, k, mu_star, width))
        new = min(asked - done, length)
        stages.append(Stage(end, new, end))
        done += new
    return Policy("anytime", rules.ucb_index, width, stages=tuple(stages))


def _epochs(T_0: int) -> Iterator[tuple[int, int]]:
    """The last round and the length of each epoch, beyond all horizons."""
    T_0 = _checks.integer("T_0", T_0, 2, 1e12)
    epochs = (((2 ** (j + 1) - 1) * T_0, 2**j * T_0) for j in range(50))
    return ((end, length) for end, length in epochs if end < 2**63)


def thinning(T: int, k: int) -> Policy:
    """Auer's UCB1 with sqrt(k t) of the first t rounds explored: rarer, never ending.

    The rounds do not depend on T; they are only listed up to T, a million at most.

    >>> [stage.end for stage in pm.thinning(T=100, k=5).stages[:4]]
    [1, 3, 4, 7]
    """
    k = _checks.integer("k", k, 2, 1e6)
    T = _checks.integer("T", T, 1, 1e12 // k)
    rounds = sorted({-(-m * m // k) for m in range(1, math.isqrt(k * T) + 1)})
    stages = tuple(Stage(end, 1, end) for end in (*(r - 1 for r in rounds[1:]), T))
    return Policy("thinning", rules.auer_index, order="random", stages=stages)


_MAKERS: tuple[Callable[..., Policy], ...] = (
    ucb1, explore_then_ucb, ncb, explore_enough, auer, moss, kl_ucb, thompson, greedy,
    modified_ncb, rr_ncb, welfarist, hare, doubling, anytime, thinning,
)  # fmt: skip
BY_NAME = {make.__name__: make for make in _MAKERS}


def by_name(name: str, **given: Any) -> Policy:
    """The policy that the function of this name makes.

    It takes what it asks for of the given T, k, p, ...: ``by_name("ncb", T=1000, k=5,
    p=-1)`` leaves p aside. What no policy asks for is refused.

    >>> pm.by_name("ncb", T=10**6, k=5, p=-1)
    Policy(name='NCB', index=ncb_index, width=4, T_tilde=104822)
    """
    make = BY_NAME[_checks.choice("policy", name, tuple(BY_NAME))]
    known = {word for each in _MAKERS for word in signature(each).parameters}
    for word in given:
        _checks.choice("an argument of a policy", word, tuple(sorted(known)))
    asked = signature(make).parameters
    return make(**{word: value for word, value in given.items() if word in asked})
