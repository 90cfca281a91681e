"""The notebooks without solutions as assignments for nbgrader, one for each chapter.

`make autograder` writes a course folder, `_build/p-mean-course`: in `source/` each
chapter with room for answers (student), its cells marked as nbgrader marks them. What
`pm.check` knows is graded by it; the rest is left to a person. An exercise counts as
many points as it has stars.
"""

import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bookkit.ipynb import cells, dump, load
from bookkit.make import student
from bookkit.model import Exercise
from bookkit.notebook import needed, readable
from bookkit.reading import read

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
hashes only, so no answer can be read in `release/`; those of quick questions are left
out.
"""
# The module is loaded afresh: an answer may have changed what `pm` is.
TEST = """\
from importlib.util import find_spec, module_from_spec

found = find_spec("pmeanlib.exercises")
exercises = module_from_spec(found)
found.loader.exec_module(exercises)
verdict = exercises.check("{name}", answer)
assert verdict, verdict"""


def marked(cell: Mapping[str, Any], kind: str, points: int) -> dict[str, Any]:
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
    return {**cell, "id": options["grade_id"], "metadata": {"nbgrader": options}}


def rooms(exercise: Exercise, imported: bool) -> Iterator[dict[str, Any]]:
    """The room for an answer, marked: what is to be filled in, and what grades it."""
    for room in student.rooms(exercise, imported):
        if not exercise.checks:
            yield marked(room, "hand", exercise.stars)
        elif room["cell_type"] == "markdown":  # the check below it has the points
            yield {**room, "metadata": {}}
        else:
            answer = ["# your answer\n", "answer = ..."]
            test = TEST.format(name=exercise.checks[0]).splitlines(keepends=True)
            yield marked({**room, "source": answer}, "answer", 0)
            yield marked({**room, "source": test}, "test", exercise.stars)


def write(out: Path) -> None:
    """The course, in a folder that has nothing else afterwards."""
    shutil.rmtree(out, ignore_errors=True)
    places = student.places()
    for chapter in read().chapters:
        if not chapter.exercises:
            continue
        name, source = chapter.name, student.strip(load(chapter.path))
        file = f"{name}.ipynb"
        notebook = readable(source, name, places, {name: file}, answers=False)
        notebook = student.with_rooms(notebook, chapter.exercises, rooms)
        folder = out / "source" / name
        (folder / "_data").mkdir(parents=True)
        (folder / file).write_text(dump(notebook), "utf8")
        for path in needed("\n".join(cell.text for cell in cells(source))):
            shutil.copy(path, folder / "_data")
    (out / "nbgrader_config.py").write_text(CONFIG, "utf8")
    (out / "README.md").write_text(README, "utf8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
