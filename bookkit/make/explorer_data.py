"""Measure what the dial shows: `make explorer` runs this, and the result is committed.

The algorithms are simulated on the paper's four instances and written to
`chapters/_data/explorer.json`, which the extension `explorer` puts on the pages.
"""

import json
from functools import partial
from typing import Any

import numpy as np
from tqdm import tqdm

import pmeanlib as pm
from bookkit.assets import explorer_modules
from bookkit.assets.explorer_modules import FINE, GROWTH
from pmeanlib import published
from pmeanlib.store import remember

N_RUNS = 4_000
LEAST, GREATEST = explorer_modules.EXPONENTS
MEASURED_AT = tuple(range(LEAST, GREATEST + 1))  # with a stored estimate and its error


def in_blocks(values: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """The mean of the values over each block."""
    return np.add.reduceat(values, ends[:-1]) / np.diff(ends)


def measure() -> None:
    """Simulate every series of the dial and write the results to be committed.

    Finished series are kept on disk, so that an interrupted run resumes.
    """
    cases = [
        (name, p)
        for name in published.ALGORITHMS
        for p in (published.EXPONENTS if name == explorer_modules.TUNED else (1.0,))
    ]
    frames: list[dict[str, Any]] = []
    bar = tqdm(total=len(cases) * len(published.HORIZON), unit="series")
    for family, T in published.HORIZON.items():
        rng = np.random.default_rng(published.SEED)
        instance = pm.random_instance(family, published.K, rng)
        frame = {"family": family, "T": T, "mu_star": round(instance.mu_star, 12)}
        all_series = []
        for name, p in cases:
            key = {"explorer by certainty": [family, name, p, N_RUNS, FINE, GROWTH]}
            all_series.append(remember(key, partial(_series, family, name, p)))
            bar.update()
        frames.append(frame | {"series": all_series})
    bar.close()
    result = {"n_runs": N_RUNS, "exponents": MEASURED_AT, "frames": frames}
    explorer_modules.RESULTS.parent.mkdir(exist_ok=True)
    text = json.dumps(result, separators=(",", ":"))
    explorer_modules.RESULTS.write_text(text.replace('{"key', '\n{"key') + "\n", "utf8")


def _series(family: str, name: str, p: float) -> dict[str, Any]:
    """One algorithm on one instance: rounds in blocks, regret at MEASURED_AT."""
    policy, profile = published.by_definition(family, name, p, N_RUNS)
    means = in_blocks(profile.mu_t, explorer_modules.edges(profile.mu_t.size))
    estimates = [pm.measured_regret(profile, q) for q in MEASURED_AT]
    return {
        "key": explorer_modules.series_key(name, p),
        "name": name,
        "T_tilde": policy.T_tilde,
        "capped": policy.capped,
        "regrets": [round(e.value, 6) for e in estimates],
        "errors": [float(f"{e.standard_error:.2g}") for e in estimates],
        "certainty": [e.certainty for e in estimates],
        "unseen": [float(f"{e.unseen:.2g}") for e in estimates],
        "needed": [e.runs_needed for e in estimates],
        "values": np.rint(explorer_modules.DIGITS * means).astype(int).tolist(),
    }


if __name__ == "__main__":
    measure()
