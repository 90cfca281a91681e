"""Directives, labels and roles in a text, as the parser of the pages finds them."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser

from bookkit.config import CONFIG

_PARSER = create_md_parser(
    MdParserConfig(enable_extensions=set(CONFIG["parse"]["myst_enable_extensions"])),
    RendererHTML,
)
_DIRECTIVE = re.compile(r"\{([\w:-]+)\}\s*(.*)")
_OPTION = re.compile(r":([\w-]+):\s*(.*)")
_LITERAL = {"code", "code-block", "code-cell", "eval-rst", "literalinclude", "math"}
_TARGET = re.compile(r"(?:.*<)?([^<>]+)>?", re.S)  # of a role: `words <target>`


@dataclass(frozen=True)
class Directive:
    """A fence with a name in braces; `depth` counts the directives around it.

    `start` and `end` are its lines in the text, `content` what stands between its
    fences, with its options.
    """

    name: str
    argument: str
    start: int
    end: int
    depth: int
    content: str

    @property
    def label(self) -> str:
        """What references call it: the option `label` or `name`."""
        return self.options.get("label") or self.options.get("name", "")

    @cached_property
    def options(self) -> Mapping[str, str]:
        """The values of its options, by their names."""
        options = {}
        for line in self.content.split("\n"):
            if not (option := _OPTION.fullmatch(line.strip())):
                break
            options[option[1]] = option[2]
        return options

    @property
    def body(self) -> str:
        """What stands in it below its options."""
        lines = self.content.split("\n")
        return "\n".join(lines[len(self.options) :]).strip("\n")

    def has_class(self, name: str) -> bool:
        return name in self.options.get("class", "").split()


@lru_cache(maxsize=4096)
def _parse(text: str) -> tuple[Token, ...]:
    return tuple(_PARSER.parse(text))


@lru_cache(maxsize=4096)
def directives(text: str, first: int = 0, depth: int = 0) -> tuple[Directive, ...]:
    """The directives of a text in their order, each before those inside it."""
    blocks: list[Directive] = []
    for token in _parse(text):
        fence = _DIRECTIVE.match(token.info.strip()) if "fence" in token.type else None
        if fence and token.map:
            name, argument = fence[1], fence[2].strip()
            start, end = (first + line for line in token.map)
            blocks.append(Directive(name, argument, start, end, depth, token.content))
            if name not in _LITERAL:
                blocks += directives(token.content, start + 1, depth + 1)
    return tuple(blocks)


def targets(text: str) -> tuple[str, ...]:
    """The labels `(name)=` of a text, those inside its directives too."""
    return tuple(t.content for t in _tokens(text) if t.type == "myst_target")


def roles(text: str, *names: str) -> tuple[str, ...]:
    """Where the roles of these names, such as `ref`, lead to.

    Those outside of directives come first.
    """
    leads: list[str] = []
    for token in _tokens(text):
        if token.type == "myst_role" and token.meta["name"] in names:
            target = _TARGET.fullmatch(token.content)
            leads.append(target[1] if target else token.content)
    return tuple(leads)


def anchors(text: str) -> tuple[str, ...]:
    """The ids that a text gives to some of its words: `[words]{#id}`."""
    return tuple(str(t.attrs["id"]) for t in _tokens(text) if "id" in t.attrs)


def heading(text: str) -> str:
    """The first heading of a text, as it is written."""
    tokens = _parse(text)
    places = (n for n, token in enumerate(tokens) if token.type == "heading_open")
    place = next(places, None)
    return "" if place is None else tokens[place + 1].content


def _tokens(text: str) -> Iterator[Token]:
    """What a text and the directives in it are made of, down to single words."""
    inside = (block.content for block in directives(text) if block.name not in _LITERAL)
    for part in (text, *inside):
        yield from _inline(_parse(part))


def _inline(tokens: Iterable[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from _inline(token.children or [])
