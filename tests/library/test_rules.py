"""Rules: their formulas, what is compiled of them, and what is said of a bad one."""

import math
import pickle
import sys
import tempfile
from pathlib import Path

import cloudpickle
import numpy as np
import pytest
from numba import njit

import pmeanlib as pm
from pmeanlib.rules import Rule, rich_enough


def test_indices_are_their_formulas():
    log_T, log_t = math.log(10_000), math.log(500)
    assert pm.ucb_index(0.5, 25, log_T, 4) == 0.5 + 4 * math.sqrt(log_T / 25)
    assert pm.ncb_index(0.25, 25, log_T, 4) == 0.25 + 4 * math.sqrt(0.25 * log_T / 25)
    assert pm.auer_index(0.5, 25, log_t) == 0.5 + math.sqrt(2 * log_t / 25)
    assert pm.moss_index(0.5, 25, log_T, 4) == 0.5 + math.sqrt(math.log(100) / 25)
    assert pm.moss_index(0.5, 2_500, log_T, 4) == 0.5
    assert pm.ncb_index(-0.1, 25, log_T, 4) == -0.1
    assert pm.thompson_index(0.3) == pm.greedy_index(0.3) == 0.3
    assert rich_enough(0.5, 100, log_T, 5)
    assert not rich_enough(0.5, 100, log_T, 6)


# -- fingerprints --------------------------------------------------------------------

FACTOR = 0.1


def _reads_a_global(mu_hat, pulls, log_T):
    return mu_hat + FACTOR * math.sqrt(log_T / pulls)


def test_a_fingerprint_is_that_of_the_compiled_code(monkeypatch):
    """What an index reads is frozen: a constant changed later went unnoticed."""
    module = sys.modules[__name__]
    narrow = pm.index(_reads_a_global)
    before = narrow.fingerprint
    monkeypatch.setattr(module, "FACTOR", 3.0)
    assert narrow.fingerprint == before
    wide = pm.index(_reads_a_global)
    assert wide.fingerprint != before
    arms, (a, b) = pm.bernoulli([0.3, 0.9]), (pm.Policy("x", i) for i in (narrow, wide))
    few, many = (pm.simulate(arms, policy, 500, 4, 1).pulls[0] for policy in (a, b))
    assert few < many
    assert pickle.loads(pickle.dumps(wide)).fingerprint == wide.fingerprint
    with pytest.raises(ValueError, match="must be decorated again"):
        pickle.loads(pickle.dumps(narrow))


def test_an_array_changed_in_place_changes_no_fingerprint():
    table = np.array([0.1, 0.2])
    rule = pm.index(lambda mu_hat, pulls, log_T: mu_hat + table[0] / pulls)
    before = rule.fingerprint
    table[0] = 5.0
    assert rule.fingerprint == before
    with pytest.raises(ValueError, match="must be decorated again"):
        pickle.loads(cloudpickle.dumps(rule))


def index_of(source, **scope):
    """What a notebook cell with this source defines."""
    scope |= {"np": np, "__name__": "__main__"}
    exec(source, scope)
    return pm.index(scope["rule"])


CELL = """
def rule(mu_hat, pulls, log_T):
    return mu_hat + a * np.sqrt(log_T / pulls)
"""


def _helped(factor):
    """A rule whose helper has the factor as a default argument."""

    @njit
    def helper(x, c=factor):
        return c * x

    return pm.index(lambda mu_hat, pulls, log_T: mu_hat + helper(1.0 / pulls))


def test_a_fingerprint_follows_code_and_constants():
    cells = [
        index_of(CELL, a=1.0),
        index_of(CELL, a=2.0),
        index_of(CELL.replace("a *", "3 *")),
        index_of(CELL.replace("a *", "4 *")),
        index_of(CELL.replace("a *", "a -"), a=1.0),
        index_of(CELL.replace("np.sqrt", "np.log"), a=1.0),
        index_of(CELL.replace("a *", "a[1] *"), a=np.array([1.0, 2.0])),
        index_of(CELL.replace("a *", "a[1] *"), a=np.array([1.0, 3.0])),
        index_of(CELL.replace("a *", "f(pulls) *"), f=njit(lambda n: 1 / n)),
        index_of(CELL.replace("a *", "f(pulls) *"), f=njit(lambda n: 2 / n)),
        *(pm.index(_with_closure(c)) for c in (5.0, 6.0)),
        *(_helped(factor) for factor in (0.1, 3.0)),
        pm.ucb_index,
        pm.ncb_index,
    ]
    assert len({i.fingerprint for i in cells}) == len(cells)
    again = index_of(CELL, a=1.0, unused=object())  # the same code, in another cell
    assert again.fingerprint == cells[0].fingerprint


def _with_closure(constant):
    return lambda mu_hat, pulls, log_T: mu_hat + constant / pulls


def test_a_policy_survives_pickling():
    policy = pickle.loads(pickle.dumps(pm.ucb1()))
    assert policy == pm.ucb1()
    assert policy.index is pm.ucb_index


# -- bad rules -----------------------------------------------------------------------


def test_an_index_that_raises_is_an_error_and_no_number():
    """Compiled code went on with whatever number was there."""

    @pm.index
    def tired(mu_hat, pulls, log_T):
        if pulls > 100:
            raise ValueError("no more")
        return mu_hat

    policy = pm.Policy("tired", tired)
    message = "index of tired must be a number, got ValueError: no more at mu_hat"
    with pytest.raises(ValueError, match=message):
        pm.simulate(pm.bernoulli([0.5, 0.9]), policy, 1000, 4, 1)
    setting = pm.Setting(pm.bernoulli([0.5, 0.9]), policy, 1000, 4, 1, (0,))
    with tempfile.TemporaryDirectory() as folder:
        with pytest.raises(ValueError, match=message):
            pm.sweep([setting], store=Path(folder))
        assert not list(Path(folder).iterdir())


NOT_A_NUMBER = pm.index(lambda mu_hat, pulls, log_T: math.sqrt(mu_hat - 0.5))
FALLING = pm.index(lambda mu_hat, pulls, log_t: mu_hat - log_t)
NO_STOP = pm.index(lambda mu_hat: math.nan * mu_hat)


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        (pm.Policy("x", NOT_A_NUMBER), r"got (nan|.*domain.*) at mu_hat = 0"),
        (pm.Policy("x", FALLING), "index of x must be a number that never falls with"),
        (pm.Policy("x", pm.ucb_index, stop=NO_STOP), "must be a number, got nan"),
    ],
)
def test_a_value_that_cannot_be_used_is_reported_with_its_place(policy, message):
    with pytest.raises(ValueError, match=message):
        pm.play(pm.bernoulli([0.0, 0.0]), policy, 100, 1)


def _draws(mu_hat, pulls, log_T):
    return mu_hat + np.random.random()  # noqa: NPY002


def test_an_index_must_not_draw_random_numbers():
    """Nobody could repeat the runs."""
    with pytest.raises(ValueError, match="must not draw random numbers"):
        pm.index(_draws)
    helper = njit(lambda: np.random.random())  # noqa: NPY002
    with pytest.raises(ValueError, match="must not draw random numbers"):
        pm.index(lambda mu_hat, pulls, log_T: mu_hat + helper())


def _undefined(mu_hat, pulls, log_T):
    return mu_hat + no_such_name  # noqa: F821


def _imports(mu_hat, pulls, log_T):
    import math as m

    return m.sqrt(mu_hat)


def _opens(mu_hat, pulls, log_T):
    with open("x") as file:
        return float(file.read())


def _class(mu_hat, pulls, log_T):
    class Thing:
        pass

    return mu_hat


@pytest.mark.parametrize("bad", [_undefined, _imports, _opens, _class])
def test_what_numba_cannot_compile_is_refused_with_its_reason(bad):
    """The reason was hidden behind the name of one of numba's passes."""
    with pytest.raises(ValueError, match=r"numba compiles; it says: .{10}") as e:
        pm.index(bad)
    assert "During: Pass" not in str(e.value)
    if bad is _undefined:
        assert "no_such_name" in str(e.value)


@pytest.mark.parametrize("rule", [lambda m: m, lambda mu_hat, c=2.0: mu_hat + c])
def test_a_rule_is_given_nothing_else(rule):
    """A default was once taken for an argument."""
    for make in (pm.index, Rule):
        with pytest.raises(ValueError, match=r"of mu_hat.* noise, belief, got '[mc]'"):
            make(rule)
