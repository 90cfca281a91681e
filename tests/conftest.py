"""One generator for every test that needs luck, no progress bars, and how nbval
compares figures: word for word, but numbers within half a point, because the last digit
of a logarithm may differ between processors, and names that are made from such numbers
by their order."""

import os
import re

import numpy as np
import pytest
from hypothesis import settings
from nbval.plugin import IPyNbCell

os.environ["TQDM_DISABLE"] = "1"  # notebook kernels inherit it
settings.register_profile("book", derandomize=True, deadline=None, database=None)
settings.load_profile("book")


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20250225)


NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
BITMAP = re.compile(r"data:image/png;base64,[^\"]*")
MADE_NAME = re.compile(r"\b(?:[pmh]|C\w+_)[0-9a-f]{10}\b")  # a hash of what it names


def renamed(svg: str) -> str:
    """The text with made names numbered in the order in which they come."""
    names = dict.fromkeys(MADE_NAME.findall(svg))
    order = {name: f"name{n}" for n, name in enumerate(names)}
    return MADE_NAME.sub(lambda found: order[found[0]], svg)


def same_drawing(one: str, other: str) -> bool:
    """Whether two SVG texts differ in nothing but numbers, and those by at most 0.5."""
    one, other = (renamed(BITMAP.sub("", text)) for text in (one, other))
    if NUMBER.sub("", one) != NUMBER.sub("", other):
        return False
    numbers = [np.array(NUMBER.findall(text), float) for text in (one, other)]
    return bool(np.all(np.abs(numbers[0] - numbers[1]) <= 0.5))


def compare_outputs(self, test, ref, skip_compare=None):
    """As nbval does, after taking figures that agree for the same."""
    for new, old in zip(test, ref):
        drawn = [x.get("data", {}).get("image/svg+xml", "") for x in (new, old)]
        if all(drawn) and same_drawing(*drawn):
            new["data"]["image/svg+xml"] = drawn[1]
    return strictly(self, test, ref, skip_compare)


strictly, IPyNbCell.compare_outputs = IPyNbCell.compare_outputs, compare_outputs
