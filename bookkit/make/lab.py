"""`make lab`: the notebooks in JupyterLab, in a folder of the reader's own.

What the reader has changed is never overwritten: beside the notebooks lies a list of
what was put there, and only a file that is still as it was put is brought up to date.
"""

import hashlib
import json
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

PUT = ".put.json"
START = "00-index.ipynb"
WORDS = """\
The notebooks are in {folder}. What you change there is yours.
The first simulation on this machine compiles the library, once: some seconds.
"""


def put(source: Path, folder: Path) -> list[str]:
    """Bring a folder up to date; the names of the files that the reader has changed."""
    listed = folder / PUT
    known = json.loads(listed.read_text("utf8")) if listed.exists() else {}
    kept = []
    for name in _names(source):
        target, digest = folder / name, _digest(source / name)
        theirs = _digest(target) if target.exists() else None
        if theirs not in (None, digest, known.get(name)):
            kept.append(name)
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source / name, target)
        known[name] = digest
    listed.write_text(json.dumps(known, indent=1), "utf8")
    return kept


def _names(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield path.relative_to(folder).as_posix()


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def main(source: Path, folder: Path) -> None:
    """Put the notebooks there, and open the first page of the book in JupyterLab."""
    folder.mkdir(exist_ok=True)
    for name in put(source, folder):
        print(f"{folder / name} was changed and is kept; the book's is {source / name}")
    print(WORDS.format(folder=folder), flush=True)
    options = (f"--notebook-dir={folder}", f"--LabApp.default_url=/lab/tree/{START}")
    os.execv(sys.executable, [sys.executable, "-m", "jupyterlab", *options])


if __name__ == "__main__":
    main(*(Path(name).resolve() for name in sys.argv[1:3]))
