"""Formulas and the punctuation that belongs to them."""

from docutils import nodes

from bookkit.sphinx import keep_punctuation


def test_a_formula_keeps_its_punctuation_and_no_other_text_changes():
    words = ["Let (", "x", ", ", "y", ", ", "z", "-th) and ", "x", ". "]
    kinds = [nodes.Text, lambda tex: nodes.math(tex, tex)]
    line = nodes.paragraph()
    line += [kinds[i % 2](word) for i, word in enumerate(words)]
    for formula in list(line.findall(nodes.math)):
        keep_punctuation.bind(formula)
    assert line.astext() == "".join(words)
    pieces = [p.astext() for p in line.findall(nodes.inline)]
    assert pieces == ["(x,", "y,", "z-", "x."]
