"""Formulas typeset by the build, and the one style sheet: what stays and what goes."""

import re
import sys
from base64 import b64decode, b64encode
from io import BytesIO
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

sys.path.insert(0, str(Path(__file__).parents[1] / "chapters" / "_ext"))
import assets
import maths


@pytest.fixture(scope="module")
def mathjax():
    running = maths.Typesetter({"E": r"\mathbb{E}"})
    yield running
    running.close()


def letters(html: str) -> str:
    """What a screen reader finds: the text of the MathML."""
    mathml = re.search(r"<math.*</math>", html, re.S)[0]
    return re.sub(r"<[^>]+>", "", mathml)


def test_a_formula_is_drawn_and_can_be_read_aloud(mathjax):
    html = mathjax.typeset(r"\E[\mu_{I_t}] \le 1", False)
    assert letters(html) == "E[μIt]≤1"
    assert 'mathvariant="double-struck"' in html  # the macro
    assert html.count("<mjx-c ") == 8
    assert "display" not in re.search("<mjx-container[^>]*>", html)[0]
    assert 'display="true"' in mathjax.typeset("x", True)


@pytest.mark.parametrize(
    ("tex", "reason"),
    [(r"\undefined", "Undefined control sequence"), ("{x", "close brace")],
)
def test_a_mistake_in_a_formula_is_named(mathjax, tex, reason):
    with pytest.raises(ValueError, match=reason):
        mathjax.typeset(tex, False)


@pytest.mark.parametrize(
    ("text", "nowrap", "tex"),
    [
        ("x = 1", False, "x = 1"),
        (r"x \\ y", False, r"\begin{split}x \\ y\end{split}"),
        ("x\n\ny", False, r"\begin{align}\begin{aligned}x\\y\end{aligned}\end{align}"),
        (r"\begin{align}x \\ y\end{align}", True, r"\begin{align}x \\ y\end{align}"),
    ],
)
def test_displays_of_several_lines(mathjax, text, nowrap, tex):
    assert maths.display_source(text, nowrap) == tex
    assert letters(mathjax.typeset(tex, True)).startswith("x")


def test_a_font_has_the_letters_that_are_written_and_no_others():
    fonts = maths.mathjax() / "output" / "chtml" / "fonts" / "woff-v2"
    whole = (fonts / "MathJax_Math-Italic.woff").read_bytes()
    css = '.a::before{content: "k"} .b::before{content: "\\3BB "} @font-face{src: url("'
    css += f'{maths.WOFF}{b64encode(whole).decode()}") format("woff");}}'
    lean = maths.lean(css)
    assert lean == maths.lean(css) == maths.lean(lean)
    assert len(lean) < len(css) / 4
    assert maths.EMBEDDED.sub("", lean) == maths.EMBEDDED.sub("", css)
    few = TTFont(BytesIO(b64decode(maths.EMBEDDED.search(lean)[0])))
    many = TTFont(BytesIO(whole))
    assert set(few.getBestCmap()) == {ord("k"), 0x3BB} < set(many.getBestCmap())
    for code, name in few.getBestCmap().items():
        assert few["hmtx"][name] == many["hmtx"][many.getBestCmap()[code]]
    other = css.replace('"k"', '"0"').replace("3BB", "30")  # no letters of this font
    assert maths.lean(other) == other


def test_rules_are_parted_at_braces_that_count():
    css = """a { color: red } @import "x.css"; /* } */
    b::before { content: "}"; background: url("data:,(})") }
    @media print { a { x: y } b { x: y } }"""
    assert list(assets.rules(assets.without_comments(css))) == [
        ("a", "color: red"),
        ('@import "x.css";', None),
        ("b::before", 'content: "}"; background: url("data:,(})")'),
        ("@media print", "a { x: y } b { x: y }"),
    ]


@pytest.mark.parametrize(
    ("selector", "matches"),
    [
        (".here", True),
        (".gone", False),
        ("p.here > .gone", False),
        ("p:not(.gone)", True),
        (".here:is(.gone, :not(.lost))::before", True),
        ('p[data-kind="gone"]', True),
        ("*", True),
        (":root", True),
    ],
)
def test_a_rule_stays_if_it_can_match(selector, matches):
    assert assets.can_match(selector, {"here", "p"}) == matches


def test_shaking_keeps_what_is_used_and_its_fonts():
    css = """@font-face { font-family: "Kept Font"; src: url(a) }
    @font-face { font-family: Lost; src: url(b) }
    .here, .gone { font-family: "Kept Font", serif }
    .gone { font-family: Lost }
    @font-face { font-family: Font Awesome; src: url(c) }
    .here { font-family: Font Awesome }
    @media print { .gone { x: y } }
    @media screen { .gone { x: y } .here { x: y } }
    @page { margin: 0 }"""
    shaken = assets.shake(css, {"here"})
    assert list(assets.rules(shaken)) == [
        (".here", 'font-family: "Kept Font", serif'),
        (".here", "font-family: Font Awesome"),
        ("@media screen", ".here{x: y}"),
        ("@page", "margin: 0"),
        ("@font-face", 'font-family: "Kept Font"; src: url(a)'),
    ]


def test_a_style_sheet_brings_those_it_imports(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "a.css").write_text('@import "../b.css"; a { b: url(c.png) }')
    (tmp_path / "b.css").write_text("b { c: url('deep/d.png') url(data:,x) }")
    assert assets.read_style(tmp_path, "deep/a.css") == (
        'b { c: url("deep/d.png") url(data:,x) } a { b: url("deep/c.png") }'
    )
