"""The built pages of the book."""

from pathlib import Path

LEADS = '<meta http-equiv="refresh"'


def pages(html: Path) -> list[Path]:
    """Every page in a folder, without those that only lead on, as the first."""
    files = sorted(p for p in html.rglob("*.html") if "_static" not in p.parts)
    return [p for p in files if LEADS not in p.read_text("utf8")]


def article(page: str) -> str:
    """The text of a page, without what all pages have around it."""
    start, end = page.find("<article"), page.rfind("</article>")
    return page[max(start, 0) : end if end >= 0 else len(page)]
