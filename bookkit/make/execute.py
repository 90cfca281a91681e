"""Execute notebooks in place so that doing it twice changes no byte.

No timings, no widgets' state, no version of Python in the metadata, one fixed hash seed
and one BLAS thread: what is left depends on the code and its seeds alone.
"""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

from bookkit.config import ROOT
from bookkit.notebook import METADATA

ENVIRONMENT = {
    "PYTHONHASHSEED": "0",
    "OMP_NUM_THREADS": "1",
    "TQDM_DISABLE": "1",
    "JUPYTER_PREFER_ENV_PATH": "1",  # this environment's kernel, not another one's
}
COVER = ROOT / "bookkit" / "web" / "fig-question.svg"  # for README.md


def run(path: Path, sources: Mapping[int, str] | None = None) -> Any:
    """The executed notebook; `sources` stand in cells of these numbers, from 1."""
    notebook = nbformat.read(path, as_version=4)
    for number, source in (sources or {}).items():
        notebook.cells[number - 1].source = source
    NotebookClient(
        notebook,
        timeout=300,
        record_timing=False,
        coalesce_streams=True,
        resources={"metadata": {"path": str(path.parent)}},
    ).execute()
    return notebook


def execute(path: Path) -> None:
    """Execute a notebook and write it into its file; the cover into its own."""
    notebook = run(path)
    notebook.metadata = nbformat.from_dict(METADATA)
    nbformat.write(notebook, path)
    for cell in notebook.cells:
        name = cell.metadata.get("mystnb", {}).get("figure", {}).get("name")
        if name == COVER.stem:
            COVER.write_text(cell.outputs[0].data["image/svg+xml"], "utf8")


if __name__ == "__main__":
    os.environ.update(ENVIRONMENT)
    for name in sys.argv[1:]:
        print(name, flush=True)
        execute(Path(name))
