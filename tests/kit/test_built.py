"""The built pages: they lead somewhere, and have what no script must bring."""

import json
import posixpath
import re
from html import unescape
from urllib.parse import unquote, urlsplit

import pytest

from bookkit import config, ipynb

HTML = config.ROOT / "_build" / "html"
NO_NOTEBOOKS = ("api", "bibliography", "glossary", "self_test")


def values(page, *names):
    """The values of attributes, in order; what stands in scripts has none."""
    page = re.sub(r"(?s)(<script\b[^>]*>).*?</script>", r"\1", page)
    found = re.findall(rf'\s(?:{"|".join(names)})="([^"]+)"', page)
    return [unescape(value) for value in found]


@pytest.fixture(scope="module")
def chapters(pages):
    return {path: page for path, page in pages.items() if path.startswith("chapters/")}


def test_every_link_and_anchor_within_the_book_exists(pages):
    ids = {path: set(values(page, "id", "name")) for path, page in pages.items()}
    links = {
        (p, href) for p, page in pages.items() for href in values(page, "href", "src")
    }
    assert len(links) > 500
    broken = []
    for path, href in links:
        to = urlsplit(href)
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), to.path))
        place = path if not to.path else unquote(target)
        anchor = unquote(to.fragment).split("?")[0]  # behind it an explorer's state
        if to.scheme or to.netloc:
            good = to.scheme in ("https", "http", "mailto")
        elif place in ids:
            good = not anchor or anchor in ids[place]
        else:
            good = (HTML / place).is_file() and not anchor
        if not good:
            broken.append(f"{path}: {href}")
    assert not broken, "\n".join(broken)


def test_every_link_in_a_text_has_a_card_that_is_loaded_with_its_page(chapters):
    cards = {}
    for path in (HTML / "_static" / "tips").glob("*.js"):
        cards[path.stem] = json.loads(path.read_text("utf8").partition(", ")[2][:-3])
    link = re.compile(r'<a class="reference internal" href="(?:(\w+)\.html)?#([^"?]+)"')
    missing = [
        (path, label)
        for path, page in chapters.items()
        for name, label in link.findall(page.partition("<article")[2])
        if not label.startswith("tab-")  # a whole table is too wide for a card
        and unescape(label) not in cards[name or path[9:-5]]
    ]
    assert not missing


def test_no_two_elements_of_a_page_have_one_id(pages):
    for path, page in pages.items():
        ids = values(page, "id")
        assert len(ids) == len(set(ids)), path


def test_every_page_can_be_named_and_described_and_left(chapters):
    titles = {re.search(r"<title>(.+?)</title>", page)[1] for page in chapters.values()}
    assert len(titles) == len(chapters)
    for path, page in chapters.items():
        assert re.search(r'<meta name="description" content="[^"]{30,}"', page), path
        assert re.search(r'<link rel="icon" href="[^"]+logo.svg"', page), path
        assert 'title="previous page"' in page or "index" in path
        assert 'title="next page"' in page or "bibliography" in path
    assert "There is no such page" in (HTML / "404.html").read_text("utf8")
    assert "url=chapters/index.html" in (HTML / "index.html").read_text("utf8")


def test_a_notebook_can_be_downloaded_from_its_page(chapters):
    names = {path[9:-5] for path in chapters}
    for name in names - set(NO_NOTEBOOKS):
        source = f"_sources/chapters/{name}.ipynb"
        assert f'href="../{source}"' in chapters[f"chapters/{name}.html"]
        assert ipynb.cells(ipynb.load(HTML / source))


def test_without_scripts_words_stand_where_an_explorer_will_be(chapters, book):
    place = re.compile(r'(?s)<div class="explorer"[^>]*>(.*?)</div>')
    found = [place.search(page) for page in chapters.values()]
    words = [re.sub(r"<[^>]*>", "", text[1]).strip() for text in found if text]
    assert len(words) == sum(any(c.blocks("explorer")) for c in book.chapters) > 0
    assert min(map(len, words)) > 60
