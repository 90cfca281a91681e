"""Rules: the indices that rank arms, and the conditions that end exploration.

A rule is a compiled formula of some of NAMES, in any order. An *index* says how good an
arm looks; a *stopping rule*, whether the arm just pulled ends the exploration. The type
of both is `Rule`; policies are built around them. The book's rules stand below.
"""

import hashlib
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from inspect import signature
from typing import Any, get_type_hints

import numpy as np
from numba import cfunc, config, njit

from pmeanlib import _checks
from pmeanlib.kernel import Arguments

NAMES = {name: f"{kind.__name__}64" for name, kind in get_type_hints(Arguments).items()}
"""What a rule may ask for, and its type."""
_PLAIN = vars(config)["DISABLE_JIT"]  # whether NUMBA_DISABLE_JIT=1: nothing is compiled


@dataclass(frozen=True)
class Rule:
    """A rule, callable from Python as its function and compiled for the engine.

    `index` makes one and compiles it at once. The rules of this module are made by
    `Rule` itself, which compiles a rule when it is first played: importing stays quick.
    It can be pickled; the process that receives it compiles it again.
    """

    function: Callable[..., float]

    def __post_init__(self) -> None:
        for name in self.names:
            _checks.choice("an argument of a rule", name, tuple(NAMES))
        object.__setattr__(self, "__doc__", self.function.__doc__)  # its formula

    def __repr__(self) -> str:
        return f"{self.function.__name__}({', '.join(self.names)})"

    def __call__(self, *args: float) -> float:
        return self.function(*args)

    def __reduce__(self):
        if self.function.__module__ == __name__:
            return self.function.__name__  # one of those below
        return _restore, (self.function, self.fingerprint)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What it asks for: some of NAMES."""
        return tuple(signature(self.function).parameters)

    @cached_property
    def compiled(self) -> Any:
        """The function of all NAMES, nan where it raises an error.

        With NUMBA_DISABLE_JIT=1 it stays plain Python, to be debugged.
        """
        rule = njit(self.function, error_model="numpy")
        lines = (f"def rule({', '.join(NAMES)}):", " try:",
                 f"  return given({', '.join(self.names)})",
                 " except Exception:", "  return nan")  # fmt: skip
        scope = {"given": rule, "nan": np.nan}
        exec("\n".join(lines), scope)  # names only, of those above
        if _PLAIN:
            return scope["rule"]
        types = f"float64({', '.join(NAMES.values())})"
        try:
            return cfunc(types, error_model="numpy")(scope["rule"])
        except Exception as error:  # numba's have no common ancestor
            words = (line.strip() for line in str(error).splitlines())
            reasons = (x for x in words if x and not x.startswith("Failed in"))
            message = "an index must be code that numba compiles; it says:"
            raise ValueError(f"{message} {next(reasons, 'no')}") from None

    @cached_property
    def fingerprint(self) -> str:
        """Of the compiled code, with all constants that it has taken from outside."""
        message = "with NUMBA_DISABLE_JIT=1 an index is not compiled: nothing is kept"
        _checks.require(not _PLAIN, message)
        code = re.sub(r"\w*_ZN\w+", "", self.compiled.inspect_llvm())
        random = "random_state" in code
        _checks.require(not random, "an index must not draw random numbers")
        return hashlib.sha256(code.encode()).hexdigest()


def index(function: Callable[..., float]) -> Rule:
    """Decorator: compile a rule, be it an index or a stopping rule, from a function.

    It is a function of some of these, by their names.
    `mu_hat`, `pulls` : mean reward of the arm so far, and how often it was pulled.
    `log_T`, `log_t` : logarithm of the horizon, or of the number of the round; a rule
    must not fall as the latter grows.
    `k`, `width`, `level` : the number of arms, and two numbers of the policy.
    `noise`, `belief` : drawn for each arm in each round, from the standard normal,
    or from the Beta(1 + successes, 1 + failures) that a Bayesian would believe in.

    Two lines make a new algorithm that runs at full speed:

    >>> @pm.index
    ... def curious(mu_hat, pulls): return mu_hat + 1 / pulls
    >>> pm.Policy("curious", curious)
    Policy(name='curious', index=curious, width=4, T_tilde=0)
    """
    rule = Rule(function)
    if not _PLAIN:
        _ = rule.fingerprint  # compiled now: what it uses may change later
    return rule


_RESTORED: dict[str, Rule] = {}  # by fingerprint: compiled once in a process


def _restore(function: Callable[..., float], fingerprint: str) -> Rule:
    if fingerprint not in _RESTORED:
        rule = index(function)
        message = "an index must be decorated again after what it uses has changed"
        _checks.require(rule.fingerprint == fingerprint, message)
        _RESTORED[fingerprint] = rule
    return _RESTORED[fingerprint]


@Rule
def ucb_index(mu_hat, pulls, log_T, width):
    """mu_hat + width sqrt(log T / n), in Phase II of the paper's Algorithm 1.

    >>> round(pm.ucb_index(0.5, 16, 9, 4), 6)
    3.5
    """
    return mu_hat + width * math.sqrt(log_T / pulls)


@Rule
def ncb_index(mu_hat, pulls, log_T, width):
    """mu_hat + width sqrt(mu_hat log T / n), of Barman et al. (2023).

    >>> round(pm.ncb_index(0.25, 16, 9, 4), 6)
    1.75
    """
    return mu_hat + width * math.sqrt(max(mu_hat, 0.0) * log_T / pulls)


@Rule
def auer_index(mu_hat, pulls, log_t):
    """mu_hat + sqrt(2 log t / n), UCB1 of Auer et al. (2002), which needs no T.

    >>> round(pm.auer_index(0.5, 16, 8), 6)
    1.5
    """
    return mu_hat + math.sqrt(2 * log_t / pulls)


@Rule
def moss_index(mu_hat, pulls, log_T, k):
    """mu_hat + sqrt(log+(T / (k n)) / n), of Audibert and Bubeck (2009).

    >>> round(pm.moss_index(0.5, 16, 9, 2), 4)
    1.0881
    """
    return mu_hat + math.sqrt(max(0.0, log_T - math.log(k * pulls)) / pulls)


@Rule
def kl_ucb_index(mu_hat, pulls, log_T, width):
    """The largest q with n d(mu_hat, q) <= 2 width^2 log T (Garivier and Cappe 2011).

    d is the Kullback-Leibler divergence of Bernoulli rewards. Newton's method, from a q
    that is too large: d is convex in q, so it never overshoots.

    >>> round(pm.kl_ucb_index(0.5, 16, 9, 0.5), 4)
    0.828
    """
    m, target = min(max(mu_hat, 0.0), 1.0), 2 * width**2 * log_T / pulls
    if m == 0.0:
        return -math.expm1(-target)
    if m == 1.0:
        return m
    entropy = -m * math.log(m) - (1 - m) * math.log1p(-m)
    q = min(m + math.sqrt(target / 2), -math.expm1(-(target + entropy) / (1 - m)))
    step = 1.0
    while step > 1e-14 and m < q < 1.0:
        d = -entropy - m * math.log(q) - (1 - m) * math.log1p(-q)
        step = (d - target) * q * (1 - q) / (q - m)
        q -= step
    return min(max(q, m), 1.0)


@Rule
def thompson_index(belief):
    """A draw from the Beta posterior of each arm, after Thompson (1933).

    >>> pm.thompson_index(0.5)
    0.5
    """
    return belief


@Rule
def greedy_index(mu_hat):
    """The mean so far, with no exploration at all.

    >>> pm.greedy_index(0.5)
    0.5
    """
    return mu_hat


@Rule
def rich_enough(mu_hat, pulls, log_T, level):
    """Stop when n mu_hat > level log T: the arm has paid enough (Modified NCB)."""
    return mu_hat * pulls > level * log_T


@Rule
def welfare_enough(mu_hat, pulls, log_T, width, level):
    """Stop when n mu_hat >= level log T / (mu_hat - b) + n b, mu_hat > b (Welfarist).

    b = width sqrt(log T / n) is the radius of the arm's confidence interval.
    """
    b = width * math.sqrt(log_T / pulls)
    return mu_hat > b and pulls * (mu_hat - b) >= level * log_T / (mu_hat - b)
