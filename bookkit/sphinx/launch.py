"""Sphinx extension of the book: its pages lead to notebooks that run elsewhere.

Where the address of the repository is known, there are repository and launch buttons.
Colab and Binder open the notebooks behind the download buttons, on the branch to which
the built pages go; what Binder is to install stands there too.
"""

import shutil
from pathlib import Path

from bookkit.config import ROOT
from bookkit.repository import branch, repository

PUBLISHED = "gh-pages"  # the branch to which the built pages go
POST_BUILD = """\
#!/bin/sh
# Not in requirements.txt: a repository has no hash that pip could check.
set -e
python -m pip install --no-deps "pmeanlib @ git+{repository}@{branch}"
"""


def add_buttons(app, config) -> None:
    """Repository and launch buttons, when the address is known."""
    if repository():
        config.html_theme_options |= {
            "repository_url": repository(),
            "repository_branch": PUBLISHED,  # Colab and Binder open what readers open
            "path_to_docs": "_sources",
            "use_repository_button": True,
            "use_issues_button": True,
            "launch_buttons": {
                "binderhub_url": "https://mybinder.org",
                "colab_url": "https://colab.research.google.com",
                "notebook_interface": "jupyterlab",
            },
        }


def write_binder(out: Path) -> None:
    """What Binder is to install, in the folder of the pages."""
    folder = out / ".binder"
    folder.mkdir(exist_ok=True)
    shutil.copy(ROOT / "requirements" / "notebooks.txt", folder / "requirements.txt")
    address = {"repository": repository(), "branch": branch()}
    (folder / "postBuild").write_text(POST_BUILD.format(**address), "utf8")
    (folder / "runtime.txt").write_text("python-3.12\n", "utf8")


def finish(app, exception) -> None:
    """With the pages, what Binder installs, when the address is known."""
    if not exception and app.builder.name == "html" and repository():
        write_binder(Path(app.outdir))


def setup(app):
    app.connect("config-inited", add_buttons, priority=900)
    app.connect("build-finished", finish)
