"""What `pm.check` says of right and of wrong answers, and that it tells no answer."""

import json
import math
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import pmeanlib as pm
from bookkit.make import answers, student
from bookkit.make.answers import ANSWERS, Answer
from pmeanlib import exercises

ROOT = Path(__file__).parents[2]

VALUES = {name: np.asarray(a.value, float) for name, a in ANSWERS.items()}
ROUNDED = [n for n, a in ANSWERS.items() if a.figures and not a.example]
WHOLE = [n for n, a in ANSWERS.items() if not a.figures]
ARRAYS = [n for n in ANSWERS if VALUES[n].size > 1]


def units(x, figures):
    """One unit of the last figure of each number."""
    return 10.0 ** (np.floor(np.log10(np.abs(x))) + 1 - figures)


def said(name, answer):
    """What is said of a wrong answer."""
    verdict = pm.check(name, answer)
    assert not verdict
    assert verdict.words != "Right."
    return repr(verdict)


@pytest.fixture
def asked(monkeypatch):
    """Ask an exercise of one's own."""

    def ask(value, figures, must=()):
        told = answers.hashed("own", Answer("something", value, figures, must))
        monkeypatch.setattr(exercises, "stored", lambda: {"own": told})

    return ask


def test_the_stored_hashes_are_those_of_the_answers():
    assert answers.FILE.read_text("utf8") == answers.text()
    assert exercises.stored() == json.loads(answers.text())


@pytest.mark.parametrize("name", ANSWERS)
def test_the_answer_is_right_in_whatever_form(name):
    x = VALUES[name]
    for form in (
        x,
        x.tolist(),
        np.asarray(ANSWERS[name].value),
        x.astype(np.longdouble),
    ):
        verdict = pm.check(name, form)
        assert verdict, verdict
        assert repr(verdict) == "Right."
    if x.ndim == 0:
        assert pm.check(name, [float(x)])


@pytest.mark.parametrize("name", ROUNDED)
def test_a_rounded_answer_is_right_and_so_is_one_at_the_edge(name):
    x, figures = VALUES[name], ANSWERS[name].figures
    unit = units(x, figures)
    assert pm.check(name, np.round(x / unit) * unit)
    assert pm.check(name, np.vectorize(lambda y: float(f"{y:.{figures - 1}e}"))(x))
    for sign in (-1, 1):
        assert pm.check(name, x + sign * 0.9 * unit)
        assert not pm.check(name, x + sign * 2.1 * unit)


@pytest.mark.parametrize("name", WHOLE)
def test_of_a_whole_number_nothing_is_let_pass(name):
    x = VALUES[name]
    for wrong in (x + 1, x - 1, x + 0.1, x * 1.001):
        assert not pm.check(name, wrong)
    assert said(name, x + 1) == "One is off: yours is too large."
    assert said(name, x - 1) == "One is off: yours is too small."


SLIPS = {
    "The sign is off.": lambda x: -x,
    "A factor of 2 is off: yours is too large.": lambda x: 2 * x,
    "A factor of 2 is off: yours is too small.": lambda x: x / 2,
    "This looks like the complement, what is missing to 1.": lambda x: 1 - x,
    "This looks like per cent; a fraction is asked for.": lambda x: 100 * x,
    "This looks like a fraction; per cent are asked for.": lambda x: x / 100,
    "This looks like the reciprocal.": lambda x: 1 / x,
}


@pytest.mark.parametrize("slip", SLIPS)
@pytest.mark.parametrize("value", [0.349, [0.349, 0.0826], [[17.3, 2.28], [-5.2, 7e5]]])
def test_a_slip_is_called_by_its_name(slip, value, asked):
    asked(value, 3)
    assert said("own", SLIPS[slip](np.asarray(value))) == slip


def test_every_slip_in_the_list_was_tried():
    tried = {
        *SLIPS,
        "One is off: yours is too large.",
        "One is off: yours is too small.",
    }
    assert tried == {words for _, words in exercises.SLIPS}


def test_what_was_rounded_too_early_is_close(asked):
    asked(0.34268, 3)
    assert said("own", 0.34) == "Close: 3 figures are needed. Round at the very end."
    assert said("own", 0.3) == "Not right, and by no common slip."
    asked([0.34268, 2.0281], 3)
    assert said("own", [0.34, 2.0]).startswith("Close")


def test_another_order_and_what_is_right_are_told(asked):
    asked([0.1, 0.27, 0.33], 2)
    assert said("own", [0.33, 0.1, 0.27]) == (
        "These numbers are asked for, but in another order."
    )
    assert said("own", [0.1, 0.9, 0.33]) == "Not right, except number 1, 3."
    assert said("own", [0.9, 0.9, 0.9]) == "Not right, and by no common slip."


@pytest.mark.parametrize("name", ANSWERS)
def test_what_is_no_answer_is_told_what_is_asked_for(name):
    asks = ANSWERS[name].asks
    for nothing in (None, ...):
        assert said(name, nothing) == f"No answer yet. Asked for: {asks}."
    for other in ("0.349", {1: 2}, {0.5}, True, 1j, [[1, 2], [3]], ["a"], object()):
        words = said(name, other)
        assert words.startswith(f"Numbers are needed, not {type(other).__name__}.")
        assert asks in words
    shape = VALUES[name].shape
    for wrong in (np.ones((*shape, 2)), np.ones(7), np.ones(0)):
        assert f"should be {shape}" in said(name, wrong)
    for bad in (math.nan, math.inf):
        assert said(name, np.full(shape, bad)) == "A number is not finite."


def test_properties_are_told_before_values(asked):
    asked(0.25, 2, ("share",))
    assert said("own", 25) == "It must lie between 0 and 1."
    asked(3, 0, ("whole",))
    assert said("own", 2.5) == "Whole numbers are asked for."
    asked(0.25, 2, ("positive",))
    assert said("own", -0.25) == "It must be positive."
    assert {m for a in ANSWERS.values() for m in a.must} == set(exercises.MUST)


@given(st.fractions(0, 1))
def test_every_counterexample_is_right_and_nothing_else(v):
    """(1 - v)^2 >= 1 - v^2 is false exactly between 0 and 1."""
    assume(not 0 < min(v, 1 - v) < 1e-6)
    assert bool(pm.check("negative_p-hand", v)) == (0 < v < 1)


@given(st.floats(1e-12, 1e12), st.integers(1, 6), st.floats(-30, 30))
def test_what_is_let_pass_is_one_unit_of_the_last_figure(x, figures, away):
    """Right within half a unit, wrong beyond one and a half, at every magnitude."""
    told = answers.hashed("own", Answer("x", x, figures))
    y = x + away * float(units(x, figures))
    hit = exercises._hits("own", np.array(y), told)[0]
    small = min(float(units(v, figures)) for v in (x, y) if v)
    if abs(y - x) <= 0.499 * small:
        assert hit
    large = max(float(units(v, figures)) for v in (x, y) if v)
    if abs(y - x) >= 1.501 * large + 1e-9 * x:
        assert not hit


def test_fractions_and_large_whole_numbers_are_numbers(asked):
    asked(1 / 3, 3)
    assert pm.check("own", Fraction(1, 3))
    asked(2.0**70, 3)
    assert pm.check("own", 2**70)


def test_zero_is_a_number_like_others(asked):
    asked([0.0, 1.5], 2)
    assert pm.check("own", [-0.0, 1.5])
    assert not pm.check("own", [0.5, 1.5])


def test_an_unknown_name_is_answered_with_those_there_are():
    with pytest.raises(ValueError, match=r"name must be one of .*nash-hand.*'nash-3'"):
        pm.check("nash-3", 1)


def test_no_answer_can_be_read_in_the_library():
    """Neither in what is stored nor in what is asked for, nor in any verdict."""
    for name in ROUNDED:
        told = json.dumps(exercises.stored()[name])
        for x in VALUES[name].flat:
            figures = f"{x:.2e}".partition("e")[0].replace(".", "")
            assert figures not in re.sub(r'"[0-9a-f]{12}"', "", told), name
    hashes = [h for told in exercises.stored().values() for h in told["right"]]
    assert len(set(hashes)) == len(hashes)  # equal answers have different hashes


# -- the chapters --------------------------------------------------------------------
EXERCISE = re.compile(
    r"^(:::+)\{exercise\}[^\n]*\n:label: ex-(\S+)\n(.*?)^\1 *$", re.M | re.S
)


def prose(chapter, printed=False):
    """The texts of a chapter's cells, also with what they printed."""
    notebook = json.loads((ROOT / "chapters" / f"{chapter}.ipynb").read_text("utf8"))
    texts = []
    for cell in notebook["cells"]:
        texts.append("".join(cell["source"]))
        for output in cell.get("outputs", ()) if printed else ():
            plain = output.get("data", {}).get("text/plain", output.get("text", ""))
            texts.append("".join(plain))
    return "\n\n".join(texts)


CHAPTERS = [path.stem for path in student.chapters()]
HOMES = {label: c for c in CHAPTERS for _, label, _ in EXERCISE.findall(prose(c))}
NAMED = {
    label: student.CHECK.findall(text)
    for chapter in CHAPTERS
    for _, label, text in EXERCISE.findall(prose(chapter))
}


def test_an_exercise_is_checked_by_the_words_of_its_label():
    checked = {label: names for label, names in NAMED.items() if names}
    assert checked == {name: [name] for name in ANSWERS}
    everywhere = [n for c in CHAPTERS for n in student.CHECK.findall(prose(c))]
    assert sorted(everywhere) == sorted(ANSWERS)


def test_a_solution_shows_what_its_code_prints():
    """No code in a solution that is not executed; no output that was typed."""
    for chapter in CHAPTERS:
        for name, text in re.findall(
            r"^:::+\{solution\} ex-(\S+)\n(.*?)(?=^:::+\{exercise\}|\Z)",
            prose(chapter),
            re.M | re.S,
        ):
            assert "```" not in text, name


IN_WORDS = {"negative_p-hand", "speed-hand"}  # no number is printed


@pytest.mark.parametrize("name", sorted(set(ANSWERS) - IN_WORDS))
def test_the_solution_prints_numbers_that_are_right(name):
    """The solution in the book and the answer computed here agree."""
    whole = prose(HOMES[name], printed=True)
    start = re.search(rf"\{{solution(-start)?\}} ex-{name}\n", whole).end()
    ends = re.compile(r"^:::+\{exercise\}|\Z", re.M)
    text = whole[start : ends.search(whole, start).start()]
    if name == "linear-hand":
        text = text.replace(r"\frac13", f"{1 / 3}")
    if name in ("assumptions-hand", "anytime-hand"):
        text = text.replace("=3$", " 3 ")
    plain = text.replace("{,}", "").replace(",", "")
    plain = re.sub(r"(\d\.\d)e\+(\d\d)", r"\1e\2", plain)
    numbers = {float(x) for x in re.findall(r"-?\d+(?:\.\d+)?(?:e\d+)?", text)}
    numbers |= {float(x) for x in re.findall(r"-?\d+(?:\.\d+)?(?:e\d+)?", plain)}
    numbers |= {-0.27} if r"-\tfrac{0.27}n" in text else set()
    told = exercises.stored()[name]
    size = VALUES[name].size
    hits = [exercises._hits(name, np.full(size, x), told) for x in numbers]
    assert np.any(hits, axis=0).all(), (np.any(hits, axis=0), sorted(numbers))
