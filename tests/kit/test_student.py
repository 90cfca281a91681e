"""The book without solutions has none, anywhere; its notebooks have room and run."""

import ast
import html
import io
import json
import re
import subprocess
import sys
import zipfile
import zlib
from pathlib import Path

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbclient import NotebookClient

from bookkit.make import student
from bookkit.sphinx.search import Words
from pmeanlib import exercises

ROOT = Path(__file__).parents[2]

NOTEBOOKS = student.chapters()
ADDRESS = "https://example.org/with-solutions"


# -- where the solutions are, found without the tool that cuts them out ----------------

OPENING = re.compile(r"^\s*(:{3,}|`{3,})\{(solution(?:-start|-end)?)\}\s*(\S*)")


def split(notebook):
    """The solutions of a notebook, {label: texts}, and the texts of all the rest."""
    solutions, rest, label, until = {}, [], None, None
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        tags = {"solution", "instructor"} & set(cell["metadata"].get("tags", []))
        if cell["cell_type"] != "markdown" or tags:
            texts = [source, *(t for o in cell.get("outputs", []) for t in shown(o))]
            gone = (
                solutions.setdefault(label or cell["id"], []) if tags or label else rest
            )
            gone += texts
            continue
        kept, cut = [], []
        for line in source.split("\n"):
            opening = OPENING.match(line)
            if until:
                cut.append(line)
                if re.fullmatch(rf"\s*{until[0]}{{{len(until)},}}\s*", line):
                    solutions.setdefault(label, []).append("\n".join(cut))
                    until, label, cut = None, None, []
            elif opening and opening[2] == "solution":
                until, label = opening[1], opening[3]
            elif opening and opening[2] == "solution-start":
                label = opening[3]
            elif opening:
                solutions.setdefault(label, []).append("\n".join(cut))
                label, cut = None, []
            else:
                (cut if label else kept).append(line)
        if label:
            solutions.setdefault(label, []).append("\n".join(cut))
        assert not until, "a solution is not closed"
        rest.append("\n".join(kept))
    return solutions, rest


def shown(output):
    """What an output shows, as texts."""
    data = output.get("data", {})
    parts = [
        output.get("text", ""),
        data.get("text/plain", ""),
        data.get("text/html", ""),
    ]
    return [untagged("".join(part)) for part in parts]


BLOCK = re.compile(
    r"</?(?:article|aside|button|details|div|figure|h\d|li|nav|p|pre|section|script)\b"
)
WALL = "\0"  # no row of words goes through


def untagged(text):
    text = BLOCK.sub(lambda tag: WALL + tag[0], text)
    return html.unescape(re.sub(r"<[^<>]*>", " ", text))


MARKUP = re.compile(
    r"\$\$.*?\$\$|\$[^$\n]*\$|\{[\w:]+\}`[^`]*`|^\s*[:`]{3,}[^\n]*$|^:\w+:[^\n]*$|\||\n\s*\n"
    r"|^\s*\d+\\?\.\s",
    re.M | re.S,
)
TERM = re.compile(r"\{term\}`([^`<]*?)(?: *<[^`>]*>)?`")  # on a page its words alone
LENGTH = 6  # words in a row


def grams(text):
    """Every six words in a row: letters and digits alone, as they are read."""
    words = TERM.sub(r"\1", text).lower()
    runs = (re.findall(r"[^\W_]+", run) for run in words.split(WALL))
    rows = (row for words in runs for row in zip(*(words[i:] for i in range(LENGTH))))
    return {" ".join(row) for row in rows if sum(len(w) > 2 for w in row) > 2}


def probes():
    """For each solution of the book the rows of words that occur nowhere else in it.

    Those as they are written, formulas and all, and those of them that are the same on
    a page, where formulas are drawn and links have other names.
    """
    found, others = {}, []
    for path in sorted((ROOT / "chapters").glob("*.ipynb")):
        solutions, rest = split(json.loads(path.read_text("utf8")))
        for label, texts in solutions.items():
            plain = [run for text in texts for run in MARKUP.split(text)]
            found[path.stem, label] = rows_in(texts), rows_in(plain)
        others += rest
    for place, kind in (
        ("chapters", "*.md"),
        ("chapters/_data", "*.py"),
        ("bookkit/web", "**/*.js"),
        ("pmeanlib", "**/*.py"),
        ("pmeanlib", "*.json"),
    ):
        texts = [path.read_text("utf8") for path in (ROOT / place).glob(kind)]
        others += [text.replace("\\n", " ") for text in texts]  # written in a script
    others += [f'pm.check("{name}", answer)' for name in exercises.stored()]  # a room
    elsewhere = rows_in(others)
    return {
        key: (written - elsewhere, read - elsewhere)
        for key, (written, read) in found.items()
    }


def rows_in(texts):
    return set().union(*map(grams, texts)) if texts else set()


PROBES = probes()
EXAM = "exam-question-"  # what the cells of the exam are called
WRITTEN, READ = (set().union(*kind) for kind in zip(*PROBES.values()))


# -- what an output has ----------------------------------------------------------------

PICTURES = {".png", ".ico", ".woff", ".woff2", ".ttf", ".eot", ".gif", ".jpg"}


def strings(value):
    """All texts in a JSON value; a list of lines is one text."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        if value and all(isinstance(v, str) for v in value):
            yield "".join(value)
        else:
            for v in value:
                yield from strings(v)
    elif isinstance(value, dict):
        for key, v in value.items():
            yield key
            yield from strings(v)


def texts_of(name, data):
    """What can be read in a file, as texts; of an archive, in all that it has."""
    suffix = Path(name).suffix
    if zipfile.is_zipfile(io.BytesIO(data)):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for inner in archive.namelist():
                yield inner
                yield from texts_of(inner, archive.read(inner))
        return
    if suffix in PICTURES:
        return
    if suffix == ".inv":  # the names of all places, packed
        data = data.split(b"\n", 4)[4]
        data = zlib.decompress(data)
    text = data.decode("utf8", errors="replace")
    if suffix in (".ipynb", ".json"):
        told = list(strings(json.loads(text)))
    elif suffix == ".js":
        plain = re.sub(r"\\u([0-9a-f]{4})", lambda m: chr(int(m[1], 16)), text)
        told = [re.sub(r"\\[nrt]", " ", plain).replace('\\"', '"')]
    else:
        told = [text]
    for each in told:
        yield each
        if "<" in each:
            yield untagged(each)


def read_all(folder):
    """Every file of a folder: its texts."""
    return {
        path.relative_to(folder).as_posix(): list(
            texts_of(path.name, path.read_bytes())
        )
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="module")
def without(tmp_path_factory):
    """The pages without solutions, built where others were before."""
    out = tmp_path_factory.mktemp("student") / "html"
    (out / "chapters").mkdir(parents=True)
    (out / "chapters" / "stale.html").write_text("from another build", "utf8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BOOK_REPOSITORY_URL", ADDRESS)
        student.build(out)
    return read_all(out)


@pytest.fixture(scope="module")
def whole():
    """The pages with solutions: `make test` has built them before."""
    return read_all(ROOT / "_build" / "html")


# -- proofs ----------------------------------------------------------------------------


def test_every_solution_can_be_recognised():
    labels = [label for _, label in PROBES if label.startswith("ex-")]
    assert all(written for written, _ in PROBES.values())
    on_pages = [read for (_, label), (_, read) in PROBES.items() if label in labels]
    assert sum(map(bool, on_pages)) > 0.95 * len(labels) > 75
    assert len(READ) > 3000
    text = "".join(p.read_text("utf8") for p in (ROOT / "chapters").glob("*.ipynb"))
    every = re.findall(r"\{solution(?:-start)?\} (ex-[\w-]+)", text)
    assert sorted(every) == sorted(labels)


def test_an_exam_question_that_lost_its_tag_would_be_found():
    """Each question, and each cell that checks it, would leave many rows of words."""
    asked = {label for _, label in PROBES if label.startswith(EXAM)}
    assert len(asked) == 10
    notebook = json.loads((ROOT / "chapters" / "teaching.ipynb").read_text("utf8"))
    hidden = [c for c in notebook["cells"] if "instructor" in str(c["metadata"])]
    assert asked < {cell["id"] for cell in hidden}
    kept = [
        s for text in strings(student.strip(notebook)) for s in (text, untagged(text))
    ]
    assert not rows_in(kept) & (WRITTEN | READ)
    for cell in hidden:
        tags = cell["metadata"].pop("tags")
        left = student.strip(notebook)
        found = rows_in(strings(left)) & PROBES["teaching", cell["id"]][0]
        assert len(found) > 30, cell["id"]
        if cell["id"] in asked:
            assert len(PROBES["teaching", cell["id"]][1]) > 30, cell["id"]
        cell["metadata"]["tags"] = tags


def test_no_solution_is_left_anywhere(without):
    left = {}
    for name, texts in without.items():
        as_written = name.endswith((".ipynb", ".md", ".json", ".zip"))
        left[name] = rows_in(texts) & (WRITTEN | READ if as_written else READ)
    assert {name: rows for name, rows in left.items() if rows} == {}
    for name, texts in without.items():
        for text in texts:
            assert "sol-regret" not in text, name
            if name.endswith(".html"):
                assert not re.search(r'class="[^"]*\bsolution\b', text), name
                assert "Solution to" not in text, name


def test_the_whole_book_has_every_solution_where_it_is_looked_for(whole):
    """Otherwise finding none would prove nothing."""
    for path in NOTEBOOKS:
        page = rows_in(whole[f"chapters/{path.stem}.html"])
        source = rows_in(whole[f"_sources/chapters/{path.stem}.ipynb"])
        for (chapter, label), (written, read) in PROBES.items():
            if chapter == path.stem:
                assert written <= source, label
            if chapter == path.stem and label.startswith(("ex-", EXAM)) and read:
                assert read & page, label


def test_no_word_that_only_solutions_have_can_be_searched_for(without, whole):
    stem = Words({}).stem
    pages = [text for n, texts in without.items() if "chapters/" in n for text in texts]
    shown = {stem(word) for text in pages for word in re.findall(r"\w+", text)}
    only = {stem(word) for row in READ for word in row.split()} - shown
    assert len(only) > 100
    for book in (without, whole):
        found = re.findall(r'"([^"]*)": \[?\d', book["searchindex.js"][0])
        assert len(shown & set(found)) > 2000
        assert not only & set(found)


def test_it_is_the_same_book_otherwise(without, whole):
    assert {n for n in without if n.endswith(".html")} == {
        n for n in whole if n.endswith(".html")
    }
    for path in NOTEBOOKS:
        pages = [b[f"chapters/{path.stem}.html"][0] for b in (without, whole)]
        ids = [
            re.findall(r'id="((?:ex|thm|fig|lem|prop|err)-[\w-]+)"', p) for p in pages
        ]
        of_solutions = {i for i in ids[1] if i.endswith("-solution")}
        assert set(ids[0]) == set(ids[1]) - of_solutions
        hints = [len(re.findall(r">\s*Hint\s*<", page)) for page in pages]
        assert hints[0] == hints[1]


def test_nothing_of_an_earlier_build_stays_and_no_button_leads_to_solutions(without):
    assert "chapters/stale.html" not in without
    assert not [n for n, texts in without.items() if any(ADDRESS in t for t in texts)]


# -- what the chapters must not do -----------------------------------------------------


def cells_of(path):
    """The code cells of a chapter, those that stay and those that are cut out."""
    every = json.loads(path.read_text("utf8"))["cells"]
    stay = {c["id"]: "".join(c["source"]) for c in student.read(path)["cells"]}
    code = {c["id"]: "".join(c["source"]) for c in every if c["cell_type"] == "code"}
    return (
        [text for name, text in code.items() if name in stay],
        [text for name, text in code.items() if name not in stay],
    )


def names_in(codes, context):
    return (
        {
            node.id
            for code in codes
            for node in ast.walk(ast.parse(code))
            if isinstance(node, ast.Name) and isinstance(node.ctx, context)
        }
        | {
            node.name
            for code in codes
            for node in ast.walk(ast.parse(code))
            if context is ast.Store and isinstance(node, ast.FunctionDef | ast.ClassDef)
        }
        | {
            node.arg
            for code in codes
            for node in ast.walk(ast.parse(code))
            if context is ast.Store and isinstance(node, ast.arg)
        }
    )


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_no_cell_needs_a_name_that_only_a_solution_gives(path):
    stay, gone = cells_of(path)
    only = names_in(gone, ast.Store) - names_in(stay, ast.Store)
    assert not only & names_in(stay, ast.Load)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_no_cell_that_stays_is_there_for_a_solution_alone(path):
    """A glued value that only solutions use, a number that only they show."""
    solutions, rest = split(json.loads(path.read_text("utf8")))
    told = "\n".join(t for texts in solutions.values() for t in texts)
    stay, _ = cells_of(path)
    cells = student.read(path)["cells"]
    shown = [o for c in cells for o in c.get("outputs", ())]
    prose = "\n".join(
        ["".join(c["source"]) for c in cells if c["cell_type"] == "markdown"]
        + ["".join(o.get("data", {}).get("text/plain", "")) for o in shown]
    )
    glued = re.compile(r"\{glue:\w+\}`([\w-]+)")
    only = set(glued.findall(told)) - set(glued.findall("\n".join(rest)))
    assert not [name for name in only for code in stay if f'"{name}"' in code]
    numbers = figures(told) - figures(prose)
    assert not numbers & figures("\n".join(stay))


def figures(text):
    """The numbers in a text with three figures or more, zeros at the ends apart."""
    found = re.findall(r"(?<![\w.])\d[\d,_{}]*(?:\.\d+)?", text)
    digits = {re.sub(r"[^\d.]", "", x) for x in found}
    return {x for x in digits if len(x.replace(".", "").strip("0")) > 2}


# -- the function that cuts ------------------------------------------------------------


def directive(sign, inner, name, words):
    """A fence around lines, longer than every fence of its kind within."""
    runs = (re.match(rf"\s*{sign}{{3,}}", line) for line in inner)
    length = max((len(run[0].strip()) for run in runs if run), default=2) + 1
    fence = sign * max(3, length)
    return [f"{fence}{{{name}}} {words}".rstrip(), *inner, fence]


def documents():
    """Lists of blocks of lines: what is to stay says KEEP, what is to go says GONE."""

    def inner(word):
        plain = st.sampled_from(
            [
                [f"{word} some words, :::, and `:::` more"],
                ["", f"{word} a paragraph", ""],
                ["```python", f'print("{word}", ":::")', ":::", "```"],
                ["~~~text", f":::{{{'solution'}}} ex-no", f"{word}", ":::", "~~~"],
                ["$$", f"{word} = x", "$$"],
                [f"- {word} an item", f"- {word} another"],
                [f"| {word} | table |", "|---|---|", "| a | b |"],
            ]
        )
        several = st.lists(plain, min_size=1, max_size=3)
        flat = several.map(lambda blocks: [x for b in blocks for x in ["", *b]])
        hint = st.builds(
            directive,
            st.sampled_from(":`"),
            flat,
            st.sampled_from(["dropdown", "note"]),
            st.just("Hint"),
        )
        return st.lists(flat | hint, min_size=1, max_size=3).map(
            lambda blocks: [x for b in blocks for x in ["", *b]]
        )

    sign = st.sampled_from(":`")
    kept = inner("KEEP")
    exercise = st.builds(directive, sign, kept, st.just("exercise"), st.just("★"))
    options = st.sampled_from(
        [[], [":class: dropdown"], [":class: dropdown", ":label: s"]]
    )
    solution = st.builds(
        lambda s, o, lines: directive(s, [*o, *lines], "solution", "ex-x"),
        *(sign, options, inner("GONE")),
    )
    gated = st.builds(
        lambda lines: [
            *("````{solution-start} ex-x", ":class: dropdown", "````", ""),
            *lines,
            *("", "````{solution-end}", "````"),
        ],
        inner("GONE"),
    )
    within = st.builds(
        lambda s, a, b: directive(s, [*a, "", *b], "note", ""), sign, kept, solution
    )
    blank = st.sampled_from([[], [""], ["", ""]])
    return st.lists(
        st.tuples(kept | exercise | solution | gated | within, blank), max_size=6
    ).map(lambda parts: [x for block, gap in parts for x in [*block, "", *gap]])


@given(documents())
def test_all_solutions_go_and_nothing_else(lines):
    text = "\n".join(lines)
    left, inside = student.cut(text)
    assert not inside
    assert "GONE" not in left
    assert [x for x in left.split("\n") if "KEEP" in x] == [
        x for x in lines if "KEEP" in x
    ]
    names = [d.name for d in student.directives(text) if d.name != "solution"]
    after = [d.name for d in student.directives(left)]
    assert not any(name.startswith("solution") for name in after)
    if "GONE" not in text:
        assert left == text
        assert after == names
    assert student.cut(left) == (left, False)


@given(documents(), st.integers(0, 10**6))
def test_a_solution_may_end_its_cell(lines, seed):
    text = "\n".join([*lines, *directive(":", ["GONE"], "solution", "ex-x")])
    for more in ("", "\n", "\n\n", "  "):
        left, inside = student.cut(text + more)
        assert "GONE" not in left
        assert not inside
        assert left.count("KEEP") == text.count("KEEP")


SAMPLE = "```\n:::{solution} x\nshown\n:::\n```"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (":::{solution} x\nGONE\n:::", ""),
        ("a\n:::{solution} x\nGONE\n:::\nb", "a\n\nb"),
        ("a\n\n:::{solution} x\nGONE\n:::\n\nb", "a\n\nb"),
        ("a\n\n:::{solution} x\nGONE", "a"),  # closed by the end of its cell
        ("a\n\n:::{solution} x\nGONE\n:::\n\n\n", "a"),
        (":::::{solution} x\n:::{note}\nGONE\n:::\nGONE\n:::::\nb", "b"),
        ("`````{solution} x\n```\nGONE\n```\n`````\nb", "b"),
        ("- a\n\n  :::{solution} x\n  GONE\n  :::\n- b", "- a\n\n- b"),
        ("> a\n>\n> :::{solution} x\n> GONE\n> :::\n> b", "> a\n>\n> b"),
        (SAMPLE, SAMPLE),
        ("    :::{solution} x\n    shown", "    :::{solution} x\n    shown"),
    ],
)  # fmt: skip
def test_small_texts(text, left):
    assert student.cut(text) == (left, False)


def book(*cells):
    made = []
    for number, (kind, text, *tags) in enumerate(cells):
        cell = {"cell_type": kind, "id": f"c{number}", "metadata": {}, "source": [text]}
        if tags:
            cell["metadata"] = {"tags": list(tags)}
        made.append(cell)
    return {"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


START, END = "````{solution-start} ex-x\n````", "````{solution-end}\n````"


def test_cells_between_the_gates_and_cells_with_a_tag_go():
    notebook = book(
        ("markdown", "one"),
        ("code", "exam = 1", "instructor"),
        ("markdown", f"two\n\n{START}\n\nGONE"),
        ("code", "GONE = 1"),
        ("raw", "GONE"),
        ("markdown", "GONE"),
        ("markdown", f"GONE\n\n{END}\n\nthree"),
        ("code", "check = 1", "hide-cell", "solution"),
        ("markdown", "an exam question", "instructor"),
        ("code", "four", "hide-cell"),
        ("markdown", ":::{solution} ex-y\nGONE\n:::"),
    )
    before = json.dumps(notebook)
    left = student.strip(notebook)
    assert json.dumps(notebook) == before
    texts = ["".join(cell["source"]) for cell in left["cells"]]
    assert texts == ["one", "two", "three", "four"]
    assert student.strip(left) == left


@pytest.mark.parametrize(
    "texts", [(START,), (END,), (START, END, END), (f"{END}\n{START}",)]
)
def test_a_gate_without_the_other_is_refused(texts):
    with pytest.raises(ValueError, match=r"solution-(start|end) must"):
        student.strip(book(*(("markdown", text) for text in texts)))


# -- the notebooks ---------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The file for students, unpacked."""
    place = tmp_path_factory.mktemp("class")
    out = place / "student.zip"
    student.pack(out)
    again = place / "again.zip"
    student.pack(again)
    assert out.read_bytes() == again.read_bytes()
    zipfile.ZipFile(out).extractall(place)
    return place / student.FOLDER


def test_the_file_has_what_is_needed_and_no_solution(folder):
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*.*")}
    assert {"README.md", "pyproject.toml", "pmeanlib/exercises.json"} <= files
    assert {f"notebooks/{p.name}" for p in NOTEBOOKS} <= files
    code = "\n".join(code for path in NOTEBOOKS for code in cells_of(path)[0])
    needed = set(re.findall(r"_data/([\w.]+)", code))
    needed |= {f"{name}.py" for name in re.findall(r"from _data\.(\w+)", code)}
    assert len(needed) > 6
    assert {f"notebooks/_data/{name}" for name in needed} <= files
    assert not [name for name in files if "answers" in name or "bookkit" in name]
    texts = list(texts_of("x.zip", (folder.parent / "student.zip").read_bytes()))
    assert rows_in(texts) & (WRITTEN | READ) == set()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_below_every_exercise_there_is_room(path, folder):
    notebook = nbformat.read(folder / "notebooks" / path.name, as_version=4)
    nbformat.validate(notebook)
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)
    asked, before = None, []
    for cell in [*notebook.cells, nbformat.v4.new_markdown_cell()]:
        room = "answer" in cell.metadata.get("tags", [])
        label = re.search(r"\{exercise\}.*\n:label: (\S+)", cell.source)
        if asked and not room:
            kinds = [c.cell_type for c in before]
            by_code = asked.endswith("-code")
            assert kinds in (["code"], ["markdown"], ["markdown", "code"]), asked
            assert not by_code or kinds == ["code"], asked
            asked, before = None, []
        if room:
            assert asked
            assert asked in cell.id
            assert not cell.get("outputs")
            before.append(cell)
        if label:
            assert cell.source.count("{exercise}") == 1
            asked = label[1]
    markdown = "".join(c.source for c in notebook.cells)
    whole = student.dump(student.read(path))
    for word in (":label: ex-", "} Hint"):
        assert markdown.count(word) == whole.count(word)


def test_an_exercise_with_gates_has_its_room_behind_the_second():
    text = "```{exercise-start} ★\n:label: ex-x\n```\nBy code.\n"
    text += "```{exercise-end}\n```\n\nend"
    cells = student.with_answer_cells(book(("markdown", text)))["cells"]
    assert ["".join(c["source"]) for c in cells] == [
        text.partition("\n\nend")[0], "# your answer", "end"
    ]  # fmt: skip


def test_a_notebook_runs_where_it_is_unpacked(folder, monkeypatch):
    """With the library and the stored results that came with it."""
    monkeypatch.setenv("PYTHONPATH", str(folder))
    path = folder / "notebooks" / "welfare.ipynb"
    notebook = nbformat.read(path, as_version=4)
    last = "import pandas, pmeanlib\nfrom _data.rates import settings\n"
    last += "pandas.read_csv('_data/rates.csv')\nprint(pmeanlib.__file__)"
    notebook.cells.append(nbformat.v4.new_code_cell(last))
    NotebookClient(
        notebook, timeout=300, resources={"metadata": {"path": str(path.parent)}}
    ).execute()
    assert str(folder) in notebook.cells[-1].outputs[0].text
    checks = [
        c for c in notebook.cells if "pm.check(" in c.source and c.cell_type == "code"
    ]
    assert len(checks) == 4
    for cell in checks:
        assert cell.outputs[0].data["text/plain"].startswith("No answer yet. Asked for")


def test_the_library_can_be_installed_from_the_file(folder, tmp_path):
    how = "-m pip wheel -q --no-deps --no-build-isolation --no-index -w".split()
    command = [sys.executable, *how, str(tmp_path), str(folder)]
    subprocess.run(command, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("pmeanlib-*.whl")
    assert "pmeanlib/exercises.json" in zipfile.ZipFile(wheel).namelist()
