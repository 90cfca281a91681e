"""Compiled code is cached on disk where possible, and compiled again where not."""

from collections.abc import Callable
from typing import Any

from numba import njit


def cached_jit(**options: Any) -> Callable[..., Any]:
    """`numba.njit` that caches what it compiles, if it can write anywhere.

    numba compiles again when the function's own file has changed, and looks at no other
    file: so all that is compiled into one function must stand in one file.
    """

    def decorate(function: Callable[..., Any]) -> Any:
        try:
            return njit(cache=True, **options)(function)
        except RuntimeError:  # "cannot cache function": no folder can be written to
            return njit(**options)(function)

    return decorate
