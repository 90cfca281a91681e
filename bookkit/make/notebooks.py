"""The book as notebooks in plain Markdown, in reading order: `_build/notebooks`.

`make notebooks` writes them from the sources, with the words and numbers of references
that the last build of the pages has kept; `make lab` copies them to where the reader
may change them.
"""

import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from bookkit import ipynb, reading
from bookkit.config import ROOT
from bookkit.notebook import readable, results
from bookkit.translate import resolved

ONLY_ON_PAGES = {"api"}  # made from docstrings: `help(pm)` says the same
BESIDE = "../html/"  # where the pages lie, if no site is known


def sources() -> Iterator[tuple[str, dict[str, Any]]]:
    """The pages of the book in its order, each stored as a notebook."""
    for name in reading.contents():
        path = ROOT / "chapters" / f"{name}.ipynb"
        if path.exists():
            yield name, ipynb.load(path)
        elif name not in ONLY_ON_PAGES:
            text = path.with_suffix(".md").read_text("utf8")
            yield name, {"cells": [ipynb.new_cell(name, "markdown", text)]}


def numbered(names: list[str]) -> dict[str, str]:
    """The files of pages, in whose names their order shows."""
    return {name: f"{n:02d}-{name}.ipynb" for n, name in enumerate(names)}


def write(out: Path) -> None:
    """All notebooks and the stored results, in a folder that has nothing else then."""
    shutil.rmtree(out, ignore_errors=True)
    (out / "_data").mkdir(parents=True)
    places = resolved()
    places = replace(places, site=places.site or BESIDE)
    stored = dict(sources())
    files = numbered(list(stored))
    for page, file in files.items():
        text = ipynb.dump(readable(stored[page], page, places, files))
        (out / file).write_text(text, "utf8")
    for path in results():
        shutil.copy(path, out / "_data")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
