"""The book as values: the only module that reads notebooks.

    book = model.read()
    book.chapter("nash").exercises[0].hint

Reading is lenient: what a chapter lacks is an empty string, an empty tuple or None, and
`chapter_rules` says what to write. Only what cannot be read at all raises a
`BookError`, with its file, its cell, the rule and the cure in one line.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from bookkit.config import ROOT
from bookkit.markdown import Directive, directives, heading, roles, targets

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

_TITLE = re.compile(r"(★*)\s*(?:([^:]+): )?(.*)")
_TRAINS = re.compile(r"^\*Trains\*: (.+)$", re.M)
CHECK = re.compile(r"\bcheck\(\s*\"([\w-]+)\"")
_SENTENCE = re.compile(r"[.;](?=\s|$)")
_READ = re.compile(r"(\d+)(?: minutes)? to read")
_WITH = re.compile(r"(\d+)(?: minutes)? with ")
_NOTES = re.compile(r"(\d+) min\. (\S.*)", re.S)
_SOLVING = "exercise", "solution", "solution-start", "solution-end"
_ITEM = re.compile(r"^- \[([ x])\] ", re.M)  # a choice, and the right one
_BREAK = re.compile(r"^-{3,}\s*$", re.M)  # what follows is why


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


def load(path: Path) -> dict[str, Any]:
    """A notebook as it is stored, to be changed and written again."""
    return _parsed(path, path.read_text("utf8"))


def _parsed(path: Path, text: str) -> dict[str, Any]:
    """A notebook from its text; a BookError if it has another format."""
    try:
        notebook: dict[str, Any] = json.loads(text)
        for cell in notebook["cells"]:
            _ = cell["cell_type"], cell["source"], cell["metadata"]
    except (ValueError, KeyError, TypeError) as error:
        cure = "open and save it in JupyterLab, or take its last version from git"
        rule = f"a chapter is a notebook of format 4, got {error!r}"
        raise BookError(Fault(_file(path), "", rule, cure)) from error
    return notebook


def dump(notebook: Mapping[str, Any]) -> str:
    """A notebook as it is written into its file."""
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def new_cell(id: str, kind: str, text: str, *tags: str) -> dict[str, Any]:
    """A cell as notebooks store it; one of code was not executed."""
    cell: dict[str, Any] = {"cell_type": kind, "id": id}
    cell["metadata"] = {"tags": list(tags)} if tags else {}
    if kind == "code":
        cell |= {"execution_count": None, "outputs": []}
    return cell | {"source": text.splitlines(keepends=True)}


def cells(notebook: Mapping[str, Any]) -> tuple[Cell, ...]:
    """The cells of a stored notebook."""
    return tuple(
        Cell(
            number=number,
            id=cell.get("id", ""),
            kind=cell["cell_type"],
            text="".join(cell["source"]).replace(BORDER, ""),
            tags=frozenset(cell["metadata"].get("tags", [])),
            metadata=cell["metadata"],
            count=cell.get("execution_count"),
            outputs=tuple(_output(output) for output in cell.get("outputs", [])),
        )
        for number, cell in enumerate(notebook["cells"], 1)
    )


def _output(output: Mapping[str, Any]) -> Output:
    """An output of a cell; streams have their text as text/plain."""
    data = dict(output.get("data", {}))
    if "text" in output:
        data["text/plain"] = output["text"]
    texts = {k: "".join(v) if isinstance(v, list) else str(v) for k, v in data.items()}
    glued = output.get("metadata", {}).get("scrapbook", {}).get("name", "")
    return Output(output["output_type"], output.get("name", ""), texts, glued)


def _file(path: Path) -> str:
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
        return _file(self.path)

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


# -- reading --------------------------------------------------------------------------


def read(root: Path = ROOT) -> Book:
    """The book in a folder."""
    order = contents(root)
    config = yaml.safe_load((root / "_config.yml").read_text("utf8"))
    notebooks = [root / "chapters" / f"{name}.ipynb" for name in order]
    others = [root / "chapters" / f"{name}.md" for name in order]
    return Book(
        root=root,
        order=order,
        descriptions=config["sphinx"]["config"]["page_descriptions"],
        chapters=tuple(chapter(path) for path in notebooks if path.is_file()),
        pages=tuple(chapter(path) for path in others if path.is_file()),
    )


def parts(root: Path = ROOT) -> Iterator[tuple[str, list[str]]]:
    """The captions and pages of _toc.yml; the first page has no caption."""
    toc = yaml.safe_load((root / "_toc.yml").read_text("utf8"))
    yield "", [Path(toc["root"]).name]
    for part in toc.get("parts", []):
        yield part["caption"], [Path(page["file"]).name for page in part["chapters"]]


def contents(root: Path = ROOT) -> tuple[str, ...]:
    """The names of chapters and other pages, in the order of _toc.yml."""
    return tuple(name for _, names in parts(root) for name in names)


def chapter(path: Path) -> Chapter:
    """The chapter in a file."""
    return _chapter(path, path.read_text("utf8"))


@lru_cache(maxsize=256)
def _chapter(path: Path, text: str) -> Chapter:
    """A chapter from the text of its file, which is the key of the cache."""
    if path.suffix == ".ipynb":
        notebook_cells = cells(_parsed(path, text))
    else:
        notebook_cells = (Cell(number=0, id="", kind="markdown", text=text),)
    solved = solutions(notebook_cells, _file(path))
    texts = [cell for cell in notebook_cells if cell.is_text]
    blocks = [(cell, block) for cell in texts for block in cell.directives]
    return Chapter(
        name=path.stem,
        path=path,
        title=next((title for cell in texts if (title := heading(cell.text))), ""),
        cells=notebook_cells,
        labels=tuple(label for cell in texts for label in targets(cell.text)),
        box=next((_box(c, b) for c, b in blocks if b.has_class("learn")), None),
        exercises=tuple(
            _exercise(c, b, solved) for c, b in blocks if b.name == "exercise"
        ),
        solutions=tuple(solved.values()),
        questions=tuple(_question(c, b) for c, b in blocks if b.name == "quick"),
        figures=tuple(
            figure(c) for c in notebook_cells if c.is_drawn or _mystnb(c, "figure")
        ),
        statements=tuple(
            Statement(cell=c, kind=STATEMENTS[b.name], label=b.label)
            for c, b in blocks
            if b.name in STATEMENTS
        ),
        slides=tuple(slides(notebook_cells)),
    )


def _box(cell: Cell, block: Directive) -> Box:
    """What the box at the head of a chapter says."""
    before, need, rest = block.body.partition("**You need**")
    needs, _, time = (rest if need else before).partition("**Time**:")
    learn = (before if need else needs).partition("**You will learn**")[2]
    first = _SENTENCE.split(needs)[0] if need else ""
    reading, running = _READ.search(time), _WITH.search(time)
    return Box(
        cell=cell,
        learn=learn.strip(),
        needs=roles(first, "ref", "prf:ref", "numref"),
        time=time.strip(),
        minutes=int(reading[1]) if reading else None,
        with_cells=int(running[1]) if running else None,
        says_needs=bool(needs.strip()) if need else False,
    )


def _exercise(cell: Cell, block: Directive, solved: Mapping[str, Solution]) -> Exercise:
    """An exercise with its solution, if one names its label."""
    match = _TITLE.fullmatch(block.argument)
    stars, kind, title = match.groups() if match else ("", "", block.argument)
    if kind not in EXERCISES:
        kind, title = "", block.argument.lstrip("★ ")
    inside = directives(block.content)
    hints = [b.body for b in inside if b.argument.lower().startswith("hint")]
    trains = _TRAINS.search(block.body)
    return Exercise(
        cell=cell,
        label=block.label,
        stars=len(stars),
        kind=kind,
        title=title,
        trains=trains[1] if trains else "",
        hint=hints[0] if hints else "",
        checks=tuple(CHECK.findall(block.body)),
        solution=solved.get(block.label),
    )


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


def solutions(cells: tuple[Cell, ...], file: str) -> dict[str, Solution]:
    """The solutions of a chapter, by the labels of their exercises.

    What stands between `solution-start` and `solution-end` may reach over several
    cells. Cells with the tag `solution` belong to the solution before them.
    """
    solved: dict[str, Solution] = {}
    last = ""  # the label of the last solution; none since the last exercise
    opened: Cell | None = None  # where it was opened, until it is closed
    for piece in _pieces(cells):
        cell = piece.cell
        if piece.kind == "text" and opened:
            solved[last] = _longer(solved[last], piece.text)
        elif piece.kind == "code" and (opened or (last and "solution" in cell.tags)):
            solved[last] = _longer(solved[last], "", cell)
        elif piece.kind == "solution-end":
            if not opened:
                raise _unbalanced(file, cell, "solution-start")
            opened = None
        elif piece.kind in _SOLVING:
            if opened:
                raise _unbalanced(file, opened, f"solution-end for {last!r}")
            last = "" if piece.kind == "exercise" else piece.label
            opened = cell if piece.kind == "solution-start" else None
            if piece.kind != "exercise":
                solved[last] = Solution(label=last, cell=cell, text=piece.text)
    if opened:
        raise _unbalanced(file, opened, f"solution-end for {last!r}")
    return solved


class _Piece(NamedTuple):
    """A directive of `_SOLVING`, with the label that it names, or `text` or `code`."""

    kind: str
    cell: Cell
    label: str = ""
    text: str = ""


def _pieces(cells: tuple[Cell, ...]) -> Iterator[_Piece]:
    """Where exercises and solutions begin and end, and what stands between."""
    for cell in cells:
        if cell.is_code:
            yield _Piece("code", cell)
            continue
        lines, done = cell.text.split("\n"), 0
        for block in cell.directives:
            if block.name in _SOLVING:
                before = "\n".join(lines[done : block.start])
                yield _Piece("text", cell, text=before)
                body = block.body if block.name == "solution" else ""
                yield _Piece(block.name, cell, block.argument, body)
                done = block.end
        yield _Piece("text", cell, text="\n".join(lines[done:]))


def _longer(solution: Solution, text: str, *more: Cell) -> Solution:
    """A solution with more text and more cells."""
    words = "\n\n".join(part for part in (solution.text, text.strip()) if part)
    return replace(solution, text=words, cells=(*solution.cells, *more))


def _unbalanced(file: str, cell: Cell, lacks: str) -> BookError:
    """A solution that is opened or closed alone."""
    rule = f"solution-start and solution-end belong together, got no {lacks}"
    cure = "write :::{solution-start} ex-..., the solution, and :::{solution-end}"
    return BookError(Fault(file, cell.place, rule, cure))


def slides(cells: tuple[Cell, ...]) -> Iterator[Slide]:
    """What the cells of a chapter have for slides, in their order."""
    for cell in cells:
        if cell.number == 1:
            kind = "title"
        elif cell.slide_type == "slide":
            kind = "cell" if cell.is_code else "piece"
        elif any(block.has_class("remember") for block in cell.directives):
            kind = "remember"
        else:
            continue
        told = cell.metadata.get("slide", {})
        for words in told if isinstance(told, list) else [told]:
            notes, title = str(words.get("notes", "")), str(words.get("title", ""))
            yield Slide(cell, kind, notes, title)


def asked(kind: str, body: str) -> Asked:
    """The words of a question of a kind; a number has no items."""
    before, *why = _BREAK.split(body)
    question, *items = _ITEM.split(before) if kind == "choose" else [before]
    return Asked(
        question=question.strip(),
        items=tuple(item.strip() for item in items[1::2]),
        marks=tuple(items[::2]),
        why=why[0].strip() if len(why) == 1 else "",
    )


def _question(cell: Cell, block: Directive) -> Question:
    """A question; its answer is the right item, or the option `answer`."""
    words = asked(block.argument, block.body)
    right = dict(zip(words.marks, words.items, strict=True)).get("x")
    return Question(
        cell=cell,
        kind=block.argument,
        name=block.label,
        predict="predict" in block.options,
        asked=words.question,
        answer=right or block.options.get("answer", ""),
    )


def _mystnb(cell: Cell, name: str) -> Mapping[str, Any]:
    """What the metadata of a cell say to MyST-NB of its picture."""
    options = cell.metadata.get("mystnb", {}).get(name, {})
    return options if isinstance(options, dict) else {}


def figure(cell: Cell) -> Figure:
    """The picture of a cell; its words are empty where it has none."""
    words, image = _mystnb(cell, "figure"), _mystnb(cell, "image")
    return Figure(
        cell=cell,
        name=str(words.get("name", "")),
        caption=str(words.get("caption", "")),
        alt=str(image.get("alt", "")),
    )
