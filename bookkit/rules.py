"""The rules that chapters follow: each gives a line for every place that breaks it.

    for fault in rules.broken(model.ROOT):
        print(fault)  # file, cell: the rule; what to write

The build stops at these lines (bookkit/sphinx/check_rules.py), before Sphinx meets what
it does not understand. CONTRIBUTING.md has the grammar of a chapter in one table.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from bookkit import model
from bookkit.model import Book, Cell, Chapter, Exercise, Fault
from pmeanlib.exercises import stored

LOOKED_UP = {"index", "notation", "teaching", "using"}  # read in no order: no box
LEAST_WORDS = 60  # characters of a caption and of an alternative text
LEAST_ABOUT = 30  # characters of a page's description
MACHINE = {
    "the path of a machine": re.compile(
        r"/(?:home|root|tmp|Users|work)/|[A-Z]:\\Users"
    ),
    "np.float64(...)": re.compile(r"np\.float64\("),
    "the address of an object": re.compile(r" at 0x"),
}  # what must not be printed


def broken(root: Path = model.ROOT) -> list[Fault]:
    """The rules that the book in a folder breaks, in its order."""
    try:
        book = model.read(root)
    except model.BookError as error:
        return [error.fault]
    found = [fault for rule in OF_THE_BOOK for fault in rule(book)]
    for chapter in book.chapters:
        found += [fault for rule in OF_A_CHAPTER for fault in rule(chapter)]
    return found


def _said(
    rule: str, cure: str, chapter: Chapter, cell: Cell | None = None
) -> Iterator[Fault]:
    yield Fault(chapter.file, cell.place if cell else "", rule, cure)


# -- a chapter ------------------------------------------------------------------------


def head(chapter: Chapter) -> Iterator[Fault]:
    """A chapter begins with its label, its title and the box of what one will learn."""
    if chapter.name in LOOKED_UP:
        return
    first = chapter.cells[0] if chapter.cells else None
    begins = first.text if first and first.is_text else ""
    if model.targets(begins)[:1] != (chapter.name,) or not model.heading(begins):
        cure = f'begin the first cell with "({chapter.name})=" and "# Its title"'
        yield from _said(
            "a chapter begins with its label and its title", cure, chapter, first
        )
    box = chapter.box
    if not box:
        rule = "a chapter says at its head what one will learn"
        cure = (
            'write ":::{admonition} In this chapter", ":class: learn" and three lines'
        )
        yield from _said(f"{rule}, needs and for how long", cure, chapter, first)
        return
    for word, there, example in (
        ("**You will learn**", bool(box.learn), " ..."),
        ("**You need**", box.needs_told, " {ref}`welfare`."),
        ("**Time**:", bool(box.time), " 30 minutes to read, 45 with the cells."),
    ):
        if not there:
            rule, cure = f"the box of a chapter has {word}", f'write "{word}{example}"'
            yield from _said(rule, cure, chapter, box.cell)


def tail(chapter: Chapter) -> Iterator[Fault]:
    """A chapter says what to remember."""
    if chapter.name not in LOOKED_UP and not chapter.remembers:
        cure = 'write ":::{admonition} To remember", ":class: remember" and its points'
        yield from _said("a chapter says what to remember", cure, chapter)


def quick(chapter: Chapter) -> Iterator[Fault]:
    """Two or three quick questions, one of them before a figure."""
    for question in chapter.questions:
        if not question.name.startswith(f"quick-{chapter.name}-"):
            rule = f"a quick question is called by its chapter, got {question.name!r}"
            cure = f'write ":name: quick-{chapter.name}-..."'
            yield from _said(rule, cure, chapter, question.cell)
    if chapter.name in LOOKED_UP:
        return
    if not 2 <= (asked := len(chapter.questions)) <= 3:
        rule = f"a chapter asks two or three quick questions, got {asked}"
        yield from _said(rule, 'write ":::{quick} choose" or "number"', chapter)
    if not any(question.predict for question in chapter.questions):
        rule = "one quick question is answered before looking"
        yield from _said(rule, 'give one the option ":predict:"', chapter)


def exercises(chapter: Chapter) -> Iterator[Fault]:
    """An exercise has a label, stars, a kind, what it trains, a hint, a solution."""
    for exercise in chapter.exercises:
        name = repr(exercise.label or exercise.title)
        for lacks, cure in _lacking(exercise):
            yield from _said(
                f"exercise {name} must have {lacks}",
                cure,
                chapter,
                exercise.cell,
            )
        yield from _checks(chapter, exercise)


def _checks(chapter: Chapter, exercise: Exercise) -> Iterator[Fault]:
    """Who asks `pm.check` uses the words of the label, and the answer is known."""
    words = exercise.label.removeprefix("ex-")
    answer = exercise.checked
    for name in {*exercise.checks, *([answer.name] if answer else [])} - {words}:
        rule = (
            f"an answer is checked by the words of its exercise's label, got {name!r}"
        )
        cure = f'write pm.check("{words}", ...), and this name in the metadata "answer"'
        yield from _said(rule, cure, chapter, exercise.cell)
    if words in exercise.checks and words not in stored():
        rule = f"pm.check knows the answers that it is asked for, not {words!r}"
        cure = 'give the cell that computes it the metadata "answer", run make answers'
        yield from _said(rule, cure, chapter, exercise.cell)


def _lacking(exercise: Exercise) -> Iterator[tuple[str, str]]:
    """What an exercise lacks, and what to write."""
    label = exercise.label or "ex-..."
    if not re.fullmatch(r"ex-[\w-]+", exercise.label):
        yield "a label", 'write ":label: ex-..." below its first line'
    if not 1 <= exercise.stars <= 3 or not exercise.kind or not exercise.title:
        kinds = ", ".join(model.EXERCISES)
        yield (
            "one to three stars, a kind and a title",
            f'write "::::{{exercise}} ★★ By code: its title"; kinds are {kinds}',
        )
    if not exercise.trains:
        yield "what it trains", 'write a line "*Trains*: ..."'
    if not exercise.hint:
        yield "a hint", 'write ":::{dropdown} Hint", the hint, ":::" at its end'
    if not exercise.solution:
        yield "a solution", f'write ":::{{solution}} {label}" below it'


def solutions(chapter: Chapter) -> Iterator[Fault]:
    """A solution belongs to an exercise, and its code is executed."""
    labels = {exercise.label for exercise in chapter.exercises}
    for solution in chapter.solutions:
        if solution.label not in labels:
            rule = f"a solution names an exercise, there is no {solution.label!r}"
            cure = "write the label of the exercise above it"
            yield from _said(rule, cure, chapter, solution.cell)
        if "```" in solution.text:
            rule = (
                f"code in a solution is executed, in that of {solution.label!r} is not"
            )
            cure = "put it into a cell between {solution-start} and {solution-end}"
            yield from _said(rule, cure, chapter, solution.cell)


def figures(chapter: Chapter) -> Iterator[Fault]:
    """A figure has a name, a caption and an alternative text."""
    for figure in chapter.figures:
        short = [
            words
            for words, there in (
                ("figure: name", figure.name.startswith("fig-")),
                ("figure: caption", len(figure.caption) > LEAST_WORDS),
                ("image: alt", len(figure.alt) > LEAST_WORDS),
            )
            if not there
        ]
        if short:
            rule = (
                "a figure has a name fig-..., a caption and a text for who cannot see"
            )
            cure = (
                f"write in the cell's metadata, under mystnb, {', '.join(short)}"
                f" (more than {LEAST_WORDS} characters, a name apart)"
            )
            yield from _said(rule, cure, chapter, figure.cell)


def executed(chapter: Chapter) -> Iterator[Fault]:
    """Every cell was executed in order, and none complained."""
    cure = f"run .venv/bin/python -m bookkit.make.execute {chapter.file}"
    for number, cell in enumerate(chapter.code, 1):
        kinds = {output.kind for output in cell.outputs}
        if cell.count != number:
            rule = f"cells are executed in order, number {number} has {cell.count}"
            yield from _said(rule, cure, chapter, cell)
            return
        if "error" in kinds or any(o.stream == "stderr" for o in cell.outputs):
            rule = "a cell shows no error and no warning"
            yield from _said(rule, f"mend it, then {cure}", chapter, cell)


def printed(chapter: Chapter) -> Iterator[Fault]:
    """What is printed is the same on every machine."""
    for cell in chapter.code:
        for output in cell.outputs:
            shown = (
                ""
                if model.DRAWN & output.data.keys()
                else "".join(output.data.values())
            )
            for what, pattern in MACHINE.items():
                if pattern.search(shown):
                    cure = "print a number or a table, and nothing of this machine"
                    yield from _said(f"no cell prints {what}", cure, chapter, cell)


def labelled(chapter: Chapter) -> Iterator[Fault]:
    """Every statement and explorer can be referred to."""
    found = [(s.cell, s.kind, s.label) for s in chapter.statements]
    found += [(c, "explorer", b.label) for c, b in chapter.blocks("explorer")]
    for cell, kind, label in found:
        if not label:
            cure = (
                'write ":label: ..." (an explorer: ":name: ...") below its first line'
            )
            yield from _said(f"every {kind} has a label", cure, chapter, cell)


def notes(chapter: Chapter) -> Iterator[Fault]:
    """Whatever goes onto a slide has words for the speaker, and their minutes."""
    for slide in chapter.slides if chapter.has_deck else ():
        if slide.minutes is None:
            rule = f"a slide ({slide.kind}) has notes with their minutes"
            cure = '":notes: 2 min. ..." in its {slide}'
            if slide.kind != "piece":
                cure = 'in the metadata of the cell "slide": {"notes": "2 min. ..."}'
            yield from _said(rule, f"write {cure}", chapter, slide.cell)


# -- the book -------------------------------------------------------------------------


def listed(book: Book) -> Iterator[Fault]:
    """Every page is in the table of contents once, and every entry is a page."""
    folder = book.root / "chapters"
    there = {p.stem: p.name for p in folder.iterdir() if p.suffix in (".ipynb", ".md")}
    for name in sorted(there.keys() - set(book.order)):
        rule = "every page is in the table of contents"
        cure = f'write "- file: chapters/{name}" in _toc.yml'
        yield Fault(f"chapters/{there[name]}", "", rule, cure)
    for name, times in Counter(book.order).items():
        if name not in there or times > 1:
            rule = f"an entry is a page, once; chapters/{name} is none or stands twice"
            yield Fault("_toc.yml", "", rule, "mend its name or take it out")


def described(book: Book) -> Iterator[Fault]:
    """Every page has a description, which search engines and previews show."""
    for name in book.order:
        if len(book.descriptions.get(name, "")) < LEAST_ABOUT:
            rule = (
                f"a page has a description, {name!r} has none of {LEAST_ABOUT} letters"
            )
            cure = f'write "{name}: ..." under page_descriptions'
            yield Fault("_config.yml", "", rule, cure)


def needs(book: Book) -> Iterator[Fault]:
    """A chapter needs only earlier ones, which are there."""
    for chapter in book.chapters:
        earlier = set(book.order[: book.order.index(chapter.name)])
        for label in chapter.box.needs if chapter.box else ():
            if book.homes.get(label) not in earlier:
                rule = f"a chapter needs only earlier chapters, {label!r} is none"
                cure = "name an earlier one, or move this one in _toc.yml"
                yield from _said(
                    rule, cure, chapter, chapter.box.cell if chapter.box else None
                )


def unique(book: Book) -> Iterator[Fault]:
    """No label and no quick question stands twice."""
    seen: dict[str, str] = {}
    for chapter in book.chapters:
        for cell, label in _labels(chapter):
            place = f"{chapter.file}, cell {cell.place}"
            if label in seen:
                rule = f"labels differ, {label!r} stands in {seen[label]} too"
                yield from _said(rule, "write another label", chapter, cell)
            seen.setdefault(label, place)
        for question in chapter.questions:
            if question.asked in seen:
                rule = (
                    f"questions differ, this one is asked in {seen[question.asked]} too"
                )
                yield from _said(rule, "ask another one", chapter, question.cell)
            seen[question.asked] = f"{chapter.file}, cell {question.cell.place}"


def _labels(chapter: Chapter) -> Iterable[tuple[Cell, str]]:
    """What references call the things of a chapter; other rules ask for labels."""
    found = [(one.cell, one.label) for one in chapter.statements]
    found += [(one.cell, one.label) for one in chapter.exercises]
    found += [(figure.cell, figure.name) for figure in chapter.figures]
    found += [(question.cell, question.name) for question in chapter.questions]
    found += [(cell, block.label) for cell, block in chapter.blocks("explorer")]
    return [(cell, label) for cell, label in found if label]


def errata(book: Book) -> Iterator[Fault]:
    """Every erratum that a chapter tells has its row in the chapter `errata`."""
    rows = {
        a for c in book.chapters if c.name == "errata" for a in model.anchors(c.text)
    }
    for chapter in book.chapters:
        for statement in chapter.statements:
            row = statement.label.replace("err-", "errata-", 1)
            if statement.kind == "erratum" and statement.label and row not in rows:
                cure = f"write there a row with [**false**]{{#{row}}}"
                rule = "an erratum has its row in the chapter errata"
                yield from _said(rule, cure, chapter, statement.cell)


OF_A_CHAPTER: tuple[Callable[[Chapter], Iterator[Fault]], ...] = (
    head,
    tail,
    quick,
    exercises,
    solutions,
    figures,
    executed,
    printed,
    labelled,
    notes,
)
OF_THE_BOOK: tuple[Callable[[Book], Iterator[Fault]], ...] = (
    listed,
    described,
    needs,
    unique,
    errata,
)
