"""The book's Sphinx extensions; `_config.yml` names this package alone."""

from pathlib import Path

EXTENSIONS = (
    "check_rules", "maths", "assets", "pages", "metadata", "explorer", "quick",
    "inline_figures", "search", "keep_punctuation", "hover_cards", "citation_style",
    "slide",
)  # fmt: skip


def add_folders(app, config) -> None:
    """The pages' styles, scripts and pictures, and the one template of our own."""
    here = Path(__file__).parent
    config.html_static_path.append(str(here.parent / "web"))
    config.templates_path.append(str(here / "templates"))


def setup(app):
    for name in EXTENSIONS:
        app.setup_extension(f"bookkit.sphinx.{name}")
    app.connect("config-inited", add_folders)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
