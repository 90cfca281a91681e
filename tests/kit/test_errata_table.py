"""The table of the chapter `errata`, as the page sorts it and links to it."""

import re

ROW = re.compile(r"\| \[\*\*(\w+)\*\*\]\{#(errata-[a-z0-9-]+)\} .+ \| .+ \|")
SEVERITY = {"false", "unproved", "loose", "misprint", "improvement"}


def test_every_row_has_a_severity_and_an_id(book):
    """The page itself: one of five words and an id of its own at the head of a row."""
    text = book.chapter("errata").text
    lines = [line for line in text.split("\n") if line[:1] == "|"]
    rows = [x for x in lines if x[:4] not in ("| th", "|---")]
    found = [ROW.fullmatch(row) for row in rows]
    assert len(rows) > 60
    assert [row for row in rows if not ROW.fullmatch(row)] == []
    assert {match[1] for match in found} == SEVERITY
    assert len({match[2] for match in found}) == len(rows)
