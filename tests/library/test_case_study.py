"""The people and the worlds of the chapter `case_study`."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from _data import case_study

DATA = Path(__file__).parents[2] / "chapters" / "_data"


@pytest.fixture(scope="module")
def seen():
    return case_study.people()


def test_the_people_are_those_of_the_experiment(seen):
    """Counted here in another way, from the raw columns."""
    raw = case_study.experiment()
    both = raw[raw["got"].notna() & raw["tinc"].notna()]
    assert len(raw) == 4_820
    assert len(seen) == len(both) == 2_834
    edges = [-1, 1e-6, 0.5, 1, 1.5, 2, 3]
    groups = both["got"].groupby(pd.cut(both["tinc"], edges), observed=True)
    found = seen.groupby("arm")["came"]
    assert found.size().tolist() == groups.size().tolist()
    np.testing.assert_allclose(found.mean(), groups.mean())
    assert np.all(seen["dollars"] <= np.array(case_study.UP_TO)[seen["arm"]])
    assert seen["village"].nunique() == both["villnum"].nunique() + 4
    assert len(case_study.OFFERS) == len(case_study.UP_TO) == seen["arm"].max() + 1


def test_a_world_has_whole_villages(seen):
    """The shares of a world are those of its villages, put together one by one."""
    villages = [group for _, group in seen.groupby("village")]
    drawn = case_study.drawn_villages(len(villages), 3)
    assert np.all(drawn.sum(axis=1) == len(villages))
    means = case_study.worlds(seen["came"], seen, 3)
    for counts, mu in zip(drawn, means, strict=True):
        lots = [v for v, n in zip(villages, counts, strict=True) for _ in range(n)]
        again = pd.concat(lots).groupby("arm")["came"].mean()
        np.testing.assert_allclose(mu, again)


def test_drawing_by_lot_is_known_exactly():
    """Everybody expects the average of the means, whatever p is."""
    stored, settings = pd.read_csv(DATA / "case_study.csv"), case_study.settings()
    lot = stored[stored["name"] == "by lot"]["regret"].to_numpy()
    mu = [s.instance.mu for s in settings if s.labels["name"] == "by lot"]
    expected = np.repeat([m.max() - m.mean() for m in mu], 3)
    np.testing.assert_allclose(lot, expected, rtol=1e-5)
