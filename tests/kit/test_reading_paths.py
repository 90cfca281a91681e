"""The paths on the page `index` and the self-test, checked against the chapters."""

import re

import numpy as np
import pytest

from bookkit import markdown

PATH = re.compile(r"^\| \*\*(\w+)\*\* \| (.+) \| (.+) \| (\d+) \|$", re.M)


@pytest.fixture(scope="module")
def index(book):
    return book.chapter("index").text


@pytest.fixture(scope="module")
def paths(index):
    """By name: what a path is for, the references to its chapters, its minutes."""
    return {name: row for name, *row in PATH.findall(index)}


@pytest.mark.parametrize("name", ["Reader", "Programmer", "Theorist"])
def test_a_path_has_what_its_chapters_need_and_its_minutes(name, paths, book, boxes):
    about, chapters, minutes = paths[name]
    stops = markdown.roles(chapters, "ref")
    needed = set().union(*(book.needs(book.chapter(stop)) for stop in stops))
    told = re.search(r"You take (.*) on trust", about)
    assert needed - set(stops) == set(markdown.roles(told[1], "ref") if told else ())
    assert list(stops) == [stop for stop in book.order if stop in stops]
    read = [boxes[stop].minutes or 0 for stop in stops]
    cells = [boxes[stop].with_cells or boxes[stop].minutes or 0 for stop in stops]
    assert int(minutes) == sum(cells if name == "Programmer" else read)


def test_the_paths_are_three_and_the_last_has_every_proof(paths, book, boxes, index):
    assert list(paths) == ["Reader", "Programmer", "Theorist"]
    proofs = {
        c.name for c in book.chapters if any(s.kind == "theorem" for s in c.statements)
    }
    assert proofs <= set(markdown.roles(paths["Theorist"][1], "ref"))
    begins = [markdown.roles(chapters, "ref")[:3] for _, chapters, _ in paths.values()]
    assert begins == [("welfare", "regret", "reduction")] * 3
    minutes = sum(boxes[name].minutes for name in begins[0])
    assert f"take {minutes} minutes" in index


def test_the_hour_has_sixty_minutes(index):
    steps = re.findall(r"^\d\. (\d+) minutes, ", index, re.M)
    assert sum(map(int, steps)) == 60


ANSWERS = {
    "independence": 1 - 0.5**3,
    "geometric": np.exp(np.log([1, 4, 16]).mean()),
    "harmonic": 2 / (1 / 2 + 1 / 6),
    "log": np.log(1e6) / np.log(1e3),
    "error": 100 * (0.02 / 0.01) ** 2,
}


def test_the_questions_have_the_answers_that_they_say(book):
    asked = {
        question.name.removeprefix("quick-self_test-"): question
        for question in book.page("self_test").questions
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
    assert asked["jensen"].answer == r"$\mathbb E[1/X]$"
