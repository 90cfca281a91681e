"""The book without solutions has none, anywhere; its notebooks have room and run."""

import ast
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import leaks
import nbformat
import pytest
from nbclient import NotebookClient

from bookkit import ipynb, model, reading
from bookkit.make import autograder, student
from bookkit.make.notebooks import numbered, sources
from bookkit.sphinx.search import Words

ROOT = Path(__file__).parents[2]

NOTEBOOKS = [chapter.path for chapter in reading.read().chapters]
FILES = numbered([name for name, _ in sources()])
ADDRESS = "https://example.org/with-solutions"
PROBES = leaks.probes()
EXAM = "exam-question-"  # what the cells of the exam are called
WRITTEN, READ = (set().union(*kind) for kind in zip(*PROBES.values()))


def stripped(path):
    """A chapter as it is stored, without its solutions."""
    return student.strip(ipynb.load(path))


@pytest.fixture(scope="module")
def without(tmp_path_factory):
    """The pages without solutions, built where others were before."""
    out = tmp_path_factory.mktemp("student") / "html"
    (out / "chapters").mkdir(parents=True)
    (out / "chapters" / "stale.html").write_text("from another build", "utf8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BOOK_REPOSITORY_URL", ADDRESS)
        student.build(out)
    return leaks.read_all(out)


@pytest.fixture(scope="module")
def whole():
    """The pages with solutions: `make test` has built them before."""
    return leaks.read_all(ROOT / "_build" / "html")


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
    exam = [read for (_, label), (_, read) in PROBES.items() if label.startswith(EXAM)]
    assert len(exam) == 10
    assert min(map(len, exam)) > 30


def test_no_solution_is_left_anywhere(without):
    left = {}
    for name, texts in without.items():
        as_written = name.endswith((".ipynb", ".md", ".json", ".zip"))
        left[name] = leaks.rows(*texts) & (WRITTEN | READ if as_written else READ)
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
        page = leaks.rows(*whole[f"chapters/{path.stem}.html"])
        source = leaks.rows(*whole[f"_sources/chapters/{path.stem}.ipynb"])
        for (chapter, label), (_, read) in PROBES.items():
            if chapter == path.stem:
                assert read <= source, label
            if chapter == path.stem and label.startswith(("ex-", EXAM)) and read:
                assert read & page, label


def test_no_word_that_only_solutions_have_can_be_searched_for(without, whole):
    pages = (text for n, texts in without.items() if "chapters/" in n for text in texts)
    words = set().union(*(re.findall(r"\w+", text) for text in pages))
    stem = Words({}).stem
    shown = set(map(stem, words))
    only = set(map(stem, set().union(*READ))) - shown
    assert len(only) > 100
    for book in (without, whole):
        found = set(re.findall(r'"([^"]*)": \[?\d', book["searchindex.js"][0]))
        assert len(shown & found) > 2000
        assert not only & found


def test_nothing_of_an_earlier_build_stays_and_no_button_leads_to_solutions(without):
    assert "chapters/stale.html" not in without
    assert not [n for n, texts in without.items() if any(ADDRESS in t for t in texts)]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_nothing_but_solutions_and_notes_is_cut_out(path):
    solutions, left = leaks.split(stripped(path))
    assert not solutions
    _, rest = leaks.split(json.loads(path.read_text("utf8")))
    for mark in (leaks.BREAK, model.BORDER):  # between cells, and between slides
        left, rest = left.replace(mark, ""), rest.replace(mark, "")
    assert left.split() == rest.split()


# -- what the chapters must not do -----------------------------------------------------


def cells_of(path):
    """The code cells of a chapter, those that stay and those that are cut out."""
    every = json.loads(path.read_text("utf8"))["cells"]
    stay = {c["id"]: "".join(c["source"]) for c in stripped(path)["cells"]}
    code = {c["id"]: "".join(c["source"]) for c in every if c["cell_type"] == "code"}
    return (
        [text for name, text in code.items() if name in stay],
        [text for name, text in code.items() if name not in stay],
    )


def names_in(codes, context):
    """The names that cells load, or those that they store, define or take."""
    found = set()
    for node in (node for code in codes for node in ast.walk(ast.parse(code))):
        if isinstance(node, ast.Name) and isinstance(node.ctx, context):
            found.add(node.id)
        elif context is ast.Store and isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif context is ast.Store and isinstance(node, ast.arg):
            found.add(node.arg)
    return found


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_no_cell_needs_a_name_that_only_a_solution_gives(path):
    stay, gone = cells_of(path)
    only = names_in(gone, ast.Store) - names_in(stay, ast.Store)
    assert not only & names_in(stay, ast.Load)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_no_cell_that_stays_is_there_for_a_solution_alone(path):
    """A glued value that only solutions use, a number that only they show."""
    solutions, rest = leaks.split(json.loads(path.read_text("utf8")))
    told = "\n".join(solutions.values())
    stay, _ = cells_of(path)
    cells = stripped(path)["cells"]
    shown = [o for c in cells for o in c.get("outputs", ())]
    prose = "\n".join(
        ["".join(c["source"]) for c in cells if c["cell_type"] == "markdown"]
        + ["".join(o.get("data", {}).get("text/plain", "")) for o in shown]
    )
    glued = re.compile(r"\{glue:\w+\}`([\w-]+)")
    only = set(glued.findall(told)) - set(glued.findall(rest))
    assert not [name for name in only for code in stay if f'"{name}"' in code]
    numbers = figures(told) - figures(prose)
    assert not numbers & figures("\n".join(stay))


def figures(text):
    """The numbers in a text with three figures or more, zeros at the ends apart."""
    found = re.findall(r"(?<![\w.])\d[\d,_{}]*(?:\.\d+)?", text)
    digits = {re.sub(r"[^\d.]", "", x) for x in found}
    return {x for x in digits if len(x.replace(".", "").strip("0")) > 2}


# -- the function that cuts ------------------------------------------------------------


START, END = "````{solution-start} ex-x\n````", "````{solution-end}\n````"
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
        ("::::{note}\na\n:::{solution} x\nGONE\n:::\n::::", "::::{note}\na\n\n::::"),
        (f"a\n\n{START}\n\n```\n:::\nGONE\n```\n\n{END}\n\nb", "a\n\nb"),
        ("- a\n\n  :::{solution} x\n  GONE\n  :::\n- b", "- a\n\n- b"),
        (SAMPLE, SAMPLE),
        (SAMPLE.replace("```", "~~~"), SAMPLE.replace("```", "~~~")),
        ("    :::{solution} x\n    shown", "    :::{solution} x\n    shown"),
    ],
)  # fmt: skip
def test_small_texts(text, left):
    assert student.cut(text) == (left, False)
    assert student.cut(left) == (left, False)


def book(*cells):
    made = []
    for number, (kind, text, *tags) in enumerate(cells):
        cell = {"cell_type": kind, "id": f"c{number}", "metadata": {}, "source": [text]}
        if tags:
            cell["metadata"] = {"tags": list(tags)}
        made.append(cell)
    return {"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


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
    archive = zipfile.ZipFile(out)
    assert (
        min(info.date_time[0] for info in archive.infolist()) > 2020
    )  # of the edition
    archive.extractall(place)
    return place / student.FOLDER


def test_the_file_has_what_is_needed(folder):
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*.*")}
    assert {"README.md", "pyproject.toml", "pmeanlib/exercises.json"} <= files
    assert {f"notebooks/{name}" for name in FILES.values()} <= files
    code = "\n".join(code for path in NOTEBOOKS for code in cells_of(path)[0])
    needed = set(re.findall(r"_data/([\w.]+)", code))
    needed |= {f"{name}.py" for name in re.findall(r"from _data\.(\w+)", code)}
    assert len(needed) > 6
    assert {f"notebooks/_data/{name}" for name in needed} <= files
    assert not [name for name in files if "answers" in name or "bookkit" in name]


def test_no_solution_is_left_in_notebooks_and_assignments(folder, tmp_path):
    autograder.write(tmp_path / "course")
    for files in (leaks.read_all(folder), leaks.read_all(tmp_path)):
        found = {name: leaks.rows(*texts) for name, texts in files.items()}
        assert not {n for n, rows in found.items() if rows & (WRITTEN | READ)}
        assert len(found) > 40
        for name, texts in files.items():
            assert not any("Solution of" in text for text in texts), name


@pytest.mark.parametrize("chapter", reading.read().chapters, ids=lambda c: c.name)
def test_below_every_exercise_there_is_room(chapter, folder):
    notebook = nbformat.read(folder / "notebooks" / FILES[chapter.name], as_version=4)
    nbformat.validate(notebook)
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)
    exercises = {exercise.label: exercise for exercise in chapter.exercises}
    rooms, asked = {}, None
    for cell in notebook.cells:
        if "answer" in cell.metadata.get("tags", []):
            rooms.setdefault(asked, []).append(cell.cell_type)
            assert not cell.get("outputs")
        elif labels := re.findall(r'<a id="(ex-[\w-]+)"></a>\n\n### ', cell.source):
            (asked,) = labels
        else:
            asked = None
    assert list(rooms) == list(exercises)
    for label, kinds in rooms.items():
        by_code = exercises[label].kind == "By code"
        assert kinds in (["code"], ["markdown"], ["markdown", "code"]), label
        assert by_code == (kinds == ["code"]), label
        assert bool(exercises[label].checks) <= ("code" in kinds), label


def test_a_notebook_runs_where_it_is_unpacked(folder, monkeypatch):
    """With the library and the stored results that came with it."""
    monkeypatch.setenv("PYTHONPATH", str(folder))
    path = folder / "notebooks" / FILES["welfare"]
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
