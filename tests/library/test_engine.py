"""The kernel plays the arms of slow oracles; its means are exact expectations."""

import math
import os
import signal
import subprocess
import sys
import time
from functools import partial

import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba.core.dispatcher import Dispatcher

import pmeanlib as pm
from pmeanlib import estimates, kernel, linear, welfare
from pmeanlib.engine import default_groups
from pmeanlib.kernel import draw
from pmeanlib.policies import BY_NAME
from pmeanlib.rules import rich_enough, welfare_enough

# -- arms, one by one ------------------------------------------------------------------

INDICES = {"ucb": pm.ucb_index, "ncb": pm.ncb_index}


@st.composite
def cases(draw_from):
    """A tape full of ties and zeros, any exploration length, k from 2 to 40."""
    k = draw_from(st.integers(2, 40))
    T = draw_from(st.integers(1, 150))
    T_tilde = draw_from(st.sampled_from([0, T]) | st.integers(0, T))
    levels = draw_from(
        st.sampled_from([[0.0, 1.0], [0.0], [0.0, 0.5, 1.0], [0.1, 0.7]])
    )
    seed = draw_from(st.integers(0, 2**32))
    tape = np.random.default_rng(seed).choice(levels, size=(k, T))
    name = draw_from(st.sampled_from(sorted(INDICES)))
    width = draw_from(st.sampled_from([0.0, 0.05, 0.5, 4.0]))
    return tape, T_tilde, name, width, seed


def assert_oracle_agrees(policy, instance, T, seed):
    """Arms, rewards and rounds of exploration, from a generator in the same state."""
    run, rng, paid = pm.play(instance, policy, T, seed), np.random.default_rng(seed), []

    def pay(i, s):
        paid.append(draw(rng, instance.params, i, s))
        return paid[-1]

    slow = oracles.any_policy(policy, instance.k, T, pay, rng)
    assert (run.arms.tolist(), run.explored) == slow
    assert run.rewards.tolist() == paid


@settings(max_examples=300)
@given(cases(), st.booleans())
def test_kernel_and_loop_play_the_same_arms(case, random_order):
    tape, T_tilde, name, width, seed = case
    order = "random" if random_order else "fixed"
    policy = pm.Policy(name, INDICES[name], width, T_tilde=T_tilde, order=order)
    assert_oracle_agrees(policy, pm.from_tape(tape), tape.shape[1], seed)


NOISY = pm.index(lambda mu_hat, pulls, noise: mu_hat + noise / math.sqrt(pulls))
LATE = pm.index(lambda mu_hat, pulls, log_t, k: mu_hat + k * log_t / pulls)
TIMED = pm.index(
    lambda mu_hat, pulls, log_t, width: mu_hat + width * math.sqrt(log_t / pulls)
)
SMALL = {  # policies whose phases all happen within a hundred rounds
    "Auer": pm.auer(),
    "late": pm.Policy("late", LATE, T_tilde=7, order="random"),
    "MOSS": pm.moss("random"),
    "KL-UCB": pm.kl_ucb(),
    "Thompson": pm.thompson("random"),
    "noisy": pm.Policy("noisy", NOISY, T_tilde=5),
    "greedy": pm.greedy(),
    "Modified NCB": pm.Policy("Modified NCB", pm.ncb_index, stop=rich_enough),
    "RR-NCB": pm.Policy("RR-NCB", pm.ncb_index, 0.5, 3, explore="cycle",
                        stop=rich_enough, level=0.7),
    "Welfarist-UCB": pm.Policy("Welfarist-UCB", pm.ucb_index, 0.3, level=0.5,
                               explore="permutations", stop=welfare_enough),
    "UCB-HARE": pm.Policy("UCB-HARE", pm.ucb_index, 0.1, explore="anchored", level=16),
    "doubling": pm.doubling(4, -2, 0.5),
    "anytime": pm.Policy("anytime", pm.ucb_index, 0.2, stages=(
        pm.Stage(10, 6, 10), pm.Stage(30, 2, 30), pm.Stage(70, 0, 70),
        pm.Stage(10**6, 3, 300))),
    "thinning": pm.thinning(200, 4),
    "permutations": pm.Policy("x", pm.ucb_index, 0.5, 11, explore="permutations"),
}  # fmt: skip


@pytest.mark.parametrize("name", SMALL)
@settings(max_examples=40, deadline=None)
@given(st.integers(2, 12), st.integers(1, 150), st.integers(0, 2**32), st.booleans())
def test_every_kind_of_policy_beside_its_oracle(name, k, T, seed, coarse):
    T = max(T, SMALL[name].T_tilde)
    levels = [0.0, 1.0] if coarse else [0.0, 0.3, 0.5, 1.0]
    tape = np.random.default_rng(seed).choice(levels, size=(k, T))
    assert_oracle_agrees(SMALL[name], pm.from_tape(tape), T, seed)


@pytest.mark.parametrize("name", BY_NAME)
@pytest.mark.parametrize("family", ["bernoulli", "gaussian"])
def test_every_policy_by_its_name_beside_its_oracle(name, family):
    """Arms and rewards on one random stream."""
    T, k = 1_200, 6
    instance = pm.random_instance(family, k, np.random.default_rng(5))
    given_ = {"T": T, "k": k, "p": -2, "mu_star": instance.mu_star, "width": 1.5}
    assert_oracle_agrees(pm.by_name(name, **given_), instance, T, 8)


@pytest.mark.parametrize("rule", [pm.ucb_index, TIMED])
@pytest.mark.parametrize("k", [2, 3, 17, 60])
@pytest.mark.parametrize("width", [0.0, 0.01, 0.3, 2.0])
def test_blocks_windows_and_streaks_change_nothing(rule, k, width):
    """Long enough for windows of hundreds of rounds and for long streaks."""
    T = 3_000
    tape = np.random.default_rng(k).random((k, T)) < np.linspace(0.5, 0.7, k)[:, None]
    tape[-1] |= tape[0]
    instance = pm.from_tape(tape.astype(float))
    assert_oracle_agrees(pm.Policy("x", rule, width), instance, T, 1)


@pytest.mark.parametrize("k", [1, 2])
def test_an_index_may_become_infinite_with_time(k):
    """With one arm the search for a rival never ended."""
    rule = pm.index(lambda mu_hat, log_t: math.inf if log_t > 3.5 else mu_hat)
    instance = pm.from_tape(np.eye(2)[-k:].repeat(30, axis=1))
    assert_oracle_agrees(pm.Policy("x", rule), instance, 60, 1)


# -- expectations ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mu", "T", "T_tilde", "order", "width"),
    [((0.2, 0.7), 60, 0, "fixed", 4.0), ((0.02, 0.9), 60, 0, "random", 4.0),
     ((0.3, 0.9), 60, 0, "random", 1.0), ((0.6, 0.5), 80, 20, "fixed", 1.0)],
)  # fmt: skip
@pytest.mark.parametrize("name", ["ucb", "ncb"])
def test_two_arms_agree_with_dynamic_programming(mu, T, T_tilde, order, width, name):
    """E[mu_{I_t}] of n_runs runs, round by round, against a table of probabilities.

    A round's mean has a standard error of at most (gap / 2) / sqrt(n_runs); of some 70
    rounds none is off by 5 of them, and their average by 5 of its own.
    """
    n_runs = 10_000
    exact = oracles.exact_profile(
        mu, getattr(oracles, name), width, T, T_tilde, order == "random"
    )
    rule = pm.ucb_index if name == "ucb" else pm.ncb_index
    policy = pm.Policy(name, rule, width, T_tilde, order)
    profile = pm.simulate(pm.bernoulli(mu), policy, T, n_runs, 1)
    error = abs(mu[1] - mu[0]) / 2 / math.sqrt(n_runs)
    np.testing.assert_allclose(profile.mu_t, exact, atol=5 * error)
    regret = pm.measured_regret(profile, 1)
    truth = pm.p_mean_regret(exact, max(mu), 1)
    assert abs(regret.value - truth) <= 5 * regret.standard_error + 1e-12


def test_rounds_drawn_uniformly_count_as_their_average():
    """The mean over runs has no noise where all runs explore, and no bias elsewhere."""
    arms = pm.bernoulli([0.2, 0.9])
    policy = pm.Policy("x", pm.ucb_index, 0.3, stages=(
        pm.Stage(10, 4, 10), pm.Stage(20, 4, 20), pm.Stage(10**6, 0, 40)))  # fmt: skip
    profile = pm.simulate(arms, policy, 40, 200, 1)
    blind = [0, 1, 2, 3, 10, 11, 12, 13]
    np.testing.assert_allclose(profile.mu_t[blind], 0.55)
    runs = [
        pm.play(arms, policy, 40, rng) for rng in np.random.default_rng(2).spawn(2_000)
    ]
    plain = np.mean([arms.mu[run.arms] for run in runs], axis=0)
    error = 0.35 / math.sqrt(200) + 0.35 / math.sqrt(2_000)
    assert np.all(abs(profile.mu_t - plain) < 5 * error)


def test_laps_in_random_order_are_averaged_without_bias():
    """`simulate` knows what a whole lap expects; single runs, averaged, agree."""
    T, n_runs, instance = 600, 2_000, pm.gaussian([0.2, 0.5, 0.9], 0.1)
    policy = pm.welfarist(T, -1, 0.1)
    runs = [pm.play(instance, policy, T, seed) for seed in range(n_runs)]
    plain = np.mean([instance.mu[run.arms] for run in runs], axis=0)
    profile = pm.simulate(instance, policy, T, n_runs, 1)
    ends = [run.explored for run in runs]
    np.testing.assert_allclose(profile.mu_t[:200], instance.mu.mean())
    assert 200 < min(ends) < max(ends) < T
    # a round's standard error is at most 0.35 / sqrt(2000); 600 rounds: 4.5 of them,
    # of the difference of two such means
    error = 0.35 * math.sqrt(2 / n_runs)
    assert np.max(np.abs(profile.mu_t - plain)) < 4.5 * error


def test_a_stage_may_be_shorter_than_its_exploration():
    """Then it is all exploration, and the next stage begins where it ends."""
    stages = pm.Stage(10, 50, 10), pm.Stage(30, 5, 30, forget=True)
    policy = pm.Policy("x", pm.ucb_index, 0.3, stages=stages)
    instance = pm.uniform([0.2, 0.9], [0.2, 0.9])
    profile = pm.simulate(instance, policy, 30, 200, 1)
    assert profile.known == 15
    assert np.all(profile.mu_t[:15] == 0.55)
    assert np.all(profile.mu_t[17:] > 0.6)  # no longer by chance
    assert pm.play(instance, policy, 30, 1).explored == 15


@pytest.mark.parametrize("order", ["fixed", "random"])
@pytest.mark.parametrize("T_tilde", [0, 30, 200])
def test_what_is_known_is_not_estimated(T_tilde, order):
    """Phase I and a random first order expect the average of the means, exactly."""
    instance = pm.bernoulli([0.1, 0.5, 0.9])
    policy = pm.Policy("x", pm.ucb_index, T_tilde=T_tilde, order=order)
    profile = pm.simulate(instance, policy, 200, 5, 1)
    assert profile.known == (T_tilde or 3)
    expected = np.full(profile.known, 0.5)
    if T_tilde == 0 and order == "fixed":
        expected = instance.mu
    for mu_t in (profile.mu_t, *profile.leave_one_out()):
        np.testing.assert_allclose(mu_t[: profile.known], expected, rtol=1e-15)
    if T_tilde == 200:
        for p in (1, 0, -5, -50):
            estimate = pm.measured_regret(profile, p)
            assert estimate.value == pytest.approx(0.4, rel=1e-13)
            assert estimate.standard_error < 1e-13
            assert estimate.trusted


def test_rounds_of_mean_zero_stay_zero_when_a_group_is_left_out():
    """The first round always plays the arm of mean 0: no rounding may hide it."""
    instance = pm.bernoulli([0.0, 0.7])
    profile = pm.simulate(instance, pm.ucb1(1), 50, 300, 1)
    assert profile.mu_t[0] == 0
    estimate = pm.measured_regret(profile, 0)
    assert estimate.value == 0.7
    assert estimate.standard_error < 1e-14
    assert max(profile.mu_t.max(), *map(np.max, profile.leave_one_out())) <= 0.7


# -- many runs -------------------------------------------------------------------------


def test_profile_is_the_mean_of_its_runs():
    instance, T, n_runs = pm.bernoulli([0.3, 0.6, 0.8]), 400, 25
    policy = pm.ucb1(width=0.5, order="random")
    profile = pm.simulate(instance, policy, T, n_runs, np.random.default_rng(4))
    streams = np.random.default_rng(4).spawn(n_runs)
    arms = np.array([pm.play(instance, policy, T, rng).arms for rng in streams])
    played, known = instance.mu[arms], profile.known
    np.testing.assert_allclose(
        profile.mu_t[known:], played.mean(axis=0)[known:], rtol=1e-14
    )
    pulls = [(arms == i).sum(axis=1).mean() for i in range(3)]
    np.testing.assert_allclose(profile.pulls, pulls)
    for g, mu_t in enumerate(profile.leave_one_out()):
        others = np.delete(played, g, axis=0).mean(axis=0)
        np.testing.assert_allclose(mu_t[known:], others[known:], rtol=1e-14)


def test_the_number_of_workers_changes_no_bit():
    instance = pm.random_instance("beta", 8, np.random.default_rng(0))
    one, two, eight = (
        pm.simulate(instance, pm.ucb1(), 20_000, 60, 5, workers=w) for w in (1, 2, 8)
    )
    for other in (two, eight):
        assert one.total_t.tobytes() == other.total_t.tobytes()
        assert one.group_totals.tobytes() == other.group_totals.tobytes()
        assert one.group_pulls.tobytes() == other.group_pulls.tobytes()


def test_a_generator_is_advanced_and_a_seed_is_not():
    instance, rng = pm.bernoulli([0.4, 0.6]), np.random.default_rng(6)
    first, second = (pm.simulate(instance, pm.ucb1(0.3), 50, 20, rng) for _ in "ab")
    assert first.total_t.tobytes() != second.total_t.tobytes()
    again = pm.simulate(instance, pm.ucb1(0.3), 50, 20, 6)
    assert first.total_t.tobytes() == again.total_t.tobytes()


def test_long_runs_keep_groups_in_single_precision():
    lengths = (10**6, 10**6 + 1, 10**7, 10**9)  # four degrees of freedom are the least
    assert [default_groups(T) for T in lengths] == [32, 10, 8, 5]
    instance, T = pm.bernoulli([0.3, 0.7]), 1_000_001
    profile = pm.simulate(instance, pm.ucb1(), T, 12, 1)
    assert profile.group_totals.dtype == np.float32
    assert profile.group_sizes.tolist() == [2, 2] + [1] * 8
    estimate = pm.measured_regret(profile, 1)
    rngs = np.random.default_rng(1).spawn(12)
    arms = [pm.play(instance, pm.ucb1(), T, rng).arms for rng in rngs]
    regrets = [0.7 - instance.mu[run].mean() for run in arms]
    sigma = np.std(regrets, ddof=1) / math.sqrt(12)
    assert abs(estimate.value - np.mean(regrets)) <= sigma / 100
    assert sigma / 2 <= estimate.standard_error <= 2 * sigma


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n_runs": 0}, "n_runs must be a whole number of at least 1, got 0"),
        ({"n_runs": 2.5}, "n_runs must be a whole number"),
        ({"rng": None}, "a Generator or a seed.* got None"),
        ({"workers": 0}, "workers must be a whole number of at least 1, got 0"),
        ({"n_groups": 1}, "n_groups must be a whole number of at least 2, got 1"),
    ],
)
def test_bad_arguments_are_named(change, message):
    good = {"instance": pm.bernoulli([0.4, 0.6]), "policy": pm.ucb1(), "T": 10,
            "n_runs": 3, "rng": 1}  # fmt: skip
    with pytest.raises(ValueError, match=message):
        pm.simulate(**(good | change))


@pytest.mark.parametrize("run", [pm.play, partial(pm.simulate, n_runs=3)])
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"T": 0}, "T must be a whole number of at least 1, got 0"),
        ({"policy": "ucb1"}, r"policy must be one, such as pm.ucb1\(\), got 'ucb1'"),
        ({"instance": [0.4, 0.6]}, r"instance must be one, as .*, got \[0.4, 0.6\]"),
        (
            {"policy": pm.Policy("x", pm.ucb_index, T_tilde=99)},
            "T must be at least the policy's T_tilde = 99, got 10",
        ),
        (
            {"instance": pm.from_tape(np.ones((2, 5)))},
            "T must be at most the length of the tape, 5, got 10",
        ),
        (
            {"policy": pm.thinning(8, 2)},
            "T must be at most 8, the end of the last stage, got 10",
        ),
    ],
)
def test_a_horizon_that_cannot_be_played_is_refused(run, change, message):
    """Compiled code read what stood beyond the tape, and beyond the arms played."""
    good = {"instance": pm.bernoulli([0.4, 0.6]), "policy": pm.ucb1(), "T": 10,
            "rng": 1}  # fmt: skip
    with pytest.raises(ValueError, match=message):
        run(**(good | change))


UNTIL_CTRL_C = {
    "simulate": "pm.simulate(arms, pm.ucb1(), 10**6, 10**5, 1, workers=2)",
    "sweep": """
work = (pm.Setting(arms, pm.ucb1(), 10**5, 10**6, seed, (0,)) for seed in range(4))
pm.sweep(work, workers=2)""",
}


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one process")
@pytest.mark.parametrize("work", UNTIL_CTRL_C)
def test_ctrl_c_ends_it_promptly_and_leaves_nothing_behind(work, tmp_path):
    code = f"""
import signal, pmeanlib as pm
from pmeanlib import engine

def first_run(*given, tally=engine.tally):
    engine.tally = tally
    print("up", flush=True)
    tally(*given)

engine.tally = first_run
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in background jobs
arms = pm.bernoulli([0.4, 0.6])
{UNTIL_CTRL_C[work]}
"""
    child = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, start_new_session=True,
        env=os.environ | {"PMEANLIB_CACHE": str(tmp_path)},
    )  # fmt: skip
    assert child.stdout.readline() == "up\n"  # the first run is played
    os.kill(child.pid, signal.SIGINT)
    try:
        _, errors = child.communicate(timeout=60)
    finally:
        child.kill()
    assert "KeyboardInterrupt" in errors
    deadline = time.monotonic() + 10
    while _exists(child.pid):  # Python 3.14's resource tracker stays a moment
        assert time.monotonic() < deadline
        time.sleep(0.1)


def _exists(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


# -- caches of compiled code -----------------------------------------------------------


@pytest.mark.parametrize(
    "module", [estimates, kernel, linear, welfare], ids=lambda m: m.__name__
)
def test_all_that_is_compiled_into_a_function_stands_in_its_file(module):
    """numba compiles anew when this file has changed, and looks at no other."""
    compiled = [f.py_func for f in vars(module).values() if isinstance(f, Dispatcher)]
    assert compiled
    for function in compiled:
        used = map(function.__globals__.get, function.__code__.co_names)
        draws = kernel._DRAW.values() if module is kernel else ()
        for part in (function, *used, *draws):
            code = getattr(getattr(part, "py_func", part), "__code__", None)
            assert code is None or code.co_filename == module.__file__
            ours = isinstance(part, type) and part.__module__.startswith("pmeanlib")
            assert not ours or part.__module__ == module.__name__  # records


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such terminals")
def test_what_one_process_compiled_another_only_loads(tmp_path):
    """And the first one says on the terminal what it does, until it is done.

    Also where the arguments are records: play_run takes three of them.
    """
    code = (
        "import pmeanlib as pm; from pmeanlib.kernel import play_run;"
        "pm.play(pm.bernoulli([0.2, 0.3]), pm.ucb1(), 5, 1); said = play_run.stats;"
        "print(sum(said.cache_hits.values()), sum(said.cache_misses.values()))"
    )
    fresh = {"NUMBA_CACHE_DIR": str(tmp_path), "TQDM_DISABLE": "0"}
    (first, terminal), (second, nothing) = (_on_a_terminal(code, fresh) for _ in "ab")
    assert (first.split(), second.split()) == (["0", "1"], ["1", "0"])
    assert terminal.count("compiling") == 1
    assert terminal.endswith("\r")
    assert nothing == ""


def _on_a_terminal(code: str, environment: dict[str, str]) -> tuple[str, str]:
    """What this code prints, and what a terminal shows as its errors."""
    import termios  # not on Windows

    terminal, end = os.openpty()
    termios.tcsetwinsize(end, (24, 80))
    said = subprocess.check_output(
        [sys.executable, "-c", code], text=True, stderr=end,
        env=os.environ | environment,
    )  # fmt: skip
    os.write(end, b"\n")  # so that there is something to read
    shown = os.read(terminal, 10_000).decode()
    os.close(end)
    os.close(terminal)
    return said, shown.removesuffix("\r\n")


def test_it_plays_in_plain_python_to_be_debugged():
    """With NUMBA_DISABLE_JIT=1 a debugger steps through kernel and rules."""
    code = (
        "import pmeanlib as pm; a = pm.bernoulli([0.2, 0.7]);"
        "print([pm.play(a, p, 40, 1).arms.tolist() for p in (pm.ucb1(), pm.auer())])"
    )
    slow = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    said = subprocess.check_output([sys.executable, "-c", code], text=True, env=slow)
    arms = pm.bernoulli([0.2, 0.7])
    fast = [pm.play(arms, p, 40, 1).arms.tolist() for p in (pm.ucb1(), pm.auer())]
    assert said.strip() == str(fast)


def test_it_works_where_nothing_can_be_cached():
    """A read-only installation without a home; all that is cached is `cached_jit`."""
    code = (
        "import numpy as np; from pmeanlib import engine, linear, welfare;"
        "a, x, n = np.array([1, 0, 1], np.int32), np.zeros(3), np.zeros(2, np.int64);"
        "engine.tally(a, np.array([0.25, 0.5]), 0, x, n); print(*x, *n)"
    )
    nowhere = {"NUMBA_CACHE_LOCATOR_CLASSES": "ZipCacheLocator"}  # this is no zip file
    said = subprocess.check_output(
        [sys.executable, "-c", code], text=True, env=os.environ | nowhere
    )
    assert said.split() == ["0.5", "0.25", "0.5", "1", "2"]
