"""Sphinx extension of the book: its pages lead to notebooks that run elsewhere.

Where the address of the repository is known, there are repository and launch buttons.
"""

from bookkit.repository import branch, repository

PUBLISHED = "gh-pages"  # the branch to which the built pages go


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


def setup(app):
    app.connect("config-inited", add_buttons, priority=900)
    app.connect("html-page-context", lead_colab_to_published_notebooks, priority=902)
