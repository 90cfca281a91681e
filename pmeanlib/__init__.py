"""pmeanlib: the helper library of the book on p-mean regret for stochastic bandits.

welfare    the p-mean of an array and the regret it defines
instances  bandit instances: Bernoulli, Beta, triangular, uniform, Gaussian, data
rules      how good an arm looks: the indices, compiled, and your own
policies   algorithms as frozen values: UCB1, Explore-Then-UCB, NCB, their rivals
kernel     the compiled loop over rounds
engine     play one run, simulate many
compiled   how compiled code is kept
bounds     the theorems as numbers: the paper's, and this book's
published  the paper's printed numbers, how they were made, and Table 2 anew
exercises  whether an answer to an exercise is right, or what is off
figures    how the book draws and tabulates; the only module that imports matplotlib
linear     arms with features: designs, LinUCB and its rivals; a room of its own
advice     what a table of your own says, and when it says too little
lab        long work: sweeps, runs until an error bar is small, what is kept on disk
"""

from importlib import import_module
from importlib.metadata import version
from typing import Any

ROOMS = {  # a room is opened when one of its names is asked for: numba takes a second
    "welfare": ("Estimate", "Profile", "measured_regret", "measured_regrets", "p_mean",
                "p_mean_regret"),
    "instances": ("Instance", "bernoulli", "beta", "from_data", "from_tape", "gaussian",
                  "triangular", "uniform"),
    "rules": ("auer_index", "greedy_index", "index", "kl_ucb_index",
              "moss_index", "ncb_index", "thompson_index", "ucb_index"),
    "policies": ("Policy", "Stage", "anytime", "auer", "by_name", "doubling",
                 "exploration_period", "explore_enough", "explore_then_ucb", "greedy",
                 "hare", "kl_ucb", "modified_ncb", "moss", "ncb", "rr_ncb", "thinning",
                 "thompson", "ucb1", "welfarist"),
    "engine": ("Run", "play", "simulate"),
    "lab.sweep": ("Setting", "sweep"), "lab.until": ("simulate_until",),
    "published": ("random_instance",), "exercises": ("check",),
    "bounds": (), "figures": (), "linear": (), "lab": (), "advice": ("advise",),
}  # fmt: skip
_HOME = {name: room for room, names in ROOMS.items() for name in names}

__version__ = version("pmeanlib")
__all__ = [*sorted(_HOME)]


def __getattr__(name: str) -> Any:
    if name in ROOMS:
        return import_module(f"pmeanlib.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'pmeanlib' has no attribute {name!r}")
    found = getattr(import_module(f"pmeanlib.{_HOME[name]}"), name)
    return globals().setdefault(name, found)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
