"""What the scripts of the explorers import from the build: two generated modules.

`constants.js` has numbers on which Python and JavaScript must agree, `data.js` the
measured results in `chapters/_data/explorer.json` (`make explorer` measures them).
"""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

import pmeanlib as pm
from bookkit.assets import laboratory
from bookkit.config import ROOT
from pmeanlib import engine, estimates, published, welfare

RESULTS = ROOT / "chapters" / "_data" / "explorer.json"
FINE, GROWTH = 500, 1.01  # single rounds at first, then blocks that grow with t
DIGITS = 1e4  # rewards are stored as whole numbers of 1 / DIGITS
EXPONENTS = (-10, 1)  # the least and the greatest p to choose
HORIZONS = (1e2, 1e30)  # of the bounds
SHOWN = ("UCB1", "EUCB", "NCB")  # in the dial, in this order
TUNED = "EUCB"  # the algorithm whose exploration depends on p
TITLES = {"bernoulli": "Bernoulli", "beta": "Beta"}  # the others are no names
PROGRAMMES = {"uneven": (10, 10, 10, 2), "even": (7, 7, 7, 7)}  # of chapter `welfare`
# Whose bars can be dragged: what they get, and how it is called
PEOPLE: Mapping[str, Mapping[str, Any]] = {
    "households": {
        "one": "household",
        "many": "households",
        "values": PROGRAMMES["uneven"],
        "outcomes": (0.1, 12),
        "step": 0.1,
        "digits": 1,
        "tick": 2,
        "unit": "kWh a day",
        "short": "kWh",
        "weight": "attention",
    },
    "queue": {  # served in fixed order
        "one": "person",
        "many": "people",
        "values": laboratory.QUEUE,
        "outcomes": (0.01, 1),
        "step": 0.01,
        "digits": 2,
        "tick": 0.2,
        "unit": "expected reward",
        "short": "",
        "weight": "weight",
    },
}
# What an explorer shows at first, unless the page says otherwise
START: Mapping[str, Mapping[str, Any]] = {
    "dial": {"p": -1, "instance": "beta", "tuning": "follow", "people": ""},
    "period": {"p": -1, "k": 10, "logt": 6, "star": 0.9, "least": 0.1, "explore": 0.5},
    "households": {"p": 1},
    "laboratory": laboratory.START,
}


def edges(T: int) -> np.ndarray:
    """Where blocks of rounds begin, and T: 0, 1, ..., FINE, then 1 % longer each."""
    ends = list(range(min(FINE, T) + 1))
    while ends[-1] < T:
        ends.append(min(T, int(ends[-1] * GROWTH)))
    return np.array(ends)


def series_key(name: str, p: float) -> str:
    """What a series is called: its algorithm, and the p for which that is tuned."""
    return f"{name} {p:g}" if name == TUNED else name


def results() -> dict[str, Any]:
    """The committed results, and everything else that the dial has to know."""
    data: dict[str, Any] = json.loads(RESULTS.read_text("utf8"))
    for frame in data["frames"]:
        frame["edges"] = edges(frame["T"]).tolist()
        frame["title"] = TITLES.get(frame["family"], frame["family"])
    return data | {
        "digits": DIGITS,
        "algorithms": [
            {"name": n, "kind": n.lower(), "tuned": n == TUNED} for n in SHOWN
        ],
        "tunings": [{"p": p, "key": series_key(TUNED, p)} for p in published.EXPONENTS],
    }


def constants() -> dict[str, Any]:
    """Numbers on which Python and the scripts of every explorer must agree."""
    return {
        "exponents": EXPONENTS,
        "horizons": HORIZONS,
        "start": START,
        "people": PEOPLE,
        "programmes": PROGRAMMES,
        "laboratory": {
            "instances": laboratory.instances(),
            "tunings": published.EXPONENTS,
            "most": laboratory.MOST_ARMS,
            "slots": laboratory.SLOTS,
            "empty": laboratory.EMPTY,
        },
        "blocks": {"fine": FINE, "growth": GROWTH},
        "library": library(),
    }


def library() -> dict[str, object]:
    """What the engine in the browser takes from the library: names and numbers."""
    T, k = laboratory.HORIZON, 2  # the names are the same for all
    policies = {
        "ucb1": pm.ucb1(),
        "eucb": pm.explore_then_ucb(T, k, 1),
        "ncb": pm.ncb(T, k),
    }
    return {
        "width": pm.ucb1().width,
        "deviation": pm.bounds.DEVIATION,
        "groups": engine.default_groups(T),
        "doubt": estimates.DOUBT,
        "same_as_zero": welfare.SAME_AS_ZERO,
        "policies": {
            key: {"name": policy.name, "index": policy.index.function.__name__}
            for key, policy in policies.items()
        },
    }


def modules() -> dict[str, str]:
    """The texts of the modules, by their paths in `bookkit/web`."""
    return {"constants.js": _module(constants()), "data.js": _module(results())}


def _module(values: Mapping[str, Any]) -> str:
    """A module that exports these values."""
    return "".join(
        f"export const {name} = {json.dumps(value, separators=(',', ':'))};\n"
        for name, value in values.items()
    )
