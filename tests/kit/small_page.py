"""A page of a few lines, built by Sphinx with some extensions of the book."""

from io import StringIO
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils


def built(folder: Path, text: str, *extensions: str, **settings) -> tuple[str, str]:
    """The HTML of a page made of a text, and the complaints."""
    (folder / "page.md").write_text(text, "utf8")
    settings |= {"root_doc": "page", "extensions": ["myst_parser", *extensions]}
    out, warnings = folder / "out", StringIO()
    with patch_docutils(), docutils_namespace():
        folders = (folder, None, out, out)
        Sphinx(*folders, "html", settings, status=None, warning=warnings).build()
    return (out / "page.html").read_text("utf8"), warnings.getvalue()
