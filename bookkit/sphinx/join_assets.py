"""Sphinx extension of the book: one style sheet and one script for all pages.

The theme and the extensions bring some thirty files, and a page would wait for each:
they are joined, less the rules of style that cannot match (`purge`). What one page
needs (an explorer, the search) it loads beside them.
"""

import posixpath
import re
from pathlib import Path

from bookkit import compat
from bookkit.assets import purge

STYLES = ("basic.css", "styles/pydata-sphinx-theme.css")  # before all others
SCRIPTS = ("scripts/bootstrap.js", "scripts/pydata-sphinx-theme.js")  # after them
UNUSED = re.compile(r"thebe|design-tabs|sphinx_highlight|DOCUMENTATION_OPTIONS\.")
ADDRESS = re.compile(r"url\(\s*(['\"]?)(?!data:|#)([^)'\"]+)\1\s*\)")


def files(assets) -> list:
    """Those that are used, each once, by priority; words in the page itself first."""
    once = {f"{a.filename} {body(a)}": a for a in assets}
    used = (asset for name, asset in once.items() if not UNUSED.search(name))
    return sorted(used, key=lambda a: (bool(a.filename), a.priority))


def body(asset) -> str:
    """The text of a script that stands in the page itself, or nothing."""
    return asset.attributes.get("body", "")


def name(asset) -> str:
    """The file of an asset, as seen from the folder `_static`."""
    return str(asset.filename).removeprefix("_static/")


def read_style(static: Path, name: str) -> str:
    """A style sheet with addresses as seen from `static`."""
    folder = posixpath.dirname(name)

    def moved(match: re.Match) -> str:
        return f'url("{posixpath.normpath(posixpath.join(folder, match[2]))}")'

    return ADDRESS.sub(moved, (static / name).read_text("utf8"))


def join(app, exception) -> None:
    """Write both files, after all others have been written."""
    shared = None if exception else compat.shared_assets(app)
    if not shared:
        return
    static = Path(app.outdir) / "_static"
    styles = [*STYLES, *map(name, files(shared.styles))]
    css = "\n".join(read_style(static, style) for style in styles)
    scripts = [
        (static / name(f)).read_text("utf8") if f.filename else body(f)
        for f in files(shared.scripts)
    ]
    scripts += [(static / script).read_text("utf8") for script in SCRIPTS]
    (static / "all.js").write_text("\n;\n".join(scripts), "utf8")
    css = purge.purged(css, purge.words(static.parent))
    (static / "all.css").write_text(css, "utf8")


def leave_own(app, pagename, templatename, context, doctree) -> None:
    """Let a page load only its own files beside the shared two."""
    both = compat.shared_assets(app)
    shared = [*both.styles, *both.scripts] if both else []
    for kind in ("css_files", "script_files"):
        context[kind] = files(f for f in context[kind] if f not in shared)


def setup(app):
    app.connect("html-page-context", leave_own, priority=950)
    app.connect("build-finished", join, priority=950)
