"""`make slides`: a deck for each chapter, cut out of its built page.

A deck has the title of the chapter and what one will learn, then the cells that are
slides (bookkit/sphinx/slide.py), in their order, and finally what to remember. Nothing
is written twice: formulas, figures, tables and numbers are those of the page. If a
question to be answered before looking comes before a figure or a table, the slide
before it asks the question.

What the speaker says stands in the metadata of the cell, for the title (first cell) and
for what to remember too: {"slide": {"notes": "2 min. ...", "title": ...}}. The words on
a question are its answer on the page. Notes begin with their minutes.

A deck is one file that needs no other: reveal.js comes from the package
sphinx-revealjs, which is installed for its files alone. (By hand, as the slides that
nbconvert makes show MyST directives as they are typed.)
"""

import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

from bs4 import BeautifulSoup, Tag

from bookkit import built, model, reading, tex
from bookkit.assets.typeset import package
from bookkit.config import CONFIG

HERE = Path(__file__).parent

BOOK = CONFIG["title"]
FOLDED = "details, .dropdown, .exercise, .solution"  # for readers of the page
ASIDE = re.compile(r"\s*\(folded cell\)|\s*The next cell \w[^.]*\.")  # of a page only
PAPER = re.compile(r"@media (?:only )?print\s*\{|@page\s*\{")
FILE = re.compile(r"url\(\s*(?![\"']?(?:data:|#))[^)]*\)")
ASK = "Let everybody decide before you go on, and ask two of them why. The answer: "
DECK = """<!DOCTYPE html>
<html lang="en" data-theme="light">
<head>
<meta charset="utf-8">
<title>{title}: slides</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>{style}</style>
</head>
<body>
<main class="reveal"><div class="slides">
{slides}
</div></main>
<script>{script}</script>
</body>
</html>
"""
SLIDE = """<section id="{id}" class="{kind}" data-timing="{seconds}">
<{h} class="slide-title">{title}</{h}>
<div class="slide-body bd-content"><div class="bd-article">{body}</div></div>
<aside class="notes"><p><strong>{minutes} min.</strong> {words}</p></aside>
</section>"""
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
:root {{ color-scheme: light dark; }}
body {{ max-width: 46rem; margin: auto; padding: 1rem; font: 1rem/1.5 sans-serif; }}
li {{ margin: 0.4rem 0; }}
</style>
</head>
<body><main><h1>{title}</h1>
{body}
</main></body>
</html>
"""
KEYS = """<p>Arrow keys and the space bar move on, <kbd>F</kbd> fills the screen,
<kbd>O</kbd> shows all slides, <kbd>D</kbd> turns dark into light and back,
<kbd>S</kbd> opens the speaker's view with the notes and a clock, <kbd>?</kbd> lists the
other keys. A deck is one file and needs no network. To print one, open it with
<code>?print-pdf</code> after its name, or with
<code>?print-pdf&amp;showNotes=separate-page</code> for the notes as well;
<code>?showNotes=true</code> shows them beside the slides.</p>"""


@dataclass(frozen=True)
class Notes:
    """What the speaker says on a slide, and for how many minutes."""

    minutes: int = 0
    words: str = ""


@dataclass(frozen=True)
class Screen:
    """The title of a slide and what stands below it, as HTML, with its notes."""

    title: str
    body: str
    notes: Notes
    kind: str = "telling"


@dataclass(frozen=True)
class Deck:
    """The slides of a chapter."""

    name: str
    slides: list[Screen]

    @property
    def title(self) -> str:
        """The title of the first slide, as words."""
        return as_line(self.slides[0].title)

    @property
    def minutes(self) -> int:
        """How long all its slides take."""
        return sum(slide.notes.minutes for slide in self.slides)


# -- what a page shows ---------------------------------------------------------------


def text_of(page: str) -> Tag:
    """The text of a built page."""
    text = BeautifulSoup(built.article(page), "html.parser").article
    for link in text.select("a.headerlink"):
        link.decompose()
    return text


def as_line(html: str) -> str:
    """HTML as a line of text, formulas as words."""
    soup = BeautifulSoup(html, "html.parser")
    for formula in soup.select(".math"):
        formula.replace_with(tex.readable(formula["data-tex"]))
    return tex.tidy_spaces(soup.get_text())


def kind_of(tag: Tag) -> str:
    """What an element of a page is for a deck, or nothing."""
    if tag.name in ("h2", "h3"):
        return "heading"
    kinds = {
        "slide": "piece",
        "tag_slide": "cell",
        "remember": "remember",
        "predict": "question",
    }
    return next((kinds[name] for name in tag.get("class", []) if name in kinds), "")


def shows(tag: Tag) -> bool:
    """Whether an element is a cell with an output."""
    return "cell" in tag.get("class", []) and bool(tag.select(".cell_output"))


def cell_of(tag: Tag, kind: str) -> Tag | None:
    """The cell whose output stands on a slide, if there is one."""
    if kind == "cell":
        if not shows(tag) or is_exercise(tag):
            raise ValueError("a cell must show something, outside an exercise")
        return tag
    if "data-cell" not in tag.attrs:
        return None
    cell = tag.find_next(shows)
    if not cell or kind_of(cell) == "cell":
        raise ValueError("a slide must be followed by a fragment that shows something")
    return cell


def output(cell: Tag) -> str:
    """What a cell of code shows, without the code."""
    return "".join(map(str, cell.select(".cell_output")))


def is_exercise(tag: Tag) -> bool:
    """Whether an element is, or stands in, an exercise or a solution."""
    around = [tag, *tag.parents]
    return any({"exercise", "solution"} & set(t.get("class", [])) for t in around)


def slides(page: Tag, from_notebook: Iterable[model.Slide]) -> Iterator[Screen]:
    """The slides of a chapter, from its page and what its notebook has for them."""
    remaining = iter(from_notebook)

    def notes(kind: str) -> tuple[Notes, str]:
        """What the notebook has for the next slide: its notes, and its title."""
        slide = next(remaining, None)
        if slide is None or slide.kind != kind:
            other = slide.kind if slide else "nothing more"
            raise ValueError(f"the page has a {kind}, its notebook has {other}")
        return Notes(slide.minutes or 0, escape(slide.words)), escape(slide.title)

    heading, question = page.h1.decode_contents(), None
    yield Screen(heading, learning_goals(page), notes("title")[0], "opening")
    for tag in page.find_all(True):
        kind = kind_of(tag)
        if kind == "heading":
            heading, question = tag.decode_contents(), None
        elif kind == "question":
            question = tag
        elif kind == "remember":
            box = unfolded(tag)
            title = box.select_one(".admonition-title").extract().decode_contents()
            yield Screen(title, box.decode_contents(), notes(kind)[0], "closing")
        elif kind:
            words, title = notes(kind)
            title = tag.get("data-title") or title or heading
            cell = cell_of(tag, kind)
            if cell and question:
                yield question_slide(question)
            question = None
            body = unfolded(tag).decode_contents() if kind == "piece" else ""
            yield Screen(title, body + (output(cell) if cell else ""), words)
    if (extra := next(remaining, None)) is not None:
        raise ValueError(f"the notebook has a {extra.kind} that is not on its page")


def learning_goals(page: Tag) -> str:
    """What one will learn, as the box at the head of a chapter says it."""
    box = page.select_one(".learn")
    box.select_one(".admonition-title").extract()
    need = box.find("strong", string="You need")
    for rest in [*need.next_siblings, *need.parent.next_siblings, need]:
        rest.extract()
    return f'{box.decode_contents()}<p class="book">{BOOK}</p>'


def unfolded(piece: Tag) -> Tag:
    """A piece of a page, if nothing of it folds, least of all a solution."""
    if piece.select(FOLDED) or is_exercise(piece):
        words = tex.tidy_spaces(piece.get_text())[:60]
        raise ValueError(f"a slide must have no fold and no exercise, got {words!r}")
    return piece


def question_slide(question: Tag) -> Screen:
    """A quick question without its answer, which its notes have."""
    words = question.select_one(".quick-asked")
    words.strong.extract()
    choices = "".join(
        f"<li>{choice.decode_contents()}</li>"
        for choice in question.select("label > span")
    )
    body = words.decode_contents() + (f"<ol>{choices}</ol>" if choices else "")
    question.summary.extract()
    why = as_line(question.select_one(".quick-why").decode_contents())
    return Screen("Before you look", body, Notes(2, escape(ASK + why)), "asking")


# -- a deck --------------------------------------------------------------------------


def deck(html: Path, chapter: model.Chapter) -> Deck:
    """The deck of a chapter, from the built book and the notebook."""
    page = (html / "chapters" / f"{chapter.name}.html").read_text("utf8")
    try:
        return Deck(chapter.name, list(slides(text_of(page), chapter.slides)))
    except ValueError as error:
        raise ValueError(f"{chapter.name}: {error}") from error


def with_own_links(bodies: list[str], name: str) -> list[str]:
    """Bodies whose links lead to slides of the same deck; there are no others.

    Nor are there words on the cells of the page, nor sections, each of which would be
    a slide for reveal.js.
    """
    soups = [BeautifulSoup(body, "html.parser") for body in bodies]
    place = {
        tag["id"]: f"#/s{n}"
        for n, soup in enumerate(soups)
        for tag in soup.select("[id]")
    }
    for n, soup in enumerate(soups):
        for words in soup.find_all(string=ASIDE):
            words.replace_with(ASIDE.sub("", words))
        for section in soup.select("section"):
            section.name = "div"
        for link in soup.select("a"):
            page, _, label = link.get("href", "").partition("#")
            target = place.get(label) if page in ("", f"{name}.html") else None
            if target and target != f"#/s{n}":
                link.attrs = {"href": target}
            else:
                link.unwrap()
    return [soup.decode() for soup in soups]


def reveal() -> Path:
    """The folder of reveal.js in the package that carries it."""
    return package("sphinx_revealjs") / "_static" / "revealjs"


def inline(script: str) -> str:
    """A script that may stand in a page: nothing in it ends it there."""
    return re.sub(r"<(?=/script|!--)", r"<\\", script)


def on_screen(css: str) -> str:
    """A style sheet without paper, of which a deck has its own, and without files."""
    return FILE.sub("none", PAPER.sub("@media not all {", css))


def to_html(deck: Deck, html: Path) -> str:
    """A deck as one file."""
    bodies = with_own_links([slide.body for slide in deck.slides], deck.name)
    sections = "\n".join(
        SLIDE.format(
            id=f"s{n}",
            h="h2" if n else "h1",
            title=slide.title,
            kind=slide.kind,
            body=body,
            seconds=60 * slide.notes.minutes,
            minutes=slide.notes.minutes,
            words=slide.notes.words,
        )
        for n, (slide, body) in enumerate(zip(deck.slides, bodies, strict=True))
    )
    sources = reveal()
    style = [
        (sources / "dist" / "reveal.css").read_text("utf8"),
        on_screen((html / "_static" / "all.css").read_text("utf8")),
        (HERE / "slides.css").read_text("utf8"),
    ]
    script = [
        (sources / "dist" / "reveal.js").read_text("utf8"),
        (sources / "plugin" / "notes" / "notes.js").read_text("utf8"),
        (HERE / "slides.js").read_text("utf8"),
    ]
    return DECK.format(
        title=escape(deck.title),
        slides=sections,
        style="\n".join(style),
        script=inline("\n;\n".join(script)),
    )


def contents(decks: list[Deck]) -> str:
    """The page that lists the decks."""
    listed = "".join(
        f'<li><a href="{d.name}.html">{escape(d.title)}</a>: {len(d.slides)} slides, '
        f"{d.minutes} minutes "
        f'(<a href="../html/chapters/{d.name}.html">its chapter</a>)</li>\n'
        for d in decks
    )
    notes = '<a href="notes.html">all notes on one page</a>'
    body = f"<p>A deck a chapter, and {notes}.</p>\n<ol>\n{listed}</ol>\n{KEYS}"
    return PAGE.format(title=f"{BOOK}: slides", body=body)


def all_notes(decks: list[Deck]) -> str:
    """The notes of all decks on a page, to be read before a lecture."""
    body = "".join(
        f"<h2>{escape(d.title)}</h2>\n<ol>\n"
        + "".join(
            f"<li><strong>{escape(as_line(s.title))}</strong> ({s.notes.minutes} min.) "
            f"{s.notes.words}</li>\n"
            for s in d.slides
        )
        + "</ol>\n"
        for d in decks
    )
    return PAGE.format(title=f"{BOOK}: notes for the speaker", body=body)


def main(html: Path, out: Path) -> None:
    """Write all decks, their list and their notes into a folder, in place of others."""
    decks = [deck(html, c) for c in reading.read().chapters if c.has_deck]
    out.mkdir(parents=True, exist_ok=True)
    for old in out.glob("*.html"):
        old.unlink()
    for chapter_deck in decks:
        text = to_html(chapter_deck, html)
        (out / f"{chapter_deck.name}.html").write_text(text, "utf8")
    (out / "index.html").write_text(contents(decks), "utf8")
    (out / "notes.html").write_text(all_notes(decks), "utf8")


if __name__ == "__main__":
    main(*(Path(name).resolve() for name in sys.argv[1:3]))
