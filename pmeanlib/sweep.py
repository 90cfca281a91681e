"""Long work: many settings in one tidy table, or runs until an error bar is small.

A piece of work is one setting: one simulation, measured at all its exponents. Pieces
run through joblib, side by side in threads; inside ``joblib.parallel_config`` they run
where it says, in processes or on a Dask cluster, and give the same numbers. Finished
pieces are cached on disk (`store`), so that a sweep that was stopped, or killed,
resumes where it was.
"""

import hashlib
import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from joblib.parallel import get_active_backend

from pmeanlib import __version__, _checks
from pmeanlib.engine import default_groups, generator, horizon, progress_bar, simulate
from pmeanlib.estimates import Profile, measured_regrets
from pmeanlib.instances import Instance
from pmeanlib.policies import Policy
from pmeanlib.store import keep, piece_name, recall

COLUMNS = (
    "policy", "order", "width", "k", "T", "T_tilde", "capped", "p", "n_runs", "seed",
    "regret", "standard_error", "regret_plug_in", "trusted", "runs_needed",
    "certainty", "unseen", "mu_star", "pmeanlib", "numpy",
)  # fmt: skip
_OF_POLICY = ("order", "width", "T_tilde", "capped")
MEMORY = 2**29  # bytes that the pieces of one process may take together
PIECE, THREAD = 320, 20  # bytes a round: of a piece, and of each thread in a long one


@dataclass(frozen=True, eq=False)
class Setting:
    """One simulation to measure at each of `exponents` (chapter `regret`).

    `pm.simulate(s.instance, s.policy, s.T, s.n_runs, s.rng)` repeats the setting s.
    `labels` become columns of the table and determine nothing else. A setting has a
    `seed`, where `simulate` takes any generator, since it must be repeatable and the
    seed is written into the table.

    >>> instance, policy = pm.bernoulli([0.2, 0.9]), pm.ucb1()
    >>> s = pm.Setting(instance, policy, T=50, n_runs=20, seed=1, exponents=[1, 0])
    >>> s.exponents
    (1.0, 0.0)
    """

    instance: Instance
    policy: Policy
    T: int
    n_runs: int
    seed: int
    exponents: Sequence[float]
    labels: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        message = f"exponents must be a list of numbers, got {self.exponents!r}"
        _checks.require(np.ndim(self.exponents) == 1, message)
        exponents = tuple(_checks.real("p", p, high=1) for p in self.exponents)
        _checks.require(exponents != (), "exponents must hold at least one p, got none")
        _checks.real("mu_star", self.instance.mu_star, 1e-300)
        if taken := sorted(set(self.labels) & set(COLUMNS)):
            raise ValueError(f"labels must not be named as a column, got {taken[0]!r}")
        checked = {
            "T": horizon(self.instance, self.policy, self.T),
            "n_runs": _checks.integer("n_runs", self.n_runs, 2),
            "seed": _checks.integer("seed", self.seed, 0),
            "exponents": exponents,
            "labels": dict(self.labels),
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    @property
    def stream(self) -> dict[str, Any]:
        """What determines the random stream: no two settings share one.

        The index is left out, since its fingerprint differs between Pythons, and so are
        the numbers of runs and the exponents: more of them go on with the same stream.
        """
        policy, digest = self.policy, hashlib.sha256()
        for values in (*self.instance.params, self.instance.mu):
            digest.update(repr((values.dtype.str, values.shape)).encode())
            digest.update(np.ascontiguousarray(values).tobytes())
        special = {
            name: getattr(policy, name)
            for name, usual in (("explore", "uniform"), ("level", 1.0), ("stages", ()))
            if getattr(policy, name) != usual
        }
        return special | {
            "family": type(self.instance.params).__name__, "arms": digest.hexdigest(),
            "policy": policy.name, "width": float(policy.width), "order": policy.order,
            "T_tilde": policy.T_tilde, "T": self.T, "seed": self.seed,
        }  # fmt: skip

    @property
    def rng(self) -> np.random.Generator:
        """The setting's own generator, new each time."""
        own = hashlib.sha256(json.dumps(self.stream).encode()).digest()
        return np.random.default_rng(int.from_bytes(own))


def sweep(
    settings: Iterable[Setting],
    *,
    workers: int | None = None,
    store: str | Path | None = None,
) -> pd.DataFrame:
    """The measured regrets of all settings: a row for each setting and p, in order.

    Parameters
    ----------
    workers : how many pieces at a time; if not given, all cores of this machine, or
        what ``joblib.parallel_config(backend=...)`` around the call says. The table
        depends on neither, to the last bit.
    store : the folder of finished pieces; if not given, $PMEANLIB_CACHE or a folder in
        the user's cache.

    Returns
    -------
    DataFrame with the columns of the labels, then `COLUMNS`; of no settings, no rows.

    Examples
    --------
    >>> instance, policy = pm.bernoulli([0.2, 0.9]), pm.ucb1()
    >>> s = pm.Setting(instance, policy, T=50, n_runs=20, seed=1, exponents=[1, 0])
    >>> pm.sweep([s])[["policy", "p", "certainty"]]
      policy    p certainty
    0   UCB1  1.0  measured
    1   UCB1  0.0  doubtful
    """
    if store == "" or not isinstance(store, str | Path | None):
        raise ValueError(f"store must be the path of a folder, got {store!r}")
    where = None if store is None else Path(store)
    one_by_one = partial(progress_bar, unit="setting", delay=0.5)  # there may be many
    settings = list(one_by_one(settings))
    names = [piece_name(_key(s)) for s in one_by_one(settings)]
    pieces = dict(zip(names, settings, strict=True))  # equal settings, one piece
    looked_up = one_by_one(pieces.items())
    values = {name: recall(_key(piece), where) for name, piece in looked_up}
    left = {name: piece for name, piece in pieces.items() if values[name] is None}
    total, to_do = (sum(map(_cost, some.values())) for some in (pieces, left))
    unit: Any = {"unit": "round", "unit_scale": True}
    with progress_bar(total=total, initial=total - to_do, **unit) as bar:
        for name, value in _run(left, workers, bar):
            keep(_key(pieces[name]), value, where)
            values[name] = value
    return _table(settings, [values[name] for name in names])


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

    >>> instance, policy = pm.bernoulli([0.2, 0.9]), pm.ucb1()
    >>> pm.simulate_until(instance, policy, 50, exponents=[0], error=0.002, rng=1)
    Profile(T=50, n_runs=128, mu_star=0.9, T_tilde=0)
    """
    T = horizon(instance, policy, T)
    exponents, rng = list(exponents), generator(rng)
    error = _checks.real("error", error, low=1e-12)
    budget = _checks.integer("budget", budget, 2)
    most = max(32, 10**8 // T)  # a piece is some seconds of work
    profile = start
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


def _key(setting: Setting) -> dict[str, Any]:
    """Everything that determines the numbers of a piece."""
    more = {"rules": setting.policy.fingerprints, "n_runs": setting.n_runs}
    return {"sweep": setting.stream, "p": setting.exponents} | more


def _cost(setting: Setting) -> int:
    """Rounds to play and rounds to measure; a round costs about the same in either."""
    return setting.T * setting.n_runs + _measured_rounds(setting)


def _measured_rounds(setting: Setting) -> int:
    """Of the mean over all runs, and of the mean without each group of runs."""
    groups = min(default_groups(setting.T), setting.n_runs)
    return setting.T * (1 + groups) * len(setting.exponents) // 2


def _run(pieces: dict[str, Setting], workers: int | None, bar: Any) -> Iterator[tuple]:
    """Name and value of every piece as they come; the costliest begin first."""
    backend, n_jobs = get_active_backend(prefer="threads")
    in_threads = getattr(backend, "supports_sharedmem", False)
    if workers is not None:
        n_jobs = _checks.integer("workers", workers, 1)
    elif in_threads and n_jobs == 1:  # what joblib answers when nothing was said
        n_jobs = -1
    pieces = dict(sorted(pieces.items(), key=lambda item: -_cost(item[1])))
    options = {"prefer": "threads", "return_as": "generator_unordered"}
    side_by_side = Parallel(n_jobs, max_nbytes=None, **options)
    if in_threads:
        n_jobs = backend.effective_n_jobs(n_jobs)
        yield from _run_in_threads(pieces, side_by_side, n_jobs, bar)
        return
    sent = (delayed(_measure)(n, replace(s, labels={})) for n, s in pieces.items())
    for name, value in side_by_side(sent):
        bar.update(_cost(pieces[name]))
        yield name, value


def _run_in_threads(
    pieces: dict[str, Setting], side_by_side: Parallel, n_jobs: int, bar: Any
) -> Iterator[tuple]:
    """A long piece has all memory for itself, with threads inside; short ones share."""
    cancelled = threading.Event()

    def progress(rounds: int) -> None:
        if cancelled.is_set():
            raise RuntimeError("the sweep was stopped")
        with bar.get_lock():
            bar.update(rounds)

    long = {n: s for n, s in pieces.items() if n_jobs * PIECE * s.T > MEMORY}
    short = {n: s for n, s in pieces.items() if n not in long}
    try:
        for name, s in long.items():
            threads = max(1, min(n_jobs, MEMORY // (THREAD * s.T)))
            yield _measure(name, s, threads, progress)
        threads = max(1, n_jobs // max(1, len(short)))
        work = (delayed(_measure)(n, s, threads, progress) for n, s in short.items())
        yield from side_by_side(work)
    finally:
        cancelled.set()  # after Ctrl-C no thread begins another run


def _measure(
    name: str,
    s: Setting,
    threads: int = 1,
    progress: Callable[[int], object] = lambda rounds: None,
) -> tuple[str, list[dict[str, float]]]:
    """One piece: simulate once, measure at every exponent."""
    if name != piece_name(_key(s)):  # numpy's version is in the name, too
        raise RuntimeError("a worker must have the versions of whoever sent the piece")

    options: Any = {"workers": threads, "progress": lambda runs: progress(runs * s.T)}
    profile = simulate(s.instance, s.policy, s.T, s.n_runs, s.rng, **options)
    progress(_measured_rounds(s))
    return name, [estimate.row for estimate in measured_regrets(profile, s.exponents)]


def _table(settings: list[Setting], values: list[list[dict]]) -> pd.DataFrame:
    """A row for each setting and p: labels, then `COLUMNS`."""
    labels = list(dict.fromkeys(name for s in settings for name in s.labels))
    versions = {"pmeanlib": __version__, "numpy": np.__version__}
    rows = [
        {name: s.labels.get(name) for name in labels}
        | {name: getattr(s.policy, name) for name in _OF_POLICY}
        | {"policy": s.policy.name, "k": s.instance.k, "T": s.T, "p": p}
        | {"n_runs": s.n_runs, "seed": s.seed, "mu_star": s.instance.mu_star}
        | measured
        | versions
        for s, value in zip(settings, values, strict=True)
        for p, measured in zip(s.exponents, value, strict=True)
    ]

    def column(name: str) -> pd.Series:
        values = [row[name] for row in rows]  # with gaps, whole numbers remain whole
        return pd.Series(values, dtype=object if None in values else None)

    return pd.DataFrame({name: column(name) for name in (*labels, *COLUMNS)})
