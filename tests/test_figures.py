"""Tables: their text, their HTML, and what stands in a cell."""

import re

import numpy as np
import pytest

import pmeanlib as pm
from pmeanlib.figures import table, thin


def test_a_table_as_text_and_as_html():
    shown = table({"p": "g", "regret": ".3f"}, [(0, 0.12), (-1, 0.5)], "by p < 1")
    assert repr(shown) == "by p < 1\np   regret\n0    0.120\n-1   0.500"
    html = shown._repr_html_()
    assert "<caption>by p &lt; 1</caption>" in html
    assert html.count('<th scope="col">') == html.count('<th scope="row">') == 2
    assert "<td>0.500</td>" in html
    assert '<th scope="row">\N{MINUS SIGN}1</th>' in html


@pytest.mark.parametrize(
    ("value", "spec", "text"),
    [(True, "", "yes"), (np.False_, ".2f", "no"), (None, "d", "–"), ("x", ".2f", "x"),
     (1234567, ",", "1,234,567"), (pm.Estimate(0.5, 0.25, 0.6), ".2f", "0.50 ± 0.25")],
)  # fmt: skip
def test_what_stands_in_a_cell(value, spec, text):
    shown = table({"first": "", "second": spec}, [("row", value)])
    assert repr(shown).splitlines()[1].split(None, 1)[1] == text


@pytest.mark.parametrize(
    ("text", "html"),
    [("-1e-09", "−1e−09"), ("-inf", "−inf"), ("1 - y", "1 − y"), ("<b>", "&lt;b&gt;"),
     ("p = -0.5", "p = −0.5"), ("2025-01", "2025-01"), ("Then-UCB", "Then-UCB")],
)  # fmt: skip
def test_minus_signs_are_long_and_markup_is_text(text, html):
    row = table({"first": ""}, [(text,)])._repr_html_()
    assert re.search('<th scope="row">(.*)</th>', row)[1] == html


def test_a_short_row_is_refused():
    with pytest.raises(ValueError, match="zip"):
        table({"a": "", "b": ""}, [("x",)])


def test_thin_keeps_the_average():
    x = np.random.default_rng(1).random(5000)
    t, means = thin(x)
    assert t[0] == 1
    assert np.all(np.diff(t) > 0)
    assert means[0] == x[0]
    assert abs(means.mean() - x.mean()) < 0.1
