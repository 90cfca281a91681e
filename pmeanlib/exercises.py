"""Whether an answer to an exercise is right.

The answers are not here. `exercises.json` has one slow hash of each answer, rounded to
the figures asked for, and for each of its numbers the remainder that lets one unit of
the last figure pass (see `Hashed`). `make answers` writes it from the solutions.

A hash hides an answer from the eye, and nothing more: a program that tries all numbers
of three figures finds one in minutes, and the repository has the solutions. These
checks are for those who want to learn.
"""

import json
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from hashlib import scrypt
from numbers import Real
from pathlib import Path
from typing import Any, TypedDict

import numpy as np

COST = {"n": 2**14, "r": 8, "p": 1, "dklen": 8}  # some 50 ms and 16 MB for each hash
EXACT = 10  # figures of a whole number, of which all must be right
PROPERTIES = {  # of which any value will do that has it
    "refutes": (lambda v: (1 - v) ** 2 < 1 - v**2, "There the inequality is true."),
}


class Hashed(TypedDict):
    """What is stored of an answer: its hash, and a remainder for each number.

    The decimals with so many figures are counted upwards, and `near` has the place of
    each number modulo 3. An answer one unit off is moved back by it before it is
    hashed, so that one hash decides. Of whole numbers `near` is empty.
    """

    near: list[int]
    hash: str


@dataclass(frozen=True)
class Verdict:
    """What `check` says: true if the answer is right, and shown as words."""

    right: bool
    words: str

    def __bool__(self) -> bool:
        return self.right

    def __repr__(self) -> str:
        return self.words


def check(name: str, answer: Any) -> Verdict:
    """Whether `answer` is that of exercise `name`, or what about its form is off.

    A number, or a list or array of numbers, as the exercise says. It is rounded to the
    figures asked for and then compared; one unit of the last figure is let pass. Of a
    wrong answer it is said if the shape, the sign or the rounding is off.

    The answers are stored as slow hashes: hidden from the eye, but not from a program
    that tries all numbers for some minutes, nor from a reader of the solutions.

    >>> pm.check("algorithm-hand", None)
    No answer yet. Asked for: the p at which the answer changes, for k = 50.
    """
    if not isinstance(name, str) or name not in stored():
        near = get_close_matches(str(name), stored(), cutoff=0)
        message = f"name must be that of an exercise, such as {', '.join(near)}"
        raise ValueError(f"{message}; got {name!r}")
    off = _off(name, answer, stored()[name])
    return Verdict(not off, off or "Right.")


@cache
def stored() -> dict[str, dict[str, Any]]:
    """Of each exercise: what it asks for, its figures and shape, and the hashes."""
    return json.loads(Path(__file__).with_name("exercises.json").read_text("utf8"))


def place(x: float, figures: int) -> int:
    """The place of |x|, rounded, among all decimals with so many figures.

    One unit of the last figure is one place, also from 9.99 to 10.0. Zero is far below
    all others.
    """
    if x == 0:
        return -(10**18)
    digits, exponent = f"{abs(x):.{figures - 1}e}".replace(".", "").split("e")
    first = 10 ** (figures - 1)
    return 9 * first * int(exponent) + int(digits) - first


def hashed(name: str, x: np.ndarray, figures: int) -> Hashed:
    """What the library may know of an answer with so many figures, 0 if it is whole."""
    near = [place(y, figures) % 3 for y in x.flat] if figures else []
    return {"near": near, "hash": _digest(name, x, figures, near)}


def _matches(name: str, x: np.ndarray, figures: int, right: Hashed) -> bool:
    """Whether an answer is the right one, up to one unit of the last figure."""
    return _digest(name, x, figures, right["near"]) == right["hash"]


def _digest(name: str, x: np.ndarray, figures: int, near: list[int]) -> str:
    """The hash of an answer, each number moved by one unit if its remainder says so."""
    places = [place(y, figures or EXACT) for y in x.flat]
    if near:
        pairs = zip(places, near, strict=True)
        places = [n + (remainder - n + 1) % 3 - 1 for n, remainder in pairs]
    pairs = zip(x.flat, places, strict=True)
    signed = [f"{'-' if y < 0 else '+'}{n}" for y, n in pairs]
    return scrypt(" ".join(signed).encode(), salt=name.encode(), **COST).hex()


def _off(name: str, answer: Any, exercise: dict[str, Any]) -> str:
    """What is off, in words; nothing if the answer is right."""
    wanted, shape = f"Asked for: {exercise['asks']}.", tuple(exercise["shape"])
    if answer is None or answer is ...:
        return f"No answer yet. {wanted}"
    if (x := _numbers(answer)) is None:
        return f"Numbers are needed, not {type(answer).__name__}. {wanted}"
    if x.shape != shape and (shape or x.size != 1):
        return f"The shape is {x.shape} and should be {shape}. {wanted}"
    if not np.isfinite(x).all():
        return "A number is not finite."
    if "must" in exercise:
        holds, words = PROPERTIES[exercise["must"]]
        return "" if holds(x).all() else words
    figures = exercise["figures"]
    if _matches(name, x, figures, exercise["right"]):
        return ""
    if _matches(name, -x, figures, exercise["right"]):
        return "The sign is off."
    if figures > 1 and _matches(name, x, figures - 1, exercise["close"]):
        return f"Close: {figures} figures are needed. Round at the very end."
    return "Not right."


def _numbers(answer: Any) -> np.ndarray | None:
    """An answer as an array of floats; nothing if it is text or whatever else."""
    with suppress(TypeError, ValueError, OverflowError):
        x = np.asarray(answer)
        real = x.dtype.kind == "O" and all(isinstance(y, Real) for y in x.flat)
        return x.astype(float) if real or x.dtype.kind in "iuf" else None
    return None
