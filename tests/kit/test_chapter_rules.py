"""Each rule is broken once, in a small chapter: one line says where, and the cure."""

import json
import re
import shutil

import pytest

from bookkit import chapter_rules, config, ipynb, reading
from bookkit.make import chapter

NAME = "trial"


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A book of `errata`, `welfare`, and a chapter as `make chapter` writes it."""
    root = tmp_path_factory.mktemp("book")
    (root / "chapters").mkdir()
    for name in ("errata", "welfare"):
        shutil.copy(config.ROOT / "chapters" / f"{name}.ipynb", root / "chapters")
    (root / "_toc.yml").write_text(
        "root: chapters/errata\nparts:\n  - caption: Beyond the paper\n"
        "    chapters:\n      - file: chapters/welfare\n",
        "utf8",
    )
    lines = "".join(f"      {name}: {'x' * 40}\n" for name in ("errata", "welfare"))
    written = f"sphinx:\n  config:\n    page_descriptions:\n{lines}"
    (root / "_config.yml").write_text(written, "utf8")
    chapter.write(root, NAME, 'Who "drinks" $x$?')
    return root


@pytest.fixture
def book(written, tmp_path):
    """The same book, as if the new chapter had been executed."""
    root = tmp_path / "book"
    shutil.copytree(written, root)
    notebook = ipynb.load(path(root))
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for number, cell in enumerate(code, 1):
        cell["execution_count"] = number
    picture = {"data": {"image/svg+xml": "<svg/>"}, "metadata": {}}
    code[1]["outputs"] = [picture | {"output_type": "display_data"}]
    save(root, notebook)
    return root


def path(root):
    return root / "chapters" / f"{NAME}.ipynb"


def save(root, notebook):
    path(root).write_text(ipynb.dump(notebook), "utf8")


def told(root):
    return [str(fault) for fault in chapter_rules.broken(root)]


def test_the_book_follows_its_rules():
    assert chapter_rules.broken() == []


def test_a_new_chapter_breaks_no_rule(book):
    assert told(book) == []
    new = reading.read(book).chapter(NAME)
    assert new.title == 'Who "drinks" $x$?'
    assert new.exercises[0].solution.cells


def test_a_new_chapter_must_be_executed(written):
    (line,) = told(written)
    assert line == (
        "chapters/trial.ipynb, cell 2 (trial-setup): cells are executed in order, "
        "number 1 has None; run make execute CHAPTERS=chapters/trial.ipynb"
    )


@pytest.mark.parametrize(
    ("name", "title", "complaint"),
    [
        ("Wells", "A title", "NAME must be small letters"),
        ("", "A title", "NAME must be small letters"),
        ("welfare", "A title", "NAME must be new, got 'welfare'"),
        ("other", " ", "TITLE must have a word"),
    ],
)
def test_a_name_that_cannot_be_is_refused(book, name, title, complaint):
    with pytest.raises(ValueError, match=complaint):
        chapter.write(book, name, title)


HEADING = "## Exercises"  # what stands in its place is a block that lacks something
ALT = "exponent, which runs from minus 8 to 1. The line rises from near 0.33 to 0.6."
BREAKS = [  # a text of the chapter, what is written instead, what the line says
    ("(trial)=\\n", "", "begins with its label and its title"),
    ("# Who", "Who", "begins with its label and its title"),
    (":class: learn", ":class: tip", "at its head what one will learn"),
    ("**You will learn**", "You learn", "has **You will learn**"),
    ("**You need**", "You need", "has **You need**"),
    ("**Time**:", "Time:", "has **Time**:"),
    ("{ref}`welfare`", "{ref}`trial`", "only earlier chapters, 'trial'"),
    ("{ref}`welfare`", "{ref}`no`", "only earlier chapters, 'no'"),
    (":class: remember", ":class: tip", "says what to remember"),
    ("quick-trial-falls", "quick-falls", "by its chapter, got 'quick-falls'"),
    (":predict:\\n", "", "answered before looking"),
    ("{quick} number", "{note}", "two or three quick questions, got 1"),
    (":label: ex-trial-hand", "", "must have a label"),
    ("★ By hand", "By hand", "one to three stars, a kind"),
    ("★ By hand: the", "By hand: the ★", "one to three stars, a kind"),
    ("★ By hand", "★ By magic", "one to three stars, a kind"),
    ("*Trains*", "Trains", "must have what it trains"),
    ("} Hint", "} Help", "must have a hint"),
    ("start} ex-trial-hand", "start} ex-x", "must have a solution"),
    ("start} ex-trial-hand", "start} ex-x", "a solution names an exercise"),
    ("The reciprocals", "```\\nx\\n```\\n", "code in a solution is executed"),
    ("Average the", 'check(\\"one\\")', 'write pm.check("trial-hand"'),
    ("Average the", 'check(\\"trial-hand\\")', "run make answers"),
    ("The p-mean of $0.9$ and $0.3$ is their average at $p=1$", "", "figure: caption"),
    (ALT, "", "image: alt"),
    ("fig-trial-exponent", "", "figure: name"),
    (HEADING, ":::{prf:lemma} X\\n:::", "every lemma has a label"),
    (HEADING, ":::{explorer} dial\\n:::", "every explorer has a label"),
    (HEADING, ":::{slide} X\\nY\\n:::", "no text has a directive {slide}"),
    (HEADING, ":::{erratum} X\\n:label: err-x\\n:::", "its row in the chapter errata"),
    (HEADING, ":::{prf:lemma}\\n:label: ex-trial-hand\\n:::", "labels differ"),
    (HEADING, "(welfare)=\\n## Twice", "labels differ, 'welfare'"),
    ("{solution-end}", "{note}", "got no solution-end for 'ex-trial-hand'"),
    ("{solution-start} ex-trial-hand", "{note}", "got no solution-start"),
]


@pytest.mark.parametrize(
    ("old", "new", "complaint"), BREAKS, ids=[b[2] for b in BREAKS]
)
def test_a_rule_that_is_broken_is_told_in_one_line(book, old, new, complaint):
    text = path(book).read_text("utf8")
    assert old in text
    path(book).write_text(text.replace(old, new), "utf8")
    lines = told(book)
    assert len([line for line in lines if complaint in line]) == 1, lines
    form = r"chapters/trial\.ipynb(, cell \d \(trial-[\w-]+\))?: [^;\n]+; [^\n]+"
    assert all(re.fullmatch(form, line) for line in lines), lines


def test_a_cell_shows_no_warning_and_nothing_of_a_machine(book):
    notebook = ipynb.load(path(book))
    stream = {"output_type": "stream", "name": "stdout"}
    for text, complaint in (
        ("np.float64(1.0)", "no cell prints np.float64(...)"),
        ("/home/someone/book", "no cell prints the path of a machine"),
        ("<object at 0x7f>", "no cell prints the address of an object"),
    ):
        notebook["cells"][1]["outputs"] = [stream | {"text": [text]}]
        save(book, notebook)
        (line,) = told(book)
        assert complaint in line
    notebook["cells"][1]["outputs"] = [stream | {"name": "stderr", "text": ["Slow"]}]
    save(book, notebook)
    (line,) = told(book)
    assert "a cell shows no error and no warning; mend it" in line


def test_where_one_cell_is_a_slide_all_slides_have_notes(book):
    notebook = ipynb.load(path(book))
    notebook["cells"][2]["metadata"]["slideshow"] = {"slide_type": "slide"}
    save(book, notebook)
    lines = told(book)
    assert len(lines) == 3
    for kind, line in zip(("title", "piece", "remember"), lines, strict=True):
        assert f"a slide ({kind}) has notes" in line


def test_the_metadata_of_an_answer_are_complete_and_in_a_solution(book):
    notebook = ipynb.load(path(book))
    text, solving = notebook["cells"][1], notebook["cells"][-2]
    assert "solution" in solving["metadata"]["tags"]
    whole = {"name": "trial-hand", "asks": "the average", "figures": 2}
    for answer in (7, {}, whole | {"name": "x"}, whole | {"figures": "2"}):
        solving["metadata"]["answer"] = answer
        save(book, notebook)
        (line,) = told(book)
        assert "an answer has its name" in line
        assert 'write in the metadata "answer": {"name": "trial-hand"' in line
    solving["metadata"]["answer"] = whole
    save(book, notebook)
    assert told(book) == []
    text["metadata"]["answer"] = whole
    save(book, notebook)
    (line,) = told(book)
    assert "an answer is computed by one cell" in line


def test_a_page_is_listed_and_described(book):
    (book / "chapters" / "lost.md").write_text("# Lost\n", "utf8")
    (line,) = told(book)
    assert line == (
        "chapters/lost.md: every page is in the table of contents; "
        'write "- file: chapters/lost" in _toc.yml'
    )
    toc = (book / "_toc.yml").read_text("utf8")
    (book / "_toc.yml").write_text(f"{toc}      - file: chapters/lost\n", "utf8")
    (line,) = told(book)
    assert line.startswith("_config.yml: a page has a description, 'lost' has none")
    (book / "chapters" / "lost.md").unlink()
    assert any(line.startswith("_toc.yml: an entry is a page") for line in told(book))


def test_no_question_is_asked_twice(book):
    notebook = ipynb.load(path(book))
    first = "".join(notebook["cells"][2]["source"])
    again = first.replace("quick-trial-falls", "quick-trial-again")
    notebook["cells"][4]["source"] += ["\n\n", again]
    save(book, notebook)
    (line,) = told(book)
    assert "questions differ, this one stands in chapters/trial.ipynb too" in line


def test_no_label_stands_twice_on_any_page(book):
    (book / "chapters" / "welfare.ipynb").unlink()
    page = book / "chapters" / "welfare.md"
    page.write_text("(welfare)=\n(errata)=\n# One number\n", "utf8")
    (line,) = told(book)
    assert line == (
        "chapters/welfare.md: labels differ, 'errata' stands in "
        "chapters/errata.ipynb too; write another label"
    )


@pytest.mark.parametrize("text", ["", "{", "[]", json.dumps({"cells": [{}]})])
def test_what_is_no_notebook_is_told_in_one_line(book, text):
    path(book).write_text(text, "utf8")
    (line,) = told(book)
    assert line.startswith("chapters/trial.ipynb: a chapter is a notebook of format 4")
