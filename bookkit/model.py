"""The book as values: its cells, what stands in a chapter, and what breaks a rule."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from bookkit.markdown import Directive, directives

EXERCISES = {
    "Warm-up": "a minute or two, to see that the chapter was understood",
    "By hand": "paper and pencil",
    "By code": "a cell or two, with the library",
    "Questioning a hypothesis": "what if an assumption is dropped?",
    "Open question": "nobody knows; what can be said?",
}  # the kinds of exercises
_PROVED = "theorem", "proposition", "lemma", "corollary", "definition", "algorithm"
# Directives, and what each states
STATEMENTS = {**{f"prf:{kind}": kind for kind in _PROVED}, "erratum": "erratum"}
CUT = {"solution", "instructor"}  # tags of cells that students do not get
DRAWN = {"image/png", "image/svg+xml"}
BORDER = "<!--slide-->"  # in a source: before, between and after a text's slides
CHECK = re.compile(r"\bcheck\(\s*\"([\w-]+)\"")
_NOTES = re.compile(r"(\d+) min\. (\S.*)", re.S)


# -- what is wrong --------------------------------------------------------------------


@dataclass(frozen=True)
class Fault:
    """A rule that a file breaks: where, which rule, and what to write instead."""

    file: str
    cell: str
    rule: str
    cure: str

    def __str__(self) -> str:
        place = f"{self.file}, cell {self.cell}" if self.cell else self.file
        return f"{place}: {self.rule}; {self.cure}"


class BookError(ValueError):
    """A file that cannot be read, told in one line."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(str(fault))
        self.fault = fault


# -- cells ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Output:
    """What a cell showed: its kind in the notebook, and texts by their MIME type.

    What was glued into sentences has a name.
    """

    kind: str
    stream: str
    data: Mapping[str, str]
    glued: str = ""


@dataclass(frozen=True)
class Cell:
    """A cell of a notebook. `number` counts from 1; a page that is none is cell 0."""

    number: int
    id: str
    kind: str
    text: str
    tags: frozenset[str] = frozenset()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    count: int | None = None
    outputs: tuple[Output, ...] = ()

    @property
    def is_code(self) -> bool:
        return self.kind == "code"

    @property
    def is_text(self) -> bool:
        return self.kind == "markdown"

    @property
    def place(self) -> str:
        """What an error calls it: its number, and its id if it has one."""
        return f"{self.number} ({self.id})" if self.id else str(self.number or "")

    @property
    def slide_type(self) -> str:
        """What Jupyter knows it as in a slide show."""
        return str(self.metadata.get("slideshow", {}).get("slide_type", ""))

    @property
    def directives(self) -> tuple[Directive, ...]:
        """Those of a cell of text, each before those inside it; code has none."""
        return directives(self.text) if self.is_text else ()

    @property
    def is_drawn(self) -> bool:
        """Whether it shows a picture."""
        return any(DRAWN & output.data.keys() for output in self.outputs)


def file_name(path: Path) -> str:
    """A file as errors name it, from the root of the book."""
    return f"{path.parent.name}/{path.name}"


# -- what stands in a chapter ---------------------------------------------------------


@dataclass(frozen=True)
class Box:
    """The box at the head of a chapter: what one learns, needs, and how long it takes.

    Only the first sentence of **You need** counts; what follows it only helps.
    """

    cell: Cell
    learn: str
    needs: tuple[str, ...]  # labels
    time: str
    minutes: int | None  # to read
    with_cells: int | None  # to read and run
    says_needs: bool


@dataclass(frozen=True)
class Checked:
    """The answer that `pm.check` knows: its cell, and what the cell's metadata say."""

    cell: Cell
    name: str
    asks: str
    figures: int | None  # 0 for whole numbers
    must: str = ""  # the property, where every value that has it is right


@dataclass(frozen=True)
class Solution:
    """The solution of the exercise with this label: its text and its cells of code."""

    label: str
    cell: Cell
    text: str
    cells: tuple[Cell, ...] = ()

    @property
    def checked(self) -> Checked | None:
        """The answer for `pm.check`, if one of the cells computes it."""
        return next((_checked(c) for c in self.cells if "answer" in c.metadata), None)


@dataclass(frozen=True)
class Exercise:
    """An exercise: its title is written "★★ By code: narrower is earlier".

    `checks` are the names with which its text asks `pm.check`.
    """

    cell: Cell
    label: str
    stars: int
    kind: str
    title: str
    trains: str
    hint: str
    checks: tuple[str, ...]
    solution: Solution | None

    @property
    def checked(self) -> Checked | None:
        """The answer for `pm.check`, if its solution computes one."""
        return self.solution.checked if self.solution else None


@dataclass(frozen=True)
class Asked:
    """The words of a quick question; why is nothing without its one line `---`."""

    question: str
    items: tuple[str, ...]
    marks: tuple[str, ...]  # of the items: x if it is right, or a blank
    why: str


@dataclass(frozen=True)
class Question:
    """A quick question: `choose` one of the items, or guess a `number`."""

    cell: Cell
    kind: str
    name: str
    predict: bool
    asked: str
    answer: str


@dataclass(frozen=True)
class Figure:
    """A picture that a cell draws, with its words."""

    cell: Cell
    name: str
    caption: str
    alt: str


@dataclass(frozen=True)
class Statement:
    """A theorem, a lemma, an erratum, ...: its number is the page's business."""

    cell: Cell
    kind: str
    label: str


@dataclass(frozen=True)
class Slide:
    """What of a chapter goes onto a slide, and what the speaker says.

    Its kind is `title` (the first cell), `piece` (of the text), `cell` (what a cell of
    code shows) or `remember`.
    """

    cell: Cell
    kind: str
    notes: str = ""
    title: str = ""

    @property
    def minutes(self) -> int | None:
        """How long the notes take, or None where they do not begin with it."""
        match = _NOTES.fullmatch(self.notes.strip())
        return int(match[1]) if match else None

    @property
    def words(self) -> str:
        """The notes without their minutes, or nothing where they do not begin so."""
        match = _NOTES.fullmatch(self.notes.strip())
        return match[2] if match else ""


@dataclass(frozen=True)
class Chapter:
    """A notebook of the book, or another page of it, which has one cell."""

    name: str
    path: Path
    title: str
    cells: tuple[Cell, ...]
    labels: tuple[str, ...]
    box: Box | None
    exercises: tuple[Exercise, ...]
    solutions: tuple[Solution, ...]
    questions: tuple[Question, ...]
    figures: tuple[Figure, ...]
    statements: tuple[Statement, ...]
    slides: tuple[Slide, ...]

    @property
    def remembers(self) -> bool:
        """Whether it says what to remember."""
        return any(slide.kind == "remember" for slide in self.slides)

    @property
    def has_deck(self) -> bool:
        """Whether there are slides of it, beside those that every chapter has."""
        return any(slide.kind in ("piece", "cell") for slide in self.slides)

    @property
    def file(self) -> str:
        """What an error calls it: its file, from the root of the book."""
        return file_name(self.path)

    @property
    def text(self) -> str:
        """All that its cells of text say."""
        return "\n\n".join(cell.text for cell in self.cells if cell.is_text)

    @property
    def code(self) -> tuple[Cell, ...]:
        """Its cells of code."""
        return tuple(cell for cell in self.cells if cell.is_code)

    def blocks(self, *names: str) -> Iterator[tuple[Cell, Directive]]:
        """Its directives of these names, each with its cell."""
        for cell in self.cells:
            for block in cell.directives:
                if block.name in names:
                    yield cell, block


@dataclass(frozen=True)
class Book:
    """The notebooks (`chapters`) and the other pages, in the order of _toc.yml.

    `descriptions` are the `page_descriptions` of _config.yml.
    """

    root: Path
    order: tuple[str, ...]
    descriptions: Mapping[str, str]
    chapters: tuple[Chapter, ...]
    pages: tuple[Chapter, ...]

    def chapter(self, name: str) -> Chapter:
        """The chapter of this name; a ValueError lists those that there are."""
        for chapter in self.chapters:
            if chapter.name == name:
                return chapter
        names = ", ".join(chapter.name for chapter in self.chapters)
        raise ValueError(f"name must be a chapter of the book ({names}), got {name!r}")

    def page(self, name: str) -> Chapter:
        """The page of this name that is no notebook."""
        for page in self.pages:
            if page.name == name:
                return page
        raise ValueError(f"name must be a page that is no notebook, got {name!r}")

    @cached_property
    def homes(self) -> Mapping[str, str]:
        """The chapter or page in which each label `(name)=` stands."""
        pages = (*self.chapters, *self.pages)
        return {label: page.name for page in pages for label in page.labels}

    def needs(self, chapter: Chapter) -> set[str]:
        """The chapters that a chapter needs, by the box at its head."""
        labels = chapter.box.needs if chapter.box else ()
        return {self.homes[label] for label in labels if label in self.homes}


def errata_row(label: str) -> str:
    """The label of the row in the chapter `errata` that the block of an erratum has."""
    return label.replace("err-", "errata-", 1)


def _checked(cell: Cell) -> Checked:
    """What the metadata `answer` of a cell say, whole or not."""
    answer = cell.metadata["answer"]
    options = answer if isinstance(answer, dict) else {}
    figures = options.get("figures")
    return Checked(
        cell=cell,
        name=str(options.get("name", "")),
        asks=str(options.get("asks", "")),
        figures=figures if type(figures) is int and figures >= 0 else None,
        must=str(options.get("must", "")),
    )
