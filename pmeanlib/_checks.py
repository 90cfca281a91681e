"""Turn a bad argument into a `ValueError` naming the symbol, its domain, the value."""

import math
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike


def require(condition: bool, message: str) -> None:
    """Refuse what is not so."""
    if not condition:
        raise ValueError(message)


def real(
    name: str, value: float, low: float = -math.inf, high: float = math.inf
) -> float:
    """`value` as a float in [low, high], infinite where the interval is."""
    number = isinstance(value, Real) and not isinstance(value, bool | np.bool_)
    if not number or not low <= float(value) <= high:
        raise ValueError(f"{name} must be a number{_range(low, high)}, got {value!r}")
    return float(value)


def integer(name: str, value: Any, low: int) -> int:
    """`value` as an int of at least `low`; an integral float, such as 1e6, will do."""
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    whole = whole or (isinstance(value, float) and value.is_integer())
    message = f"{name} must be a whole number of at least {low}, got {value!r}"
    require(whole and value >= low, message)
    return int(value)


def choice(name: str, value: str, options: tuple[str, ...]) -> str:
    """`value`, one of the given words."""
    message = f"{name} must be one of {', '.join(options)}, got {value!r}"
    require(value in options, message)
    return value


def array(
    name: str, value: ArrayLike, low: float = 0.0, high: float = math.inf
) -> np.ndarray:
    """`value` as a non-empty array of finite floats in [low, high]."""
    try:
        x = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be an array of numbers, got {value!r}") from None
    require(x.size > 0, f"{name} must hold at least one number, got none")
    bad = x[~(np.isfinite(x) & (x >= low) & (x <= high))]
    if bad.size:
        within = _range(low, high)
        raise ValueError(f"{name} must be finite numbers{within}, got {bad[0]}")
    return x


def _range(low: float, high: float) -> str:
    if low > -math.inf and high < math.inf:
        return f" in [{low:g}, {high:g}]"
    if low > -math.inf:
        return f" of at least {low:g}"
    return f" of at most {high:g}" if high < math.inf else ""
