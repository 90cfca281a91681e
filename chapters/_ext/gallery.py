"""Sphinx extension of the book: figures of the chapters, gathered on one page.

``:::{picture} fig-question`` takes a figure from the notebook that stores it, by the
name that its cell gives it, so that a gallery shows the chapter's own picture or the
build fails. The text says what to see; below it stand the links to the figure, to the
cell that drew it, to the notebook, and to the picture as a file. The SVG is a file of
the site, the notebook's own in the colours of the light page. The PNG is drawn by
`gallery.js` when it is asked for: nothing that the book installs can draw an SVG, and
a browser can.
"""

import json
import re
from pathlib import Path
from typing import NamedTuple

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.errors import ExtensionError
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

from ink import COLOUR, INKS, inline

FOLDER, SCRIPT = "gallery", "gallery.js"  # in _static
SHEET = Path(__file__).parents[1] / "_static" / "book.css"
TEXT = {"--pst-color-text-base": "#222832"}  # the theme's, on a light page
WHERE = "{{numref}}`{name}` in {{doc}}`{chapter}`"
TAKE = """
<a href="{chapter}.html#code-{label}" aria-label="its code, {name}">its code</a>
<a href="{root}_sources/{doc}.ipynb" download
aria-label="its notebook, {chapter}">its notebook</a>
<a href="{root}_static/{folder}/{name}.svg" download aria-label="SVG, {name}">SVG</a>
<button type="button" data-picture="{name}" aria-label="PNG, {name}" hidden>PNG</button>
"""


class Drawing(NamedTuple):
    """A figure as its notebook stores it."""

    notebook: Path
    svg: str
    alt: str


def drawing(folder: Path, name: str) -> Drawing:
    """The figure of this name in the notebooks of a folder."""
    for notebook in sorted(folder.glob("*.ipynb")):
        for cell in json.loads(notebook.read_text("utf8"))["cells"]:
            shown = cell["metadata"].get("mystnb", {})
            if shown.get("figure", {}).get("name") == name:
                if svg := vector(cell):
                    return Drawing(notebook, svg, shown["image"]["alt"])
                raise LookupError(f"{notebook.name} stores no SVG of {name!r}")
    raise LookupError(f"no notebook in {folder.name} has a figure called {name!r}")


def vector(cell: dict) -> str:
    """The vector graphic among the outputs of a cell, or nothing."""
    stored = (output.get("data", {}) for output in cell.get("outputs", []))
    return next(("".join(d[k]) for d in stored if (k := "image/svg+xml") in d), "")


def palette() -> dict[str, str]:
    """The colours of the light page, as the style sheet has them."""
    light = SHEET.read_text("utf8").partition('[data-theme="light"] {')[2]
    found = dict(re.findall(r"(--[\w-]+): (#\w+);", light.partition("}")[0]))
    return {ink: (TEXT | found)[ink] for ink in INKS.values()}


def in_light(svg: str) -> str:
    """A notebook's figure in the colours of the light page."""
    colours = palette()
    return COLOUR.sub(lambda found: colours[INKS[found[0]]], svg)


class Picture(SphinxDirective):
    """``:::{picture} fig-name``: a figure of a chapter, and what to see in it."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        name, here = self.arguments[0], Path(self.env.doc2path(self.env.docname))
        try:
            found = drawing(here.parent, name)
        except LookupError as error:
            raise ExtensionError(f"{here.name}, line {self.lineno}: {error}") from error
        self.env.note_dependency(str(found.notebook))
        box = nodes.container(classes=["picture"], ids=[f"picture-{name}"])
        box["picture"] = name
        drawn = inline(found.svg, name, found.alt)
        box += nodes.raw("", drawn, format="html")
        self.state.nested_parse(self.content, self.content_offset, box)
        box += self.links(name, found.notebook.stem)
        return [box]

    def links(self, name: str, chapter: str) -> nodes.container:
        """Where the figure is explained, and what can be taken home."""
        row = nodes.container(classes=["picture-links"])
        where = StringList([WHERE.format(name=name, chapter=chapter)])
        self.state.nested_parse(where, self.content_offset, row)
        doc = self.env.docname.rpartition("/")[0] + f"/{chapter}"
        root = "../" * self.env.docname.count("/")
        told = {"name": name, "label": nodes.make_id(name), "chapter": chapter}
        take = TAKE.format(**told, doc=doc, root=root, folder=FOLDER)
        row += nodes.raw("", take, format="html")
        return row


class NameCells(SphinxPostTransform):
    """A cell that draws the figure ``fig-x`` can be linked to as ``code-fig-x``."""

    default_priority = 400
    formats = ("html",)

    def run(self, **kwargs):
        for figure in self.document.findall(nodes.figure):
            cell = figure.parent
            while cell and "cell" not in cell.get("classes", []):
                cell = cell.parent
            inputs = cell.findall(nodes.container) if cell and figure["ids"] else ()
            for code in inputs:
                if "cell_input" in code["classes"]:
                    code["ids"].append(f"code-{figure['ids'][0]}")


def add_files(app, pagename, templatename, context, doctree) -> None:
    """What a page with pictures needs: their files, and the script for others."""
    boxes = doctree.findall(nodes.container) if doctree else ()
    names = [box["picture"] for box in boxes if "picture" in box]
    if names:
        colours = json.dumps(palette())
        app.add_js_file(SCRIPT, loading_method="defer", **{"data-colours": colours})
        folder = Path(app.outdir, "_static", FOLDER)
        folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        chapters = Path(app.env.doc2path(pagename)).parent
        svg = in_light(drawing(chapters, name).svg)
        (folder / f"{name}.svg").write_text(svg, "utf8")


def setup(app):
    app.add_directive("picture", Picture)
    app.add_post_transform(NameCells)
    app.connect("html-page-context", add_files)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
