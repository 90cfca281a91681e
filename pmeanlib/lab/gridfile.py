"""A sweep described in a TOML file: tables headed [[sweep]], each a product of lists.

Every key may have one value or a list of them; a table stands for all combinations.
"""

import tomllib
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from pmeanlib import _checks
from pmeanlib.instances import FAMILIES, Instance, bernoulli
from pmeanlib.lab.sweep import Setting
from pmeanlib.policies import BY_NAME, ORDERS, asks_for, by_name
from pmeanlib.published import random_instance

# How the value of a key is checked, and its domain, in the order in which combinations
# are run through; arms are drawn one by one, hence at most 1e5.
CHECKS: dict[str, tuple] = {
    "family": (_checks.choice, FAMILIES), "k": (_checks.integer, 2, 1e5),
    "instance_seed": (_checks.integer, 0), "T": (_checks.integer, 2),
    "policy": (_checks.choice, tuple(BY_NAME)), "width": (_checks.real, 0, 1e9),
    "order": (_checks.choice, ORDERS), "n_runs": (_checks.integer, 2),
    "seed": (_checks.integer, 0), "p": (_checks.real,),
}  # fmt: skip
DEFAULTS = {"instance_seed": 1, "width": 4.0, "order": "fixed", "n_runs": 30, "seed": 1}
_RANDOM = ("family", "k", "instance_seed")  # or else `means`


def read(path: str | Path) -> list[Setting]:
    """The settings of a file; what is wrong in it is named with its place."""
    try:
        content = tomllib.loads(Path(path).read_text("utf8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ValueError(f"{path}: {getattr(error, 'strerror', error)}") from None
    _known(f"{path}: ", content, ("sweep",))
    tables = content.get("sweep")
    if not isinstance(tables, list) or not all(isinstance(t, dict) for t in tables):
        raise ValueError(f"{path}: sweep: must be tables headed [[sweep]]")
    places = ((table, f"{path}: sweep[{i}]") for i, table in enumerate(tables))
    return [setting for table, at in places for setting in grid(table, at)]


def grid(table: dict[str, Any], at: str = "grid") -> Iterator[Setting]:
    """The settings of one table: all combinations of the values of its keys.

    `at` is where the table stands, for what is wrong in it.
    """
    _known(f"{at}.", table, (*CHECKS, "means"))
    given = DEFAULTS | table
    if "means" in table:
        if mixed := [name for name in _RANDOM if name in table]:
            raise ValueError(f"{at}.{mixed[0]}: must not be given along with means")
        instances = _explicit(f"{at}.means", given)
    else:
        drawn = product(*(_values(at, given, name) for name in _RANDOM))
        instances = [_random(*values) for values in drawn]
    lists = {n: _values(at, given, n) for n in CHECKS if n not in _RANDOM}
    ordered = [name for name in lists["policy"] if asks_for(name, "order")]
    if "order" in table and not ordered:
        raise ValueError(f"{at}.order: must go with a policy such as 'ucb1'")
    exponents = lists.pop("p")
    for (instance, labels), values in product(instances, product(*lists.values())):
        one = dict(zip(lists, values, strict=True))
        name, order = one["policy"], one["order"]
        if name not in ordered and order != lists["order"][0]:
            continue  # the order of first pulls does not matter to it
        # one simulation serves all exponents, unless the policy asks for p
        served = [[p] for p in exponents] if asks_for(name, "p") else [exponents]
        known = one | {"k": instance.k, "mu_star": instance.mu_star}
        runs = one["T"], one["n_runs"], one["seed"]
        try:
            for some in served:
                policy = by_name(name, **known, p=some[0])
                yield Setting(instance, policy, *runs, some, labels)
        except ValueError as error:
            raise ValueError(f"{at}: {error}") from None


def _explicit(at: str, table: dict[str, Any]) -> list[tuple[Instance, dict]]:
    means = table["means"]
    several = isinstance(means, list) and means and isinstance(means[0], list)
    found = []
    for i, mu in enumerate(means if several else [means]):
        try:
            instance = bernoulli(mu)
            _checks.integer("the number of arms", instance.k, 2)
            _checks.real("the best mean", instance.mu_star, 1e-300)
        except ValueError as error:
            raise ValueError(f"{at}{f'[{i}]' if several else ''}: {error}") from None
        found.append((instance, {"family": "bernoulli", "instance_seed": None}))
    return found


def _random(family: str, k: int, seed: int) -> tuple[Instance, dict]:
    instance = random_instance(family, k, np.random.default_rng(seed))
    return instance, {"family": family, "instance_seed": seed}


def _values(at: str, table: dict[str, Any], name: str) -> list:
    """The values of one key, a list of them or one, each checked at its place."""
    _checks.require(name in table, f"{at}.{name}: is missing")
    given, (check, *domain) = table[name], CHECKS[name]
    if not isinstance(given, list):
        return [check(f"{at}.{name}:", given, *domain)]
    _checks.require(given != [], f"{at}.{name}: must hold at least one value, got none")
    return [check(f"{at}.{name}[{i}]:", v, *domain) for i, v in enumerate(given)]


def _known(at: str, table: dict[str, Any], names: tuple[str, ...]) -> None:
    for name in table:
        message = f"{at}{name}: unknown key, must be one of {', '.join(names)}"
        _checks.require(name in names, message)
