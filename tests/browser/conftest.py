"""A real browser for the built book, over http and from the folder itself."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
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
    """A test that asks for `path` is run for every page of the book.

    The longest pages come first, lest one worker reads one while the others are done.
    """
    if "path" in metafunc.fixturenames:
        pages = sorted(chromium.pages(HTML), key=lambda p: -p.stat().st_size)
        paths = [p.relative_to(HTML).as_posix() for p in pages]
        metafunc.parametrize("path", paths)


def pytest_terminal_summary(terminalreporter):
    """How the pages opened, on a processor slowed down: figures, no verdict on time."""
    told = [
        told
        for report in terminalreporter.stats.get("passed", [])
        for told in report.user_properties
    ]
    rows = [value for name, value in told if name == "opened"]
    if rows:
        line = "{:28} {:>8} {:>8} {:>8} {:>7} {:>22}".format
        terminalreporter.section("how the pages open, at a quarter of the processor")
        head = ("page", "formulas", "requests", "kB", "shift", "maths after paint")
        terminalreporter.write_line(line(*head))
        for row in sorted(rows, key=lambda r: -r["formulas"]):
            late = row["maths"] - row["paint"]
            after = f"{late:.0f} ms, {late / row['paint']:.2f} of paint"
            size, moved = f"{row['bytes'] / 1000:.0f}", f"{row['shift']:.3f}"
            cells = (row["page"], row["formulas"], row["requests"], size, moved, after)
            terminalreporter.write_line(line(*cells))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """One test after the other to whichever worker is free, but the PDF to one alone.

    All its tests read the same print. (`--dist loadgroup` should do this, but the marks
    of groups are lost between pytest 9.2 and xdist 3.8: every worker prints.)
    """
    from xdist.scheduler import LoadScopeScheduling

    class Shared(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.split("::")[0]
            return file if file.endswith("test_pdf.py") else nodeid

    return Shared(config, log)


class Visit(NamedTuple):
    """An open page, what it loaded, and what went wrong so far."""

    page: object
    loaded: list[str]
    complaints: list[str]

    def resize(self, screen: str) -> None:
        width, height = SCREENS[screen]
        self.page.set_viewport_size({"width": width, "height": height})

    def go(self, url: str, screen: str, scheme: str) -> None:
        """Load a page on a screen of this size, with its fonts."""
        self.resize(screen)
        self.page.emulate_media(media="null", color_scheme=scheme)
        self.page.goto(url, wait_until="load")
        if missing := chromium.untypeset(self.page):
            self.complaints.append(f"{missing} formulas are not typeset")


class _Quiet(SimpleHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/favicon.ico":  # asked for where a tab forgets, on a picture
            self.send_response(204)
            self.end_headers()
        else:
            super().do_GET()

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


@pytest.fixture(scope="session")
def warm_tabs(browser) -> dict[str, object]:
    """The tab for each kind of address in which this worker reads page after page.

    Half of what it costs to open a page is to start a process for it and to compile
    the theme's scripts in there; a tab that stays has done both.
    """
    return {}


@pytest.fixture
def page_at(browser, address, warm_tabs) -> Iterator[Callable[..., Visit]]:
    """Open a page as a reader does: kind of address, path, screen and scheme.

    The page is loaded anew for every test, in a tab that remembers nothing of what
    was read in it before. Only where the pointer rests it cannot forget: a test that
    uses the mouse asks for `fresh_page_at`.
    """
    with ExitStack() as stack:

        def open_page(kind: str, path: str, screen="wide", scheme="light") -> Visit:
            if kind not in warm_tabs:
                warm_tabs[kind] = browser.new_context().new_page()
                warm_tabs[kind].on("crash", lambda _: warm_tabs.pop(kind, None))
            _forget(warm_tabs[kind], address[kind])
            visit = Visit(warm_tabs[kind], [], [])
            stack.enter_context(_heard(visit, address[kind]))
            visit.go(address[kind] + path, screen, scheme)
            return visit

        yield open_page


@pytest.fixture
def fresh_page_at(browser, address) -> Iterator[Callable[..., Visit]]:
    """As `page_at`, but in a new tab, with an empty cache: as on a first visit."""
    with ExitStack() as stack:

        def open_page(kind: str, path: str, screen="wide", scheme="light") -> Visit:
            context = stack.enter_context(browser.new_context())
            visit = Visit(context.new_page(), [], [])
            stack.enter_context(_heard(visit, address[kind]))
            visit.go(address[kind] + path, screen, scheme)
            return visit

        yield open_page


def _forget(tab, home: str) -> None:
    """Leave the page that was read last, and lose what it stored.

    A page may store something while it is left, so this happens where nothing runs,
    on a picture; one of the same site, which may do so and keeps the tab's process.
    """
    tab.goto(home + "_static/logo.svg")
    tab.evaluate("localStorage.clear(); sessionStorage.clear()")
    tab.context.clear_cookies()


@contextmanager
def _heard(visit: Visit, home: str) -> Iterator[None]:
    """Collect what the page loads and every error it makes on the way."""
    complain = visit.complaints.append

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

    def failed(r):
        if (
            r.failure != "net::ERR_ABORTED"
        ):  # so ends what a page that is left had begun
            complain(f"failed request: {r.url} ({r.failure})")

    ears = {
        "request": request,
        "requestfailed": failed,
        "response": response,
        "console": console,
        "pageerror": lambda e: complain(f"script error: {e}"),
    }
    for event, ear in ears.items():
        visit.page.on(event, ear)
    yield
    for event, ear in ears.items():
        visit.page.remove_listener(event, ear)
