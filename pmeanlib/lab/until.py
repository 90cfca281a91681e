"""A simulation that runs until it is exact enough."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from pmeanlib import _checks
from pmeanlib.engine import generator, simulate
from pmeanlib.instances import Instance
from pmeanlib.policies import Policy
from pmeanlib.welfare import Profile, measured_regrets


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
    exponents, rng = list(exponents), generator(rng)
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
