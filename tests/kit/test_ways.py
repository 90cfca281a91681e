"""The paths on the page `index` and the self-test, checked against the chapters."""

import re

import numpy as np
import pytest

from bookkit import markdown, model

BOOK = model.read()
BOXES = {c.name: c.box for c in BOOK.chapters if c.box and c.box.says_needs}
NEEDS = {c.name: BOOK.needs(c) for c in BOOK.chapters}
INDEX = BOOK.chapter("index").text
PATHS = re.findall(r"^\| \*\*(\w+)\*\* \| (.+) \| (.+) \| (\d+) \|$", INDEX, re.M)


@pytest.mark.parametrize("path", PATHS, ids=lambda p: p[0])
def test_a_path_has_what_its_chapters_need_and_its_minutes(path):
    name, about, chapters, minutes = path
    stops = markdown.roles(chapters, "ref")
    needed = set().union(*(NEEDS[stop] for stop in stops))
    told = re.search(r"You take (.*) on trust", about)
    assert needed - set(stops) == set(markdown.roles(told[1], "ref") if told else ())
    assert list(stops) == [stop for stop in BOOK.order if stop in stops]
    boxes = [BOXES[stop] for stop in stops]
    read = [b.minutes or 0 for b in boxes]
    cells = [b.with_cells or b.minutes or 0 for b in boxes]
    assert int(minutes) == sum(cells if name == "Programmer" else read)


def test_the_paths_are_three_and_the_last_has_every_proof():
    assert [path[0] for path in PATHS] == ["Reader", "Programmer", "Theorist"]
    proofs = {
        c.name for c in BOOK.chapters if any(s.kind == "theorem" for s in c.statements)
    }
    assert proofs <= set(markdown.roles(PATHS[-1][2], "ref"))
    begins = [markdown.roles(path[2], "ref")[:3] for path in PATHS]
    assert begins == [("welfare", "regret", "reduction")] * 3
    assert sum(BOXES[name].minutes for name in begins[0]) == 90
    assert "take 90 minutes" in INDEX


def test_the_hour_has_sixty_minutes():
    steps = re.findall(r"^\d\. (\d+) minutes, ", INDEX, re.M)
    assert sum(map(int, steps)) == 60


ANSWERS = {
    "independence": 1 - 0.5**3,
    "geometric": np.exp(np.log([1, 4, 16]).mean()),
    "harmonic": 2 / (1 / 2 + 1 / 6),
    "log": np.log(1e6) / np.log(1e3),
    "error": 100 * (0.02 / 0.01) ** 2,
}


def test_the_questions_have_the_answers_that_they_say():
    asked = {
        question.name.removeprefix("quick-self_test-"): question
        for question in BOOK.page("self_test").questions
    }
    assert len(asked) == 10
    numbers = {
        name: float(question.answer)
        for name, question in asked.items()
        if question.kind == "number"
    }
    code = re.findall(r"`([^`]+)`", asked["python"].asked)
    scope = {"np": np}
    for line in code[:2]:
        exec(line, scope)
    assert numbers == pytest.approx(ANSWERS | {"python": eval(code[2], scope)})
    assert np.zeros((1000, 5)).mean(axis=0).shape == (5,)
    assert asked["axis"].answer == "`(5,)`"
    x = np.array([1, 3])
    assert (1 / x).mean() == pytest.approx(2 / 3)
    assert 1 / x.mean() == 0.5
    assert asked["jensen"].answer == r"$\E[1/X]$"
