"""The guide for teachers: minutes and marks add up, and what it promises is there."""

import json
import re
from pathlib import Path

import pytest
from test_ways import BOXES, ORDER, REFERENCE, prose

ROOT = Path(__file__).parents[2]

CELLS = json.loads((ROOT / "chapters" / "teaching.ipynb").read_text("utf8"))["cells"]
PAGE = prose("teaching")
PLANS = PAGE.partition("(teaching-figures)=")[0]
TABLE = re.compile(r"^\| min \|.*\n\|[-:|]+\n((?:\|.*\n)+)", re.M)


def column(table: str) -> list[str]:
    """The first cells of the rows of a table."""
    return re.findall(r"^\| ([^|]+?) \|", table, re.M)


def part(label: str) -> str:
    """The words of one part of the page, up to the next label."""
    return re.search(rf"^\({label}\)=\n(.*?)(?=^\([\w-]+\)=$|\Z)", PAGE, re.M | re.S)[1]


# -- the plans -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("label", "meetings", "minutes"),
    [
        ("teaching-lecture", 1, 75),
        ("teaching-module", 4, 75),
        ("teaching-seminar", 8, 90),
    ],
)
def test_the_minutes_of_every_meeting_add_up(label, meetings, minutes):
    words = part(label)
    assert f"of {minutes} minutes" in words.partition("\n")[0]
    tables = TABLE.findall(words)
    assert len(tables) == meetings
    for table in tables:
        *each, total = column(table)
        assert total == f"**{minutes}**"
        assert sum(map(int, each)) == minutes
        assert min(map(int, each)) >= 5
    for word in ("Before", "Set"):
        assert words.count(f"**{word}**: ") == meetings
    assert words.count("**Ask**") >= meetings
    assert all("fig-" in table for table in tables)


READING = re.compile(r"\{ref\}`(\w+)`, (\d+)\u00a0min")
BEFORE = re.findall(r"^\*\*Before\*\*: (.*)$", PLANS, re.M)


@pytest.mark.parametrize("line", BEFORE)
def test_what_is_read_before_a_meeting_is_not_too_much(line):
    """At most an hour and a half, by the chapters' own minutes."""
    read = READING.findall(line)
    assert all(BOXES[name].read == int(minutes) for name, minutes in read)
    total = sum(int(minutes) for _, minutes in read)
    assert 0 < total <= 90
    hours = re.search(r"\((?:(\d)\sh)?\s?(?:(\d+)\smin)? in all\)", line)
    assert bool(hours) == (len(read) > 1)
    assert not hours or 60 * int(hours[1] or 0) + int(hours[2] or 0) == total


def test_a_class_has_read_what_its_chapters_need():
    """In the seminar, before its meeting or for it; one chapter is the doubter's."""
    before: set[str] = set()
    for line in re.findall(r"^\*\*Before\*\*: (.*)$", part("teaching-seminar"), re.M):
        new = [name for name, _ in READING.findall(line)]
        before |= set(REFERENCE.findall(line))
        for name in new:
            assert BOXES[name].needs <= before, name
    assert len(before) > 12


def test_every_exercise_that_is_set_has_its_stars():
    title = re.compile(r"^:::+\{exercise\} (★+) .*\n:label: (\S+)$", re.M)
    stars = {label: s for name in ORDER for s, label in title.findall(prose(name))}
    wanted = re.findall(r"(★*)\u00a0?\{ref\}`(ex-[\w-]+)`", PAGE)
    assert len(set(wanted)) > 50
    assert {(stars[label], label) for _, label in wanted} == set(wanted)


# -- figures and misconceptions ------------------------------------------------------


# -- the exam and the project --------------------------------------------------------

QUESTION = re.compile(
    r"::::\{dropdown\} Question (\d+)\. .+ \((\d+) marks\)\n:class-container: exam\n\n"
    r"About (.+)\.\n\n(.*?)"
    r":::\{dropdown\} Answers and marks\n(.*):::\n::::",
    re.S,
)
EXAM = [
    QUESTION.fullmatch("".join(c["source"]))
    for c in CELLS
    if c["id"].startswith("exam-question")
]
PART = re.compile(r"^(?:- )?\(([a-d])\) .*?\[(\d+)(?:: [^\]]*)?\]$", re.M)


def test_the_marks_of_the_exam_add_up_to_a_hundred():
    assert [int(question[1]) for question in EXAM] == list(range(1, 11))
    assert sum(int(question[2]) for question in EXAM) == 100
    for question in EXAM:
        asked, answered = PART.findall(question[4]), PART.findall(question[5])
        assert asked == answered
        assert "".join(letter for letter, _ in asked) == "abcd"[: len(asked)]
        assert sum(int(marks) for _, marks in asked) == int(question[2])
    chapters = {n for question in EXAM for n in re.findall(r"`(\w+)`", question[3])}
    assert len(chapters) > 10


def test_all_of_the_exam_is_for_teachers_alone():
    labelled = ["".join(c["source"]).startswith("(teaching-exam)=") for c in CELLS]
    start = labelled.index(True)
    end = next(
        n for n, c in enumerate(CELLS) if "(teaching-project)=" in "".join(c["source"])
    )
    inside = CELLS[start + 1 : end]
    assert len(inside) > 10
    for cell in CELLS:
        tagged = "instructor" in cell["metadata"].get("tags", [])
        assert tagged == (cell in inside), cell["id"]
    assert sum(c["cell_type"] == "code" for c in inside) >= 3


def test_the_marks_of_the_project_add_up_to_a_hundred():
    table = re.search(r"^\| marks \|.*\n\|[-:|]+\n((?:\|.*\n)+)", PAGE, re.M)[1]
    *each, total = column(table)
    assert total == "**100**"
    assert sum(map(int, each)) == 100


def test_the_commands_that_are_named_exist():
    made = re.findall(r"^([a-z-]+):.*##", (ROOT / "Makefile").read_text("utf8"), re.M)
    named = set(re.findall(r"`make ([a-z-]+)", part("teaching-logistics")))
    assert named <= set(made)
