"""`make stills`: photograph the explorers, for notebooks, which cannot show them.

Each is pictured as its page opens, without scripts of the reader's own; the result is
committed.
"""

import sys
from io import BytesIO
from pathlib import Path

from PIL import Image

from bookkit import reading
from bookkit.make import chromium
from bookkit.notebook import STILLS

SIZE = {"width": 1100, "height": 900}
COLOURS = 64


def main(html: Path) -> None:
    """Write a picture for each explorer of the pages that were built into a folder."""
    STILLS.mkdir(exist_ok=True)
    with chromium.browser() as browser:
        page = browser.new_page(viewport=SIZE, reduced_motion="reduce")
        for chapter in reading.read().chapters:
            for _, block in chapter.blocks("explorer"):
                page.goto((html / "chapters" / f"{chapter.name}.html").as_uri())
                page.wait_for_function(chromium.DRAWN, timeout=120_000)
                drawn = page.locator(f"#{block.label} .explorer").screenshot()
                picture = Image.open(BytesIO(drawn)).convert("RGB").quantize(COLOURS)
                picture.save(STILLS / f"{block.label}.png", optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
