"""What a round costs: the kernel, a textbook loop, and merely drawing random numbers.

Machines are noisy, so every number is the best of several tries taken in turn, and the
bars are ratios within one run.
"""

import math
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from pmeanlib.instances import Instance, random_instance
from pmeanlib.policies import ucb1
from pmeanlib.simulate import play, simulate
from pmeanlib.sweep import Setting, sweep
from pmeanlib.welfare import measured_regret

BARS = {
    "plain loop / kernel": ("at least", 150.0),
    "k = 500 / k = 50": ("at most", 4.0),
    "two workers' speed-up": ("at least", 1.6),
    "sweep's overhead, %": ("at most", 5.0),
}


def measure(T: int = 100_000, tries: int = 5) -> dict[str, float]:
    """Nanoseconds a round for UCB1 on Bernoulli arms; the speed-up of two workers."""
    rng = np.random.default_rng(0)
    k50, k500 = (random_instance("bernoulli", k, rng) for k in (50, 500))
    buffer = np.empty(T)
    tasks: dict[str, Callable[[], object]] = {
        "kernel_ns": lambda: play(k50, ucb1(), T, rng),
        "kernel_k500_ns": lambda: play(k500, ucb1(), T, rng),
        "draw_ns": lambda: rng.random(out=buffer),
        "plain_loop_ns": lambda: plain_loop(k50, T, rng),
        "one_worker": lambda: simulate(k50, ucb1(), T, 200, rng, workers=1),
        "two_workers": lambda: simulate(k50, ucb1(), T, 200, rng, workers=2),
    }
    play(k50, ucb1(), T, rng)  # compile, or load what was compiled before
    best = dict.fromkeys(tasks, math.inf)
    for _ in range(tries):
        for name, task in tasks.items():
            best[name] = min(best[name], _seconds(task))
    times = {n: 1e9 * best[n] / T for n in tasks if n.endswith("_ns")}
    times["two_workers_speedup"] = best["one_worker"] / best["two_workers"]
    return times | {"sweep_overhead": sweep_overhead()}


def ratios(result: dict[str, float]) -> dict[str, float]:
    """The numbers that have a bar."""
    values = (
        result["plain_loop_ns"] / result["kernel_ns"],
        result["kernel_k500_ns"] / result["kernel_ns"],
        result["two_workers_speedup"],
        result["sweep_overhead"],
    )
    return dict(zip(BARS, values, strict=True))


def plain_loop(instance: Instance, T: int, rng: np.random.Generator) -> np.ndarray:
    """UCB1 of width 4 as textbooks write it, one np.argmax a round; the arms played."""
    log_T, arms = math.log(T), np.empty(T, int)
    pulls, total = np.zeros(instance.k), np.zeros(instance.k)
    for t in range(T):
        if t < instance.k:
            i = t
        else:
            i = np.argmax(total / pulls + 4 * np.sqrt(log_T / pulls))
        total[i] += rng.random() <= instance.mu[i]
        pulls[i] += 1
        arms[t] = i
    return arms


def _seconds(task: Callable[[], object]) -> float:
    start = time.perf_counter()
    task()
    return time.perf_counter() - start


def sweep_overhead(tries: int = 3) -> float:
    """What a sweep adds to its bare pieces of a second or more, in per cent of them."""
    arms = random_instance("bernoulli", 50, np.random.default_rng(0))
    pieces = [Setting(arms, ucb1(), 100_000, 400, seed, (0,)) for seed in (1, 2)]

    def bare() -> None:
        for s in pieces:
            profile = simulate(s.instance, s.policy, s.T, s.n_runs, s.seed, workers=1)
            measured_regret(profile, 0)

    def swept() -> None:
        with TemporaryDirectory() as store:
            sweep(pieces, workers=1, store=Path(store))

    sweep(pieces[:0])  # import what it needs
    times = [(_seconds(bare), _seconds(swept)) for _ in range(tries)]
    alone, together = map(min, zip(*times, strict=True))
    return 100 * (together / alone - 1)
