"""The grammar of a chapter in CONTRIBUTING: the model reads what it says."""

import json
import re

import pytest

from bookkit import config, ipynb, model, reading

TEXT = (config.ROOT / "CONTRIBUTING.md").read_text("utf8")
GRAMMAR = TEXT.partition("<!-- grammar -->\n")[2].partition("<!-- end -->")[0]
EXAMPLES = re.findall(r"^\*\*(\w+)\*\*.*?^```\n(.*?)\n```$", GRAMMAR, re.M | re.S)


def cell(example):
    """Text, or the metadata of a cell of code if it begins with a brace."""
    if example.startswith("{"):
        return ipynb.new_cell("", "code", "") | {"metadata": json.loads(example)}
    return ipynb.new_cell("", "markdown", example)


@pytest.fixture
def chapter(tmp_path):
    """In their order the examples are a small chapter."""
    path = tmp_path / "wells.ipynb"
    cells = [cell(example) for _, example in EXAMPLES]
    path.write_text(ipynb.dump({"cells": cells}), "utf8")
    return reading.chapter(path)


def test_every_value_of_the_model_that_stands_in_a_cell_has_an_example():
    values = {v for v in vars(model).values() if isinstance(v, type)}
    in_cells = {v for v in values if "cell" in getattr(v, "__annotations__", {})}
    asked = {v.__name__ for v in in_cells - {model.Fault}}
    assert {name for name, _ in EXAMPLES} == {n for n in asked if n[0] != "_"}


def test_every_kind_of_exercise_is_told():
    kinds = [f"- *{kind}*: {what}" for kind, what in model.EXERCISES.items()]
    assert GRAMMAR.endswith("\n".join([*kinds, ""]))


def test_the_model_reads_the_examples_as_one_chapter(chapter):
    assert chapter.box.needs == ("welfare", "regret")
    (question,), (figure,) = chapter.questions, chapter.figures
    assert question.predict
    assert question.asked == "Who goes first to a dry well?"
    assert question.answer == "whoever lives near it"
    assert figure.name == "fig-wells-rate"
    assert figure.caption
    assert figure.alt
    (statement,) = chapter.statements
    assert (statement.kind, statement.label) == ("theorem", "thm-wells-dry")
    (exercise,) = chapter.exercises
    assert (exercise.stars, exercise.kind) == (2, "By code")
    assert exercise.hint
    assert exercise.solution.text == "How it is done."
    assert exercise.checks == (exercise.checked.name,) == ("wells-next",)
    assert [s.minutes for s in chapter.slides if s.kind == "cell"] == [2]
