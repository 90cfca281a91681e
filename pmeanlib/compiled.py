"""Compiled code is cached on disk where possible, and compiled again where not."""

from collections.abc import Callable
from typing import Any


def kept(
    decorator: Callable[..., Any], *args: Any, **options: Any
) -> Callable[..., Any]:
    """A decorator of numba's that caches what it compiles, if it can write anywhere.

    numba compiles again when the function's own file has changed, and looks at no other
    file: so all that is compiled into one function must stand in one file.
    """

    def decorate(function: Callable[..., Any]) -> Any:
        try:
            return decorator(cache=True, **options)(function)
        except RuntimeError:  # "cannot cache function": no folder can be written to
            return decorator(**options)(function)

    return decorate
