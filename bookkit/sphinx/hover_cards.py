"""Sphinx extension of the book: what is cited, to be shown where it is cited.

For every page of the book one small classic script has the statements, equations,
captions, works, terms, rows of the errata and beginnings of sections that links on any
page lead to. `tips.js` loads it when a reader first stays on such a link, from file://
too. (By hand, as sphinx-tippy asks the network while building, and its pages load
scripts from another site.)
"""

import html
import json
import re
from collections import defaultdict
from pathlib import Path

from bookkit.built import article

FOLDER = "tips"  # in _static
LINK = re.compile(r'<a class="reference internal" href="([^"#:]*)#([^"]+)"')
NEEDLESS = re.compile(
    r'<a class="headerlink".*?</a>|<(details|button|script|svg)\b.*?</\1>'
    r'| (?:id|tabindex|aria-labelledby|aria-describedby)="[^"]*"',
    re.S,
)


def cited(page: str) -> list[tuple[str, str]]:
    """Where links in the text lead: a file, or nothing for the same one, and an id."""
    return LINK.findall(article(page))


def element(page: str, tag: str, start: int) -> str:
    """The element that begins at this place, whole."""
    depth = 0
    for match in re.compile(rf"<(/?){tag}\b[^>]*>").finditer(page, start):
        depth += -1 if match[1] else 1
        if depth == 0:
            return page[start : match.end()]
    return ""


def first(kind: str, text: str) -> str:
    """The first element whose opening tag begins like this, or nothing."""
    match = re.search(rf"<{kind}\b", text)
    if not match:
        return ""
    return element(text, re.split(r"\W", match[0][1:])[0], match.start())


def card(page: str, label: str, description: str = "") -> str:
    """What a reader wants to see of the thing with this id, or nothing."""
    match = re.search(rf'<(\w+)\b[^<>]*\bid="{re.escape(label)}"[^<>]*>', page)
    if not match:
        return ""
    opening, tag, start = match[0], match[1], match.start()
    whole = element(page, tag, start)
    if tag == "span":
        return around(page, start, description)
    if tag == "section":
        return beginning(whole, description)
    if tag == "details":
        words = first('span class="sd-summary-text', whole)
        return bare(f"<p><strong>{words}</strong></p>{first('p', whole)}")
    if tag == "figure":
        return bare(first("figcaption", whole))
    if "explorer-box" in opening:
        return bare(first('div class="[^"]*explorer-caption', whole))
    if tag == "dt":
        summary = bare(first("p", page[start + len(whole) :]))
        name = bare(re.sub(r"^<dt[^>]*>|</dt>$", "", whole))
        if "sig-object" in opening:
            return f'<p class="sig">{name}</p>{summary}'
        return f"<p><strong>{name}</strong></p>{summary}"
    return bare(whole) if tag in ("div", "p") else ""


def around(page: str, start: int, description: str) -> str:
    """The row of the table, or the section, in which a label stands."""
    row, section = page.rfind("<tr", 0, start), page.rfind("<section", 0, start)
    if row > max(section, page.rfind("</tr>", 0, start)):
        return bare("".join(re.findall(r"<p>.*?</p>", element(page, "tr", row), re.S)))
    return beginning(element(page, "section", section), description)


def beginning(section: str, description: str) -> str:
    """The heading of a section and its first paragraph; of a page, what it is about."""
    heading = first("h[1-6]", section)
    words = re.sub(r"^<[^>]*>|<[^>]*>$", "", heading)
    text = first("p", section[section.find(heading) + len(heading) :])
    if heading.startswith("<h1"):
        text = f"<p>{html.escape(description)}</p>"
    return bare(f"<p><strong>{words}</strong></p>{text}")


def bare(text: str) -> str:
    """Without ids, which are the page's own, and without anything to press."""
    text = NEEDLESS.sub("", text)
    return re.sub(r"</a>", "</span>", re.sub(r"<a\b[^>]*>", "<span>", text)).strip()


def write_cards(app, exception) -> None:
    """Write the scripts, from the pages as they are."""
    if exception or app.builder.name != "html":
        return
    start = Path(app.outdir, app.config.root_doc).parent
    pages = {p.name: p.read_text("utf8") for p in sorted(start.glob("*.html"))}
    wanted: dict[str, set[str]] = defaultdict(set)
    for file, page in pages.items():
        for target, label in cited(page):
            wanted[target or file].add(html.unescape(label))
    folder = Path(app.outdir, "_static", FOLDER)
    folder.mkdir(parents=True, exist_ok=True)
    for file, labels in wanted.items():
        stem = Path(file).stem
        about = app.config.page_descriptions.get(stem, "")
        texts = {
            x: card(pages[file], x, about) for x in sorted(labels) if file in pages
        }
        cards = {label: text for label, text in texts.items() if text}
        script = f"bookTips({json.dumps(stem)}, {json.dumps(cards)});\n"
        (folder / f"{stem}.js").write_text(script, "utf8")


def setup(app):
    app.connect("build-finished", write_cards, priority=950)
