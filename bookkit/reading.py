"""The book read from its files, and nothing of it written.

    book = reading.read()
    book.chapter("nash").exercises[0].hint

Reading is lenient: what a chapter lacks is an empty string, an empty tuple or None, and
`chapter_rules` says what to write. Only what cannot be read at all raises a
`BookError`, with its file, its cell, the rule and the cure in one line.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from bookkit.config import ROOT
from bookkit.ipynb import cells, parsed
from bookkit.markdown import Directive, directives, heading, roles, targets
from bookkit.model import (
    CHECK,
    EXERCISES,
    STATEMENTS,
    Asked,
    Book,
    BookError,
    Box,
    Cell,
    Chapter,
    Exercise,
    Fault,
    Figure,
    Question,
    Slide,
    Solution,
    Statement,
    file_name,
)

_TITLE = re.compile(r"(★*)\s*(?:([^:]+): )?(.*)")
_TRAINS = re.compile(r"^\*Trains\*: (.+)$", re.M)
_SENTENCE = re.compile(r"[.;](?=\s|$)")
_READ = re.compile(r"(\d+)(?: minutes)? to read")
_WITH = re.compile(r"(\d+)(?: minutes)? with ")
_SOLVING = "exercise", "solution", "solution-start", "solution-end"
_ITEM = re.compile(r"^- \[([ x])\] ", re.M)  # a choice, and the right one
_BREAK = re.compile(r"^-{3,}\s*$", re.M)  # what follows is why


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
        notebook_cells = cells(parsed(path, text))
    else:
        notebook_cells = (Cell(number=0, id="", kind="markdown", text=text),)
    solved = solutions(notebook_cells, file_name(path))
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
