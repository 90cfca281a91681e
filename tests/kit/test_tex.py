"""Formulas as words."""

import re

import pytest

from bookkit.tex import readable

FORMULAS = {
    r"\tilde T": "T̃",
    r"\mu^*": "μ*",
    r"\hat\mu_{i,s}": "μ̂_(i,s)",
    r"\E[\mu_{I_t}]": "E[μ_I_t]",
    r"\tfrac18": "1/8",
    r"\frac{a+b}{2k}": "(a+b)/(2 k)",
    r"\sqrt{\log T/n_i}": "√(log T/n_i)",
    r"R_T^{\,p}\le\lambda_p(x_0)\,R_T^{\,1}": "R_T^p ≤ λ_p(x_0)R_T^1",
    r"20{,}000": "20,000",
    r"kT\cdot2T^{-3}": "k T·2 T^-3",
    r"\begin{aligned}&a\\&b\end{aligned}": "a b",
    r"\mathrm{NR}_T": "NR_T",
    r"R^{\text{ex ante}}": "R^(ex ante)",
    r"\Big(\frac1T\sum_t u_t^{\,p}\Big)^{1/p}": "(1/T ∑_t u_t^p)^(1/p)",
    r"p'\to-\infty": "p′ → -∞",
    r"\{1,\dots,k\}": "{1,…,k}",
}


@pytest.mark.parametrize(("tex", "words"), FORMULAS.items())
def test_a_formula_becomes_a_line_that_can_be_read(tex, words):
    assert readable(tex) == words


def test_every_formula_of_the_book_loses_its_markup(book):
    formulas = set()
    for chapter in book.chapters:
        for cell in filter(lambda cell: cell.is_text, chapter.cells):
            text = re.sub(r"(?s)```.*?```|`[^`\n]*`", "", cell.text)
            formulas.update(re.findall(r"(?s)\$\$(.+?)\$\$", text))
            text = re.sub(r"(?s)\$\$.+?\$\$", "", text)
            formulas.update(re.findall(r"(?s)\$([^$]+)\$", text))
    assert len(formulas) > 1_000
    read = {f: readable(f) for f in formulas}
    assert not {f: w for f, w in read.items() if "\\" in w}
    assert {f for f, w in read.items() if not w} == {r"\square", r"\blacksquare"}
