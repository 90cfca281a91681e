"""How the book draws: one palette, a role for everything that is drawn again and again.

The only module that imports matplotlib. Nothing changes on import: a chapter's first
cell calls `use_style()` once, and functions draw on the axes they are given. The look
itself stands in `book.mplstyle`.
"""

import hashlib
import html
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pmeanlib.estimates import Estimate, legend

BLUE, ORANGE, GREEN, PURPLE = "#2f8fd0", "#e0761b", "#1a9e77", "#c46fa8"
# For the paper; for words and measurements; for grids and reference lines:
GOLD, INK, GUIDE = "#b08d2e", "#7b7f86", "#8d9198"
# Colour, line (and its width, its markers) of each role in the whole book; a family of
# algorithms has one colour.
ROLES: dict[str, tuple[Any, ...]] = {
    "UCB1": (BLUE, "-"), "EUCB": (ORANGE, "--"), "NCB": (GREEN, ":"),
    "Auer": (BLUE, "--"), "MOSS": (BLUE, ":"), "KL-UCB": (PURPLE, "--"),
    "Thompson": (PURPLE, ":"), "greedy": (GUIDE, "--"), "Modified NCB": (GREEN, "--"),
    "RR-NCB": (GREEN, "-."), "Welfarist-UCB": (GOLD, "--"), "UCB-HARE": (INK, "--"),
    "doubling": (ORANGE, ":"), "anytime": (PURPLE, "-."), "thinning": (ORANGE, "-."),
    "follow": (ORANGE, "-"), "uniform": (GUIDE, "-"), "measured": (INK, "-", 1, "o"),
    "the paper": (GOLD, "-."), "this book": (PURPLE, "-", 2.8),
}  # fmt: skip
CLIP = re.compile(r'<clipPath id="(\w+)">\s*(<[^>]*>)')
MINUS = re.compile(r"(?<![\w)-])-(?=[\d.]|inf\b|\s)|(?<=\de)-(?=\d)")


def use_style() -> None:
    """Set the book's look; in a notebook, also ask for vectors without a date.

    There it replaces IPython's formatter of figures, so that the names of clip paths
    are the same on every machine (`name_clips`).

    >>> pm.figures.use_style()
    """
    plt.style.use(["default", "pmeanlib.book"])
    with suppress(ImportError):  # not in a notebook
        from IPython.core.interactiveshell import InteractiveShell
        from matplotlib_inline.backend_inline import set_matplotlib_formats

        set_matplotlib_formats("svg", bbox_inches=None, metadata={"Date": None})
        display: Any = InteractiveShell.instance().display_formatter
        formatter = display.formatters["image/svg+xml"]
        svg = formatter.lookup_by_type(Figure)
        formatter.for_type(Figure, lambda figure: name_clips(svg(figure)))


def name_clips(svg: str) -> str:
    """The drawing with each clip path named by its shape as it is printed.

    Matplotlib hashes digits that it does not print, and those depend on the processor.

    >>> pm.figures.name_clips('<clipPath id="mine"><rect/></clipPath>')
    '<clipPath id="p14227f8f4e"><rect/></clipPath>'
    """
    for name, shape in CLIP.findall(svg):
        svg = svg.replace(name, f"p{hashlib.sha256(shape.encode()).hexdigest()[:10]}")
    return svg


def role(name: str, **changes: Any) -> dict[str, Any]:
    """How a role is drawn, for `ax.plot`: ``role("EUCB")``, or with other keywords.

    ``ax.plot(T, bound, **role("this book", label="Theorem U"))``

    >>> pm.figures.role("EUCB", label="the paper")
    {'label': 'the paper', 'color': '#e0761b', 'linestyle': '--'}
    """
    look = zip(("color", "linestyle", "linewidth", "marker"), ROLES[name], strict=False)
    return {"label": name, **dict(look), **changes}


def new_axes(n: int = 1, height: float = 3.2, **kwargs: Any) -> Axes | np.ndarray:
    """One axes, or n side by side, which the page puts one below the other on a phone.

    Each has the numbers of its own scale, also where the panels share one.

    >>> left, right = pm.figures.new_axes(2)
    """
    _, axes = plt.subplots(1, n, figsize=(7.2 if n > 1 else 5.6, height), **kwargs)
    for ax in np.atleast_1d(axes):
        ax.tick_params(labelleft=True)
    return axes


def finish(ax: Axes, xlabel: str, ylabel: str, **settings: Any) -> None:
    """Label the axes, set what else is given: title, xscale, ...

    >>> ax = pm.figures.new_axes()
    >>> pm.figures.finish(ax, "round", "expected reward")
    """
    ax.set(xlabel=xlabel, ylabel=ylabel, **settings)


def label_lines(ax: Axes, gap: float = 14) -> None:
    """Put the label of each line that has one beside its right end, in its colour.

    Labels stay `gap` points apart. To be called when the scales are set.

    >>> ax = pm.figures.new_axes()
    >>> lines = ax.plot([1, 2], [0.3, 0.5], label="UCB1")
    >>> pm.figures.label_lines(ax)
    """
    plt.figure(ax.figure).draw_without_rendering()  # now the height is known
    lines = [line for line in ax.get_lines() if str(line.get_label())[0] != "_"]
    ends = np.array([np.asarray(line.get_xydata())[-1] for line in lines])
    pixels = ax.transData.transform(ends)[:, 1] - ax.bbox.y0
    shares = spread(pixels.clip(0, ax.bbox.height), gap * ax.figure.dpi / 72)
    for line, end, y in zip(lines, ends, shares / ax.bbox.height, strict=True):
        name, place = str(line.get_label()), ("data", "axes fraction")
        ax.annotate(name, (end[0], y), (5, 0), place, "offset points",
                    color=line.get_color(), va="center")  # fmt: skip


def spread(wanted: np.ndarray, gap: float) -> np.ndarray:
    """Places near those wanted, in the same order, at least a gap apart.

    Half of the way between pushing up whatever is too near, and pushing it down.

    >>> pm.figures.spread(np.array([1.0, 1.0, 5.0]), gap=1)
    array([0.5, 1.5, 5. ])
    """
    order, steps = np.argsort(wanted, kind="stable"), gap * np.arange(len(wanted))
    free = wanted[order] - steps
    up, down = np.maximum.accumulate(free), np.minimum.accumulate(free[::-1])[::-1]
    return ((up + down) / 2 + steps)[np.argsort(order)]


def thin(values: np.ndarray, n: int = 400) -> tuple[np.ndarray, np.ndarray]:
    """Rounds 1..T and their values, averaged over about n bins even in log t.

    A profile of many rounds is drawn as its local mean; early rounds stay as they are.

    >>> t, mean = pm.figures.thin(np.ones(10**6))
    >>> len(t) < 400, mean.mean().item()
    (True, 1.0)
    """
    edges = np.unique(np.geomspace(1, len(values) + 1, n + 1).astype(int))
    sums = np.add.reduceat(values, edges[:-1] - 1)
    return np.sqrt(edges[:-1] * (edges[1:] - 1)), sums / np.diff(edges)


def glue(name: str, value: object) -> None:
    """Keep a value of a notebook under a name, for its sentences, and show nothing.

    In a cell, what ``{glue:text}`nash_orders``` in a sentence says:

    >>> pm.figures.glue("nash_orders", "13")  # doctest: +SKIP
    """
    from IPython.display import display

    mime = "application/papermill.record/"  # where MyST-NB looks for it
    told = {"name": name, "mime_prefix": mime}
    data = {f"{mime}text/plain": repr(value)}
    display(data, raw=True, metadata={"scrapbook": told})


@dataclass(frozen=True)
class Table:
    """Rows to compare: aligned text in a terminal, an accessible table on a page.

    >>> pm.figures.table({"p": "g", "regret": ".2f"}, [(0, 0.123), (-1, 0.346)])
    p   regret
    0     0.12
    -1    0.35
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str
    legend: str = ""

    def __repr__(self) -> str:
        lines = [self.header, *self.rows]
        first, *rest = (max(map(len, column)) for column in zip(*lines, strict=True))
        specs = [f"<{first}", *(f">{size + 1}" for size in rest)]
        text = [" ".join(map(format, line, specs)).rstrip() for line in lines]
        return "\n".join(filter(None, [self.caption, *text, self.legend]))

    def _repr_html_(self) -> str:
        caption = f"<caption>{_cell(self.caption)}</caption>\n" if self.caption else ""
        head = "".join(f'<th scope="col">{_cell(x)}</th>' for x in self.header)
        body = "".join(map(_row, self.rows))
        start = f'<table class="numbers">\n{caption}<thead><tr>{head}</tr></thead>\n'
        lines = _cell(self.legend).replace("\n", "<br>")
        foot = f'<tr><td colspan="{len(self.header)}">{lines}</td></tr>\n'
        foot = f"<tfoot>\n{foot}</tfoot>\n" if self.legend else ""
        return f"{start}<tbody>\n{body}</tbody>\n{foot}</table>"


def table(
    columns: Mapping[str, str], rows: Iterable[Sequence[Any]], caption: str = ""
) -> Table:
    """Rows as a table; `columns` maps each column's name to the format of its values.

    ``table({"p": "g", "regret": ".4f"}, [(0, 0.12), (-1, 0.34)])``. Words stand as they
    are, True and False as yes and no, None as a dash; an `Estimate` brings its error,
    and the table a legend of their signs.

    >>> estimate = pm.Estimate(0.25, 0.01, 0.25)
    >>> pm.figures.table({"p": "g", "regret": ".2f"}, [(0, estimate)])
    p       regret
    0  0.25 ± 0.01
    """
    rows = [tuple(row) for row in rows]
    pairs = (zip(row, columns.values(), strict=True) for row in rows)
    cells = (tuple(_text(value, spec) for value, spec in pair) for pair in pairs)
    estimates = [x for row in rows for x in row if isinstance(x, Estimate)]
    return Table(tuple(columns), tuple(cells), caption, legend(estimates))


def _text(value: Any, spec: str) -> str:
    if value is None or isinstance(value, bool | np.bool_):
        return "–" if value is None else "yes" if value else "no"
    return value if isinstance(value, str) else format(value, spec)


def _row(row: Sequence[str]) -> str:
    cells = "".join(f"<td>{_cell(x)}</td>" for x in row[1:])
    return f'<tr><th scope="row">{_cell(row[0])}</th>{cells}</tr>\n'


def _cell(text: str) -> str:
    """A cell's text in HTML, its minus signs as long as plus signs."""
    return MINUS.sub("\N{MINUS SIGN}", html.escape(text))
