"""A file of outcomes: one row a person, with the arm and what came of it.

Whatever is wrong is said in one line that names the row and the column. Rows are
numbered as a spreadsheet numbers them: the header is row 1.
"""

import csv
import io
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pmeanlib._checks import real, require

MOST_ARMS = 100
MISSING = ("", "na", "nan", "null", "none", ".")


@dataclass(frozen=True)
class Rows:
    """The outcomes of each arm as rewards in [0, 1]: (x - low) / (high - low).

    `clusters` has the cluster of every outcome, of the shape of `outcomes`, as numbers
    0, 1, ...; without clusters every row is one of its own.
    """

    arms: tuple[str, ...]
    outcomes: tuple[np.ndarray, ...]
    clusters: tuple[np.ndarray, ...]
    low: float
    high: float
    outcome: str
    cluster: str
    dropped: int

    @property
    def binary(self) -> bool:
        """Whether every outcome is all or nothing."""
        return all(np.isin(x, (0.0, 1.0)).all() for x in self.outcomes)

    @property
    def size(self) -> int:
        """The number of rows."""
        return sum(map(len, self.outcomes))


def read(
    path: str | Path,
    arm: str = "",
    outcome: str = "",
    cluster: str = "",
    low: float = 0.0,
    high: float | None = None,
    drop_missing: bool = False,
) -> Rows:
    """The rows of a CSV file; columns may be left unsaid if there are just two.

    Outcomes beyond [0, 1] are divided by the largest, or by `high`; `low` is what
    counts as nothing.
    """
    low = real("low", low, -1e300, 1e300)
    if high is not None:
        above = f"high must be a finite number above low = {low:g}, got {high}"
        require(low < high < math.inf, above)
    header, lines = _table(path)
    columns = _columns(path, header, arm, outcome, cluster)
    names: list[str] = []
    values: list[float] = []
    groups: list[str] = []
    dropped = 0
    for number, line in lines:
        fields = [line[header.index(name)].strip() for name in columns]
        gone = [c for c, f in zip(columns, fields, strict=True) if f.lower() in MISSING]
        if gone and drop_missing:
            dropped += 1
            continue
        missing = f"{path}: row {number}, column {(gone or columns)[0]!r}: is missing"
        require(not gone, f"{missing}; --drop-missing leaves such rows out")
        at = f"{path}: row {number}, column {columns[1]!r}"
        names.append(fields[0])
        values.append(_number(at, fields[1], low, high))
        groups.append(fields[2] if cluster else str(number))
    require(names != [], f"{path}: has a header and no row to use")
    x, label = np.array(values), np.array(names)
    top = high if high is not None else max(1.0, float(x.max()))
    alike = f"{path}: column {columns[1]!r}: every outcome is {low:g}"
    require(x.max() > low, alike)
    arms, rewards = _sorted(set(names)), (x - low) / (top - low)
    few = f"{path}: column {columns[0]!r}: must hold 2 to {MOST_ARMS} different arms"
    require(2 <= len(arms) <= MOST_ARMS, f"{few}, got {len(arms)}")
    _, code = np.unique(groups, return_inverse=True)
    outcomes, clusters = (
        tuple(x[label == name] for name in arms) for x in (rewards, code)
    )
    return Rows(arms, outcomes, clusters, low, top, columns[1], cluster, dropped)


def _table(path: str | Path) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """The header, and the rows that are not empty, with their numbers."""
    try:
        text = Path(path).read_text("utf-8-sig")
        mark = max(",;\t", key=text.partition("\n")[0].count)
        table = list(csv.reader(io.StringIO(text, ""), delimiter=mark, strict=True))
    except UnicodeDecodeError as error:
        where = f"{path}: must be UTF-8 text, is not at byte {error.start}"
        raise ValueError(where) from None
    except (OSError, csv.Error) as error:
        why = getattr(error, "strerror", None) or f"is no table of values: {error}"
        raise ValueError(f"{path}: {why}") from None
    require(table != [] and table[0] != [], f"{path}: row 1: has no names of columns")
    header = [name.strip() for name in table[0]]
    lines = [(number, line) for number, line in enumerate(table[1:], 2) if line]
    for number, line in lines:
        fields = f"{path}: row {number}: must have {len(header)} fields"
        require(len(line) == len(header), f"{fields}, got {len(line)}")
    return header, lines


def _columns(
    path: str | Path, header: list[str], arm: str, outcome: str, cluster: str
) -> list[str]:
    """The columns of arms, outcomes and clusters: as given, or as they must be."""
    names = ", ".join(filter(None, header))
    for name in filter(None, (arm, outcome, cluster)):
        known = f"{path}: has no column {name!r}, must be one of {names}"
        require(name in header, known)
    left = [name for name in header if name not in (arm, outcome, cluster)]
    for usual in ("arm", "outcome"):
        if usual in left and not {"arm": arm, "outcome": outcome}[usual]:
            left.remove(usual)
            arm, outcome = (usual, outcome) if usual == "arm" else (arm, usual)
    if not arm and len(left) == 1 + (not outcome):
        arm = left.pop(0)
    if not outcome and len(left) == 1:
        outcome = left.pop()
    which = f"{path}: say which column is which: --arm COLUMN --outcome COLUMN"
    require(bool(arm and outcome), f"{which}; there are {names}")
    twice = f"{path}: --arm, --outcome and --cluster must differ, got {arm!r}"
    require(len({arm, outcome, cluster}) == 3, f"{twice}, {outcome!r}, {cluster!r}")
    for name in (arm, outcome, cluster):
        once = f"{path}: row 1: must name the column {name!r} once"
        require(header.count(name) < 2 or not name, once)
    return [name for name in (arm, outcome, cluster) if name]


def _number(at: str, text: str, low: float, high: float | None) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    require(math.isfinite(value), f"{at}: must be a number, got {text!r}")
    limits = f"must be at least {low:g} (--low)"
    if high is not None:
        limits += f" and at most {high:g} (--high)"
    inside = low <= value <= (math.inf if high is None else high)
    require(inside, f"{at}: {limits}, got {text}")
    return value


def _sorted(names: set[str]) -> tuple[str, ...]:
    """In the order of their numbers if all are numbers, else of the alphabet."""
    try:
        return tuple(sorted(names, key=lambda name: (float(name), name)))
    except ValueError:
        return tuple(sorted(names))
