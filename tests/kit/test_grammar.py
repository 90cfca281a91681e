"""CONTRIBUTING has the grammar of a chapter, and the model reads what it says."""

import json

from bookkit import config, grammar, ipynb, model, reading


def test_contributing_has_the_grammar():
    """`python -m bookkit.grammar` prints it."""
    text = (config.ROOT / "CONTRIBUTING.md").read_text("utf8")
    told = text.partition("<!-- grammar -->\n")[2].partition("\n<!-- end -->")[0]
    assert told == grammar.text()


def test_every_value_of_the_model_that_stands_in_a_cell_has_an_example():
    values = {v for v in vars(model).values() if isinstance(v, type)}
    things = {v for v in values if not v.__name__.startswith("_")}
    asked = {v for v in things if "cell" in getattr(v, "__annotations__", {})}
    assert set(grammar.WRITTEN) == asked - {model.Fault}


def test_the_model_reads_the_examples_as_one_chapter(tmp_path):
    def cell(example):
        if example.startswith("{"):
            return ipynb.new_cell("", "code", "") | {"metadata": json.loads(example)}
        return ipynb.new_cell("", "markdown", example)

    cells = [cell(example) for _, example in grammar.WRITTEN.values()]
    path = tmp_path / "wells.ipynb"
    path.write_text(ipynb.dump({"cells": cells}), "utf8")
    chapter = reading.chapter(path)
    assert chapter.box.needs == ("welfare", "regret")
    assert (chapter.box.minutes, chapter.box.with_cells) == (30, 45)
    (question,), (figure,) = chapter.questions, chapter.figures
    assert question.predict
    assert question.answer == "whoever lives near it"
    assert figure.name == "fig-wells-rate"
    assert figure.caption
    assert figure.alt
    assert [s.label for s in chapter.statements] == ["thm-wells-dry"]
    (exercise,) = chapter.exercises
    assert (exercise.stars, exercise.kind) == (2, "By code")
    assert exercise.title == "the next well"
    assert exercise.trains
    assert exercise.hint
    assert exercise.solution.text == "How it is done."
    assert exercise.checks == (exercise.checked.name,) == ("wells-next",)
    assert [s.minutes for s in chapter.slides if s.kind == "cell"] == [2]
