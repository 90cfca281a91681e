"""Sphinx extension of the book: a map of its chapters, and ways through them.

    :::{map}
    reader:
      about: You want the idea ...
      chapters: welfare regret reduction algorithm
      skips: optimism
    :::

The map cannot lie: order and parts are those of `_toc.yml`; what a chapter needs, and
how long it takes, stands in the box at its head. Of the line **You need** the first
sentence, up to a full stop or a semicolon, says what is needed; what comes after it
only helps. A way must have all that its chapters need, or say what it skips. It is
drawn twice, for wide and for narrow columns; a style sheet shows one of the two and
lights the chosen way, so that no script is needed.

Three roles lead to what a page wants read, and none of them repeats what stands there:
``{section}`welfare: The definition` `` to a section, by its heading;
``{read}`welfare regret` `` to chapters, with the minutes of each and of all of them;
``{task}`ex-nash-hand` `` to an exercise, with its stars.
"""

import json
import re
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from itertools import count
from pathlib import Path
from typing import NamedTuple

import yaml
from docutils import nodes
from sphinx.roles import XRefRole
from sphinx.util.docutils import SphinxDirective, SphinxRole

STYLE = "tracks.css"
BOX = re.compile(r"^:::+\{admonition\}.*\n:class: learn\n(.*?)^:::", re.M | re.S)
PROMISE = re.compile(r"\*\*You need\*\*(.*?)\*\*Time\*\*:(.*)", re.S)
SENTENCE = re.compile(r"[.;](?=\s|$)")
REFERENCE = re.compile(r"\{ref\}`(?:[^`<]*<)?([\w-]+)>?`")
LABEL = re.compile(r"^\(([\w-]+)\)=$", re.M)
HEADING = re.compile(r"^(#{1,4}) (.+)$", re.M)
EXERCISE = re.compile(r"^:::+\{exercise\} [^\n★]*(★+).*\n:label: (\S+)$", re.M)
READ = re.compile(r"(\d+)(?: minutes)? to read")
CELLS = re.compile(r"(\d+)(?: minutes)? with ")
ABOUT = (
    "Each chapter is a link and stands below those that it needs, and a line leads to "
    "it from each of them. The letters at the right are the ways that stop there."
)


# -- what the chapters say of themselves ------------------------------------------


@dataclass(frozen=True)
class Chapter:
    """A chapter that begins with a box: its place, its needs and its minutes."""

    name: str
    title: str
    part: str
    needs: tuple[str, ...]  # chapters to read before it
    helps: tuple[str, ...]  # chapters that it mentions beside them
    read: int | None  # minutes to read it
    cells: int | None  # minutes with its cells
    time: str  # its own words, for one that takes as long as you like


def contents(root: Path) -> list[tuple[str, str]]:
    """File and part of every page, in the order of `_toc.yml`."""
    toc = yaml.safe_load((root / "_toc.yml").read_text("utf8"))
    return [
        (page["file"], part.get("caption", ""))
        for part in toc["parts"]
        for page in part["chapters"]
    ]


def text(root: Path, file: str) -> str:
    """The words of a notebook, or nothing for a page that is none."""
    path = root / f"{file}.ipynb"
    if not path.is_file():
        return ""
    cells = json.loads(path.read_text("utf8"))["cells"]
    words = ["".join(c["source"]) for c in cells if c["cell_type"] == "markdown"]
    return "\n\n".join(words)


def chapters(root: Path) -> list[Chapter]:
    """The chapters that say what they need and how long they take, in reading order."""
    pages = [(Path(file).name, part, text(root, file)) for file, part in contents(root)]
    homes = {label: name for name, _, words in pages for label in LABEL.findall(words)}
    found = []
    for name, part, words in pages:
        box = BOX.search(words)
        promise = PROMISE.search(box[1]) if box else None
        if not promise:
            continue
        first, _, rest = SENTENCE.sub("\0", promise[1], count=1).partition("\0")
        needs = cited(first, homes, name)
        read, cells = READ.search(promise[2]), CELLS.search(promise[2])
        found.append(
            Chapter(
                name=name,
                title=HEADING.search(words)[2],
                part=part,
                needs=needs,
                helps=tuple(n for n in cited(rest, homes, name) if n not in needs),
                read=int(read[1]) if read else None,
                cells=int(cells[1]) if cells else None,
                time=re.split(r"[.,]", promise[2])[0].strip(),
            )
        )
    return found


def cited(words: str, homes: Mapping[str, str], here: str) -> tuple[str, ...]:
    """The chapters to which references lead, each once."""
    labels = REFERENCE.findall(words)
    if lost := [label for label in labels if label not in homes]:
        raise ValueError(f"needs of {here} must be labels of chapters, got {lost}")
    return tuple(dict.fromkeys(homes[label] for label in labels))


def behind(name: str, needs: Mapping[str, Iterable[str]]) -> set[str]:
    """All that a chapter rests on, however far back."""
    found: set[str] = set()
    ahead = list(needs[name])
    while ahead:
        if (need := ahead.pop()) not in found:
            found.add(need)
            ahead += needs.get(need, ())
    return found


def spare(needs: Mapping[str, Iterable[str]]) -> dict[str, tuple[str, ...]]:
    """The same needs without those that another need brings with it."""
    return {
        name: tuple(
            n for n in own if not any(n in behind(m, needs) for m in own if m in needs)
        )
        for name, own in needs.items()
    }


# -- ways through the book --------------------------------------------------------


@dataclass(frozen=True)
class Track:
    """A way through the book: for whom, which chapters, and what is taken on trust."""

    name: str
    about: str
    stops: tuple[str, ...]
    skips: tuple[str, ...]
    runs: bool  # whether its minutes are those with the cells

    def minutes(self, known: Mapping[str, Chapter]) -> tuple[int, list[str]]:
        """The sum of what its chapters say, and the words of those without a number."""
        found = [known[name] for name in self.stops]
        times = [(c.cells or c.read if self.runs else c.read) for c in found]
        return sum(filter(None, times)), [c.time for c in found if c.read is None]


def tracks(told: object, known: Mapping[str, Chapter]) -> list[Track]:
    """The ways that a page tells, checked against what the chapters need."""
    if not isinstance(told, dict) or not told:
        raise ValueError(f"map must name its ways, got {told!r}")
    ways = []
    for name, way in told.items():
        if not isinstance(way, dict) or not {"about", "chapters"} <= set(way):
            raise ValueError(f"{name} must have about and chapters, got {way!r}")
        stops, skips = (tuple(way.get(k, "").split()) for k in ("chapters", "skips"))
        if strange := [n for n in (*stops, *skips) if n not in known]:
            raise ValueError(f"{name} must go through chapters, got {strange}")
        if list(stops) != [n for n in known if n in stops]:
            raise ValueError(f"{name} must follow the contents, got {stops}")
        wanted = {n for stop in stops for n in known[stop].needs} - set(stops)
        if wanted != set(skips):
            lacks, spares = sorted(wanted - set(skips)), sorted(set(skips) - wanted)
            raise ValueError(
                f"{name} must have what its chapters need or skip it: "
                f"it lacks {lacks}, and skips {spares} for nothing"
            )
        ways.append(Track(name, way["about"], stops, skips, bool(way.get("run"))))
    return ways


def hours(minutes: int) -> str:
    """Minutes as one says them: 50 min, 4 h, 4 h 10 min."""
    whole, rest = divmod(minutes, 60)
    parts = [f"{whole} h"] * (whole > 0) + [f"{rest} min"] * (rest > 0)
    return words(" ".join(parts), join=True)


# -- the drawing ------------------------------------------------------------------


def lanes(needs: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[int, int]]:
    """For every chapter its lane, and how many lanes there are in its row.

    `needs` are in reading order. The line of a chapter goes down its lane to the last
    chapter that needs it, and over no other: a chapter takes over the lane of a line
    that ends at it, else the first lane that is free. One that no other needs stands
    right of all lines that pass it.
    """
    order = {name: row for row, name in enumerate(needs)}
    ends = {
        name: max(row for n, row in order.items() if name in needs[n])
        for name in needs
        if any(name in own for own in needs.values())
    }
    held: dict[int, str] = {}  # who has a lane, from the left
    found = {}
    for name, row in order.items():
        ending = [n for n in held if held[n] in needs[name] and ends[held[n]] == row]
        passing = [n for n in held if n not in ending and ends[held[n]] >= row]
        taken = [found[n][0] for n in needs[name]]
        if name in ends:
            free = (n for n in count() if n not in passing)
            lane = min(ending) if ending else next(free)
        else:
            lane = max([max(passing, default=-1) + 1, *taken[:1]])
        found[name] = lane, max(lane, *passing, *taken, 0) + 1
        held = {n: held[n] for n in passing}
        if name in ends:
            held[lane] = name
    return found


def edge(start: tuple[float, float], end: tuple[float, float]) -> str:
    """A line from a chapter to one that needs it: down its lane, then across."""
    (x, y), (to, down) = start, end
    if x == to:
        return f"M{x:g} {y:g}V{down:g}"
    bend = min(8, abs(to - x))
    side = bend if to > x else -bend
    return f"M{x:g} {y:g}V{down - bend:g}q0 {bend:g} {side:g} {bend:g}H{to:g}"


@dataclass(frozen=True)
class Sheet:
    """What one of the two drawings is like; lengths are those of its view box."""

    name: str
    width: int
    size: float  # of letters
    lane: int  # from one line of needs to the next
    letters: int  # in a line of a title
    station: int  # from the line of a way to the next

    @property
    def leading(self) -> float:
        return 1.25 * self.size

    @property
    def radius(self) -> float:
        return 0.72 * self.size


SHEETS = (
    Sheet("wide", 690, 14.5, 16, 64, 28),
    Sheet("narrow", 344, 14.5, 10, 24, 23),
)


class Row(NamedTuple):
    """Where a chapter stands: its dot, its title, how high it is, and the lines."""

    x: float
    y: float
    left: float
    height: float
    lines: list[str]


class Drawing:
    """The map as SVG: lines of needs, titles that are links, and the stops of ways."""

    def __init__(self, sheet, book, ways, links):
        self.sheet, self.book, self.ways, self.links = sheet, book, ways, links
        self.needs = spare({c.name: c.needs for c in book})
        self.station = {
            way.name: sheet.width - sheet.station * (len(ways) - n - 0.5)
            for n, way in enumerate(ways)
        }
        self.rows: dict[str, Row] = {}
        self.heads: list[str] = []
        self.height = self.place()

    def place(self) -> float:
        """Put the chapters below each other, under the names of their parts."""
        sheet, y, part = self.sheet, 0.0, ""
        for chapter, (lane, width) in zip(
            self.book, lanes(self.needs).values(), strict=True
        ):
            left = width * sheet.lane + 10
            if chapter.part != part:
                part, y = chapter.part, y + 0.75 * sheet.size
                for line in textwrap.wrap(words(part), sheet.letters):
                    y += sheet.leading
                    place = f'x="{left}" y="{y - sheet.size / 2:g}"'
                    self.heads.append(f'<text class="part" {place}>{line}</text>')
            time = f"{chapter.read} min" if chapter.read else chapter.time
            told = f"{words(chapter.title)} ·\u00a0{words(time, join=True)}"
            lines = textwrap.wrap(told, sheet.letters)
            height = max(2 * sheet.radius + 6, len(lines) * sheet.leading + 8)
            x, middle = (lane + 0.5) * sheet.lane, y + height / 2
            self.rows[chapter.name] = Row(x, middle, left, height, lines)
            y += height
        return y

    def edge(self, start: str, end: str) -> str:
        return edge(self.rows[start][:2], self.rows[end][:2])

    def svg(self) -> str:
        nets = [
            "".join(self.edge(name, n) for n, own in self.needs.items() if name in own)
            for name in self.needs
        ]
        threads = [
            f'<path class="thread {way.name}" d="M{self.station[way.name]:g} '
            f'{self.rows[way.stops[0]].y:g}V{self.rows[way.stops[-1]].y:g}"/>'
            for way in self.ways
        ]
        name = f"map-{self.sheet.name}"
        return "".join(
            [
                f'<svg class="map-drawing {self.sheet.name}" role="group" '
                f'viewBox="0 0 {self.sheet.width} {self.height:g}" '
                f'aria-label="Map of the chapters" aria-describedby="{name}" '
                f'font-size="{self.sheet.size:g}"><desc id="{name}">{ABOUT}</desc>',
                *(f'<path class="halo" d="{d}"/><path d="{d}"/>' for d in nets if d),
                *threads,
                *self.heads,
                *map(self.stop, self.book),
                "</svg>",
            ]
        )

    def stop(self, chapter: Chapter) -> str:
        """One chapter: what leads to it, its link, and which ways stop there."""
        here, width = self.rows[chapter.name], self.sheet.width
        ways = [way.name for way in self.ways if chapter.name in way.stops]
        lit = [
            f'<path class="{" ".join(["lit", *self.both(need, chapter.name)])}" '
            f'd="{self.edge(need, chapter.name)}"/>'
            for need in self.needs[chapter.name]
        ]
        marks = [self.mark(name, here.y) for name in ways]
        dot = min(5, self.sheet.lane / 2.4)
        return (
            f'<g class="{" ".join(["stop", *ways])}">{"".join(lit)}'
            f'<circle class="dot" cx="{here.x:g}" cy="{here.y:g}" r="{dot:g}"/>'
            f'<a class="reference internal" href="{self.links[chapter.name]}" '
            f'aria-label="{self.said(chapter, ways)}">'
            f'<rect x="{here.left:g}" y="{here.y - here.height / 2 + 1:g}" '
            f'width="{width - here.left:g}" height="{here.height - 2:g}" rx="4"/>'
            f"{self.title(here)}{''.join(marks)}</a></g>"
        )

    def both(self, need: str, name: str) -> list[str]:
        """The ways that stop at both ends of a line."""
        return [way.name for way in self.ways if {need, name} <= set(way.stops)]

    def title(self, here: Row) -> str:
        """A title in its lines, and after it, more quietly, the minutes."""
        top = here.y - (len(here.lines) - 1) * self.sheet.leading / 2
        top += 0.35 * self.sheet.size
        spans = []
        for n, line in enumerate(here.lines):
            place = f'x="{here.left + 6:g}" y="{top + n * self.sheet.leading:g}"'
            name, dot, time = line.partition("·")
            if name:
                spans.append(f"<tspan {place}>{name.rstrip()}</tspan>")
            if dot:
                where, sign = ("", " · ") if name else (place, "")
                spans.append(f'<tspan class="time" {where}>{sign}{time[1:]}</tspan>')
        return f"<text>{''.join(spans)}</text>"

    def mark(self, way: str, y: float) -> str:
        """A stop of a way: its letter in a circle."""
        x, size = self.station[way], self.sheet.size
        return (
            f'<g class="station {way}"><circle cx="{x:g}" cy="{y:g}" '
            f'r="{self.sheet.radius:g}"/><text x="{x:g}" y="{y + 0.35 * size:g}">'
            f"{way[0].upper()}</text></g>"
        )

    def said(self, chapter: Chapter, ways: list[str]) -> str:
        """A chapter of the map for those who hear it."""
        titles = {c.name: words(c.title) for c in self.book}
        needs = "; ".join(titles[n] for n in chapter.needs) or "no other chapter"
        time = f"{chapter.read} minutes to read" if chapter.read else chapter.time
        time, on = time[0].upper() + time[1:], f" Ways: {', '.join(ways)}."
        return f"{titles[chapter.name]}. {time}. Needs: {needs}.{on if ways else ''}"


# -- the page ---------------------------------------------------------------------


def words(text: str, join: bool = False) -> str:
    """Words as they are printed; joined, they stay in one line."""
    printed = escape(text.replace("'", "\u2019"))
    return printed.replace(" ", "\u00a0") if join else printed


def page(book: list[Chapter], ways: list[Track], links: Mapping[str, str]) -> str:
    """Ways to choose, the two drawings, and the same in words."""
    known = {c.name: c for c in book}
    return (
        '<div class="chapter-map"><fieldset><legend>Choose a way</legend>'
        '<label class="way all"><input class="on-screen" type="radio" '
        'name="way" value="all" checked><span class="name">All chapters</span></label>'
        f"{''.join(choice(way, known) for way in ways)}</fieldset>"
        f"{''.join(Drawing(sheet, book, ways, links).svg() for sheet in SHEETS)}"
        "<details><summary>The map as a list</summary><ul>"
        f"{''.join(item(c, known, ways, links) for c in book)}</ul></details></div>"
    )


def choice(way: Track, known: Mapping[str, Chapter]) -> str:
    """A way to choose: its name, for whom it is, how long it takes, what it skips."""
    total, more = way.minutes(known)
    doing = "with the cells" if way.runs else "to read"
    time = " and ".join([f"{hours(total)} {doing}", *dict.fromkeys(map(words, more))])
    titles = " and ".join(f"<em>{words(known[n].title)}</em>" for n in way.skips)
    trust = f" It takes {titles} on trust." if titles else ""
    return (
        f'<label class="way {way.name}"><input class="on-screen" type="radio" '
        f'name="way" value="{way.name}"><span class="name">'
        f'<b aria-hidden="true">{way.name[0].upper()}</b>{way.name.title()}</span> '
        f"<span>{words(way.about)}{trust}</span> "
        f'<span class="time">{len(way.stops)} chapters, {time}</span></label>'
    )


def item(chapter, known, ways, links) -> str:
    """A chapter of the list: link, minutes, what it needs, who stops there."""

    def link(name: str) -> str:
        title = words(known[name].title)
        return f'<a class="reference internal" href="{links[name]}">{title}</a>'

    time = f"{chapter.read} minutes" if chapter.read else chapter.time
    needs = ", ".join(map(link, chapter.needs)) or "no other chapter"
    helps = "".join(f", {link(n)}" for n in chapter.helps if n in known)
    ways = [way.name for way in ways if chapter.name in way.stops]
    told = [f"{link(chapter.name)}, {time}", f"needs {needs}"]
    told += [f"helped by{helps[1:]}"] * bool(helps)
    told += [f"on the way of the {' and the '.join(ways)}"] * bool(ways)
    return f"<li>{'; '.join(told)}.</li>"


def place(name: str) -> str:
    """Where a chapter begins: its label, as an id."""
    return f"{name}.html#{nodes.make_id(name)}"


class Map(SphinxDirective):
    """``:::{map}``: the chapters, what they need, and the ways that its text tells."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        root = Path(self.env.srcdir)
        for file, _ in contents(root):
            self.env.note_dependency(f"{file}.ipynb")
        book = chapters(root)
        known = {c.name: c for c in book}
        try:
            ways = tracks(yaml.safe_load("\n".join(self.content)), known)
        except (ValueError, yaml.YAMLError) as wrong:
            raise self.error(str(wrong)) from wrong
        links = {name: place(name) for name in known}
        return [nodes.raw("", page(book, ways, links), format="html")]


class Section(SphinxRole):
    """``{section}`chapter: its heading` ``: a link to that section."""

    def run(self):
        name, _, heading = self.text.partition(": ")
        root = Path(self.env.srcdir)
        file = f"{Path(self.env.docname).parent}/{name}"
        if heading not in (h for _, h in HEADING.findall(text(root, file))):
            told = f"section must be a heading of {name}, got {heading!r}"
            return [], [self.inliner.reporter.error(told, line=self.lineno)]
        target = f"{name}.html#{nodes.make_id(heading)}"
        link = nodes.reference("", "", nodes.inline("", heading), refuri=target)
        link["internal"] = True
        return [link], []


class Read(SphinxRole):
    """``{read}`welfare regret` ``: links to chapters, and how long it takes to read."""

    def run(self):
        known = {c.name: c for c in chapters(Path(self.env.srcdir))}
        names = self.text.split()
        if strange := [n for n in names if n not in known or not known[n].read]:
            told = f"read must name chapters that say their minutes, got {strange}"
            return [], [self.inliner.reporter.error(told, line=self.lineno)]
        parts: list[nodes.Node] = []
        for name in names:
            title = nodes.inline("", known[name].title)
            link = nodes.reference("", "", title, refuri=place(name))
            link["internal"] = True
            parts += [nodes.Text("; " if parts else ""), link]
            parts += [nodes.Text(f", {known[name].read}\u00a0min")]
        if len(names) > 1:
            total = hours(sum(known[name].read for name in names))
            parts.append(nodes.Text(f" ({total} in all)"))
        return parts, []


class Task(XRefRole):
    """``{task}`ex-nash-hand` ``: an exercise by its number, behind its stars."""

    def create_xref_node(self):
        self.refdomain, self.reftype = "std", "ref"
        return super().create_xref_node()

    def result_nodes(self, document, env, node, is_ref):
        root = Path(env.srcdir)
        words = (text(root, file) for file, _ in contents(root))
        stars = {name: s for page in words for s, name in EXERCISE.findall(page)}
        shown = nodes.Text(stars.get(self.target, "") + "\u00a0")
        return [shown, node], []


def add_style(app, pagename, templatename, context, doctree) -> None:
    """Only the page with the map loads its style."""
    raw = doctree.findall(nodes.raw) if doctree else ()
    if any('class="chapter-map"' in node.astext() for node in raw):
        app.add_css_file(STYLE)


def setup(app):
    app.add_directive("map", Map)
    app.add_role("section", Section())
    app.add_role("read", Read())
    app.add_role(
        "task", Task(lowercase=True, innernodeclass=nodes.inline, warn_dangling=True)
    )
    app.connect("html-page-context", add_style)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
