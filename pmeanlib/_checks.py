"""Turn a bad argument into a `ValueError` naming the symbol, its domain, the value."""

from contextlib import suppress
from math import inf
from numbers import Integral, Real
from typing import Any

import numpy as np

NO_NUMBER = bool | np.timedelta64  # though Python and NumPy count them as integers


def require(condition: bool, message: str) -> None:
    """Refuse what is not so."""
    if not condition:
        raise ValueError(message)


def real(name: str, value: float, low: float = -inf, high: float = inf) -> float:
    """`value` as a float in [low, high], infinite where the interval is."""
    number = isinstance(value, Real) and not isinstance(value, NO_NUMBER)
    with suppress(OverflowError):  # a whole number or a fraction beyond all floats
        if number and low <= float(value) <= high:
            return float(value)
    raise ValueError(f"{name} must be a number{_in(low, high)}, got {value!r}")


def integer(name: str, value: Any, low: float, high: float = inf) -> int:
    """`value` as an int in [low, high]; an integral float, such as 1e6, will do."""
    whole = isinstance(value, Integral) and not isinstance(value, NO_NUMBER)
    whole = whole or (isinstance(value, float) and value.is_integer())
    message = f"{name} must be a whole number{_in(low, high)}, got {value!r}"
    require(whole and low <= value <= high, message)
    return int(value)


def choice(name: str, value: str, options: tuple[str, ...]) -> str:
    """`value`, one of the given words."""
    message = f"{name} must be one of {', '.join(options)}, got {value!r}"
    require(value in options, message)
    return value


def array(name: str, value: Any, low: float = 0.0, high: float = inf) -> np.ndarray:
    """`value` as a non-empty array of finite floats in [low, high].

    What NumPy would make numbers of is refused: text, dates, complex numbers, and what
    lies under a mask.
    """
    try:
        require(not isinstance(value, np.ma.MaskedArray), "a mask would be lost")
        x = np.asarray(value)
        if x.dtype == object:  # fractions, whole numbers beyond int64, or no numbers
            x = np.array([real(name, each) for each in x.flat]).reshape(x.shape)
        x = x.astype(float, casting="same_kind", copy=False)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be an array of numbers, got {value!r}") from None
    require(x.size > 0, f"{name} must hold at least one number, got none")
    bad = x[~(np.isfinite(x) & (x >= low) & (x <= high))]
    if bad.size:
        raise ValueError(f"{name} must be finite numbers{_in(low, high)}, got {bad[0]}")
    return x


def _in(low: float, high: float) -> str:
    if high == inf:
        return f" of at least {low:g}" if low > -inf else ""
    return f" in [{low:g}, {high:g}]" if low > -inf else f" of at most {high:g}"
