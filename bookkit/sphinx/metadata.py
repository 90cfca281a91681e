"""Sphinx extension of the book: how its pages are found and shared.

Where the address of the site is known, social previews have a picture. The address of a
page that is gone leads to another page (`moved_pages`). (By hand, as
sphinxext-opengraph garbles formulas in descriptions, and its build without a network
fails on an SVG logo.)
"""

import html
import re
from collections.abc import Mapping
from os.path import relpath
from pathlib import Path

from sphinx.util.osutil import relative_uri

from bookkit.assets import social_card
from bookkit.repository import site

NOT_FOUND = """
<h1>There is no such page</h1>
<p>Perhaps it has moved. The table of contents is at the side, the search field above
it, and the book begins <a href="{start}">here</a>.</p>
"""
LEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="0; url={start}">
{tags}
</head>
<body><main><p><a href="{start}">{title}</a></p></main></body>
</html>
"""
UNLISTED = '<meta name="robots" content="noindex">'


def tell_address(app, config) -> None:
    """Let Sphinx know where the pages will be."""
    config.html_baseurl = site()


def describe(app, pagename, templatename, context, doctree) -> None:
    """Description and social preview of a page, from `page_descriptions`."""
    title = plain(context.get("title") or app.config.html_title)
    text = app.config.page_descriptions.get(pagename.rpartition("/")[2])
    context["metatags"] = context.get("metatags", "") + tags(title, text, pagename)
    if pagename == "404" and site():
        context["metatags"] = f'<base href="{site()}">' + context["metatags"]


def tags(title: str, text: str | None, pagename: str) -> str:
    """The <meta> elements of a page."""
    named = {"og:type": "website", "og:title": title, "twitter:card": "summary"}
    if text:
        named |= {"description": text, "og:description": text}
    if site():
        named |= {
            "og:url": f"{site()}{pagename}.html",
            "og:image": f"{site()}_static/card.png",
            "twitter:card": "summary_large_image",
        }
    return "".join(
        f'<meta {"property" if name.startswith("og:") else "name"}="{name}"'
        f' content="{html.escape(value)}">\n'
        for name, value in named.items()
    )


def plain(title: str) -> str:
    """A title without markup."""
    return re.sub(r"\\[()]", "", html.unescape(re.sub(r"<[^>]+>", "", title)))


def not_found(app):
    """The page that servers show for a wrong address."""
    start = relative_uri("404.html", f"{app.config.root_doc}.html")
    body = NOT_FOUND.format(start=start)
    yield "404", {"title": "Page not found", "body": body}, "page.html"


def add_entrances(app, exception) -> None:
    """A proper first page, a picture for previews, and what leads on from old pages."""
    if exception or app.builder.name != "html":
        return
    out, start = Path(app.outdir), f"{app.config.root_doc}.html"
    title = app.config.html_title
    text = app.config.page_descriptions["index"]
    page = LEAD.format(title=title, start=start, tags=tags(title, text, "index"))
    (out / "index.html").write_text(page, "utf8")
    social_card.draw(out / "_static" / "card.png")
    redirect(out, app.config.moved_pages, title)
    (out / ".nojekyll").touch()  # GitHub Pages would drop folders that begin with _


def redirect(out: Path, moved: Mapping[str, str], title: str) -> None:
    """In the place of each page that is gone, one that leads on."""
    for old, new in moved.items():
        start = relpath(new, Path(old).parent)
        lead = LEAD.format(title=title, start=start, tags=UNLISTED)
        (out / old).write_text(lead, "utf8")


def setup(app):
    app.add_config_value("page_descriptions", {}, "html")
    app.add_config_value("moved_pages", {}, "html", dict)
    app.connect("config-inited", tell_address, priority=900)
    app.connect("html-collect-pages", not_found)
    app.connect("html-page-context", describe)
    app.connect("build-finished", add_entrances, priority=900)
