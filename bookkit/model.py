"""The book as values: the only module that reads notebooks and their directives.

    book = model.read(model.ROOT)
    book.chapter("nash").exercises[0].hint

Text is read by the Markdown parser that makes the pages, so both find the same
directives. Reading is lenient: what a chapter lacks is an empty string, an empty tuple
or None, and `bookkit.rules` says what to write. Only what cannot be read at all raises
a `BookError`, with its file, its cell, the rule and the cure in one line.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import yaml
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser

ROOT = Path(__file__).parents[1]
EXERCISES = {
    "Warm-up": "a minute or two, to see that the chapter was understood",
    "By hand": "paper and pencil",
    "By code": "a cell or two, with the library",
    "Questioning a hypothesis": "what if an assumption is dropped?",
    "Open question": "nobody knows; what can be said?",
}  # the kinds of exercises
STATEMENTS = {
    "prf:theorem": "theorem",
    "prf:proposition": "proposition",
    "prf:lemma": "lemma",
    "prf:corollary": "corollary",
    "prf:definition": "definition",
    "prf:algorithm": "algorithm",
    "erratum": "erratum",
}  # directives, and what each states
CUT = {"solution", "instructor"}  # tags of cells that students do not get
DRAWN = {"image/png", "image/svg+xml"}

CONFIG: Mapping[str, Any] = yaml.safe_load((ROOT / "_config.yml").read_text("utf8"))
_PARSER = create_md_parser(
    MdParserConfig(enable_extensions=set(CONFIG["parse"]["myst_enable_extensions"])),
    RendererHTML,
)
_DIRECTIVE = re.compile(r"\{([\w:-]+)\}\s*(.*)")
_OPTION = re.compile(r":([\w-]+):\s*(.*)")
_LITERAL = {"code", "code-block", "code-cell", "eval-rst", "literalinclude", "math"}
_TITLE = re.compile(r"(★*)\s*(?:([^:]+): )?(.*)")
_TRAINS = re.compile(r"^\*Trains\*: (.+)$", re.M)
CHECK = re.compile(r"\bcheck\(\s*\"([\w-]+)\"")
_TARGET = re.compile(r"(?:.*<)?([^<>]+)>?", re.S)  # of a role: `words <target>`
_SENTENCE = re.compile(r"[.;](?=\s|$)")
_READ = re.compile(r"(\d+)(?: minutes)? to read")
_WITH = re.compile(r"(\d+)(?: minutes)? with ")
_NOTES = re.compile(r"(\d+) min\. (\S.*)", re.S)
_ITEM = re.compile(r"- \[([ x])\] ")  # of a question: a choice, and the right one
_BREAK = re.compile(r"-{3,}\s*")  # of a question: what follows is why


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


# -- text -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Directive:
    """A fence with a name in braces; `depth` counts the directives around it.

    `start` and `end` are its lines in the text, `content` what stands between its
    fences, with its options.
    """

    name: str
    argument: str
    start: int
    end: int
    depth: int
    content: str

    @property
    def label(self) -> str:
        """What references call it: the option `label` or `name`."""
        return self.options.get("label") or self.options.get("name", "")

    @cached_property
    def options(self) -> Mapping[str, str]:
        return {name: value for _, name, value in self.option_lines}

    @cached_property
    def option_lines(self) -> tuple[tuple[int, str, str], ...]:
        """The options: the line of each in the text, its name and its value."""
        found = []
        for number, line in enumerate(self.content.split("\n"), self.start + 1):
            if not (option := _OPTION.fullmatch(line.strip())):
                break
            found.append((number, option[1], option[2]))
        return tuple(found)

    @property
    def body(self) -> str:
        """What stands in it below its options."""
        lines = self.content.split("\n")
        return "\n".join(lines[len(self.option_lines) :]).strip("\n")

    def has_class(self, name: str) -> bool:
        return name in self.options.get("class", "").split()


@lru_cache(maxsize=4096)
def _parse(text: str) -> tuple[Token, ...]:
    return tuple(_PARSER.parse(text))


@lru_cache(maxsize=4096)
def directives(text: str, first: int = 0, depth: int = 0) -> tuple[Directive, ...]:
    """The directives of a text, as the parser of the pages finds them."""
    found: list[Directive] = []
    for token in _parse(text):
        fence = _DIRECTIVE.match(token.info.strip()) if "fence" in token.type else None
        if fence and token.map:
            start, end = (first + line for line in token.map)
            name, argument = fence[1], fence[2].strip()
            found.append(Directive(name, argument, start, end, depth, token.content))
            if name not in _LITERAL:
                found += directives(token.content, start + 1, depth + 1)
    return tuple(found)


def targets(text: str) -> tuple[str, ...]:
    """The labels `(name)=` of a text, those inside its directives too."""
    return tuple(t.content for t in _tokens(text) if t.type == "myst_target")


def roles(text: str, *names: str) -> tuple[str, ...]:
    """Where the roles of these names, such as `ref`, lead to.

    Those outside of directives come first.
    """
    found: list[str] = []
    for token in _tokens(text):
        if token.type == "myst_role" and token.meta["name"] in names:
            target = _TARGET.fullmatch(token.content)
            found.append(target[1] if target else token.content)
    return tuple(found)


def anchors(text: str) -> tuple[str, ...]:
    """The ids that a text gives to some of its words: `[words]{#id}`."""
    return tuple(str(t.attrs["id"]) for t in _tokens(text) if "id" in t.attrs)


def _tokens(text: str) -> Iterator[Token]:
    """What a text and the directives in it are made of, down to single words."""
    inside = (block.content for block in directives(text) if block.name not in _LITERAL)
    for one in (text, *inside):
        yield from _inline(_parse(one))


def _inline(tokens: Iterable[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from _inline(token.children or [])


def heading(text: str) -> str:
    """The first heading of a text, as it is written."""
    tokens = _parse(text)
    places = (n for n, token in enumerate(tokens) if token.type == "heading_open")
    place = next(places, None)
    return "" if place is None else tokens[place + 1].content


# -- cells ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Output:
    """What a cell showed: its kind in the notebook, and texts by their MIME type."""

    kind: str
    stream: str
    data: Mapping[str, str]


@dataclass(frozen=True)
class Cell:
    """A cell of a notebook. `number` counts from 1."""

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
        return f"{self.number} ({self.id})" if self.id else str(self.number)

    @property
    def directives(self) -> tuple[Directive, ...]:
        return directives(self.text) if self.is_text else ()

    @property
    def is_drawn(self) -> bool:
        """Whether it shows a picture."""
        return any(DRAWN & output.data.keys() for output in self.outputs)


def load(path: Path) -> dict[str, Any]:
    """A notebook as it is stored, for whoever writes it anew."""
    return _parsed(path, path.read_text("utf8"))


def _parsed(path: Path, text: str) -> dict[str, Any]:
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


def cells(notebook: Mapping[str, Any]) -> tuple[Cell, ...]:
    """The cells of a stored notebook."""
    return tuple(
        Cell(
            number,
            cell.get("id", ""),
            cell["cell_type"],
            "".join(cell["source"]),
            frozenset(cell["metadata"].get("tags", [])),
            cell["metadata"],
            cell.get("execution_count"),
            tuple(_output(output) for output in cell.get("outputs", [])),
        )
        for number, cell in enumerate(notebook["cells"], 1)
    )


def _output(output: Mapping[str, Any]) -> Output:
    data = dict(output.get("data", {}))
    if "text" in output:
        data["text/plain"] = output["text"]
    texts = {k: "".join(v) if isinstance(v, list) else str(v) for k, v in data.items()}
    return Output(output["output_type"], output.get("name", ""), texts)


def _file(path: Path) -> str:
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
    needs_told: bool


@dataclass(frozen=True)
class Checked:
    """The answer that `pm.check` knows: its cell, and what the cell's metadata say."""

    cell: Cell
    told: Mapping[str, Any]

    @property
    def name(self) -> str:
        return str(self.told.get("name", ""))


@dataclass(frozen=True)
class Solution:
    """The solution of the exercise with this label: its text and its cells of code."""

    label: str
    cell: Cell
    text: str
    cells: tuple[Cell, ...]

    @property
    def checked(self) -> Checked | None:
        """The answer for `pm.check`, if one of the cells computes it."""
        told = ((cell, cell.metadata.get("answer")) for cell in self.cells)
        return next((Checked(cell, answer) for cell, answer in told if answer), None)


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
    text: str
    trains: str
    hint: str
    checks: tuple[str, ...]
    solution: Solution | None

    @property
    def checked(self) -> Checked | None:
        """The answer for `pm.check`, if its solution computes one."""
        return self.solution.checked if self.solution else None


@dataclass(frozen=True)
class Question:
    """A quick question: `choose` one of the items, or guess a `number`."""

    cell: Cell
    kind: str
    name: str
    predict: bool
    asked: str
    items: tuple[str, ...]
    answer: str
    why: str


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
    title: str


@dataclass(frozen=True)
class Slide:
    """What of a chapter goes onto a slide, and what the speaker says.

    Its kind is `title` (the first cell), `piece` (what a `{slide}` wraps), `cell` (what
    a code cell with the tag `slide` shows) or `remember`.
    """

    cell: Cell
    kind: str
    notes: str = ""
    title: str = ""

    @property
    def minutes(self) -> int | None:
        """How long the notes take, or None where they do not begin with it."""
        told = _NOTES.fullmatch(self.notes.strip())
        return int(told[1]) if told else None

    @property
    def words(self) -> str:
        told = _NOTES.fullmatch(self.notes.strip())
        return told[2] if told else ""


@dataclass(frozen=True)
class Chapter:
    """A notebook of the book."""

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
        return _file(self.path)

    @property
    def text(self) -> str:
        """All that its cells of text say."""
        return "\n\n".join(cell.text for cell in self.cells if cell.is_text)

    @property
    def code(self) -> tuple[Cell, ...]:
        return tuple(cell for cell in self.cells if cell.is_code)

    def blocks(self, *names: str) -> Iterator[tuple[Cell, Directive]]:
        """Its directives of these names, each with its cell."""
        for cell in self.cells:
            for block in cell.directives:
                if block.name in names:
                    yield cell, block


@dataclass(frozen=True)
class Page:
    """A page of the book that is no notebook."""

    name: str
    path: Path
    text: str
    title: str
    labels: tuple[str, ...]
    questions: tuple[Question, ...]


@dataclass(frozen=True)
class Book:
    """All chapters and other pages, in the order of _toc.yml.

    `descriptions` are the `page_descriptions` of _config.yml.
    """

    root: Path
    order: tuple[str, ...]
    descriptions: Mapping[str, str]
    chapters: tuple[Chapter, ...]
    pages: tuple[Page, ...]

    def chapter(self, name: str) -> Chapter:
        for chapter in self.chapters:
            if chapter.name == name:
                return chapter
        known = ", ".join(chapter.name for chapter in self.chapters)
        raise ValueError(f"name must be a chapter of the book ({known}), got {name!r}")

    def page(self, name: str) -> Page:
        for page in self.pages:
            if page.name == name:
                return page
        raise ValueError(f"name must be a page that is no notebook, got {name!r}")

    @cached_property
    def homes(self) -> Mapping[str, str]:
        """The chapter or page in which each label `(name)=` stands."""
        every: tuple[Chapter | Page, ...] = (*self.chapters, *self.pages)
        return {label: one.name for one in every for label in one.labels}

    def needs(self, chapter: Chapter) -> set[str]:
        """The chapters that a chapter needs, by the box at its head."""
        labels = chapter.box.needs if chapter.box else ()
        return {self.homes[label] for label in labels if label in self.homes}


GRAMMAR: Mapping[type, str] = {
    Box: "in the first cell, below `(name)=` and `# Title`: "
    "`:::{admonition} In this chapter` with `:class: learn`, and in it "
    "`**You will learn** ...`, `**You need** ...` (its first sentence names earlier "
    "chapters, by `` {ref}`name` ``) and `**Time**: 30 minutes to read, 45 with the "
    "cells.`",
    Question: "`:::{quick} choose` or `number`, with `:name: quick-<chapter>-...`; "
    "`:predict:` if it comes before a figure; what follows a line `---` is why",
    Figure: "a code cell that draws, with the metadata `mystnb`: `figure` with `name` "
    "(`fig-...`) and `caption`, `image` with `alt`",
    Statement: "`:::{prf:theorem} Title` (lemma, ...) or `:::{erratum} Title`, with "
    "`:label: ...`",
    Exercise: "`::::{exercise} ★★ By code: its title` with `:label: ex-...`, a line "
    "`*Trains*: ...` and in it `:::{dropdown} Hint`",
    Solution: "`:::{solution} ex-...`; or, with cells of its own, `:::{solution-start} "
    "ex-...` before and `:::{solution-end}` after them. A cell with the tag `solution` "
    "goes where solutions go",
    Checked: "a cell of a solution with the metadata "
    '`"answer": {"name": ..., "asks": ..., "figures": 3}`; it assigns `answer`, has a '
    'line `assert pm.check("name", answer)`; the exercise says `pm.check("name", x)`. '
    "The name is the label without `ex-`",
    Slide: "`:::{slide} Title` around part of the page, or the tag `slide` on a cell, "
    "with `:notes: 2 min. ...`, or the metadata "
    '`"slide": {"notes": "2 min. ..."}` of the cell',
}  # what stands in a chapter, and how it is written


def grammar() -> str:
    """The grammar of a chapter as a table, for CONTRIBUTING.md."""
    rows = [f"| {kind.__name__} | {written} |" for kind, written in GRAMMAR.items()]
    kinds = [f"*{kind}* ({what})" for kind, what in EXERCISES.items()]
    end = "Exercises are of these kinds: " + "; ".join(kinds) + "."
    return "\n".join(["| what | how it is written |", "|---|---|", *rows, "", end])


# -- reading --------------------------------------------------------------------------


def read(root: Path = ROOT) -> Book:
    """The book in a folder."""
    order = contents(root)
    told = yaml.safe_load((root / "_config.yml").read_text("utf8"))
    paths = [root / "chapters" / f"{name}.ipynb" for name in order]
    others = [root / "chapters" / f"{name}.md" for name in order]
    return Book(
        root,
        order,
        told["sphinx"]["config"]["page_descriptions"],
        tuple(chapter(path) for path in paths if path.is_file()),
        tuple(_page(path, path.read_text("utf8")) for path in others if path.is_file()),
    )


def contents(root: Path = ROOT) -> tuple[str, ...]:
    """The names of chapters and other pages, in the order of _toc.yml."""
    listed = yaml.safe_load((root / "_toc.yml").read_text("utf8"))
    parts = [entry for part in listed.get("parts", []) for entry in part["chapters"]]
    files = [listed["root"], *(entry["file"] for entry in parts)]
    return tuple(Path(file).name for file in files)


def chapter(path: Path) -> Chapter:
    """The chapter in a notebook."""
    return _chapter(path, path.read_text("utf8"))


@lru_cache(maxsize=256)
def _chapter(path: Path, text: str) -> Chapter:
    """A chapter from the text of its file, which is the key of the cache."""
    found = cells(_parsed(path, text))
    solved = solutions(found, _file(path))
    words = [cell for cell in found if cell.is_text]
    blocks = [(cell, block) for cell in words for block in cell.directives]
    return Chapter(
        path.stem,
        path,
        next((title for cell in words if (title := heading(cell.text))), ""),
        found,
        tuple(label for cell in words for label in targets(cell.text)),
        next((_box(c, b) for c, b in blocks if b.has_class("learn")), None),
        tuple(_exercise(c, b, solved) for c, b in blocks if b.name == "exercise"),
        tuple(solved.values()),
        tuple(_question(c, b) for c, b in blocks if b.name == "quick"),
        tuple(_figure(c) for c in found if c.is_drawn or _mystnb(c, "figure")),
        tuple(_statement(c, b) for c, b in blocks if b.name in STATEMENTS),
        tuple(slides(found)),
    )


@lru_cache(maxsize=64)
def _page(path: Path, text: str) -> Page:
    """A page that is no notebook; its one cell is all of it."""
    whole = Cell(1, "", "markdown", text)
    asked = (block for block in whole.directives if block.name == "quick")
    questions = tuple(_question(whole, block) for block in asked)
    return Page(path.stem, path, text, heading(text), targets(text), questions)


def _box(cell: Cell, block: Directive) -> Box:
    before, need, rest = block.body.partition("**You need**")
    needs, _, time = (rest if need else before).partition("**Time**:")
    learn = (before if need else needs).partition("**You will learn**")[2]
    first = _SENTENCE.split(needs)[0] if need else ""
    reading, running = _READ.search(time), _WITH.search(time)
    return Box(
        cell,
        learn.strip(),
        roles(first, "ref", "prf:ref", "numref"),
        time.strip(),
        int(reading[1]) if reading else None,
        int(running[1]) if running else None,
        bool(needs.strip()) if need else False,
    )


def _exercise(cell: Cell, block: Directive, solved: Mapping[str, Solution]) -> Exercise:
    told = _TITLE.fullmatch(block.argument)
    stars, kind, title = told.groups() if told else ("", "", block.argument)
    if kind not in EXERCISES:
        kind, title = "", block.argument.lstrip("★ ")
    inside = directives(block.content)
    hints = [b.body for b in inside if b.argument.lower().startswith("hint")]
    trains = _TRAINS.search(block.body)
    return Exercise(
        cell,
        block.label,
        len(stars),
        kind,
        title,
        block.body,
        trains[1] if trains else "",
        hints[0] if hints else "",
        tuple(CHECK.findall(block.body)),
        solved.get(block.label),
    )


def solutions(found: tuple[Cell, ...], file: str) -> dict[str, Solution]:
    """The solutions of a chapter, by the labels of their exercises.

    What stands between `solution-start` and `solution-end` may reach over several
    cells. Cells with the tag `solution` belong to the solution before them.
    """
    solved: dict[str, Solution] = {}
    label, opened = "", None  # the last solution; the cell in which it was opened
    for kind, cell, name, text in _solving(found):
        if kind in ("text", "code"):
            tagged = label and kind == "code" and "solution" in cell.tags
            if opened or tagged:
                more = (cell,) if kind == "code" else ()
                solved[label] = _longer(solved[label], text, *more)
        elif kind == "solution-end":
            if not opened:
                raise _unbalanced(file, cell, "solution-start")
            opened = None
        elif opened:
            raise _unbalanced(file, opened, f"solution-end for {label!r}")
        else:
            label = "" if kind == "exercise" else name
            opened = cell if kind == "solution-start" else None
            if label:
                solved[label] = Solution(label, cell, text, ())
    if opened:
        raise _unbalanced(file, opened, f"solution-end for {label!r}")
    return solved


def _solving(found: tuple[Cell, ...]) -> Iterator[tuple[str, Cell, str, str]]:
    """Where exercises and solutions begin and end, and what stands between: in order.

    Each is its kind, its cell, the label that it names, and its text.
    """
    for cell in found:
        if cell.is_code:
            yield "code", cell, "", ""
            continue
        lines, done = cell.text.split("\n"), 0
        for block in cell.directives:
            if block.name in ("exercise", "solution", "solution-start", "solution-end"):
                yield "text", cell, "", "\n".join(lines[done : block.start])
                body = block.body if block.name == "solution" else ""
                yield block.name, cell, block.argument, body
                done = block.end
        yield "text", cell, "", "\n".join(lines[done:])


def _longer(solution: Solution, text: str, *more: Cell) -> Solution:
    words = "\n\n".join(part for part in (solution.text, text.strip()) if part)
    return Solution(solution.label, solution.cell, words, (*solution.cells, *more))


def _unbalanced(file: str, cell: Cell, lacks: str) -> BookError:
    rule = f"solution-start and solution-end belong together, got no {lacks}"
    cure = "write :::{solution-start} ex-..., the solution, and :::{solution-end}"
    return BookError(Fault(file, cell.place, rule, cure))


def slides(found: tuple[Cell, ...]) -> Iterator[Slide]:
    """What the cells of a chapter have for slides, in their order."""
    for cell in found:
        told = cell.metadata.get("slide", {})
        own = str(told.get("notes", "")), str(told.get("title", ""))
        if cell.number == 1:
            yield Slide(cell, "title", *own)
        if cell.is_code and "slide" in cell.tags:
            yield Slide(cell, "cell", *own)
        for block in cell.directives:
            if block.name == "slide":
                yield Slide(cell, "piece", block.options.get("notes", ""))
            elif block.has_class("remember"):
                yield Slide(cell, "remember", *(own if cell.number > 1 else ()))


def question_parts(lines: list[str]) -> tuple[list[int], list[tuple[int, str]]]:
    """The lines `---` of a question, and the lines and marks of its items."""
    cut = [n for n, line in enumerate(lines) if _BREAK.fullmatch(line)]
    end = cut[0] if cut else len(lines)
    marks = [(n, m[1]) for n, x in enumerate(lines[:end]) if (m := _ITEM.match(x))]
    return cut, marks


def without_mark(item: str) -> str:
    """The first line of an item without the mark that says whether it is right."""
    return _ITEM.sub("", item, count=1)


def _question(cell: Cell, block: Directive) -> Question:
    lines = block.body.split("\n")
    cut, marks = question_parts(lines)
    end = cut[0] if cut else len(lines)
    if block.argument == "number":
        marks = []
    starts = [n for n, _ in marks]
    ends = [*starts[1:], end][: len(marks)]
    pieces = ("\n".join(lines[a:b]) for a, b in zip(starts, ends, strict=True))
    items = tuple(without_mark(piece).strip() for piece in pieces)
    right = [item for item, (_, mark) in zip(items, marks, strict=True) if mark == "x"]
    return Question(
        cell,
        block.argument,
        block.label,
        "predict" in block.options,
        "\n".join(lines[: starts[0] if starts else end]).strip(),
        items,
        right[0] if right else block.options.get("answer", ""),
        "\n".join(lines[end + 1 :]).strip(),
    )


def _mystnb(cell: Cell, name: str) -> Mapping[str, Any]:
    """What MyST-NB is told of the picture of a cell."""
    told = cell.metadata.get("mystnb", {}).get(name, {})
    return told if isinstance(told, dict) else {}


def _figure(cell: Cell) -> Figure:
    figure, image = _mystnb(cell, "figure"), _mystnb(cell, "image")
    name, caption = str(figure.get("name", "")), str(figure.get("caption", ""))
    return Figure(cell, name, caption, str(image.get("alt", "")))


def _statement(cell: Cell, block: Directive) -> Statement:
    return Statement(cell, STATEMENTS[block.name], block.label, block.argument)
