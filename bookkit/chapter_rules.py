"""The rules that chapters follow: each gives a line for every place that breaks it.

    for fault in chapter_rules.broken():
        print(fault)  # file, cell: the rule; what to write

The build stops at these lines (bookkit/sphinx/check_rules.py), before Sphinx meets what
it does not understand. CONTRIBUTING.md has the grammar of a chapter.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from bookkit import markdown, model, reading
from bookkit.config import ROOT
from bookkit.model import Book, Cell, Chapter, Exercise, Fault
from pmeanlib.exercises import PROPERTIES, stored

LOOKED_UP = {"index", "notation", "teaching", "using"}  # read in no order: no box
LEAST_LETTERS = 60  # characters of a caption and of an alternative text
LEAST_DESCRIPTION = 30  # characters of a page's description
MACHINE = {
    "the path of a machine": re.compile(
        r"/(?:home|root|tmp|Users|work)/|[A-Z]:\\Users"
    ),
    "np.float64(...)": re.compile(r"np\.float64\("),
    "the address of an object": re.compile(r" at 0x"),
}  # what must not be printed

Rule = Callable[[Any], Iterator[Fault]]
RULES: Mapping[type, list[Rule]] = {Book: [], Chapter: []}


def broken(root: Path = ROOT) -> list[Fault]:
    """The rules that the book in a folder breaks, in its order."""
    try:
        book = reading.read(root)
    except model.BookError as error:
        return [error.fault]
    faults = [fault for rule in RULES[Book] for fault in rule(book)]
    for chapter in book.chapters:
        faults += [fault for rule in RULES[Chapter] for fault in rule(chapter)]
    return faults


def _rule_of(kind: type) -> Callable[[Rule], Rule]:
    """Enter what follows as a rule of every chapter, or of the book."""

    def enter(rule: Rule) -> Rule:
        RULES[kind].append(rule)
        return rule

    return enter


def _fault(rule: str, cure: str, chapter: Chapter, cell: Cell | None = None) -> Fault:
    """What is broken in a chapter, in one of its cells if it is given."""
    return Fault(chapter.file, cell.place if cell else "", rule, cure)


# -- a chapter ------------------------------------------------------------------------


@_rule_of(Chapter)
def begins_with_its_box(chapter: Chapter) -> Iterator[Fault]:
    """A chapter begins with its label, its title and the box of what one will learn."""
    if chapter.name in LOOKED_UP:
        return
    first = chapter.cells[0] if chapter.cells else None
    begins = first.text if first and first.is_text else ""
    if markdown.targets(begins)[:1] != (chapter.name,) or not markdown.heading(begins):
        cure = f'begin the first cell with "({chapter.name})=" and "# Its title"'
        rule = "a chapter begins with its label and its title"
        yield _fault(rule, cure, chapter, first)
    box = chapter.box
    if not box:
        rule = "a chapter says at its head what one will learn"
        cure = 'write ":::{admonition} In this chapter", ":class: learn", three lines'
        yield _fault(f"{rule}, needs and for how long", cure, chapter, first)
        return
    for word, is_written, example in (
        ("**You will learn**", bool(box.learn), " ..."),
        ("**You need**", box.says_needs, " {ref}`welfare`."),
        ("**Time**:", bool(box.time), " 30 minutes to read, 45 with the cells."),
    ):
        if not is_written:
            rule, cure = f"the box of a chapter has {word}", f'write "{word}{example}"'
            yield _fault(rule, cure, chapter, box.cell)


@_rule_of(Chapter)
def says_what_to_remember(chapter: Chapter) -> Iterator[Fault]:
    """A chapter says what to remember."""
    if chapter.name not in LOOKED_UP and not chapter.remembers:
        cure = 'write ":::{admonition} To remember", ":class: remember" and its points'
        yield _fault("a chapter says what to remember", cure, chapter)


@_rule_of(Chapter)
def asks_quick_questions(chapter: Chapter) -> Iterator[Fault]:
    """Two or three quick questions, one of them answered before looking."""
    for question in chapter.questions:
        if not question.name.startswith(f"quick-{chapter.name}-"):
            rule = f"a quick question is called by its chapter, got {question.name!r}"
            cure = f'write ":name: quick-{chapter.name}-..."'
            yield _fault(rule, cure, chapter, question.cell)
    if chapter.name in LOOKED_UP:
        return
    if not 2 <= (count := len(chapter.questions)) <= 3:
        rule = f"a chapter asks two or three quick questions, got {count}"
        yield _fault(rule, 'write ":::{quick} choose" or "number"', chapter)
    if not any(question.predict for question in chapter.questions):
        rule = "one quick question is answered before looking"
        yield _fault(rule, 'give one the option ":predict:"', chapter)


@_rule_of(Chapter)
def exercises_are_whole(chapter: Chapter) -> Iterator[Fault]:
    """An exercise has a label, stars, a kind, what it trains, a hint, a solution."""
    for exercise in chapter.exercises:
        name = repr(exercise.label or exercise.title)
        for lacks, cure in _lacking(exercise):
            rule = f"exercise {name} must have {lacks}"
            yield _fault(rule, cure, chapter, exercise.cell)


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


@_rule_of(Chapter)
def exercises_check_themselves(chapter: Chapter) -> Iterator[Fault]:
    """An exercise calls `pm.check` with the words of its label, and it knows them."""
    for exercise in chapter.exercises:
        words = exercise.label.removeprefix("ex-")
        for name in sorted({*exercise.checks} - {words}):
            rule = f"an answer is checked by the words of its label, got {name!r}"
            cure = f'write pm.check("{words}", ...)'
            yield _fault(rule, cure, chapter, exercise.cell)
        if words in exercise.checks and words not in stored():
            rule = f"pm.check knows the answers that it is asked for, not {words!r}"
            cure = 'write the metadata "answer" of its cell, and run make answers'
            yield _fault(rule, cure, chapter, exercise.cell)


@_rule_of(Chapter)
def answers_are_whole(chapter: Chapter) -> Iterator[Fault]:
    """The metadata `answer` stand at one cell of a solution, and are complete."""
    computing = set()
    for exercise in chapter.exercises:
        if not (answer := exercise.checked):
            continue
        computing.add(answer.cell.number)
        words = exercise.label.removeprefix("ex-")
        complete = answer.name == words and answer.asks and answer.figures is not None
        if not complete or answer.must not in ("", *PROPERTIES):
            written = answer.cell.metadata["answer"]
            rule = f"an answer has its name, what it asks and figures, got {written}"
            example = f'{{"name": "{words}", "asks": "the regret", "figures": 3}}'
            cure = f'write in the metadata "answer": {example}'
            yield _fault(rule, cure, chapter, answer.cell)
    for cell in chapter.code:
        if "answer" in cell.metadata and cell.number not in computing:
            rule = "an answer is computed by one cell, in the solution of its exercise"
            cure = 'take the metadata "answer" from this cell'
            yield _fault(rule, cure, chapter, cell)


@_rule_of(Chapter)
def solutions_solve(chapter: Chapter) -> Iterator[Fault]:
    """A solution belongs to an exercise, and its code is executed."""
    labels = {exercise.label for exercise in chapter.exercises}
    for solution in chapter.solutions:
        if solution.label not in labels:
            rule = f"a solution names an exercise, there is no {solution.label!r}"
            cure = "write the label of the exercise above it"
            yield _fault(rule, cure, chapter, solution.cell)
        if "```" in solution.text:
            rule = f"code in a solution is executed, that of {solution.label!r} is not"
            cure = "put it into a cell between {solution-start} and {solution-end}"
            yield _fault(rule, cure, chapter, solution.cell)


@_rule_of(Chapter)
def figures_have_words(chapter: Chapter) -> Iterator[Fault]:
    """A figure has a name, a caption and an alternative text."""
    for figure in chapter.figures:
        lacks = []
        if not figure.name.startswith("fig-"):
            lacks.append("figure: name")
        if len(figure.caption) <= LEAST_LETTERS:
            lacks.append("figure: caption")
        if len(figure.alt) <= LEAST_LETTERS:
            lacks.append("image: alt")
        if lacks:
            rule = "a figure has a name fig-..., a caption and an alternative text"
            cure = (
                f"write in the cell's metadata, under mystnb, {', '.join(lacks)}"
                f" (more than {LEAST_LETTERS} characters, a name apart)"
            )
            yield _fault(rule, cure, chapter, figure.cell)


@_rule_of(Chapter)
def cells_are_executed(chapter: Chapter) -> Iterator[Fault]:
    """Every cell was executed in order, and none complained."""
    cure = f"run make execute CHAPTERS={chapter.file}"
    for number, cell in enumerate(chapter.code, 1):
        kinds = {output.kind for output in cell.outputs}
        if cell.count != number:
            rule = f"cells are executed in order, number {number} has {cell.count}"
            yield _fault(rule, cure, chapter, cell)
            return
        if "error" in kinds or any(o.stream == "stderr" for o in cell.outputs):
            rule = "a cell shows no error and no warning"
            yield _fault(rule, f"mend it, then {cure}", chapter, cell)


@_rule_of(Chapter)
def cells_print_no_machine(chapter: Chapter) -> Iterator[Fault]:
    """What is printed is the same on every machine."""
    for cell in chapter.code:
        for output in cell.outputs:
            if model.DRAWN & output.data.keys():
                continue
            shown = "".join(output.data.values())
            for what, pattern in MACHINE.items():
                if pattern.search(shown):
                    cure = "print a number or a table, and nothing of this machine"
                    yield _fault(f"no cell prints {what}", cure, chapter, cell)


@_rule_of(Chapter)
def things_have_labels(chapter: Chapter) -> Iterator[Fault]:
    """Every statement and explorer can be referred to."""
    things = [(s.cell, s.kind, s.label) for s in chapter.statements]
    things += [(c, "explorer", b.label) for c, b in chapter.blocks("explorer")]
    for cell, kind, label in things:
        if not label:
            option = ":name:" if kind == "explorer" else ":label:"
            cure = f'write "{option} ..." below its first line'
            yield _fault(f"every {kind} has a label", cure, chapter, cell)


@_rule_of(Chapter)
def slides_have_notes(chapter: Chapter) -> Iterator[Fault]:
    """Whatever goes onto a slide has words for the speaker, and their minutes."""
    for slide in chapter.slides if chapter.has_deck else ():
        if slide.minutes is None:
            rule = f"a slide ({slide.kind}) has notes with their minutes"
            cure = 'write in the metadata of the cell "slide": {"notes": "2 min. ..."}'
            yield _fault(rule, cure, chapter, slide.cell)


@_rule_of(Chapter)
def slides_are_cells(chapter: Chapter) -> Iterator[Fault]:
    """Slides stand in the metadata of cells."""
    for cell, _ in chapter.blocks("slide"):
        cure = 'make it a cell with the metadata "slideshow": {"slide_type": "slide"}'
        yield _fault("no text has a directive {slide}", cure, chapter, cell)


# -- the book -------------------------------------------------------------------------


@_rule_of(Book)
def pages_are_listed(book: Book) -> Iterator[Fault]:
    """Every page is in the table of contents once, and every entry is a page."""
    folder = book.root / "chapters"
    files = {p.stem: p.name for p in folder.iterdir() if p.suffix in (".ipynb", ".md")}
    for name in sorted(files.keys() - set(book.order)):
        rule = "every page is in the table of contents"
        cure = f'write "- file: chapters/{name}" in _toc.yml'
        yield Fault(f"chapters/{files[name]}", "", rule, cure)
    for name, times in Counter(book.order).items():
        if name not in files or times > 1:
            rule = f"an entry is a page, once; chapters/{name} is none or stands twice"
            yield Fault("_toc.yml", "", rule, "mend its name or take it out")


@_rule_of(Book)
def pages_are_described(book: Book) -> Iterator[Fault]:
    """Every page has a description, which search engines and previews show."""
    for name in book.order:
        if len(book.descriptions.get(name, "")) < LEAST_DESCRIPTION:
            rule = f"a page has a description, {name!r} has none or a short one"
            cure = f'write "{name}: ..." under page_descriptions'
            yield Fault("_config.yml", "", rule, cure)


@_rule_of(Book)
def needs_come_earlier(book: Book) -> Iterator[Fault]:
    """A chapter needs only earlier ones, which are there."""
    for chapter in book.chapters:
        if not (box := chapter.box):
            continue
        earlier = set(book.order[: book.order.index(chapter.name)])
        for label in box.needs:
            if book.homes.get(label) not in earlier:
                rule = f"a chapter needs only earlier chapters, {label!r} is none"
                cure = "name an earlier one, or move this one in _toc.yml"
                yield _fault(rule, cure, chapter, box.cell)


@_rule_of(Book)
def labels_differ(book: Book) -> Iterator[Fault]:
    """No label and no quick question stands twice, on whatever page."""
    seen: dict[str, str] = {}
    for page in (*book.chapters, *book.pages):
        told = [
            (cell, label, f"labels differ, {label!r}", "write another label")
            for cell, label in _labels(page)
        ]
        told += [
            (question.cell, question.asked, "questions differ, this one", "ask another")
            for question in page.questions
        ]
        for cell, words, what, cure in told:
            if words in seen:
                yield _fault(f"{what} stands in {seen[words]} too", cure, page, cell)
            seen.setdefault(words, page.file)


def _labels(page: Chapter) -> list[tuple[Cell, str]]:
    """What references call the things of a page; other rules ask for labels."""
    texts = (cell for cell in page.cells if cell.is_text)
    labels = [(cell, label) for cell in texts for label in markdown.targets(cell.text)]
    labels += [(statement.cell, statement.label) for statement in page.statements]
    labels += [(exercise.cell, exercise.label) for exercise in page.exercises]
    labels += [(figure.cell, figure.name) for figure in page.figures]
    labels += [(question.cell, question.name) for question in page.questions]
    labels += [(cell, block.label) for cell, block in page.blocks("explorer")]
    return [(cell, label) for cell, label in labels if label]


@_rule_of(Book)
def errata_have_rows(book: Book) -> Iterator[Fault]:
    """Every erratum that a chapter tells has its row in the chapter `errata`."""
    rows = {
        a for c in book.chapters if c.name == "errata" for a in markdown.anchors(c.text)
    }
    for chapter in book.chapters:
        for statement in chapter.statements:
            row = model.errata_row(statement.label)
            if statement.kind == "erratum" and statement.label and row not in rows:
                cure = f"write there a row with [**false**]{{#{row}}}"
                rule = "an erratum has its row in the chapter errata"
                yield _fault(rule, cure, chapter, statement.cell)
