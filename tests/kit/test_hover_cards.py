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
