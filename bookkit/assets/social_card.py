"""The picture of social previews: the book's title over the regrets of the dial."""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import pmeanlib as pm
from bookkit.assets.explorer_modules import DIGITS, EXPONENTS, results
from bookkit.config import CONFIG

PAPER = "#17324a"
COLOURS = {"UCB1": "#5fb4ee", "EUCB -2": "#ff9a3c", "NCB": "#3fd3a5"}  # of the series
TITLE = (  # the height of each line, the size of its letters
    (0.8, 40, CONFIG["title"]),
    (0.7, 26, "Who pays for learning? An executable book"),
)


def draw(path: Path) -> None:
    """Draw it, 1200 x 630 pixels."""
    frame = results()["frames"][0]
    p_grid = np.linspace(*EXPONENTS, 89)
    pm.figures.use_style()
    figure = Figure(figsize=(12, 6.3), facecolor=PAPER)
    figure.set_layout_engine("none")
    ax = figure.add_axes((0.07, 0.1, 0.86, 0.5), facecolor=PAPER)
    for key, colour in COLOURS.items():
        series = next(s for s in frame["series"] if s["key"] == key)
        values, weights = np.array(series["values"]) / DIGITS, np.diff(frame["edges"])
        welfare = np.array([pm.p_mean(values, p, weights=weights) for p in p_grid])
        ax.plot(p_grid, frame["mu_star"] - welfare, color=colour, linewidth=6)
    ax.axis("off")
    for y, size, line in TITLE:
        figure.text(0.07, y, line, fontsize=size, color="white", family="DejaVu Sans")
    figure.savefig(path, dpi=100, facecolor=PAPER)
