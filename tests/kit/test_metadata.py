"""How the pages are described and shared, and where old addresses lead."""

from pathlib import Path

from bookkit import config
from bookkit.config import CONFIG
from bookkit.sphinx import launch, metadata


def test_no_address_is_made_up(nowhere):
    assert launch.repository() == metadata.site() == ""
    assert "http" not in metadata.tags("A title", "Words", "chapters/nash")


def test_addresses_come_from_the_environment(nowhere):
    nowhere.setenv("GITHUB_REPOSITORY", "someone/book")
    assert launch.repository() == "https://github.com/someone/book"
    assert metadata.site() == "https://someone.github.io/book/"
    nowhere.setenv("BOOK_REPOSITORY_URL", "https://example.org/r")
    nowhere.setenv("BOOK_SITE_URL", "https://example.org")
    assert launch.repository() == "https://example.org/r"
    found = metadata.tags('Say "p"', "Words", "chapters/nash")
    assert 'content="https://example.org/chapters/nash.html"' in found
    assert 'content="https://example.org/_static/card.png"' in found
    assert "Say &quot;p&quot;" in found


def test_a_page_that_is_gone_leads_to_one_that_is_there(tmp_path):
    (tmp_path / "chapters").mkdir()
    moved = {"chapters/old.html": "chapters/new.html#part", "old.html": "a/new.html"}
    metadata.redirect(tmp_path, moved, "The book")
    for old, new in {"chapters/old": "new.html#part", "old": "a/new.html"}.items():
        page = (tmp_path / f"{old}.html").read_text("utf8")
        assert f'http-equiv="refresh" content="0; url={new}"' in page
        assert f'<a href="{new}">The book</a>' in page
        assert 'content="noindex"' in page
    sources = {p.stem for p in (config.ROOT / "chapters").iterdir()}
    for old, new in CONFIG["sphinx"]["config"]["moved_pages"].items():
        assert Path(old).stem not in sources
        assert Path(new.partition("#")[0]).stem in sources
