"""The notebooks without solutions as assignments for nbgrader, one for each chapter.

`make autograder` writes a course folder, `_build/p-mean-course`: in `source/` each
chapter with room for answers (student), its cells marked as nbgrader marks them. What
`pm.check` knows is graded by it; the rest is left to a person. An exercise counts as
many points as it has stars.
"""

import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from bookkit.config import ROOT
from bookkit.make import student
from bookkit.model import CHECK, dump

DATA = ROOT / "chapters" / "_data"
STARS = re.compile(r"^:::+\{exercise\} (★+).*\n:label: (\S+)", re.M)
CONFIG = '''\
"""A course for nbgrader: `nbgrader generate_assignment nash`, and so on."""

c = get_config()  # noqa: F821
c.CourseDirectory.course_id = "p-mean-regret"
c.ClearSolutions.code_stub = {"python": "answer = ..."}
c.ClearSolutions.text_stub = "*Your answer:*"
c.ExecutePreprocessor.timeout = 600
'''
README = """\
# p-Mean Regret for Stochastic Bandits: assignments for nbgrader

Install nbgrader and, from the book's repository, the library (`pip install
".[notebook]"`) in one environment. Then, in this folder, for a chapter such as `nash`:

    nbgrader generate_assignment nash   # release/nash is what students get
    nbgrader autograde nash             # of submitted/<student>/nash/nash.ipynb
    nbgrader generate_feedback nash

Exercises that `pm.check` knows are graded by it. All others have room for words or
code and wait in nbgrader's form for grading by hand. Points are stars. The checks know
hashes only, so no answer can be read in `release/`.
"""


def marked(cell: dict, kind: str, points: int) -> dict:
    """A cell as nbgrader knows it: an `answer`, a `test`, or one graded by `hand`."""
    options = {
        "schema_version": 3,
        "grade_id": f"{cell['id']}-test" if kind == "test" else cell["id"],
        "grade": kind != "answer",
        "solution": kind != "test",
        "locked": kind == "test",
        "task": False,
    }
    if kind != "answer":
        options |= {"points": points, "cell_type": cell["cell_type"]}
    return cell | {"id": options["grade_id"], "metadata": {"nbgrader": options}}


def graded(cell: dict, points: int, checked: bool) -> Iterator[dict]:
    """The room for an answer: what is to be filled in, and below it what grades."""
    text = "".join(cell["source"])
    names = CHECK.findall(text)
    if not names:  # where a check follows, it has the points
        yield marked(cell, "hand", 0 if checked else points)
        return
    before = text[: text.index("pm.check(")].rstrip("\n").splitlines(keepends=True)
    yield marked(cell | {"source": before}, "answer", 0)
    test = f'verdict = pm.check("{names[0]}", answer)\nassert verdict, verdict'
    yield marked(cell | {"source": test.splitlines(keepends=True)}, "test", points)


def assignment(notebook: dict) -> dict:
    """A chapter with room for answers, all of it marked."""
    cells = student.with_answer_cells(notebook)["cells"]
    texts = "\n".join("".join(c["source"]) for c in cells if c["cell_type"] != "code")
    points = {label: len(stars) for stars, label in STARS.findall(texts)}
    rooms = {c["id"]: c for c in cells if "answer" in c["metadata"].get("tags", [])}
    marked_cells = []
    for cell in cells:
        if cell["id"] not in rooms:
            marked_cells.append(cell)
            continue
        label = cell["id"].rpartition("-")[0]
        code = "".join(rooms.get(f"{label}-code", cell)["source"])
        marked_cells += graded(cell, points[label], "pm.check(" in code)
    return notebook | {"cells": marked_cells}


def needed(notebook: dict) -> list[Path]:
    """The stored results, and what made them, that a chapter's cells name."""
    code = "\n".join(
        "".join(c["source"]) for c in notebook["cells"] if c["cell_type"] == "code"
    )
    stems = set(re.findall(r"_data[./](\w+)", code))
    return [p for stem in sorted(stems) for p in DATA.glob(f"{stem}.[cp][sy]*")]


def write(out: Path) -> None:
    """The course, in a folder that has nothing else afterwards."""
    shutil.rmtree(out, ignore_errors=True)
    for path in student.chapters():
        notebook = assignment(student.read(path))
        if not any("nbgrader" in c["metadata"] for c in notebook["cells"]):
            continue
        folder = out / "source" / path.stem
        (folder / "_data").mkdir(parents=True)
        (folder / path.name).write_text(dump(notebook), "utf8")
        for file in needed(notebook):
            shutil.copy(file, folder / "_data")
    (out / "nbgrader_config.py").write_text(CONFIG, "utf8")
    (out / "README.md").write_text(README, "utf8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
