"""pmeanlib: the helper library of the book on p-mean regret for stochastic bandits.

welfare    the p-mean of an array and the regret it defines
estimates  what simulated runs say: profiles, and regrets with their error bars
instances  bandit instances: Bernoulli, Beta, triangular, uniform, Gaussian, data
rules      how good an arm looks: the indices, compiled, and your own
policies   algorithms as frozen values: UCB1, Explore-Then-UCB, NCB, their rivals
kernel     the compiled loop over rounds
engine     play one run, simulate many
bounds     the theorems as numbers: the paper's, and this book's
linear     arms with features: designs, LinUCB and its rivals
published  the paper's printed numbers, how they were made, and Table 2 recomputed
sweep      long work: many settings in one table, runs until an error bar is small
store      finished pieces of long work, cached on disk
advice     what a table of your own says, and when it says too little
exercises  whether an answer to an exercise is right, or what is off
figures    how the book draws and tabulates; the only module that imports matplotlib

The public names are listed in `__init__.pyi`. A module is imported when one of its
names is first used: importing numba alone takes a second.
"""

import lazy_loader

__version__ = "0.2.0"
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
