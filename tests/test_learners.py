"""The stored table of the chapter `learners` is the one its settings give."""

import sys
from operator import attrgetter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import pmeanlib as pm

DATA = Path(__file__).parents[1] / "chapters" / "_data"
sys.path.insert(0, str(DATA))
import learners  # noqa: E402

MEASURED = ["regret", "standard_error", "regret_plug_in"]


@pytest.fixture(scope="module")
def settings():
    return learners.settings()


@pytest.fixture(scope="module")
def stored():
    return pd.read_csv(DATA / "learners.csv")


def test_every_row_belongs_to_its_setting(settings, stored):
    places = {"policy": "policy.name", "k": "instance.k", "T": "T", "n_runs": "n_runs"}
    places |= {"T_tilde": "policy.T_tilde", "capped": "policy.capped"}
    for column, place in places.items():
        expected = [attrgetter(place)(s) for s in settings for _ in s.exponents]
        assert stored[column].to_list() == expected
    for column in ("part", "kind", "draw", "phase"):
        expected = [s.labels[column] for s in settings for _ in s.exponents]
        assert stored[column].to_list() == expected
    assert stored["p"].to_list() == [p for s in settings for p in s.exponents]
    assert np.isfinite(stored[MEASURED]).all(axis=None)


def test_the_map_has_no_holes(stored):
    """Every learner after every first phase, on every kind, at every k, T and p; a
    first phase that takes all rounds stands once, since all learners agree there."""
    rows = stored[(stored["part"] == "map") & (stored["draw"] == 0)]
    whole = len(learners.PLACES) * 3 * 5 * 4 * len(learners.LEARNERS)
    alike = (rows["T_tilde"] == rows["T"]).sum()
    assert len(rows) + alike * (len(learners.LEARNERS) - 1) == whole
    assert not rows.duplicated(["kind", "phase", "policy", "k", "T", "p"]).any()


def test_the_command_makes_these_numbers(settings, stored, tmp_path):
    """Some short settings of every learner, anew: the same up to the digits kept."""
    starts = np.cumsum([0, *(len(s.exponents) for s in settings)])
    short = [i for i, s in enumerate(settings) if s.T == 1_000 and s.instance.k == 2]
    chosen = short[:: len(short) // 40]
    assert {settings[i].policy.name for i in chosen} == set(learners.LEARNERS)
    again = pm.sweep([settings[i] for i in chosen], store=tmp_path)
    rows = np.concatenate([np.arange(starts[i], starts[i + 1]) for i in chosen])
    np.testing.assert_allclose(
        again[MEASURED], stored.loc[rows, MEASURED], rtol=2e-6, atol=1e-9
    )
