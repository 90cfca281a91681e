"""What the book uses of Sphinx and sphinx-proof that they do not promise to keep.

When a new version of one of them is pinned, look here first: no other module touches
names with an underscore of other packages.
"""

from typing import Any, NamedTuple

from docutils import nodes
from sphinx.application import Sphinx
from sphinx_proof.nodes import depart_enumerable_node, get_node_number


class Assets(NamedTuple):
    """The style sheets and scripts that all pages share, as Sphinx keeps them."""

    styles: list[Any]
    scripts: list[Any]


def shared_assets(app: Sphinx) -> Assets | None:
    """Those that extensions and the theme add to every page; None before there is one.

    Sphinx 7 keeps them in two lists before it adds those of a single page.
    """
    builder: Any = app.builder
    if not hasattr(builder, "_orig_js_files"):
        return None
    return Assets(builder._orig_css_files, builder._orig_js_files)


def depart_statement(translator: Any, node: nodes.Element, name: str | None) -> None:
    """End a statement as sphinx-proof does, but called by its name if it has one.

    sphinx-proof 0.4 writes "Theorem 3 " as one piece of the page's body.
    """
    depart_enumerable_node(translator, node)
    if name:
        number = get_node_number(translator, node, node["countertype"])
        title = f"{node['realtype'].title()} {number} "
        translator.body[translator.body.index(title)] = f"{name} "
