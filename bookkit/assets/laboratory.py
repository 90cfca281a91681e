"""The laboratory's bandits, and what it shows where a chapter links to it."""

import math
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urlencode

import numpy as np

import pmeanlib as pm
from pmeanlib import published

State = dict[str, Any]  # of the laboratory: values by the names of its fields
PAGE, BOX = "laboratory", "bench"  # its page, and its box there
MOST_ARMS, HORIZON, PRESET_ARMS = 20, 10_000, 10
SLOTS = (1, 2, 3, 4)  # policies side by side
QUEUE = (0.03, 0.2, 0.35, 0.5, 0.9)  # the first five people of the first figure
INDEX = "mu_hat + sqrt(log_T / pulls)"  # the reader's own, at first
EMPTY: Mapping[str, Any] = {  # a slot; -1 rounds are the policy's own length
    "policy": "none",
    "width": pm.ucb1().width,
    "tuned": "-2",
    "tilde": -1,
    "order": "fixed",
}


def slots(*policies: Mapping[str, Any]) -> State:
    """Policies as the laboratory's address has them; the other slots are empty."""
    filled = [*policies, *({},) * len(SLOTS)]
    return {
        f"{name}{n}": value
        for n, own in zip(SLOTS, filled, strict=False)
        for name, value in {**EMPTY, "index": INDEX, **own}.items()
    }


def _means(values: Iterable[float]) -> str:
    """Means as the laboratory's field has them: apart by blanks, no needless zeros."""
    return " ".join(f"{value:.6f}".rstrip("0").rstrip(".") for value in values)


START: State = {
    "p": -3,
    "family": "bernoulli",
    "arms": _means(QUEUE),
    "horizon": HORIZON,
    "runs": 200,
    "seed": 1,
    **slots(*({"policy": key} for key in ("ucb1", "eucb", "ncb", "own"))),
    "shown": "1",
    "run": 1,
    "round": 60,
}


def _published_means(family: str) -> np.ndarray:
    """The first means of the paper's instance, in three digits."""
    rng = np.random.default_rng(published.SEED)
    instance = pm.random_instance(family, published.K, rng)
    return instance.mu[:PRESET_ARMS].round(3)


def instances() -> dict[str, dict[str, Any]]:
    """The bandits that the laboratory offers, as parts of its state.

    Those of chapter `rates` have the best arm last; of the paper's there are the first
    ten of fifty arms, with their means in three digits.
    """
    best, others, T = 0.9, PRESET_ARMS - 1, HORIZON
    gap = 2 * math.sqrt(PRESET_ARMS * math.log(T) / T)
    bandits: dict[str, tuple[str, Iterable[float]]] = {
        "queue": ("five people's arms", QUEUE),
        "two": ("two arms", (0.2, 0.8)),
        "easy": ("easy: nine at 0.3, one at 0.9", [0.3] * others + [best]),
        "poor": ("poor: nine at 0.01, one at 0.9", [T**-0.5] * others + [best]),
        "close": ("close: nine just below 0.9", [best - gap] * others + [best]),
        "killer": ("UCB1's ruin: 1 and next to 0", [1, 1e-6]),
        "bernoulli": (
            "the paper's Bernoulli means, ten",
            _published_means("bernoulli"),
        ),
        "uniform": ("the paper's uniform means, ten", _published_means("uniform")),
    }
    presets = {}
    for key, (title, means) in bandits.items():
        family = "uniform" if key == "uniform" else "bernoulli"
        at = {"arms": _means(means), "family": family, "horizon": T}
        presets[key] = {"title": title, "at": at}
    return presets


def shown_in(chapter: str) -> State:
    """What the laboratory shows for the point of a chapter: a part of its state."""
    ucb1, eucb, ncb = ({"policy": name} for name in ("ucb1", "eucb", "ncb"))
    shuffled = ucb1 | {"order": "random"}
    enough = math.ceil(pm.bounds.least_exploration(HORIZON * 10, 2, 0.8) / 100) * 100
    more: dict[str, State] = {
        "good_event": {"round": 486},
        "unified": {"horizon": 100_000},
    }
    own = {"policy": "own", "index": INDEX}
    moss = own | {"index": "mu_hat + sqrt(max(0, log_T - log(k * pulls)) / pulls)"}
    choices: dict[str, tuple[str, float, tuple[State, ...]]] = {
        "reduction": ("poor", -2, (ucb1, eucb)),
        "optimism": ("easy", 1, (ucb1, ucb1 | {"width": 1})),
        "algorithm": ("queue", -6, (ucb1, eucb)),
        "good_event": ("easy", -1, (eucb, eucb | {"tilde": 100})),
        "unified": ("two", -1, (eucb | {"tilde": enough}, eucb | {"tuned": "-1"})),
        "positive_p": ("easy", 0.5, (eucb | {"tuned": "0.5"}, eucb | {"tilde": 500})),
        "nash": ("easy", 0, (ncb, ncb | {"tilde": 100}, eucb | {"tilde": 100})),
        "negative_p": ("queue", -3, (ucb1, shuffled, eucb)),
        "limits": ("killer", -1, (ucb1, shuffled, eucb)),
        "learners": ("easy", -1, (ucb1, moss, own | {"index": "mu_hat"})),
        "regret": ("queue", -3, (ucb1, shuffled)),
        "own": ("queue", -1, (ucb1, {}, {}, own)),
        "narrow": ("poor", -1, (ucb1, ucb1 | {"width": 1}, shuffled | {"width": 1})),
    }
    arms, p, policies = choices[chapter]
    bandit = instances()[arms]["at"]
    return bandit | {"p": p} | slots(*policies) | more.get(chapter, {})


def address(chapter: str) -> str:
    """The part behind `#` with which the laboratory shows that."""
    state = {k: v for k, v in shown_in(chapter).items() if v != START[k]}
    return f"{BOX}?{urlencode(state)}"
