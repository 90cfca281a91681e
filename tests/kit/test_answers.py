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


@pytest.fixture(scope="module")
def named(book):
    """The exercises by the words of their labels."""
    exercises = (e for chapter in book.chapters for e in chapter.exercises)
    return {exercise.label.removeprefix("ex-"): exercise for exercise in exercises}


@pytest.fixture(scope="module")
def checked(named):
    return {name: e.checked for name, e in named.items() if e.checked}


@pytest.fixture(scope="module")
def printed(checked):
    """The answers to exercises by hand, in cells that no page shows."""
    return {
        name: [float(x) for x in re.findall(r"[^\s,[\]]+", told.split("\n")[0])]
        for name, answer in checked.items()
        if "remove-cell" in answer.cell.tags
        for told in [answer.cell.outputs[0].data["text/plain"]]
    }


def test_an_exercise_is_checked_by_the_words_of_its_label(book, named):
    asked = {name: list(e.checks) for name, e in named.items() if e.checks}
    assert asked == {name: [name] for name in STORED}
    everywhere = [n for c in book.chapters for n in model.CHECK.findall(c.text)]
    assert sorted(everywhere) == sorted(STORED)


def test_what_is_stored_is_what_the_solutions_say(checked):
    assert {name: answer.name for name, answer in checked.items()} == {
        name: name for name in STORED
    }
    for name, answer in checked.items():
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
def test_the_cell_that_computes_an_answer_asserts_it(name, checked):
    cell = checked[name].cell
    assert "solution" in cell.tags
    assert "\nanswer = " in f"\n{cell.text}"
    assert f'assert pm.check("{name}", answer)' in answers.ASSERTED.findall(cell.text)
    assert "pm.check" not in answers.ASSERTED.sub("", cell.text)


IN_WORDS = {"negative_p-hand", "speed-hand"}  # no number stands there


def test_a_solution_by_hand_has_the_numbers_that_its_cell_computes(
    named, checked, printed
):
    for name in sorted(set(printed) - IN_WORDS):
        numbers, figures = numbers_in(named[name].solution.text), checked[name].figures
        for x in printed[name]:
            right = exercises.place(x, figures or exercises.EXACT)
            places = [
                exercises.place(y, figures or exercises.EXACT)
                for y in numbers
                if x * y > 0
            ]
            moved = 1 if figures else 0
            near = [abs(place - right) <= moved for place in places]
            assert any(near), (name, x, sorted(numbers))


def numbers_in(text):
    """All that stand in a solution, two fractions of TeX among them."""
    text = text.replace("{,}", "").replace(",", "")
    text = text.replace(r"\frac13", f"{1 / 3}").replace(r"-\tfrac{0.27}n", "-0.27 ")
    return [float(x) for x in re.findall(r"-?\d+(?:\.\d+)?", text)]


def test_no_answer_can_be_read_in_the_library(checked, printed):
    """Neither in what is stored nor in what is asked for."""
    for name, numbers in printed.items():
        told = re.sub(r'"[0-9a-f]{16}"', "", json.dumps(STORED[name]))
        for x in numbers if checked[name].figures else ():
            figures = f"{x:.2e}".partition("e")[0].replace(".", "")
            assert figures not in told, name
    hashes = [told["right"]["hash"] for told in STORED.values() if "right" in told]
    assert len(set(hashes)) == len(hashes)  # equal answers have different hashes
