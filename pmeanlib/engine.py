"""Policies play instances: one run, or many runs averaged round by round."""

import math
import sys
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from joblib import Parallel, cpu_count, delayed
from numba.core.event import Event, Listener, register
from tqdm import tqdm

from pmeanlib import _checks
from pmeanlib.estimates import Profile
from pmeanlib.instances import Instance, Tape
from pmeanlib.kernel import Arguments, Exploration, Plan, Stages, play_run, tally
from pmeanlib.policies import Policy, Stage

VERSION = 3  # in every cache key: raise it when the same arguments give other numbers
_NO_REWARDS = np.empty(0)


@dataclass(frozen=True)
class Run:
    """One run: the arm of each round, `arms` (T,), and what it paid, `rewards` (T,).

    `explored` is the number of exploration rounds.

    >>> run = pm.play(pm.bernoulli([0.2, 0.9]), pm.ucb1(), T=100, rng=1)
    >>> run.arms[:6].tolist()
    [0, 1, 0, 1, 0, 1]
    """

    arms: np.ndarray
    rewards: np.ndarray
    explored: int

    def __repr__(self) -> str:
        mean = self.rewards.mean()
        return f"Run(T={self.arms.size}, explored={self.explored}, mean={mean:.4g})"


def play(
    instance: Instance, policy: Policy, T: int, rng: np.random.Generator | int
) -> Run:
    """One run of T rounds, with all its arms and rewards; `rng` may be a seed.

    >>> pm.play(pm.bernoulli([0.2, 0.9]), pm.ucb1(), T=100, rng=1)
    Run(T=100, explored=0, mean=0.75)
    """
    T = horizon(instance, policy, T)
    arms, rewards = np.empty(T, np.int32), np.empty(T)
    _play_into(arms, rewards, generator(rng), instance, policy)
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
    instance : the arms, as `bernoulli` or `from_data` makes them.
    rng : a Generator or a seed. Every run has a stream of its own, spawned from it in
        order, and the runs are added up in order: `workers` cannot change the result.
    workers : threads to use; all cores if not given.
    n_groups : into how many groups the runs are dealt for error bars; if not given, 32,
        or 10 to 5 when T exceeds a million; never more than n_runs.
    progress : called with 1 after every run, in the place of a progress bar.

    Returns
    -------
    Profile
        What each round can expect (`mu_t`), how often each arm was pulled (`pulls`),
        and the groups of runs from which `measured_regret` makes error bars.
        ``print(profile)`` says the most important in a few lines.

    Examples
    --------
    >>> instance, policy = pm.bernoulli([0.2, 0.9]), pm.ucb1()
    >>> pm.simulate(instance, policy, T=100, n_runs=50, rng=1)
    Profile(T=100, n_runs=50, mu_star=0.9, T_tilde=0)
    """
    T, n_runs = horizon(instance, policy, T), _checks.integer("n_runs", n_runs, 1)
    rng, sizes = generator(rng), group_sizes(T, n_runs, n_groups)
    workers = _checks.integer("workers", cpu_count() if workers is None else workers, 1)
    if T * n_runs < 10**6:
        workers = 1  # threads would cost more than they save
    work = instance, policy, T, rng, sizes, workers, progress
    total, group_totals, group_pulls = _play_groups(*work)
    known, average = _known_rounds(instance, policy, T)
    if average:
        total[:known] = n_runs * instance.mu.mean()
        group_totals[:, :known] = sizes[:, None] * instance.mu.mean()
    return Profile(
        mu_star=instance.mu_star, total_t=total, n_runs=n_runs, T_tilde=policy.T_tilde,
        known=known, group_totals=group_totals, group_pulls=group_pulls,
        group_sizes=sizes,
    )  # fmt: skip


def _known_rounds(instance: Instance, policy: Policy, T: int) -> tuple[int, bool]:
    """How many first rounds have a known expectation; whether it is the average mean.

    Uniform exploration expects the average of the means in each round, and so does each
    of the first k rounds when every arm comes once in a random order; in a fixed order
    these rounds are not random at all.
    """
    explored = policy.T_tilde
    for stage in policy.stages:
        explored = min(explored + stage.n_explore, stage.end)
        if explored < stage.end:
            break
    if explored or policy.explore == "anchored":
        return min(explored, T), policy.explore != "cycle"
    return min(instance.k, T), policy.order == "random"


def generator(rng: np.random.Generator | int) -> np.random.Generator:
    """The generator given, or a new one from a seed."""
    if isinstance(rng, np.random.Generator):
        return rng
    return np.random.default_rng(_checks.integer("rng (a Generator or a seed)", rng, 0))


def default_groups(T: int) -> int:
    """32 groups of runs, fewer for long runs: then their totals fit into 320 MB."""
    return max(5, min(10, 80_000_000 // T)) if T > 10**6 else 32


def group_sizes(T: int, n_runs: int, n_groups: int | None = None) -> np.ndarray:
    """How many runs each group has: as equal as they can be."""
    wanted = default_groups(T) if n_groups is None else n_groups
    n_groups = min(_checks.integer("n_groups", wanted, 2), n_runs)
    return n_runs // n_groups + (np.arange(n_groups) < n_runs % n_groups)


def _play_groups(instance, policy, T, rng, sizes, workers, progress):
    """The sums of all runs by round, and those of each group by round and by arm."""
    total, streams = np.zeros(T), rng.bit_generator.seed_seq
    group_totals = np.empty((sizes.size, T), np.float32 if T > 10**6 else np.float64)
    group_pulls = np.empty((sizes.size, instance.k), np.int64)
    cancelled = threading.Event()  # after Ctrl-C no thread begins another run
    hidden: Any = {"disable": True} if progress else {}
    with progress_bar(total=sizes.sum(), unit="run", **hidden) as bar:
        tick = progress or bar.update
        tasks = (
            delayed(_play_group)(instance, policy, T, rng, seeds, tick, cancelled)
            for seeds in map(streams.spawn, sizes)
        )
        options = {"backend": "threading", "return_as": "generator"}
        threads = Parallel(workers, pre_dispatch=workers, **options)
        try:
            for g, (part, pulls) in enumerate(threads(tasks)):
                total += part
                group_totals[g], group_pulls[g] = part, pulls
        finally:
            cancelled.set()
    return total, group_totals, group_pulls


def _play_group(instance, policy, T, parent, seeds, tick, cancelled):
    """The summed means of each round and pulls of each arm over one group of runs."""
    arms, total = np.empty(T, np.int32), np.zeros(T)
    pulls = np.zeros(instance.k, np.int64)
    lap = {"uniform": 1, "permutations": instance.k}.get(policy.explore, 0)
    if lap > 1 and (policy.stages or (policy.stop and "log_t" in policy.stop.names)):
        lap = 0  # the order within a lap may matter
    stream = type(parent.bit_generator)
    rng = np.random.Generator(stream(seeds[0]))  # one for all: numba is slow to meet it
    for seed in seeds:
        if cancelled.is_set():
            break
        rng.bit_generator.state = stream(seed).state
        _play_into(arms, _NO_REWARDS, rng, instance, policy)
        tally(arms, instance.mu, lap, total, pulls)
        tick(1)
    return total, pulls


def _play_into(arms, rewards, rng, instance, policy):
    """Play one run of arms.size rounds and write it to `arms` and `rewards`."""
    index = policy.index.compiled
    drawn = not {"noise", "belief"}.isdisjoint(policy.index.names)
    timed = "log_t" in policy.index.names and not drawn
    try:
        play_run(
            rng,
            instance.params,
            stop=policy.stop.compiled if policy.stop else None,
            anchored=index if policy.explore == "anchored" else None,
            timeless=index if not (drawn or timed) else None,
            timed=index if timed else None,
            drawn=index if drawn else None,
            plan=_plan_of(policy),
            stages=_stages_of(policy, arms.size),
            arms=arms,
            rewards=rewards,
        )
    except ArithmeticError as error:
        raise ValueError(_why(policy, instance.k, arms.size, *error.args)) from None


def _plan_of(policy: Policy) -> Plan:
    return Plan(
        exploration=Exploration[policy.explore.upper()].value,
        random_order=policy.order == "random",
        needs_noise="noise" in policy.index.names,
        needs_belief="belief" in policy.index.names,
        width=float(policy.width),
        level=float(policy.level),
    )


def _stages_of(policy: Policy, T: int) -> Stages:
    """The stages of the policy; without any, one of T rounds."""
    given = policy.stages or (Stage(T, policy.T_tilde, T),)
    return Stages(
        end=np.array([stage.end for stage in given], np.int64),
        n_explore=np.array([stage.n_explore for stage in given], np.int64),
        clock=np.array([stage.clock for stage in given], float),
        forget=np.array([stage.forget for stage in given], bool),
    )


def _why(policy: Policy, k: int, T: int, mu_hat: float, pulls: int) -> str:
    """What is wrong with a rule at this place, as far as Python can tell."""
    arguments = Arguments(
        mu_hat=mu_hat, pulls=pulls, log_T=math.log(T), width=policy.width,
        log_t=math.log(T), k=k, level=policy.level, noise=0.0, belief=mu_hat,
    )  # fmt: skip
    at = f"at mu_hat = {mu_hat:g}, pulls = {pulls}"
    for rule in (policy.index, policy.stop or policy.index):
        try:
            got = str(rule(*(getattr(arguments, name) for name in rule.names)))
        except Exception as error:
            got = f"{type(error).__name__}: {error}"
        if got == "nan" or not ("log_t" in rule.names or policy.stop):
            return f"the index of {policy.name} must be a number, got {got} {at}"
    return f"the index of {policy.name} must be a number that never falls with t, {at}"


def horizon(instance: Instance, policy: Policy, T: int) -> int:
    """T, if this policy can play this instance for so many rounds."""
    if not isinstance(instance, Instance):
        raise ValueError(f"instance must be one, as of pm.bernoulli, got {instance!r}")
    if not isinstance(policy, Policy):
        raise ValueError(f"policy must be one, such as pm.ucb1(), got {policy!r}")
    T, least = _checks.integer("T", T, 1), policy.T_tilde
    enough = f"T must be at least the policy's T_tilde = {least}, got {T}"
    _checks.require(least <= T, enough)
    if policy.stages:
        end = policy.stages[-1].end
        message = f"T must be at most {end}, the end of the last stage, got {T}"
        _checks.require(end >= T, message)
    if isinstance(instance.params, Tape):
        length = instance.params.rewards.shape[1]
        message = f"T must be at most the length of the tape, {length}, got {T}"
        _checks.require(length >= T, message)
    return T


class _CompilingNotice(Listener):
    """A line, shown as a progress bar is, while `play_run` is compiled and not loaded.

    In a notebook it leaves no output, and tests and stored pages never have it.
    """

    def on_start(self, event: Event) -> None:
        if event.data["dispatcher"] is play_run:
            words = "compiling for such arms and policies; next time this is loaded"
            self.line = progress_bar(desc=words, bar_format="{desc}", delay=0)

    def on_end(self, event: Event) -> None:
        if event.data["dispatcher"] is play_run:
            self.line.close()


register("numba:compile", _CompilingNotice())


def progress_bar(items: Iterable | None = None, **options: Any) -> tqdm:
    """Shown after a second, on a terminal or in a notebook, unless TQDM_DISABLE=1."""
    where = {} if "ipykernel" in sys.modules else {"disable": None}
    return tqdm(items, **{"delay": 1, "leave": False} | where | options)
