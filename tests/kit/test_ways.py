"""The paths on the page `index` and the self-test, checked against the chapters."""

import json
import re
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
ORDER = re.findall(r"file: chapters/(\w+)", (ROOT / "_toc.yml").read_text("utf8"))
PROMISE = re.compile(
    r"^:::+\{admonition\}.*\n:class: learn\n.*?\*\*You need\*\*(.*?)"
    r"\*\*Time\*\*:(.*?)^:::",
    re.M | re.S,
)
REFERENCE = re.compile(r"\{ref\}`(?:[^`<]*<)?([\w-]+)>?`")
LABEL = re.compile(r"^\(([\w-]+)\)=$", re.M)


class Box(NamedTuple):
    """What the box at the head of a chapter says."""

    needs: set[str]  # chapters
    read: int | None  # minutes
    cells: int | None  # minutes with the cells


def prose(name: str) -> str:
    """The text cells of a notebook, or nothing for a page that is none."""
    path = ROOT / "chapters" / f"{name}.ipynb"
    if not path.is_file():
        return ""
    cells = json.loads(path.read_text("utf8"))["cells"]
    return "\n\n".join(
        "".join(c["source"]) for c in cells if c["cell_type"] == "markdown"
    )


HOMES = {label: name for name in ORDER for label in LABEL.findall(prose(name))}


def box(told: re.Match) -> Box:
    """Of **You need** the first sentence counts; what follows only helps."""
    first = re.split(r"[.;](?=\s|$)", told[1])[0]
    read = re.search(r"(\d+)(?: minutes)? to read", told[2])
    cells = re.search(r"(\d+)(?: minutes)? with ", told[2])
    return Box(
        {HOMES[label] for label in REFERENCE.findall(first)},
        int(read[1]) if read else None,
        int(cells[1]) if cells else None,
    )


BOXES = {n: box(told) for n in ORDER if (told := PROMISE.search(prose(n)))}
INDEX = prose("index")
PATHS = re.findall(r"^\| \*\*(\w+)\*\* \| (.+) \| (.+) \| (\d+) \|$", INDEX, re.M)


@pytest.mark.parametrize("name", BOXES)
def test_a_chapter_needs_only_earlier_ones(name):
    assert BOXES[name].needs <= set(ORDER[: ORDER.index(name)])


@pytest.mark.parametrize("path", PATHS, ids=lambda p: p[0])
def test_a_path_has_what_its_chapters_need_and_its_minutes(path):
    name, about, chapters, minutes = path
    stops = REFERENCE.findall(chapters)
    needed = set().union(*(BOXES[stop].needs for stop in stops))
    told = re.search(r"You take (.*) on trust", about)
    assert needed - set(stops) == set(REFERENCE.findall(told[1]) if told else ())
    assert stops == [stop for stop in ORDER if stop in stops]
    boxes = [BOXES[stop] for stop in stops]
    read = [b.read or 0 for b in boxes]
    cells = [b.cells or b.read or 0 for b in boxes]
    assert int(minutes) == sum(cells if name == "Programmer" else read)


def test_the_paths_are_three_and_the_last_has_every_proof():
    assert [path[0] for path in PATHS] == ["Reader", "Programmer", "Theorist"]
    proofs = {name for name in BOXES if "{prf:theorem}" in prose(name)}
    assert proofs <= set(REFERENCE.findall(PATHS[-1][2]))
    begins = [REFERENCE.findall(path[2])[:3] for path in PATHS]
    assert begins == [["welfare", "regret", "reduction"]] * 3
    assert sum(BOXES[name].read for name in begins[0]) == 90
    assert "take 90 minutes" in INDEX


def test_the_hour_has_sixty_minutes():
    steps = re.findall(r"^\d\. (\d+) minutes, ", INDEX, re.M)
    assert sum(map(int, steps)) == 60


SELF_TEST = (ROOT / "chapters" / "self_test.md").read_text("utf8")
ANSWERS = {
    "independence": 1 - 0.5**3,
    "geometric": np.exp(np.log([1, 4, 16]).mean()),
    "harmonic": 2 / (1 / 2 + 1 / 6),
    "log": np.log(1e6) / np.log(1e3),
    "error": 100 * (0.02 / 0.01) ** 2,
}


def test_the_questions_have_the_answers_that_they_say():
    asked = dict(
        re.findall(
            r"^:::\{quick\} \w+\n:name: quick-self_test-(\w+)\n(.*?)^:::$",
            SELF_TEST,
            re.M | re.S,
        )
    )
    assert len(asked) == 10
    numbers = {
        name: float(found[1])
        for name, text in asked.items()
        if (found := re.search(r":answer: (\S+)", text))
    }
    code = re.findall(r"`([^`]+)`", asked["python"])
    scope = {"np": np}
    for line in code[:2]:
        exec(line, scope)
    assert numbers == pytest.approx(ANSWERS | {"python": eval(code[2], scope)})
    assert np.zeros((1000, 5)).mean(axis=0).shape == (5,)
    assert "- [x] `(5,)`" in asked["axis"]
    x = np.array([1, 3])
    assert (1 / x).mean() == pytest.approx(2 / 3)
    assert 1 / x.mean() == 0.5
    assert r"- [x] $\E[1/X]$" in asked["jensen"]
