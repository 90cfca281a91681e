"""Sphinx extension of the book: one style sheet and one script for all pages.

The theme and the extensions bring some thirty files, most of them for what this book
does not have. What every page would load is joined here into two files; of the style
sheets those rules stay that can match, because every name in their selector occurs on a
page or in a script. What one page needs (an explorer, the search) it loads beside them.
"""

import posixpath
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import maths

STYLES = ("styles/theme.css", "styles/pydata-sphinx-theme.css")  # before all others
SCRIPTS = ("scripts/bootstrap.js", "scripts/pydata-sphinx-theme.js")  # after them
UNUSED = re.compile(
    r"(?i)thebe|design-tabs|fontawesome|sphinx_highlight|^(None)? DOCUMENTATION_OPTIONS"
)
# A comment, a string, an address or a brace: no brace within one of the others counts
STRING = r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'"
TOKEN = re.compile(
    rf"/\*.*?\*/|{STRING}|url\(\s*(?:{STRING}|[^)'\"]*)\s*\)|[{{}};]", re.S
)
NAME = re.compile(r"[\w-]*[a-zA-Z][\w-]*")
ADDRESS = re.compile(r"url\(\s*(['\"]?)(?!data:|#)([^)'\"]+)\1\s*\)")
IMPORT = re.compile(r"@import\s+(?:url\()?[\"']?([^\"')]+)[\"']?\)?\s*;")
SOURCE = re.compile(r'<script[^>]* src="([^"?]+)')
GROUPS = ("@media", "@supports", "@layer", "@container")
ICONS = "Awesome"  # the theme's font of icons: the book draws its own
FAMILY = re.compile(r"font-family:\s*[\"']?([^;\"']+)")


# -- style sheets --------------------------------------------------------------------


def read_style(static: Path, name: str) -> str:
    """A style sheet with those it imports, and addresses as seen from `static`."""
    folder = posixpath.dirname(name)

    def beside(path: str) -> str:
        return posixpath.normpath(posixpath.join(folder, path))

    text = (static / name).read_text("utf8")
    text = ADDRESS.sub(lambda m: f'url("{beside(m[2])}")', text)
    return IMPORT.sub(lambda m: read_style(static, beside(m[1])), text)


def rules(css: str) -> Iterator[tuple[str, str | None]]:
    """The rules of a style sheet without comments: what stands before { and within.

    A statement that ends in a semicolon has nothing within.
    """
    depth = start = inner = 0
    head = ""
    for token in TOKEN.finditer(css):
        if token[0] == "{":
            if depth == 0:
                head, inner = css[start : token.start()], token.end()
            depth += 1
        elif token[0] == "}":
            depth -= 1
            if depth == 0:
                yield head.strip(), css[inner : token.start()].strip()
                start = token.end()
        elif token[0] == ";" and depth == 0:
            yield css[start : token.end()].strip(), None
            start = token.end()


def without_comments(css: str) -> str:
    return TOKEN.sub(lambda m: "" if m[0].startswith("/*") else m[0], css)


def split_at(text: str, sign: str) -> list[str]:
    """Parts of a selector; a sign within brackets parts nothing."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        if letter == sign and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def can_match(selector: str, names: set[str]) -> bool:
    """Whether all that a selector names occurs; conditions in brackets do not count."""
    outside = re.sub(r"\[[^]]*\]", "", selector)
    while (shorter := re.sub(r"\([^()]*\)", "", outside)) != outside:
        outside = shorter  # the innermost brackets first
    return set(NAME.findall(re.sub(r"::?[\w-]+", "", outside))) <= names


def families(css: str) -> Iterator[str]:
    """The fonts for which a rule asks."""
    for asked in FAMILY.findall(css):
        yield from asked.split(",")


def shake(css: str, names: set[str]) -> str:
    """The rules that can match something called by a name, and their fonts."""
    kept, fonts = [], []
    for head, body in rules(css):
        if body is None:
            continue
        if head.startswith("@font-face"):
            fonts.append(body)
            continue
        if head.startswith(GROUPS):
            body = shake(body, names)
        elif not head.startswith("@"):
            head = ",".join(s for s in split_at(head, ",") if can_match(s, names))
        if head and body:
            kept.append(f"{head}{{{body}}}")
    asked = {font.strip("\"' ") for css in kept for font in families(css)}
    for font in fonts:
        name = FAMILY.search(font)[1]
        if name in asked and ICONS not in name:
            kept.append(f"@font-face{{{font}}}")
    return "\n".join(kept)


# -- the two files -------------------------------------------------------------------


def files(assets: Iterable) -> list:
    """Of what all pages would load that which is used, by priority."""
    used = (a for a in assets if not UNUSED.search(f"{a.filename} {body(a)}"))
    return sorted(used, key=lambda a: (bool(a.filename), a.priority))


def body(asset) -> str:
    """What stands in the page itself: options of scripts, which come before them."""
    return asset.attributes.get("body", "")


def name(asset) -> str:
    return str(asset.filename).removeprefix("_static/")


def join(app, exception) -> None:
    """Write both files, after all pages and scripts have been written."""
    written = hasattr(app.builder, "_orig_js_files")  # else no page is new
    if exception or app.builder.name != "html" or not written:
        return
    out, static = Path(app.outdir), Path(app.outdir) / "_static"
    scripts = [
        (static / name(f)).read_text("utf8") if f.filename else body(f)
        for f in files(app.builder._orig_js_files)
    ]
    scripts += [(static / name).read_text("utf8") for name in SCRIPTS]
    (static / "all.js").write_text("\n;\n".join(scripts), "utf8")
    styles = [read_style(static, name) for name in STYLES]
    styles.append(maths.style(app))
    styles += [read_style(static, name(f)) for f in files(app.builder._orig_css_files)]
    css = re.sub(r"\s+", " ", without_comments("\n".join(styles)))
    css = maths.lean(shake(css, names_in(out)))
    (static / "all.css").write_text(css, "utf8")


def names_in(out: Path) -> set[str]:
    """All that occurs on a page, or in a script that one loads or may load later."""
    pages = [p for p in out.rglob("*.html") if "_static" not in p.parts]
    texts = {page: page.read_text("utf8") for page in pages}
    for page, text in list(texts.items()):
        for src in SOURCE.findall(text):
            script = (page.parent / src).resolve()
            if script.is_file():
                texts[script] = script.read_text("utf8")
    for script in out.rglob("*.js"):
        if "_static" not in script.parts:
            texts[script] = script.read_text("utf8")
    return {name for text in texts.values() for name in NAME.findall(text)}


def leave_own(app, pagename, templatename, context, doctree) -> None:
    """Of what a page would load, leave that which is its own."""
    builder = app.builder
    shared = {
        "css_files": builder._orig_css_files,
        "script_files": builder._orig_js_files,
    }
    for kind, every in shared.items():
        context[kind] = files(f for f in context[kind] if f not in every)


def setup(app):
    app.connect("html-page-context", leave_own, priority=950)
    app.connect("build-finished", join, priority=950)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
