"""The only loop over rounds: policies play instances. No welfare is computed here."""

import math
import sys
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from joblib import Parallel, cpu_count, delayed
from numba import njit
from tqdm import tqdm

from pmeanlib import _checks
from pmeanlib.instances import Instance, Tape, draw
from pmeanlib.policies import Policy
from pmeanlib.welfare import Profile

VERSION = 1  # of the numbers: raise it when the same arguments give other ones
_NO_REWARDS = np.empty(0)


@dataclass(frozen=True)
class Run:
    """One run: the arm of each round, `arms` (T,), and what it paid, `rewards` (T,)."""

    arms: np.ndarray
    rewards: np.ndarray


def play(instance: Instance, policy: Policy, T: int, rng: np.random.Generator) -> Run:
    """One run of T rounds, with all its arms and rewards."""
    T = horizon(instance, policy, T)
    run = Run(np.empty(T, np.int32), np.empty(T))
    _play_checked(rng, instance, policy, run.arms, run.rewards)
    return run


def simulate(
    instance: Instance,
    policy: Policy,
    T: int,
    n_runs: int,
    rng: np.random.Generator | int,
    *,
    workers: int | None = None,
    n_groups: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> Profile:
    """Run `policy` on `instance` for T rounds, `n_runs` times; average every round.

    Parameters
    ----------
    rng : a Generator or a seed. Every run has a stream of its own, spawned from it in
        order, and the runs are added up in order: `workers` cannot change the result.
    workers : threads to use; all cores if not given.
    n_groups : into how many groups the runs are dealt for error bars; if not given, 32,
        or 10 to 5 when T exceeds a million; never more than n_runs.
    progress : called with 1 after every run, in the place of a progress bar.
    """
    T, n_runs = horizon(instance, policy, T), _checks.integer("n_runs", n_runs, 1)
    if not isinstance(rng, np.random.Generator):
        seed = _checks.integer("rng (a Generator or a seed)", rng, 0)
        rng = np.random.default_rng(seed)
    wanted = default_groups(T) if n_groups is None else n_groups
    sizes = _deal(n_runs, min(_checks.integer("n_groups", wanted, 2), n_runs))
    streams: Any = rng.bit_generator.seed_seq
    workers = _checks.integer("workers", cpu_count() if workers is None else workers, 1)
    if T * n_runs < 10**6:
        workers = 1  # threads would cost more than they save

    total = np.zeros(T)
    group_totals = np.empty((sizes.size, T), np.float32 if T > 10**6 else np.float64)
    group_pulls = np.empty((sizes.size, instance.k), np.int64)
    stop = threading.Event()  # after Ctrl-C no thread begins another run
    hidden: Any = {"disable": True} if progress else {}
    with progress_bar(total=n_runs, unit="run", **hidden) as bar:
        tick = progress or bar.update
        tasks = (
            delayed(_play_group)(instance, policy, T, rng, seeds, tick, stop)
            for seeds in map(streams.spawn, sizes)
        )
        how = {"backend": "threading", "return_as": "generator"}
        threads = Parallel(workers, pre_dispatch=workers, **how)
        try:
            for g, (part, pulls) in enumerate(threads(tasks)):
                total += part
                group_totals[g], group_pulls[g] = part, pulls
        finally:
            stop.set()
    groups = group_totals, group_pulls, sizes
    for values in (total, *groups):
        values.flags.writeable = False
    return Profile(instance.mu_star, total, n_runs, policy.T_tilde, *groups)


def default_groups(T: int) -> int:
    """32 groups of runs, fewer for long runs: then their totals fit into 320 MB."""
    return max(5, min(10, 80_000_000 // T)) if T > 10**6 else 32


def _deal(n_runs: int, n_groups: int) -> np.ndarray:
    """The sizes of n_groups groups of runs, as equal as can be."""
    return n_runs // n_groups + (np.arange(n_groups) < n_runs % n_groups)


def _play_group(instance, policy, T, parent, seeds, tick, stop):
    """The summed means of each round and pulls of each arm over one group of runs."""
    arms, total = np.empty(T, np.int32), np.zeros(T)
    pulls = np.zeros(instance.k, np.int64)
    stream = type(parent.bit_generator)
    rng = np.random.Generator(stream(seeds[0]))  # one for all: numba is slow to meet it
    for seed in seeds:
        if stop.is_set():
            break
        rng.bit_generator.state = stream(seed).state
        _play_checked(rng, instance, policy, arms, _NO_REWARDS)
        _tally(arms, instance.mu, total, pulls)
        tick(1)
    return total, pulls


def _play_checked(rng, instance, policy, arms, rewards):
    index, width = policy.index.compiled, float(policy.width)
    rule = index, width, policy.T_tilde, policy.order == "random"
    ok = _play(rng, instance.arms, *rule, arms, rewards)
    _checks.require(ok, f"the index of {policy.name} must be a number, got nan")


def horizon(instance: Instance, policy: Policy, T: int) -> int:
    """T, if this policy can play this instance for so many rounds."""
    T, least = _checks.integer("T", T, 1), policy.T_tilde
    enough = f"T must be at least the policy's T_tilde = {least}, got {T}"
    _checks.require(least <= T, enough)
    if isinstance(instance.arms, Tape):
        length = instance.arms.rewards.shape[1]
        message = f"T must be at most the length of the tape, {length}, got {T}"
        _checks.require(length >= T, message)
    return T


def progress_bar(items: Iterable | None = None, **options: Any) -> tqdm:
    """Shown after a second, on a terminal or in a notebook, unless TQDM_DISABLE=1."""
    where = {} if "ipykernel" in sys.modules else {"disable": None}
    return tqdm(items, **{"delay": 1, "leave": False} | where | options)


@njit(nogil=True, cache=True)
def _tally(arms, mu, total, pulls):
    for t in range(arms.size):
        total[t] += mu[arms[t]]
        pulls[arms[t]] += 1


@njit(nogil=True, cache=True, error_model="numpy")
def _play(rng, params, index, width, T_tilde, random_order, arms, rewards):
    """Play T = arms.size rounds into `arms` (and `rewards`, unless empty).

    Only the arm just pulled changes its index (log T is fixed), so the indices are kept
    in blocks of about sqrt(k) with the first maximum of each block beside them: a round
    looks at one block and at the blocks' maxima, 2 sqrt(k) numbers instead of k.
    Returns False if an index was nan.
    """
    T, k = arms.size, len(params[0])
    log_T = math.log(T)
    pulls, total = np.zeros(k, np.int64), np.zeros(k)

    for t in range(T_tilde):
        i = rng.integers(0, k)
        _pull(rng, params, i, t, arms, rewards, pulls, total)

    never = np.flatnonzero(pulls == 0)
    if random_order:
        for j in range(never.size - 1, 0, -1):
            other = rng.integers(0, j + 1)
            never[j], never[other] = never[other], never[j]
    start = min(T_tilde + never.size, T)
    for t in range(T_tilde, start):
        _pull(rng, params, never[t - T_tilde], t, arms, rewards, pulls, total)
    if start == T:
        return True

    block = math.ceil(math.sqrt(k))
    n_blocks = (k + block - 1) // block
    value = np.full(n_blocks * block, -np.inf)
    for i in range(k):
        value[i] = index(total[i] / pulls[i], pulls[i], log_T, width)
        if math.isnan(value[i]):
            return False
    top, top_arm = np.empty(n_blocks), np.empty(n_blocks, np.int64)
    for c in range(n_blocks):
        top_arm[c], top[c] = first_max(value, c * block, block)

    for t in range(start, T):
        c, _ = first_max(top, 0, n_blocks)
        i = top_arm[c]
        n, s = _pull(rng, params, i, t, arms, rewards, pulls, total)
        value[i] = index(s / n, n, log_T, width)
        if math.isnan(value[i]):
            return False
        top_arm[c], top[c] = first_max(value, c * block, block)
    return True


@njit(inline="always")
def _pull(rng, params, i, t, arms, rewards, pulls, total):
    """Pull arm i in round t; its new number of pulls and sum of rewards."""
    x = draw(rng, params, i, pulls[i])
    n, s = pulls[i] + 1, total[i] + x
    pulls[i], total[i] = n, s
    arms[t] = i
    if rewards.size:
        rewards[t] = x
    return n, s


@njit(inline="always")
def first_max(value, start, length):
    """Place and value of the first maximum of value[start : start + length]."""
    place, highest = start, value[start]
    for j in range(start + 1, start + length):
        if value[j] > highest:
            place, highest = j, value[j]
    return place, highest
