"""The model of the book: what it finds in a chapter."""

import pytest

from bookkit import ipynb, markdown, model, reading

TEXT = """\
(one)=
# One *title*

:::{admonition} In this chapter
:class: learn tip

**You will learn** much.

**You need** {ref}`two` and {ref}`three <four-five>`; some {ref}`six`.

**Time**: 7 minutes to read, 9 with the cells.
:::

::::{exercise} ★★ Open question: who?: when?
:label: ex-one-hand

*Trains*: reading.

Words. `pm.check("one-hand", x)`

:::{dropdown} Hint
:open:

Think.
:::
::::

```python
:::{exercise} ★ By hand: in code nothing is a directive
:::
```

:::{solution-start} ex-one-hand
:class: dropdown
:::
Before.
"""
AFTER = """\
After.
:::{solution-end}
:::

:::{prf:theorem} Of one
:label: thm-one
(inside)=
A [**word**]{#errata-x}.
:::
"""


@pytest.fixture
def chapter(tmp_path):
    def cell(kind, text, **metadata):
        more = {"execution_count": 1, "outputs": []} if kind == "code" else {}
        return {"cell_type": kind, "metadata": metadata, "source": [text], **more}

    answer = {"name": "one-hand", "figures": 2}
    cells = [
        cell("markdown", TEXT, slide={"notes": "2 min. Say this."}),
        cell("code", "7", tags=["solution"], answer=answer),
        cell("markdown", AFTER),
        cell("code", "assert True", tags=["solution"]),
    ]
    path = tmp_path / "one.ipynb"
    path.write_text(ipynb.dump({"cells": cells, "nbformat": 4}), "utf8")
    return reading.chapter(path)


def test_a_chapter_has_its_title_its_labels_and_its_box(chapter):
    assert chapter.title == "One *title*"
    assert chapter.labels == ("one", "inside")
    assert chapter.box.learn == "much."
    assert chapter.box.needs == ("two", "four-five")
    assert (chapter.box.minutes, chapter.box.with_cells) == (7, 9)
    assert markdown.anchors(chapter.text) == ("errata-x",)


def test_an_exercise_has_all_that_belongs_to_it(chapter):
    (exercise,) = chapter.exercises
    assert (exercise.stars, exercise.kind) == (2, "Open question")
    assert exercise.title == "who?: when?"
    assert exercise.label == "ex-one-hand"
    assert exercise.trains == "reading."
    assert exercise.hint == "Think."
    assert exercise.checks == ("one-hand",)
    assert exercise.solution.text == "Before.\n\nAfter."
    assert [cell.text for cell in exercise.solution.cells] == ["7", "assert True"]
    assert exercise.checked.name == "one-hand"
    assert exercise.checked.figures == 2


def test_notes_have_their_minutes(chapter):
    (slide,) = chapter.slides
    assert (slide.kind, slide.minutes, slide.words) == ("title", 2, "Say this.")
    for notes in ("Say this.", "2 min.", "two min. Say this."):
        assert model.Slide(slide.cell, "title", notes).minutes is None


def test_a_name_that_is_not_in_the_book_is_refused(book):
    assert len(book.chapters) + len(book.pages) == len(book.order)
    with pytest.raises(ValueError, match=r"name must be a chapter .*nash.*got 'no'"):
        book.chapter("no")
    with pytest.raises(ValueError, match=r"no notebook, got 'nash'"):
        book.page("nash")
