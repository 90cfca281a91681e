"""Quick questions: what the page gets, what is refused; the browser proves the rest."""

import json
import re
from io import StringIO
from pathlib import Path

import pytest
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

ROOT = Path(__file__).parents[2]

CHOOSE = """\
:::{quick} choose
:name: quick-one-cost

What does it *cost*?

- [ ] nothing
- [x] $k$ times
  as much
- [ ] everything
---
Each pays once.

And once more.
:::
"""
NUMBER = """\
:::{quick} number
:name: quick-one-number
:answer: 1,609.5
:within: 0.5
:predict:

How many?
---
Count them.
:::
"""


def built(folder: Path, text: str) -> tuple[str, str]:
    """The page made of a text, and the complaints."""
    (folder / "one.md").write_text(f"# One\n\n{text}", "utf8")
    settings = {
        "root_doc": "one",
        "extensions": ["myst_parser", "bookkit.sphinx.quick"],
        "myst_enable_extensions": ["colon_fence", "dollarmath"],
    }
    out, warnings = folder / "out", StringIO()
    with patch_docutils(), docutils_namespace():
        Sphinx(
            *(folder, None, out, out, "html", settings),
            **{"status": None, "warning": warnings},
        ).build()
    return (out / "one.html").read_text("utf8"), warnings.getvalue()


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    text, complaints = built(tmp_path_factory.mktemp("book"), f"{CHOOSE}\n{NUMBER}")
    assert not complaints
    boxes = re.split(r'<div class="quick [^>]*id="', text)[1:]
    return {box.partition('"')[0]: box for box in boxes}


def words(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", html)).strip()


def test_each_question_has_an_answer_on_the_page_without_a_script(page):
    assert list(page) == ["quick-one-cost", "quick-one-number"]
    why = {
        name: box.partition("<summary>Answer</summary>")[2]
        for name, box in page.items()
    }
    assert words(why["quick-one-cost"]).startswith(
        r"\(k\) times as much. Each pays once. And once more."
    )
    assert words(why["quick-one-number"]).startswith("1,609.5. Count them.")
    for box in page.values():
        assert box.count("<details") == box.count("</details>") == 1
        assert '<button type="button" hidden>' in box
        assert 'role="status"' in box


def test_a_question_can_be_led_to_by_its_name(tmp_path):
    text, complaints = built(tmp_path, f"{CHOOSE}\n{{ref}}`Ask it <quick-one-cost>`.")
    assert not complaints
    assert re.search(r'href="#quick-one-cost"><span[^>]*>Ask it<', text)


def test_a_choice_is_a_radio_button_with_its_words_for_a_name(page):
    box = page["quick-one-cost"]
    assert 'role="radiogroup" aria-labelledby="quick-one-cost-asked"' in box
    assert 'id="quick-one-cost-asked"' in box
    labels = re.findall(r"<label>(.*?)</label>", box, re.S)
    assert words(labels[0]) == "nothing"
    assert [re.search(r'value="(\d)"', label)[1] for label in labels] == ["0", "1", "2"]
    assert 'data-answer="1"' in box


def test_a_number_has_its_tolerance_and_a_prompt_says_so(page):
    box = page["quick-one-number"]
    assert 'data-answer="1609.5" data-within="0.5"' in box
    assert words(box.partition('">')[2]).startswith("Before you look. How many?")
    assert "Quick question." in page["quick-one-cost"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (
            CHOOSE.replace("choose", "guess"),
            "must be choose or number, got guess",
        ),
        (
            CHOOSE.replace("quick-one-cost", "cost"),
            "name must be quick-..., got 'cost'",
        ),
        (CHOOSE.replace("[x]", "[ ]"), "2 to 6 items"),
        (CHOOSE.replace("[ ] nothing", "[x] nothing"), "2 to 6 items"),
        (CHOOSE.replace("---", ""), "one line ---"),
        (
            CHOOSE.replace("Each pays once.\n\nAnd once more.\n", ""),
            "question and a why",
        ),
        (NUMBER.replace("1,609.5", "many"), "must be numbers, got 'many', '0.5'"),
        (NUMBER.replace(":within: 0.5\n", ""), "must be numbers, got '1,609.5', ''"),
        (NUMBER.replace("0.5\n:predict", "-1\n:predict"), "at least 0, got -1"),
        (NUMBER.replace("1,609.5", "nan"), "finite"),
    ],
)
def test_what_cannot_be_asked_is_refused(tmp_path, text, complaint):
    assert complaint in built(tmp_path, text)[1]


# -- the chapters --------------------------------------------------------------------

LOOKED_UP = {"index", "notation", "teaching", "using"}  # read in no order


def texts(path: Path) -> str:
    cells = json.loads(path.read_text("utf8"))["cells"]
    return "\n\n".join("".join(c["source"]) for c in cells if c["cell_type"] != "code")


NOTEBOOKS = sorted((ROOT / "chapters").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_a_question_is_called_by_its_chapter(path):
    names = re.findall(r"^:+\{quick\} \w+\n:name: (\S+)$", texts(path), re.M)
    assert len(set(names)) == len(names)
    assert all(name.startswith(f"quick-{path.stem}-") for name in names)
    assert path.stem in LOOKED_UP or 2 <= len(names) <= 6


TOC = re.findall(r"file: chapters/(\w+)", (ROOT / "_toc.yml").read_text("utf8"))
BOXED = [  # a chapter that promises what one will learn
    path
    for path in NOTEBOOKS
    if path.stem in TOC
    and re.search(
        r"\{admonition\} In this chapter\n.*\n\n\*\*You will learn", texts(path)
    )
]


@pytest.mark.parametrize("path", BOXED, ids=lambda p: p.stem)
def test_a_chapter_pauses_two_or_three_times_once_for_a_guess(path):
    asked = re.findall(r"^:+\{quick\} \w+\n((?::.*\n)+)", texts(path), re.M)
    assert 2 <= len(asked) <= 3
    assert any(":predict:" in options for options in asked)


def test_no_question_is_asked_twice():
    asked = [
        question.strip()
        for path in NOTEBOOKS
        for question in re.findall(
            r"^:+\{quick\} \w+\n(?::.*\n)+\n(.+)$", texts(path), re.M
        )
    ]
    assert len(asked) > 60
    assert len(set(asked)) == len(asked)
