"""Statements, errata and cited works on a page of a few lines that is built."""

import re

import pytest
import small_page

PAGE = """# Title

:::{prf:lemma} One
:label: lem-x
Words {cite:t}`key`.
:::
:::{prf:proof}
Words.
:::
:::{prf:lemma} Two
:label: lem-y
Words.
:::
:::{prf:proof}
Words.
:::
:::{prf:theorem} Three
:label: thm-x
By {prf:ref}`thm-x`, {prf:ref}`thm-y` and {prf:ref}`another <thm-x>`.
:::
:::{prf:theorem} Four
:label: thm-y
Words.
:::
:::{erratum} Three
:label: err-x
Words.
:::
A row: [**loose**]{#errata-x}.
:::{exercise}
:label: ex-x
Words.
:::
:::{solution} ex-x
:label: ex-x-solution
Words.
:::

```{bibliography}
```
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A page with the blocks of the book, built with its extensions."""
    folder = tmp_path_factory.mktemp("book")
    (folder / "some.bib").write_text("@misc{key, author={A. B.}, title={C}}", "utf8")
    ours = (f"bookkit.sphinx.{name}" for name in ("statements", "errata", "citations"))
    page, complaints = small_page.built(
        *(folder, PAGE, "sphinx_proof", "sphinx_exercise", "sphinxcontrib.bibtex"),
        *ours,
        myst_enable_extensions=["colon_fence", "attrs_inline"],
        bibtex_bibfiles=["some.bib"],
        statement_names={"thm-x": "Theorem X"},
    )
    assert not complaints
    return page


def test_statements_get_links(built):
    for label in ("lem-x", "lem-y", "thm-x", "thm-y", "err-x", "ex-x"):
        link = rf'<a class="headerlink" href="#{label}" title="Link to this statement">'
        title = rf'id="{label}">\s*<p class="admonition-title">.*{link}[^<]+</a></p>'
        assert len(re.findall(title, built)) == 1, label
    assert built.count("Link to this statement") == 6
    assert built.count('<div class="proof is-proof admonition">') == 2


def test_a_row_of_the_errata_shows_how_serious_it_is_and_can_be_linked(built):
    row = r'class="severity is-loose" id="errata-x"><strong>loose</strong>'
    assert re.search(row + r'<a class="headerlink" href="#errata-x"', built)


def test_a_statement_with_a_name_is_called_by_it(built):
    title = r'id="thm-x">\s*<p class="admonition-title">(.*?)<a '
    words = re.sub("<[^>]+>", "", re.search(title, built)[1])
    assert words == "Theorem X  (Three)"
    cited = re.findall(r'href="#thm-.">(?:<[^>]+>)?([^<]+)', built)
    assert cited == ["Theorem X", "Theorem 2", "another"]


def test_a_work_cited_is_an_item_of_a_list(built):
    list_of_works = r'<div role="list" class="citation-list">\s*'
    assert re.search(
        list_of_works + r'<div class="citation" id="\w+" role="listitem">', built
    )
    assert "doc-biblioentry" not in built
