"""How the pages are described, shared and fed; a browser proves the rest."""

import json
import re
import runpy
from io import StringIO
from pathlib import Path
from urllib.parse import parse_qsl

import numpy as np
import pytest
import yaml
from docutils import nodes
from pybtex.database import Person
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

import pmeanlib as pm
from bookkit import markdown, model
from bookkit.make import explorer_data
from bookkit.sphinx import (
    citation_style,
    explorer_modules,
    hover_cards,
    keep_punctuation,
    laboratory,
    metadata,
    pages,
)
from bookkit.sphinx.bundle import bundle
from pmeanlib import published

ROOT = Path(__file__).parents[2]

DATA = explorer_modules.results()
CONFIG = yaml.safe_load((ROOT / "_config.yml").read_text("utf8"))["sphinx"]["config"]
SERIES = [(frame, series) for frame in DATA["frames"] for series in frame["series"]]


def name(value):
    return value.get("family") or value["key"]


@pytest.mark.parametrize("T", [1, 499, 500, 501, 20_000, 100_000])
def test_blocks_of_rounds_cover_every_round_once(T):
    ends = explorer_modules.edges(T)
    assert ends[0] == 0
    assert ends[-1] == T
    assert np.diff(ends).min() == 1
    ramp = np.arange(T, dtype=float)
    means = explorer_data.in_blocks(ramp, ends)
    assert np.dot(means, np.diff(ends)) == pytest.approx(ramp.sum())
    assert np.all(np.diff(ends) <= np.maximum(1, 0.01 * ends[1:]))


@pytest.mark.parametrize(("frame", "series"), SERIES, ids=name)
def test_stored_blocks_and_stored_regrets_belong_together(frame, series):
    values = np.array(series["values"]) / explorer_modules.DIGITS
    weights = np.diff(frame["edges"])
    for p, regret in zip(DATA["exponents"], series["regrets"]):
        blocks = frame["mu_star"] - pm.p_mean(values, p, weights=weights)
        assert blocks == pytest.approx(regret, abs=2e-3)


@pytest.mark.parametrize(
    ("frame", "series"), [s for s in SERIES if s[0]["T"] == 20_000][::5], ids=name
)
def test_stored_regrets_are_what_the_library_measures(frame, series):
    p = float(series["key"].partition(" ")[2] or 1)
    policy, profile = published.by_definition(frame["family"], series["name"], p, 200)
    assert policy.T_tilde == series["T_tilde"]
    assert policy.capped == series["capped"]
    assert profile.mu_star == pytest.approx(frame["mu_star"])
    for q in (1, -1, -4):
        ours, place = pm.measured_regret(profile, q), DATA["exponents"].index(q)
        allowed = 6 * np.hypot(ours.standard_error, series["errors"][place]) + 1e-5
        assert series["regrets"][place] == pytest.approx(ours.value, abs=allowed)


def test_every_module_of_the_explorers_is_in_a_script():
    generated, used = explorer_modules.modules(), set()
    for kind in explorer_modules.START:
        text = bundle(f"explorers/{kind}.js", generated)
        named = re.findall(r"^const (\w+_js) = \(\(\) => \{$", text, re.M)
        used |= set(named)
        assert named[-1] == f"explorers_{kind}_js"
        assert ("data_js" in named) == (kind == "dial")
        assert ("engine_play_js" in named) == (kind == "laboratory")
    web = ROOT / "bookkit" / "web"
    kept = {p.relative_to(web).as_posix() for p in web.glob("e*/**/*.js")}
    names = {re.sub(r"\W", "_", path) for path in (*kept, *generated)}
    assert used == names - {"engine_serve_js"}  # as a text, for workers


def test_what_cannot_be_bundled_is_named():
    with pytest.raises(ValueError, match=r"x\.js: .*: export default 1;"):
        bundle("x.js", {"x.js": "export default 1;\n"})
    with pytest.raises(ValueError, match=r'x\.js: .*: import "y"'):
        bundle("x.js", {"x.js": 'import "y";\n'})


def test_the_programmes_of_the_explorer_are_those_of_the_chapter():
    chapter = (ROOT / "chapters" / "welfare.ipynb").read_text("utf8")
    uneven, even = map(list, explorer_modules.PROGRAMMES.values())
    assert f"uneven, even = {uneven}, {even}" in chapter
    for told in explorer_modules.PEOPLE.values():
        low, high = told["outcomes"]
        assert all(low < u < high for u in told["values"])
    first = (ROOT / "chapters" / "index.ipynb").read_text("utf8")
    queue = list(explorer_modules.PEOPLE["queue"]["values"])
    assert f"pm.bernoulli({queue})" in first  # in fixed order, the worst first


def test_the_laboratory_has_the_arms_of_the_chapters():
    made, T = laboratory.instances(), laboratory.HORIZON
    at = {key: list(map(float, made[key]["at"]["arms"].split())) for key in made}
    rates = runpy.run_path(str(ROOT / "chapters" / "_data" / "rates.py"))
    for key, other in rates["OTHERS"].items():
        assert at[key] == pytest.approx([other(T, 10)] * 9 + [rates["BEST"]], abs=1e-6)
    assert at["queue"] == list(explorer_modules.PEOPLE["queue"]["values"])
    for key, means in at.items():
        assert 2 <= len(means) <= laboratory.MOST_ARMS, key
        assert all(0 <= mean <= 1 for mean in means)


def test_a_link_to_the_laboratory_says_only_what_its_fields_know():
    start = laboratory.START
    linked = set()
    for chapter in model.read().chapters:
        linked |= set(markdown.roles(chapter.text, "lab"))
    theorems = "reduction optimism algorithm good_event unified positive_p nash "
    assert linked >= {*theorems.split(), "negative_p", "limits"}
    for name in linked:
        box, _, tail = laboratory.address(name).partition("?")
        told = dict(parse_qsl(tail, strict_parsing=True))
        assert box == laboratory.BOX
        assert set(told) <= set(start)
        assert told


def test_scripts_are_told_what_python_knows():
    told = json.loads(json.dumps(explorer_modules.constants()))
    assert told["exponents"] == [DATA["exponents"][0], DATA["exponents"][-1]]
    assert {a["name"] for a in DATA["algorithms"]} == set(published.ALGORITHMS)
    keys = {a["name"] for a in DATA["algorithms"] if not a["tuned"]}
    keys |= {tuning["key"] for tuning in DATA["tunings"]}
    assert keys == {series["key"] for _, series in SERIES}


@pytest.fixture
def nowhere(monkeypatch):
    for key in ("BOOK_REPOSITORY_URL", "BOOK_SITE_URL", "GITHUB_REPOSITORY"):
        monkeypatch.delenv(key, raising=False)
    return monkeypatch


def test_no_address_is_made_up(nowhere):
    assert metadata.repository() == metadata.site() == ""
    assert "http" not in metadata.tags("A title", "Words", "chapters/nash")


def test_addresses_come_from_the_environment(nowhere):
    nowhere.setenv("GITHUB_REPOSITORY", "someone/book")
    assert metadata.repository() == "https://github.com/someone/book"
    assert metadata.site() == "https://someone.github.io/book/"
    nowhere.setenv("BOOK_REPOSITORY_URL", "https://example.org/r")
    nowhere.setenv("BOOK_SITE_URL", "https://example.org")
    assert metadata.repository() == "https://example.org/r"
    found = metadata.tags('Say "p"', "Words", "chapters/nash")
    assert 'content="https://example.org/chapters/nash.html"' in found
    assert 'content="https://example.org/_static/card.png"' in found
    assert "Say &quot;p&quot;" in found


def test_a_page_that_is_gone_leads_to_one_that_is_there(tmp_path):
    (tmp_path / "chapters").mkdir()
    moved = {"chapters/old.html": "chapters/new.html#part", "old.html": "a/new.html"}
    metadata.redirect(tmp_path, moved, "The book")
    for old, new in {"chapters/old": "new.html#part", "old": "a/new.html"}.items():
        page = (tmp_path / f"{old}.html").read_text("utf8")
        assert f'http-equiv="refresh" content="0; url={new}"' in page
        assert f'<a href="{new}">The book</a>' in page
        assert 'content="noindex"' in page
    sources = {p.stem for p in (ROOT / "chapters").iterdir()}
    for old, new in CONFIG["moved_pages"].items():
        assert Path(old).stem not in sources
        assert Path(new.partition("#")[0]).stem in sources


def test_a_downloaded_notebook_begins_with_its_setup_once(nowhere, tmp_path):
    nowhere.setenv("BOOK_REPOSITORY_URL", "https://example.org/r")
    path = tmp_path / "nash.ipynb"
    path.write_text((ROOT / "chapters" / "nash.ipynb").read_text("utf8"), "utf8")
    before = [cell.text for cell in model.cells(model.load(path))]
    for _ in range(2):
        metadata.add_setup(path)
        first, *rest = (cell.text for cell in model.cells(model.load(path)))
        assert rest == before
        assert "--branch main https://example.org/r " in first


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
    """A page with the blocks of the book, built with its extension."""
    tmp_path = tmp_path_factory.mktemp("book")
    (tmp_path / "page.md").write_text(PAGE, "utf8")
    (tmp_path / "some.bib").write_text("@misc{key, author={A. B.}, title={C}}", "utf8")
    settings = {
        "root_doc": "page",
        "extensions": [
            *("myst_parser", "sphinx_proof", "sphinx_exercise"),
            *("sphinxcontrib.bibtex", "bookkit.sphinx.pages"),
        ],
        "myst_enable_extensions": ["colon_fence", "attrs_inline"],
        "bibtex_bibfiles": ["some.bib"],
        "statement_names": {"thm-x": "Theorem X"},
    }
    out, warnings = tmp_path / "out", StringIO()
    with patch_docutils(), docutils_namespace():
        folders = (tmp_path, None, out, out)
        app = Sphinx(*folders, "html", settings, status=None, warning=warnings)
        app.build()
    assert not warnings.getvalue()
    return (out / "page.html").read_text("utf8")


def test_statements_get_links_and_ids_stay_unique(built):
    for label in ("lem-x", "lem-y", "thm-x", "thm-y", "err-x", "ex-x"):
        link = rf'<a class="headerlink" href="#{label}" title="Link to this statement">'
        title = rf'id="{label}">\s*<p class="admonition-title">.*{link}[^<]+</a></p>'
        assert len(re.findall(title, built)) == 1, label
    assert built.count("Link to this statement") == 6
    ids = re.findall(r' id="([^"]+)"', built)
    assert {"lem-x", "lem-y", "err-x", "ex-x", "ex-x-solution"} <= set(ids)
    assert len(set(ids)) == len(ids)
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


@pytest.mark.parametrize("text", ["{prf:ref}`lem-x`", ":::{prf:lemma}", "$$ x $$"])
def test_raw_markup_is_noticed_outside_of_code_only(text):
    assert pages.raw_markup(f"<p>{text}</p>")
    assert not pages.raw_markup(f"<pre>{text}</pre>")


def test_a_formula_keeps_its_punctuation_and_no_other_text_changes():
    words = ["Let (", "x", ", ", "y", ", ", "z", "-th) and ", "x", ". "]
    kinds = [nodes.Text, lambda tex: nodes.math(tex, tex)]
    line = nodes.paragraph()
    line += [kinds[i % 2](word) for i, word in enumerate(words)]
    for formula in list(line.findall(nodes.math)):
        keep_punctuation.bind(formula)
    assert line.astext() == "".join(words)
    pieces = [p.astext() for p in line.findall(nodes.inline)]
    assert pieces == ["(x,", "y,", "z-", "x."]


def test_cards_show_what_is_cited_without_its_ids():
    page = (
        '<div class="proof" id="lem"><div><p>A <a href="#x" id="y">word</a></p></div>'
        '</div><figure id="fig"><img/><figcaption>Seen.</figcaption></figure>'
        '<section id="one"><span id="two"></span><h2>Name</h2><p>First.</p><p>No.</p>'
        '</section><table><tr><td><p><span id="row">false</span> this</p></td>'
        "<td><p>that</p></td></tr></table>"
    )
    assert hover_cards.card(page, "lem") == (
        '<div class="proof"><div><p>A <span>word</span></p></div></div>'
    )
    assert hover_cards.card(page, "fig") == "<figcaption>Seen.</figcaption>"
    section = "<p><strong>Name</strong></p><p>First.</p>"
    assert hover_cards.card(page, "one") == hover_cards.card(page, "two") == section
    assert hover_cards.card(page, "row") == "<p><span>false</span> this</p><p>that</p>"
    assert hover_cards.card(page, "none") == ""
    links = '<a class="reference internal" href="b.html#c"></a>'
    assert hover_cards.cited(f"{links}<article>{links}</article>{links}") == [
        ("b.html", "c")
    ]


def test_works_are_listed_by_the_names_they_are_cited_by():
    people = [Person("Auer, Peter"), Person("van der Leeden, Rien"), Person("Fischer")]
    assert citation_style.surnames(people[:1]) == "Auer"
    assert citation_style.surnames(people[:2]) == "Auer and van der Leeden"
    assert citation_style.surnames(people) == "Auer et al."
