"""The hashes of the answers that `pm.check` knows, computed by the solutions.

A cell of a solution that computes the answer has the metadata `answer`: the exercise's
name, what it asks for, the figures (0 for whole numbers), and, where every value with a
property is right, the property it `must` have. It assigns `answer` and asserts that
`pm.check` takes it. `make answers` executes these chapters without the assertions,
which fail while a hash is new, and writes `pmeanlib/exercises.json`.
"""

import json
import os
import re
import sys
from pathlib import Path

import nbformat
import numpy as np
from nbclient import NotebookClient

from bookkit.make.execute import ENVIRONMENT
from pmeanlib.exercises import hashed

ROOT = Path(__file__).parents[2]
FILE = ROOT / "pmeanlib" / "exercises.json"
ASSERTED = re.compile(r"^assert pm\.check\(.*$", re.M)
TELL = "import json, numpy\nprint(json.dumps(numpy.asarray(answer, float).tolist()))"


def marked(notebook: dict) -> list[dict]:
    """The cells that compute an answer."""
    return [cell for cell in notebook["cells"] if "answer" in cell["metadata"]]


def values(path: Path) -> list[tuple[dict, np.ndarray]]:
    """What each marked cell of a chapter says of its exercise, and the answer."""
    notebook, told, tellers = nbformat.read(path, as_version=4), [], []
    for cell in marked(notebook):
        cell.source = ASSERTED.sub("", cell.source)
        tellers.append(nbformat.v4.new_code_cell(TELL))
        told.append(cell.metadata["answer"])
        notebook.cells.insert(notebook.cells.index(cell) + 1, tellers[-1])
    where = {"metadata": {"path": str(path.parent)}}
    NotebookClient(notebook, timeout=300, resources=where).execute()
    answers = (np.array(json.loads(cell.outputs[0].text)) for cell in tellers)
    return list(zip(told, answers, strict=True))


def entry(told: dict, x: np.ndarray) -> dict:
    """What the library may know of an answer."""
    name, figures = told["name"], told["figures"]
    known = {key: told[key] for key in ("asks", "figures", "must") if key in told}
    known["shape"] = list(x.shape)
    if "must" not in told:
        known["right"] = hashed(name, x, figures)
        if figures > 1:
            known["close"] = hashed(name, x, figures - 1)
    return known


def text(entries: dict[str, dict]) -> str:
    """The file, one exercise a line."""
    lines = (f' "{name}": {json.dumps(entries[name])}' for name in sorted(entries))
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main(paths: list[Path]) -> None:
    """Hash the answers of these chapters anew; drop what no chapter computes now."""
    names = {
        cell["metadata"]["answer"]["name"]
        for path in (ROOT / "chapters").glob("*.ipynb")
        for cell in marked(json.loads(path.read_text("utf8")))
    }
    known = json.loads(FILE.read_text("utf8"))
    entries = {name: known[name] for name in names & known.keys()}
    for path in paths:
        if marked(json.loads(path.read_text("utf8"))):
            print(path, flush=True)
            entries |= {told["name"]: entry(told, x) for told, x in values(path)}
    FILE.write_text(text(entries), "utf8")
    print(f"{len(entries)} answers in pmeanlib/{FILE.name}")


if __name__ == "__main__":
    os.environ.update(ENVIRONMENT)
    main([Path(name) for name in sys.argv[1:]])
