"""Sphinx extension of the book: pages that need no network, and a last look at them.

MathJax is copied from a wheel instead of being loaded from a content network; scripts
for remote kernels are dropped; statements get links of their own, errata a block of
their own; and the build fails if raw markup has leaked into a page.
"""

import re
import shutil
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

MATHJAX = ("tex-chtml.js", "output/chtml/fonts", "input/tex/extensions")
STATEMENT = re.compile(
    r'(<div class="(?:proof|exercise|erratum|admonition)[^"]*" id="([^"]+)">\s*'
    r'<p class="admonition-title">.*?)(</p>)',
    re.DOTALL,
)
LINK = r'\1<a class="headerlink" href="#\2" title="Link to this statement">#</a>\3'
IS_PROOF = '<div class="proof is-proof admonition">'
RAW_MARKUP = re.compile(r"(`{3,}|:{3,})\{[a-z:_-]+\}|\{[a-z]+(:[a-z]+)?\}`|\$\$")


def drop_remote_kernels(app, pagename, templatename, context, doctree):
    """Remove the scripts of sphinx-thebe, which load from elsewhere."""
    for key in ("script_files", "css_files"):
        files = context.get(key, [])
        context[key] = [f for f in files if "thebe" not in str(f)]


class Erratum(SphinxDirective):
    """``:::{erratum} title`` with a label: what is printed, and what holds instead."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec = dict.fromkeys(["label"], str)

    def run(self):
        block = nodes.admonition(classes=["erratum"], ids=[self.options["label"]])
        titles, messages = self.state.inline_text(
            f"Erratum: {self.arguments[0]}", self.lineno
        )
        block += nodes.title("", "", *titles)
        self.state.nested_parse(self.content, self.content_offset, block)
        return [block, *messages]


def tidy(app, pagename, templatename, context, doctree):
    """Each statement gets a link to itself, and no two elements the same id."""
    body = context.get("body") or ""
    body = re.sub(r' id="proof-content"', "", body)
    body = body.replace('<div class="proof admonition" id="proof">', IS_PROOF)
    body = body.replace('role="doc-biblioentry"', 'role="listitem"')  # in a list
    context["body"] = STATEMENT.sub(LINK, body)


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
    app.add_directive("erratum", Erratum)
    app.connect("html-page-context", tidy)
    app.connect("html-page-context", drop_remote_kernels, priority=900)
    app.connect("build-finished", finish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
