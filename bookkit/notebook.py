"""A page of the book as a notebook that every program shows, and that runs anywhere.

The text is `translate`d; what the page folds is folded; captions stand below figures;
and the first cell fetches what is missing where the notebook lies alone. The code is
the source's to the last byte.
"""

import ast
import base64
import re
from collections.abc import Iterable, Mapping
from html import escape
from importlib.metadata import version
from pathlib import Path
from typing import Any

from bookkit import ipynb, reading
from bookkit.config import ROOT
from bookkit.model import Cell
from bookkit.repository import branch
from bookkit.translate import Places, Translator, anchor, folded

STILLS = ROOT / "bookkit" / "web" / "stills"
DATA = ROOT / "chapters" / "_data"
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
GLUED = "application/papermill.record/text/plain"
SVG = "image/svg+xml"
FOLDED = {"hide-input", "hide-cell", "remove-cell", "solution"}  # tags
KEPT = {"nbval-ignore-output", "solution", "instructor"}  # tags with a use
_ATTACHED = re.compile(r"\(attachment:([\w-]+\.png)\)")
_DATA = re.compile(r"_data[./](\w+)")

SETUP = """\
# Where this notebook lies alone, fetch what it needs; elsewhere, do nothing.
from importlib.util import find_spec

if not find_spec("pmeanlib"):
    {}
"""
INSTALL = '%pip install -q "pmeanlib[notebook] @ git+{repository}@{branch}"'
READ = ["causaldata"]  # for its data alone: what it would import is not installed
PACKAGE = """\
if not find_spec("{name}"):
    %pip install -q --no-deps {name}=={version}
"""
STORED = """\
from pathlib import Path
from urllib.request import urlretrieve

for name in {}:
    if not Path("_data", name).exists():
        {}
"""
FETCH = """\
Path("_data").mkdir(exist_ok=True)
        address = "{repository}/raw/{branch}/chapters/_data"
        urlretrieve(f"{{address}}/{{name}}", f"_data/{{name}}")"""
MISSING = 'raise SystemExit({}"{} is missing: take it from the folder of the book")'


def setup_code(code: str, repository: str, branch: str) -> str:
    """Code that fetches what `code` needs: library, packages and stored results."""
    library, fetch = MISSING.format("", "The library"), MISSING.format("f", "{name}")
    if repository:
        address = {"repository": repository, "branch": branch}
        library, fetch = INSTALL.format(**address), FETCH.format(**address)
    data = needed(code)
    texts = [code, *(path.read_text("utf8") for path in data if path.suffix == ".py")]
    packages = [name for name in READ if any(name in text for text in texts)]
    parts = [PACKAGE.format(name=name, version=version(name)) for name in packages]
    if data:
        parts.append(STORED.format(tuple(path.name for path in data), fetch))
    return SETUP.format(library) + "".join(parts)


def results() -> list[Path]:
    """The files of stored results, and the scripts that made them."""
    return sorted(DATA.glob("*.[cp][sy]*"))


def needed(code: str) -> list[Path]:
    """Those that code names."""
    stems = set(_DATA.findall(code))
    return [path for path in results() if path.stem in stems]


def readable(
    stored: Mapping[str, Any],
    page: str,
    places: Places,
    files: Mapping[str, str],
    answers: bool = True,
) -> dict[str, Any]:
    """A page, stored as a notebook, as one that every program shows.

    `files` are the names of all such notebooks, by their pages; `answers` says whether
    it has those of quick questions.
    """
    read = ipynb.cells(stored)
    translator = Translator(page, places, glued(read), files, answers)
    cells = []
    if code := "\n".join(cell.text for cell in read if cell.is_code):
        first = setup_code(code, places.repository, branch())
        cells.append(_folded_code("setup", first))
    label = ""  # of the solution that goes on over several cells
    for cell, raw in zip(read, stored["cells"], strict=True):
        if cell.is_text:
            text, label = _text_of(cell, label, translator)
            if text.strip():
                cells.append(_text_cell(cell.id, text, *sorted(KEPT & cell.tags)))
        elif cell.is_code:
            cells.append(_code_cell(cell, raw))
            if caption := _caption(cell, translator):
                cells.append(_text_cell(f"{cell.id}-caption", caption))
    return {"nbformat": 4, "nbformat_minor": 5, "cells": cells, "metadata": METADATA}


def glued(cells: Iterable[Cell]) -> dict[str, str]:
    """The words that cells put into the sentences of their chapter, by their names."""
    return {
        output.glued: str(ast.literal_eval(output.data[GLUED]))
        for cell in cells
        for output in cell.outputs
        if output.glued
    }


def _text_of(cell: Cell, label: str, translator: Translator) -> tuple[str, str]:
    """A cell of text, and the label of the solution in which it ends, if in one."""
    lines, parts, done = cell.text.split("\n"), [], 0

    def add(end: int) -> None:
        part = translator.text("\n".join(lines[done:end]))
        if part and label:
            part = folded(translator.solution_of(label), part)
        parts.append(part)

    for block in cell.directives:
        if block.name in ("solution-start", "solution-end"):
            add(block.start)
            label = block.argument if block.name == "solution-start" else ""
            done = block.end
    add(len(lines))
    return "\n\n".join(filter(None, parts)), label


def _caption(cell: Cell, translator: Translator) -> str:
    """What stands below a picture: its number and its caption."""
    figure = reading.figure(cell)
    if not figure.name or not figure.caption:
        return ""
    name, caption = translator.places.names[figure.name], figure.caption
    return f"{anchor(figure.name)}**{name}** {translator.prose(caption)}"


def _text_cell(id: str, text: str, *tags: str) -> dict[str, Any]:
    """A cell of text, with the pictures of explorers that it shows.

    Those of a new explorer come later: `make stills` needs the pages.
    """
    cell = ipynb.new_cell(id, "markdown", text, *tags)
    stills = [STILLS / name for name in _ATTACHED.findall(text)]
    if pictures := [path for path in stills if path.exists()]:
        cell["attachments"] = {
            path.name: {"image/png": base64.b64encode(path.read_bytes()).decode()}
            for path in pictures
        }
    return cell


def _folded_code(id: str, source: str) -> dict[str, Any]:
    cell = ipynb.new_cell(id, "code", source)
    return cell | {"metadata": {"jupyter": {"source_hidden": True}}}


def _code_cell(cell: Cell, raw: Mapping[str, Any]) -> dict[str, Any]:
    """A cell of code as it is stored; what the page folds is folded here too."""
    metadata: dict[str, Any] = {}
    if tags := sorted(KEPT & cell.tags):
        metadata["tags"] = tags
    if FOLDED & cell.tags:
        hidden = {"source_hidden": True}
        if "hide-input" not in cell.tags:
            hidden["outputs_hidden"] = True
        metadata["jupyter"] = hidden
    outputs = [
        _shown(output, reading.figure(cell).alt)
        for output in raw["outputs"]
        if output.get("data", {}).keys() != {GLUED}
    ]
    return {**raw, "metadata": metadata, "outputs": outputs}


def _shown(output: Mapping[str, Any], alt: str) -> dict[str, Any]:
    """An output; a drawing also as HTML, since nobody shows SVG of unknown origin."""
    data = output.get("data", {})
    if SVG not in data:
        return dict(output)
    drawing = base64.b64encode("".join(data[SVG]).encode()).decode()
    picture = f'<img alt="{escape(alt)}" src="data:{SVG};base64,{drawing}">'
    return {**output, "data": {**data, "text/html": picture}}
