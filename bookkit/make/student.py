"""The book without solutions: its pages, and notebooks with room for answers.

`book` builds the pages from a copy of the chapters without solutions, so that nothing
which is made of them, be it a page, the search index or a download, can have what was
cut out before. `notebooks` packs the same chapters as readers open them, with room
for answers below each exercise, the library and the stored results, into one file.
(By hand, as `hide_solutions` of sphinx-exercise leaves what stands between
solution-start and solution-end.)
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import yaml

from bookkit import ipynb, model, reading
from bookkit.config import CONFIG, ROOT
from bookkit.make.notebooks import numbered, sources
from bookkit.markdown import directives
from bookkit.notebook import readable, results
from bookkit.translate import Places, resolved

SHOW = {"slide", "slideshow"}  # metadata for the speaker
ELSEWHERE = ("BOOK_REPOSITORY_URL", "GITHUB_REPOSITORY")  # where the solutions are
FOLDER = "p-mean-student"
RELEASED = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf8"))["date-released"]
README = """\
# p-Mean Regret for Stochastic Bandits: notebooks to work in

The chapters of the book without solutions. With Python 3.11 or later, in this folder:

    python -m venv .venv
    .venv/bin/python -m pip install ".[notebook]" jupyterlab
    .venv/bin/python -m jupyterlab --notebook-dir=notebooks

(On Windows it is `.venv\\Scripts\\python`.) Begin with `00-index.ipynb`. Run a notebook
from its top: below each exercise is an empty cell for your answer. Where it has a line
with `pm.check`, it says whether you are right, or if the shape, the sign or the
rounding is off. Then no network is needed, but for two chapters (`advice` and
`case_study`), whose first cell installs the package `causaldata`.
"""


# -- what is cut out -----------------------------------------------------------------


def cut(text: str, inside: bool = False) -> tuple[str, bool]:
    """A text without solutions, and whether it ends within one.

    `inside` says whether it begins within one: what stands between `solution-start`
    and `solution-end` may reach over several cells.
    """
    lines = text.split("\n")
    start = 0 if inside else None
    spans = []
    for block in directives(text):
        if block.name == "solution":
            spans.append((block.start, block.end))
        elif block.name == "solution-start" and start is None:
            start = block.start
        elif block.name == "solution-end":
            if start is None:
                raise ValueError("solution-end must follow a solution-start, got none")
            spans.append((start, block.end))
            start = None
    if start is not None:
        spans.append((start, len(lines)))
    if not spans:
        return text, False
    for first, end in spans:
        lines[first:end] = [""] * (end - first)
    left = re.sub(r"\n{3,}", "\n\n", "\n".join(lines))
    return left.strip("\n"), start is not None


def strip(notebook: Mapping[str, Any]) -> dict[str, Any]:
    """A notebook without solutions, cells that are tagged as such, and notes."""
    cells, inside = [], False
    for cell, raw in zip(ipynb.cells(notebook), notebook["cells"], strict=True):
        left, gone = cell.text, inside
        if cell.is_text:
            left, inside = cut(cell.text, inside)
            gone = not left.strip()
        if not gone and not model.CUT & cell.tags:
            metadata = {k: v for k, v in raw["metadata"].items() if k not in SHOW}
            source = left.splitlines(keepends=True)
            cells.append(raw | {"metadata": metadata, "source": source})
    if inside:
        raise ValueError("a solution-start must have its solution-end, got none")
    return {**notebook, "cells": cells}


# -- the pages -----------------------------------------------------------------------


def copy_book(folder: Path) -> None:
    """All that the pages are made of, without solutions."""
    for name in ("_config.yml", "_toc.yml", "references.bib"):
        shutil.copy(ROOT / name, folder)
    others = shutil.ignore_patterns("__pycache__", ".*")
    shutil.copytree(ROOT / "chapters", folder / "chapters", ignore=others)
    (folder / CONFIG["logo"]).parent.mkdir(parents=True)
    shutil.copy(ROOT / CONFIG["logo"], folder / CONFIG["logo"])
    for path in (folder / "chapters").iterdir():
        if path.suffix == ".ipynb":
            path.write_text(ipynb.dump(strip(ipynb.load(path))), "utf8")
        elif path.suffix == ".md":
            path.write_text(cut(path.read_text("utf8"))[0], "utf8")


def build(out: Path) -> None:
    """The pages without solutions, in a folder that has nothing else afterwards.

    Their buttons do not lead to the repository, which has the solutions.
    """
    shutil.rmtree(out, ignore_errors=True)
    with tempfile.TemporaryDirectory() as name:
        copy_book(Path(name))
        command = "from jupyter_book.cli.main import main; main()"
        how = ("build", name, "--all", "-W", "-n", "--keep-going", "-q")
        environment = {k: v for k, v in os.environ.items() if k not in ELSEWHERE}
        done = subprocess.run(
            [sys.executable, "-c", command, *how],
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        if done.returncode:  # what it says of a folder that is gone helps nobody else
            sys.exit(done.stdout + "The book without solutions could not be built")
        out.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(Path(name, "_build", "html"), out)


# -- the notebooks -------------------------------------------------------------------


def rooms(exercise: model.Exercise, imported: bool) -> Iterator[dict[str, Any]]:
    """Empty cells: words for what is done by hand, code for what is done by code.

    `imported` says whether a cell before has imported the library.
    """
    by_code = exercise.kind == "By code"
    if not by_code:
        name = f"{exercise.label}-words"
        yield ipynb.new_cell(name, "markdown", "*Your answer:*", "answer")
    if by_code or exercise.checks:
        code = ["# your answer"]
        if exercise.checks and not imported:
            code.append("import pmeanlib as pm\n")
        for name in exercise.checks:
            code += ["answer = ...", f'pm.check("{name}", answer)']
        name = f"{exercise.label}-code"
        yield ipynb.new_cell(name, "code", "\n".join(code), "answer")


def with_rooms(
    notebook: Mapping[str, Any], exercises: Iterable[model.Exercise], rooms=rooms
) -> dict[str, Any]:
    """A notebook with room for an answer below the cell of each of its exercises."""
    cells, imported, exercises = [], False, tuple(exercises)
    for cell, raw in zip(ipynb.cells(notebook), notebook["cells"], strict=True):
        imported |= cell.is_code and "import pmeanlib as pm" in cell.text
        cells.append(raw)
        for exercise in exercises:
            if exercise.cell.id == cell.id:
                cells += rooms(exercise, imported)
    return {**notebook, "cells": cells}


def places() -> Places:
    """Where references lead, but for the sites that have the solutions."""
    return replace(resolved(), site="", repository="")


def packed() -> Iterator[tuple[str, str]]:
    """What the file for students has: names and texts."""
    yield "README.md", README
    for name in ("LICENSE", "pyproject.toml"):
        yield name, (ROOT / name).read_text("utf8")
    exercises = {c.name: c.exercises for c in reading.read().chapters}
    stored, known = dict(sources()), places()
    files = numbered(list(stored))
    for name, file in files.items():
        notebook = readable(strip(stored[name]), name, known, files)
        text = ipynb.dump(with_rooms(notebook, exercises.get(name, ())))
        yield f"notebooks/{file}", text
    for path in results():
        yield f"notebooks/_data/{path.name}", path.read_text("utf8")
    for path in sorted((ROOT / "pmeanlib").rglob("*.*")):
        if path.suffix in (".py", ".pyi", ".csv", ".json", ".mplstyle"):
            yield path.relative_to(ROOT).as_posix(), path.read_text("utf8")


def pack(out: Path) -> None:
    """Write the file for students, the same to the last byte every time."""
    year, month, day = map(int, RELEASED.split("-"))
    out.parent.mkdir(parents=True, exist_ok=True)
    with ZipFile(out, "w", ZIP_DEFLATED) as file:
        for name, text in packed():
            info = ZipInfo(f"{FOLDER}/{name}", (year, month, day, 0, 0, 0))
            info.compress_type, info.external_attr = ZIP_DEFLATED, 0o644 << 16
            file.writestr(info, text)


if __name__ == "__main__":
    {"book": build, "notebooks": pack}[sys.argv[1]](Path(sys.argv[2]))
