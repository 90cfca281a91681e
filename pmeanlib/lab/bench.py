"""What a simulated round costs, from the textbook loop to the kernel (chapter `speed`).

Every stage plays UCB1 of width 4 and returns the arms: on the same rewards the same
arms, ties included. Machines are noisy, so every time is the best of several tries
taken in turn, of processor time where one thread works (what else the machine does then
counts little), and most bars are ratios within one run.
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
from typing import Any

import numpy as np
from numba import njit

from pmeanlib.engine import play, simulate
from pmeanlib.instances import FAMILIES, Instance
from pmeanlib.kernel import draw, first_max
from pmeanlib.lab.sweep import Setting, sweep
from pmeanlib.policies import BY_NAME, by_name, ucb1
from pmeanlib.published import random_instance
from pmeanlib.welfare import measured_regrets

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
    "index with log t / kernel": ("at most", 3.0),
    "stopping rule / kernel": ("at most", 3.0),
}
POLICY = ucb1()
T_STAGE, T_SORT, RUNS_STAGE, RUNS_SWEEP = 100_000, 20_000, 100, 250
HORIZONS, LOCKSTEP = (10**4, 10**5, 10**6, 10**7), (1, 10, 100, 1_000, 10_000)
PARTS = ("draw", "+ totals", "+ index", "+ scan", "+ wait")
KERNEL = ("stage", "kernel", "k = 50")

Key = tuple[str, str, str]  # table, row and column
Pay = Callable[[Any, Any], Any]  # what arm i pays when pulled after s pulls


def plain_loop(pay: Pay, k: int, T: int) -> np.ndarray:
    """UCB1 as textbooks write it, k indices a round; the arms played, (T,)."""
    log_T, arms = math.log(T), np.empty(T, int)
    pulls, total = np.zeros(k, int), np.zeros(k)
    for t in range(T):
        i = t if t < k else np.argmax(total / pulls + 4 * np.sqrt(log_T / pulls))
        total[i] += pay(i, pulls[i])
        pulls[i] += 1
        arms[t] = i
    return arms


def lockstep(pay: Pay, k: int, T: int, n_runs: int) -> np.ndarray:
    """All runs play a round together, on arrays; the arms played, (n_runs, T)."""
    log_T, arms = math.log(T), np.empty((T, n_runs), int)
    pulls, total = np.zeros((n_runs, k), int), np.zeros((n_runs, k))
    value, run = np.full((n_runs, k), np.inf), np.arange(n_runs)
    for t in range(T):
        i = value.argmax(axis=1)
        n = pulls[run, i] + 1
        s = total[run, i] + pay(i, n - 1)
        pulls[run, i], total[run, i] = n, s
        value[run, i] = s / n + 4 * np.sqrt(log_T / n)
        arms[t] = i
    return arms.T


def stable_sort(tape: np.ndarray) -> np.ndarray:
    """No loop: merge the arms' prevailing indices. Tape (k, T), arms (T,)."""
    k, T = tape.shape
    n = np.arange(1, T)
    v = np.full((k, T), np.inf)  # the index after 0, 1, ..., T - 1 pulls
    v[:, 1:] = np.cumsum(tape[:, :-1], axis=1) / n + 4 * np.sqrt(math.log(T) / n)
    prevailing = np.minimum.accumulate(v, axis=1)
    return np.argsort(-prevailing, axis=None, kind="stable")[:T] // T


@njit(nogil=True, cache=True, error_model="numpy")
def _stripped(rng, params, index, width, arms, n_parts):
    k, log_T, choice = len(params[0]), math.log(arms.size), arms.copy()
    pulls, total, value = np.zeros(k, np.int64), np.zeros(k), np.full(k, np.inf)
    for t in range(arms.size):
        i = arms[t]
        if n_parts > 3:
            choice[t], _ = first_max(value, 0, k)
            if n_parts > 4:
                i = choice[t]
        x = draw(rng, params, i, pulls[i])
        if n_parts == 1:
            total[0] += x
            continue
        pulls[i] += 1
        total[i] += x
        if n_parts > 2:
            mu_hat, n = total[i] / pulls[i], pulls[i]
            value[i] = index(mu_hat, n, log_T, width, 0.0, k, 1.0, 0.0, 0.0)
    return choice, pulls, total, value


def stripped(
    instance: Instance, arms: np.ndarray, rng: np.random.Generator, n_parts: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """A compiled loop that does the first `n_parts` of PARTS only.

    It plays the given `arms` (T,) and draws their rewards; then it also counts pulls
    and adds up rewards; computes the index of the arm pulled; looks for the highest of
    all k indices, in vain; and at last plays the arm found: UCB1 complete, without the
    kernel's blocks. Returns the arms found, and pulls, totals and indices (k,).
    """
    index, width = POLICY.index.compiled, float(POLICY.width)
    return _stripped(rng, instance.arms, index, width, arms, n_parts)


def measure(tries: int = 5) -> dict[Key, float]:
    """Nanoseconds a round, by table, row and column; for "bar" what its name says."""
    peak = "nan" if os.name == "nt" else _run("-c", _PEAK_MEMORY)  # Windows can't tell
    bars = {  # first, since a child's peak of memory is at least its parent's
        ("bar", "memory of T = 1e7, MiB", ""): float(peak),
        ("bar", "Table 2 from cold, seconds", ""): _cold_table_2(),
    }
    rng = np.random.default_rng(0)
    k50, k500 = (random_instance("bernoulli", k, rng) for k in (50, 500))
    tasks = _stages(k50, rng) | _stages(k500, rng) | _single(k50, rng)
    tasks |= _workers(k50, rng) | _sweeps(k50) | _long(rng)
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
        result["policy", "auer", "k = 50"] / kernel,
        result["policy", "modified-ncb", "k = 50"] / kernel,
    )
    return dict(zip(BARS, values, strict=True))


def store(result: dict[Key, float], path: Path) -> None:
    """Write the table that the chapter shows: ns a round, and in units of the kernel's.

    Of a bar it keeps the value alone.
    """
    rows: list[tuple] = [("table", "row", "column", "ns", "ratio")]
    rows += [(*key, f"{ns:.4g}", f"{ns / result[KERNEL]:.4g}")
             for key, ns in result.items() if key[0] != "bar"]  # fmt: skip
    rows += [("bar", name, " ".join(map(str, BARS[name])), "", f"{value:.3g}")
             for name, value in ratios(result).items()]  # fmt: skip
    with open(path, "w", encoding="utf8", newline="") as file:
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
_TABLE_2 = "-m pmeanlib table2 --estimator definition --runs 30 --json"


def _cold_table_2() -> float:
    """Seconds for Table 2 by the definition, 30 runs, with nothing kept or compiled."""
    with tempfile.TemporaryDirectory() as cache:
        empty = {"NUMBA_CACHE_DIR": cache, "PMEANLIB_CACHE": cache}
        return timeit(partial(_run, *_TABLE_2.split(), **empty), number=1)


def _run(*words: str, **environment: str) -> str:
    """What this Python prints in a process of its own."""
    command, setting = [sys.executable, *words], os.environ | environment
    return subprocess.check_output(command, env=setting, text=True)
