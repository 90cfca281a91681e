"""The book as its model reads it, and its pages as they are built."""

import pytest

from bookkit import built, config, model, reading

HTML = config.ROOT / "_build" / "html"


@pytest.fixture(scope="session")
def book() -> model.Book:
    return reading.read()


@pytest.fixture(scope="session")
def boxes(book) -> dict[str, model.Box]:
    """By chapter, what it says at its head; pages to look things up have no box."""
    return {c.name: c.box for c in book.chapters if c.box and c.box.says_needs}


@pytest.fixture(scope="session")
def pages() -> dict[str, str]:
    """By file the HTML of each page with solutions: `make test` built them before."""
    found = built.pages(HTML)
    return {p.relative_to(HTML).as_posix(): p.read_text("utf8") for p in found}


@pytest.fixture
def nowhere(monkeypatch) -> pytest.MonkeyPatch:
    """No address of a repository or a site is known, wherever the tests run."""
    for key in ("BOOK_REPOSITORY_URL", "BOOK_SITE_URL", "GITHUB_REPOSITORY"):
        monkeypatch.delenv(key, raising=False)
    return monkeypatch
