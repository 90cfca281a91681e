"""`make chapter NAME=x TITLE="..."`: a new chapter that follows every rule of the book.

It is the notebook `chapter.ipynb` beside this file, with its name and its title: a box,
two questions, a figure, what to remember and an exercise, so that there is something to
run, to look at and to replace. It stands last in the part `PART` of _toc.yml.
"""

import json
import os
import re
import sys
from pathlib import Path

from bookkit import chapter_rules, reading
from bookkit.config import ROOT
from bookkit.make.execute import ENVIRONMENT, execute

TEMPLATE = Path(__file__).with_suffix(".ipynb")
PART = "Beyond the paper"


def write(root: Path, name: str, title: str) -> Path:
    """Write a chapter into the book in a folder, and where its pages are listed."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise ValueError(f"NAME must be small letters, digits and _, got {name!r}")
    if name in reading.contents(root):
        raise ValueError(f"NAME must be new, got {name!r}, which is in _toc.yml")
    if not title.strip():
        raise ValueError(f"TITLE must have a word, got {title!r}")
    about = f"Write here in a sentence or two what this page shows: {title}"
    last = _last(root)
    entry = "      - file: chapters/{}"
    _insert(root / "_toc.yml", entry.format(last), entry.format(name))
    described = f"      {name}: {json.dumps(about, ensure_ascii=False)}"
    _insert(root / "_config.yml", f"      {last}: ", described)
    path = root / "chapters" / f"{name}.ipynb"
    escaped = json.dumps(title, ensure_ascii=False)[1:-1]
    text = TEMPLATE.read_text("utf8").replace("NAME", name).replace("TITLE", escaped)
    path.write_text(text, "utf8")
    return path


def _last(root: Path) -> str:
    """The chapter after which a new one stands."""
    for caption, names in reading.parts(root):
        if caption == PART:
            return names[-1]
    raise ValueError(f"_toc.yml must have a part {PART!r}, got none")


def _insert(path: Path, before: str, line: str) -> None:
    """Put a line below the one that begins so; the others stay as they are."""
    lines = path.read_text("utf8").split("\n")
    above = [n for n, old in enumerate(lines) if old.startswith(before)]
    if len(above) != 1:
        raise ValueError(f"{path.name} must have one line {before!r}, got {len(above)}")
    lines.insert(above[0] + 1, line)
    path.write_text("\n".join(lines), "utf8")


def main(name: str, title: str) -> None:
    """Write and execute a new chapter, and say which rules the book then breaks."""
    path = write(ROOT, name, title)
    execute(path)
    print(
        f"chapters/{name}.ipynb is written and executed. It stands last in the part "
        f"{PART!r} of _toc.yml, and _config.yml has a description to be replaced."
    )
    if faults := chapter_rules.broken():
        sys.exit("\n".join(map(str, faults)))


if __name__ == "__main__":
    os.environ.update(ENVIRONMENT)
    try:
        main(sys.argv[1], sys.argv[2])
    except ValueError as error:
        sys.exit(str(error))
