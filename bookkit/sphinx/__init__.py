"""The book's Sphinx extensions, a module each; `_config.yml` names this package alone.

What they need and is no extension lies in `bookkit.assets`, and in `bookkit.compat`.
"""

from importlib import import_module
from pathlib import Path

EXTENSIONS = (
    "check_rules", "maths", "join_assets", "statements", "errata", "raw_markup",
    "reference", "launch", "metadata", "explorer", "quick", "inline_figures", "search",
    "keep_punctuation", "hover_cards", "citations", "slide", "notebooks",
)  # fmt: skip


def add_folders(app, config) -> None:
    """The pages' styles, scripts and pictures, and the one template of our own."""
    here = Path(__file__).parent
    config.html_static_path.append(str(here.parent / "web"))
    config.templates_path.append(str(here / "templates"))


def setup(app):
    for name in EXTENSIONS:
        import_module(f"bookkit.sphinx.{name}").setup(app)
    app.connect("config-inited", add_folders)
    # One MathJax typesets all formulas: pages are not written side by side.
    return {"parallel_read_safe": True, "parallel_write_safe": False}
