"""How the book draws: transparent paper, ink for light and dark, colours for everyone.

The only module that imports matplotlib. Nothing changes on import: a chapter's first
cell calls `use_style()` once, and functions draw on the axes they are given.
"""

import html
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import seaborn as sns
from matplotlib import pyplot as plt
from matplotlib.axes import Axes

INK = "#7b7f86"  # mid grey: readable on white and on the dark theme's background
BLUE, ORANGE, GREEN, PURPLE = "#2f8fd0", "#e0761b", "#1a9e77", "#c46fa8"
CYCLE = (BLUE, ORANGE, GREEN, PURPLE)
MINUS = re.compile(r"(?<![\w)-])-(?=[\d.]|inf\b|\s)|(?<=\de)-(?=\d)")
COLOUR = {"UCB1": BLUE, "EUCB": ORANGE, "NCB": GREEN}


def use_style() -> None:
    """Set the book's look; in a notebook, also ask for sharp bitmaps."""
    inked = "text.color axes.labelcolor axes.edgecolor axes.titlecolor xtick.color"
    ink = dict.fromkeys(f"{inked} ytick.color legend.labelcolor".split(), INK)
    faces = (f"{what}.facecolor" for what in ("figure", "axes", "savefig"))
    paper = dict.fromkeys(faces, "none")
    sns.set_theme(context="notebook", style="ticks", palette=CYCLE)
    rest = {"axes.grid": True, "grid.color": INK, "grid.alpha": 0.2, "font.size": 11,
            "legend.frameon": False, "lines.linewidth": 2,
            "figure.constrained_layout.use": True}  # fmt: skip
    plt.rcParams.update(ink | paper | rest)  # type: ignore[arg-type]
    try:
        from matplotlib_inline.backend_inline import set_matplotlib_formats
    except ImportError:  # not in a notebook
        return
    set_matplotlib_formats("retina")


def new_axes(n: int = 1, height: float = 3.2, **kwargs: Any) -> Axes | np.ndarray:
    """One axes, or n side by side, as wide as the page."""
    _, axes = plt.subplots(1, n, figsize=(7.2, height), **kwargs)
    return axes


def finish(ax: Axes, xlabel: str, ylabel: str, **settings: Any) -> None:
    """Label the axes, set what else is given (title, xscale, ...), drop the box."""
    ax.set(xlabel=xlabel, ylabel=ylabel, **settings)
    sns.despine(ax=ax)


def thin(values: np.ndarray, n: int = 400) -> tuple[np.ndarray, np.ndarray]:
    """Rounds 1..T and their values, averaged over about n bins even in log t.

    A profile of many rounds is drawn as its local mean; early rounds stay as they are.
    """
    edges = np.unique(np.geomspace(1, len(values) + 1, n + 1).astype(int))
    sums = np.add.reduceat(values, edges[:-1] - 1)
    return np.sqrt(edges[:-1] * (edges[1:] - 1)), sums / np.diff(edges)


@dataclass(frozen=True)
class Table:
    """Rows to compare: aligned text in a terminal, an accessible table on a page."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str

    def __repr__(self) -> str:
        lines = [self.header, *self.rows]
        width = [max(map(len, column)) for column in zip(*lines, strict=True)]
        width[0] *= -1  # the first column to the left
        text = [" ".join(map(_pad, line, width)).rstrip() for line in lines]
        return "\n".join([self.caption, *text] if self.caption else text)

    def _repr_html_(self) -> str:
        caption = f"<caption>{_cell(self.caption)}</caption>\n"
        head = "".join(f'<th scope="col">{_cell(x)}</th>' for x in self.header)
        body = ""
        for first, *rest in self.rows:
            cells = "".join(f"<td>{_cell(x)}</td>" for x in rest)
            body += f'<tr><th scope="row">{_cell(first)}</th>{cells}</tr>\n'
        return (
            f'<table class="numbers">\n{caption if self.caption else ""}'
            f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>"
        )


def table(
    columns: Mapping[str, str], rows: Iterable[Sequence[Any]], caption: str = ""
) -> Table:
    """Rows as a table; `columns` maps each column's name to the format of its values.

    ``table({"p": "g", "regret": ".4f"}, [(0, 0.12), (-1, 0.34)])``. Words stand as they
    are, True and False as yes and no, None as a dash; an `Estimate` brings its error.
    """
    pairs = (zip(row, columns.values(), strict=True) for row in rows)
    cells = (tuple(_text(value, spec) for value, spec in pair) for pair in pairs)
    return Table(tuple(columns), tuple(cells), caption)


def _text(value: Any, spec: str) -> str:
    if value is None or isinstance(value, bool | np.bool_):
        return {None: "–", True: "yes", False: "no"}[
            value if value is None else bool(value)
        ]
    return value if isinstance(value, str) else format(value, spec)


def _pad(text: str, width: int) -> str:
    return text.ljust(-width) if width < 0 else text.rjust(width + 1)


def _cell(text: str) -> str:
    """A cell's text in HTML, its minus signs as long as plus signs."""
    return MINUS.sub("\N{MINUS SIGN}", html.escape(text))
