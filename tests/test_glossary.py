"""The terms of the book: how an entry says where it occurs, and what is linked."""

import json
import re
import sys
from io import StringIO
from pathlib import Path

import pytest
from docutils import nodes
from docutils.frontend import get_default_settings
from docutils.utils import new_document
from hypothesis import given
from hypothesis import strategies as st
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "chapters" / "_ext"))
import glossary  # noqa: E402
import tips  # noqa: E402
from glossary import Form  # noqa: E402

SOURCE = (ROOT / "chapters" / "glossary.md").read_text("utf8")


def linked(text: str, *forms: str) -> str:
    """A line of text with what is linked in it between brackets."""
    line = nodes.paragraph()
    for i, piece in enumerate(re.split(r"[*]", text)):
        words = nodes.Text(piece)
        line += nodes.emphasis("", "", words) if i % 2 else words
    entries = [
        glossary.parse(form)._replace(entry=entry, label=f"term-{entry}")
        for entry, some in enumerate(forms)
        for form in some.split(", ")
    ]
    entries.sort(key=lambda form: -len(form.words))
    glossary.Linker(entries, "glossary.html", set()).link(line)
    for link in list(line.findall(nodes.reference)):
        link.children = [nodes.Text(f"[{link.astext()}]")]
    return line.astext()


@pytest.mark.parametrize(
    ("text", "forms", "shown"),
    [
        ("A gap, a gap.", ("gap",), "A [gap], a gap."),
        ("Gaps: the gap.", ("gap, gaps",), "[Gaps]: the gap."),
        ("Gapless, a stop-gap, agap.", ("gap",), "Gapless, a stop-gap, agap."),
        ("A price, then the price.", ("(the) price",), "A price, then the [price]."),
        ("A gap in a gap of 2.", ("gap (of)",), "A gap in a [gap] of 2."),
        ("A gap here, *gap* there.", ("*gap*",), "A gap here, [gap] there."),
        ("*Step 1. The gap.* A gap.", ("gap",), "Step 1. The gap. A [gap]."),
        ("*Gap.* A gap.", ("gap",), "[Gap]. A gap."),
        ("Nash regret.", ("regret", "Nash regret"), "[Nash regret]."),
        ("Nash regret, regret.", ("regret", "Nash regret"), "[Nash regret], [regret]."),
        ("Jensen’s inequality", ("Jensen's inequality",), "[Jensen’s inequality]"),
        ("The good\nevent", ("good event",), "The [good\nevent]"),
        ("Explore-Then-UCB and UCB", ("UCB",), "Explore-Then-UCB and [UCB]"),
    ],
)
def test_the_first_use_of_a_form_is_linked_and_no_other(text, forms, shown):
    assert linked(text, *forms) == shown


@given(st.lists(st.sampled_from(["gap", "price", "of", "the", "a", "*gap*", ".", " "])))
def test_linking_changes_no_word(pieces):
    text = " ".join(pieces)
    plain = linked(text, "gap, *gap*", "(the) price").replace("[", "").replace("]", "")
    assert plain == text.replace("*", "")


def test_nothing_is_linked_in_headings_code_formulas_links_and_folds():
    page = new_document("page", get_default_settings())
    for kind in (nodes.title, nodes.literal, nodes.math, nodes.reference, nodes.raw):
        page += kind("gap", "gap")
    for aside in glossary.ASIDE:
        page += nodes.container("", nodes.paragraph("", "gap"), classes=[aside])
    page += nodes.paragraph("", "The first gap.")
    glossary.Linker([Form(0, "term-gap", "gap")], "x.html", set()).link(page)
    links = [n for n in page.findall(nodes.reference) if "term" in n["classes"]]
    assert [link.parent.astext() for link in links] == ["The first gap."]
    assert links[0]["refuri"] == "x.html#term-gap"


def test_a_letter_in_front_belongs_to_the_word():
    line = nodes.paragraph(
        "", "The ", nodes.math("p", "p"), nodes.Text("-mean is one.")
    )
    glossary.Linker([Form(0, "term-p-mean", "p-mean")], "x.html", set()).link(line)
    (link,) = line.findall(nodes.reference)
    assert link.astext() == "p-mean"
    assert isinstance(link[0], nodes.math)
    assert line.astext() == "The p-mean is one."


def test_a_term_that_its_author_has_linked_is_left_alone():
    line = nodes.paragraph("", "A gap.")
    forms = [Form(0, "term-gap", "gap")]
    glossary.Linker(forms, "x.html", {"term-gap"}).link(line)
    assert not list(line.findall(nodes.reference))


@pytest.mark.parametrize("text", ["", "(the)", "(a) (b)", "a (b) c", "( gap"])
def test_a_form_that_says_nothing_is_refused(text):
    with pytest.raises(ValueError, match="forms must be words"):
        glossary.parse(text)


PAGE = """# Words

Every *arm* has a *gap*. The gap of an arm. {ref}`A gap <other>`.

(other)=
## The gap

:::{admonition} The gap
A box with a gap.
:::

:::{toctree}
terms
:::
"""
TERMS = """# Terms

:::{glossary}
arm
lever
  One of the options ({ref}`other`). {forms}`*arm*, *arms*`

gap
  What is *lost*.
:::
"""


def build(folder: Path, terms: str) -> tuple[dict[str, str], str]:
    """The files of a small book, and what its build complained of."""
    (folder / "page.md").write_text(PAGE, "utf8")
    (folder / "terms.md").write_text(terms, "utf8")
    settings = {
        "root_doc": "page",
        "extensions": [
            *("myst_parser", "sphinx_design", "sphinx_proof", "sphinx_exercise"),
            *("pages", "share", "finder", "glossary"),
        ],
        "myst_enable_extensions": ["colon_fence"],
        "glossary_page": "terms",
        "search_notation": "terms",
        "page_descriptions": {"index": "A book."},
    }
    out, warnings = folder / "out", StringIO()
    with patch_docutils(), docutils_namespace():
        folders = (folder, None, out, out)
        Sphinx(
            *folders, "html", settings, status=None, warning=warnings, freshenv=True
        ).build()
    texts = (*out.glob("*.html"), *out.glob("_static/search-index.js"))
    return {p.name: p.read_text("utf8") for p in texts}, warnings.getvalue()


def test_a_page_is_linked_and_the_glossary_is_searched(tmp_path):
    files, warnings = build(tmp_path, TERMS)
    assert not warnings
    link = r'<em><a class="term reference internal" href="terms.html#(.*?)">(.*?)</a>'
    assert re.findall(link, files["page.html"]) == [
        ("term-arm", "arm"),
        ("term-gap", "gap"),
    ]
    assert files["page.html"].count("#term-") == 2
    assert 'class="term' not in files["terms.html"]
    assert "forms" not in files["terms.html"]
    told = files["search-index.js"].partition(" = ")[2].strip().removesuffix(";")
    entries = [entry[1:] for entry in json.loads(told)["entries"] if entry[1] == "term"]
    assert [(e[1], e[2], e[4]) for e in entries] == [
        ("term-arm", "arm, lever", "One of the options (The gap)."),
        ("term-gap", "gap", "What is lost."),
    ]


def test_forms_that_cannot_be_read_are_named(tmp_path):
    *_, warnings = build(tmp_path, TERMS.replace("*arm*, *arms*", "(arm)"))
    assert "terms.md" in warnings
    assert "got '(arm)'" in warnings


def test_a_card_has_the_term_and_its_definition():
    page = (
        '<dl class="glossary"><dt id="term-a">arm<a class="headerlink" href="#x">#</a>'
        '</dt><dt id="term-b">lever</dt><dd><p>One of <a href="y">k</a>.</p></dd></dl>'
    )
    assert tips.card(page, "term-a") == (
        "<p><strong>arm</strong></p><p>One of <span>k</span>.</p>"
    )
    assert tips.card(page, "term-b").endswith("<p>One of <span>k</span>.</p>")
    link = '<a class="term reference internal" href="glossary.html#term-a"></a>'
    assert tips.cited(link) == [("glossary.html", "term-a")]


def test_an_entry_is_short_and_leads_to_a_chapter():
    blocks = "".join(re.findall(r"(?s):::\{glossary\}\n(.*?):::", SOURCE))
    entries = re.findall(r"^((?:\S.*\n)+)  (.*)\n", blocks, re.M)
    assert 60 <= len(entries) <= 100
    terms = [term for names, _ in entries for term in names.splitlines()]
    assert len(set(terms)) == len(terms)
    for names, text in entries:
        words = re.sub(r"\{forms\}`[^`]*`|\(?\{[a-z:]+\}`[^`]*`\)?", "", text).split()
        assert 5 <= len(words) <= 45, names
        assert re.search(r"\{(prf:)?ref\}`", text), names
