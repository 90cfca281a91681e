"""Sphinx extension of the book: raw markup on a page stops the build.

It reads the HTML, as it is about what came out, whatever made it.
"""

import re
from html.parser import HTMLParser
from pathlib import Path

from sphinx.errors import ExtensionError

RAW_MARKUP = re.compile(
    r"(`{3,}|:{3,})\{[a-z:_-]+\}|\{[a-z]+(:[a-z]+)?\}`"  # directives, roles
    r"|\$\$|\\[(\[]|\\begin\{"  # formulas
)


def check_pages(app, exception):
    """Read every page for raw markup."""
    if exception or app.builder.name != "html":
        return
    out = Path(app.outdir)
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
    app.connect("build-finished", check_pages)
