"""Pictures that are the chapters' own: found by name, drawn in the light colours."""

import json
import re
import sys
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import docutils_namespace, patch_docutils

from pmeanlib import figures

ROOT = Path(__file__).parents[1]
CHAPTERS = ROOT / "chapters"
sys.path.insert(0, str(CHAPTERS / "_ext"))
import gallery  # noqa: E402
import ink  # noqa: E402

NAMES = re.findall(
    r"^:::\{picture\} (\S+)$", (CHAPTERS / "gallery.md").read_text(), re.M
)
SVG = f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10">
<path d="M 0 0 L 1 1" style="stroke: {figures.BLUE}; fill: none"/></svg>"""


def test_the_gallery_has_twelve_pictures_of_twelve_chapters():
    assert len(NAMES) == len(set(NAMES)) == 12
    found = [gallery.drawing(CHAPTERS, name) for name in NAMES]
    assert len({drawing.notebook for drawing in found}) == 12
    toc = (ROOT / "_toc.yml").read_text("utf8")
    order = [toc.index(f"chapters/{drawing.notebook.stem}\n") for drawing in found]
    assert order == sorted(order)  # the story goes as the book does


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_is_drawn_in_the_colours_of_the_light_page(name):
    drawing = gallery.drawing(CHAPTERS, name)
    assert len(drawing.alt) > 50
    light = gallery.in_light(drawing.svg)
    root = ElementTree.fromstring(light)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert not ink.COLOUR.search(light)
    palette = gallery.palette()
    used = {ink.INKS[colour] for colour in ink.COLOUR.findall(drawing.svg)}
    assert used
    assert all(palette[variable] in light for variable in used)


def notebook(name: str, output: dict) -> str:
    meta = {"mystnb": {"figure": {"name": name}, "image": {"alt": "A line."}}}
    cell = {"cell_type": "code", "metadata": meta, "outputs": [{"data": output}]}
    return json.dumps({"cells": [{"metadata": {}}, cell]})


@pytest.fixture
def book(tmp_path, monkeypatch):
    """A function that builds a gallery of one picture and returns the folder."""
    (tmp_path / "one.ipynb").write_text(notebook("fig-x", {"image/svg+xml": SVG}))
    (tmp_path / "two.ipynb").write_text(notebook("fig-y", {"image/png": "..."}))
    (tmp_path / "one.md").write_text("# One\n\n(fig-x)=\n:::{figure} x.svg\nX.\n:::\n")
    (tmp_path / "x.svg").write_text(SVG)

    def build(name: str) -> Path:
        text = f"# Pictures\n\n:::{{picture}} {name}\nSee $p$.\n:::\n"
        toc = "\n:::{toctree}\none\n:::\n"
        (tmp_path / "start.md").write_text(text + toc, "utf8")
        settings = {
            "root_doc": "start",
            "extensions": ["myst_parser", "gallery"],
            "myst_enable_extensions": ["colon_fence", "dollarmath"],
            "numfig": True,
        }
        out, warnings = tmp_path / "out", StringIO()
        with patch_docutils(), docutils_namespace():
            folders = (tmp_path, None, out, out)
            app = Sphinx(*folders, "html", settings, status=None, warning=warnings)
            app.build()
        assert not warnings.getvalue()
        return out

    return build


def test_a_picture_comes_with_its_words_its_links_and_its_file(book):
    out = book("fig-x")
    page = (out / "start.html").read_text("utf8")
    assert 'aria-label="A line."' in page
    assert "stroke:var(--book-blue)" in page
    assert "gallery.js" in page
    assert 'href="one.html#fig-x"' in page
    assert 'href="one.html#code-fig-x"' in page
    assert 'href="_static/gallery/fig-x.svg" download' in page
    light = gallery.palette()["--book-blue"]
    assert f"stroke: {light}" in (out / "_static" / "gallery" / "fig-x.svg").read_text()
    other = (out / "one.html").read_text("utf8")
    assert "gallery.js" not in other


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("fig-z", "no notebook in .* has a figure called 'fig-z'"),
        ("fig-y", "two.ipynb stores no SVG of 'fig-y'"),
    ],
)
def test_a_figure_that_is_gone_stops_the_build_and_is_named(book, name, reason):
    with pytest.raises(ExtensionError, match=f"start.md, line 3: {reason}"):
        book(name)
