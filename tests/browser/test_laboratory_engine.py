"""The browser's engine is the library's: the same numbers, bit for bit, in Chromium."""

import math
import time
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reader import ROOT

import pmeanlib as pm
from pmeanlib import rules

SCRIPTS = ("exact", "maths", "pcg", "formula", "engine", "worker")  # in this order
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


# -- settings, and what they are in the library ----------------------------------------

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


@pytest.mark.parametrize("policy", POLICIES)
def test_a_long_run_of_every_policy(lab, policy):
    """100,000 rounds, logarithms and all: every arm and every reward are the same."""
    made = {"policy": policy, "T": 100_000, "n_runs": 1, "seed": 7}
    made |= {"family": "bernoulli", "means": [0.1, 0.5, 0.45, 0.52, 0.3]}
    if policy in TUNED:
        made["p"] = -1
    if policy == "own":
        made["formula"] = FORMULAS[1][0]
    if policy in WIDE:
        made["width"] = 1.5
    ours = library(made)
    run = pm.play(ours.instance, ours.policy, made["T"], 7)
    there = lab.evaluate(TRACE, [made, None])
    assert there["arms"] == run.arms.tolist()
    assert there["rewards"] == run.rewards.tolist()


# -- the parts -------------------------------------------------------------------------


@settings(many, max_examples=100)
@given(
    seed=st.integers(0, 2**53 - 1),
    child=st.none() | st.integers(0, 10**6),
    bounds=st.lists(st.integers(1, 2**31), min_size=1, max_size=20),
)
def test_random_numbers_are_numpy_s(lab, seed, child, bounds):
    """Doubles, bounded whole numbers and bits of one stream, mixed."""
    key = () if child is None else (child,)
    sequence = np.random.SeedSequence(seed, spawn_key=key)
    rng = np.random.Generator(np.random.PCG64(sequence))
    ours = []
    for n in bounds * 20:
        ours += [int(rng.integers(0, n)), rng.random(), rng.uniform(0.25, 0.75)]
    theirs = lab.evaluate(
        """([seed, child, bounds]) => {
            const g = new pmean.pcg.Generator(seed, child === null ? undefined : child);
            return bounds.flatMap(n => [g.below(n), g.random(), g.uniform(0.25, 0.75)]);
        }""",
        [seed, child, bounds * 20],
    )
    assert theirs == ours


def test_logarithms_are_the_c_library_s(lab):
    """All but a few of the logarithms that a run may need; none is off by two bits."""
    numbers = [*range(1, 100_001), *np.random.default_rng(1).random(20_000).tolist()]
    theirs = lab.evaluate("xs => xs.map(pmean.exact.log)", numbers)
    ours = list(map(math.log, numbers))
    wrong = [(a, b) for a, b in zip(theirs, ours, strict=True) if a != b]
    assert len(wrong) <= 60
    assert all(abs(a - b) <= 2 * math.ulp(b) for a, b in wrong)


@settings(many, max_examples=15)
@given(made=laboratories(), run=st.integers(0, 40), data=st.data())
def test_one_run_step_by_step(lab, made, run, data):
    """What a policy knew in a round is what its run so far adds up to.

    The arm it played then is the first of the highest indices.
    """
    rounds = data.draw(st.lists(st.integers(0, made["T"]), min_size=1, max_size=9))
    ours = library(made)
    child = np.random.SeedSequence(made["seed"], spawn_key=(run,))
    rng = np.random.Generator(np.random.PCG64(child))
    played = pm.play(ours.instance, ours.policy, made["T"], rng)
    found = lab.evaluate(
        """([s, run, rounds]) => {
            const one = pmean.engine.trace(s, run), list = v => [...v].map(String);
            return {arms: [...one.arms], at: rounds.map(t => {
                const now = one.at(t);
                return {...now, pulls: [...now.pulls], mu_hat: list(now.mu_hat),
                        index: list(now.index)};
            })};
        }""",
        [made, run, rounds],
    )
    assert found["arms"] == played.arms.tolist()
    for t, now in zip(rounds, found["at"], strict=True):
        index = np.array([float(v.replace("Infinity", "inf")) for v in now["index"]])
        if t < made["T"]:
            assert (now["arm"], now["reward"]) == (played.arms[t], played.rewards[t])
            if now["phase"] == "index":
                assert now["arm"] == index.argmax()
        if made["policy"] != "doubling":  # which forgets
            arms, rewards = played.arms[:t], played.rewards[:t]
            assert now["pulls"] == np.bincount(arms, minlength=index.size).tolist()
            for i, mean in enumerate(now["mu_hat"]):
                mine = rewards[arms == i]
                assert float(mean) == pytest.approx(
                    mine.mean() if mine.size else math.nan, nan_ok=True
                )


# -- an index that the reader types ----------------------------------------------------

GIVEN = {
    "mu_hat": 0.375,
    "pulls": 12,
    "log_T": 9.25,
    "width": 1.5,
    "log_t": 4.5,
    "k": 7,
}
numerals = st.integers(0, 20).map(str) | st.floats(0, 50).map(repr)
leaves = numerals | st.sampled_from(list(GIVEN))
trees = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "/", " - ", "  * "]), inner),
        st.tuples(st.just("("), inner, st.just(" )")),
        st.tuples(st.just("-"), inner),
        st.tuples(
            st.sampled_from(["sqrt(", "abs(", "log(", "exp("]), inner, st.just(")")
        ),
        st.tuples(
            st.sampled_from(["min(", "max("]), inner, st.just(", "), inner, st.just(")")
        ),
        st.tuples(
            st.just("("), inner, st.sampled_from([")^", ") ** "]),
            st.sampled_from(["2", "3", "-2", "0.5", "1.5", "-.5", "0", "7", "log_T"]),
        ),
    ).map("".join),
    max_leaves=9,
)  # fmt: skip
SCOPE = {"math": math, "abs": abs, "min": min, "max": max, "float": float}
SCOPE |= {name: getattr(math, name) for name in ("sqrt", "log", "exp")}


def value_in_python(text: str) -> float:
    """The value of an expression in plain Python, nan where it has none."""
    try:
        found = eval(text, {"__builtins__": {}}, SCOPE | GIVEN)
    except (ArithmeticError, ValueError):
        return math.nan
    return math.nan if isinstance(found, complex) else float(found)


@settings(many, max_examples=400)
@given(text=trees)
def test_a_formula_means_what_python_means_by_it(lab, text):
    found = lab.evaluate(
        """([text, given]) => {
            const f = pmean.formula.parse(text);
            if (!f.ok) return f.error;
            return [f.python, String(pmean.formula.evaluate(f, given))];
        }""",
        [text, GIVEN],
    )
    assert isinstance(found, list), (text, found)
    python, value = found[0], float(found[1].replace("Infinity", "inf"))
    ours, again = value_in_python(text.replace("^", "**")), value_in_python(python)
    if not math.isnan(ours) and abs(ours) < 1e15:
        np.testing.assert_allclose(again, ours, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(value, ours, rtol=1e-9, atol=1e-9)


@settings(many, max_examples=40)
@given(text=trees, points=st.lists(st.tuples(unit, st.integers(1, 10**5)), min_size=5))
def test_a_formula_is_compiled_to_the_same_bits(lab, text, points):
    """Of its Python text, as numba compiles it; but for a last bit of log, exp, pow."""
    python, names, values = lab.evaluate(
        """([text, given, points]) => {
            const f = pmean.formula.parse(text);
            return [f.python, f.names, points.map(([mu_hat, pulls]) => String(
                pmean.formula.evaluate(f, {...given, mu_hat, pulls})))];
        }""",
        [text, GIVEN, points],
    )
    scope = {"math": math}
    exec(f"def own({', '.join(names)}): return {python}", scope)
    compiled = rules.Index(scope["own"]).compiled.ctypes
    exact = not any(
        word in text for word in ("log(", "exp(", "1.5", "-.5", ")^log", "** log")
    )
    for (mu_hat, pulls), value in zip(points, values, strict=True):
        at = GIVEN | {
            "mu_hat": mu_hat,
            "pulls": pulls,
            "level": 1,
            "noise": 0,
            "belief": 0,
        }
        ours, theirs = compiled(*(at[n] for n in rules.NAMES)), float(
            value.replace("Infinity", "inf"))  # fmt: skip
        if exact:
            assert ours == theirs or (math.isnan(ours) and math.isnan(theirs))
        elif abs(ours) < 1e12:
            np.testing.assert_allclose(theirs, ours, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(("text", "at", "words"), [
    ("", 0, "the formula ends here"),
    ("mu_hat +", 8, "the formula ends here"),
    ("mu_hat + nu", 9, "'nu' is unknown"),
    ("mu_hat $ 2", 7, "'$' means nothing"),
    ("sqrt(log_T / pulls", 18, "')' is missing for the '(' of character 5"),
    ("sqrt(1, 2)", 0, "sqrt takes one argument, here are 2"),
    ("max(pulls)", 0, "max takes two arguments"),
    ("sqrt 2", 5, "'(' is missing after sqrt"),
    ("mu_hat pulls", 7, "an operator is missing"),
    ("2 pulls", 2, "an operator is missing"),
    ("1 + )", 4, "a number, a name or '('"),
    ("pulls(2)", 5, "no function"),
    ("constructor", 0, "'constructor' is unknown"),
    ("__proto__ + 1", 0, "'__proto__' is unknown"),
    ("alert(1)", 0, "'alert' is unknown"),
    ("mu_hat.x", 6, "means nothing"),
    ("mu_hat = 1", 7, "means nothing"),
    ("1e999", 0, "too large"),
    ("(" * 99, 20, "too many brackets"),
    ("-" * 99 + "1", 39, "too many signs"),
    ("1" * 500, 400, "at most 400 characters"),
])  # fmt: skip
def test_a_bad_formula_points_at_the_character(lab, text, at, words):
    found = lab.evaluate("text => pmean.formula.parse(text)", text)
    assert not found["ok"]
    assert words in found["error"]["message"]
    assert found["error"]["at"] == at


# -- the Python code that gives the same numbers ---------------------------------------


@settings(many, max_examples=40)
@given(made=laboratories())
def test_the_snippet_gives_the_same_numbers(lab, made):
    code, there = (
        lab.evaluate("s => pmean.snippet(s)", made),
        lab.evaluate(SIMULATE, made),
    )
    scope = {}
    exec(code, scope)
    assert scope["profile"].mu_t.tolist() == there["mu_t"]
    assert scope["profile"].pulls.tolist() == there["pulls"]


def test_one_snippet_for_several_policies(lab):
    same_arms = {
        "family": "bernoulli",
        "means": [0.2, 0.8],
        "T": 300,
        "n_runs": 9,
        "seed": 4,
    }
    policies = [
        {"policy": "ucb1"},
        {"policy": "ucb1", "order": "random"},
        {"policy": "moss"},
        {"policy": "own", "formula": "mu_hat"},
        {"policy": "own", "formula": "sqrt(mu_hat)"},
    ]
    several = [same_arms | policy for policy in policies]
    scope = {}
    exec(lab.evaluate("s => pmean.snippet(s)", several), scope)
    names = ["UCB1", "UCB1 2", "MOSS", "own", "own 2"]
    assert list(scope["profiles"]) == names
    for made, profile in zip(several, scope["profiles"].values(), strict=True):
        assert profile.mu_t.tolist() == lab.evaluate(SIMULATE, made)["mu_t"]


def test_means_and_a_spread_make_uniform_arms(lab):
    made = {
        "family": "uniform",
        "means": [0.25, 0.75, 0.5],
        "T": 50,
        "n_runs": 3,
        "seed": 0,
    }
    for spread, lower in ((None, [0, 0.5, 0]), (0.125, [0.125, 0.625, 0.375]),
                          ([0, 0.5, 0.25], [0.25, 0.5, 0.25])):  # fmt: skip
        found = lab.evaluate(
            "s => [...pmean.engine.instance(s).lower]", made | {"spread": spread}
        )
        assert found == lower


# -- what is refused, and what is said while it works ----------------------------------


@pytest.mark.parametrize(("change", "words"), [
    ({"family": "cauchy"}, "family must be one of bernoulli, uniform, got 'cauchy'"),
    ({"means": [0.5]}, "means must be a list of 2 to 100 numbers, got 0.5"),
    ({"means": [0.5, 1.5]}, "number of means must be a number in [0, 1], got 1.5"),
    ({"means": [0.5, "x"]}, "number of means must be a number in [0, 1], got 'x'"),
    ({"means": None}, "means must be a list of 2 to 100 numbers, got null"),
    ({"family": "uniform", "lower": [0, 1], "upper": [1, 0]}, "lower must be at most"),
    ({"family": "uniform", "lower": [0, 1], "upper": [1]}, "upper must be a list of"),
    ({"family": "uniform", "spread": -1}, "spread must be a number in [0, 1], got -1"),
    ({"policy": "best"}, "policy must be one of ucb1,"),
    ({"T": 0}, "T must be a whole number in [2, 1000000], got 0"),
    ({"T": 10.5}, "T must be a whole number"),
    ({"T": "10"}, "T must be a whole number in [2, 1000000], got '10'"),
    ({"T_tilde": 101}, "T_tilde must be a whole number in [0, 100], got 101"),
    ({"n_runs": 0}, "n_runs must be a whole number in [1, 1000000], got 0"),
    ({"seed": -1}, "seed must be a whole number"),
    ({"width": -2}, "width must be a number in [0, 1000000000], got -2"),
    ({"order": "any"}, "order must be one of fixed, random, got 'any'"),
    ({"explore": "often"}, "explore must be one of uniform, permutations, cycle"),
    ({"policy": "eucb", "p": 2}, "p must be a number in [-1000000000, 1], got 2"),
    ({"policy": "eucb-unified", "width": 1}, "width must be a number in [1.2247"),
    ({"policy": "eucb-unified", "means": [0, 0]}, "the highest of means must be"),
    ({"policy": "own"}, "formula must be an index: a formula must be a text"),
    ({"policy": "own", "formula": "mu_hat +"}, "the formula ends here (character 9)"),
    ({"policy": "own", "formula": "log(-pulls)"}, "own must be a number, got nan"),
    ({"policy": "own", "formula": "mu_hat - log_t"}, "that never falls with t"),
])  # fmt: skip
def test_bad_arguments_are_named(lab, change, words):
    made = {"family": "bernoulli", "means": [0.2, 0.8], "policy": "ucb1", "T": 100}
    said = lab.evaluate(
        """s => pmean.simulate(s).then(() => "fine",
            error => (error instanceof Error ? "" : "no Error: ") + error.message)""",
        made | {"n_runs": 3, "seed": 1} | change,
    )
    assert said.startswith(words) or words in said
    assert not said.startswith("no Error")


def test_results_stream_and_an_older_job_is_dropped(lab):
    """A long job, and before it ends a short one: nothing more of the long one."""
    long = {
        "family": "bernoulli",
        "means": [0.2, 0.8, 0.5],
        "policy": "ucb1",
        "seed": 2,
    }
    long |= {"T": 100_000, "n_runs": 100_000}
    short = long | {"T": 2_000, "n_runs": 320, "policy": "eucb", "p": -1}
    heard = lab.evaluate(
        """async ([long, short]) => {
            const heard = [];
            let go = null;
            const lab = pmean.lab.open(m => { heard.push(m); if (go) go(m); });
            const until = test => new Promise(
                resolve => { go = m => { if (test(m)) resolve(m); }; });
            const old = lab.start([long, long]), late = lab.exact(0, [1]).catch(
                e => e.message);
            await until(m => m.i === 1 && m.runs > 1);
            const first = heard[0], before = heard.length;
            lab.start([short, {...short, policy: "own", formula: "log(-pulls)"}]);
            const last = await until(m => m.i === 0 && m.done);
            const exact = await lab.exact(0, [1, -1]), rounds = await lab.rounds(0);
            const wrong = await lab.rounds(1).catch(e => e.message);
            lab.close();
            return {old, late: await late, before, wrong, exact,
                first: [first.job, first.done, first.n_runs],
                others: heard.slice(before).map(m => [m.job, m.i, m.runs, m.error]),
                values: [...last.values], edges: [...last.edges],
                pulls: [...last.pulls],
                blocks: pmean.engine.regrets(last.profile, [1, -1]),
                mu_t: [...rounds.mu_t]};
        }""",
        [long, short],
    )
    assert heard["first"] == [heard["old"], False, 100_000]
    assert heard["late"] == "dropped"
    assert {row[0] for row in heard["others"]} == {heard["old"] + 1}
    assert "got nan" in heard["wrong"]
    assert [row[3] for row in heard["others"] if row[1] == 1] == [heard["wrong"]]
    assert [row[2] for row in heard["others"] if row[1] == 0][-1] == 320
    ours = library(short)
    profile = pm.simulate(ours.instance, ours.policy, 2_000, 320, 2)
    assert heard["mu_t"] == profile.mu_t.tolist()
    assert heard["pulls"] == profile.pulls.tolist()
    edges = heard["edges"]
    blocks = np.add.reduceat(profile.mu_t, edges[:-1]) / np.diff(edges)
    np.testing.assert_allclose(heard["values"], blocks, rtol=1e-12)
    for e, exact, block in zip(pm.measured_regrets(profile, [1, -1]), heard["exact"],
                               heard["blocks"], strict=True):  # fmt: skip
        assert exact["value"] == pytest.approx(e.value, rel=1e-10)
        assert exact["standard_error"] == pytest.approx(e.standard_error, rel=1e-9)
        assert abs(block["value"] - e.value) < e.standard_error
        assert block["trusted"] == e.trusted


def test_how_fast_it_is(lab, record_property):
    """Figures for the summary, no verdict: a round here, and a round of the kernel."""
    means = [i / 11 for i in range(1, 11)]
    made = {
        "family": "bernoulli",
        "means": means,
        "policy": "ucb1",
        "n_runs": 64,
        "seed": 1,
    }
    T, ours = 100_000, library(made | {"T": 100})
    pm.simulate(ours.instance, ours.policy, T, 2, 1, workers=1)
    here, there, first = [], [], []
    for _ in range(8):
        start = time.perf_counter()
        pm.simulate(ours.instance, ours.policy, T, 5, 1, workers=1)
        here.append((time.perf_counter() - start) / (5 * T))
        there.append(lab.evaluate(
            """s => {
                const one = pmean.engine.simulation(s), start = performance.now();
                for (let r = 0; r < 5; r++) one.step();
                return (performance.now() - start) / 1e3 / (5 * s.T);
            }""", made | {"T": T}))  # fmt: skip
        first.append(lab.evaluate(
            """s => new Promise(done => {
                const start = performance.now();
                const lab = pmean.lab.open(() => {
                    lab.close();
                    done(performance.now() - start);
                });
                lab.start([s, s, s, s]);
            })""", made | {"T": T}))  # fmt: skip
    assert min(there) > 0
    figures = {
        "kernel": min(here) * 1e9,
        "browser": min(there) * 1e9,
        "first": min(first),
    }
    record_property("speed", figures)
