"""Every public name has an example in its docstring, and it prints what it says."""

import doctest
from inspect import isfunction, ismodule

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt

import pmeanlib as pm

ROOT = "the root"
# Of engine and store the root has what readers call, the rest serves the library.
MODULES = ("bounds", "estimates", "figures", "instances", "linear", "policies",
           "published", "welfare")  # fmt: skip


def documented(module):
    """The public names of the root that are no modules, or a module's own functions."""
    if module == ROOT:
        found = {name: getattr(pm, name) for name in pm.__all__}
        return {name: value for name, value in found.items() if not ismodule(value)}
    own = getattr(pm, module)
    public = {name: value for name, value in vars(own).items() if name[0] != "_"}
    return {
        f"{module}.{name}": value
        for name, value in public.items()
        if isfunction(value) and value.__module__ == own.__name__
        if name != "check_arguments"  # decorates the bounds
    }


@pytest.mark.parametrize("module", [ROOT, *MODULES])
def test_every_public_name_has_an_example_that_prints_what_it_says(
    module, tmp_path, monkeypatch
):
    monkeypatch.setenv("PMEANLIB_CACHE", str(tmp_path))
    names = {"pm": pm, "np": np, "pd": pd}
    runner, said = doctest.DocTestRunner(verbose=False), []
    finder = doctest.DocTestFinder(recurse=False, exclude_empty=False)
    values = documented(module)
    assert len(values) > 1
    with mpl.rc_context():
        for name, value in values.items():
            [test] = finder.find(value, name, globs={**names}, module=False)
            assert test.examples, f"{name} has no example"
            runner.run(test, out=said.append)
    plt.close("all")
    assert not said, "".join(said)


# -- values as they are shown -------------------------------------------------------


def test_a_public_value_is_shown_on_one_line_without_arrays_or_addresses():
    arms = pm.bernoulli(np.linspace(0.1, 0.9, 50))
    profile = pm.simulate(pm.bernoulli([0.2, 0.9]), pm.ucb1(), 50, 20, 1)
    values = (
        arms, profile, pm.measured_regret(profile, 0), pm.play(arms, pm.ucb1(), 999, 1),
        pm.Setting(arms, pm.doubling(50, 0), 99, 9, 1, [1, 0]), pm.hare(10**6, 50),
        pm.anytime(50, 0.9), pm.rr_ncb(10**6), pm.linear.LinNash(),
        pm.linear.LinearInstance(np.eye(30), np.full(30, 0.5)),
        pm.linear.LinUCB("LinUCB", np.ones(30), 1.5), pm.linear.FairLinUCB(),
        pm.published.replay("bernoulli", 0, 500, 2, 3),
    )  # fmt: skip
    for value in values:
        shown = repr(value)
        assert shown.startswith(type(value).__name__ + "(")
        assert len(shown) < 300, shown
        assert not [wall for wall in ("\n", "array(", " at 0x") if wall in shown], shown
    assert repr(pm.thompson_index) == "thompson_index(belief)"


@pytest.mark.parametrize(("mu", "n_runs"), [([0.2, 0.9], 1), ([0.0, 0.0], 5)])
def test_a_profile_that_nothing_can_be_measured_of_is_still_shown(mu, n_runs):
    profile = pm.simulate(pm.bernoulli(mu), pm.ucb1(), 9, n_runs, 1)
    assert "regret" not in str(profile)
    assert "pulls" in str(profile)


def test_the_signs_in_a_profile_are_safe_in_html():
    profile = pm.simulate(pm.bernoulli([0.5, 0.5 + 1e-5]), pm.ucb1(), 50, 20, 1)
    assert "<0" in str(profile)
    assert "&lt;0" in profile._repr_html_()
