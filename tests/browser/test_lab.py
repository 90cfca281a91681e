"""The notebooks in a real JupyterLab: text, formulas and pictures."""

import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep
from typing import NamedTuple
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from bookkit import ipynb
from bookkit.make import notebooks

SOURCES = dict(notebooks.sources())
SVG = "image/svg+xml"
ALL_THERE = """([n, typeset]) => {
    const cells = document.querySelectorAll(".jp-Notebook .jp-Cell");
    const texts = [...document.querySelectorAll(".jp-Notebook .jp-MarkdownCell")];
    const words = text => {
        const copy = text.cloneNode(true);
        copy.querySelectorAll("code, mjx-container").forEach(e => e.remove());
        return copy.textContent;
    };
    const formulas = document.querySelector(".jp-Notebook mjx-container");
    return cells.length === n && (formulas || !typeset) && texts.every(cell => {
        const text = cell.querySelector(".jp-RenderedMarkdown");
        return text?.childElementCount && !words(text).includes("$");
    });
}"""
SHOWN = """() => {
    const book = document.querySelector(".jp-Notebook");
    const code = ".jp-InputArea-editor, .jp-RenderedText, code, pre, mjx-assistive-mml";
    const page = book.cloneNode(true);
    page.querySelectorAll(code).forEach(e => e.remove());
    page.querySelectorAll("mjx-container").forEach(e => e.remove());
    const red = book.querySelectorAll("mjx-merror, mjx-mtext[style*=red]");
    return {
        text: page.textContent,
        errors: [...red].map(e => e.textContent),
        pictures: book.querySelectorAll(".jp-OutputArea img").length,
        broken: [...book.querySelectorAll("img")].filter(e => !e.naturalWidth).length,
    };
}"""
RAW = re.compile(r"\{[\w:]+\}`|:{3,}|\$\$|^:\w+:|\]\(#|\bdetails>", re.M)
SETTINGS = {
    "notebook-extension/tracker": {"windowingMode": "none"},  # every cell
    "apputils-extension/notification": {"fetchNews": "false"},
}


class Lab(NamedTuple):
    """A JupyterLab that runs, and the folder that it shows."""

    address: str
    book: Path


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """The address of a JupyterLab that shows the notebooks of the book."""
    home = tmp_path_factory.mktemp("lab")
    notebooks.write(home / "book")
    for name, values in SETTINGS.items():
        file = home / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(values), "utf8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folders = {f"JUPYTER_{kind}_DIR": str(home / kind) for kind in ("CONFIG", "DATA")}
    folders |= {"JUPYTERLAB_SETTINGS_DIR": str(home / "settings")}
    folders |= {"JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces")}
    options = [f"--port={port}", f"--notebook-dir={home / 'book'}"]
    options += ["--no-browser", "--allow-root", "--IdentityProvider.token="]
    server = subprocess.Popen(
        [sys.executable, "-m", "jupyterlab", *options],
        env=os.environ | folders, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        address = f"http://127.0.0.1:{port}"
        wait_for(f"{address}/api")
        yield Lab(address, home / "book")
    finally:
        server.kill()  # asked politely, it may wait for ever
        server.wait()


def wait_for(address: str) -> None:
    end = monotonic() + 60
    while monotonic() < end:
        try:
            return urlopen(address, timeout=5).close()
        except (URLError, ConnectionError):
            sleep(0.1)
    return pytest.fail("JupyterLab did not start within a minute")


@pytest.mark.parametrize("name", notebooks.numbered(list(SOURCES)).values())
def test_jupyterlab_shows_text_formulas_and_pictures(lab, browser, name):
    cells = ipynb.load(lab.book / name)["cells"]
    texts = ["".join(c["source"]) for c in cells if c["cell_type"] == "markdown"]
    expected = [len(cells), any("$" in text for text in texts)]
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{lab.address}/lab/tree/{name}?reset")
        page.wait_for_function(ALL_THERE, arg=expected, timeout=120_000)
        shown = page.evaluate(SHOWN)
    drawn = sum(SVG in o.get("data", {}) for c in cells for o in c.get("outputs", []))
    assert RAW.findall(shown["text"]) == []
    assert shown["errors"] == []
    assert shown["broken"] == 0
    assert shown["pictures"] == drawn
