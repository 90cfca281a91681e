"""The laboratory's bandits are those of the chapters, and so are the links to it."""

import runpy
from urllib.parse import parse_qsl

import pytest

from bookkit import config, markdown, reading
from bookkit.assets import laboratory


def test_the_laboratory_has_the_arms_of_the_chapters():
    made, T = laboratory.instances(), laboratory.HORIZON
    at = {key: list(map(float, made[key]["at"]["arms"].split())) for key in made}
    rates = runpy.run_path(str(config.ROOT / "chapters" / "_data" / "rates.py"))
    for key, other in rates["OTHERS"].items():
        assert at[key] == pytest.approx([other(T, 10)] * 9 + [rates["BEST"]], abs=1e-6)
    assert at["queue"] == list(laboratory.QUEUE)
    for key, means in at.items():
        assert 2 <= len(means) <= laboratory.MOST_ARMS, key
        assert all(0 <= mean <= 1 for mean in means)


def test_a_link_to_the_laboratory_says_only_what_its_fields_know():
    start = laboratory.START
    linked = set()
    for chapter in reading.read().chapters:
        linked |= set(markdown.roles(chapter.text, "lab"))
    theorems = "reduction optimism algorithm good_event unified positive_p nash "
    assert linked >= {*theorems.split(), "negative_p", "limits"}
    for name in linked:
        box, _, tail = laboratory.address(name).partition("?")
        told = dict(parse_qsl(tail, strict_parsing=True))
        assert box == laboratory.BOX
        assert set(told) <= set(start)
        assert told
