"""Sphinx extension of the book: the pages to look things up, the API and the index."""

from numpy.typing import ArrayLike
from sphinx.util.typing import stringify_annotation


def shorten(app, what, name, obj, options, signature, returns):
    """Call whatever becomes an array by its name, not by all that it stands for."""
    for mode in ("smart", "fully-qualified", "fully-qualified-except-typing"):
        long = stringify_annotation(ArrayLike, mode)
        signature = signature and signature.replace(long, "ArrayLike")
    return signature, returns


def keep_index_open(app, pagename, templatename, context, doctree):
    """An index that folds needs options which its page loads too late."""
    context["collapse_index"] = False


def setup(app):
    app.setup_extension("sphinx.ext.autodoc")  # has the event
    app.connect("autodoc-process-signature", shorten)
    app.connect("html-page-context", keep_index_open)
