"""pmeanlib: the helper library of the book on p-mean regret for stochastic bandits.

welfare    the p-mean of an array and the regret it defines
instances  bandit instances: Bernoulli, Beta, triangular and uniform arms
policies   algorithms as frozen values: UCB1, Explore-Then-UCB, NCB, your own index
simulate   the compiled loop over rounds
bounds     the theorems as numbers: the paper's, and this book's
sweep      many settings in, one table out; resumes, and runs on a cluster
gridfile   a sweep described in a TOML file
published  the paper's printed numbers, and the replay of how they were made
figures    how the book draws; the only module that imports matplotlib
bench      what a round costs

`python -m pmeanlib --help` shows what can be done without writing Python.
"""

from pmeanlib.instances import (
    Instance,
    bernoulli,
    beta,
    from_tape,
    random_instance,
    triangular,
    uniform,
)
from pmeanlib.policies import (
    Policy,
    exploration_period,
    explore_enough,
    explore_then_ucb,
    index,
    ncb,
    ncb_index,
    ucb1,
    ucb_index,
)
from pmeanlib.simulate import Profile, Run, play, simulate
from pmeanlib.sweep import Setting, sweep
from pmeanlib.welfare import Estimate, measured_regret, p_mean, p_mean_regret

__version__ = "0.1.0"

__all__ = [
    "Estimate",
    "Instance",
    "Policy",
    "Profile",
    "Run",
    "Setting",
    "bernoulli",
    "beta",
    "exploration_period",
    "explore_enough",
    "explore_then_ucb",
    "from_tape",
    "index",
    "measured_regret",
    "ncb",
    "ncb_index",
    "p_mean",
    "p_mean_regret",
    "play",
    "random_instance",
    "simulate",
    "sweep",
    "triangular",
    "ucb1",
    "ucb_index",
    "uniform",
]
