"""Chromium, as the tests and the PDF use it: the system's own, and offline."""

import os
import shutil
import sys
from contextlib import contextmanager

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
]
MISSING = (
    "Chromium was not found. Install it (apt-get install chromium) "
    "or name the program of one: CHROMIUM=/path/to/chromium make ..."
)
# Whether every explorer is drawn
DRAWN = """() => [...document.querySelectorAll(".explorer")]
    .every(e => "ready" in e.dataset)"""
TYPESET = """async () => {
    await document.fonts.ready;
    return [...document.querySelectorAll(".math")]
        .filter(e => !e.querySelector("mjx-container")).length;
}"""


def program() -> str | None:
    """Where Chromium is: what CHROMIUM names, else the one on the path."""
    return shutil.which(os.environ.get("CHROMIUM") or "chromium")


@contextmanager
def browser():
    """A headless Chromium that can reach nothing but this machine."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program(), args=FLAGS)
        yield chromium
        chromium.close()


def untypeset(page) -> int:
    """How many formulas are not typeset when the fonts have come."""
    return page.evaluate(TYPESET)


if __name__ == "__main__" and not program():
    print(MISSING, file=sys.stderr)
    sys.exit(2)
