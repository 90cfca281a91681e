"""What is shown where something is cited."""

from bookkit.sphinx import hover_cards


def test_cards_show_what_is_cited_without_its_ids():
    page = (
        '<div class="proof" id="lem"><div><p>A <a href="#x" id="y">word</a></p></div>'
        '</div><figure id="fig"><img/><figcaption>Seen.</figcaption></figure>'
        '<section id="one"><span id="two"></span><h2>Name</h2><p>First.</p><p>No.</p>'
        '</section><table><tr><td><p><span id="row">false</span> this</p></td>'
        "<td><p>that</p></td></tr></table>"
    )
    assert hover_cards.card(page, "lem") == (
        '<div class="proof"><div><p>A <span>word</span></p></div></div>'
    )
    assert hover_cards.card(page, "fig") == "<figcaption>Seen.</figcaption>"
    section = "<p><strong>Name</strong></p><p>First.</p>"
    assert hover_cards.card(page, "one") == hover_cards.card(page, "two") == section
    assert hover_cards.card(page, "row") == "<p><span>false</span> this</p><p>that</p>"
    assert hover_cards.card(page, "none") == ""
    links = '<a class="reference internal" href="b.html#c"></a>'
    assert hover_cards.cited(f"{links}<article>{links}</article>{links}") == [
        ("b.html", "c")
    ]


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
