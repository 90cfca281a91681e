"""Every loop of the bench plays the kernel's arms; its table holds what it says."""

import csv
import math
import re
from pathlib import Path

import bench
import numpy as np
import oracles
import pytest
from _data.loops import lockstep, plain_loop, stable_sort, stripped, timed_scan
from hypothesis import given
from hypothesis import strategies as st

import pmeanlib as pm
from pmeanlib.instances import FAMILIES
from pmeanlib.policies import BY_NAME

STORED = Path(__file__).parents[2] / "chapters" / "_data" / "bench.csv"
LEVELS = ([0.0, 1.0], [0.5], [0.0, 0.5, 1.0], [0.1, 0.7])  # few values, many ties


@st.composite
def tapes(draw_from):
    """Three tapes (3, k, T), T below k included."""
    k, T = draw_from(st.integers(1, 12)), draw_from(st.integers(1, 120))
    rng = np.random.default_rng(draw_from(st.integers(0, 2**32)))
    return rng.choice(draw_from(st.sampled_from(LEVELS)), size=(3, k, T))


def kernel(tape):
    rng = np.random.default_rng(0)
    return pm.play(pm.from_tape(tape), pm.ucb1(), tape.shape[1], rng).arms.tolist()


@given(tapes())
def test_every_loop_plays_the_arms_of_the_kernel(tapes):
    n_runs, k, T = tapes.shape
    played = [kernel(tape) for tape in tapes]
    together = lockstep(lambda i, s: tapes[np.arange(n_runs), i, s], k, T, n_runs)
    assert together.tolist() == played
    for tape, arms in zip(tapes, played):
        assert plain_loop(lambda i, s, x=tape: x[i, s], k, T).tolist() == arms
        assert stable_sort(tape).tolist() == arms
        start, rng = np.zeros(T, np.int32), np.random.default_rng(0)
        scanned, *_ = stripped(pm.from_tape(tape), start, rng, 5)
        assert scanned.tolist() == arms


@pytest.mark.parametrize(("k", "T"), [(2, 3_000), (300, 6_000), (3_000, 14_000)])
def test_the_compiled_scan_plays_the_arms_of_the_kernel(k, T):
    """Where most arms have paid as much in as many pulls as many others."""
    instance = pm.random_instance("bernoulli", k, np.random.default_rng(k))
    arms = timed_scan(instance, T, np.random.default_rng(1))
    assert (pm.play(instance, pm.auer(), T, 1).arms == arms).all()


def test_the_sort_where_an_index_rises():
    """Both arms pay nothing for 150 pulls, then the first pays 1: it is played on."""
    tape = np.zeros((2, 1000))
    tape[0, 150:] = 1
    arms = stable_sort(tape).tolist()
    assert arms == kernel(tape)
    assert arms == [0, 1] * 150 + [0] * 700


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("n_parts", [1, 2, 3, 4, 5])
def test_parts_do_what_their_names_say(family, n_parts):
    """Same seed, same arms: the same rewards are drawn, and nothing else is."""
    T, k = 3000, 6
    instance = pm.random_instance(family, k, np.random.default_rng(2))
    rng, other = np.random.default_rng(3), np.random.default_rng(3)
    run = pm.play(instance, pm.ucb1(), T, rng)
    arms = run.arms if n_parts < 5 else np.zeros(T, np.int32)
    choice, pulls, total, value = stripped(instance, arms, other, n_parts)
    assert other.bit_generator.state == rng.bit_generator.state
    assert choice.tolist() == run.arms.tolist()
    assert math.isclose(total.sum(), run.rewards.sum(), rel_tol=1e-12)
    counted = np.bincount(run.arms, minlength=k)
    assert pulls.tolist() == (counted if n_parts > 1 else 0 * counted).tolist()
    if n_parts > 1:
        paid = np.bincount(run.arms, run.rewards)
        np.testing.assert_allclose(total, paid, rtol=1e-12)
    if n_parts > 2:
        exact = [oracles.ucb(s / n, n, math.log(T), 4) for s, n in zip(total, pulls)]
        np.testing.assert_allclose(value, exact, rtol=1e-15)
    else:
        assert np.isinf(value).all()


def rows_of(path):
    with open(path, encoding="utf8") as file:
        return {(r["table"], r["row"], r["column"]): r for r in csv.DictReader(file)}


LITTLE = {
    "T_STAGE": 600, "T_SORT": 600, "RUNS_SWEEP": 2, "T_TIMED": 600, "MEASURED": (300,),
    "HORIZONS": (1000, 2000), "LOCKSTEP": (1, 3),
    "_run": lambda code: "7.0", "_cold_table_2": lambda: 8.0,
    "_workers": lambda instance, rng: {
        ("workers", "simulate", n): (1, lambda: sum(range(9999))) for n in "12"
    },
}  # fmt: skip


def test_the_bench_prints_the_bars_and_writes_its_table(monkeypatch, capsys, tmp_path):
    """With little to do; its two children answer 7 and 8."""
    for name, value in LITTLE.items():
        monkeypatch.setattr(bench, name, value)
    bench.main(tmp_path / "bench.csv", tries=1)
    lines = capsys.readouterr().out.splitlines()[-len(bench.BARS) :]
    for line, (name, (kind, bar)) in zip(lines, bench.BARS.items()):
        value = float(line[len(name) :].split()[0])
        met = value >= bar if kind == "at least" else value <= bar
        assert line.startswith(name)
        assert abs(value - bar) < 0.1 or line.endswith(": met" if met else ": MISSED")
    rows = rows_of(tmp_path / "bench.csv")
    assert rows[bench.KERNEL]["ratio"] == "1"
    assert rows["bar", "memory of T = 1e7, MiB", "at most 1024.0"]["ratio"] == "7"
    assert rows["bar", "Table 2 from cold, seconds", "at most 60.0"]["ratio"] == "8"


def test_the_stored_table_is_whole_and_speaks_of_no_machine():
    rows = rows_of(STORED)
    tables = {"stage": 12, "part": 5, "family": 8, "lockstep": 5, "horizon": 4,
              "workers": 2, "sweep": 2, "streak": 2, "measure": 2,
               "twelve": 8, "log t": 8,
               "bar": len(bench.BARS)}  # fmt: skip
    assert {t: sum(key[0] == t for key in rows) for t in tables} == tables
    named = {row for table, row, _ in rows if table == "policy"}
    assert {"ucb1", "auer"} < named <= {*BY_NAME}  # a new one waits for `make bench`
    unit = float(rows[bench.KERNEL]["ns"])
    for (table, row, column), cells in rows.items():
        assert re.fullmatch(r"[\w .,%+='()-]+", (row + column).replace(" / ", " "))
        assert float(cells["ratio"]) > 0 or row == "sweep's overhead, %"
        if table != "bar":  # four digits of each are kept
            ratio = float(cells["ns"]) / unit
            assert math.isclose(float(cells["ratio"]), ratio, rel_tol=2e-3)
