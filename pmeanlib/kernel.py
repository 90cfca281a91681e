"""The loop over rounds, compiled: how a policy plays one run.

Here an arm that has paid s in n pulls is (s, n), and `about` is what a rule may ask for
besides: log T, width, level and k.
"""

import math
from typing import Any

import numpy as np
from numba import njit
from numba.extending import overload

from pmeanlib import instances
from pmeanlib.compiled import kept

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


@kept(njit, nogil=True)
def tally(arms, mu, lap, total, pulls):
    """Add up what each round expects: the average mean where an arm came by chance.

    That is, in rounds that drew an arm uniformly (lap = 1), and in laps of all arms in
    random order (lap = k) except the last: whether a lap is the last depends on what
    its arms paid and not on their order. With lap = 0 no round is averaged.
    """
    T, until, average = arms.size, arms.size if lap == 1 else 0, mu.mean()
    if lap > 1:
        while until < T and arms[until] < 0:
            until += 1
        until = (until if until == T else max(until - 1, 0)) // lap * lap
    for t in range(T):
        i = arms[t] if arms[t] >= 0 else ~arms[t]
        total[t] += average if arms[t] < 0 and t < until else mu[i]
        pulls[i] += 1


@kept(njit, nogil=True, error_model="numpy")
def play_run(rng, params, index, stop, numbers, how, stages, arms, rewards):
    """Play T = arms.size rounds into `arms` (and `rewards`, unless empty).

    In exploration rounds `arms` holds ~i, the complement, instead of i. Where a rule is
    no number it raises ArithmeticError with the mean and the pulls of the arm.
    """
    T, k, t = arms.size, len(params[0]), 0
    (width, level), (explore, stops, random_order, grows, drawn) = numbers, how
    pulls, total = np.zeros(k, np.int64), np.zeros(k)
    game = params, arms, rewards, pulls, total
    for j in range(stages[0].size):
        end, least = min(stages[0][j], T), t + stages[1][j]
        about = math.log(stages[2][j]), width, level, k
        if stages[3][j]:
            pulls[:] = 0
            total[:] = 0.0
        if explore == 3:
            t = _anchored(rng, game, index, about, t, end)
        else:
            until = end if stops else min(least, end)
            t = _explore(rng, game, stop, about, explore, t, least, until)
        never = np.flatnonzero(pulls == 0)
        if random_order:
            _shuffle(rng, never)
        for i in never[: end - t]:
            _pull(rng, game, t, i, i)
            t += 1
        if t < end and (drawn[0] or drawn[1]):
            _follow_draws(rng, game, index, about, drawn, t, end)
        elif t < end:
            _follow(rng, game, index, about, grows, t, end)
        t = end
        if t == T:
            break


@njit
def _explore(rng, game, stop, about, how, t, least, until):
    """Explore up to round `until`, or until the rule says stop; the rounds played."""
    _, _, _, pulls, total = game
    start, k, order = t, pulls.size, np.arange(pulls.size)
    while t < until:
        if how == 1 and (t - start) % k == 0:
            _shuffle(rng, order)
        i = rng.integers(0, k) if how == 0 else order[(t - start) % k]
        _pull(rng, game, t, i, ~i)
        t += 1
        asked = least <= t and least < until
        if asked and _ask(stop, about, total[i], pulls[i], math.log(t), 0.0, 0.0) > 0:
            break
    return t


@njit
def _anchored(rng, game, index, about, t, end):
    """UCB-HARE's exploration: blocks of a scheduled arm and of the best lower bound."""
    (log_T, width, level, k), (_, _, _, pulls, total) = about, game
    order, lower, whole, divisor = np.arange(k), np.full(k, -np.inf), 1, 0
    _shuffle(rng, order)
    while t < end:
        _, B = first_max(lower, 0, k)
        if B > 0 and pulls.min() >= level * width**2 * log_T / B**2:
            break
        divisor += 1  # the next divisor, at most k, of 1, of 2, of 3, ...
        while divisor > k or whole % divisor:
            divisor += 1
            if divisor > min(whole, k):
                whole, divisor = whole + 1, 1
        scheduled = rng.integers(0, 2)  # which of the two rounds is
        for turn in range(min(2, end - t)):
            anchor, B = first_max(lower, 0, k)
            i = anchor if turn != scheduled and B > 0 else order[divisor - 1]
            _pull(rng, game, t, i, ~i)
            t += 1
            upper = _ask(index, about, total[i], pulls[i], 0.0, 0.0, 0.0)
            lower[i] = 2 * total[i] / pulls[i] - upper
    return t


@njit
def _follow_draws(rng, game, index, about, drawn, t, end):
    """The arm of highest index up to round `end`, every index drawn in every round."""
    (noisy, believing), (_, _, _, pulls, total) = drawn, game
    while t < end:
        best, highest, log_t, noise, belief = 0, -np.inf, math.log(t + 1), 0.0, 0.0
        for i in range(pulls.size):
            n, s = pulls[i], total[i]
            if noisy:
                noise = rng.standard_normal()
            if believing:
                success = min(max(s, 0.0), float(n))
                belief = rng.beta(1 + success, 1 + n - success)
            v = _ask(index, about, s, n, log_t, noise, belief)
            if v > highest:
                best, highest = i, v
        _pull(rng, game, t, best, best)
        t += 1


@njit
def _follow(rng, game, index, about, grows, t, end):
    """The arm of highest index up to round `end`.

    Only the arm just pulled changes its index, if the rule does not know the time; so
    the indices are kept in blocks of about sqrt(k) with the first maximum of each block
    beside them: a round looks at one block and at the blocks' maxima, 2 sqrt(k) numbers
    instead of k. An arm that has come three times in a row is played on, with no search
    at all, until it falls below the runner-up.
    The index of a rule that knows the time grows with it, so its value at the end of a
    window of rounds bounds it: only arms whose bounds exceed the best value are looked
    at. A window is longer the fewer these were in the last.
    """
    params, arms, rewards, pulls, total = game
    k, keep = pulls.size, rewards.size > 0
    block = math.ceil(math.sqrt(k))
    n_blocks = (k + block - 1) // block
    value, top = np.full(n_blocks * block, -np.inf), np.empty(n_blocks)
    top_arm, seen = np.empty(n_blocks, np.int64), np.empty(k, np.int64)
    bound, log_end, highest = np.empty(k), 0.0, 0.0
    last, repeats, looked, began, window, log_t = -1, 0, 0, t - k // 2, t, 0.0
    while t < end:
        if t == window or looked > k:
            length = 2 * (t - began) if looked <= k // 2 else (t - began) // 2
            window = min(t + max(length, 1), end) if grows else end
            began, looked, log_end = t, 0, math.log(window)
            for i in range(k):
                value[i] = _ask(index, about, total[i], pulls[i], log_end, 0.0, 0.0)
            for c in range(n_blocks):
                top_arm[c], top[c] = first_max(value, c * block, block)

        stop, second, rival = t + 1, -np.inf, k
        c, _ = first_max(top, 0, n_blocks)
        i = top_arm[c]
        if grows:
            highest, n_seen, log_t = -np.inf, 0, math.log(t + 1)
            while n_seen < k:
                c, second = first_max(top, 0, n_blocks)
                rival = top_arm[c]
                if n_seen and (second < highest or (second == highest and rival > i)):
                    break
                s, n = total[rival], pulls[rival]
                v = _ask(index, about, s, n, log_t, 0.0, 0.0)
                if v > second:
                    raise ArithmeticError(s / n, n)
                if v > highest or (v == highest and rival < i):
                    i, highest = rival, v
                seen[n_seen], bound[n_seen] = rival, second
                value[rival] = -np.inf
                top_arm[c], top[c] = first_max(value, c * block, block)
                n_seen += 1
            for j in range(n_seen):
                c, value[seen[j]] = seen[j] // block, bound[j]
                if bound[j] > top[c] or (bound[j] == top[c] and seen[j] < top_arm[c]):
                    top_arm[c], top[c] = seen[j], bound[j]
            looked += n_seen - 1
            stop, c = window if n_seen == 1 else t + 1, i // block
        else:
            repeats = repeats + 1 if i == last else 0
            last = i
            if repeats == 2:
                last, stop, value[i], top[c] = -1, end, -np.inf, -np.inf
                rival, second = first_max(value, c * block, block)
                other, highest = first_max(top, 0, n_blocks)
                if highest > second or (highest == second and top_arm[other] < rival):
                    rival, second = top_arm[other], highest
        n, s, v = pulls[i], total[i], np.inf
        while t < stop and (v > second or (v == second and i < rival)):
            x = draw(rng, params, i, n)
            n, s, arms[t] = n + 1, s + x, i
            if keep:
                rewards[t] = x
            t += 1
            if grows:
                log_t = math.log(t + 1)
            v = _ask(index, about, s, n, log_t, 0.0, 0.0)
        if grows:
            v = _ask(index, about, s, n, log_end, 0.0, 0.0)
        pulls[i], total[i], value[i] = n, s, v
        top_arm[c], top[c] = first_max(value, c * block, block)


@njit(inline="always")
def _ask(rule, about, s, n, log_t, noise, belief):
    log_T, width, level, k = about
    v = rule(s / n, n, log_T, width, log_t, k, level, noise, belief)
    if math.isnan(v):
        raise ArithmeticError(s / n, n)
    return v


@njit(inline="always")
def _pull(rng, game, t, i, mark):
    """Pull arm i in round t, outside of the search for the highest index."""
    params, arms, rewards, pulls, total = game
    x = draw(rng, params, i, pulls[i])
    pulls[i] += 1
    total[i] += x
    arms[t] = mark
    if rewards.size:
        rewards[t] = x


@njit
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
