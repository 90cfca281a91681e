"""A real browser for the built book, over http and from the folder itself."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from reader import HTML, Visit, chromium, heard

from bookkit import built


def pytest_configure(config):
    if not chromium.program():
        pytest.exit(chromium.MISSING, returncode=2)
    if not built.pages(HTML):
        pytest.exit("The book is not built: make book", returncode=2)


def pytest_generate_tests(metafunc):
    """A test that asks for `path` is run for every page of the book.

    The longest pages come first, lest one worker reads one while the others are done.
    """
    if "path" in metafunc.fixturenames:
        pages = sorted(built.pages(HTML), key=lambda p: -p.stat().st_size)
        paths = [p.relative_to(HTML).as_posix() for p in pages]
        metafunc.parametrize("path", paths)


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
            stack.enter_context(heard(visit, address[kind]))
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
            stack.enter_context(heard(visit, address[kind]))
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
