"""Figures: roles, labels, vectors drawn alike; tables: what stands in a cell."""

import io
import re
from itertools import combinations
from pathlib import Path

import myst_nb
import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from matplotlib import pyplot as plt

import pmeanlib as pm
from pmeanlib import figures
from pmeanlib.figures import table, thin

ROOT = Path(__file__).parents[2]

PALETTE = (figures.BLUE, figures.ORANGE, figures.GREEN, figures.PURPLE, figures.GOLD,
           figures.INK, figures.GUIDE)  # fmt: skip


@pytest.fixture
def axes():
    with plt.rc_context():
        figures.use_style()
        yield figures.new_axes(2, height=3.0, sharey=True)
        plt.close("all")


def drawn(figure) -> str:
    file = io.StringIO()
    figure.savefig(file, format="svg", metadata={"Date": None})
    return file.getvalue()


def draw(left, right) -> str:
    """All roles in two panels, with their names at the ends and formulas beside."""
    x, names = np.linspace(1, 9, 30), [*figures.ROLES]
    for i, name in enumerate(names):
        ax = right if i % 2 else left
        ax.plot(x, x ** (1 + i / 50), **figures.role(name))
    for ax in (left, right):
        figures.finish(ax, "exponent $p$", r"$R_T^{\,p}$", xscale="log")
        figures.label_lines(ax)
    left.fill_between(x, x, 2 * x, alpha=0.2)
    return drawn(left.figure)


def test_no_two_roles_look_alike_and_all_are_of_the_palette():
    looks = [look[:2] for look in figures.ROLES.values()]
    assert len(set(looks)) == len(looks)
    assert {colour for colour, _ in looks} <= set(PALETTE)


def test_the_style_sheet_has_the_colours_of_the_palette():
    text = (ROOT / "pmeanlib" / "book.mplstyle").read_text("utf8")
    named = {f"#{colour}" for colour in re.findall(r"\b[0-9a-f]{6}\b", text)}
    assert named == set(PALETTE)


def test_labels_do_not_overlap(axes):
    draw(*axes)
    axes[0].figure.draw_without_rendering()
    for ax in axes:
        boxes = [text.get_window_extent() for text in ax.texts]
        assert len(boxes) >= len(figures.ROLES) // len(axes)
        for one, other in combinations(boxes, 2):
            assert not one.overlaps(other)


def test_a_label_stands_beside_the_end_of_its_line(axes):
    ax = axes[0]
    ax.plot([0, 1], [0, 1], **figures.role("UCB1"))
    ax.plot([0, 1], [0, 0.5], **figures.role("EUCB"))
    ax.plot([0, 1], [0, 0.2], color="red")  # no label
    figures.label_lines(ax)
    ax.figure.draw_without_rendering()
    assert [text.get_text() for text in ax.texts] == ["UCB1", "EUCB"]
    for text, line in zip(ax.texts, ax.get_lines()):
        box, end = (
            text.get_window_extent(),
            ax.transData.transform((1, line.get_ydata()[1])),
        )
        assert text.get_color() == line.get_color()
        assert box.x0 > end[0]
        assert abs((box.y0 + box.y1) / 2 - end[1]) < 3


@pytest.mark.parametrize("wanted", [[0, 0, 0], [5, 0, 4.5], [1, 2.5, 9], [3]])
def test_spread_keeps_order_and_distance(wanted):
    wanted = np.array(wanted, float)
    found = figures.spread(wanted, 2.0)
    order = np.argsort(wanted, kind="stable")
    assert np.all(np.diff(found[order]) >= 2 - 1e-12)
    if np.all(np.diff(wanted[order]) >= 2):
        assert np.allclose(found, wanted)


def test_a_figure_is_drawn_the_same_twice(axes):
    first = draw(*axes)
    plt.close("all")
    assert draw(*figures.new_axes(2, height=3.0, sharey=True)) == first
    assert "dc:date" not in first


def test_a_clip_path_has_a_name_that_its_last_digits_do_not_change(axes):
    """Two processors draw one figure: only what is printed may tell them apart."""
    svg = draw(*axes)
    clips = re.findall(r'<clipPath id="(\w+)">', svg)
    assert len(set(clips)) == len(clips) > 1
    other = svg
    for clip in clips:
        other = other.replace(clip, f"q{clip[1:]}")
    assert figures.name_clips(svg) == figures.name_clips(other) != svg
    named = figures.name_clips(svg)
    defined = re.findall(r'<clipPath id="(\w+)">', named)
    assert len(set(defined)) == len(clips)
    assert set(re.findall(r"url\(#(\w+)\)", named)) == set(defined)
    moved = re.sub(r'(<clipPath id="\w+">\s*<rect x=")', r"\g<1>1", svg)
    assert not set(clips) & set(defined)
    assert figures.name_clips(moved) != named


@pytest.mark.parametrize(
    ("value", "spec", "text"),
    [(True, "", "yes"), (np.False_, ".2f", "no"), (None, "d", "–"), ("x", ".2f", "x"),
     (1234567, ",", "1,234,567"), (pm.Estimate(0.5, 0.25, 0.6), ".2f", "0.50 ± 0.25"),
     (pm.Estimate(0.5, 0, 0.6), ".2f", "0.50 (exact)")],
)  # fmt: skip
def test_what_stands_in_a_cell(value, spec, text):
    shown = table({"first": "", "second": spec}, [("row", value)])
    assert repr(shown).splitlines()[1].split(None, 1)[1] == text


@pytest.mark.parametrize(
    ("text", "html"),
    [("-1e-09", "−1e−09"), ("-inf", "−inf"), ("1 - y", "1 − y"), ("<b>", "&lt;b&gt;"),
     ("p = -0.5", "p = −0.5"), ("2025-01", "2025-01"), ("Then-UCB", "Then-UCB")],
)  # fmt: skip
def test_minus_signs_are_long_and_markup_is_text(text, html):
    row = table({"first": ""}, [(text,)])._repr_html_()
    assert re.search('<th scope="row">(.*)</th>', row)[1] == html


def test_thin_keeps_the_average():
    x = np.random.default_rng(1).random(5000)
    t, means = thin(x)
    assert t[0] == 1
    assert np.all(np.diff(t) > 0)
    assert means[0] == x[0]
    assert abs(means.mean() - x.mean()) < 0.1


def test_glue_is_read_by_the_pages_as_myst_nb_reads_its_own():
    InteractiveShell.instance()
    with capture_output() as shown:
        figures.glue("nash_orders", "13")
        myst_nb.glue("nash_orders", "13", display=False)
    ours, theirs = shown.outputs
    assert (ours.data, ours.metadata) == (theirs.data, theirs.metadata)
