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
from pmeanlib.instances import (
    Bernoulli,
    Beta,
    Gaussian,
    Instance,
    Tape,
    Triangular,
    Uniform,
)
from pmeanlib.policies import EXPLORATIONS, Policy, Stage
from pmeanlib.welfare import Profile, measured_regrets

VERSION = 2  # of the numbers: raise it when the same arguments give other ones
_NO_REWARDS = np.empty(0)


@dataclass(frozen=True)
class Run:
    """One run: the arm of each round, `arms` (T,), and what it paid, `rewards` (T,).

    `explored` is the number of exploration rounds.
    """

    arms: np.ndarray
    rewards: np.ndarray
    explored: int


def play(
    instance: Instance, policy: Policy, T: int, rng: np.random.Generator | int
) -> Run:
    """One run of T rounds, with all its arms and rewards; `rng` may be a seed."""
    T = horizon(instance, policy, T)
    arms, rewards = np.empty(T, np.int32), np.empty(T)
    _play_checked(_generator(rng), instance, policy, arms, rewards)
    explored = arms < 0
    np.invert(arms, out=arms, where=explored)
    return Run(arms, rewards, int(explored.sum()))


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
    known, average = known_rounds(instance, policy, T)
    if average:
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


def known_rounds(instance: Instance, policy: Policy, T: int) -> tuple[int, bool]:
    """How many first rounds have a known expectation; whether it is the average mean.

    Uniform exploration expects the average of the means in each round, and so does each
    of the first k rounds when every arm comes once in a random order; in a fixed order
    these rounds are not random at all.
    """
    explored = policy.stages[0].explore if policy.stages else policy.T_tilde
    if policy.explore == "anchored":
        return 0, False
    if explored:
        return min(explored, T), policy.explore != "cycle"
    return min(instance.k, T), policy.order == "random"


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
    average = instance.mu.mean() if policy.explore == "uniform" else np.nan
    stream = type(parent.bit_generator)
    rng = np.random.Generator(stream(seeds[0]))  # one for all: numba is slow to meet it
    for seed in seeds:
        if stop.is_set():
            break
        rng.bit_generator.state = stream(seed).state
        _play_checked(rng, instance, policy, arms, _NO_REWARDS)
        _tally(arms, instance.mu, average, total, pulls)
        tick(1)
    return total, pulls


def _play_checked(rng, instance, policy, arms, rewards):
    stages = policy.stages or (Stage(arms.size, policy.T_tilde, arms.size),)
    index, stop = policy.index, policy.stop or policy.index
    how = (EXPLORATIONS.index(policy.explore), policy.stop is not None,
           policy.order == "random", index.grows, index.drawn)  # fmt: skip
    types = np.int64, np.int64, float, bool
    columns = tuple(map(np.array, zip(*stages, strict=True), types))
    numbers = float(policy.width), float(policy.level)
    rules = index.compiled, stop.compiled
    fault = _play(rng, instance.arms, *rules, numbers, how, columns, arms, rewards)
    if fault[1]:
        raise ValueError(_complaint(policy, instance.k, arms.size, *fault))


def _complaint(policy: Policy, k: int, T: int, mu_hat: float, pulls: int) -> str:
    """What is wrong with a rule at this place, as far as Python can tell."""
    given = {"mu_hat": mu_hat, "pulls": pulls, "log_T": math.log(T), "k": k,
             "width": policy.width, "level": policy.level, "log_t": math.log(T),
             "noise": 0.0, "belief": mu_hat}  # fmt: skip
    at = f"at mu_hat = {mu_hat:g}, pulls = {pulls}"
    for rule in (policy.index, policy.stop or policy.index):
        try:
            got = str(rule(*(given[name] for name in rule.names)))
        except Exception as error:
            got = f"{type(error).__name__}: {error}"
        if got == "nan" or not (policy.index.grows or policy.stop):
            return f"the index of {policy.name} must be a number, got {got} {at}"
    return f"the index of {policy.name} must be a number that never falls with t, {at}"


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
    Gaussian: lambda rng, arms, i, s: rng.normal(arms.mean[i], arms.sigma[i]),
    Tape: lambda rng, arms, i, s: arms.rewards[i, s],
}


def draw(rng: np.random.Generator, arms: Any, i: int, s: int) -> float:
    """What arm i pays when pulled after s pulls; compiled code has its own."""
    return float(_DRAW[type(arms)](rng, arms, i, s))


@overload(draw)
def _compiled_draw(rng, arms, i, s):
    return _DRAW[arms.instance_class]


@kept(njit, nogil=True)
def _tally(arms, mu, average, total, pulls):
    """Add up what each round expects; `average` where an arm was drawn uniformly."""
    for t in range(arms.size):
        i = arms[t] if arms[t] >= 0 else ~arms[t]
        total[t] += mu[i] if arms[t] >= 0 or math.isnan(average) else average
        pulls[i] += 1


@kept(njit, nogil=True, error_model="numpy")
def _play(rng, params, index, stop, numbers, how, stages, arms, rewards):
    """Play T = arms.size rounds into `arms` (and `rewards`, unless empty).

    In exploration rounds `arms` holds ~i, the complement, instead of i. Returns the
    mean and the pulls for which a rule was no number, or zeros.
    """
    T, k = arms.size, len(params[0])
    (width, level), (explore, stops, random_order, grows, drawn) = numbers, how
    pulls, total, fault = np.zeros(k, np.int64), np.zeros(k), np.zeros(2)
    t = 0
    ends, explored, clocks, forgets = stages
    for j in range(ends.size):
        end, least, log_T = min(ends[j], T), t + explored[j], math.log(clocks[j])
        if forgets[j]:
            pulls[:] = 0
            total[:] = 0.0
        rule = log_T, width, level
        if explore == 3:
            t = _anchored(rng, params, index, rule, t, end, arms, rewards, pulls, total,
                          fault)  # fmt: skip
        else:
            until = end if stops else min(least, end)
            t = _explore(rng, params, stop, rule, explore, t, least, until, arms,
                         rewards, pulls, total, fault)  # fmt: skip
        never = np.flatnonzero(pulls == 0)
        if random_order:
            _shuffle(rng, never)
        for i in never[: end - t]:
            arms[t] = i
            _pull(rng, params, t, arms, rewards, pulls, total)
            t += 1
        if t < end and fault[1] == 0:
            if drawn[0] or drawn[1]:
                _follow_draws(rng, params, index, rule, drawn, t, end, arms, rewards,
                              pulls, total, fault)  # fmt: skip
            else:
                _follow(rng, params, index, rule, grows, t, end, arms, rewards, pulls,
                        total, fault)  # fmt: skip
        t = end
        if t == T or fault[1] > 0:
            break
    return fault[0], int(fault[1])


@njit
def _explore(rng, params, stop, rule, how, t, least, until, arms, rewards, pulls,
             total, fault):  # fmt: skip
    """Explore up to round `until`, or until the rule says stop; the rounds played."""
    (log_T, width, level), k, start = rule, pulls.size, t
    order = np.arange(k)
    while t < until:
        if how == 1 and (t - start) % k == 0:
            _shuffle(rng, order)
        i = rng.integers(0, k) if how == 0 else order[(t - start) % k]
        arms[t] = i
        _pull(rng, params, t, arms, rewards, pulls, total)
        arms[t] = ~i
        t += 1
        if t >= least and until > least:
            n, s = pulls[i], total[i]
            v = stop(s / n, n, log_T, width, math.log(t), k, level, 0.0, 0.0)
            if math.isnan(v):
                fault[0], fault[1] = s / n, n
            if not v <= 0:
                break
    return t


@njit
def _anchored(rng, params, index, rule, t, end, arms, rewards, pulls, total,
              fault):  # fmt: skip
    """UCB-HARE's exploration: blocks of a scheduled arm and an anchor."""
    (log_T, width, level), k = rule, pulls.size
    order, lower, whole, divisor = np.arange(k), np.full(k, -np.inf), 1, 0
    _shuffle(rng, order)
    while t < end:
        _, B = first_max(lower, 0, k)
        if B > 0 and pulls.min() >= level * width**2 * log_T / B**2:
            break
        divisor += 1  # the next divisor, at most k, of 1, of 2, of 3, ...
        while divisor > k or whole % divisor:
            divisor += 1
            if divisor > min(whole, k):
                whole, divisor = whole + 1, 1
        scheduled = rng.integers(0, 2)  # which of the two rounds is
        for turn in range(min(2, end - t)):
            anchor, B = first_max(lower, 0, k)
            i = anchor if turn != scheduled and B > 0 else order[divisor - 1]
            arms[t] = i
            _pull(rng, params, t, arms, rewards, pulls, total)
            arms[t] = ~i
            t += 1
            n, mu_hat = pulls[i], total[i] / pulls[i]
            upper = index(mu_hat, n, log_T, width, 0.0, k, level, 0.0, 0.0)
            lower[i] = 2 * mu_hat - upper
            if math.isnan(upper):
                fault[0], fault[1] = mu_hat, n
                return end
    return t


@njit
def _follow_draws(rng, params, index, rule, drawn, t, end, arms, rewards, pulls, total,
                  fault):  # fmt: skip
    """The arm of highest index up to round `end`, every index drawn in every round."""
    (log_T, width, level), (noisy, believing), k = rule, drawn, pulls.size
    while t < end:
        highest, log_t, noise, belief = -np.inf, math.log(t + 1), 0.0, 0.0
        for i in range(k):
            n, s = pulls[i], total[i]
            if noisy:
                noise = rng.standard_normal()
            if believing:
                success = min(max(s, 0.0), float(n))
                belief = rng.beta(1 + success, 1 + n - success)
            v = index(s / n, n, log_T, width, log_t, k, level, noise, belief)
            if math.isnan(v):
                fault[0], fault[1] = s / n, n
                return
            if v > highest or i == 0:
                arms[t], highest = i, v
        _pull(rng, params, t, arms, rewards, pulls, total)
        t += 1


@njit
def _follow(rng, params, index, rule, grows, t, end, arms, rewards, pulls, total,
            fault):  # fmt: skip
    """The arm of highest index up to round `end`.

    Only the arm just pulled changes its index, if the rule does not know the time; so
    the indices are kept in blocks of about sqrt(k) with the first maximum of each block
    beside them: a round looks at one block and at the blocks' maxima, 2 sqrt(k) numbers
    instead of k. An arm that has come three times in a row is played on, with no search
    at all, until it falls below the runner-up.
    The index of a rule that knows the time grows with it, so its value at the end of a
    window of rounds bounds it: only arms whose bounds exceed the best value are looked
    at. A window is longer the fewer these were in the last.
    """
    (log_T, width, level), k, keep = rule, pulls.size, rewards.size > 0
    block = math.ceil(math.sqrt(k))
    n_blocks = (k + block - 1) // block
    value, top = np.full(n_blocks * block, -np.inf), np.empty(n_blocks)
    top_arm, seen = np.empty(n_blocks, np.int64), np.empty(k, np.int64)
    bound, log_end, highest = np.empty(k), 0.0, 0.0
    last, repeats, looked, began, window, log_t = -1, 0, 0, t - k // 2, t, 0.0
    while t < end:
        if t == window or looked > k:
            length = 2 * (t - began) if looked <= k // 2 else (t - began) // 2
            window = min(t + max(length, 1), end) if grows else end
            began, looked, log_end = t, 0, math.log(window)
            for i in range(k):
                mu_hat, n = total[i] / pulls[i], pulls[i]
                v = index(mu_hat, n, log_T, width, log_end, k, level, 0.0, 0.0)
                value[i] = v
                if math.isnan(v):
                    fault[0], fault[1] = mu_hat, n
                    return
            for c in range(n_blocks):
                top_arm[c], top[c] = first_max(value, c * block, block)

        stop, second, rival = t + 1, -np.inf, k
        c, _ = first_max(top, 0, n_blocks)
        i = top_arm[c]
        if grows:
            highest, n_seen, log_t = -np.inf, 0, math.log(t + 1)
            while n_seen < k:
                c, second = first_max(top, 0, n_blocks)
                rival = top_arm[c]
                if n_seen and (second < highest or (second == highest and rival > i)):
                    break
                mu_hat, n = total[rival] / pulls[rival], pulls[rival]
                v = index(mu_hat, n, log_T, width, log_t, k, level, 0.0, 0.0)
                if not v <= second:
                    fault[0], fault[1] = mu_hat, n
                    return
                if v > highest or (v == highest and rival < i):
                    i, highest = rival, v
                seen[n_seen], bound[n_seen] = rival, second
                value[rival] = -np.inf
                top_arm[c], top[c] = first_max(value, c * block, block)
                n_seen += 1
            for j in range(n_seen):
                c, value[seen[j]] = seen[j] // block, bound[j]
                if bound[j] > top[c] or (bound[j] == top[c] and seen[j] < top_arm[c]):
                    top_arm[c], top[c] = seen[j], bound[j]
            looked += n_seen - 1
            stop = window if n_seen == 1 else t + 1
            c = i // block
        else:
            repeats = repeats + 1 if i == last else 0
            last = i
            if repeats == 2:
                last, stop, value[i], top[c] = -1, end, -np.inf, -np.inf
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
            t += 1
            if grows:
                log_t = math.log(t + 1)
            v = index(s / n, n, log_T, width, log_t, k, level, 0.0, 0.0)
        if grows:
            v = index(s / n, n, log_T, width, log_end, k, level, 0.0, 0.0)
        if math.isnan(v):
            fault[0], fault[1] = s / n, n
            return
        pulls[i], total[i], value[i] = n, s, v
        top_arm[c], top[c] = first_max(value, c * block, block)


@njit
def _shuffle(rng, order):
    """Fisher and Yates, from the top."""
    for j in range(order.size - 1, 0, -1):
        other = rng.integers(0, j + 1)
        order[j], order[other] = order[other], order[j]


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
