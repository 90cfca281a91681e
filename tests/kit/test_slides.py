"""Decks are what chapters choose, with notes; nothing on them is loaded or solved."""

import json
import re
from functools import cache
from types import SimpleNamespace

import pytest
from bs4 import BeautifulSoup

from bookkit import config, ipynb, markdown, model, reading
from bookkit.make import slides as decks
from bookkit.make import student
from bookkit.sphinx import slide as directive

HTML = config.ROOT / "_build" / "html"
CHAPTERS = {chapter.name: chapter for chapter in reading.read().chapters}
CHOSEN = [name for name, chapter in CHAPTERS.items() if chapter.has_deck]


@cache
def written(name):
    return decks.to_html(decks.deck(HTML, CHAPTERS[name]), HTML)


@cache
def shown(name):
    """The slides of a deck, as they are written."""
    start, end = (written(name).index(x) for x in ("<main", "</main>"))
    found = BeautifulSoup(written(name)[start:end], "html.parser")
    return found.select(".slides > section")


# -- the decks of the book ------------------------------------------------------------


@pytest.mark.parametrize("name", CHOSEN)
def test_notes_are_on_no_page_and_in_no_index(name):
    page = (HTML / "chapters" / f"{name}.html").read_text("utf8")
    index = (HTML / "searchindex.js").read_text("utf8")
    for said in CHAPTERS[name].slides:
        assert said.words
        assert said.words not in page
        assert said.words not in index


@pytest.mark.parametrize("name", CHOSEN)
def test_no_deck_loads_anything(name):
    text = written(name)
    soup = BeautifulSoup(
        re.sub(r"<script>.*?</script>", "", text, flags=re.S), "html.parser"
    )
    assert soup.select("link, [src], iframe, object, image[href]") == []
    assert not re.search(
        r"url\(\s*(?![\"']?(?:data:|#))", text.partition("<script>")[0]
    )
    assert soup.html["lang"]
    assert soup.title.get_text()
    assert text.count("</script>") == 1  # none within ends it early


@pytest.mark.parametrize("name", CHOSEN[::3])
def test_formulas_figures_and_tables_are_those_of_the_page(name):
    """All that a piece wraps, and all that a chosen cell shows, is on its slide."""
    page = decks.text_of((HTML / "chapters" / f"{name}.html").read_text("utf8"))
    kinds = ".math", "mjx-container", "figure", "svg", "table", "figcaption"
    on_page = dict.fromkeys(kinds, 0)
    for tag in page.select(".slide, .tag_slide, .remember"):
        pieces = [tag]
        if "tag_slide" in tag["class"]:
            pieces = tag.select(".cell_output")
        elif "data-cell" in tag.attrs:
            pieces += tag.find_next(decks.shows).select(".cell_output")
        for kind in kinds:
            on_page[kind] += sum(len(piece.select(kind)) for piece in pieces)
    slides = [
        slide.select_one(".slide-body")
        for slide in shown(name)
        if slide["class"][0] in ("telling", "closing")
    ]
    for kind in kinds:
        assert sum(len(s.select(kind)) for s in slides) == on_page[kind], kind
    for formula in page.select(".slide .math"):
        assert str(formula) in written(name)


@pytest.mark.parametrize("name", CHOSEN)
def test_a_question_comes_before_what_answers_it(name):
    sections = shown(name)
    for n, slide in enumerate(sections):
        if slide["class"] == ["asking"]:
            assert sections[n + 1].select("figure, table, pre")
            assert not slide.select("input, details, .quick-why")
            answer = slide.select_one(".notes").get_text().partition("The answer: ")[2]
            assert len(answer) > 20


@pytest.mark.parametrize("name", CHOSEN)
def test_no_solution_is_on_a_slide_or_in_its_notes(name):
    text = "".join(str(slide) for slide in shown(name))
    assert not re.search(r'class="[^"]*\b(exercise|solution|dropdown)\b', text)
    assert "<details" not in text
    for cell in CHAPTERS[name].cells:
        assert not (cell.slide_type and cell.tags & model.CUT), cell.id


@pytest.mark.parametrize("name", CHOSEN)
def test_a_slide_has_a_heading_words_for_its_figures_and_ids_of_its_own(name):
    slides = shown(name)
    for slide in slides:
        (heading,) = slide.select("h1, h2")
        assert heading.get_text(strip=True)
        for figure in slide.select("figure"):
            assert len(figure.select_one(".ink")["aria-label"]) > 40
            assert figure.select_one(".ink")["role"] == "img"
            assert re.match(r"Fig\. \d+", figure.figcaption.get_text(strip=True))
    ids = [e["id"] for slide in slides for e in [slide, *slide.select("[id]")]]
    assert len(ids) == len(set(ids))
    links = {a["href"] for slide in slides for a in slide.select("a")}
    assert links <= {f"#/{slide['id']}" for slide in slides}


def test_students_get_no_notes():
    cleaned = student.strip(ipynb.load(CHAPTERS["nash"].path))
    assert all(not s.notes for s in reading.slides(ipynb.cells(cleaned)))
    for said in CHAPTERS["nash"].slides:
        assert said.words
        assert said.words not in ipynb.dump(cleaned)


# -- what is refused, on a page of four lines ----------------------------------------

PAGE = """<article><h1>Title</h1>
<div class="learn"><p class="admonition-title">In this chapter</p>
<p><strong>You will learn</strong> much. <strong>You need</strong> little.</p></div>
<h2>Section<a class="headerlink" href="#x">#</a></h2>{}
<div class="remember"><p class="admonition-title">To remember</p><p>This.</p></div>
</article>"""
PIECE = '<div class="slide"><p>Words</p></div>'
CELL = '<div class="cell{}"><div class="cell_output"><p>7</p></div></div>'


def cells(*middle):
    first = {"cell_type": "markdown", "metadata": {}, "source": ["# Title"]}
    last = {
        "cell_type": "markdown",
        "metadata": {"slide": {"notes": "1 min. Say this. And this."}},
        "source": [":::{admonition} To remember\n", ":class: remember\n", ":::"],
    }
    return {"cells": [first, *middle, last]}


def chosen(kind, *told, as_what="slide"):
    """A cell that goes onto a slide, or onto several."""
    metadata = {"slideshow": {"slide_type": as_what}}
    if told:
        metadata["slide"] = told[0] if len(told) == 1 else list(told)
    return ipynb.new_cell("", kind, "Words") | {"metadata": metadata}


def piece(*told):
    return chosen("markdown", *told)


def code(*told):
    return chosen("code", *told)


def slides(body, *middle):
    told = reading.slides(ipynb.cells(cells(*middle)))
    return list(decks.slides(decks.text_of(PAGE.format(body)), told))


def test_titles_are_headings_unless_they_are_given():
    found = slides(PIECE, piece({"notes": "2 min. Ask them."}))
    assert [s.title for s in found] == ["Title", "Section", "To remember"]
    assert found[1].notes == decks.Notes(2, "Ask them.")
    assert "much" in found[0].body
    assert "little" not in found[0].body
    told = {"notes": "1 min. Ask.", "title": "Seven"}
    named = slides(CELL.format(" tag_slide"), code(told))
    assert [s.title for s in named] == ["Title", "Seven", "To remember"]
    assert "7" in named[1].body


def marked(*middle, name="chapters/trial.ipynb"):
    """What Sphinx reads of cells."""
    app = SimpleNamespace(env=SimpleNamespace(doc2path=lambda docname: name))
    source = [json.dumps(cells(*middle))]
    directive.mark_slides(app, "trial", source)
    return json.loads(source[0])["cells"][1:-1]


def test_sphinx_reads_a_directive_or_a_tag_and_no_notes():
    words = ipynb.new_cell("", "markdown", "Words")
    picture = chosen("code", as_what="fragment")
    told = {"title": "On $x$", "notes": "2 min. Ask."}
    last, text, picture, seven = marked(words, piece(told), picture, code(told))
    assert last == words
    (block,) = markdown.directives(text["source"])
    assert (block.name, block.argument) == ("slide", "On $x$")
    assert (block.options, block.body) == ({"cell": ""}, "Words")
    assert "tags" not in picture["metadata"]
    assert seven["metadata"]["tags"] == ["slide"]
    (alone,) = marked(piece())
    assert not markdown.directives(alone["source"])[0].options
    assert marked(piece(told), name="chapters/api.md") == [piece(told)]


def test_a_statement_on_two_slides_is_cut_at_its_borders():
    border, titles = model.BORDER, ["One", "Two"]
    lines = "::::{prf:lemma} L", border, "A", border, ":::{note}\nB\n:::", border, "C"
    text = "\n".join([*lines, "::::"])
    lemma, *inside = markdown.directives(directive.wrapped(text, titles))
    assert lemma.body.endswith("C")
    assert [(b.depth, b.argument, b.body) for b in inside if b.name == "slide"] == [
        (1, "One", "A"),
        (1, "Two", ":::{note}\nB\n:::"),
    ]
    with pytest.raises(ValueError, match="got 1 slides and 2 pieces"):
        directive.wrapped(text, ["One"])
    told = piece({"title": "One"}, {"title": "Two", "notes": "2 min. Ask."})
    found = list(reading.slides(ipynb.cells({"cells": [piece(), told]})))[1:]
    assert [(s.title, s.minutes) for s in found] == [("One", None), ("Two", 2)]
    (cell,) = ipynb.cells({"cells": [told | {"source": [text]}]})
    assert border not in cell.text


def test_an_old_page_is_refused():
    with pytest.raises(ValueError, match="has a piece, its notebook has remember"):
        slides(PIECE)
    with pytest.raises(ValueError, match="has a remember, its notebook has piece"):
        slides("", piece())


@pytest.mark.parametrize("kind", ["solution", "exercise"])
def test_solutions_and_exercises_are_refused(kind):
    with pytest.raises(ValueError, match="no fold and no exercise"):
        slides(f'<div class="{kind}">{PIECE}</div>', piece())
    inside = f'<div class="slide"><div class="{kind}">x</div></div>'
    with pytest.raises(ValueError, match="no fold and no exercise"):
        slides(inside, piece())
    with pytest.raises(ValueError, match="outside an exercise"):
        slides(f'<div class="{kind}">{CELL.format(" tag_slide")}</div>', code())


def test_a_cell_shows_something_and_stands_on_one_slide():
    with pytest.raises(ValueError, match="must show something"):
        slides('<div class="cell tag_slide"></div>', code())
    both = '<div class="slide" data-cell="next"></div>' + CELL.format(" tag_slide")
    with pytest.raises(ValueError, match="followed by a fragment"):
        slides(both, piece(), code())


def test_what_a_style_sheet_says_of_paper_is_left_out():
    css = "@page{margin:1cm}a{color:red}@media print{a{color:black}}@media (x){b{y:z}}"
    left = decks.on_screen(css).replace("@media not all ", "never")
    assert (
        left == "never{margin:1cm}a{color:red}never{a{color:black}}@media (x){b{y:z}}"
    )


def test_a_script_cannot_end_the_one_it_stands_in():
    assert "</script" not in decks.inline('x = "</script><!-- y"')
    assert "<!--" not in decks.inline('x = "</script><!-- y"')
