"""The notebooks that readers open: plain Markdown, nothing lost, every link alive."""

import json
import re
from base64 import b64decode
from dataclasses import replace

import pytest

from bookkit import reading
from bookkit.make.notebooks import numbered, sources
from bookkit.notebook import readable, setup_code
from bookkit.translate import Place, Places, Translator, folded, quoted, resolved

PAGES = dict(sources())
FILES = numbered(list(PAGES))
LINK = re.compile(r"\]\(([\w-]+\.ipynb)?#([^)]*)\)")
MYST = re.compile(
    r"\{[\w:]+\}`|^\s*>?\s*:{3,}|^\s*>?\s*:\w+:|^\([\w-]+\)=$|\]\{#", re.M
)


def chapter_names():
    return [c.name for c in reading.read().chapters]


@pytest.fixture(scope="module")
def notebooks(places):
    return {page: readable(PAGES[page], page, places, FILES) for page in PAGES}


@pytest.fixture(scope="module")
def places():
    """`make test` has built the pages before."""
    return replace(resolved(), site="https://example.org/")


def texts(notebook):
    return [
        "".join(c["source"]) for c in notebook["cells"] if c["cell_type"] == "markdown"
    ]


def without_code(text):
    return re.sub(r"```.*?```|(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)", "", text, flags=re.S)


@pytest.mark.parametrize("page", PAGES)
def test_no_word_of_myst_is_left(notebooks, page):
    for text in texts(notebooks[page]):
        assert not MYST.search(re.sub(r"```.*?```", "", text, flags=re.S)), text


@pytest.mark.parametrize("page", PAGES)
def test_code_and_what_it_showed_are_those_of_the_source(notebooks, page):
    cells = [c for c in notebooks[page]["cells"] if c["cell_type"] == "code"]
    given = [c for c in PAGES[page]["cells"] if c["cell_type"] == "code"]
    assert [c["source"] for c in cells[len(given) and 1 :]] == [
        c["source"] for c in given
    ]
    for cell, source in zip(cells[1:], given, strict=True):
        shown = [o for o in source["outputs"] if not is_glued(o)]
        assert [without_copy(o) for o in cell["outputs"]] == shown


def without_copy(output):
    """An output without the picture that shows a drawing where SVG is not shown."""
    data = output.get("data", {})
    if "image/svg+xml" in data:
        copied = re.search('base64,([^"]+)"', data["text/html"])[1]
        assert b64decode(copied).decode() == "".join(data["image/svg+xml"])
        output = output | {"data": {k: v for k, v in data.items() if k != "text/html"}}
    return output


def is_glued(output):
    return "scrapbook" in output.get("metadata", {}) and len(output["data"]) == 1


def test_every_link_leads_to_a_place_that_is_there(notebooks):
    there = {
        (FILES[page], label)
        for page, notebook in notebooks.items()
        for text in texts(notebook)
        for label in re.findall(r'<a id="([^"]*)">', text)
    }
    links = [
        (page, (file or FILES[page], label))
        for page, notebook in notebooks.items()
        for text in texts(notebook)
        for file, label in LINK.findall(text)
    ]
    assert len(links) > 1000
    assert [link for link in links if link[1] not in there] == []


@pytest.mark.parametrize("page", PAGES)
def test_tables_keep_their_cells(notebooks, page):
    def rows(texts):
        lines = "\n".join(texts).split("\n")
        return [
            len(re.split(r"(?<!\\)\|", x))
            for x in map(str.strip, lines)
            if x[:1] == "|"
        ]

    given = [
        "".join(c["source"])
        for c in PAGES[page]["cells"]
        if c["cell_type"] == "markdown"
    ]
    assert rows(t.removeprefix("> ") for t in texts(notebooks[page])) == rows(given)


@pytest.mark.parametrize("page", chapter_names())
def test_an_explorer_is_a_picture_with_a_link_to_its_page(notebooks, page):
    cells = notebooks[page]["cells"]
    for _, block in reading.read().chapter(page).blocks("explorer"):
        place = f"https://example.org/chapters/{page}.html#{block.label}"
        cell = next(c for c in cells if place in "".join(c["source"]))
        picture = b64decode(cell["attachments"][f"{block.label}.png"]["image/png"])
        assert picture.startswith(b"\x89PNG")


@pytest.mark.parametrize("page", PAGES)
def test_folds_close_in_the_cell_in_which_they_open(notebooks, page):
    for text in map(without_code, texts(notebooks[page])):
        assert text.count("<details>") == text.count("</details>")


@pytest.mark.parametrize("page", chapter_names())
def test_hints_answers_proofs_and_solutions_are_folded(notebooks, page):
    chapter, text = reading.read().chapter(page), "\n".join(texts(notebooks[page]))
    titles = re.findall(r"<summary>(.*?)</summary>", text, re.S)
    hints = [e for e in chapter.exercises if e.hint]
    drops = chapter.blocks("prf:proof", "dropdown", "admonition")
    proofs = sum(b.name == "prf:proof" or b.argument[:5] == "Proof" for _, b in drops)
    assert titles.count("Hint") == len(hints)
    assert titles.count("Answer") == len(chapter.questions)
    assert sum(t.startswith("Proof") for t in titles) == proofs
    for solution in chapter.solutions:
        if solution.text.strip():
            assert any(t.startswith("Solution of Exercise") for t in titles)


@pytest.mark.parametrize("page", chapter_names())
def test_what_the_page_folds_is_folded_and_speakers_say_nothing(notebooks, page):
    code = [c for c in notebooks[page]["cells"] if c["cell_type"] == "code"]
    given = [c for c in PAGES[page]["cells"] if c["cell_type"] == "code"]
    for cell, source in zip(code[1:], given, strict=True):
        tags = set(source["metadata"].get("tags", []))
        folds = bool(tags & {"hide-input", "hide-cell", "remove-cell", "solution"})
        assert cell["metadata"].get("jupyter", {}).get("source_hidden", False) == folds
    words = json.dumps(notebooks[page], ensure_ascii=False)
    for slide in reading.read().chapter(page).slides:
        assert not slide.words or slide.words not in words


@pytest.mark.parametrize("page", chapter_names())
def test_figures_have_their_captions_below_them(notebooks, page):
    cells = notebooks[page]["cells"]
    for figure in reading.read().chapter(page).figures:
        if figure.caption:
            at = next(n for n, c in enumerate(cells) if c["id"] == figure.cell.id)
            below = "".join(cells[at + 1]["source"])
            assert below.startswith(f'<a id="{figure.name}"></a>**Fig. ')


# -- the translation, piece by piece -------------------------------------------------

SMALL = Places(
    found={
        "prf:ref thm-a": Place("one", "Theorem A"),
        "eq eq-a": Place("one", "(3)"),
        "term gap": Place("glossary", "gap"),
        "ref api": Place("api", "The library"),
    },
    names={"thm-a": "Theorem A", "eq-a": "3", "ex-b": "Exercise 2"},
    works={},
)
THREE = {"one": "01-one.ipynb", "two": "02-two.ipynb", "glossary": "03-glossary.ipynb"}
HERE = Translator("two", SMALL, {"x": "0.25"}, THREE)


@pytest.mark.parametrize(
    ("myst", "markdown"),
    [
        ("{prf:ref}`thm-a`", "[Theorem A](01-one.ipynb#thm-a)"),
        ("{prf:ref}`that <thm-a>`", "[that](01-one.ipynb#thm-a)"),
        ("{eq}`eq-a`", "[(3)](01-one.ipynb#eq-a)"),
        ("{term}`gaps\n<gap>`", "[gaps](03-glossary.ipynb#term-gap)"),
        ("{ref}`api`", "The library"),
        ("{glue:text}`x`", "0.25"),
        ("`{glue:text}`", "`{glue:text}`"),
        ("{py:obj}`bounds.price <pmeanlib.bounds.price>`", "`bounds.price`"),
        ("(label)=\n## Title", '<a id="label"></a>\n## Title'),
        ("$$\nx\n$$ (eq-a)", '<a id="eq-a"></a>\n\n$$\nx\n\\tag{3}\n$$'),
        ("[**false**]{#row} is", '<a id="row"></a>**false** is'),
    ],
)
def test_roles_and_labels_become_links_and_anchors(myst, markdown):
    assert HERE.prose(myst) == markdown


def test_a_label_that_nobody_has_is_named():
    with pytest.raises(ValueError, match="got 'thm-z'"):
        HERE.prose("{prf:ref}`thm-z`")


def test_displays_in_quotations_stand_in_one_line():
    assert quoted("a\n\n$$\nx\n=y\n$$") == "> a\n>\n> $$ x =y $$"


def test_a_proof_says_of_what():
    statement = ":::{prf:lemma} L\n:label: thm-a\n\nHolds.\n:::"
    proof = ":::{prf:proof}\n\nSo.\n:::"
    text = HERE.text(f"::::{{admonition}} One\n{statement}\n::::\n\n{proof}")
    assert "<summary>Proof of Theorem A</summary>" in text


def test_summaries_are_html():
    start = folded("Proof of [*A*](b#c) with `x` and $a*b*c$", "body").split("\n")[1]
    assert (
        start == "<summary>Proof of <i>A</i> with <code>x</code> and $a*b*c$</summary>"
    )


def test_a_question_does_not_say_which_choice_is_right():
    text = ":::{quick} choose\n:name: q\n\nWhy?\n\n- [ ] no\n- [x] yes\n---\nSo.\n:::"
    question, answer = HERE.text(text).split("<details>")
    assert "[x]" not in question
    assert "**yes**. So." in answer
    assert replace(HERE, answers=False).text(text).strip() == question.strip()


@pytest.mark.parametrize("address", ["", "https://example.org/b"])
def test_the_first_cell_fetches_what_is_named_below(address):
    code = setup_code("from _data.case_study import people", address, "main")
    compile(code.replace("%pip", "pass  # "), "setup", "exec")
    assert "for name in ('case_study.csv', 'case_study.py')" in code
    assert (f'"{address}/raw/main/chapters/_data"' in code) == bool(address)
    assert "--no-deps causaldata==" in code  # which the script imports
    assert "causaldata" not in setup_code("import pmeanlib as pm", address, "main")
