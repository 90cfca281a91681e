"""Sphinx extension of the book: its pages lead to notebooks that run elsewhere.

Nothing here is guessed. `BOOK_REPOSITORY_URL` (or GitHub's own variables) gives the
address of the repository: then there are repository and launch buttons, and downloaded
notebooks begin with a cell that installs the library.
"""

import os
from pathlib import Path

from bookkit import model

PUBLISHED = "gh-pages"  # the branch to which the built pages go
SETUP = """\
# Outside the book's own folder, fetch the library and the stored results of long runs.
from pathlib import Path

if not Path("_data").exists():
    if not Path("p-mean-book").exists():
        !git clone -q --depth 1 --branch {branch} {repository} p-mean-book
    %cd -q p-mean-book/chapters
    %pip install -q "..[notebook]"
"""


def repository() -> str:
    """The address of the repository, or an empty string."""
    name = os.environ.get("GITHUB_REPOSITORY")
    server = os.environ.get("GITHUB_SERVER_URL", "https://github.com")
    return os.environ.get("BOOK_REPOSITORY_URL") or (f"{server}/{name}" if name else "")


def branch() -> str:
    """The branch of the repository that buttons lead to."""
    return os.environ.get("BOOK_REPOSITORY_BRANCH", "main")


def add_buttons(app, config) -> None:
    """Repository and launch buttons, when the address is known."""
    if repository():
        config.html_theme_options |= {
            "repository_url": repository(),
            "repository_branch": branch(),
            "path_to_docs": "",
            "use_repository_button": True,
            "use_issues_button": True,
            "launch_buttons": {
                "binderhub_url": "https://mybinder.org",
                "colab_url": "https://colab.research.google.com",
            },
        }


def lead_colab_to_published_notebooks(app, pagename, templatename, context, doctree):
    """Colab has nothing of ours installed: open the notebook with the setup cell."""
    for group in context.get("header_buttons", []):
        for button in group.get("buttons", []):
            url = str(button.get("url", ""))
            if url.startswith("https://colab."):
                button["url"] = url.replace(
                    f"/blob/{branch()}/", f"/blob/{PUBLISHED}/_sources/"
                )


def add_setup(path: Path) -> None:
    """Put the cell that installs the library at the head of a notebook."""
    notebook = model.load(path)
    source = SETUP.format(repository=repository(), branch=branch())
    if notebook["cells"][0].get("id") != "setup":
        notebook["cells"].insert(0, model.new_cell("setup", "code", source))
    path.write_text(model.dump(notebook), "utf8")


def finish(app, exception) -> None:
    """Let the notebooks run where they are downloaded to."""
    if not exception and app.builder.name == "html" and repository():
        for path in Path(app.outdir, "_sources").rglob("*.ipynb"):
            add_setup(path)


def setup(app):
    app.connect("config-inited", add_buttons, priority=900)
    app.connect("html-page-context", lead_colab_to_published_notebooks, priority=902)
    app.connect("build-finished", finish, priority=900)
