"""Compiled code is kept on disk where that is possible, and made anew where not."""

from collections.abc import Callable
from typing import Any


def kept(
    decorator: Callable[..., Any], *args: Any, **options: Any
) -> Callable[..., Any]:
    """A decorator of numba's that keeps what it compiles, if there is a place for it.

    numba knows whether to compile anew by the function's own file alone, so all that is
    compiled into one function must stand in one file.
    """

    def decorate(function: Callable[..., Any]) -> Any:
        try:
            return decorator(cache=True, **options)(function)
        except RuntimeError:  # "cannot cache function": no folder can be written to
            return decorator(**options)(function)

    return decorate
