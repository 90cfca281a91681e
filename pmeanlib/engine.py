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
from numba.extending import overload
from tqdm import tqdm

from pmeanlib import _checks
from pmeanlib.compiled import kept
from pmeanlib.instances import Bernoulli, Beta, Instance, Tape, Triangular, Uniform
from pmeanlib.policies import Policy
from pmeanlib.welfare import Profile, measured_regrets

VERSION = 2  # of the numbers: raise it when the same arguments give other ones
_NO_REWARDS = np.empty(0)


@dataclass(frozen=True)
class Run:
    """One run: the arm of each round, `arms` (T,), and what it paid, `rewards` (T,)."""

    arms: np.ndarray
    rewards: np.ndarray


def play(
    instance: Instance, policy: Policy, T: int, rng: np.random.Generator | int
) -> Run:
    """One run of T rounds, with all its arms and rewards; `rng` may be a seed."""
    T = horizon(instance, policy, T)
    run = Run(np.empty(T, np.int32), np.empty(T))
    _play_checked(_generator(rng), instance, policy, run.arms, run.rewards)
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
    rng = _generator(rng)
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
    known = known_rounds(instance, policy, T)
    if policy.T_tilde or policy.order == "random":
        total[:known] = n_runs * instance.mu.mean()
        group_totals[:, :known] = sizes[:, None] * instance.mu.mean()
    groups = group_totals, group_pulls, sizes
    return Profile(instance.mu_star, total, n_runs, policy.T_tilde, known, *groups)


def simulate_until(
    instance: Instance,
    policy: Policy,
    T: int,
    exponents: Iterable[float],
    error: float,
    rng: np.random.Generator | int,
    *,
    budget: int = 100_000,
    start: Profile | None = None,
    after: Callable[[Profile], object] = lambda profile: None,
    **options: Any,
) -> Profile:
    """Simulate until every p-mean regret has a trusted standard error of `error`.

    Runs are added a piece at a time, each on the next streams of `rng`, until the error
    is reached or `budget` runs are spent: the same pieces, and the same bits, however
    many workers there are. `after` sees the profile after every piece; given back as
    `start`, with the same `rng`, the work goes on from there.
    """
    exponents, rng = list(exponents), _generator(rng)
    error = _checks.real("error", error, low=1e-12)
    budget = _checks.integer("budget", budget, 2)
    profile, most = start, max(32, 10**8 // T)  # a piece is some seconds of work
    if profile is None:
        profile = simulate(instance, policy, T, min(32, budget), rng, **options)
        after(profile)
    else:
        streams: Any = rng.bit_generator.seed_seq
        streams.spawn(profile.n_runs)  # those that have been played
    while profile.n_runs < budget:
        needed = max(e.runs_for(error) for e in measured_regrets(profile, exponents))
        if needed <= profile.n_runs:
            break
        n_runs = min(max(needed - profile.n_runs, 32), most, budget - profile.n_runs)
        profile = profile + simulate(instance, policy, T, n_runs, rng, **options)
        after(profile)
    return profile


def known_rounds(instance: Instance, policy: Policy, T: int) -> int:
    """How many first rounds have an expected reward that is known, not estimated.

    Uniform exploration expects the average of the means in each round, and so does each
    of the first k rounds when every arm comes once in a random order; in a fixed order
    these rounds are not random at all.
    """
    return policy.T_tilde or min(instance.k, T)


def _generator(rng: np.random.Generator | int) -> np.random.Generator:
    if isinstance(rng, np.random.Generator):
        return rng
    seed = _checks.integer("rng (a Generator or a seed)", rng, 0)
    return np.random.default_rng(seed)


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
    rule = policy.index.compiled, float(policy.width), policy.T_tilde
    order = policy.order == "random"
    mu_hat, pulls = _play(rng, instance.arms, *rule, order, arms, rewards)
    if pulls:  # with these the index is no number: say why, as far as Python can tell
        at = f"mu_hat = {mu_hat:g}, pulls = {pulls}"
        try:
            got = str(policy.index(mu_hat, pulls, math.log(arms.size), policy.width))
        except Exception as error:
            got = f"{type(error).__name__}: {error}"
        raise ValueError(
            f"the index of {policy.name} must be a number, got {got} at {at}"
        )


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


_DRAW = {  # here, with the loop that they are compiled into
    Bernoulli: lambda rng, arms, i, s: 1.0 if rng.random() <= arms.mu[i] else 0.0,
    Beta: lambda rng, arms, i, s: rng.beta(arms.alpha[i], arms.beta[i]),
    Triangular: lambda rng, arms, i, s: rng.triangular(0.0, arms.mode[i], 1.0),
    Uniform: lambda rng, arms, i, s: rng.uniform(arms.lower[i], arms.upper[i]),
    Tape: lambda rng, arms, i, s: arms.rewards[i, s],
}


def draw(rng: np.random.Generator, arms: Any, i: int, s: int) -> float:
    """What arm i pays when pulled after s pulls; compiled code has its own."""
    return float(_DRAW[type(arms)](rng, arms, i, s))


@overload(draw)
def _compiled_draw(rng, arms, i, s):
    return _DRAW[arms.instance_class]


@kept(njit, nogil=True)
def _tally(arms, mu, total, pulls):
    for t in range(arms.size):
        total[t] += mu[arms[t]]
        pulls[arms[t]] += 1


@kept(njit, nogil=True, error_model="numpy")
def _play(rng, params, index, width, T_tilde, random_order, arms, rewards):
    """Play T = arms.size rounds into `arms` (and `rewards`, unless empty).

    Only the arm just pulled changes its index (log T is fixed), so the indices are kept
    in blocks of about sqrt(k) with the first maximum of each block beside them: a round
    looks at one block and at the blocks' maxima, 2 sqrt(k) numbers instead of k. An arm
    that has come three times in a row is played on, with no search at all, until it
    falls below the runner-up.
    Returns the mean and the pulls for which an index was no number, or zeros.
    """
    T, k = arms.size, len(params[0])
    log_T, keep = math.log(T), rewards.size > 0
    pulls, total = np.zeros(k, np.int64), np.zeros(k)

    for t in range(T_tilde):
        arms[t] = rng.integers(0, k)
        _pull(rng, params, t, arms, rewards, pulls, total)

    never = np.flatnonzero(pulls == 0)
    if random_order:
        for j in range(never.size - 1, 0, -1):
            other = rng.integers(0, j + 1)
            never[j], never[other] = never[other], never[j]
    start = min(T_tilde + never.size, T)
    for t in range(T_tilde, start):
        arms[t] = never[t - T_tilde]
        _pull(rng, params, t, arms, rewards, pulls, total)
    if start == T:
        return 0.0, 0

    block = math.ceil(math.sqrt(k))
    n_blocks = (k + block - 1) // block
    value = np.full(n_blocks * block, -np.inf)
    for i in range(k):
        value[i] = index(total[i] / pulls[i], pulls[i], log_T, width)
        if math.isnan(value[i]):
            return total[i] / pulls[i], pulls[i]
    top, top_arm = np.empty(n_blocks), np.empty(n_blocks, np.int64)
    for c in range(n_blocks):
        top_arm[c], top[c] = first_max(value, c * block, block)

    t, last, repeats = start, -1, 0
    while t < T:
        c, _ = first_max(top, 0, n_blocks)
        i = top_arm[c]
        repeats = repeats + 1 if i == last else 0
        last, stop, second, rival = i, t + 1, -np.inf, k
        if repeats == 2:
            last, stop, value[i], top[c] = -1, T, -np.inf, -np.inf
            rival, second = first_max(value, c * block, block)
            other, highest = first_max(top, 0, n_blocks)
            if highest > second or (highest == second and top_arm[other] < rival):
                rival, second = top_arm[other], highest
        n, s, v = pulls[i], total[i], np.inf
        while t < stop and (v > second or (v == second and i < rival)):
            x = draw(rng, params, i, n)
            n, s, arms[t] = n + 1, s + x, i
            if keep:
                rewards[t] = x
            v = index(s / n, n, log_T, width)
            t += 1
        if math.isnan(v):
            return s / n, n
        pulls[i], total[i], value[i] = n, s, v
        top_arm[c], top[c] = first_max(value, c * block, block)
    return 0.0, 0


@njit(inline="always")
def _pull(rng, params, t, arms, rewards, pulls, total):
    """Pull the arm of round t, outside of the search for the highest index."""
    i = arms[t]
    x = draw(rng, params, i, pulls[i])
    pulls[i] += 1
    total[i] += x
    if rewards.size:
        rewards[t] = x


@njit(inline="always")
def first_max(value, start, length):
    """Place and value of the first maximum of value[start : start + length]."""
    place, highest = start, value[start]
    for j in range(start + 1, start + length):
        if value[j] > highest:
            place, highest = j, value[j]
    return place, highest
