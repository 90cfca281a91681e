"""The guide for teachers: minutes and marks add up, and what it promises is there."""

import re

import pytest

from bookkit import config, markdown, reading

CHAPTER = reading.read().chapter("teaching")
PAGE = CHAPTER.text
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


READING = re.compile(r"\{ref\}`(\w+)`, (\d+)\u00a0min")
BEFORE = re.findall(r"^\*\*Before\*\*: (.*)$", PLANS, re.M)


@pytest.mark.parametrize("line", BEFORE)
def test_what_is_read_before_a_meeting_is_not_too_much(line, boxes):
    """At most an hour and a half, by the chapters' own minutes."""
    read = READING.findall(line)
    assert all(boxes[name].minutes == int(minutes) for name, minutes in read)
    total = sum(int(minutes) for _, minutes in read)
    assert 0 < total <= 90
    hours = re.search(r"\((?:(\d)\sh)?\s?(?:(\d+)\smin)? in all\)", line)
    assert bool(hours) == (len(read) > 1)
    assert not hours or 60 * int(hours[1] or 0) + int(hours[2] or 0) == total


def test_a_class_has_read_what_its_chapters_need(book):
    """In the seminar, before its meeting or for it; one chapter is the doubter's."""
    before: set[str] = set()
    for line in re.findall(r"^\*\*Before\*\*: (.*)$", part("teaching-seminar"), re.M):
        new = [name for name, _ in READING.findall(line)]
        before |= set(markdown.roles(line, "ref"))
        for name in new:
            assert book.needs(book.chapter(name)) <= before, name
    assert len(before) > 12


def test_every_exercise_that_is_set_has_its_stars(book):
    stars = {e.label: "★" * e.stars for c in book.chapters for e in c.exercises}
    wanted = re.findall(r"(★*)\u00a0?\{ref\}`(ex-[\w-]+)`", PAGE)
    assert len(set(wanted)) > 50
    assert {(stars[label], label) for _, label in wanted} == set(wanted)


# -- the exam and the project --------------------------------------------------------

HEAD = re.compile(r"Question (\d+)\. .+ \((\d+) marks\)")
EXAM = [  # number, marks, what it is about, what it asks, what is answered
    (*HEAD.fullmatch(block.argument).groups(), about, asked, answers.body)
    for cell, block in CHAPTER.blocks("dropdown")
    if cell.id.startswith("exam-question") and block.depth == 0
    for answers in markdown.directives(block.content)
    for about, _, asked in [block.body.partition(":::{")[0].partition("\n\n")]
]
PART = re.compile(r"^(?:- )?\(([a-d])\) .*?\[(\d+)(?:: [^\]]*)?\]$", re.M)


def test_the_marks_of_the_exam_add_up_to_a_hundred():
    assert [int(number) for number, *_ in EXAM] == list(range(1, 11))
    assert sum(int(marks) for _, marks, *_ in EXAM) == 100
    for _, marks, _, asked, answered in EXAM:
        parts = PART.findall(asked)
        assert parts == PART.findall(answered)
        assert "".join(letter for letter, _ in parts) == "abcd"[: len(parts)]
        assert sum(int(each) for _, each in parts) == int(marks)
    chapters = {
        name for _, _, about, *_ in EXAM for name in markdown.roles(about, "ref")
    }
    assert len(chapters) > 10


def test_all_of_the_exam_is_for_teachers_alone():
    cells = CHAPTER.cells
    parts = [markdown.targets(cell.text) if cell.is_text else () for cell in cells]
    start = next(n for n, labels in enumerate(parts) if "teaching-exam" in labels)
    end = next(n for n, labels in enumerate(parts) if "teaching-project" in labels)
    inside = CHAPTER.cells[start + 1 : end]
    assert len(inside) > 10
    for cell in CHAPTER.cells:
        assert ("instructor" in cell.tags) == (cell in inside), cell.id
    assert sum(cell.is_code for cell in inside) >= 3


def test_the_marks_of_the_project_add_up_to_a_hundred():
    table = re.search(r"^\| marks \|.*\n\|[-:|]+\n((?:\|.*\n)+)", PAGE, re.M)[1]
    *each, total = column(table)
    assert total == "**100**"
    assert sum(map(int, each)) == 100


def test_the_commands_that_are_named_exist():
    made = re.findall(
        r"^([a-z-]+):.*##", (config.ROOT / "Makefile").read_text("utf8"), re.M
    )
    named = set(re.findall(r"`make ([a-z-]+)", part("teaching-logistics")))
    assert named <= set(made)
