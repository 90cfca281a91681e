"""The book without solutions: its pages, and notebooks with room for answers.

`book` builds the pages from a cleaned copy of the chapters, so that nothing which is
made of them, be it a page, the search index or a download, can have what was cut out
before. `notebooks` packs the same cleaned chapters, with an empty cell below each
exercise, the library and the stored results, into one file. (By hand, as
`hide_solutions` of sphinx-exercise leaves what stands between solution-start and
solution-end.)
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import yaml

from bookkit.config import CONFIG, ROOT
from bookkit.markdown import directives
from bookkit.model import CHECK, CUT, contents, dump, load, new_cell

LABEL = re.compile(r"^:label:\s*(\S+)", re.M)
SHOW = {"slide", "slideshow"}  # metadata for the speaker
ELSEWHERE = ("BOOK_REPOSITORY_URL", "GITHUB_REPOSITORY")  # where the solutions are
FOLDER = "p-mean-student"
README = """\
# p-Mean Regret for Stochastic Bandits: notebooks to work in

The chapters of the book without solutions. With Python 3.11 or later, in this folder:

    python -m venv .venv
    .venv/bin/python -m pip install ".[notebook]" jupyterlab
    .venv/bin/python -m jupyterlab --notebook-dir=notebooks

(On Windows it is `.venv\\Scripts\\python`.) Run a notebook from its top: below each
exercise is an empty cell for your answer. Where it has a line with `pm.check`, it says
whether you are right, or if the shape, the sign or the rounding is off. No network is
needed.
"""


# -- what is cut out -----------------------------------------------------------------


def cut(text: str, inside: bool = False) -> tuple[str, bool]:
    """A text without solutions, and whether it ends within one.

    `inside` says whether it begins within one: what stands between `solution-start`
    and `solution-end` may reach over several cells.
    """
    lines, gone = text.split("\n"), set()
    start = 0 if inside else None
    for block in directives(text):
        if block.name == "solution":
            gone |= set(range(block.start, block.end))
        elif block.name == "solution-start" and start is None:
            start = block.start
        elif block.name == "solution-end":
            if start is None:
                raise ValueError("solution-end must follow a solution-start, got none")
            gone |= set(range(start, block.end))
            start = None
    if start is not None:
        gone |= set(range(start, len(lines)))
    return "\n".join(_joined(lines, gone)) if gone else text, start is not None


def _joined(lines: list[str], gone: set[int]) -> list[str]:
    """The other lines; where some are gone, one blank line separates the rest."""
    kept: list[str] = []
    after = False  # something that is gone
    for number, line in enumerate(lines):
        if number in gone:
            after = True
        elif after and _is_blank(line) and (not kept or _is_blank(kept[-1])):
            continue
        else:
            if after and kept and not _is_blank(line) and not _is_blank(kept[-1]):
                kept.append("")
            kept.append(line)
            after = False
    while after and kept and _is_blank(kept[-1]):
        kept.pop()
    return kept


def _is_blank(line: str) -> bool:
    """Whether a line separates paragraphs, in a quotation too."""
    return not line.strip(" \t\r>")


def strip(notebook: dict) -> dict:
    """A notebook without solutions, cells that are tagged as such, and notes."""
    cells, inside = [], False
    for cell in notebook["cells"]:
        left, within = "".join(cell["source"]), inside
        if cell["cell_type"] == "markdown":
            left, inside = cut(left, inside)
            within = not left.strip()
        if not within and not CUT & set(cell["metadata"].get("tags", [])):
            metadata = {k: v for k, v in cell["metadata"].items() if k not in SHOW}
            source = left.splitlines(keepends=True)
            cells.append(cell | {"metadata": metadata, "source": source})
    if inside:
        raise ValueError("a solution-start must have its solution-end, got none")
    return notebook | {"cells": cells}


def read(path: Path) -> dict:
    """A notebook as it is stored, without its solutions."""
    return strip(load(path))


# -- the pages -----------------------------------------------------------------------


def copy_book(folder: Path) -> None:
    """All that the pages are made of, without solutions."""
    for name in ("_toc.yml", "references.bib"):
        shutil.copy(ROOT / name, folder)
    (folder / "_config.yml").write_text(yaml.safe_dump(_unchecked(CONFIG)), "utf8")
    others = shutil.ignore_patterns("__pycache__", ".*")
    shutil.copytree(ROOT / "chapters", folder / "chapters", ignore=others)
    (folder / CONFIG["logo"]).parent.mkdir(parents=True)
    shutil.copy(ROOT / CONFIG["logo"], folder / CONFIG["logo"])
    for path in (folder / "chapters").iterdir():
        if path.suffix == ".ipynb":
            path.write_text(dump(read(path)), "utf8")
        elif path.suffix == ".md":
            path.write_text(cut(path.read_text("utf8"))[0], "utf8")


def _unchecked(config: Mapping[str, Any]) -> dict[str, Any]:
    """The configuration of a book without solutions, which its rules ask for."""
    settings = config["sphinx"]["config"] | {"check_rules": False}
    return {**config, "sphinx": config["sphinx"] | {"config": settings}}


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


def with_answer_cells(notebook: dict) -> dict:
    """A notebook with an empty cell for the answer below each exercise and its hint."""
    cells: list[dict] = []
    imported = False
    for cell in notebook["cells"]:
        text = "".join(cell["source"])
        imported |= cell["cell_type"] == "code" and "import pmeanlib as pm" in text
        if cell["cell_type"] == "markdown":
            cells += _parted(cell, text, imported)
        else:
            cells.append(cell)
    return notebook | {"cells": cells}


def _parted(cell: dict, text: str, imported: bool) -> Iterator[dict]:
    """The pieces of a cell of text, with room after each exercise."""
    lines, done = text.split("\n"), 0
    for number, (end, asked) in enumerate(exercises(text), 1):
        piece = "\n".join(lines[done:end]).strip("\n")
        name = cell["id"] if done == 0 else f"{cell['id']}-{number}"
        yield cell | {"id": name, "source": piece.splitlines(keepends=True)}
        yield from answer_cells(asked, imported)
        done = end
    rest = "\n".join(lines[done:])
    if done == 0:
        yield cell
    elif rest.strip():
        left = rest.strip("\n").splitlines(keepends=True)
        yield cell | {"id": f"{cell['id']}-end", "source": left}


def exercises(text: str) -> list[tuple[int, str]]:
    """Where each exercise with its hints ends, and what it says."""
    lines, spans, opened = text.split("\n"), [], 0
    for block in directives(text):
        if block.depth:
            continue
        if block.name == "exercise-start":
            opened = block.start
        elif block.name in ("exercise", "exercise-end"):
            start = opened if block.name == "exercise-end" else block.start
            spans.append((block.end, "\n".join(lines[start : block.end])))
        elif spans and block.argument.lower().startswith("hint"):
            end, asked = spans[-1]
            if not "".join(lines[end : block.start]).strip():
                spans[-1] = block.end, asked
    return spans


def answer_cells(asked: str, imported: bool) -> Iterator[dict]:
    """Empty cells: words for what is done by hand, code for what is done by code."""
    if not (match := LABEL.search(asked)):
        raise ValueError(f"an exercise must have a label, got none in {asked[:60]!r}")
    label = match[1]
    checks = CHECK.findall(asked)
    by_code = label.endswith("-code") or "by code" in asked.lower()
    if not by_code:
        yield new_cell(f"{label}-words", "markdown", "*Your answer:*", "answer")
    if by_code or checks:
        code = ["# your answer"]
        if checks and not imported:
            code.append("import pmeanlib as pm\n")
        for name in checks:
            code += ["answer = ...", f'pm.check("{name}", answer)']
        yield new_cell(f"{label}-code", "code", "\n".join(code), "answer")


def chapters() -> list[Path]:
    """The notebooks of the book, in its order."""
    paths = (ROOT / "chapters" / f"{name}.ipynb" for name in contents())
    return [path for path in paths if path.exists()]


def packed() -> Iterator[tuple[str, str]]:
    """What the file for students has: names and texts."""
    yield "README.md", README
    for name in ("LICENSE", "pyproject.toml"):
        yield name, (ROOT / name).read_text("utf8")
    for path in chapters():
        yield f"notebooks/{path.name}", dump(with_answer_cells(read(path)))
    for path in sorted((ROOT / "chapters" / "_data").glob("*.[cp][sy]*")):
        yield f"notebooks/_data/{path.name}", path.read_text("utf8")
    for path in sorted((ROOT / "pmeanlib").rglob("*.*")):
        if path.suffix in (".py", ".pyi", ".csv", ".json", ".mplstyle"):
            yield path.relative_to(ROOT).as_posix(), path.read_text("utf8")


def pack(out: Path) -> None:
    """Write the file for students, the same to the last byte every time."""
    out.parent.mkdir(parents=True, exist_ok=True)
    with ZipFile(out, "w", ZIP_DEFLATED) as file:
        for name, text in packed():
            info = ZipInfo(f"{FOLDER}/{name}")
            info.compress_type, info.external_attr = ZIP_DEFLATED, 0o644 << 16
            file.writestr(info, text)


if __name__ == "__main__":
    {"book": build, "notebooks": pack}[sys.argv[1]](Path(sys.argv[2]))
