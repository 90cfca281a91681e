"""The stored tables of the chapters are those that their settings give."""

from functools import cache
from importlib import import_module
from operator import attrgetter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import pmeanlib as pm

DATA = Path(__file__).parents[2] / "chapters" / "_data"
MEASURED = {"regret", "standard_error", "regret_plug_in", "trusted"}
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


# -- what the chapters promise -------------------------------------------------------


def test_the_rates_cover_what_the_chapter_promises():
    table = stored("rates")
    easy = table[table["seed"] == 1]
    assert set(easy["p"]) == {1, 0.5, 0, -0.5, -1, -2}
    assert set(easy["k"]) == {2, 10}
    for _, rows in easy.groupby(["policy", "order", "k", "p"]):
        assert rows["T"].min() == 10**3
        assert rows["T"].max() == 10**7
    assert set(easy["policy"]) == {"EUCB", "EUCB-U", "UCB1", "NCB"}
    exact = table[table["standard_error"] == 0]  # all runs agree: no error bar,
    assert (exact["trusted"] <= exact["capped"]).all()  # unless everything is known


def test_the_worst_case_of_the_rates_runs_through_ten_gaps():
    table = stored("rates")
    gap = [0.9 - s.instance.mu[0] for s in settings("rates") for _ in s.exponents]
    rows = table.assign(gap=np.round(gap, 6))[table["seed"] == 6]
    assert set(rows["policy"] + ", " + rows["order"]) == {"EUCB, fixed", "UCB1, random"}
    grid = rows.groupby(["k", "T", "p", "policy"])["gap"].apply(list)
    assert len(grid) == 2 * 4 * 2 * 2
    for found in grid:
        assert found == pytest.approx([0.9 / 2**j for j in range(10)], abs=1e-6)


def test_the_rivals_cover_what_the_chapter_promises():
    table, new = (
        stored("rivals"),
        {"Modified NCB", "RR-NCB", "Welfarist-UCB", "UCB-HARE"},
    )
    assert set(table["policy"]) == {"UCB1", "EUCB", "NCB", *new}
    for name, rows in table.groupby("instance"):
        most = rows[rows["T"] == rows["T"].max()]
        assert set(most["p"]) == {1, 0, -1, -2}, name
        assert set(most["policy"]) >= new
    assert {10**6, 10**7} <= set(table[table["instance"] == "rivals"]["T"])
    assert (table["regret"] <= table["mu_star"] + 1e-12).all()


def test_the_map_of_the_learners_has_no_holes():
    """Every learner after every first phase, on every kind, at every k, T and p; a
    first phase that takes all rounds stands once, since all learners agree there."""
    table, learners = stored("learners"), import_module("_data.learners")
    rows = table[(table["part"] == "map") & (table["draw"] == 0)]
    whole = len(learners.PLACES) * 3 * 5 * 4 * len(learners.LEARNERS)
    alike = (rows["T_tilde"] == rows["T"]).sum()
    assert len(rows) + alike * (len(learners.LEARNERS) - 1) == whole
    assert not rows.duplicated(["kind", "phase", "policy", "k", "T", "p"]).any()
