"""Sphinx extension of the book: pages that need no network, and a last look at them.

MathJax is copied from a wheel instead of being loaded from a content network; scripts
for remote kernels are dropped; repository and launch buttons appear when the address of
the repository is known; and the build fails if raw markup has leaked into a page.
"""

import os
import re
import shutil
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path

from sphinx.errors import ExtensionError

MATHJAX = ("tex-chtml.js", "output/chtml/fonts", "input/tex/extensions")
RAW_MARKUP = re.compile(r"(`{3,}|:{3,})\{[a-z:_-]+\}|\{[a-z]+(:[a-z]+)?\}`|\$\$")


def add_buttons(app, config):
    """Repository and launch buttons, when the environment tells the address."""
    url = os.environ.get("BOOK_REPOSITORY_URL")
    if not url and os.environ.get("GITHUB_REPOSITORY"):
        server = os.environ.get("GITHUB_SERVER_URL", "https://github.com")
        url = f"{server}/{os.environ['GITHUB_REPOSITORY']}"
    if url:
        config.html_theme_options |= {
            "repository_url": url,
            "repository_branch": os.environ.get("BOOK_REPOSITORY_BRANCH", "main"),
            "path_to_docs": "",
            "use_repository_button": True,
            "use_issues_button": True,
            "launch_buttons": {
                "binderhub_url": "https://mybinder.org",
                "colab_url": "https://colab.research.google.com",
            },
        }


def drop_remote_kernels(app, pagename, templatename, context, doctree):
    """Remove the scripts of sphinx-thebe, which load from elsewhere."""
    for key in ("script_files", "css_files"):
        files = context.get(key, [])
        context[key] = [f for f in files if "thebe" not in str(f)]


def finish(app, exception):
    """Copy the part of MathJax that is used, then read every page for raw markup."""
    if exception or app.builder.name != "html":
        return
    out = Path(app.outdir)
    package = Path(find_spec("sphinx-mathjax-offline").origin).parent
    for part in MATHJAX:
        source = package / "static" / "mathjax" / part
        target = out / "_static" / "mathjax" / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, dirs_exist_ok=True)
        else:
            shutil.copyfile(source, target)
    leaks = [
        f"{page.relative_to(out)}: {leak}"
        for page in sorted(out.rglob("*.html"))
        if "_static" not in page.parts
        for leak in raw_markup(page.read_text("utf8"))
    ]
    if leaks:
        raise ExtensionError("raw markup on the page:\n  " + "\n  ".join(leaks))


def raw_markup(html: str) -> list[str]:
    """What looks like an unparsed role, directive or formula outside of code."""
    reader = _Text()
    reader.feed(html)
    text = "".join(reader.text)
    return [text[m.start() : m.start() + 60] for m in RAW_MARKUP.finditer(text)]


class _Text(HTMLParser):
    """Collects the text of a page that is not code, script or formula."""

    SKIP = ("pre", "code", "script", "style", "title")

    def __init__(self):
        super().__init__()
        self.text, self.depth = [], 0

    def handle_starttag(self, tag, attrs):
        self.depth += tag in self.SKIP

    def handle_endtag(self, tag):
        self.depth -= tag in self.SKIP

    def handle_data(self, data):
        if not self.depth:
            self.text.append(data)


def setup(app):
    app.connect("config-inited", add_buttons, priority=900)
    app.connect("html-page-context", drop_remote_kernels, priority=900)
    app.connect("build-finished", finish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
