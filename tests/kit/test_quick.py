"""Quick questions: what the page gets, what is refused; the browser proves the rest."""

import re
from pathlib import Path

import pytest
import small_page

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
    known = ["colon_fence", "dollarmath"]
    ours, text = "bookkit.sphinx.quick", f"# One\n\n{text}"
    return small_page.built(folder, text, ours, myst_enable_extensions=known)


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


def test_a_script_is_told_what_is_right(page):
    choose, number = page.values()
    labels = re.findall(r"<label>(.*?)</label>", choose, re.S)
    assert [re.search(r'value="(\d)"', label)[1] for label in labels] == ["0", "1", "2"]
    assert 'data-answer="1"' in choose
    assert 'data-answer="1609.5" data-within="0.5"' in number
    assert words(number.partition('">')[2]).startswith("Before you look. How many?")
    assert "Quick question." in choose


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
            "question, one line --- and a why",
        ),
        (NUMBER.replace("1,609.5", "many"), "must be numbers, got 'many', '0.5'"),
        (NUMBER.replace(":within: 0.5\n", ""), "must be numbers, got '1,609.5', ''"),
        (NUMBER.replace("0.5\n:predict", "-1\n:predict"), "at least 0, got -1"),
        (NUMBER.replace("1,609.5", "nan"), "finite"),
    ],
)
def test_what_cannot_be_asked_is_refused(tmp_path, text, complaint):
    assert complaint in built(tmp_path, text)[1]
