"""The hashes of the answers that `pm.check` knows, computed by the solutions.

A cell of a solution that computes the answer has the metadata `answer`: the exercise's
name, what it asks for, the figures (0 for whole numbers), and, where every value with a
property is right, the property it `must` have. It assigns `answer` and asserts that
`pm.check` takes it. `make answers` executes these chapters without the assertions,
which fail while a hash is new, and writes `pmeanlib/exercises.json`.
"""

import json
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from bookkit import chapter_rules, ipynb, reading
from bookkit.config import ROOT
from bookkit.make.execute import ENVIRONMENT, run
from bookkit.model import Cell, Chapter, Checked
from pmeanlib.exercises import hashed

FILE = ROOT / "pmeanlib" / "exercises.json"
ASSERTED = re.compile(r"^assert pm\.check\(.*$", re.M)
TELL = "import json, numpy\nprint(json.dumps(numpy.asarray(answer, float).tolist()))"


def marked(chapter: Chapter) -> list[Checked]:
    """The answers that a chapter computes."""
    return [e.checked for e in chapter.exercises if e.checked]


def computed(chapter: Chapter) -> list[tuple[Checked, np.ndarray]]:
    """The same with their values, computed without the assertions."""
    sources = {
        answer.cell.number: f"{ASSERTED.sub('', answer.cell.text)}\n{TELL}"
        for answer in marked(chapter)
    }
    executed = ipynb.cells(run(chapter.path, sources))
    return [(a, _last_line(executed[a.cell.number - 1])) for a in marked(chapter)]


def _last_line(cell: Cell) -> np.ndarray:
    """The numbers in the last line that a cell prints."""
    printed = [o.data["text/plain"] for o in cell.outputs if o.stream == "stdout"]
    return np.array(json.loads(printed[-1].splitlines()[-1]))


def entry(answer: Checked, x: np.ndarray) -> dict[str, Any]:
    """What the library may know of an answer."""
    figures = answer.figures or 0
    stored: dict[str, Any] = {"asks": answer.asks, "figures": figures}
    if answer.must:
        return stored | {"must": answer.must, "shape": list(x.shape)}
    stored["shape"] = list(x.shape)
    stored["right"] = hashed(answer.name, x, figures)
    if figures > 1:
        stored["close"] = hashed(answer.name, x, figures - 1)
    return stored


def text(entries: Mapping[str, Mapping[str, Any]]) -> str:
    """The file, one exercise a line."""
    lines = (f' "{name}": {json.dumps(entries[name])}' for name in sorted(entries))
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main(paths: list[Path]) -> None:
    """Hash the answers of these chapters again; drop those that none computes now."""
    chapters = [reading.chapter(path) for path in paths]
    if faults := [
        f for chapter in chapters for f in chapter_rules.answers_are_whole(chapter)
    ]:
        sys.exit("\n".join(map(str, faults)))
    names = {answer.name for c in reading.read().chapters for answer in marked(c)}
    stored = json.loads(FILE.read_text("utf8"))
    entries = {name: stored[name] for name in names & stored.keys()}
    for chapter in chapters:
        if marked(chapter):
            print(chapter.file, flush=True)
            entries |= {
                answer.name: entry(answer, x) for answer, x in computed(chapter)
            }
    FILE.write_text(text(entries), "utf8")
    print(f"{len(entries)} answers in pmeanlib/{FILE.name}")


if __name__ == "__main__":
    os.environ.update(ENVIRONMENT)
    main([Path(name) for name in sys.argv[1:]])
