"""Texts of chapters in plain Markdown and HTML, which every program shows.

Roles and directives are words of MyST, which the pages of the book understand, and
JupyterLab, Colab and VS Code do not. Here a reference becomes a link with the words of
the page (its `Places`, as Sphinx has resolved them), a statement a quotation under the
name by which it is cited, and hints, answers and proofs are folded.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import dedent

from bookkit import model, reading
from bookkit.config import ROOT
from bookkit.markdown import Directive, directives

KEPT = ROOT / "_build" / ".doctrees" / "places.json"

PROVED = model.STATEMENTS.keys() - {"erratum"}
ANCHORS = {"cite:t": "work-", "cite:p": "work-"}
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
_IN_SUMMARY = (  # Markdown is not read there, so it is written as HTML
    (re.compile(r"\[([^\]]*)\]\([^)]*\)"), r"\1"),
    (re.compile(r"`([^`]+)`"), r"<code>\1</code>"),
    (re.compile(r"\*\*([^*]+)\*\*"), r"<b>\1</b>"),
    (re.compile(r"\*([^*]+)\*"), r"<i>\1</i>"),
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
    each; `site` and `repository` are the addresses of the pages and of their sources,
    or "" if they are not known.
    """

    found: Mapping[str, Place]
    names: Mapping[str, str]
    works: Mapping[str, str]
    site: str = ""
    repository: str = ""


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
    answers: bool = True  # of quick questions

    # -- blocks ---------------------------------------------------------------------

    def text(self, source: str) -> str:
        """A text with all that stands in it."""
        lines, parts, done, name = source.split("\n"), [], 0, ""
        for block in directives(source):
            if block.name in PROVED:
                name = self._name(block)
            if block.depth:
                continue
            parts.append(self.prose("\n".join(lines[done : block.start])))
            parts.append(self.block(block, name))
            done = block.end
        parts.append(self.prose("\n".join(lines[done:])))
        return "\n\n".join(part.strip("\n") for part in parts if part.strip())

    def block(self, block: Directive, before: str) -> str:
        """A directive; `before` is the name of the statement that it follows."""
        if block.name in model.STATEMENTS:
            return self._statement(block)
        if block.name in ("dropdown", "solution", "solution-start"):
            return self._fold(block)
        try:
            write = getattr(self, f"_{block.name.replace(':', '_').replace('-', '_')}")
        except AttributeError:
            known = "a directive must be one that notebooks can show"
            raise ValueError(f"{known}, got {block.name!r}") from None
        return write(block, before) if block.name == "prf:proof" else write(block)

    def _statement(self, block: Directive) -> str:
        title = f"**{self._name(block)}** ({self.prose(block.argument)})"
        statement = quoted(f"{title}\n\n{self.text(block.body)}")
        return f"{anchor(block.label)}\n\n{statement}"

    def _fold(self, block: Directive) -> str:
        """A hint, or a solution, which says of what."""
        title, body = self.prose(block.argument), self.text(block.body)
        if block.name != "dropdown":
            title = self.solution_of(block.argument)
        return folded(title, body) if body else ""

    def _prf_proof(self, block: Directive, before: str) -> str:
        of = self.prose(block.argument) or (f"of {before}" if before else "")
        return folded(f"Proof {of}".strip(), self.text(block.body))

    def _exercise(self, block: Directive) -> str:
        title = f"### {self._name(block)}: {self.prose(block.argument)}"
        return f"{anchor(block.label)}\n\n{title}\n\n{self.text(block.body)}"

    def _admonition(self, block: Directive) -> str:
        title, body = self.prose(block.argument), self.text(block.body)
        if block.has_class("dropdown"):
            return folded(title, body)
        return quoted(f"**{title}**\n\n{body}")

    def _solution_end(self, block: Directive) -> str:
        return ""

    def _bibliography(self, block: Directive) -> str:
        works = sorted(self.places.works.items())
        return "\n\n".join(f"{anchor(f'work-{key}')}{text}" for key, text in works)

    def _name(self, block: Directive) -> str:
        return self.places.names[block.label]

    def solution_of(self, label: str) -> str:
        """What the fold of a solution is called."""
        return f"Solution of {self.places.names[label]}"

    def _table(self, block: Directive) -> str:
        body = self.text(block.body)
        caption = self.prose(block.argument)
        named = f"{anchor(block.label)}\n\n**{caption}**\n\n{body}"
        return named if caption else body

    def _quick(self, block: Directive) -> str:
        """A quick question, its answer folded."""
        words = reading.asked(block.argument, block.body)
        items = [self.text(item) for item in words.items]
        marked = dict(zip(words.marks, items, strict=True))
        right = marked.get("x", block.options.get("answer", ""))
        usual = "Before you look." if "predict" in block.options else "Quick question."
        called = block.options.get("called", usual)
        asked, choices = self.text(words.question), "\n".join(f"- {x}" for x in items)
        question = quoted(f"**{called}** {asked}\n\n{choices}")
        why = f"**{right}**. {self.text(words.why)}"
        answer = folded("Answer", why) if self.answers else ""
        return f"{anchor(block.label)}\n\n{question}\n\n{answer}"

    def _glossary(self, block: Directive) -> str:
        """Terms, each with the lines that are indented below it."""
        entries = []
        for entry in re.split(r"\n(?=\S)", block.body):
            term, _, meaning = entry.partition("\n")
            start = anchor(named(term))
            words = self.text(dedent(meaning))
            entries.append(f"{start}**{self.prose(term)}**. {words}")
        return "\n\n".join(entries)

    def _explorer(self, block: Directive) -> str:
        """The still of an explorer, with a link to its page."""
        label, page = block.options["name"], "On the page of this chapter"
        if site := self.places.site:
            page = f"[{page}]({site}chapters/{self.chapter}.html#{label})"
        still = f"![{block.argument}](attachment:{label}.png)"
        words = f"{page} you can turn this picture. {self.text(block.body)}"
        return f"{anchor(label)}\n\n{still}\n\n{words}"

    # -- prose ----------------------------------------------------------------------

    def prose(self, text: str) -> str:
        """A text without directives."""
        return _SPECIAL.sub(self._special, text)

    def _special(self, match: re.Match[str]) -> str:
        if match["target"]:
            return anchor(match["target"])
        if match["tex"]:
            return self._display(match["indent"], match["tex"], match["label"])
        if match["role"]:
            return self._role(match["role"], " ".join(match["lead"].split()))
        if match["words"]:
            return f"{anchor(match['id'])}{self.prose(match['words'])}"
        return match[0]  # code

    def _display(self, indent: str, tex: str, label: str | None) -> str:
        if not label:
            return f"{indent}$${tex}$$"
        name = f"\\tag{{{self.places.names[label]}}}"
        display = [anchor(label), "", f"$${tex.rstrip()}", name, "$$"]
        return "\n".join(f"{indent}{line}" if line else "" for line in display)

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
            file = self.files.get("laboratory")
            return f"[{words}]({file})" if file else words
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
        label = (
            named(target)
            if role == "term"
            else ANCHORS.get(role, "") + target.split(",")[0]
        )
        return f"[{words}]({file}#{label})"


def anchor(label: str) -> str:
    """Where links to this label lead."""
    return f'<a id="{label}"></a>' if label else ""


def named(term: str) -> str:
    """The label of a term of the glossary, which is found in capitals too."""
    return "term-" + re.sub(r"\W+", "-", term.lower())


def quoted(text: str) -> str:
    """A text as a quotation; displays in one line, as `>` must not stand in them."""
    text = re.sub(r"\$\$.+?\$\$", lambda m: " ".join(m[0].split()), text, flags=re.S)
    return "\n".join(f"> {line}".rstrip() for line in text.strip().split("\n"))


def folded(title: str, body: str) -> str:
    """A text that opens with a click."""
    parts = title.split("$")  # words and formulas by turns
    for pattern, words in _IN_SUMMARY:
        parts[::2] = [pattern.sub(words, part) for part in parts[::2]]
    title = "$".join(parts)
    return f"<details>\n<summary>{title}</summary>\n\n{body}\n\n</details>"
