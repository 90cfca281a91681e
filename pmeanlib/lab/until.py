"""A simulation that runs until it is exact enough, kept after every piece."""

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from pmeanlib import _checks
from pmeanlib.engine import VERSION, generator, simulate
from pmeanlib.instances import Instance
from pmeanlib.lab.store import folder, piece_name
from pmeanlib.lab.sweep import Setting
from pmeanlib.policies import Policy
from pmeanlib.welfare import ARRAYS, Profile, measured_regrets

NUMBERS = ("mu_star", "n_runs", "T_tilde", "known")


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


def kept_until(setting: Setting, error: float, budget: int, **options: Any) -> Profile:
    """`simulate_until` on a setting's stream; it goes on where it was stopped."""
    s = setting
    key = s.stream | {"until": VERSION, "rules": s.policy.fingerprints}
    path = folder() / f"{piece_name(key | {'p': s.exponents, 'error': error})}.npz"
    options |= {"start": _load(path, budget), "after": lambda p: _save(path, p)}
    work = s.instance, s.policy, s.T, s.exponents, error, s.rng
    return simulate_until(*work, budget=budget, **options)


def _save(path: Path, profile: Profile) -> None:
    """Keep the profile if that is possible: if not, only a restart would notice."""
    values = {name: getattr(profile, name) for name in (*ARRAYS, *NUMBERS)}
    partial = path.with_name(f"{path.stem}.{os.urandom(8).hex()}.npz")
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        np.savez(partial, **values)
        partial.replace(path)


def _load(path: Path, budget: int) -> Profile | None:
    """The profile kept, None if there is none, or if it is damaged or too large."""
    try:
        with np.load(path, allow_pickle=False) as kept:
            values = {name: kept[name] for name in ARRAYS}
            values |= {name: kept[name].item() for name in NUMBERS}
    except (OSError, ValueError, KeyError, EOFError, BadZipFile):
        return None
    return Profile(**values) if values["n_runs"] <= budget else None
