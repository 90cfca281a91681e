"""What notation and README say of the chapters; `chapter_rules` has their own rules."""

import re
from collections import Counter

from bookkit import config


def test_a_symbol_is_used_where_the_table_says(book):
    """Every symbol of `notation` occurs in the chapter that is said to explain it."""

    def squeezed(text):
        return re.sub(r"\s|\\[,!;]", "", text)

    source = book.chapter("notation").text
    rows = re.findall(
        r"^\| (\$.+?) \| [^|]*\| .*\{ref\}`\w+ <(\w+)>` \|$", source, re.M
    )
    assert len(rows) > 40
    for symbols, chapter in rows:
        for symbol in re.findall(r"\$(.+?)\$", symbols):
            whole = "\n".join(cell.text for cell in book.chapter(chapter).cells)
            assert squeezed(symbol) in squeezed(whole), (symbol, chapter)


def test_the_picture_in_the_readme_is_the_one_in_the_book(book):
    picture = config.ROOT / "bookkit" / "web" / "fig-question.svg"
    readme = (config.ROOT / "README.md").read_text("utf8")
    assert "bookkit/web/fig-question.svg" in readme
    shown = [o.data for cell in book.chapter("index").code for o in cell.outputs]
    assert picture.read_text("utf8") in [data.get("image/svg+xml") for data in shown]


def test_the_readmes_example_prints_what_stands_behind_it(capsys):
    text = (config.ROOT / "README.md").read_text("utf8")
    (example,) = re.findall(r"^```python\n(.*?)\n```", text, re.DOTALL | re.MULTILINE)
    exec(example, {})
    assert example.partition("# ")[2] == capsys.readouterr().out.strip()


def test_the_errata_count_their_rows_right(book):
    """In a cell, since a notebook does not know under which name it was kept."""
    errata = book.chapter("errata")
    words = re.findall(r"\[\*\*(\w+)\*\*\]\{#errata-[\w-]+\}", errata.text)
    told = re.findall(r'"(\w+)": (\d+),?', errata.code[0].text)
    assert len(words) > 50
    assert {word: int(n) for word, n in told} == Counter(words)
