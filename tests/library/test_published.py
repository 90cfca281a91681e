"""All 72 printed numbers replayed; the protocol against a slow one; pieces kept."""

import os
import subprocess
import sys

import numpy as np
import oracles
import pytest

import pmeanlib as pm
from pmeanlib import engine, published
from pmeanlib.published import ALGORITHMS, EXCHANGED, EXPONENTS, HORIZON, TABLE_2, K


@pytest.mark.parametrize("family", HORIZON)
@pytest.mark.parametrize("p", EXPONENTS)
def test_every_printed_number_is_replayed(family, p):
    """66 cells as printed; in three settings NCB and EUCB are printed exchanged."""
    regret = published.replay(family, p, HORIZON[family], 30, K).regret
    places = dict(zip(ALGORITHMS, ALGORITHMS))
    if (family, p) in EXCHANGED:
        places |= {"NCB": "EUCB", "EUCB": "NCB"}
        assert round(regret["NCB"], 3) != TABLE_2[family, p, "NCB"]
    for algorithm, place in places.items():
        assert round(regret[algorithm], 3) == TABLE_2[family, p, place]


@pytest.mark.parametrize(
    ("family", "p", "T", "n_runs", "k", "seed"),
    [
        ("bernoulli", -1.0, 900, 5, 4, 12479),
        ("bernoulli", 0.0, 700, 3, 2, 1),
        ("triangular", 0.5, 1500, 3, 3, 12479),
        ("beta", -0.5, 1200, 4, 5, 7),
        ("uniform", 1.0, 800, 2, 6, 12479),
        ("uniform", -2.0, 2500, 2, 10, 3),
        ("beta", -1.0, 3, 2, 8, 12479),
        ("bernoulli", -1.5, 400, 30, 12, 12479),
        (
            "triangular",
            -0.5,
            20_000,
            1,
            2,
            5,
        ),  # NCB goes on to choose, of two near arms
    ],
)
def test_the_protocol_to_the_last_bit(family, p, T, n_runs, k, seed):
    result = published.replay(family, p, T, n_runs, k, seed)
    regret, profile = oracles.protocol(family, p, T, n_runs, k, seed)
    assert result.regret == regret
    for name in ALGORITHMS:
        np.testing.assert_array_equal(result.profile[name], profile[name])


def test_another_processor_changes_last_bits_of_powers_alone():
    """Its stand-in is NumPy without the instructions that only some processors have."""
    cases = [("bernoulli", -0.4, 600, 12, 3, 2), ("uniform", -1.7, 900, 6, 5, 8)]
    code = f"""
from pmeanlib.published import replay
for case in {cases}:
    result = replay(*case)
    for name in {ALGORITHMS}:
        print(result.profile[name].tobytes().hex(), result.regret[name])
"""
    found = np.show_config("dicts")["SIMD Extensions"].get("found", [])
    without = os.environ | {"NPY_DISABLE_CPU_FEATURES": " ".join(found)}
    said = subprocess.check_output([sys.executable, "-c", code], env=without, text=True)
    lines = iter(said.splitlines())
    for case in cases:
        here = published.replay(*case)
        for name in ALGORITHMS:
            profile, regret = next(lines).split()
            assert profile == here.profile[name].tobytes().hex()
            assert float(regret) == pytest.approx(here.regret[name], rel=1e-14)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"p": -9}, r"p must be at least -2 for T = 20000, k = 50, got -9"),
        ({"p": 1.5}, "p must be a number of at most 1, got 1.5"),
        ({"k": 1}, "k must be a whole number of at least 2, got 1"),
        ({"T": 0}, "T must be a whole number of at least 1, got 0"),
        ({"n_runs": 0}, "n_runs must be a whole number of at least 1"),
        ({"seed": -1}, "seed must be a whole number of at least 0, got -1"),
        ({"family": "gaussian"}, "family must be one of bernoulli, .*, uniform, got"),
    ],
)
def test_bad_arguments_are_named(change, message):
    good = {"family": "beta", "p": -1, "T": 20_000, "n_runs": 30, "k": 50, "seed": 1}
    with pytest.raises(ValueError, match=message):
        published.replay(**(good | change))


# -- by the definition --------------------------------------------------------------


def test_only_where_p_matters_does_it_choose_the_random_stream():
    """Two exponents at which EUCB explores all the time: one policy, other luck."""
    for name, alike in (("UCB1", True), ("NCB", True), ("EUCB", False)):
        one, other = (published.by_definition("beta", name, p, 2) for p in (1.0, 0.0))
        assert one[0].T_tilde == other[0].T_tilde
        assert np.array_equal(one[1].pulls, other[1].pulls) == alike


# -- the whole table, and pieces that are kept --------------------------------------


@pytest.fixture
def small(monkeypatch, tmp_path):
    monkeypatch.setenv("PMEANLIB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(published, "HORIZON", dict.fromkeys(HORIZON, 3000))


@pytest.mark.parametrize("estimator", ["published", "definition"])
def test_the_table_has_every_cell(small, estimator):
    table = published.table(estimator, n_runs=4)
    cells = table.set_index(["family", "p", "algorithm"]).sort_index()
    assert set(cells.index) == TABLE_2.keys()
    assert np.isfinite(cells["regret"]).all()
    assert all(cells["printed"][at] == TABLE_2[at] for at in TABLE_2)
    at = ("beta", -1.0)
    if estimator == "published":
        result = published.replay("beta", -1.0, 3000, 4, K)
        assert cells["regret"][at].to_dict() == result.regret
        assert cells["T_tilde"][at].to_dict() == result.T_tilde
        return
    for name in ALGORITHMS:
        policy, profile = published.by_definition("beta", name, -1.0, 4)
        row, estimate = cells.loc[(*at, name)], pm.measured_regret(profile, -1)
        assert row["regret"] == estimate.value
        assert row["standard_error"] == estimate.standard_error
        assert row["T_tilde"] == policy.T_tilde


@pytest.mark.parametrize(
    ("change", "message"),
    [({"estimator": "x"}, "estimator must be one of published, definition, got 'x'"),
     ({"n_runs": 1}, "n_runs must be at least 2 for an error bar, got 1"),
     ({"width": -1}, r"width must be a number in \[0, 1e\+09\], got -1")],
)  # fmt: skip
def test_a_bad_table_is_named(small, change, message):
    with pytest.raises(ValueError, match=message):
        published.table(**({"estimator": "definition", "n_runs": 2} | change))


def test_an_interrupted_table_resumes(small, monkeypatch):
    real, calls = published.replay, []

    def interrupted(family, p, *rest):
        if len(calls) == 5:
            raise KeyboardInterrupt
        calls.append((family, p))
        return real(family, p, *rest)

    monkeypatch.setattr(published, "replay", interrupted)
    with pytest.raises(KeyboardInterrupt):
        published.table("published", 2)
    monkeypatch.setattr(published, "replay", lambda *a: calls.append(a[:2]) or real(*a))
    table = published.table("published", 2)
    assert len(calls) == len(set(calls)) == 24
    monkeypatch.setattr(engine, "VERSION", engine.VERSION + 1)
    assert table.equals(published.table("published", 2))
    assert len(calls) == 2 * 24
