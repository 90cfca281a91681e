"""The terms of the book: each leads to a chapter, and is used."""

import re

from bookkit import markdown, reading

BOOK = reading.read()
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
