"""The terms of the book: each leads to a chapter, and is used."""

import re

from bookkit import markdown, model
from bookkit.sphinx import hover_cards

BOOK = model.read()
SOURCE = BOOK.page("glossary").text
BLOCKS = "\n".join(b.body for b in markdown.directives(SOURCE) if b.name == "glossary")
ENTRIES = [
    (names.splitlines(), text)
    for names, text in re.findall(r"^((?:\S.*\n)+)  (.*)$", BLOCKS, re.M)
]


def test_an_entry_is_a_term_of_its_own_and_leads_to_a_chapter():
    terms = [term for names, _ in ENTRIES for term in names]
    assert len(set(terms)) == len(terms) > 60
    for names, text in ENTRIES:
        assert markdown.roles(text, "ref", "prf:ref"), names


def test_every_entry_is_used_in_a_chapter_and_in_none_twice():
    homes = {term.lower(): names[0] for names, _ in ENTRIES for term in names}
    used = set()
    for chapter in BOOK.chapters:
        roles = markdown.roles(chapter.text, "term")
        found = [homes[role.replace("’", "'").lower()] for role in roles]
        assert len(set(found)) == len(found), chapter.name
        used |= set(found)
    assert used == set(homes.values())


def test_a_card_has_the_term_and_its_definition():
    page = (
        '<dl class="glossary"><dt id="term-a">arm<a class="headerlink" href="#x">#</a>'
        '</dt><dt id="term-b">lever</dt><dd><p>One of <a href="y">k</a>.</p></dd></dl>'
    )
    assert hover_cards.card(page, "term-a") == (
        "<p><strong>arm</strong></p><p>One of <span>k</span>.</p>"
    )
    assert hover_cards.card(page, "term-b").endswith("<p>One of <span>k</span>.</p>")
    link = '<a class="reference internal" href="glossary.html#term-a"></a>'
    assert hover_cards.cited(link) == [("glossary.html", "term-a")]
