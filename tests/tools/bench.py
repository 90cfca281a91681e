"""What a simulated round costs, from the textbook loop to the kernel: `make bench`.

Writes `chapters/_data/bench.csv`, which the chapter `speed` shows. Machines are noisy,
so every time is the best of several tries taken in turn, of processor time where one
thread works (what else the machine does then counts little), and most bars are ratios
within one run.
"""

import csv
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from timeit import timeit

import numpy as np
from _data.loops import (
    PARTS,
    POLICY,
    Pay,
    lockstep,
    plain_loop,
    stable_sort,
    stripped,
    timed_scan,
)

from pmeanlib.engine import play, simulate
from pmeanlib.estimates import measured_regrets
from pmeanlib.instances import FAMILIES, Instance
from pmeanlib.policies import BY_NAME, by_name, explore_then_ucb, ucb1
from pmeanlib.published import random_instance
from pmeanlib.sweep import Setting, sweep

BARS = {
    "plain loop / kernel": ("at least", 150.0),
    "k = 500 / k = 50": ("at most", 4.0),
    "two workers' speed-up": ("at least", 1.6),
    "dearest / shortest horizon": ("at most", 1.1),
    "Table 2 from cold, seconds": ("at most", 60.0),
    "memory of T = 1e7, MiB": ("at most", 1024.0),
    "sweep's overhead, %": ("at most", 5.0),
    "kernel / (draw + index), k = 10": ("at most", 2.2),
    "measure / play": ("at most", 1.0),
    "12 exponents / play": ("at most", 1.0),
    "log t, scan / kernel, k = 1000": ("at least", 1.0),
    "log t, scan / kernel, k = 5000": ("at least", 1.0),
    "index with log t / kernel": ("at most", 3.0),
    "stopping rule / kernel": ("at most", 3.0),
}
MEASURED = (20_000, 200_000)  # horizons at which twelve exponents are measured
T_STAGE, T_SORT, RUNS_STAGE, RUNS_SWEEP = 100_000, 20_000, 100, 250
EXPONENTS = (1, 0.75, 0.5, 0.25, 0, -0.5, -1, -1.5, -2, -3, -5, -10)
K_TIMED, T_TIMED = (50, 500, 1_000, 5_000), 20_000
HORIZONS, LOCKSTEP = (10**4, 10**5, 10**6, 10**7), (1, 10, 100, 1_000, 10_000)
KERNEL = ("stage", "kernel", "k = 50")

Key = tuple[str, str, str]  # table, row and column


def measure(tries: int = 5) -> dict[Key, float]:
    """Nanoseconds a round, by table, row and column; for "bar" what its name says."""
    bars = {  # first, since a child's peak of memory is at least its parent's
        ("bar", "memory of T = 1e7, MiB", ""): float(_run(_PEAK_MEMORY)),
        ("bar", "Table 2 from cold, seconds", ""): _cold_table_2(),
    }
    rng = np.random.default_rng(0)
    k50, k500 = (random_instance("bernoulli", k, rng) for k in (50, 500))
    tasks = _stages(k50, rng) | _stages(k500, rng) | _single(k50, rng)
    tasks |= _workers(k50, rng) | _sweeps(k50) | _long(rng) | _twelve(k50, rng)
    tasks |= _timed(rng)
    best = dict.fromkeys(tasks, math.inf)
    for attempt in range(tries + 1):
        for key, (rounds, task) in tasks.items():
            clock = time.perf_counter if key[0] == "workers" else time.process_time
            seconds = timeit(task, timer=clock, number=1)
            if attempt:  # the first compiles, or loads what was compiled before
                best[key] = min(best[key], 1e9 * seconds / rounds)
    return best | bars


def ratios(result: dict[Key, float]) -> dict[str, float]:
    """The numbers that have a bar."""
    horizons = [value for key, value in result.items() if key[0] == "horizon"]
    kernel = result[KERNEL]
    values = (
        result["stage", "plain loop", "k = 50"] / kernel,
        result["stage", "kernel", "k = 500"] / kernel,
        result["workers", "simulate", "1"] / result["workers", "simulate", "2"],
        max(horizons) / horizons[0],
        result["bar", "Table 2 from cold, seconds", ""],
        result["bar", "memory of T = 1e7, MiB", ""],
        100 * (result["sweep", "swept", ""] / result["sweep", "bare", ""] - 1),
        result["streak", "kernel", "k = 10"] / result["streak", "+ index", "k = 10"],
        result["measure", "measure", "k = 17"] / result["measure", "play", "k = 17"],
        max(_measured(result)),
        *(result["log t", "timed scan", f"k = {k}"]
          / result["log t", "timed kernel", f"k = {k}"] for k in K_TIMED[-2:]),
        result["policy", "auer", "k = 50"] / kernel,
        result["policy", "modified_ncb", "k = 50"] / kernel,
    )  # fmt: skip
    return dict(zip(BARS, values, strict=True))


def main(table: Path, tries: int = 5) -> None:
    """Write the chapter's table; print it, and what has a bar.

    The table has ns a round, and in units of the kernel's; of a bar the value alone.
    """
    result = measure(tries)
    times = {key: ns for key, ns in result.items() if key[0] != "bar"}
    rows: list[tuple] = [("table", "row", "column", "ns", "ratio")]
    rows += [(*key, f"{ns:.4g}", f"{ns / result[KERNEL]:.4g}")
             for key, ns in times.items()]  # fmt: skip
    for key, ns in times.items():
        print("{:9} {:24} {:10}".format(*key), f"{ns:9.1f} ns")
    for name, value in ratios(result).items():
        kind, bar = BARS[name]
        met = value >= bar if kind == "at least" else value <= bar
        word = "met" if met else "MISSED"
        print(f"{name:32}{value:12.1f}   {kind} {bar:g}: {word}")
        rows.append(("bar", name, f"{kind} {bar}", "", f"{value:.3g}"))
    with open(table, "w", encoding="utf8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


Task = tuple[int, Callable[[], object]]  # how many rounds, and the work
Tasks = dict[Key, Task]


def _stages(instance: Instance, rng: np.random.Generator) -> Tasks:
    k, T = instance.k, T_STAGE
    one, many = (_bernoulli(instance, rng, n) for n in (None, RUNS_STAGE))
    tape = (rng.random((k, T_SORT)) <= instance.mu[:, None]).astype(float)
    arms, buffer = np.zeros(T, np.int32), np.empty(10**6)
    tasks: dict[str, Task] = {
        "plain loop": (T, lambda: plain_loop(one, k, T)),
        "lockstep NumPy": (T * RUNS_STAGE, lambda: lockstep(many, k, T, RUNS_STAGE)),
        "stable sort in NumPy": (T_SORT, lambda: stable_sort(tape)),
        "compiled scan": _often(10, T, stripped, instance, arms, rng, 5),
        "kernel": _often(10, T, play, instance, POLICY, T, rng),
        "uniforms in NumPy": (buffer.size, lambda: rng.random(out=buffer)),
    }
    return {("stage", name, f"k = {k}"): task for name, task in tasks.items()}


def _single(instance: Instance, rng: np.random.Generator) -> Tasks:
    """The kernel's parts, the families, runs in lockstep and horizons."""
    tasks, T = Tasks(), T_STAGE
    arms = play(instance, POLICY, T, rng).arms
    for n_parts, name in enumerate(PARTS, 1):
        task = _often(10, T, stripped, instance, arms, rng, n_parts)
        tasks["part", name, "k = 50"] = task
    for family in FAMILIES[:4]:  # those of the paper
        other = random_instance(family, 50, rng)
        arms = play(other, POLICY, T, rng).arms
        tasks["family", family, "draw"] = _often(10, T, stripped, other, arms, rng, 1)
        tasks["family", family, "kernel"] = _often(10, T, play, other, POLICY, T, rng)
    for name in BY_NAME:
        policy = by_name(name, T=T, k=50, p=-1, mu_star=instance.mu_star)
        task = _often(2, T, play, instance, policy, T, rng)
        tasks["policy", name, "k = 50"] = task
    for n in LOCKSTEP:
        together = partial(lockstep, _bernoulli(instance, rng, n), 50, 200, n)
        tasks["lockstep", "k = 50", f"{n}"] = 200 * n, together
    for T in HORIZONS:
        task = _often(max(1, 10**6 // T), T, play, instance, POLICY, T, rng)
        tasks["horizon", "k = 50", f"{T}"] = task
    return tasks


def _long(rng: np.random.Generator) -> Tasks:
    """A horizon so long that the best arm wins many rounds in a row; and error bars.

    The latter at three exponents, beside the runs that they measure.
    """
    T, n_runs = 10**6, 24
    k10, k17 = (random_instance("bernoulli", k, rng) for k in (10, 17))
    arms = play(k10, POLICY, T, rng).arms
    runs = partial(simulate, k17, POLICY, T // 5, n_runs, rng, workers=1)
    measure = partial(measured_regrets, runs(), (1, 0, -1.5))
    return {
        ("streak", "+ index", "k = 10"): (T, partial(stripped, k10, arms, rng, 3)),
        ("streak", "kernel", "k = 10"): (T, partial(play, k10, POLICY, T, rng)),
        ("measure", "play", "k = 17"): (T // 5 * n_runs, runs),
        ("measure", "measure", "k = 17"): (T // 5 * n_runs, measure),
    }


def _twelve(instance: Instance, rng: np.random.Generator) -> Tasks:
    """Error bars at twelve exponents, beside the 32 runs that they measure."""
    tasks: Tasks = {}
    for T in MEASURED:
        for policy in (ucb1(), explore_then_ucb(T, instance.k, 1)):
            runs = partial(simulate, instance, policy, T, 32, rng, workers=1)
            measure, column = partial(measured_regrets, runs(), EXPONENTS), f"T = {T}"
            tasks["twelve", f"{policy.name}, play", column] = 32 * T, runs
            tasks["twelve", f"{policy.name}, measure", column] = 32 * T, measure
    return tasks


def _measured(result: dict[Key, float]) -> list[float]:
    """How long measuring at twelve exponents takes, in units of its runs."""
    rows = [value for key, value in result.items() if key[0] == "twelve"]
    return [measure / play for play, measure in zip(rows[::2], rows[1::2], strict=True)]


def _timed(rng: np.random.Generator) -> Tasks:
    """An index with log t, among so many arms that most look like many others."""
    tasks, T = Tasks(), T_TIMED
    for k in K_TIMED:
        instance = random_instance("bernoulli", k, rng)
        scan = partial(timed_scan, instance, T, rng)
        kernel = partial(play, instance, by_name("auer"), T, rng)
        tasks["log t", "timed scan", f"k = {k}"] = T, scan
        tasks["log t", "timed kernel", f"k = {k}"] = T, kernel
    return tasks


def _workers(instance: Instance, rng: np.random.Generator) -> Tasks:
    T, n_runs = 10**5, 200
    work = partial(simulate, instance, POLICY, T, n_runs, rng)
    by_workers = ((f"{n}", partial(work, workers=n)) for n in (1, 2))
    return {("workers", "simulate", n): (T * n_runs, task) for n, task in by_workers}


def _sweeps(instance: Instance) -> Tasks:
    """Two pieces of a second each, with and without a sweep around them."""
    T, n_runs = 100_000, RUNS_SWEEP
    pieces = [Setting(instance, POLICY, T, n_runs, seed, (0,)) for seed in (1, 2)]

    def bare() -> None:
        for s in pieces:
            profile = simulate(s.instance, s.policy, s.T, s.n_runs, s.rng, workers=1)
            measured_regrets(profile, [0])

    def swept() -> None:
        with tempfile.TemporaryDirectory() as store:
            sweep(pieces, workers=1, store=store)

    rounds = 2 * T * n_runs
    return {("sweep", task.__name__, ""): (rounds, task) for task in (bare, swept)}


def _bernoulli(instance: Instance, rng: np.random.Generator, n: int | None) -> Pay:
    return lambda i, s: rng.random(n) <= instance.mu[i]


def _often(times: int, T: int, function: Callable[..., object], *args: object) -> Task:
    """Several calls of a compiled loop of T rounds: one is short to time."""
    return times * T, partial(timeit, partial(function, *args), number=times)


_PEAK_MEMORY = """
import resource, sys
import pmeanlib as pm
arms = pm.bernoulli([i / 50 for i in range(1, 51)])
pm.measured_regret(pm.simulate(arms, pm.ucb1(), 10**7, 10, 0, workers=2), -1)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(peak / 2 ** (20 if sys.platform == "darwin" else 10))
"""
_TABLE_2 = """
from pmeanlib import published
print(len(published.table("definition", n_runs=30)))
"""


def _cold_table_2() -> float:
    """Seconds for Table 2 by the definition, 30 runs, with nothing kept or compiled."""
    with tempfile.TemporaryDirectory() as cache:
        empty = {"NUMBA_CACHE_DIR": cache, "PMEANLIB_CACHE": cache}
        return timeit(partial(_run, _TABLE_2, **empty), number=1)


def _run(code: str, **environment: str) -> str:
    """What this code prints in a Python of its own."""
    command, setting = [sys.executable, "-c", code], os.environ | environment
    return subprocess.check_output(command, env=setting, text=True)


if __name__ == "__main__":
    main(Path(__file__).parents[2] / "chapters" / "_data" / "bench.csv")
