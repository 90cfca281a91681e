"""The advice as one HTML file that needs nothing else: for a browser, or a phone."""

import base64
import html
import io

from matplotlib import pyplot as plt

from pmeanlib import figures
from pmeanlib.advice.tell import Section

STYLE = """
:root { color-scheme: light dark; --line: #8d919855; }
body { font: 1rem/1.55 system-ui, sans-serif; margin: 0 auto; max-width: 46rem;
  padding: 1rem; }
h1 { font-size: 1.5rem; line-height: 1.25; }
h2 { font-size: 1.15rem; margin-top: 2.2rem; }
section:first-of-type { border-left: 4px solid #2f8fd0; padding-left: 1rem; }
section:first-of-type h2 { margin-top: 0; }
img { display: block; height: auto; margin: 1rem 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem;
  font-variant-numeric: tabular-nums; }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .6rem; text-align: right;
  white-space: nowrap; }
th:first-child { min-width: 6rem; text-align: left; white-space: normal; }
img { max-width: min(100%, 30rem); width: 100%; }
"""


def page(title: str, sections: list[Section]) -> str:
    """The whole report; every word of the file is escaped."""
    name = html.escape(title)
    body = "".join(map(_section, sections))
    head = '<meta name="viewport" content="width=device-width, initial-scale=1">'
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">{head}'
        f"<title>{name}</title><style>{STYLE}</style></head>\n"
        f"<body><main><h1>{name}</h1>\n{body}</main></body></html>\n"
    )


def _section(section: Section) -> str:
    parts = [f"<h2>{html.escape(section.title)}</h2>"]
    parts += [f"<p>{html.escape(sentence)}</p>" for sentence in section.sentences]
    if section.draw:
        parts.append(_figure(section))
    if section.table:
        label = html.escape(section.title)
        focus = f'tabindex="0" role="region" aria-label="{label}, table"'
        parts.append(f'<div class="wide" {focus}>{section.table._repr_html_()}</div>')
    return "<section>" + "\n".join(parts) + "</section>\n"


def _figure(section: Section) -> str:
    figures.use_style()
    rows = len(section.table.rows) if section.table else 0
    figure, ax = plt.subplots(figsize=(4.8, max(2.8, 0.3 * rows + 0.8)))
    if section.draw:
        section.draw(ax)
    drawn = io.BytesIO()
    figure.savefig(drawn, format="svg", metadata={"Date": None})
    plt.close(figure)
    data = base64.b64encode(drawn.getvalue()).decode()
    alt = html.escape(section.alt, quote=True)
    return f'<img src="data:image/svg+xml;base64,{data}" alt="{alt}">'
