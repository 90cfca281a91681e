"""Rules as formulas, and every policy beside a slow and obvious version of it."""

import math

import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pmeanlib as pm
from pmeanlib.kernel import draw
from pmeanlib.policies import BY_NAME, EXPLORATIONS
from pmeanlib.rules import rich_enough, welfare_enough

NOISY = pm.index(lambda mu_hat, pulls, noise: mu_hat + noise / math.sqrt(pulls))
LATE = pm.index(lambda mu_hat, pulls, log_t, k: mu_hat + k * log_t / pulls)
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
    policy = SMALL[name]
    T = max(T, policy.T_tilde)
    levels = [0.0, 1.0] if coarse else [0.0, 0.3, 0.5, 1.0]
    tape = np.random.default_rng(seed).choice(levels, size=(k, T))
    run = pm.play(pm.from_tape(tape), policy, T, np.random.default_rng(seed))
    slow = oracles.any_policy(
        policy, k, T, lambda i, s: tape[i, s], np.random.default_rng(seed)
    )
    assert (run.arms.tolist(), run.explored) == slow


@pytest.mark.parametrize("name", BY_NAME)
@pytest.mark.parametrize("family", ["bernoulli", "gaussian"])
def test_every_policy_by_its_name_beside_its_oracle(name, family):
    T, k = 1_200, 6
    instance = pm.random_instance(family, k, np.random.default_rng(5))
    given_ = {"T": T, "k": k, "p": -2, "mu_star": instance.mu_star, "width": 1.5}
    policy = pm.by_name(name, **given_)
    run = pm.play(instance, policy, T, np.random.default_rng(8))
    rng = np.random.default_rng(8)
    pay = lambda i, s: draw(rng, instance.arms, i, s)  # noqa: E731
    assert (run.arms.tolist(), run.explored) == oracles.any_policy(
        policy, k, T, pay, rng
    )


@pytest.mark.parametrize("k", [2, 7, 60])
@pytest.mark.parametrize("scale", [0.01, 0.3, 2.0])
def test_windows_and_streaks_change_nothing_for_a_rule_that_knows_the_time(k, scale):
    """Long enough for windows of hundreds of rounds and for long streaks."""
    T = 4_000
    rule = pm.index(
        lambda mu_hat, pulls, log_t: mu_hat + scale * math.sqrt(log_t / pulls)
    )
    tape = (np.random.default_rng(k).random((k, T)) < 0.6).astype(float)
    tape[-1] = np.maximum(tape[-1], tape[0])
    policy = pm.Policy("x", rule)
    run = pm.play(pm.from_tape(tape), policy, T, 1)
    pay = lambda i, s: tape[i, s]  # noqa: E731
    rng = np.random.default_rng(1)
    assert run.arms.tolist() == oracles.any_policy(policy, k, T, pay, rng)[0]


@pytest.mark.parametrize("k", [1, 2])
def test_an_index_may_become_infinite_with_time(k):
    rule = pm.index(lambda mu_hat, log_t: math.inf if log_t > 3.5 else mu_hat)
    policy, tape = pm.Policy("x", rule), np.eye(2)[-k:].repeat(30, axis=1)
    run, rng = pm.play(pm.from_tape(tape), policy, 60, 1), np.random.default_rng(1)
    pay = lambda i, s: tape[i, s]  # noqa: E731
    assert run.arms.tolist() == oracles.any_policy(policy, k, 60, pay, rng)[0]


def test_indices_are_their_formulas():
    log_T, log_t = math.log(10_000), math.log(500)
    assert pm.auer_index(0.5, 25, log_t) == 0.5 + math.sqrt(2 * log_t / 25)
    assert pm.moss_index(0.5, 25, log_T, 4) == 0.5 + math.sqrt(math.log(100) / 25)
    assert pm.moss_index(0.5, 2_500, log_T, 4) == 0.5
    assert pm.ncb_index(-0.1, 25, log_T, 4) == -0.1
    assert pm.thompson_index(0.3) == pm.greedy_index(0.3) == 0.3
    assert rich_enough(0.5, 100, log_T, 5)
    assert not rich_enough(0.5, 100, log_T, 6)


def divergence(m, q):
    terms = ((m, q), (1 - m, 1 - q))
    return sum(a * math.log(a / b) for a, b in terms if a > 0)


@given(st.floats(0, 1), st.integers(1, 10**6), st.floats(0.01, 40), st.floats(0.01, 4))
def test_kl_ucb_is_the_largest_mean_that_is_not_refuted(mu_hat, pulls, log_T, width):
    q, target = pm.kl_ucb_index(mu_hat, pulls, log_T, width), 2 * width**2 * log_T
    assert mu_hat <= q <= 1
    assert q <= mu_hat + width * math.sqrt(log_T / pulls) + 1e-12  # Pinsker
    below = mu_hat + (q - mu_hat) * (1 - 1e-6)
    assert pulls * divergence(mu_hat, below) <= target * (1 + 1e-9) + 1e-9
    if (above := q + 1e-6 * (1 - q)) < 1 and q > mu_hat + 1e-9 and q < 1 - 1e-9:
        assert pulls * divergence(mu_hat, above) >= target * (1 - 1e-6) - 1e-9


@given(st.floats(0, 1), st.integers(1, 10**6), st.floats(1, 40), st.floats(0.1, 3))
def test_welfarist_stops_as_its_authors_say(mu_hat, pulls, log_T, sigma):
    policy = pm.welfarist(10**6, -2.5, sigma)
    c, a = 2, -2.5
    b = c * math.sqrt(2 * sigma**2 * log_T / pulls)
    goes_on = mu_hat <= b or pulls * mu_hat < (
        200 * c**2 * a**2 * sigma**2 * log_T / (mu_hat - b)
        + c * math.sqrt(2 * pulls * sigma**2 * log_T)
    )
    edge = mu_hat - b
    near = edge > 0 and math.isclose(
        pulls * edge**2, policy.level * log_T, rel_tol=1e-6
    )
    stops = welfare_enough(mu_hat, pulls, log_T, policy.width, policy.level)
    assert near or stops == (not goes_on)


def test_rivals_have_the_numbers_of_their_authors():
    T, k, sigma = 10**6, 50, 0.02
    assert pm.modified_ncb(T).level == 420 * 3**2
    assert pm.modified_ncb(T).width == pytest.approx(2 * 3 * math.sqrt(2))
    assert pm.modified_ncb(20_000).capped  # 3780 log T rounds are more than T
    hare, n = pm.hare(T, k, sigma), 77
    radius = math.sqrt(2 * sigma**2 * math.log(8 * k * T * T) / n)
    got = pm.ucb_index(0.3, n, math.log(T), hare.width)
    assert got == pytest.approx(0.3 + radius)
    quarter = 0.8 / 4  # stops when all radii are at most a quarter of B = 0.8
    least = hare.level * hare.width**2 * math.log(T) / 0.8**2
    assert math.sqrt(2 * sigma**2 * math.log(8 * k * T * T) / least) == pytest.approx(
        quarter
    )
    assert least == pytest.approx(32 * sigma**2 * math.log(8 * k * T * T) / 0.8**2)


def test_theorem_d_explores_as_much_as_it_says():
    """E_j in all by the end of epoch j, whole epochs while that is not enough."""
    k, mu_star, T_0, b = 3, 0.8, 100, 4 + math.sqrt(1.5)
    policy, done, start = pm.anytime(k, mu_star, T_0=T_0), 0, 0
    for j, stage in enumerate(policy.stages):
        assert stage.end == (2 ** (j + 1) - 1) * T_0 == stage.clock
        assert not stage.forget
        done += stage.explore
        asked = math.ceil(8 * b**2 * k * math.log(stage.end) / mu_star**2)
        assert done == asked or stage.explore == stage.end - start
        assert done <= asked
        start = stage.end
    assert start > 10**15


def test_restarts_explore_as_the_paper_does():
    policy = pm.doubling(5, -1, T_0=10)
    ends = [stage.end for stage in policy.stages[:4]]
    assert ends == [10, 30, 70, 150]
    for stage in policy.stages:
        assert stage.forget
        assert stage.explore == pm.exploration_period(int(stage.clock), 5, -1)


@given(st.integers(2, 60), st.integers(1, 5_000))
def test_thinning_explores_about_sqrt_k_t_rounds(k, T):
    starts = [0, *(stage.end for stage in pm.thinning(T, k).stages)]
    assert starts[-1] == T
    rounds = np.array(starts[:-1]) + 1  # one exploration round at each start
    t = np.arange(1, T + 1)
    made = np.searchsorted(rounds, t, side="right")
    assert np.all(made <= np.sqrt(k * t))
    assert np.all(made >= np.minimum(t, np.sqrt(k * t)) - k)


@pytest.mark.parametrize("explore", EXPLORATIONS)
def test_exploration_is_fair_to_all_arms(explore):
    """A cycle and permutations exactly; HARE's first round only, ex ante."""
    k, T, n_runs = 5, 500, 200
    stop = {} if explore == "anchored" else {"T_tilde": T}
    policy = pm.Policy("x", pm.ucb_index, 100.0, explore=explore, **stop)
    arms = pm.bernoulli(np.linspace(0.1, 0.9, k))
    runs = [pm.play(arms, policy, T, seed) for seed in range(n_runs)]
    assert all(run.explored == T for run in runs)
    counts = np.array([np.bincount(run.arms, minlength=k) for run in runs])
    if explore in ("cycle", "permutations"):
        assert (counts == T // k).all()
    first = np.bincount([run.arms[0] for run in runs], minlength=k)
    if explore == "cycle":
        assert first[0] == n_runs
    else:
        assert np.all(abs(first - n_runs / k) < 5 * math.sqrt(n_runs / k))


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


def test_thompson_believes_in_beta():
    """Two arms, one pull each: the chance of the second is that of two Beta draws."""
    arms, n_runs = pm.from_tape([[1.0, 0, 0], [0.0, 0, 0]]), 8_000
    third = [
        pm.play(arms, pm.thompson(), 3, rng).arms[2]
        for rng in np.random.default_rng(3).spawn(n_runs)
    ]
    chance = 1 / 6  # of Beta(1, 2) above Beta(2, 1)
    sigma = math.sqrt(chance * (1 - chance) / n_runs)
    assert abs(np.mean(third) - chance) < 5 * sigma


FALLING = pm.index(lambda mu_hat, pulls, log_t: mu_hat - log_t)
NO_STOP = pm.index(lambda mu_hat: math.nan * mu_hat)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: pm.play(pm.bernoulli([0.2, 0.3]), pm.Policy("x", FALLING), 50, 1),
         "index of x must be a number that never falls with t"),
        (lambda: pm.play(pm.bernoulli([0.2, 0.3]),
                         pm.Policy("x", pm.ucb_index, stop=NO_STOP), 50, 1),
         "must be a number, got nan"),
        (lambda: pm.index(lambda mu_hat, c: c), "one of mu_hat.* belief, got 'c'"),
        (lambda: pm.Policy("x", pm.ucb_index, explore="x"), "explore must be one of"),
        (lambda: pm.Policy("x", pm.ucb_index, stop=max), "stop must be made by"),
        (lambda: pm.Policy("x", pm.ucb_index, level=-1), "level must be a number"),
        (lambda: pm.gaussian([0.2, 1.5]), r"mu must be finite numbers in \[0, 1\]"),
        (lambda: pm.gaussian([0.2], [1, 2]), "sigma must have the length of mu"),
        (lambda: pm.anytime(3, 0.5, T_0=1), "T_0 must be a whole number in .*, got 1"),
        (lambda: pm.welfarist(100, 2), "p must be a number"),
        (lambda: pm.hare(100, 1), "k must be a whole number of at least 2"),
    ],
)  # fmt: skip
def test_bad_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


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


def test_every_policy_works_in_a_sweep(tmp_path):
    """All names in one table; names tell their random streams apart."""
    arms, T = pm.bernoulli([0.2, 0.5, 0.9]), 300
    given_ = {"T": T, "k": arms.k, "p": -1, "mu_star": arms.mu_star, "width": 1.5}
    policies = [pm.by_name(name, **given_) for name in BY_NAME]
    settings_ = [pm.Setting(arms, policy, T, 4, 1, (0, -1)) for policy in policies]
    rows = pm.sweep(settings_, store=tmp_path, workers=1)
    assert set(rows.policy) == {policy.name for policy in policies}
    assert len(set(rows.policy)) == len(BY_NAME) == len(rows) / 2
    assert rows.regret.between(0, 0.9).all()
    again = pm.sweep(settings_, store=tmp_path, workers=2)  # from what was kept
    assert again.equals(rows)
