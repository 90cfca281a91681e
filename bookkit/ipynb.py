"""Notebooks as files: stored, written, and their cells as values."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bookkit.model import BORDER, BookError, Cell, Fault, Output, file_name


def load(path: Path) -> dict[str, Any]:
    """A notebook as it is stored, to be changed and written again."""
    return parsed(path, path.read_text("utf8"))


def parsed(path: Path, text: str) -> dict[str, Any]:
    """A notebook from its text; a BookError if it has another format."""
    try:
        notebook: dict[str, Any] = json.loads(text)
        for cell in notebook["cells"]:
            _ = cell["cell_type"], cell["source"], cell["metadata"]
    except (ValueError, KeyError, TypeError) as error:
        cure = "open and save it in JupyterLab, or take its last version from git"
        rule = f"a chapter is a notebook of format 4, got {error!r}"
        raise BookError(Fault(file_name(path), "", rule, cure)) from error
    return notebook


def dump(notebook: Mapping[str, Any]) -> str:
    """A notebook as it is written into its file."""
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def new_cell(id: str, kind: str, text: str, *tags: str) -> dict[str, Any]:
    """A cell as notebooks store it; one of code was not executed."""
    cell: dict[str, Any] = {"cell_type": kind, "id": id}
    cell["metadata"] = {"tags": list(tags)} if tags else {}
    if kind == "code":
        cell |= {"execution_count": None, "outputs": []}
    return cell | {"source": text.splitlines(keepends=True)}


def cells(notebook: Mapping[str, Any]) -> tuple[Cell, ...]:
    """The cells of a stored notebook."""
    return tuple(
        Cell(
            number=number,
            id=cell.get("id", ""),
            kind=cell["cell_type"],
            text="".join(cell["source"]).replace(BORDER, ""),
            tags=frozenset(cell["metadata"].get("tags", [])),
            metadata=cell["metadata"],
            count=cell.get("execution_count"),
            outputs=tuple(_output(output) for output in cell.get("outputs", [])),
        )
        for number, cell in enumerate(notebook["cells"], 1)
    )


def _output(output: Mapping[str, Any]) -> Output:
    """An output of a cell; streams have their text as text/plain."""
    data = dict(output.get("data", {}))
    if "text" in output:
        data["text/plain"] = output["text"]
    texts = {k: "".join(v) if isinstance(v, list) else str(v) for k, v in data.items()}
    glued = output.get("metadata", {}).get("scrapbook", {}).get("name", "")
    return Output(output["output_type"], output.get("name", ""), texts, glued)
