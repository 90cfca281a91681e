"""The stored table of the chapter `rates` is the one its settings give."""

import sys
from pathlib import Path

import numpy as np
import oracles
import pandas as pd
import pytest

import pmeanlib as pm

DATA = Path(__file__).parents[1] / "chapters" / "_data"
sys.path.insert(0, str(DATA))
import rates  # noqa: E402

MEASURED = ["regret", "standard_error", "regret_plug_in"]


@pytest.fixture(scope="module")
def settings():
    return rates.settings()


@pytest.fixture(scope="module")
def stored():
    return pd.read_csv(DATA / "rates.csv")


def test_every_row_belongs_to_its_setting(settings, stored):
    oracles.assert_rows_belong(stored, settings)


def test_it_covers_what_the_chapter_promises(stored):
    easy = stored[stored["seed"] == 1]
    assert set(easy["p"]) == {1, 0.5, 0, -0.5, -1, -2}
    assert set(easy["k"]) == {2, 10}
    for _, rows in easy.groupby(["policy", "order", "k", "p"]):
        assert rows["T"].min() == 10**3
        assert rows["T"].max() == 10**7
    assert set(easy["policy"]) == {"EUCB", "EUCB-U", "UCB1", "NCB"}
    assert stored[["pmeanlib", "numpy"]].notna().all(axis=None)
    assert np.isfinite(stored[MEASURED]).all(axis=None)
    assert (stored["standard_error"] >= 0).all()
    exact = stored[stored["standard_error"] == 0]  # all runs agree: no error bar,
    assert (exact["trusted"] <= exact["capped"]).all()  # unless everything is known


def test_the_worst_case_runs_through_ten_gaps(settings, stored):
    gap = [0.9 - s.instance.mu[0] for s in settings for _ in s.exponents]
    rows = stored.assign(gap=np.round(gap, 6))[stored["seed"] == 6]
    assert set(rows["policy"] + ", " + rows["order"]) == {"EUCB, fixed", "UCB1, random"}
    grid = rows.groupby(["k", "T", "p", "policy"])["gap"].apply(list)
    assert len(grid) == 2 * 4 * 2 * 2
    for found in grid:
        assert found == pytest.approx([0.9 / 2**j for j in range(10)], abs=1e-6)


def test_the_command_makes_these_numbers(settings, stored, tmp_path):
    """Every short piece with few runs, anew: the same random numbers, so the same
    regret up to the last digits of a logarithm, which processors round differently.
    """
    starts = np.cumsum([0, *(len(s.exponents) for s in settings)])
    chosen = [i for i, s in enumerate(settings) if s.T * s.n_runs <= 5 * 10**5]
    assert len(chosen) > 50
    again = pm.sweep([settings[i] for i in chosen], store=tmp_path)
    rows = np.concatenate([np.arange(starts[i], starts[i + 1]) for i in chosen])
    np.testing.assert_allclose(
        again[MEASURED], stored.loc[rows, MEASURED], rtol=1e-9, atol=1e-12
    )
