"""Whether an answer to an exercise is right, or what kind of thing is off.

The answers are not here. `exercises.json` has a hash of every number asked for, rounded
to the figures asked for and salted with the exercise's name and the number's place;
`make answers` writes it. A hash hides an answer from the eye, not from a program that
tries all numbers: these checks are for those who want to learn.
"""

import json
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np

from pmeanlib import _checks

SLIPS = (  # what makes a wrong answer right, and what that says
    (lambda x: -x, "The sign is off."),
    (lambda x: x / 2, "A factor of 2 is off: yours is too large."),
    (lambda x: 2 * x, "A factor of 2 is off: yours is too small."),
    (lambda x: 1 - x, "This looks like the complement, what is missing to 1."),
    (lambda x: x / 100, "This looks like per cent; a fraction is asked for."),
    (lambda x: 100 * x, "This looks like a fraction; per cent are asked for."),
    (lambda x: 1 / x, "This looks like the reciprocal."),
    (lambda x: x + 1, "One is off: yours is too small."),
    (lambda x: x - 1, "One is off: yours is too large."),
)
MUST = {  # what an answer must be like, whatever its value; some exercises ask no more
    "positive": (lambda x: x > 0, "It must be positive."),
    "share": (lambda x: (x >= 0) & (x <= 1), "It must lie between 0 and 1."),
    "whole": (lambda x: x == np.round(x), "Whole numbers are asked for."),
    "refutes": (lambda v: (1 - v) ** 2 < 1 - v**2, "There the inequality is true."),
}


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
    """Whether `answer` is that of exercise `name`, or else what kind of thing is off.

    A number, or a list or array of numbers, as the exercise says. It is compared after
    rounding to the figures asked for; one unit of the last figure is let pass.
    """
    _checks.choice("name", name, tuple(stored()))
    off = _off(name, answer, stored()[name])
    return Verdict(not off, off or "Right.")


@cache
def stored() -> dict[str, dict[str, Any]]:
    """Of each exercise: what it asks for, its shape and figures, and the hashes."""
    return json.loads(Path(__file__).with_name("exercises.json").read_text("utf8"))


def digest(name: str, place: int, x: float, figures: int) -> str:
    """The hash of a number, rounded to so many figures; a whole number has none."""
    rounded = f"{x + 0.0:.{figures - 1 if figures else 9}e}"  # of -0.0 as of 0.0
    return sha256(f"{name} {place} {rounded}".encode()).hexdigest()[:12]


def _off(name: str, answer: Any, told: dict[str, Any]) -> str:
    """What kind of thing is off, in words; nothing if the answer is right."""
    wanted, shape = f"Asked for: {told['asks']}.", tuple(told["shape"])
    if answer is None or answer is ...:
        return f"No answer yet. {wanted}"
    if (x := _numbers(answer)) is None:
        return f"Numbers are needed, not {type(answer).__name__}. {wanted}"
    if x.shape != shape and (shape or x.size != 1):
        return f"The shape is {x.shape} and should be {shape}. {wanted}"
    if not np.isfinite(x).all():
        return "A number is not finite."
    for holds, words in (MUST[each] for each in told["must"]):
        if not holds(x).all():
            return words
    if not told["right"] or all(hits := _hits(name, x, told)):
        return ""
    for undo, words in SLIPS[: -2 if told["figures"] else None]:
        with np.errstate(all="ignore"):
            if all(_hits(name, undo(x), told)):
                return words
    if told["figures"] > 1 and all(_hits(name, x, told, "close")):
        return f"Close: {told['figures']} figures are needed. Round at the very end."
    moved = [_hits(name, np.full(x.size, y), told) for y in x.flat]
    if all(map(any, moved)) and all(map(any, zip(*moved, strict=True))):
        return "These numbers are asked for, but in another order."
    places = ", ".join(str(place) for place, hit in enumerate(hits, 1) if hit)
    more = f", except number {places}" if places else ", and by no common slip"
    return f"Not right{more}."


def _numbers(answer: Any) -> np.ndarray | None:
    """An answer as an array of floats; nothing if it is text or whatever else."""
    with suppress(TypeError, ValueError, OverflowError):
        x = np.asarray(answer)
        real = x.dtype.kind == "O" and all(isinstance(y, Real) for y in x.flat)
        return x.astype(float) if real or x.dtype.kind in "iuf" else None
    return None


def _hits(
    name: str, x: np.ndarray, told: dict[str, Any], what: str = "right"
) -> list[bool]:
    """Which numbers have the hash of their place, or lie beside one that has.

    What is `close` is right to one figure less.
    """
    hits = []
    for place, y in enumerate(x.flat):
        unit, figures = 0.0, told["figures"] - (what == "close")
        if what == "right" and figures and np.isfinite(y):
            unit = 10.0 ** (int(f"{y:e}".partition("e")[2]) + 1 - figures)
        near = (y - unit, y, y + unit)
        hits.append(
            told[what][place] in {digest(name, place, z, figures) for z in near}
        )
    return hits
