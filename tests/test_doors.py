"""The page `doors`: the map says what the chapters say, and the ways add up."""

import json
import re
import sys
from io import StringIO
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "chapters" / "_ext"))
import tracks  # noqa: E402

BOOK = tracks.chapters(ROOT)
KNOWN = {c.name: c for c in BOOK}
NEEDS = {c.name: c.needs for c in BOOK}
PAGE = tracks.text(ROOT, "chapters/doors")
WAYS = tracks.tracks(
    yaml.safe_load(re.search(r"^:::\{map\}\n(.*?)^:::", PAGE, re.M | re.S)[1]), KNOWN
)
LINKS = {name: tracks.place(name) for name in KNOWN}


def first_cell(name: str) -> str:
    path = ROOT / "chapters" / f"{name}.ipynb"
    return "".join(json.loads(path.read_text("utf8"))["cells"][0]["source"])


# -- the chapters --------------------------------------------------------------------


def test_every_chapter_with_a_box_is_on_the_map_in_the_order_of_the_contents():
    files = re.findall(r"chapters/(\w+)", (ROOT / "_toc.yml").read_text("utf8"))
    notebooks = [f for f in files if (ROOT / "chapters" / f"{f}.ipynb").is_file()]
    boxed = [f for f in notebooks if "**You need**" in first_cell(f)]
    assert [c.name for c in BOOK] == boxed
    assert len(boxed) > 20
    assert all(c.part for c in BOOK)


@pytest.mark.parametrize("chapter", BOOK, ids=lambda c: c.name)
def test_a_chapter_needs_only_earlier_ones(chapter):
    """So the graph has no circle, and whoever reads in order lacks nothing."""
    order = list(KNOWN)
    before = order[: order.index(chapter.name)]
    assert set(chapter.needs) <= set(before)
    assert chapter.name not in tracks.behind(chapter.name, NEEDS)
    assert set(chapter.helps) <= set(order) - {chapter.name}


@pytest.mark.parametrize("chapter", BOOK, ids=lambda c: c.name)
def test_needs_and_minutes_are_those_of_the_box(chapter):
    """Read once more, word by word instead of by the extension's patterns."""
    box = first_cell(chapter.name).partition("**You need**")[2]
    need, _, time = box.partition(":::")[0].partition("**Time**:")
    refs = {piece.partition("`")[0] for piece in need.split("{ref}`")[1:]}
    homes = {ref.partition("-")[0] for ref in refs}
    assert set(chapter.needs) | set(chapter.helps) == homes
    numbers = time.replace(",", " , ").replace(".", " . ").split()
    to_read = [
        int(word)
        for n, word in enumerate(numbers)
        if word.isdigit()
        and " ".join(numbers[n + 1 :]).removeprefix("minutes ").startswith("to read")
    ]
    assert to_read == ([] if chapter.read is None else [chapter.read])
    assert chapter.read is None or 5 <= chapter.read <= 90
    assert chapter.cells is None or chapter.cells >= chapter.read


def a_book(folder: Path, **boxes: str) -> Path:
    """A book of one part whose chapters have these boxes."""
    files = "\n".join(f"      - file: chapters/{name}" for name in boxes)
    toc = f"root: chapters/index\nparts:\n  - caption: One\n    chapters:\n{files}\n"
    (folder / "_toc.yml").write_text(toc, "utf8")
    (folder / "chapters").mkdir()
    for name, box in boxes.items():
        source = (
            f"({name})=\n# The {name}\n\n:::{{admonition}} In this chapter\n"
            f":class: learn\n{box}\n:::\n\n({name}-end)=\n## The end: of {name}\n"
        )
        cell = {"cell_type": "markdown", "id": "a", "metadata": {}, "source": source}
        notebook = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
        path = folder / "chapters" / f"{name}.ipynb"
        path.write_text(json.dumps(notebook), "utf8")
    return folder


def test_the_first_sentence_says_what_is_needed_and_the_rest_what_helps(tmp_path):
    root = a_book(
        tmp_path,
        a="**You need** nothing.\n\n**Time**: 10 minutes to look, 40 to read it.",
        b="**You need** {ref}`a`; {ref}`c` helps. **Time**: as long as you like.",
        c="**You need** {ref}`that <a-end>` and {ref}`b` ({ref}`b-end`). See {ref}`a`."
        "\n**Time**: 20 minutes to read, 50 with the cells.",
        d="No promise.",
    )
    a, b, c = tracks.chapters(root)
    assert (a.needs, a.helps, a.read, a.cells) == ((), (), 40, None)
    assert (b.needs, b.helps, b.read) == (("a",), ("c",), None)
    assert b.time == "as long as you like"
    assert (c.needs, c.helps, c.read, c.cells) == (("a", "b"), (), 20, 50)
    assert (c.title, c.part) == ("The c", "One")


def test_a_chapter_begins_where_sphinx_puts_its_label():
    assert LINKS["welfare"] == "welfare.html#welfare"
    assert LINKS["good_event"] == "good_event.html#good-event"


def test_a_need_that_leads_nowhere_is_refused(tmp_path):
    box = "**You need** {ref}`nowhere`.\n**Time**: 1 minutes to read."
    with pytest.raises(ValueError, match=r"needs of a must be labels .*\['nowhere'\]"):
        tracks.chapters(a_book(tmp_path, a=box))


# -- what is drawn -------------------------------------------------------------------


@st.composite
def graphs(draw):
    """Chapters 0, 1, 2, ..., each of which needs some of those before it."""
    size = draw(st.integers(1, 12))
    return {
        n: tuple(m for m in range(n) if draw(st.booleans()) and draw(st.booleans()))
        for n in range(size)
    }


@given(graphs())
def test_what_is_not_drawn_follows_and_no_line_is_superfluous(needs):
    drawn = tracks.spare(needs)
    for name in needs:
        assert tracks.behind(name, drawn) == tracks.behind(name, needs)
        for need in drawn[name]:
            rest = {**drawn, name: tuple(n for n in drawn[name] if n != need)}
            assert need not in tracks.behind(name, rest)


@given(graphs())
def test_no_line_runs_over_another_chapter_or_along_another_line(needs):
    needs = tracks.spare(needs)
    at = tracks.lanes(needs)
    lane = {name: at[name][0] for name in needs}
    ends = {
        name: max((n for n, own in needs.items() if name in own), default=name)
        for name in needs
    }
    for name in needs:
        passed = range(name + 1, ends[name])
        assert lane[name] not in {lane[row] for row in passed}
        for other in needs:
            if name < other < ends[name] and ends[other] > other:
                assert lane[other] != lane[name]
        for row in range(name, ends[name] + 1):
            assert at[row][1] > lane[name]  # the title begins right of the line


def drawn(way_or_sheet=tracks.SHEETS[0]) -> str:
    return tracks.Drawing(way_or_sheet, BOOK, WAYS, LINKS).svg()


@pytest.mark.parametrize("sheet", tracks.SHEETS, ids=lambda s: s.name)
def test_each_chapter_is_a_link_that_says_its_title_minutes_and_needs(sheet):
    svg = drawn(sheet)
    stops = re.findall(r'<g class="(stop[^"]*)">(.*?)</a></g>', svg)
    assert len(stops) == len(BOOK)
    for chapter, (classes, row) in zip(BOOK, stops, strict=True):
        label = chapter.name.replace("_", "-")  # as Sphinx makes an id of it
        assert f'href="{chapter.name}.html#{label}"' in row
        shown = " ".join(re.findall(r"<tspan[^>]*>([^<]*)</tspan>", row))
        shown = " ".join(shown.replace("\u00a0", " ").split())
        minutes = f"{chapter.read} min" if chapter.read else chapter.time
        title = tracks.words(chapter.title)
        assert shown in (f"{title} · {minutes}", f"{title} {minutes}")
        heard = re.search(r'aria-label="([^"]*)"', row)[1]
        assert heard.startswith(title)
        assert all(tracks.words(KNOWN[n].title) in heard for n in chapter.needs)
        on = {way.name for way in WAYS if chapter.name in way.stops}
        assert set(classes.split()) == {"stop"} | on
        assert row.count('class="station') == len(on)
        assert row.count('class="lit') == len(tracks.spare(NEEDS)[chapter.name])


@pytest.mark.parametrize("sheet", tracks.SHEETS, ids=lambda s: s.name)
def test_rows_do_not_overlap_and_stay_on_the_sheet(sheet):
    drawing = tracks.Drawing(sheet, BOOK, WAYS, LINKS)
    rows = list(drawing.rows.values())
    for above, below in pairwise(rows):
        assert above.y + above.height / 2 <= below.y - below.height / 2 + 1e-9
    assert rows[-1].y + rows[-1].height / 2 <= drawing.height + 1e-9
    assert all(0 < row.x < row.left for row in rows)
    assert sheet.size >= 14  # at 320 pixels still 12 on the screen


# -- the ways ------------------------------------------------------------------------


def test_there_are_three_ways_and_each_has_what_its_chapters_need():
    assert [way.name for way in WAYS] == ["reader", "programmer", "theorist"]
    for way in WAYS:
        for stop in way.stops:
            assert set(KNOWN[stop].needs) <= {*way.stops, *way.skips}
    theorist = WAYS[-1]
    assert not theorist.skips
    proofs = [
        name
        for name in KNOWN
        if "{prf:theorem}" in tracks.text(ROOT, f"chapters/{name}")
    ]
    assert set(proofs) <= set(theorist.stops)


@pytest.mark.parametrize("way", WAYS, ids=lambda w: w.name)
def test_the_minutes_of_a_way_are_the_sum_of_those_of_its_chapters(way):
    total = 0
    for name in way.stops:
        time = first_cell(name).partition("**Time**:")[2].partition(":::")[0]
        numbers = list(map(int, re.findall(r"\b\d+\b", time)))
        if name == "errata":  # 10 minutes to look something up, 40 to read
            numbers = numbers[1:]
        if numbers:
            total += numbers[1] if way.runs and len(numbers) > 1 else numbers[0]
    assert way.minutes(KNOWN)[0] == total
    shown = tracks.choice(way, KNOWN).replace("\u00a0", " ")
    hours = re.search(r"chapters, (?:(\d+) h)? ?(?:(\d+) min)? (?:to|with)", shown)
    assert 60 * int(hours[1] or 0) + int(hours[2] or 0) == total
    assert f"{len(way.stops)} chapters" in shown
    assert all(tracks.words(KNOWN[n].title) in shown for n in way.skips)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"chapters": "welfare nowhere"}, r"through chapters, got \['nowhere'\]"),
        ({"chapters": "regret welfare"}, "must follow the contents"),
        ({"chapters": "welfare reduction"}, r"lacks \['regret'\]"),
        ({"skips": "nash"}, r"skips \['nash'\] for nothing"),
        ({"chapters": "regret", "skips": "welfare"}, None),
    ],
)
def test_a_way_that_cannot_be_gone_is_refused(change, complaint):
    way = {"about": "For some.", "chapters": "welfare regret"} | change
    if complaint:
        with pytest.raises(ValueError, match=complaint):
            tracks.tracks({"some": way}, KNOWN)
    else:
        assert tracks.tracks({"some": way}, KNOWN)[0].skips == ("welfare",)


@pytest.mark.parametrize("told", [None, [], {}, {"some": "words"}, {"some": {}}])
def test_what_names_no_ways_is_refused(told):
    with pytest.raises(ValueError, match=r"must (name its ways|have about)"):
        tracks.tracks(told, KNOWN)


@pytest.mark.parametrize(
    ("minutes", "said"), [(50, "50 min"), (60, "1 h"), (645, "10 h 45 min")]
)
def test_minutes_are_said_in_hours(minutes, said):
    assert tracks.hours(minutes).replace("\u00a0", " ") == said


# -- an hour, and the questions ------------------------------------------------------

STEP = re.compile(
    r"^\d\. \*\*(\d+) minutes\.\*\*.*?\{section\}`(\w+): ([^`]+)` (up to|and) "
    r"\{section\}`\2: ([^`]+)`\.$",
    re.M,
)


def test_the_hour_has_sixty_minutes():
    steps = STEP.findall(PAGE)
    assert len(steps) == len(re.findall(r"^\d\. \*\*\d+ minutes", PAGE, re.M)) == 7
    assert sum(int(minutes) for minutes, *_ in steps) == 60


@pytest.mark.parametrize("step", STEP.findall(PAGE), ids=lambda s: s[2])
def test_a_step_of_the_hour_has_its_share_of_the_chapter(step):
    """Its minutes are those of the chapter times its share of the words, nearly."""
    minutes, name, first, to, last = step
    pieces = re.split(r"^#+ (.+)$", tracks.text(ROOT, f"chapters/{name}"), flags=re.M)
    sections = list(zip(pieces[1::2], pieces[2::2], strict=True))
    names = [heading for heading, _ in sections]
    size = [len(text.split()) for _, text in sections]
    start, end = names.index(first), names.index(last)
    assert start < end
    read = range(start, end + 1) if to == "up to" else (start, end)
    share = sum(size[n] for n in read) / sum(size[: names.index("Exercises")])
    assert abs(share * KNOWN[name].read - int(minutes)) < 1.5


def test_the_people_of_the_hour_are_those_of_the_chapter():
    assert "2,834 people" in tracks.text(ROOT, "chapters/case_study")


ANSWERS = {
    "independence": 1 - 0.5**3,
    "geometric": np.exp(np.log([1, 4, 16]).mean()),
    "harmonic": 2 / (1 / 2 + 1 / 6),
    "log": np.log(1e6) / np.log(1e3),
    "error": 100 * (0.02 / 0.01) ** 2,
}


def test_the_questions_have_the_answers_that_they_say():
    asked = dict(
        re.findall(
            r"^:::\{quick\} \w+\n:name: quick-doors-(\w+)\n(.*?)^:::$",
            PAGE,
            re.M | re.S,
        )
    )
    assert len(asked) == 10
    numbers = {
        name: float(found[1])
        for name, text in asked.items()
        if (found := re.search(r":answer: (\S+)", text))
    }
    code = re.findall(r"`([^`]+)`", asked["python"])
    scope = {"np": np}
    for line in code[:2]:
        exec(line, scope)
    assert numbers == pytest.approx(ANSWERS | {"python": eval(code[2], scope)})
    assert np.zeros((1000, 5)).mean(axis=0).shape == (5,)
    assert "- [x] `(5,)`" in asked["axis"]
    x = np.array([1, 3])
    assert (1 / x).mean() == pytest.approx(2 / 3)
    assert 1 / x.mean() == 0.5
    assert r"- [x] $\E[1/X]$" in asked["jensen"]
    called = re.findall(r"^:called: (\d+)\. ", PAGE, re.M)
    assert list(map(int, called)) == list(range(1, 11))
    for text in asked.values():  # a section of the book, or one of three sites
        why = text.partition("---")[2]
        assert "To brush up" in why
        assert re.search(r"\{section\}`|\]\(https://|the same course", why)


# -- the page ------------------------------------------------------------------------

TEXT = """# Page

:::{map}
reader:
  about: You & I.
  chapters: a b
:::

Read {section}`b: The end: of b`, that is {read}`a b`, or {read}`b`.

:::{tally} 2 0
- Good.
- Not yet.
:::
"""
BOXES = {
    "a": "**You need** nothing.\n**Time**: 20 minutes to read.",
    "b": "**You need** {ref}`a`.\n**Time**: 45 minutes to read.",
}


def built(folder: Path, text: str) -> tuple[str, str]:
    """The page made of a text in a book of two chapters, and the complaints."""
    root = a_book(folder, **BOXES)
    (root / "chapters" / "page.md").write_text(text, "utf8")
    settings = {
        "root_doc": "chapters/page",
        "extensions": ["myst_parser", "quick", "tracks"],
        "myst_enable_extensions": ["colon_fence"],
    }
    out, warnings = folder / "out", StringIO()
    with patch_docutils(), docutils_namespace():
        folders = (root, None, out, out)
        Sphinx(*folders, "html", settings, status=None, warning=warnings).build()
    return (out / "chapters" / "page.html").read_text("utf8"), warnings.getvalue()


def test_the_page_has_two_drawings_ways_to_choose_and_a_list(tmp_path):
    page, complaints = built(tmp_path, TEXT)
    assert not complaints
    assert page.count("<svg") == page.count("</svg>") == 2
    radios = re.findall(r'<input [^>]*type="radio" name="way" value="(\w+)"', page)
    assert radios == ["all", "reader"]
    assert "You &amp; I." in page
    assert "2 chapters, 1\u00a0h\u00a05\u00a0min to read" in page
    assert page.count('href="b.html#b"') == 5  # two drawings, the list, two readings
    assert 'href="b.html#the-end-of-b"' in page
    words = re.sub(r"<[^<>]+>", "", page)
    assert (
        "The a, 20\u00a0min; The b, 45\u00a0min (1\u00a0h\u00a05\u00a0min in all)"
        in words
    )
    assert "or The b, 45\u00a0min." in words
    assert "tracks.css" in page
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    for described in re.findall(r'aria-describedby="([^"]+)"', page):
        assert described in ids


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("chapters: a b", "chapters: b", "it lacks ['a']"),
        ("chapters: a b", "chapters: [", "expected the node content"),
        ("b: The end: of b", "b: The start", "section must be a heading of b"),
        (
            "b: The end: of b",
            "nowhere: The end",
            "section must be a heading of nowhere",
        ),
        ("`a b`", "`a z`", "read must name chapters that say their minutes, got ['z']"),
        ("{tally} 2 0", "{tally} 0 2", "tally must fall to 0, got 0 2"),
        ("{tally} 2 0", "{tally} 2 1 0", "tally must have 3 items, got [2]"),
    ],
)
def test_what_is_wrong_on_the_page_is_said_when_it_is_built(
    tmp_path, old, new, complaint
):
    assert complaint in built(tmp_path, TEXT.replace(old, new))[1]
