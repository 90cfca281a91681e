"""A chapter in plain Markdown and HTML, as every program that opens notebooks shows it.

Roles and directives are words of MyST, which the pages of the book understand, and
JupyterLab, Colab and VS Code do not. Here a reference becomes a link with the words of
the page (its `Places`, as Sphinx has resolved them), a statement a quotation under the
name by which it is cited, and hints, answers and proofs are folded.
"""

import ast
import base64
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import dedent
from typing import Any

from bookkit import model
from bookkit.config import ROOT
from bookkit.markdown import Directive, directives
from bookkit.model import Cell
from bookkit.repository import branch, repository

KEPT = ROOT / "_build" / ".doctrees" / "places.json"
STILLS = ROOT / "bookkit" / "web" / "stills"
DATA = ROOT / "chapters" / "_data"

KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
ANCHORS = {"term": "term-", "cite:t": "work-", "cite:p": "work-"}
GLUED = "application/papermill.record/text/plain"
FOLDED = {"hide-input", "hide-cell", "remove-cell", "solution"}  # tags
KEPT = {"nbval-ignore-output", "answer", "solution", "instructor"}  # tags with a use
_TITLED = re.compile(r"(.*?)\s*<([^<>]+)>", re.S)  # of a role: words <target>
_SPECIAL = re.compile(
    r"(?P<fence>^(?P<ticks>`{3,}).*?^(?P=ticks)$)"
    r"|^\((?P<target>[\w-]+)\)=$"
    r"|^(?P<indent>[ \t]*)\$\$(?P<tex>.+?)\$\$(?: \((?P<label>[\w-]+)\))?[ \t]*$"
    r"|\{(?P<role>[\w:]+)\}`(?P<lead>[^`]+)`"
    r"|(?P<code>(?P<tick>`+)(?!`).+?(?<!`)(?P=tick)(?!`))"
    r"|\[(?P<words>[^\[\]]+)\]\{\#(?P<id>[\w-]+)\}",
    re.S | re.M,
)
_DATA = re.compile(r"_data[./](\w+)")
_IN_SUMMARY = (  # Markdown is not read there, so it is written as HTML
    (re.compile(r"\[([^\]]*)\]\([^)]*\)"), r"\1"),
    (re.compile(r"`([^`]+)`"), r"<code>\1</code>"),
    (re.compile(r"\*\*([^*$]+)\*\*"), r"<b>\1</b>"),
    (re.compile(r"\*([^*$]+)\*"), r"<i>\1</i>"),
)


@dataclass(frozen=True)
class Place:
    """The page to which a reference leads, and what the book's page says."""

    page: str
    words: str


@dataclass(frozen=True)
class Places:
    """What Sphinx has resolved.

    `found` has a place for each role and its target, `names` what each statement,
    figure, exercise and equation is called, and `works` what the bibliography says of
    each; `site` is the address of the pages, or "" if it is not known.
    """

    found: Mapping[str, Place]
    names: Mapping[str, str]
    works: Mapping[str, str]
    site: str = ""


def resolved(path: Path = KEPT) -> Places:
    """What the last build of the pages has kept."""
    stored = json.loads(path.read_text("utf8"))
    found = {key: Place(**place) for key, place in stored.pop("found").items()}
    return Places(found, **stored)


@dataclass(frozen=True)
class Translator:
    """Texts of one chapter, from MyST to Markdown."""

    chapter: str
    places: Places
    glued: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)  # notebooks, by pages

    # -- blocks ---------------------------------------------------------------------

    def text(self, source: str) -> str:
        """A text with all that stands in it."""
        lines, parts, done, name = source.split("\n"), [], 0, ""
        for block in directives(source):
            if block.depth:
                continue
            parts.append(self.prose("\n".join(lines[done : block.start])))
            parts.append(self.block(block, name))
            name = self.places.names.get(block.label, name)
            done = block.end
        parts.append(self.prose("\n".join(lines[done:])))
        return "\n\n".join(part.strip("\n") for part in parts if part.strip())

    def block(self, block: Directive, before: str) -> str:
        """A directive; `before` is the name of the statement that it follows."""
        body = self.text(block.body)
        if block.name in ("slide", "table"):
            return self._table(block, body) if block.name == "table" else body
        if block.name == "quick":
            return self._question(block)
        if block.name == "explorer":
            return self._explorer(block, body)
        if block.name == "exercise":
            title = self.prose(block.argument)
            return f"{_anchor(block.label)}\n\n### {self._name(block)}: {title}\n\n{body}"
        if block.name == "glossary":
            return self._glossary(block)
        if block.name == "bibliography":
            works = sorted(self.places.works.items())
            return "\n\n".join(f"{_anchor(f'work-{key}')}{text}" for key, text in works)
        if block.name == "prf:proof":
            title = self.prose(block.argument) or (f"of {before}" if before else "")
            return folded(f"Proof {title}".strip(), body)
        if block.name in ("solution", "solution-start"):
            return folded(self.solution_of(block.argument), body) if body else ""
        if block.name == "solution-end":
            return ""
        if block.name == "dropdown" or block.has_class("dropdown"):
            return folded(self.prose(block.argument), body)
        if block.name in model.STATEMENTS:
            title = f"**{self._name(block)}** ({self.prose(block.argument)})"
            statement = quoted(f"{title}\n\n{body}")
            return f"{_anchor(block.label)}\n\n{statement}"
        if block.name == "admonition":
            return quoted(f"**{self.prose(block.argument)}**\n\n{body}")
        raise ValueError(f"a directive must be one that notebooks have, got {block.name!r}")

    def _name(self, block: Directive) -> str:
        return self.places.names[block.label]

    def solution_of(self, label: str) -> str:
        """What the fold of a solution is called."""
        return f"Solution of {self.places.names[label]}"

    def _table(self, block: Directive, body: str) -> str:
        caption = self.prose(block.argument)
        named = f"{_anchor(block.label)}\n\n**{caption}**\n\n{body}"
        return named if caption else body

    def _question(self, block: Directive) -> str:
        """A quick question, its answer folded."""
        lines = block.body.split("\n")
        cuts, marks = model.question_parts(lines)
        starts = [n for n, _ in marks] if block.argument == "choose" else []
        first = starts[0] if starts else cuts[0]
        right, items = block.options.get("answer", ""), []
        for (n, mark), end in zip(marks, [*starts[1:], cuts[0]], strict=False):
            item = "\n".join(lines[n:end]).strip()
            items.append("- " + self.text(model.without_mark(item)))
            right = self.text(model.without_mark(item)) if mark == "x" else right
        usual = "Before you look." if "predict" in block.options else "Quick question."
        called = block.options.get("called", usual)
        asked = self.text("\n".join(lines[:first]))
        why = self.text("\n".join(lines[cuts[0] + 1 :]))
        question = quoted("\n\n".join([f"**{called}** {asked}", "\n".join(items)]))
        answer = folded("Answer", f"**{right}**. {why}")
        return f"{_anchor(block.label)}\n\n{question}\n\n{answer}"

    def _glossary(self, block: Directive) -> str:
        """Terms, each with the lines that are indented below it."""
        entries = []
        for entry in re.split(r"\n(?=\S)", block.body):
            term, _, meaning = entry.partition("\n")
            anchor = _anchor(f"term-{term.replace(' ', '-')}")
            entries.append(f"{anchor}**{self.prose(term)}**. {self.text(dedent(meaning))}")
        return "\n\n".join(entries)

    def _explorer(self, block: Directive, body: str) -> str:
        """The still of an explorer, with a link to its page."""
        label, page = block.options["name"], f"chapters/{self.chapter}.html"
        link = f"{self.places.site or '../html/'}{page}#{label}"
        still = f"![{block.argument}](attachment:{label}.png)"
        words = f"[On the page of this chapter]({link}) you can turn this picture."
        return f"{_anchor(label)}\n\n{still}\n\n{words} {body}"

    # -- prose ----------------------------------------------------------------------

    def prose(self, text: str) -> str:
        """A text without directives."""
        return _SPECIAL.sub(self._special, text)

    def _special(self, match: re.Match[str]) -> str:
        if match["target"]:
            return _anchor(match["target"])
        if match["tex"]:
            return self._display(match["indent"], match["tex"], match["label"])
        if match["role"]:
            return self._role(match["role"], " ".join(match["lead"].split()))
        if match["words"]:
            return f"{_anchor(match['id'])}{self.prose(match['words'])}"
        return match[0]  # code

    def _display(self, indent: str, tex: str, label: str | None) -> str:
        if not label:
            return f"{indent}$${tex}$$"
        tag = f"\\tag{{{self.places.names[label]}}}"
        return f"{indent}{_anchor(label)}\n\n{indent}$${tex.rstrip()}\n{indent}{tag}\n{indent}$$"

    def _role(self, role: str, lead: str) -> str:
        if role == "glue:text":
            return self.glued[lead]
        if role == "math":
            return f"${lead}$"
        titled = _TITLED.fullmatch(lead)
        words, target = (titled[1], titled[2]) if titled else ("", lead)
        if role == "py:obj":
            return f"`{words or target}`"
        if role == "lab":
            return f"[{words}]({self.files['laboratory']})"
        return self._link(role, words, target)

    def _link(self, role: str, words: str, target: str) -> str:
        """A reference as a link, or as its words if its page is no notebook."""
        if role == "cite":
            role = "cite:p"
        place = self.places.found.get(f"{role} {target}")
        if place is None:
            raise ValueError(f"{{{role}}} must lead to a label, got {target!r}")
        words = words or (target if role == "term" else place.words)
        if place.page not in self.files:
            return words
        file = "" if place.page == self.chapter else self.files[place.page]
        anchor = ANCHORS.get(role, "") + target.replace(" ", "-")
        return f"[{words}]({file}#{anchor})"


def _anchor(label: str) -> str:
    return f'<a id="{label}"></a>' if label else ""


def quoted(text: str) -> str:
    """A text as a quotation, each display in one line: `>` may not stand in formulas."""
    text = re.sub(r"\$\$.+?\$\$", lambda m: " ".join(m[0].split()), text, flags=re.S)
    return "\n".join(f"> {line}".rstrip() for line in text.strip().split("\n"))


def folded(title: str, body: str) -> str:
    """A text that opens with a click."""
    for pattern, words in _IN_SUMMARY:
        title = pattern.sub(words, title)
    return f"<details>\n<summary>{title}</summary>\n\n{body}\n\n</details>"


# -- the first cell -------------------------------------------------------------------

SETUP = """\
# Where this notebook lies alone, fetch what it needs; elsewhere, do nothing.
from importlib.util import find_spec
from pathlib import Path
from urllib.request import urlretrieve

if not find_spec("pmeanlib"):
    {install}
for name in {data}:
    if not Path("_data", name).exists():
        Path("_data").mkdir(exist_ok=True)
        {fetch}
"""
INSTALL = '%pip install -q "pmeanlib[notebook] @ git+{repository}@{branch}"'
FETCH = 'urlretrieve(f"{repository}/raw/{branch}/chapters/_data/{{name}}", f"_data/{{name}}")'
MISSING = 'raise SystemExit(f"{what} is missing: take it from the folder of the book")'


def setup_code(data: Sequence[str], repository: str, branch: str) -> str:
    """Code that installs the library and fetches these stored results, if missing."""
    lines = {"install": MISSING.format(what="The library"), "fetch": MISSING.format(what="_data/{name}")}
    if repository:
        address = {"repository": repository, "branch": branch}
        lines = {"install": INSTALL.format(**address), "fetch": FETCH.format(**address)}
    return SETUP.format(data=tuple(data), **lines)


def needed(cells: Iterable[Cell], data: Path) -> list[str]:
    """The files of `data`, stored results and what made them, that cells name."""
    stems = {s for c in cells if c.is_code for s in _DATA.findall(c.text)}
    return [p.name for stem in sorted(stems) for p in sorted(data.glob(f"{stem}.[cp][sy]*"))]


# -- notebooks ------------------------------------------------------------------------


def readable(
    stored: Mapping[str, Any], page: str, places: Places, files: Mapping[str, str]
) -> dict[str, Any]:
    """A stored page as a notebook, with the first cell and the pictures that it needs."""
    data = needed(model.cells(stored), DATA)
    pictures = {
        path.stem: base64.b64encode(path.read_bytes()).decode()
        for path in sorted(STILLS.glob(f"{page}-*.png"))
    }
    first = setup_code(data, repository(), branch())
    return notebook(stored, page, places, files, first, pictures)


def notebook(
    stored: Mapping[str, Any], page: str, places: Places, files: Mapping[str, str],
    setup: str, stills: Mapping[str, str],
) -> dict[str, Any]:  # fmt: skip
    """A page, stored as a notebook, as one that any program shows.

    `files` are the names of all such notebooks by their pages, `setup` is the code of
    its first cell, if any of its cells is code, and `stills` are the pictures of the
    explorers, as base64, by their labels.
    """
    read = model.cells(stored)
    translator = Translator(page, places, glued(read), files)
    runs = any(cell.is_code for cell in read)
    cells = [_folded_code("setup", setup)] if runs else []
    label = ""  # of the solution that goes on over several cells
    for cell, raw in zip(read, stored["cells"], strict=True):
        if cell.is_text:
            text, label = _text_of(cell, label, translator)
            if text.strip():
                cells.append(_text_cell(cell.id, text, stills))
        elif cell.is_code:
            cells.append(_code_cell(cell, raw))
            if caption := _caption(cell, translator):
                cells.append(_text_cell(f"{cell.id}-caption", caption, stills))
    metadata = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    return {"nbformat": 4, "nbformat_minor": 5, "cells": cells, "metadata": metadata}


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
    figure = model.figure(cell)
    if not figure.name or not figure.caption:
        return ""
    name, caption = translator.places.names[figure.name], figure.caption
    return f"{_anchor(figure.name)}**{name}** {translator.prose(caption)}"


def _text_cell(id: str, text: str, stills: Mapping[str, str]) -> dict[str, Any]:
    cell = model.new_cell(id, "markdown", text)
    shown = {f"{label}.png" for label in stills if f"(attachment:{label}.png)" in text}
    if shown:
        cell["attachments"] = {
            name: {"image/png": stills[name.removesuffix(".png")]} for name in shown
        }
    return cell


def _folded_code(id: str, source: str) -> dict[str, Any]:
    cell = model.new_cell(id, "code", source)
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
    shown = [o for o in raw["outputs"] if not (o.get("data", {}).keys() <= {GLUED}
             and o.get("data"))]  # fmt: skip
    return {**raw, "metadata": metadata, "outputs": shown}
