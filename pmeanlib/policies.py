"""An algorithm is a frozen value: how long it explores, in what order, by which index.

Every policy here plays `T_tilde` rounds of uniformly random arms and then, in each
round, the arm with the highest index. An arm never pulled comes first; ties go to the
lowest-numbered arm.
"""

import dis
import hashlib
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from inspect import signature
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
from numba import cfunc, njit

from pmeanlib import _checks, bounds
from pmeanlib.compiled import kept

ORDERS = ("fixed", "random")
NAMES = ("mu_hat", "pulls", "log_T", "width")
_SIGNATURE = "float64(float64, int64, float64, float64)"


@dataclass(frozen=True)
class Index:
    """An index function, callable from Python and from compiled code.

    It may travel to another process, where it is compiled anew. `about` says what it
    was compiled from: the code, and the constants and functions that the code uses.
    """

    function: Callable[..., float]
    compiled: object
    about: str

    def __reduce__(self):
        message = "an index must be decorated again after what it uses has changed"
        _checks.require(self.fingerprint == _about(self.function), message)
        return _restore, (self.function,)

    @property
    def fingerprint(self) -> str:
        """The same for the same code; an error if nobody can tell."""
        _checks.require(not self.about.startswith("an index"), self.about)
        return self.about

    def __call__(self, mu_hat: float, pulls: int, log_T: float, *width: float) -> float:
        arguments = len(signature(self.function).parameters)
        return self.function(mu_hat, pulls, log_T, *width[: arguments - 3])


def index(function: Callable[..., float], cache: bool = False) -> Index:
    """Decorator: compile a function of (mu_hat, pulls, log_T), or of these and width.

    Two lines in a notebook make a new algorithm that runs at full speed::

        @index
        def greedy(mu_hat, pulls, log_T): return mu_hat

    `cache` keeps the compiled code on disk, for functions that stand in a file.
    """
    names = tuple(signature(function).parameters)
    message = f"an index must be a function of {', '.join(NAMES[:3])} (and width)"
    _checks.require(len(names) in (3, 4), f"{message}, got {len(names)} arguments")
    _checks.require(names[3:] in ((), NAMES[3:]), f"{message}, got {names[-1]!r}")
    about = _about(function)  # of what is compiled now, whatever changes later
    body = function if cache else _safe(function, len(names))
    make = partial(cfunc, _SIGNATURE, error_model="numpy")
    try:
        compiled = (kept(make) if cache else make())(body)
    except Exception as error:  # numba's have no common ancestor
        lines = (line.strip() for line in str(error).splitlines())
        said = next((x for x in lines if x and not x.startswith("Failed in")), "no")
        message = f"an index must be code that numba compiles; it says: {said}"
        raise ValueError(message) from None
    return Index(function, compiled, about)


def _safe(function: Callable[..., float], arguments: int) -> Callable[..., float]:
    """The function of all four arguments, nan where it raises an error."""
    inner = rule = njit(function, error_model="numpy")
    if arguments == 3:
        inner = njit(lambda mu_hat, pulls, log_T, width: rule(mu_hat, pulls, log_T))

    def body(mu_hat, pulls, log_T, width):
        try:
            return inner(mu_hat, pulls, log_T, width)
        except Exception:  # the engine finds out which
            return np.nan

    return body


_RESTORED: dict[str, Index] = {}  # by fingerprint: compiled once in a process


def _restore(function: Callable[..., float]) -> Index:
    name = _about(function)
    return _RESTORED.get(name) or _RESTORED.setdefault(name, index(function))


def _about(function: Callable[..., float]) -> str:
    """A fingerprint of what is compiled, or why there is none."""
    if function.__module__.startswith("pmeanlib."):
        return f"{function.__module__}.{function.__qualname__}"
    try:
        text = repr(_describe(function))
    except ValueError as error:
        return str(error)
    _checks.require("'random'" not in text, "an index must not draw random numbers")
    return hashlib.sha256(text.encode()).hexdigest()


def _describe(value: Any) -> Any:
    """What compiled code takes from this value, as something with a `repr`."""
    value = getattr(value, "py_func", value)  # what numba has compiled
    if isinstance(value, np.ndarray):
        return value.dtype.descr, value.shape, value.tobytes()
    if value is None or isinstance(value, bool | int | float | complex | np.number):
        return repr(value)
    if isinstance(value, tuple):
        return [_describe(part) for part in value]
    root = str(getattr(value, "__module__", None) or getattr(value, "__name__", ""))
    if root.partition(".")[0] in ("builtins", "math", "numpy") and isinstance(
        value, ModuleType | BuiltinFunctionType | FunctionType | np.ufunc | type
    ):
        return value.__name__.split(".")
    if isinstance(value, FunctionType):
        code, scope = value.__code__, value.__globals__
        cells = (cell.cell_contents for cell in value.__closure__ or ())
        used = dict(zip(code.co_freevars, cells, strict=True))
        used |= {name: scope[name] for name in _global_names(code) if name in scope}
        used["defaults"] = value.__defaults__
        return _code(code), [(name, _describe(used[name])) for name in sorted(used)]
    allowed = "numbers, arrays, functions, math and numpy only to be kept"
    message = f"an index must use {allowed} or sent to another process, got {value!r}"
    raise ValueError(message)


def _code(code: CodeType) -> tuple:
    parts = (_code(c) if isinstance(c, CodeType) else c for c in code.co_consts)
    return code.co_code, code.co_names, code.co_varnames, tuple(parts)


def _global_names(code: CodeType) -> Iterator[str]:
    for step in dis.get_instructions(code):
        if step.opname == "LOAD_GLOBAL":
            yield step.argval
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _global_names(inner)


def _ucb(mu_hat, pulls, log_T, width):
    """mu_hat + width sqrt(log T / n): Phase II of the paper's Algorithm 1."""
    return mu_hat + width * math.sqrt(log_T / pulls)


def _ncb(mu_hat, pulls, log_T, width):
    """mu_hat + width sqrt(mu_hat log T / n): Barman et al. (2023)."""
    return mu_hat + width * math.sqrt(mu_hat * log_T / pulls)


ucb_index, ncb_index = index(_ucb, cache=True), index(_ncb, cache=True)
_RESTORED |= {made.fingerprint: made for made in (ucb_index, ncb_index)}


@dataclass(frozen=True)
class Policy:
    """Uniform exploration for `T_tilde` rounds, then the arm of highest `index`.

    `order` says in which order arms not yet pulled after the exploration come: "fixed"
    is 0, 1, ..., k-1, "random" a new random order in every run. `period` is the
    exploration that was asked for, where it may be longer than the horizon.
    """

    name: str
    index: Index
    width: float = 4.0
    T_tilde: int = 0
    order: str = "fixed"
    period: int = 0

    def __post_init__(self) -> None:
        message = f"index must be made by pmeanlib.index, got {self.index!r}"
        _checks.require(isinstance(self.index, Index), message)
        _checks.real("width", self.width, 0, 1e9)
        T_tilde = _checks.integer("T_tilde", self.T_tilde, 0)
        object.__setattr__(self, "T_tilde", T_tilde)
        _checks.choice("order", self.order, ORDERS)

    @property
    def capped(self) -> bool:
        """The exploration asked for is longer than T: the index is never used."""
        return self.period > self.T_tilde


def exploration_period(T: int, k: int, p: float) -> int:
    """The paper's T~, rounded up to whole rounds (its Table 1; chapter `notation`).

    ``16 sqrt(T log T c)`` with ``c = k^p / log k`` for 0 < p <= 1, ``k / log k`` for p
    = 0 and ``k^p`` for p < 0. It may exceed T: the policies cap it and say so.
    """
    T, k = _checks.integer("T", T, 1), _checks.integer("k", k, 2)
    p = _checks.real("p", p, high=1)
    if T == 1:
        return 0
    return max(1, math.ceil(bounds.period(T, k, max(p, -1e300))))


def ucb1(width: float = 4.0, order: str = "fixed") -> Policy:
    """UCB1: every arm once, then the highest upper confidence bound."""
    return Policy("UCB1", ucb_index, width, order=order)


def explore_then_ucb(T: int, k: int, p: float, width: float = 4.0) -> Policy:
    """The paper's Explore-Then-UCB for the exponent p: T~ uniform rounds, then UCB."""
    return _explore_first("EUCB", ucb_index, width, T, exploration_period(T, k, p))


def explore_enough(T: int, k: int, mu_star: float, width: float = 4.0) -> Policy:
    """Explore-Then-UCB with the T~ that Theorem U asks for, the same for every p."""
    period = math.ceil(bounds.least_exploration(T, k, mu_star, width))
    return _explore_first("EUCB-U", ucb_index, width, T, period)


def ncb(T: int, k: int, width: float = 4.0) -> Policy:
    """Nash Confidence Bound (Barman et al. 2023): the T~ of p = 0, then its index."""
    return _explore_first("NCB", ncb_index, width, T, exploration_period(T, k, 0))


def _explore_first(name: str, rule: Index, width: float, T: int, period: int) -> Policy:
    return Policy(name, rule, width, T_tilde=min(period, int(T)), period=period)


BY_NAME: dict[str, Callable[..., Policy]]
BY_NAME = {"ucb1": ucb1, "eucb": explore_then_ucb, "ncb": ncb}
BY_NAME |= {"eucb-unified": explore_enough}
"""The word for a policy, as the command line and grid files have it -> its maker."""


def by_name(name: str, **given: Any) -> Policy:
    """The policy of this name, made from those of the given T, k, p, ... that it asks.

    ``by_name("eucb", T=1000, k=5, p=-1, mu_star=0.9)`` leaves `mu_star` aside.
    """
    make = BY_NAME[_checks.choice("policy", name, tuple(BY_NAME))]
    return make(**{n: value for n, value in given.items() if asks_for(name, n)})


def asks_for(name: str, argument: str) -> bool:
    """Whether the policy of this name depends on this argument."""
    return argument in signature(BY_NAME[name]).parameters
