"""The grammar of a chapter as a table, for CONTRIBUTING.md.

`python -m bookkit.grammar` prints it.
"""

from collections.abc import Mapping

from bookkit.model import EXERCISES

WRITTEN: Mapping[str, str] = {
    "Box": "in the first cell, below `(name)=` and `# Title`: "
    "`:::{admonition} In this chapter` with `:class: learn`, and in it "
    "`**You will learn** ...`, `**You need** ...` (its first sentence names earlier "
    "chapters, by `` {ref}`name` ``) and `**Time**: 30 minutes to read, 45 with the "
    "cells.`",
    "Question": "`:::{quick} choose` or `number`, with `:name: quick-<chapter>-...`; "
    "`:predict:` if it comes before a figure; what follows a line `---` is why",
    "Figure": "a code cell that draws, with the metadata `mystnb`: `figure` with "
    "`name` (`fig-...`) and `caption`, `image` with `alt`",
    "Statement": "`:::{prf:theorem} Title` (lemma, ...) or `:::{erratum} Title`, with "
    "`:label: ...`",
    "Exercise": "`::::{exercise} ★★ By code: its title` with `:label: ex-...`, a line "
    "`*Trains*: ...` and in it `:::{dropdown} Hint`",
    "Solution": "`:::{solution} ex-...`; or, with cells of its own, "
    "`:::{solution-start} ex-...` before and `:::{solution-end}` after them. A cell "
    "with the tag `solution` goes where solutions go",
    "Checked": "a cell of a solution with the metadata "
    '`"answer": {"name": ..., "asks": ..., "figures": 3}`; it assigns `answer`, has a '
    'line `assert pm.check("name", answer)`; the exercise says `pm.check("name", x)`. '
    "The name is the label without `ex-`",
    "Slide": "`:::{slide} Title` around part of the page, or the tag `slide` on a "
    "cell, with `:notes: 2 min. ...`, or the metadata "
    '`"slide": {"notes": "2 min. ..."}` of the cell',
}  # the values of `model` that stand in a chapter, and how each is written


def table() -> str:
    """A row for each thing that stands in a chapter, and the kinds of exercises."""
    rows = [f"| {value} | {written} |" for value, written in WRITTEN.items()]
    kinds = [f"*{kind}* ({what})" for kind, what in EXERCISES.items()]
    end = "Exercises are of these kinds: " + "; ".join(kinds) + "."
    return "\n".join(["| what | how it is written |", "|---|---|", *rows, "", end])


if __name__ == "__main__":
    print(table())
