"""UCB1 in four forms, from the textbook loop to no loop at all.

Each is UCB1 of width 4 and returns the arms (chapter `speed`): on the same
rewards the same arms, ties included. A fifth is the textbook loop, compiled,
for an index with log t. `tests/tools/bench.py` measures their rounds.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit

import pmeanlib as pm
from pmeanlib.kernel import draw, first_max

POLICY = pm.ucb1()
PARTS = ("draw", "+ totals", "+ index", "+ scan", "+ wait")
Pay = Callable[[Any, Any], Any]  # what arm i pays when pulled after s pulls


def plain_loop(pay: Pay, k: int, T: int) -> np.ndarray:
    """UCB1 as textbooks write it, k indices a round; the arms, (T,)."""
    log_T, arms = math.log(T), np.empty(T, int)
    pulls, total = np.zeros(k, int), np.zeros(k)
    for t in range(T):
        if t < k:
            i = t
        else:
            i = np.argmax(total / pulls + 4 * np.sqrt(log_T / pulls))
        total[i] += pay(i, pulls[i])
        pulls[i] += 1
        arms[t] = i
    return arms


def lockstep(pay: Pay, k: int, T: int, n_runs: int) -> np.ndarray:
    """All runs play a round together, on arrays; the arms, (n_runs, T)."""
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
    mu_hat = np.cumsum(tape[:, :-1], axis=1) / n
    v[:, 1:] = mu_hat + 4 * np.sqrt(math.log(T) / n)
    prevailing = np.minimum.accumulate(v, axis=1)
    return np.argsort(-prevailing, axis=None, kind="stable")[:T] // T


@njit(nogil=True, error_model="numpy")
def _stripped(rng, params, index, width, arms, n_parts):
    k, log_T, choice = len(params[0]), math.log(arms.size), arms.copy()
    pulls, total = np.zeros(k, np.int64), np.zeros(k)
    value = np.full(k, np.inf)
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


@njit(nogil=True, error_model="numpy")
def _timed_scan(rng, params, arms):
    k = len(params[0])
    pulls, total = np.zeros(k, np.int64), np.zeros(k)
    for t in range(arms.size):
        best, highest, log_t = t, -np.inf, math.log(t + 1)
        if t >= k:
            for i in range(k):
                v = total[i] / pulls[i] + math.sqrt(2 * log_t / pulls[i])
                if v > highest:
                    best, highest = i, v
        total[best] += draw(rng, params, best, pulls[best])
        pulls[best] += 1
        arms[t] = best


def timed_scan(
    instance: pm.Instance, T: int, rng: np.random.Generator
) -> np.ndarray:
    """UCB1 of Auer et al. by all k indices in each round; the arms, (T,)."""
    arms = np.empty(T, int)
    _timed_scan(rng, instance.params, arms)
    return arms


def stripped(
    instance: pm.Instance,
    arms: np.ndarray,
    rng: np.random.Generator,
    n_parts: int,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """A compiled loop that does the first `n_parts` of PARTS only.

    It plays the given `arms` (T,) and draws their rewards; then it also
    counts pulls and adds up rewards; computes the index of the arm pulled;
    looks for the highest of all k indices, in vain; and at last plays the arm
    found: UCB1 complete, without the kernel's blocks. Returns the arms found,
    and pulls, totals and indices (k,).
    """
    index, width = POLICY.index.compiled, float(POLICY.width)
    return _stripped(rng, instance.params, index, width, arms, n_parts)
