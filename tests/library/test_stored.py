"""The stored tables of the chapters are those that their settings give."""

from functools import cache
from importlib import import_module
from operator import attrgetter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from _data import rivals

import pmeanlib as pm

DATA = Path(__file__).parents[2] / "chapters" / "_data"
MEASURED = {"regret", "standard_error", "regret_plug_in", "trusted", "unseen"}
PLACES = [f"policy.{name}" for name in ("order", "width", "T_tilde", "capped")]
PLACES += ["T", "n_runs", "seed", "instance.k", "instance.mu_star"]
# What is simulated again, by its T n_runs, k and labels; and how exactly it is stored
SHORT = {
    "rates": (lambda s: s.T * s.n_runs <= 5 * 10**5, 1e-9),
    "rivals": (lambda s: s.T * s.n_runs <= 2 * 10**6, 1e-9),
    "learners": (lambda s: s.T == 1_000 and s.instance.k == 2, 2e-6),
    "case_study": (lambda s: s.labels["world"] == 3, 1e-5),
}


@cache
def settings(name):
    return import_module(f"_data.{name}").settings()


@cache
def stored(name):
    return pd.read_csv(DATA / f"{name}.csv")


@pytest.mark.parametrize("name", SHORT)
def test_every_row_belongs_to_its_setting(name):
    made, table = settings(name), stored(name)
    told = {place.rpartition(".")[2]: attrgetter(place) for place in PLACES}
    told["policy"] = attrgetter("policy.name")
    told |= {x: lambda s, x=x: s.labels[x] for x in made[0].labels}
    expected = {
        x: [get(s) for s in made for _ in s.exponents] for x, get in told.items()
    }
    expected["p"] = [p for s in made for p in s.exponents]
    for column in expected.keys() & set(table):
        kept = table[column].astype(object).where(table[column].notna(), None)
        assert kept.to_list() == expected[column], column
    assert set(table) >= {"p", *made[0].labels}
    measured = table[[x for x in table if x in MEASURED]]
    assert np.isfinite(measured.astype(float)).all(axis=None)


@pytest.mark.parametrize("name", SHORT)
def test_the_script_makes_these_numbers(name, tmp_path, rng):
    """Some short pieces again: the same random numbers, so the same regret but for the
    last digits of a logarithm, which processors round differently, or of the table.
    """
    made, table, (short, rtol) = settings(name), stored(name), SHORT[name]
    chosen = rng.permutation([i for i, s in enumerate(made) if short(s)])[:40]
    assert {made[i].policy.name for i in chosen} == {s.policy.name for s in made}
    starts = np.cumsum([0, *(len(s.exponents) for s in made)])
    rows = np.concatenate([np.arange(starts[i], starts[i + 1]) for i in chosen])
    again = pm.sweep([made[i] for i in chosen], store=tmp_path)
    for column in MEASURED & set(table):
        np.testing.assert_allclose(
            again[column], table.loc[rows, column], rtol=rtol, atol=1e-9
        )


def test_the_instances_of_the_rivals_are_those_of_their_scripts():
    made = rivals.instances()
    assert made["rivals"].k == made["gaussian"].k == 50
    assert made["rivals"].mu[0] == pytest.approx(0.005 + 0.995 * 0.3745401188473625)
    assert made["gaussian"].mu[0] == pytest.approx(0.01 + 0.99 * 0.7739560485559633)
    assert made["haystack"].k == 200
    assert made["needle"].mu_star == 0.2
