"""Figures in a page: in its own ink, without what a drawing does not need."""

import io
import re

import pytest
from matplotlib import pyplot as plt

from bookkit.config import ROOT
from bookkit.sphinx import inline_figures
from pmeanlib import figures


def drawn(figure) -> str:
    file = io.StringIO()
    figure.savefig(file, format="svg", metadata={"Date": None})
    return file.getvalue()


@pytest.fixture
def svg() -> str:
    """All roles in two panels, with their names at the ends and a formula beside."""
    with plt.rc_context():
        figures.use_style()
        axes = figures.new_axes(2, height=3.0, sharey=True)
        for i, name in enumerate(figures.ROLES):
            axes[i % 2].plot(
                range(9), [x**1.5 + i for x in range(9)], **figures.role(name)
            )
        for ax in axes:
            figures.finish(ax, "exponent $p$", r"$R_T^{\,p}$")
            figures.label_lines(ax)
        yield drawn(axes[0].figure)
        plt.close("all")


def test_every_colour_of_the_figures_has_an_ink():
    colours = {colour for colour, *_ in figures.ROLES.values()}
    assert colours <= set(inline_figures.INKS)


def test_every_ink_is_a_variable_of_the_style_sheet():
    css = (ROOT / "bookkit" / "web" / "book.css").read_text("utf8")
    for variable in set(inline_figures.INKS.values()) - {"--pst-color-text-base"}:
        assert css.count(f"  {variable}: #") == 2  # light and dark


def test_a_figure_in_the_page(svg):
    html = inline_figures.inline(svg, "ink0", 'a "chart"')
    assert 'role="img" aria-label="a &quot;chart&quot;"' in html
    assert html.count("<svg") == 2  # a drawing for each panel
    assert len(html) < 0.8 * len(svg)
    assert not [colour for colour in inline_figures.INKS if colour in html]
    for left_out in ("metadata", "<style", "xlink", "<!--", "matplotlib"):
        assert left_out not in html
    ids = re.findall(r' id="([^"]+)"', html)
    assert len(set(ids)) == len(ids) > 10
    assert set(re.findall(r"#([\w-]+)", html)) == set(ids)
    other = re.findall(r' id="([^"]+)"', inline_figures.inline(svg, "ink1", ""))
    assert not set(ids) & set(other)


def test_a_colour_map_keeps_its_colours():
    left, right = figures.new_axes(2)
    left.imshow([[0, 1]], cmap="viridis")
    right.plot([0, 1], color="#123456")
    html = inline_figures.inline(drawn(left.figure), "ink0", "")
    plt.close("all")
    assert "data:image/png;base64," in html
    assert "#123456" in html


def test_every_figure_of_the_book_is_light(book):
    for figure in (figure for chapter in book.chapters for figure in chapter.figures):
        for output in figure.cell.outputs:
            if svg := output.data.get("image/svg+xml"):
                assert len(inline_figures.inline(svg, "ink0", "")) < 60_000, figure.name
