"""Formulas typeset by the build, and their style sheet."""

import re
from base64 import b64decode, b64encode
from io import BytesIO

import pytest
from fontTools.ttLib import TTFont

from bookkit.assets import typeset


@pytest.fixture(scope="module")
def mathjax():
    running = typeset.Typesetter()
    yield running
    running.close()


def letters(html: str) -> str:
    """What a screen reader finds: the text of the MathML."""
    mathml = re.search(r"<math.*</math>", html, re.S)[0]
    return re.sub(r"<[^>]+>", "", mathml)


def test_a_formula_is_drawn_and_can_be_read_aloud(mathjax):
    html = mathjax.typeset(r"\mathbb E[\mu_{I_t}] \le 1", False)
    assert letters(html) == "E[μIt]≤1"
    assert 'mathvariant="double-struck"' in html
    assert html.count("<mjx-c ") == 8
    assert "display" not in re.search("<mjx-container[^>]*>", html)[0]
    assert 'display="true"' in mathjax.typeset("x", True)


def test_the_style_sheet_has_the_letters_of_the_formulas_and_their_fonts():
    running = typeset.Typesetter()
    running.typeset("x", False)
    few = typeset.style(running)
    running.typeset(r"\sqrt{y}", False)
    more = typeset.style(running)
    running.close()
    assert "mjx-c1D466" in more  # an italic y
    assert "mjx-c1D466" not in few
    fonts = re.findall(r"font-family: (\w+(?:-\w+)?);\s*src: url\(.data:", more)
    assert fonts == ["MJXZERO", "MJXTEX", "MJXTEX-I"]
    assert typeset.FONT.search(more) is None


@pytest.mark.parametrize(
    ("tex", "reason"),
    [(r"\undefined", "Undefined control sequence"), ("{x", "close brace")],
)
def test_a_mistake_in_a_formula_is_named(mathjax, tex, reason):
    with pytest.raises(ValueError, match=reason):
        mathjax.typeset(tex, False)


def test_a_font_has_the_letters_that_are_written_and_no_others():
    fonts = typeset.mathjax() / "output" / "chtml" / "fonts" / "woff-v2"
    whole = (fonts / "MathJax_Math-Italic.woff").read_bytes()
    css = '.a::before{content: "k"} .b::before{content: "\\3BB "} @font-face{src: url("'
    css += f'{typeset.WOFF}{b64encode(whole).decode()}") format("woff");}}'
    lean = typeset.subset_fonts(css)
    assert lean == typeset.subset_fonts(css) == typeset.subset_fonts(lean)
    assert len(lean) < len(css) / 4
    assert typeset.EMBEDDED.sub("", lean) == typeset.EMBEDDED.sub("", css)
    few = TTFont(BytesIO(b64decode(typeset.EMBEDDED.search(lean)[0])))
    many = TTFont(BytesIO(whole))
    assert set(few.getBestCmap()) == {ord("k"), 0x3BB} < set(many.getBestCmap())
    for code, name in few.getBestCmap().items():
        assert few["hmtx"][name] == many["hmtx"][many.getBestCmap()[code]]
    other = css.replace('"k"', '"0"').replace("3BB", "30")  # no letters of this font
    assert typeset.subset_fonts(other) == other
