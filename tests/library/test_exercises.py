"""What `pm.check` says of right and of wrong answers, and that it tells no more."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import pmeanlib as pm
from pmeanlib import exercises

STORED = exercises.stored()


def said(name, answer):
    """What is said of a wrong answer."""
    verdict = pm.check(name, answer)
    assert not verdict
    assert verdict.words != "Right."
    return repr(verdict)


def entry(value, figures):
    """What is stored of a right answer of one's own."""
    x = np.asarray(value, float)
    told = {"asks": "something", "figures": figures, "shape": list(x.shape)}
    told["right"] = exercises.hashed("own", x, figures)
    if figures > 1:
        told["close"] = exercises.hashed("own", x, figures - 1)
    return told


@pytest.fixture
def asked(monkeypatch):
    """Ask an exercise of one's own, with a fast hash."""
    monkeypatch.setitem(exercises.COST, "n", 2)

    def ask(value, figures):
        told = {"own": entry(value, figures)}
        monkeypatch.setattr(exercises, "stored", lambda: told)

    return ask


@pytest.mark.parametrize("value", [0.349, [0.349, -0.0826], [[17.3, 2.28], [5.2, 7e5]]])
def test_a_right_answer_is_right_in_whatever_form(value, asked):
    asked(value, 3)
    x = np.asarray(value)
    for form in (value, x, x.tolist(), x.astype(np.longdouble)):
        verdict = pm.check("own", form)
        assert verdict, verdict
        assert repr(verdict) == "Right."
    assert x.ndim or pm.check("own", [value])


CLOSE = "Close: {} figures are needed. Round at the very end."
WRONG = {"Not right.", *map(CLOSE.format, range(2, 5))}


@pytest.mark.parametrize(
    ("figures", "two_less", "one_less", "value", "one_more", "two_more"),
    [
        (3, 0.347, 0.348, 0.349, 0.350, 0.351),
        (3, 16_900, 17_000, 17_061.3, 17_200, 17_300),
        (2, -3.3e-5, -3.2e-5, -3.1e-5, -3.0e-5, -2.9e-5),
        (1, 0.1, 0.2, 0.3, 0.4, 0.5),
        # a unit is ten times as large above a power of ten
        (3, 9.97, 9.98, 9.99, 10.0, 10.1),
        (3, 9.98, 9.99, 10.0, 10.1, 10.2),
        (2, -1.2, -1.1, -1.0, -0.99, -0.98),
    ],
)
def test_one_unit_of_the_last_figure_is_let_pass_and_two_are_not(
    figures, two_less, one_less, value, one_more, two_more, asked
):
    asked(value, figures)
    assert all(pm.check("own", x) for x in (one_less, value, one_more))
    assert {said("own", x) for x in (two_less, two_more)} <= WRONG
    asked([value, value], figures)
    assert pm.check("own", [one_less, one_more])
    assert said("own", [value, two_more]) in WRONG


@pytest.mark.parametrize("figures", [1, 2, 3, 4])
def test_the_next_decimal_has_the_next_place(figures):
    decimals = [
        float(f"{digits}e{exponent}")
        for exponent in range(-3, 3)
        for digits in range(10 ** (figures - 1), 10**figures)
    ]
    places = [exercises.place(x, figures) for x in decimals]
    assert set(np.diff(places)) == {1}
    assert places == [exercises.place(-x, figures) for x in decimals]


@given(st.integers(101, 999), st.integers(-4, 4))
def test_a_figure_more_than_asked_does_no_harm(digits, exponent):
    """Whichever way the tie of a last figure 5 is rounded."""
    value = float(f"{digits}e{exponent}")
    right = exercises.place(value, 3)
    for more in (-5, 5):
        near = float(f"{10 * digits + more}e{exponent - 1}")
        assert abs(exercises.place(near, 3) - right) <= 1


def test_a_wrong_sign_a_wrong_shape_and_too_few_figures_are_told(asked):
    asked([0.34268, -2.0281], 3)
    assert said("own", [-0.343, 2.03]) == "The sign is off."
    assert said("own", [0.343, 2.03]) == "Not right."
    assert said("own", [0.34, -2.0]) == CLOSE.format(3)
    assert said("own", [0.3, -2.0]) == "Not right."
    for wrong in (0.343, [0.343], [[0.343, -2.03]], np.ones(7), np.ones(0)):
        assert "and should be (2,)" in said("own", wrong)


def test_nothing_more_is_told(asked):
    """Of slips that no eye needs help with: twice as much, per cent, the reciprocal."""
    asked([0.12345, 0.678], 3)
    x = np.array([0.12345, 0.678])
    for wrong in (2 * x, x / 2, 1 - x, 100 * x, 1 / x, x[::-1]):
        assert said("own", wrong) == "Not right."


def test_of_a_whole_number_nothing_is_let_pass(asked):
    asked([185, 738], 0)
    assert pm.check("own", [185, 738])
    assert pm.check("own", [185.0, 738.0])
    assert said("own", [-185, -738]) == "The sign is off."
    for wrong in ([186, 738], [184, 738], [185.1, 738], [185, 738.001]):
        assert said("own", wrong) == "Not right."


@pytest.mark.parametrize("name", STORED)
def test_what_is_no_answer_is_told_what_is_asked_for(name):
    asks = STORED[name]["asks"]
    for nothing in (None, ...):
        assert said(name, nothing) == f"No answer yet. Asked for: {asks}."
    for other in ("0.349", {1: 2}, {0.5}, True, 1j, [[1, 2], [3]], ["a"], object()):
        words = said(name, other)
        assert words.startswith(f"Numbers are needed, not {type(other).__name__}.")
        assert asks in words
    shape = tuple(STORED[name]["shape"])
    assert f"should be {shape}" in said(name, np.ones((*shape, 2)))
    for bad in (math.nan, math.inf):
        assert said(name, np.full(shape, bad)) == "A number is not finite."


@given(st.fractions(0, 1))
def test_every_counterexample_is_right_and_nothing_else(v):
    """(1 - v)^2 >= 1 - v^2 is false exactly between 0 and 1."""
    assume(not 0 < min(v, 1 - v) < 1e-6)
    assert bool(pm.check("negative_p-hand", v)) == (0 < v < 1)
    for outside in (-1 - v, 1 + v):
        assert said("negative_p-hand", outside) == "There the inequality is true."


def test_fractions_and_large_whole_numbers_are_numbers(asked):
    asked(1 / 3, 3)
    assert pm.check("own", Fraction(1, 3))
    asked(2.0**70, 3)
    assert pm.check("own", 2**70)


def test_zero_is_a_number_like_others(asked):
    asked([0.0, 1.5], 2)
    assert pm.check("own", [-0.0, 1.5])
    assert not pm.check("own", [0.5, 1.5])
    asked([0.5, 1.5], 2)
    assert not pm.check("own", [0.0, 1.5])


@pytest.mark.parametrize("size", [1, 9, 100])
def test_few_hashes_are_computed_however_large_the_answer(size, asked, monkeypatch):
    calls = []
    scrypt = exercises.scrypt
    monkeypatch.setattr(
        exercises, "scrypt", lambda *a, **k: calls.append(a) or scrypt(*a, **k)
    )
    asked(np.linspace(0.1, 0.9, size), 3)
    calls.clear()
    assert pm.check("own", np.linspace(0.1, 0.9, size))
    assert len(calls) == 1
    assert not pm.check("own", np.linspace(0.2, 0.7, size))
    assert len(calls) <= 20


def test_an_unknown_name_is_answered_with_those_that_are_like_it():
    with pytest.raises(ValueError, match=r"name must .*nash-hand.*got 'nash-hnd'") as e:
        pm.check("nash-hnd", 1)
    assert sum(name in str(e.value) for name in STORED) <= 4
    for unlike in ("", "zzz", 7, None, ["nash-hand"]):
        with pytest.raises(ValueError, match=r"such as \w+-\w+, .*got"):
            pm.check(unlike, 1)
