"""Assignments for nbgrader: marked as it marks, graded by `pm.check`, no answers."""

import json
import re
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

import pmeanlib as pm
from bookkit.make import autograder
from bookkit.model import CHECK
from pmeanlib import exercises

KINDS = {  # as nbgrader's own form calls them: grade, solution, locked
    "answer": (False, True, False),
    "test": (True, False, True),
    "hand": (True, True, False),
}
RIGHT = {  # of the other answers the solutions themselves assert that they are right
    "nash-hand": 0.799,
    "good_event-warm": [7 / 27, 64 / 243],
    "anytime-hand": 3,
    "negative_p-hand": 0.5,
    "speed-hand": [1, 2, 1, 2, 2, 2, 1, 1, 1],
}


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    out = tmp_path_factory.mktemp("build") / "course"
    (out / "old").mkdir(parents=True)
    autograder.write(out)
    assert not (out / "old").exists()
    return out


@pytest.fixture(scope="module")
def marked(course):
    """All marked cells: the chapter, what nbgrader is told, and the source."""
    found = []
    for path in sorted(course.glob("source/*/*.ipynb")):
        assert path.stem == path.parent.name
        notebook = json.loads(path.read_text("utf8"))
        ids = [cell["id"] for cell in notebook["cells"]]
        assert len(set(ids)) == len(ids)
        for cell in notebook["cells"]:
            if told := cell["metadata"].get("nbgrader"):
                found.append((path.stem, cell, told, "".join(cell["source"])))
    return found


def test_every_exercise_is_graded_once_with_as_many_points_as_stars(marked, book):
    points = Counter()
    for chapter, _, told, _ in marked:
        label = told["grade_id"].removesuffix("-test").rpartition("-")[0]
        points[chapter, label] += told.get("points", 0)
    stars = {
        (chapter.name, exercise.label): exercise.stars
        for chapter in book.chapters
        for exercise in chapter.exercises
    }
    assert len(stars) > 90
    assert points == stars


def test_cells_are_marked_as_nbgrader_marks_them(marked):
    for _, cell, told, _ in marked:
        assert told["schema_version"] == 3
        assert not told["task"]
        assert told["grade_id"] == cell["id"]
        kind = told["grade"], told["solution"], told["locked"]
        assert kind in KINDS.values()
        assert ("points" in told) == told["grade"]
        assert told.get("cell_type", cell["cell_type"]) == cell["cell_type"]
        # words can only be graded by hand
        assert cell["cell_type"] == "code" or kind == KINDS["hand"]


def test_a_test_follows_its_answer_and_knows_right_from_wrong(marked):
    tests = {}
    for (_, _, before, room), (_, _, told, source) in pairwise(marked):
        if not told["locked"]:
            continue
        assert before["grade_id"] == told["grade_id"].removesuffix("-test")
        assert (before["grade"], before["solution"]) == (False, True)
        assert room.endswith("answer = ...")
        assert "pm.check" not in room
        tests[CHECK.search(source)[1]] = source
    assert set(tests) == set(exercises.stored())
    for name, source in tests.items():
        wrong = [..., "text"]
        if name in RIGHT:
            exec(source, {"answer": RIGHT[name]})  # all else it imports itself
            wrong.append(np.asarray(RIGHT[name]) + 7.77e5)
        for other in wrong:
            with pytest.raises(AssertionError, match=r"\w"):
                exec(source, {"answer": other})


def test_an_answer_that_changes_the_library_does_not_change_its_test(
    marked, monkeypatch
):
    monkeypatch.setattr(pm, "check", lambda name, answer: True)
    monkeypatch.setattr(exercises, "check", lambda name, answer: True)
    source = next(source for *_, told, source in marked if told["locked"])
    with pytest.raises(AssertionError):
        exec(source, {"pm": pm, "answer": 7.77e5})


def test_no_answer_of_a_quick_question_and_all_that_is_needed_is_there(course):
    assert (course / "nbgrader_config.py").exists()
    compile((course / "nbgrader_config.py").read_text("utf8"), "config", "exec")
    for path in course.rglob("*.ipynb"):
        text = path.read_text("utf8")
        assert "<summary>Answer" not in text
        for name in re.findall(r"_data[./](\w+)", text):
            assert list((path.parent / "_data").glob(f"{name}.[cp]*")), name
    assert (course / "source" / "rates" / "_data" / "rates.csv").exists()
    assert not list((course / "source" / "nash" / "_data").iterdir())
