"""Solutions, found without the tool that cuts them out; what can be read in files."""

import html
import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from bookkit import config
from bookkit.make.autograder import TEST
from pmeanlib import exercises

Rows = set[tuple[str, ...]]

# -- words in a row --------------------------------------------------------------------

LENGTH = 6  # words in a row, which are compared
BREAK = "\0"  # no row of words reaches over it
BLOCK = re.compile(
    r"</?(?:article|aside|button|details|div|figure|h\d|li|nav|p|pre|section|script)\b"
)
MARKUP = re.compile(
    r"\$\$.*?\$\$|\$[^$\n]*\$|\{[\w:]+\}`[^`]*`|^\s*[:`]{3,}[^\n]*$|^:\w+:[^\n]*$|\||\n\s*\n"
    r"|^\s*\d+\\?\.\s",
    re.M | re.S,
)
TERM = re.compile(r"\{term\}`([^`<]*?)(?: *<[^`>]*>)?`")  # on a page its words alone

ANCHOR = re.compile(r'<a id="[\w-]+"></a>')  # in a notebook, where links lead


def rows(*texts: str) -> Rows:
    """Every six words in a row: letters and digits alone, as they are read."""
    found: Rows = set()
    for text in texts:
        text = ANCHOR.sub(BREAK, TERM.sub(r"\1", text))
        for run in text.lower().split(BREAK):
            words = re.findall(r"[^\W_]+", run)
            found.update(zip(*(words[i:] for i in range(LENGTH))))
    return found


def telling(found: Rows) -> Rows:
    """Those that can be recognised: at least three words are more than a letter or two.

    The others are of formulas, which may be alike.
    """
    return {row for row in found if sum(len(word) > 2 for word in row) > 2}


def untagged(text: str) -> str:
    """A page's words, with a break where a block begins or ends."""
    text = BLOCK.sub(lambda tag: BREAK + tag[0], text)
    return html.unescape(re.sub(r"<[^<>]*>", " ", text))


# -- solutions, by a reader of notebooks of its own ------------------------------------

HIDDEN = {"solution", "instructor"}
SOLUTION = re.compile(  # its label and its text, written in one of three ways
    r"^(?P<fence>:{3,}|`{3,})\{solution\} (\S+)(\n.*?)^(?P=fence)[ \t]*$"
    r"|^[:`]{3,}\{solution-start\} (\S+)(.*?)^[:`]{3,}\{solution-end\}\n[:`]{3,}$"
    r"|\x01([^\0]+)(.*?)\x02",
    re.M | re.S,
)


def split(notebook: dict) -> tuple[dict[str, str], str]:
    """The solutions of a notebook by their labels, and all the rest."""
    solutions: dict[str, str] = {}
    texts = []
    for cell in notebook["cells"]:
        outputs = (t for o in cell.get("outputs", []) for t in shown(o))
        text = BREAK.join(["".join(cell["source"]), *outputs])
        hidden = HIDDEN & set(cell["metadata"].get("tags", []))
        texts.append(f"\x01{cell['id']}\0\n{text}\x02" if hidden else text)

    def keep(found: re.Match) -> str:
        label, text = filter(None, found.groups()[1:])
        solutions[label] = solutions.get(label, "") + BREAK + text
        return BREAK

    rest = SOLUTION.sub(keep, f"\n{BREAK}\n".join(texts))
    assert "{solution" not in rest, "a solution is not closed"
    return solutions, rest


def shown(output: dict) -> Iterator[str]:
    """What an output shows, as texts."""
    data = output.get("data", {})
    for part in (output.get("text"), data.get("text/plain"), data.get("text/html")):
        yield untagged("".join(part or ""))


def probes() -> dict[tuple[str, str], tuple[Rows, Rows]]:
    """For each solution of the book the rows of words that occur nowhere else in it.

    Those as they are written, formulas and all, and those of them that are the same on
    a page, where formulas are drawn and links have other names.
    """
    found, others = {}, []
    for path in sorted((config.ROOT / "chapters").glob("*.ipynb")):
        solutions, rest = split(json.loads(path.read_text("utf8")))
        for label, text in solutions.items():
            found[path.stem, label] = rows(text), rows(*MARKUP.split(text))
        others.append(rest)
    for place, kind in (
        ("chapters", "*.md"),
        ("chapters/_data", "*.py"),
        ("bookkit/web", "**/*.js"),
        ("pmeanlib", "**/*.py"),
        ("pmeanlib", "*.json"),
    ):
        texts = [path.read_text("utf8") for path in (config.ROOT / place).glob(kind)]
        others += [text.replace("\\n", " ") for text in texts]  # written in a script
    # an empty cell for an answer, and what grades it, say these words
    checks = [f'pm.check("{name}", answer)' for name in exercises.stored()]
    others += [*checks, *(TEST.format(name=name) for name in exercises.stored())]
    elsewhere = rows(*others)
    return {
        key: (telling(written - elsewhere), telling(read - elsewhere))
        for key, (written, read) in found.items()
    }


# -- what a file says ------------------------------------------------------------------

PICTURES = {".png", ".ico", ".woff", ".woff2", ".ttf", ".eot", ".gif", ".jpg"}


def strings(value: object) -> Iterator[str]:
    """All texts in a JSON value; a list of lines is one text."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
        for v in value.values():
            yield from strings(v)
    elif isinstance(value, list):
        if value and all(isinstance(v, str) for v in value):
            yield "".join(value)
        else:
            for v in value:
                yield from strings(v)


def texts_of(name: str, data: bytes) -> Iterator[str]:
    """What can be read in a file, as texts; of an archive, in all that it has."""
    suffix = Path(name).suffix
    if zipfile.is_zipfile(io.BytesIO(data)):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for inner in archive.namelist():
                yield inner
                yield from texts_of(inner, archive.read(inner))
        return
    if suffix in PICTURES:
        return
    if suffix == ".inv":  # the names of all places, packed
        data = zlib.decompress(data.split(b"\n", 4)[4])
    text = data.decode("utf8", errors="replace")
    texts = [text]
    if suffix in (".ipynb", ".json"):
        texts = list(strings(json.loads(text)))
    elif suffix == ".js":
        plain = re.sub(r"\\u([0-9a-f]{4})", lambda m: chr(int(m[1], 16)), text)
        texts = [re.sub(r"\\[nrt]", " ", plain).replace('\\"', '"')]
    for each in texts:
        yield each
        if "<" in each:
            yield untagged(each)


def read_all(folder: Path) -> dict[str, list[str]]:
    """Every file of a folder: its texts."""
    return {
        path.relative_to(folder).as_posix(): list(
            texts_of(path.name, path.read_bytes())
        )
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
