"""The loop over rounds, compiled: how a policy plays one run.

`play_run` plays the stages of a policy, each by exploration and then by the arm of
highest index. There are three ways to find that arm, as fast as the rule allows:
`_follow_timeless` for a rule that does not ask for the time, `_follow_timed` for one
that does, and `_follow_drawn` for one with random numbers in it.

Functions with a loop that may raise take their records apart before it: numba would
count a reference to each array in every round, which doubles the time of a round.
"""

import math
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numba.extending import overload

from pmeanlib import instances
from pmeanlib.compiled import cached_jit

_UNWRAPPED: Any = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
_part = njit(**_UNWRAPPED)  # for functions that compiled code alone calls


class Exploration(IntEnum):
    """How the rounds of exploration choose their arms; see `policies.Policy`."""

    UNIFORM = 0
    PERMUTATIONS = 1
    CYCLE = 2
    ANCHORED = 3


class Arguments(NamedTuple):
    """What a rule may ask for, in the order of its compiled form; see `rules.index`.

    A new one is given its value in `_ask` and, for messages, in `engine._why`.
    """

    mu_hat: float
    pulls: int
    log_T: float  # noqa: N815
    width: float
    log_t: float
    k: int
    level: float
    noise: float
    belief: float


class Plan(NamedTuple):
    """What a policy says of all its stages."""

    exploration: int  # an Exploration
    random_order: bool  # whether the arms that it has not pulled come in random order
    needs_noise: bool  # whether the index asks for noise
    needs_belief: bool  # whether the index asks for belief
    width: float
    level: float


class Stages(NamedTuple):
    """The stages of a policy, one entry each; see `policies.Stage`."""

    end: np.ndarray  # the last round
    n_explore: np.ndarray  # how many rounds explore
    clock: np.ndarray  # what the index takes for the horizon
    forget: np.ndarray  # whether all data are dropped at the beginning


class Game(NamedTuple):
    """One run: what its arms pay, its rounds so far, and what they say of each arm.

    In exploration rounds `arms` holds ~i, the complement, instead of i; `rewards` may
    be empty, and is then not written.
    """

    params: Any  # of the instance: `instances.Bernoulli` or another family
    arms: np.ndarray
    rewards: np.ndarray
    pulls: np.ndarray
    total: np.ndarray


class Context(NamedTuple):
    """What a rule may ask for that is the same for all arms and rounds of a stage."""

    log_T: float  # noqa: N815
    width: float
    level: float
    k: int


class Blocks(NamedTuple):
    """The arms' indices in blocks of `length`, about sqrt(k), with maxima beside them.

    Block c has the highest value `top[c]`, first at the arm `top_arm[c]`. To change one
    value and to find the first maximum of all takes one look at a block and one at the
    maxima: 2 sqrt(k) numbers instead of k.
    """

    value: np.ndarray  # of each arm; the last block is filled up with -inf
    top: np.ndarray
    top_arm: np.ndarray
    length: int


# -- rewards -----------------------------------------------------------------------

_DRAW = {  # here, with the loop that they are compiled into
    instances.Bernoulli: lambda rng, a, i, s: 1.0 if rng.random() <= a.mu[i] else 0.0,
    instances.Beta: lambda rng, a, i, s: rng.beta(a.alpha[i], a.beta[i]),
    instances.Triangular: lambda rng, a, i, s: rng.triangular(0.0, a.mode[i], 1.0),
    instances.Uniform: lambda rng, a, i, s: rng.uniform(a.lower[i], a.upper[i]),
    instances.Gaussian: lambda rng, a, i, s: rng.normal(a.mean[i], a.sigma[i]),
    instances.Sample: lambda rng, a, i, s: a.outcomes[
        rng.integers(a.start[i], a.stop[i])
    ],
    instances.Tape: lambda rng, a, i, s: a.rewards[i, s],
}


def draw(rng: np.random.Generator, a: Any, i: int, s: int) -> float:
    """What arm i of `a` pays when pulled after s pulls; compiled code has its own."""
    return float(_DRAW[type(a)](rng, a, i, s))


@overload(draw)
def _compiled_draw(rng, a, i, s):
    return _DRAW[a.instance_class]


# -- one run -----------------------------------------------------------------------


@cached_jit(nogil=True)
def tally(arms, mu, lap, total, pulls):
    """Add up what each round expects: the average mean where an arm came by chance.

    That is, in rounds that drew an arm uniformly (lap = 1), and in laps of all arms in
    random order (lap = k) except the last: whether a lap is the last depends on what
    its arms paid and not on their order. With lap = 0 no round is averaged.
    """
    T = arms.size
    until = T if lap == 1 else 0
    average = 0.0
    for mean in mu:  # mu.mean() would take longer to compile, like pulls.min() below
        average += mean
    average /= mu.size
    if lap > 1:
        while until < T and arms[until] < 0:
            until += 1
        until = (until if until == T else max(until - 1, 0)) // lap * lap
    for t in range(T):
        i = arms[t] if arms[t] >= 0 else ~arms[t]
        total[t] += average if arms[t] < 0 and t < until else mu[i]
        pulls[i] += 1


@cached_jit(nogil=True, error_model="numpy")
def play_run(
    rng, params, stop, anchored, timeless, timed, drawn, plan, stages, arms, rewards
):
    """Play T = arms.size rounds into `arms` and `rewards` (see Game).

    The index is given as one of `timeless`, `timed` and `drawn`, by what it asks for,
    and as `anchored` if exploration asks it too; all others, and `stop`, may be None.
    numba compiles nothing that is only for what is None: most policies need a third of
    it all. Where a rule is no number it raises ArithmeticError with the mean and the
    pulls of the arm.
    """
    T, k = arms.size, len(params[0])
    t = np.int64(0)  # the literal 0 has a type of its own: all would be compiled twice
    game = Game(params, arms, rewards, np.zeros(k, np.int64), np.zeros(k))
    for j in range(stages.end.size):
        end, least = min(stages.end[j], T), t + stages.n_explore[j]
        context = Context(math.log(stages.clock[j]), plan.width, plan.level, k)
        if stages.forget[j]:
            game.pulls[:] = 0
            game.total[:] = 0.0
        if anchored is not None:
            t = _explore_anchored(rng, game, anchored, context, t, end)
        else:
            t = _explore(rng, game, stop, context, plan.exploration, t, least, end)
        t = _play_new_arms(rng, game, plan.random_order, t, end)
        if t < end:
            if timeless is not None:
                _follow_timeless(rng, game, timeless, context, t, end)
            if timed is not None:
                _follow_timed(rng, game, timed, context, t, end)
            if drawn is not None:
                _follow_drawn(rng, game, drawn, context, plan, t, end)
        t = end
        if t == T:
            break


@njit(inline="always")
def _ask(rule, context, s, n, log_t=0.0, noise=0.0, belief=0.0):
    """What a rule says of an arm that has paid s in n pulls."""
    arguments = Arguments(
        mu_hat=s / n, pulls=n, log_T=context.log_T, width=context.width, log_t=log_t,
        k=context.k, level=context.level, noise=noise, belief=belief,
    )  # fmt: skip
    v = rule(*arguments)
    if math.isnan(v):
        raise ArithmeticError(s / n, n)
    return v


@njit(inline="always")
def _pull(rng, game, t, i, mark):
    """Pull arm i in round t, and write `mark` for it: i, or ~i if it explores."""
    params, arms, rewards, pulls, total = game
    x = draw(rng, params, i, pulls[i])
    pulls[i] += 1
    total[i] += x
    arms[t] = mark
    _keep(rewards, t, x)


@njit(inline="always")
def _keep(rewards, t, x):
    if rewards.size:
        rewards[t] = x


@_part
def _shuffle(rng, order):
    """Fisher and Yates, from the top."""
    for j in range(order.size - 1, 0, -1):
        other = rng.integers(0, j + 1)
        order[j], order[other] = order[other], order[j]


@njit(inline="always")
def first_max(value, start, length):
    """Place and value of the first maximum of value[start : start + length]."""
    place, highest = start, value[start]
    for j in range(start + 1, start + length):
        if value[j] > highest:
            place, highest = j, value[j]
    return place, highest


# -- exploration -------------------------------------------------------------------


@_part
def _explore(rng, game, stop, context, exploration, t, least, end):
    """Explore up to round `least`, then on until the rule says stop, if there is one.

    The rule is asked about the arm just pulled. The number of rounds played is given.
    """
    _, _, _, pulls, total = game
    start, k, order = t, context.k, np.arange(context.k)
    until = min(least, end) if stop is None else end
    while t < until:
        lap = (t - start) % k
        if exploration == Exploration.PERMUTATIONS and lap == 0:
            _shuffle(rng, order)
        uniform = exploration == Exploration.UNIFORM
        i = rng.integers(0, k) if uniform else order[lap]
        _pull(rng, game, t, i, ~i)
        t += 1
        if stop is not None:
            asked = least <= t and least < until
            if asked and _ask(stop, context, total[i], pulls[i], math.log(t)) > 0:
                break
    return t


@_part
def _explore_anchored(rng, game, index, context, t, end):
    """UCB-HARE's exploration: blocks of a scheduled arm and of the best lower bound."""
    log_T, width, level, k = context
    pulls, total = game.pulls, game.total
    order, lower = np.arange(k), np.full(k, -np.inf)
    whole, divisor = np.int64(1), np.int64(0)
    _shuffle(rng, order)
    while t < end:
        _, B = first_max(lower, 0, k)
        if B > 0 and _fewest(pulls) >= level * width**2 * log_T / B**2:
            break
        whole, divisor = _next_divisor(whole, divisor, k)
        scheduled = rng.integers(0, 2)  # which of the two rounds is
        for turn in range(min(2, end - t)):
            anchor, B = first_max(lower, 0, k)
            i = anchor if turn != scheduled and B > 0 else order[divisor - 1]
            _pull(rng, game, t, i, ~i)
            t += 1
            upper = _ask(index, context, total[i], pulls[i])
            lower[i] = 2 * total[i] / pulls[i] - upper
    return t


@_part
def _fewest(pulls):
    """The least number of pulls of an arm; pulls.min() would take longer to compile."""
    fewest = pulls[0]
    for n in pulls:
        fewest = min(fewest, n)
    return fewest


@_part
def _next_divisor(whole, divisor, k):
    """The next of the divisors, at most k, of 1, of 2, of 3, ..., and of which."""
    divisor += 1
    while divisor > k or whole % divisor:
        divisor += 1
        if divisor > min(whole, k):
            whole, divisor = whole + 1, 1
    return whole, divisor


@_part
def _play_new_arms(rng, game, random_order, t, end):
    """Pull every arm that was never pulled, up to round `end`: the rounds played."""
    never, n = np.zeros(game.pulls.size, np.int64), 0
    for i in range(never.size):
        if game.pulls[i] == 0:
            never[n] = i
            n += 1
    if random_order:
        _shuffle(rng, never[:n])
    for i in never[: min(n, end - t)]:
        _pull(rng, game, t, i, i)
        t += 1
    return t


# -- the arm of highest index ------------------------------------------------------


@_part
def _follow_drawn(rng, game, index, context, plan, t, end):
    """The arm of highest index up to round `end`, every index drawn in every round."""
    _, _, _, pulls, total = game
    while t < end:
        best, highest, log_t, noise, belief = 0, -np.inf, math.log(t + 1), 0.0, 0.0
        for i in range(pulls.size):
            n, s = pulls[i], total[i]
            if plan.needs_noise:
                noise = rng.standard_normal()
            if plan.needs_belief:
                success = min(max(s, 0.0), float(n))
                belief = rng.beta(1 + success, 1 + n - success)
            v = _ask(index, context, s, n, log_t, noise, belief)
            if v > highest:
                best, highest = i, v
        _pull(rng, game, t, best, best)
        t += 1


@_part
def _follow_timeless(rng, game, index, context, t, end):
    """The arm of highest index up to round `end`, for a rule that does not ask for t.

    Only the arm just pulled changes its index, so a round puts one new value into the
    blocks and looks for the first maximum. An arm that has come three times in a row is
    on a streak: it is played on, with no search at all, until its index falls below
    that of the runner-up, which does not change meanwhile.
    """
    params, arms, rewards, pulls, total = game
    blocks = _new_blocks(context.k)
    _fill(blocks, game, index, context, 0.0)
    last, repeats = -1, 0
    while t < end:
        c, i, _ = _first(blocks)
        repeats = repeats + 1 if i == last else 0
        last = i
        until, rival, index_of_rival = t + 1, context.k, -np.inf
        if repeats == 2:
            last = -1
            _put(blocks, c, i, -np.inf)
            until, (_, rival, index_of_rival) = end, _first(blocks)
        n, s, v = pulls[i], total[i], np.inf
        while t < until and _precedes(v, i, index_of_rival, rival):
            x = draw(rng, params, i, n)
            n, s, arms[t] = n + 1, s + x, i
            _keep(rewards, t, x)
            t += 1
            v = _ask(index, context, s, n)
        pulls[i], total[i] = n, s
        _put(blocks, c, i, v)


@_part
def _follow_timed(rng, game, index, context, t, end):
    """The arm of highest index up to round `end`, for a rule that asks for t.

    Such an index grows with time, so its value at the end of a window of rounds is a
    bound for the whole window, and the blocks hold these bounds. A round computes the
    index of the arm with the highest bound. If it exceeds the bounds of all others, the
    arm is played on, up to the end of the window, until its index falls below them.
    Otherwise the others are asked as well, for one round. These computations are
    wasted: after more than k of them the next window begins at once.
    """
    params, arms, rewards, pulls, total = game
    k, blocks = context.k, _new_blocks(context.k)
    began = t - k // 2
    window, log_window = t, 0.0  # its last round, and the logarithm of that
    wasted = 0
    while t < end:
        if t == window or wasted > k:
            window = min(t + _window_length(t - began, wasted, k), end)
            log_window = math.log(window)
            began, wasted = t, 0
            _fill(blocks, game, index, context, log_window)

        c, i, bound = _first(blocks)
        log_t = math.log(t + 1)
        v = _ask_below(bound, index, context, total[i], pulls[i], log_t)
        _put(blocks, c, i, -np.inf)
        _, rival, bound_of_rival = _first(blocks)
        best, until = i, window
        if _precedes(bound_of_rival, rival, v, i):
            best, asked = _ask_others(blocks, game, index, context, log_t, i, v)
            until, bound_of_rival = t + 1, -np.inf  # one round, whatever happens
            wasted += asked
            if best != i:
                _put(blocks, c, i, bound)

        n, s, v = pulls[best], total[best], np.inf
        while t < until and _precedes(v, best, bound_of_rival, rival):
            x = draw(rng, params, best, n)
            n, s, arms[t] = n + 1, s + x, best
            _keep(rewards, t, x)
            t += 1
            if t < until:
                v = _ask(index, context, s, n, math.log(t + 1))
        pulls[best], total[best] = n, s
        bound = _ask(index, context, s, n, log_window)
        _put(blocks, best // blocks.length, best, bound)


@njit(inline="always")
def _ask_others(blocks, game, index, context, log_t, best, highest):
    """The arm of highest index at `log_t`, and how many were asked to find it.

    `best` is the first arm of highest bound, and `highest` its index. No arm is asked
    whose bound is lower, and none that has paid as much in as many pulls as the best
    before it: its index is the same, and ties go to the lower arm. Without this, arms
    that pay 0 or 1 would all be asked while they are many and their pulls few.
    """
    value, top, _, length = blocks
    _, _, _, pulls, total = game
    n_best, s_best, asked = pulls[best], total[best], 0
    for c in range(top.size):
        if top[c] < highest:
            continue
        for i in range(c * length, min((c + 1) * length, pulls.size)):
            if value[i] < highest:
                continue
            n, s = pulls[i], total[i]
            if s == s_best and n == n_best:
                continue
            v = _ask_below(value[i], index, context, s, n, log_t)
            asked += 1
            if _precedes(v, i, highest, best):
                best, highest, n_best, s_best = i, v, n, s
    return best, asked


@njit(inline="always")
def _ask_below(bound, index, context, s, n, log_t):
    """What the index says at `log_t`, if it is at most its value at a later time."""
    v = _ask(index, context, s, n, log_t)
    if v > bound:
        raise ArithmeticError(s / n, n)
    return v


@njit(inline="always")
def _window_length(last, wasted, k):
    """Twice the last length if at most k/2 computations were wasted, or else half."""
    return max(2 * last if wasted <= k // 2 else last // 2, 1)


@njit(inline="always")
def _precedes(v, i, second, rival):
    """Whether arm i of index v is played before the rival: ties go to the lower one."""
    return v > second or (v == second and i < rival)


# -- blocks ------------------------------------------------------------------------


@_part
def _new_blocks(k):
    length = math.ceil(math.sqrt(k))
    n_blocks = (k + length - 1) // length
    value, top = np.full(n_blocks * length, -np.inf), np.zeros(n_blocks)
    return Blocks(value, top, np.zeros(n_blocks, np.int64), length)


@_part
def _fill(blocks, game, index, context, log_t):
    """The indices of all arms at `log_t`."""
    value, top, top_arm, length = blocks
    _, _, _, pulls, total = game
    for i in range(pulls.size):
        value[i] = _ask(index, context, total[i], pulls[i], log_t)
    for c in range(top.size):
        top_arm[c], top[c] = first_max(value, c * length, length)


@njit(inline="always")
def _put(blocks, c, i, v):
    """Give arm i of block c the value v."""
    value, top, top_arm, length = blocks
    value[i] = v
    top_arm[c], top[c] = first_max(value, c * length, length)


@_part
def _first(blocks):
    """The first arm of highest value: its block, the arm, and its value."""
    c, highest = first_max(blocks.top, 0, blocks.top.size)
    return c, blocks.top_arm[c], highest
