"""The browser's engine is the library's: the same numbers, bit for bit, in Chromium."""

import math
import re
import time
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from reader import ROOT

import pmeanlib as pm
from pmeanlib import rules

SCRIPTS = ("pcg", "exact", "formula", "engine", "worker")  # each uses those before it
PLAIN = {"ucb1", "greedy", "moss", "auer", "kl-ucb"}  # no exploration of their own
BY_HAND = {*PLAIN, "eucb", "eucb-unified", "ncb", "own"}  # T_tilde may be set
WIDE = {"ucb1", "eucb", "eucb-unified", "ncb", "kl-ucb", "own", "doubling", "anytime"}
TUNED = {"eucb", "welfarist", "doubling"}  # for an exponent
POLICIES = (
    *sorted(BY_HAND),
    *("modified-ncb", "rr-ncb", "welfarist", "hare", "doubling", "anytime", "thinning"),
)
FORMULAS = (  # what a reader may type, and the same rule by another way of writing it
    ("mu_hat + 2 * sqrt(log_T / pulls)",
     lambda mu_hat, pulls, log_T: mu_hat + 2 * math.sqrt(log_T / pulls)),
    ("mu_hat+(log_t/pulls)^0.5 * width",
     lambda mu_hat, pulls, log_t, width: mu_hat + math.sqrt(log_t / pulls) * width),
    ("mu_hat + max(0, log_T - log(k * pulls)) / pulls ** 2",
     lambda mu_hat, pulls, log_T, k:
        mu_hat + max(0, log_T - math.log(float(k) * pulls)) / float(pulls) ** 2),
    ("mu_hat - -exp(-pulls / 10)",
     lambda mu_hat, pulls: mu_hat - -math.exp(-pulls / 10)),
)  # fmt: skip


@pytest.fixture(scope="module")
def lab(browser):
    """An empty page with the engine alone: it needs nothing of the book's pages."""
    page = browser.new_page()
    page.set_default_timeout(60_000)
    page.goto("about:blank")
    for name in SCRIPTS:
        path = ROOT / "chapters" / "_static" / "explorer" / f"{name}.js"
        page.add_script_tag(content=path.read_text("utf8"))
    yield page
    page.close()


# -- settings, and what they are in the library ------------------------------------------

unit = st.floats(0, 1) | st.sampled_from([0, 0.2, 0.5, 0.75, 1])  # some of them equal


@st.composite
def laboratories(draw, policies=POLICIES):
    """A setting as the page has it."""
    k, T = draw(st.integers(2, 12) | st.just(20)), draw(st.integers(2, 3000))
    policy = draw(st.sampled_from(policies))
    family = draw(st.sampled_from(["bernoulli", "uniform"]))
    means = draw(st.lists(unit, min_size=k, max_size=k))
    means[draw(st.integers(0, k - 1))] = draw(st.floats(0.01, 1))
    made = {"family": family, "policy": policy, "T": T}
    if family == "bernoulli":
        made["means"] = means
    else:
        other = draw(st.lists(unit, min_size=k, max_size=k))
        made["lower"] = [min(a, b) for a, b in zip(means, other, strict=True)]
        made["upper"] = [max(a, b) for a, b in zip(means, other, strict=True)]
    if policy in WIDE and draw(st.booleans()):
        made["width"] = draw(st.floats(1.25, 6))
    if policy in TUNED:
        made["p"] = draw(st.sampled_from([-2, -1, -0.5, 0, 0.5, 1]))
    if policy == "own":
        made["formula"] = draw(st.sampled_from([text for text, _ in FORMULAS]))
    if policy in BY_HAND and draw(st.booleans()):
        made["T_tilde"] = draw(st.integers(0, T))
    if policy in BY_HAND:
        made["explore"] = draw(st.sampled_from(["uniform", "permutations", "cycle"]))
    if policy != "thinning":
        made["order"] = draw(st.sampled_from(["fixed", "random"]))
    made["n_runs"] = draw(st.integers(2, 70))
    made["seed"] = draw(st.integers(0, 2**53 - 1) | st.integers(0, 99))
    return made


def library(made: dict) -> SimpleNamespace:
    """The instance and the policy of a setting, made by the library's own functions."""
    T, key = made["T"], made["policy"]
    if made["family"] == "bernoulli":
        instance = pm.bernoulli(made["means"])
    else:
        instance = pm.uniform(made["lower"], made["upper"])
    if key == "own":
        rule = rules.index(dict(FORMULAS)[made["formula"]])
        policy = pm.Policy("own", rule)
    else:
        given = {"T": T, "k": instance.k, "p": made.get("p"), "T_0": 2}
        given |= {"mu_star": instance.mu_star, "sigma": 0.5}
        if "width" in made and key != "kl-ucb":
            given["width"] = made["width"]
        policy = pm.by_name(key, **given)
    names = ("width", "T_tilde", "order", "explore")
    return SimpleNamespace(
        instance=instance,
        policy=replace(policy, **{n: made[n] for n in names if n in made}),
    )


many = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
SIMULATE = """async s => {
    const found = await pmean.simulate(s);
    return {mu_t: [...found.mu_t], pulls: [...found.pulls], T_tilde: found.T_tilde,
        regrets: found.regrets([1, 0.5, 0, -1, -3]).map(
            e => [e.value, e.standard_error, e.plug_in, String(e.doubt), e.trusted,
                  e.runs_needed])};
}"""
TRACE = """([s, run]) => {
    const found = pmean.engine.trace(s, run);
    return {arms: [...found.arms], rewards: [...found.rewards],
            explored: found.explored};
}"""


def same(lab, made: dict) -> None:
    """Arms, rewards, means, pulls and regrets of a setting, here and there."""
    ours = library(made)
    T, n_runs, seed = made["T"], made["n_runs"], made["seed"]
    run = pm.play(ours.instance, ours.policy, T, seed)
    there = lab.evaluate(TRACE, [made, None])
    assert there["arms"] == run.arms.tolist()
    assert there["rewards"] == run.rewards.tolist()
    assert there["explored"] == run.explored
    profile = pm.simulate(ours.instance, ours.policy, T, n_runs, seed)
    there = lab.evaluate(SIMULATE, made)
    assert there["T_tilde"] == ours.policy.T_tilde
    assert there["mu_t"] == profile.mu_t.tolist()
    assert there["pulls"] == profile.pulls.tolist()
    found = pm.measured_regrets(profile, [1, 0.5, 0, -1, -3])
    for row, e in zip(there["regrets"], found, strict=True):
        near = {"rtol": 1e-9, "atol": 1e-12}
        np.testing.assert_allclose(row[0], e.value, **near)
        np.testing.assert_allclose(row[1], e.standard_error, rtol=1e-6, atol=1e-12)
        np.testing.assert_allclose(row[2], e.plug_in, **near)
        if abs(e.doubt - 0.125) > 1e-6 and not 1e-10 < e.standard_error < 1e-8:
            assert row[4:] == [e.trusted, pytest.approx(e.runs_needed, abs=1)]


@many
@given(made=laboratories())
def test_any_setting_gives_the_library_s_numbers(lab, made):
    same(lab, made)


@pytest.mark.parametrize("policy", POLICIES)
def test_every_policy_gives_the_library_s_numbers(lab, policy):
    @settings(many, max_examples=5)
    @given(made=laboratories([policy]))
    def check(made):
        same(lab, made)

    check()
