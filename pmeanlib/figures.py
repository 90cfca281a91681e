"""How the book draws: transparent paper, ink for light and dark, colours for everyone.

The only module that imports matplotlib. Nothing changes on import: a chapter's first
cell calls `use_style()` once, and functions draw on the axes they are given.
"""

import numpy as np
import seaborn as sns
from matplotlib import pyplot as plt
from matplotlib.axes import Axes

INK = "#7b7f86"  # mid grey: readable on white and on the dark theme's background
BLUE, ORANGE, GREEN, PURPLE = "#2f8fd0", "#e0761b", "#1a9e77", "#c46fa8"
CYCLE = (BLUE, ORANGE, GREEN, PURPLE)
COLOUR = {"UCB1": BLUE, "EUCB": ORANGE, "NCB": GREEN}


def use_style() -> None:
    """Set the book's look; in a notebook, also ask for sharp bitmaps."""
    ink = dict.fromkeys(
        ("text.color", "axes.labelcolor", "axes.edgecolor", "axes.titlecolor",
         "xtick.color", "ytick.color", "legend.labelcolor"), INK,
    )  # fmt: skip
    sns.set_theme(context="notebook", style="ticks", palette=CYCLE)
    paper = dict.fromkeys(
        ("figure.facecolor", "axes.facecolor", "savefig.facecolor"), "none"
    )
    plt.rcParams.update(ink | paper)
    plt.rcParams.update(
        {
            "axes.grid": True,
            "grid.color": INK,
            "grid.alpha": 0.2,
            "legend.frameon": False,
            "lines.linewidth": 2,
            "figure.constrained_layout.use": True,
            "font.size": 11,
        }
    )
    try:
        from matplotlib_inline.backend_inline import set_matplotlib_formats
    except ImportError:  # not in a notebook
        return
    set_matplotlib_formats("retina")


def new_axes(n: int = 1, height: float = 3.2, **kwargs) -> Axes | np.ndarray:
    """One axes, or n side by side, as wide as the page."""
    _, axes = plt.subplots(1, n, figsize=(7.2, height), **kwargs)
    return axes


def finish(ax: Axes, xlabel: str, ylabel: str, **settings) -> None:
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
