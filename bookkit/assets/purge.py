"""Style sheets without the rules that cannot match: most of what the theme brings.

A rule stays if every class and id in one of its selectors is a word of some page or
script of the built book. Comments go, and so do fonts of icons: the book draws its own.
"""

import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import tinycss2

WORD = re.compile(r"[\w-]+")
GROUPS = ("container", "layer", "media", "supports")  # at-rules that hold rules
ICONS = "Font Awesome"


def words(folder: Path) -> set[str]:
    """The words of all pages and scripts below a folder."""
    known: set[str] = set()
    for kind in ("*.html", "*.js"):
        for path in folder.rglob(kind):
            known.update(WORD.findall(path.read_text("utf8")))
    return known


def purged(css: str, known: set[str]) -> str:
    """A style sheet with the rules that can match where only these words are known."""
    rules = tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True)
    return "\n".join(_kept(rules, known))


def _kept(rules: list, known: set[str]) -> Iterator[str]:
    """The texts of the rules that can match; groups that are left empty go."""
    for rule in rules:
        group = rule.type == "at-rule" and rule.lower_at_keyword in GROUPS
        if rule.type == "qualified-rule":
            selectors = [s for s in _selectors(rule.prelude) if _names(s) <= known]
            head = ",".join(tinycss2.serialize(s).strip() for s in selectors)
            body = tinycss2.serialize(rule.content).strip()
        elif group and rule.content is not None:
            inner = tinycss2.parse_rule_list(
                rule.content, skip_comments=True, skip_whitespace=True
            )
            head = f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude)}"
            body = "\n".join(_kept(inner, known))
        else:
            text = tinycss2.serialize([rule])
            if not (rule.type == "at-rule" and ICONS in text):
                yield text
            continue
        if head and body:
            yield f"{head}{{{body}}}"


def _selectors(prelude: list) -> Iterator[list]:
    """The selectors of a rule; a comma within brackets separates none."""
    selector: list = []
    for token in prelude:
        if token == ",":
            yield selector
            selector = []
        else:
            selector.append(token)
    yield selector


def _names(selector: list) -> set[str]:
    """The classes and ids that a selector asks for, those within brackets aside."""
    names = {token.value for token in selector if token.type == "hash"}
    for dot, name in itertools.pairwise(selector):
        if dot == "." and name.type == "ident":
            names.add(name.value)
    return names
