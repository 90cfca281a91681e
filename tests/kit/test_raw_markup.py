"""Raw markup on a page is noticed."""

import pytest

from bookkit.sphinx.raw_markup import raw_markup


@pytest.mark.parametrize(
    "text",
    ["{prf:ref}`lem-x`", ":::{prf:lemma}", "$$ x $$", r"\(x\)", r"\begin{align}"],
)
def test_raw_markup_is_noticed_outside_of_code_only(text):
    assert raw_markup(f"<p>{text}</p>")
    assert not raw_markup(f"<pre>{text}</pre>")
