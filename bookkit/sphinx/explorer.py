"""Sphinx extension of the book: the explorers, pictures that the reader can turn.

The directive puts the box of an explorer on a page, and the page then loads the script
of that kind, bundled from the modules in `web/explorers` and `web/engine` and from what
`explorer_modules` generates. Readers without JavaScript are told what it shows.
"""

import html
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective, SphinxRole

from bookkit.assets import explorer_modules, laboratory
from bookkit.assets.bundle import bundle
from bookkit.assets.explorer_modules import START

WORDS = {  # for readers without JavaScript
    "dial": "Three curves of expected reward against the round, and three of p-mean "
    "regret against p from minus 10 to 1, for UCB1, Explore-Then-UCB and NCB: the "
    "further left, the larger the regret of UCB1, whose first rounds are served badly.",
    "period": "Left, the paper's bound and Theorem U with the same exploration against "
    "the horizon, on logarithmic axes: the paper's falls more slowly. Right, the part "
    "of the horizon that the paper explores: it falls, too. Ten arms, p equal minus 1.",
    "households": "Four bars, what four households get: 10, 10, 10 and 2. At p equal 1 "
    "the level of the p-mean is 8 and every household has a quarter of the attention. "
    "At p equal minus 1 the level has sunk to 5, and the fourth household has 89 per "
    "cent of the attention.",
    "laboratory": "Expected reward of each round, and p-mean regret against p, for "
    "UCB1, Explore-Then-UCB and NCB on five Bernoulli arms: UCB1 serves its first "
    "rounds badly and regrets most at very negative p, NCB explores most of the time.",
}
STYLE = "explorer.css"


def script(kind: str) -> str:
    """The name of the script that a page with such an explorer loads."""
    return f"explorer-{kind}.js"


class Explorer(SphinxDirective):
    """``:::{explorer} dial``, with settings to begin with; its text is the caption."""

    required_arguments = 1
    has_content = True
    option_spec = dict.fromkeys(("name", *(k for s in START.values() for k in s)), str)

    def run(self) -> list[nodes.Node]:
        kind = self.arguments[0]
        if kind not in START:
            raise self.error(f"explorer must be one of {sorted(START)}, got {kind!r}")
        options = {k: v for k, v in self.options.items() if k != "name"}
        settings = "".join(f' data-{k}="{html.escape(v)}"' for k, v in options.items())
        box = nodes.container(classes=["explorer-box"], ids=[self.options["name"]])
        box["explorer"] = kind
        box += nodes.raw(
            "",
            f'<div class="explorer" data-explorer="{kind}"{settings}>'
            f"<noscript><p>{WORDS[kind]}</p></noscript></div>",
            format="html",
        )
        caption = nodes.container(classes=["explorer-caption"])
        self.state.nested_parse(self.content, self.content_offset, caption)
        box += caption
        return [box]


class Lab(SphinxRole):
    """``{lab}`words <reduction>```: a link to the laboratory that shows its point."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        words, _, chapter = self.text.rpartition("<")
        words, chapter = words.strip(), chapter.removesuffix(">")
        try:
            tail = laboratory.address(chapter)
        except KeyError:
            message = f"the laboratory shows nothing for {chapter!r}"
            return [], [self.inliner.reporter.error(message, line=self.lineno)]
        target = f"{laboratory.PAGE}.html#{tail}"
        return [nodes.reference("", words, refuri=target, internal=True)], []


def load_scripts(app, pagename, templatename, context, doctree) -> None:
    """Load the scripts of the explorers on this page, and their style."""
    boxes = doctree.findall(nodes.container) if doctree else ()
    kinds = dict.fromkeys(box["explorer"] for box in boxes if "explorer" in box)
    for kind in kinds:
        app.add_js_file(script(kind), loading_method="defer")
    if kinds:
        app.add_css_file(STYLE)


def write_scripts(app: Sphinx) -> None:
    """Write a script for each kind of explorer."""
    if app.builder.name == "html":
        static = Path(app.outdir) / "_static"
        static.mkdir(parents=True, exist_ok=True)
        generated = explorer_modules.modules()
        for kind in START:
            text = bundle(f"explorers/{kind}.js", generated)
            (static / script(kind)).write_text(text, "utf8")


def setup(app: Sphinx) -> None:
    app.add_directive("explorer", Explorer)
    app.add_role("lab", Lab())
    app.connect("html-page-context", load_scripts)
    app.connect("builder-inited", write_scripts)
