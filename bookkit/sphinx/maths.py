"""Sphinx extension of the book: formulas that are there when the page is.

A formula stands on its page as MathJax draws it (`bookkit.assets.typeset`), with its
TeX for readers who copy it. The book has one style sheet for all formulas.
"""

from pathlib import Path
from weakref import WeakKeyDictionary

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

from bookkit.assets.typeset import Typesetter, style

STYLE = "maths.css"
log = logging.getLogger(__name__)
RUNNING: WeakKeyDictionary[Sphinx, Typesetter] = WeakKeyDictionary()  # one a build


def typesetter(app) -> Typesetter:
    """The one of this build, started when the first formula comes."""
    if app not in RUNNING:
        RUNNING[app] = Typesetter()
    return RUNNING[app]


def formula(self, node, tex: str, display: bool) -> str:
    """A formula as HTML; one that is wrong is a warning and stays TeX."""
    try:
        return typesetter(self.builder.app).typeset(tex, display)
    except ValueError as error:
        log.warning("formula %r: %s", tex, error, location=node)
        return self.encode(tex)


def visit_inline(self, node):
    """A formula in a line of text."""
    tex = node.astext()
    start = {"CLASS": "math notranslate nohighlight", "data-tex": tex}
    self.body.append(self.starttag(node, "span", "", **start))
    self.body.append(formula(self, node, tex, display=False) + "</span>")
    raise nodes.SkipNode


def visit_display(self, node):
    """A formula on lines of its own, with its number if it has one."""
    tex = node.astext().strip()
    start = {"CLASS": "math notranslate nohighlight", "data-tex": tex}
    self.body.append(self.starttag(node, "div", **start))
    if node["number"]:
        number = get_node_equation_number(self, node)
        self.body.append(f'<span class="eqno">({number})')
        self.add_permalink_ref(node, "Link to this equation")
        self.body.append("</span>")
    self.body.append(formula(self, node, tex, display=True) + "</div>\n")
    raise nodes.SkipNode


def write_style(app, exception) -> None:
    """Write the style sheet of the formulas, and let MathJax end."""
    if not (running := RUNNING.pop(app, None)):
        return
    if not exception and app.builder.name == "html":
        Path(app.outdir, "_static", STYLE).write_text(style(running), "utf8")
    running.close()


def setup(app):
    app.add_html_math_renderer("built", (visit_inline, None), (visit_display, None))
    app.add_css_file(STYLE)
    app.connect("build-finished", write_style)
