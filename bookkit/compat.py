"""What the book uses of Sphinx and its extensions that they do not promise to keep.

When a new version of one of them is pinned, look here first: no other module touches
names with an underscore of other packages, nor knows how their nodes are made.
"""

from typing import Any, NamedTuple

from docutils import nodes
from sphinx.application import Sphinx
from sphinx_design.dropdown import dropdown_main
from sphinx_proof.nodes import (
    depart_enumerable_node,
    get_node_number,
    proof_node,
    theorem_node,
    visit_enumerable_node,
)

# When a transform runs: references are resolved at 10, and sphinx-exercise makes its
# titles at 20.
AFTER_REFERENCES, AFTER_TITLES = 20, 400


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


def know_proofs_by_class(document: nodes.document) -> None:
    """Take the id that all proofs share from each, for a class of its own.

    sphinx-proof 0.4 wraps a block whose first two classes name its kind.
    """
    for proof in document.findall(proof_node):
        block = proof[0]
        block["ids"] = []
        block["classes"] = ["proof", "is-proof", *block["classes"][2:]]


def called(node: nodes.Element) -> tuple[str, str, nodes.Element | None]:
    """The kind of a statement or an exercise, what stands before its number, its title.

    sphinx-proof 0.4 keeps the name in "realtype", and sphinx-exercise 1.2 the words of
    a title behind the number. Of another node all three are empty.
    """
    if "realtype" in node:
        return "statement", node["realtype"].title(), node[0]
    if node.get("type") == "exercise":
        return "exercise", "Exercise", node[0][-1]
    return "", "", None


def is_hint(node: nodes.Node) -> bool:
    """Whether it is a dropdown with the title Hint; sphinx-design puts that first."""
    return isinstance(node, dropdown_main) and node[0][0].astext() == "Hint"


def call_statements_by_name(app: Sphinx) -> None:
    """Let statements be written with their names, if they have one."""
    visitors = visit_enumerable_node, _depart_statement
    app.add_node(theorem_node, override=True, html=visitors)


def _depart_statement(translator: Any, node: nodes.Element) -> None:
    """End a statement as sphinx-proof does, but called by its name if it has one.

    sphinx-proof 0.4 writes "Theorem 3 " as one piece of the page's body.
    """
    depart_enumerable_node(translator, node)
    if name := translator.config.statement_names.get(node["label"]):
        number = get_node_number(translator, node, node["countertype"])
        title = f"{called(node)[1]} {number} "
        translator.body[translator.body.index(title)] = f"{name} "
