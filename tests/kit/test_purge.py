"""Style sheets without what cannot match."""

from bookkit.assets import purge


def test_a_rule_stays_if_one_of_its_selectors_can_match():
    css = """
    /* gone */ .used, .other .used { color: red }
    a:not(.other) > #here { content: "} .x {" }
    .used.other { top: 0 }
    @media (width > 9px) { .other { left: 0 } p { left: 1px } }
    @media print { .other { left: 0 } }
    @font-face { font-family: "Font Awesome 6 Free" }
    @font-face { font-family: Own }
    """
    assert purge.purged(css, {"used", "here"}).split("\n") == [
        ".used{color: red}",
        'a:not(.other) > #here{content: "} .x {"}',
        "@media (width > 9px) {p{left: 1px}}",
        "@font-face { font-family: Own }",
    ]
