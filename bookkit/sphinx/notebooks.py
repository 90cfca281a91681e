"""Sphinx extension of the book: behind each page's download button, a plain notebook.

When the pages are written, all references are resolved. What they say is kept in
`places.json` beside Sphinx's own pickles, for whoever makes such notebooks without
building pages, and each source behind a page is replaced by its translation
(`bookkit.notebook`), beside the stored results.
"""

import json
import shutil
from collections import ChainMap
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from docutils import nodes
from sphinx import addnodes

from bookkit import ipynb
from bookkit.notebook import readable, results
from bookkit.repository import repository, site
from bookkit.sphinx.search import names_of
from bookkit.translate import KEPT, Place, Places

ROLES = {"std:ref": "ref", "std:numref": "numref", "std:term": "term", "math:eq": "eq"}


def resolved(app) -> Iterator[tuple[str, Place]]:
    """Each role with its target, and where it leads."""
    env = app.env
    for page in sorted(env.found_docs):
        for node in env.get_doctree(page).findall(addnodes.pending_xref):
            if node["reftype"] not in ("ref", "numref", "term", "eq", "t", "p"):
                continue
            domain, kind, target = node["refdomain"], node["reftype"], node["reftarget"]
            role = ROLES.get(f"{domain}:{kind}", f"{domain}:{kind}")
            link = env.domains[domain].resolve_xref(
                env, "start", app.builder, kind, target, node, node[0].deepcopy()
            )
            if link is not None:
                first = next(iter(link.findall(nodes.reference)))
                page_of, _, _ = first.get("refuri", "").partition(".html")
                yield f"{role} {target}", Place(Path(page_of).name, link.astext())


def names(app) -> Iterator[tuple[str, str]]:
    """What statements, exercises, figures and equations are called, by their labels."""
    for page in sorted(app.env.found_docs):
        numbers = ChainMap(*app.env.toc_fignumbers.get(page, {}).values())
        for label in _equations(app.env, page):
            yield label, _dotted(numbers[f"equation-{nodes.make_id(label)}"])
        for node in app.env.get_doctree(page).findall(nodes.Element):
            kind, called, _ = names_of(node)
            if kind in ("statement", "exercise", "figure") and node["ids"]:
                label = node.get("label") or (node["names"] or node["ids"])[0]
                number = _dotted(numbers.get(node["ids"][0], ()))
                name = f"{called.replace('Figure', 'Fig.')} {number}".strip()
                yield label, app.config.statement_names.get(label, name)
            elif "erratum" in node.get("classes", []):
                yield node["ids"][0], "Erratum"


def _equations(env, page: str) -> list[str]:
    equations = env.get_domain("math").equations
    return [label for label, (home, _) in equations.items() if home == page]


def _dotted(number: tuple[int, ...]) -> str:
    return ".".join(map(str, number))


def works(app) -> Iterator[tuple[str, str]]:
    """What the bibliography says of each work, by its key."""
    page = next(p for p in app.env.found_docs if p.endswith("bibliography"))
    for work in app.env.get_and_resolve_doctree(page, app.builder).findall(
        nodes.citation
    ):
        label, text = work[0].astext(), "".join(map(_markdown, work[1].children))
        yield work["ids"][0].removeprefix("work-"), f"[{label}] {text}"


def _markdown(node: nodes.Node) -> str:
    text = node.astext()
    if isinstance(node, nodes.reference):
        return f"[{text}]({node['refuri']})"
    return f"*{text}*" if isinstance(node, nodes.emphasis) else text


def places(app) -> Places:
    """What the builder has resolved."""
    called = dict(names(app))
    found = {
        key: Place(place.page, called.get(key.partition(" ")[2], place.words))
        if not key.startswith("eq ")
        else place
        for key, place in resolved(app)
    }
    return Places(found, called, dict(works(app)), site(), repository())


def finish(app, exception) -> None:
    """Keep the places; translate the sources behind the pages, beside their data."""
    if exception or app.builder.name != "html":
        return
    known = places(app)
    kept = Path(app.doctreedir, KEPT.name)
    kept.write_text(json.dumps(asdict(known), ensure_ascii=False, indent=1), "utf8")
    sources = sorted(Path(app.outdir, "_sources").rglob("*.ipynb"))
    files = {path.stem: path.name for path in sources}
    for path in sources:
        text = readable(ipynb.load(path), path.stem, known, files)
        path.write_text(ipynb.dump(text), "utf8")
    data = Path(app.outdir, "_sources", "chapters", "_data")
    data.mkdir(exist_ok=True)
    for path in results():
        shutil.copy(path, data)


def setup(app):
    app.connect("build-finished", finish, priority=900)
