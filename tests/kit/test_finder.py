"""The index of the search: formulas as words, pages as entries, terms where defined."""

import json
import re
from io import StringIO
from pathlib import Path

import pytest
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

from bookkit import model
from bookkit.sphinx import finder

ROOT = Path(__file__).parents[2]

FORMULAS = {
    r"\tilde T": "T̃",
    r"\mu^*": "μ*",
    r"\hat\mu_{i,s}": "μ̂_(i,s)",
    r"\E[\mu_{I_t}]": "E[μ_I_t]",
    r"\tfrac18": "1/8",
    r"\frac{a+b}{2k}": "(a+b)/(2 k)",
    r"\sqrt{\log T/n_i}": "√(log T/n_i)",
    r"R_T^{\,p}\le\lambda_p(x_0)\,R_T^{\,1}": "R_T^p ≤ λ_p(x_0)R_T^1",
    r"20{,}000": "20,000",
    r"kT\cdot2T^{-3}": "k T·2 T^-3",
    r"\begin{aligned}&a\\&b\end{aligned}": "a b",
    r"\mathrm{NR}_T": "NR_T",
    r"R^{\text{ex ante}}": "R^(ex ante)",
    r"\Big(\frac1T\sum_t u_t^{\,p}\Big)^{1/p}": "(1/T ∑_t u_t^p)^(1/p)",
    r"p'\to-\infty": "p′ → -∞",
    r"\{1,\dots,k\}": "{1,…,k}",
}


@pytest.mark.parametrize(("tex", "words"), FORMULAS.items())
def test_a_formula_becomes_a_line_that_can_be_read(tex, words):
    assert finder.readable(tex) == words


@pytest.mark.parametrize("tex", ["", "{", "}", "a}b", r"\frac", "x^", "_", "\\"])
def test_half_a_formula_does_no_harm(tex):
    assert isinstance(finder.readable(tex), str)


def test_every_formula_of_the_book_loses_its_markup():
    formulas = set()
    for chapter in model.read().chapters:
        for cell in chapter.cells:
            if cell.is_text:
                text = re.sub(r"(?s)```.*?```|`[^`\n]*`", "", cell.text)
                formulas.update(re.findall(r"(?s)\$\$(.+?)\$\$", text))
                text = re.sub(r"(?s)\$\$.+?\$\$", "", text)
                formulas.update(re.findall(r"(?s)\$([^$]+)\$", text))
    assert len(formulas) > 1_000
    read = {f: finder.readable(f) for f in formulas}
    assert not {f: w for f, w in read.items() if "\\" in w}
    assert {f for f, w in read.items() if not w} == {r"\square", r"\blacksquare"}


START = """# Promises

The *price* will be explained.

```{toctree}
one
symbols
```
"""
ONE = """# One chapter

:::{admonition} In this chapter
:class: learn
You will learn a secret.
:::

Words before the *first* part.

## A part with $\\tilde T$

The **price** is what one pays; a sentence *is no term.*

```python
hidden_code = 1
```

:::{prf:definition} The premium
:label: def-premium
What *price* means for $n_i$ rounds.
:::

:::{prf:theorem} Hoeffding
:label: thm-x
Words.
:::

### A smaller part

- **Ex ante**, the definition.
- By *Hoeffding*, again.

::::{exercise} By hand
:label: ex-x
The *exercise*.

:::{dropdown} Hint
Think.
:::
::::

:::{solution} ex-x
Solved.
:::
"""
SYMBOLS = """# Symbols

| symbol | in code | meaning | chapter |
|:--|:--|:--|:--|
| $n_i$ | `pulls` | pulls of arm $i$ | [one](one.md) |
| $N_i$ | | the same | [one](one.md) |
"""


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    """What is told to the search of a small book, entries by page and anchor."""
    folder = tmp_path_factory.mktemp("book")
    for name, text in (("start", START), ("one", ONE), ("symbols", SYMBOLS)):
        (folder / f"{name}.md").write_text(text, "utf8")
    settings = {
        "root_doc": "start",
        "extensions": [
            *("myst_parser", "sphinx_proof", "sphinx_exercise", "sphinx_design"),
            *(f"bookkit.sphinx.{name}" for name in ("pages", "share", "finder")),
        ],
        "myst_enable_extensions": ["colon_fence", "dollarmath"],
        "search_notation": "symbols",
        "numfig": True,
        "statement_names": {"thm-x": "Theorem X"},
        "page_descriptions": {"one": "A summary.", "index": "A book."},
    }
    out, warnings = folder / "out", StringIO()
    with patch_docutils(), docutils_namespace():
        folders = (folder, None, out, out)
        app = Sphinx(*folders, "html", settings, status=None, warning=warnings)
        app.build()
    assert not warnings.getvalue()
    text = (out / "_static" / finder.INDEX).read_text("utf8")
    told = json.loads(text.removeprefix("window.bookIndex = ").removesuffix(";\n"))
    found = {}
    for page, *rest, path in told["entries"]:
        entry = dict(zip(finder.KEYS, rest)) | {"within": told["paths"][path]}
        found[f"{told['pages'][page][0]}#{entry['id']}"] = entry
    found["out"] = out
    return found


def test_a_page_is_taken_apart(index):
    page, part = index["one.html#"], index["one.html#a-part-with-tilde-t"]
    assert page["kind"] == "page"
    assert page["text"] == "A summary. Words before the first part."
    assert part["title"] == "A part with T̃"
    assert part["text"].startswith("The price is what one pays")
    assert "hidden" not in part["text"]
    smaller = index["one.html#a-smaller-part"]
    assert smaller["within"] == ["A part with T̃"]
    statement = index["one.html#thm-x"]
    assert (statement["kind"], statement["title"]) == (
        "statement",
        "Theorem X (Hoeffding)",
    )
    assert index["one.html#ex-x"]["kind"] == "exercise"
    assert index["one.html#ex-x"]["text"] == "The exercise."
    assert "Solved" not in str(index)
    assert not [e for e in index if "secret" in str(index[e])]


def test_a_term_is_defined_where_it_is_first_emphasised_and_no_promise(index):
    assert index["start.html#"]["defines"] == []
    assert index["one.html#a-part-with-tilde-t"]["defines"] == ["price"]
    assert index["one.html#ex-x"]["defines"] == []


def test_a_definition_defines_its_title_and_a_statement_keeps_its_name(index):
    assert index["one.html#def-premium"]["defines"] == ["The premium", "n_i"]
    assert index["one.html#a-smaller-part"]["defines"] == ["Ex ante"]


def test_a_symbol_has_an_address_of_its_own(index):
    row = index["symbols.html#symbol-n-i"]
    assert (row["kind"], row["title"], row["text"]) == (
        "symbol",
        "n_i",
        "pulls pulls of arm i",
    )
    page = (index["out"] / "symbols.html").read_text("utf8")
    for label in ("symbol-n-i", "symbol-n-i-2"):
        assert page.count(f'id="{label}"') == 1
        assert f"symbols.html#{label}" in index
