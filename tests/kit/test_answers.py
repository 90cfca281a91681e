"""The answers that `pm.check` knows are those of the chapters, and cannot be read.

That each stored hash is that of the computed answer is asserted in the solutions
themselves, which nbval executes.
"""

import json
import math
import re

import pytest

from bookkit import model
from bookkit.make import answers
from pmeanlib import exercises

STORED = exercises.stored()
CHAPTERS = model.read().chapters
EXERCISES = {
    exercise.label.removeprefix("ex-"): exercise
    for chapter in CHAPTERS
    for exercise in chapter.exercises
}
CHECKED = {name: e.checked for name, e in EXERCISES.items() if e.checked}
PRINTED = {  # the answers to exercises by hand, in cells that no page shows
    name: [float(x) for x in re.findall(r"[^\s,[\]]+", printed.split("\n")[0])]
    for name, answer in CHECKED.items()
    if "remove-cell" in answer.cell.tags
    for printed in [answer.cell.outputs[0].data["text/plain"]]
}


def test_an_exercise_is_checked_by_the_words_of_its_label():
    named = {name: list(e.checks) for name, e in EXERCISES.items() if e.checks}
    assert named == {name: [name] for name in STORED}
    everywhere = [n for c in CHAPTERS for n in model.CHECK.findall(c.text)]
    assert sorted(everywhere) == sorted(STORED)


def test_what_is_stored_is_what_the_solutions_say():
    assert {name: answer.name for name, answer in CHECKED.items()} == {
        name: name for name in STORED
    }
    for name, answer in CHECKED.items():
        stored = STORED[name]
        assert (stored["asks"], stored["figures"]) == (answer.asks, answer.figures)
        assert stored.get("must", "") == answer.must
        size = math.prod(stored["shape"])
        if answer.must:
            assert "right" not in stored
        else:
            sizes = [len(stored[k]["near"]) for k in ("right", "close") if k in stored]
            assert sizes == [size] * min(answer.figures, 2) or sizes == [0]
            assert bool(answer.figures) == bool(sizes[0])


@pytest.mark.parametrize("name", STORED)
def test_the_cell_that_computes_an_answer_asserts_it(name):
    cell = CHECKED[name].cell
    assert "solution" in cell.tags
    assert "\nanswer = " in f"\n{cell.text}"
    assert f'assert pm.check("{name}", answer)' in answers.ASSERTED.findall(cell.text)
    assert "pm.check" not in answers.ASSERTED.sub("", cell.text)


IN_WORDS = {"negative_p-hand", "speed-hand"}  # no number stands there


@pytest.mark.parametrize("name", sorted(set(PRINTED) - IN_WORDS))
def test_a_solution_by_hand_has_the_numbers_that_its_cell_computes(name):
    text = EXERCISES[name].solution.text.replace("{,}", "").replace(",", "")
    if name == "linear-hand":
        text = text.replace(r"\frac13", f"{1 / 3}")
    text = text.replace(r"-\tfrac{0.27}n", "-0.27 ")
    numbers = [float(x) for x in re.findall(r"-?\d+(?:\.\d+)?", text)]
    figures = CHECKED[name].figures or exercises.EXACT
    moved = 1 if CHECKED[name].figures else 0
    for x in PRINTED[name]:
        right = exercises.place(x, figures)
        near = [exercises.place(y, figures) - right for y in numbers if x * y > 0]
        assert any(abs(n) <= moved for n in near), (x, sorted(numbers))


def test_no_answer_can_be_read_in_the_library():
    """Neither in what is stored nor in what is asked for."""
    for name, numbers in PRINTED.items():
        told = re.sub(r'"[0-9a-f]{16}"', "", json.dumps(STORED[name]))
        for x in numbers if CHECKED[name].figures else ():
            figures = f"{x:.2e}".partition("e")[0].replace(".", "")
            assert figures not in told, name
    hashes = [told["right"]["hash"] for told in STORED.values() if "right" in told]
    assert len(set(hashes)) == len(hashes)  # equal answers have different hashes
