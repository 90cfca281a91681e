"""A real browser for the built book, over http and from the folder itself."""

import sys
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import NamedTuple

import pytest
from reader import HTML, ROOT, SCREENS

sys.path.insert(0, str(ROOT / "chapters" / "_tools"))
import chromium


def pytest_configure(config):
    if not chromium.program():
        pytest.exit(chromium.MISSING, returncode=2)
    if not chromium.pages(HTML):
        pytest.exit("The book is not built: make book", returncode=2)


def pytest_generate_tests(metafunc):
    """A test that asks for `path` is run for every page of the book."""
    if "path" in metafunc.fixturenames:
        paths = [p.relative_to(HTML).as_posix() for p in chromium.pages(HTML)]
        metafunc.parametrize("path", paths)


class Visit(NamedTuple):
    """An open page, what it loaded, and what went wrong so far."""

    page: object
    loaded: list[str]
    complaints: list[str]

    def resize(self, screen: str) -> None:
        width, height = SCREENS[screen]
        self.page.set_viewport_size({"width": width, "height": height})


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


@pytest.fixture(scope="session")
def address() -> Iterator[dict[str, str]]:
    """Where the book starts, for each kind of address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(HTML)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield {
        "http": f"http://127.0.0.1:{server.server_port}/",
        "file": HTML.as_uri() + "/",
    }
    server.shutdown()


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    with chromium.browser() as running:
        yield running


@pytest.fixture
def page_at(browser, address) -> Iterator[Callable[..., Visit]]:
    """Open a page as a reader does: kind of address, path, screen and scheme."""
    contexts = []

    def open_page(kind: str, path: str, screen="wide", scheme="light") -> Visit:
        width, height = SCREENS[screen]
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme
        )
        contexts.append(context)
        visit = Visit(context.new_page(), [], [])
        _listen(visit, address[kind])
        visit.page.goto(address[kind] + path, wait_until="load")
        if missing := chromium.untypeset(visit.page):
            visit.complaints.append(f"{missing} formulas are not typeset")
        return visit

    yield open_page
    for context in contexts:
        context.close()


def _listen(visit: Visit, home: str) -> None:
    """Collect what the page loads and every error it makes on the way."""
    page, complain = visit.page, visit.complaints.append

    def request(r):
        visit.loaded.append(r.url.split("?")[0].split("#")[0])
        if not r.url.startswith((home, "data:", "blob:")):
            complain(f"foreign request: {r.url}")

    def response(r):
        if r.status >= 400:
            complain(f"status {r.status}: {r.url}")

    def console(m):
        if m.type in ("error", "warning"):
            complain(f"console {m.type}: {m.text} ({m.location['url']})")

    page.on("request", request)
    page.on("requestfailed", lambda r: complain(f"failed request: {r.url}"))
    page.on("response", response)
    page.on("console", console)
    page.on("pageerror", lambda e: complain(f"script error: {e}"))
