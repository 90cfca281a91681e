"""The whole book at a glance: `make contact-sheet` photographs every page and figure.

The pages as strips, on a wide screen in light and in dark and on a phone, and all
figures in both colour schemes; each is one picture, and `index.html` shows them all.
"""

import sys
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageDraw

import chromium

SCREENS = {  # width and height of the screen, its colours, the width of a strip
    "wide": (1280, 900, "light", 260),
    "dark": (1280, 900, "dark", 260),
    "phone": (390, 844, "light", 130),
}
FIGURES = "article figure, article .explorer-box"
WIDTH, MARGIN, LABEL = 1920, 12, 16  # pixels: of a sheet, around strips, for names
LOOSE = ".bd-header-article, .skip-link { visibility: hidden; }"  # float over figures
QUIET = "* { transition: none !important; animation: none !important; }"
Picture = tuple[str, Image.Image]


def open_pages(browser, html: Path, screen: str) -> Iterator[tuple[str, object]]:
    """Every chapter, loaded on such a screen, after its explorers have drawn."""
    width, height, scheme, _ = SCREENS[screen]
    size = {"width": width, "height": height}
    context = browser.new_context(viewport=size, color_scheme=scheme)
    tab = context.new_page()
    for path in sorted((html / "chapters").glob("*.html")):
        tab.goto(path.as_uri(), wait_until="load")
        tab.add_style_tag(content=QUIET)
        tab.wait_for_timeout(300)
        yield path.stem, tab
    context.close()


def photograph(shot: bytes, width: int) -> Image.Image:
    """A screenshot, made this wide."""
    picture = Image.open(BytesIO(shot)).convert("RGB")
    height = max(1, round(picture.height * width / picture.width))
    return picture.resize((width, height), Image.Resampling.LANCZOS)


def pages(browser, html: Path, screen: str) -> Iterator[Picture]:
    width = SCREENS[screen][-1]
    for name, tab in open_pages(browser, html, screen):
        yield name, photograph(tab.screenshot(full_page=True), width)


def figures(browser, html: Path, screen: str) -> Iterator[Picture]:
    width = SCREENS[screen][-1]
    for name, tab in open_pages(browser, html, screen):
        tab.add_style_tag(content=LOOSE)
        for figure in tab.locator(FIGURES).all():
            if figure.is_visible():
                yield name, photograph(figure.screenshot(), width)


def sheet(pictures: Iterable[Picture]) -> Image.Image:
    """Pictures of one width, each below its name, in columns of about one length."""
    shown = list(pictures)
    width = shown[0][1].width
    columns = WIDTH // (width + MARGIN)
    tops = [MARGIN] * columns
    places = []
    for _, picture in shown:
        column = tops.index(min(tops))
        places.append((MARGIN + column * (width + MARGIN), tops[column]))
        tops[column] += LABEL + picture.height + MARGIN
    paper = Image.new("RGB", (WIDTH, max(tops)), "#888")
    pen = ImageDraw.Draw(paper)
    for (name, picture), (x, y) in zip(shown, places, strict=True):
        pen.text((x, y), name, fill="white")
        paper.paste(picture, (x, y + LABEL))
    return paper


def main(html: Path, out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    with chromium.browser() as browser:
        sheets = {f"pages-{s}": pages(browser, html, s) for s in SCREENS}
        sheets |= {f"figures-{s}": figures(browser, html, s) for s in SCREENS}
        for name, pictures in sheets.items():
            sheet(pictures).save(out / f"{name}.png")
            print(f"{name}.png", flush=True)
    shown = "".join(f'<h2>{n}</h2><img src="{n}.png" alt="{n}">' for n in sheets)
    style = (
        "<style>body { background: #888; color: white; font: 1rem sans-serif }</style>"
    )
    page = f"<!DOCTYPE html><title>The book at a glance</title>{style}{shown}"
    (out / "index.html").write_text(page, "utf8")
    print(f"The whole book at a glance: {out / 'index.html'}")


if __name__ == "__main__":
    main(*(Path(name).resolve() for name in sys.argv[1:3]))
