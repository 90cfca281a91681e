"""A simulation that runs until it is exact enough, kept after every piece."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from pmeanlib.engine import VERSION, simulate_until
from pmeanlib.lab.store import folder, piece_name
from pmeanlib.lab.sweep import Setting
from pmeanlib.welfare import Profile

ARRAYS = ("total_t", "group_totals", "group_pulls", "group_sizes")
NUMBERS = ("mu_star", "n_runs", "T_tilde", "known")


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
