"""The p-mean, exactly: `python tests/tools/stress_welfare.py [n] [seed]`.

Draws n profiles with an exponent each, compares `p_mean`, and where p <= 1 and there
are no weights the regret too, with `oracles.log_p_mean`, and prints what is wrong.
"""

import math
import sys

import numpy as np
from mpmath import mpf
from oracles import log_p_mean

from pmeanlib.welfare import p_mean, p_mean_regret, regrets

ULP, LEAST = 2.0**-52, 5e-324
FACTOR = 16  # a logarithm, its multiple, exp and sums: some ulps each
EDGES = (1, 2, 63, 64, 65, 127, 129, 4095, 4096, 4097, 8193, 12_289, 50_000, 99_999)


def p_mean_error(x, p, weights=None, got=None, counts=None):
    """How far `p_mean` is off, in units of what rounding excuses.

    The logarithms y of x / scale are rounded, which moves the logarithm L of the p-mean
    by some ulps of the mean of |y|, and the sums, which moves it by some ulps of |L|:
    all powers are at most 1, so nothing cancels. `x` with `counts` says how often each
    occurs, if `got` was computed from a longer array.
    """
    got = p_mean(x, p, weights) if got is None else got
    x, w = np.asarray(x, float), np.asarray(counts if weights is None else weights)
    some = x if w.ndim == 0 else x[w > 0]
    scale = mpf(float(some.max() if p > 0 else some.min())) or mpf(1)
    W, L, mean_y, _ = log_p_mean(x, p, None if w.ndim == 0 else w, scale)
    if W == 0:
        return 0.0 if got == 0 else math.inf
    return float(abs(got - W) / (W * ULP * FACTOR * (1 + mean_y + abs(L)) + LEAST))


def regret_error(x, mu_star, p, got=None, counts=None):
    """How far `p_mean_regret` is off, in units of what rounding excuses.

    No 1 is added: a regret has to keep its digits however small it is. If some x are
    above `mu_star`, terms of both signs cancel in the sum, by some ulps of `spread`.
    """
    got = p_mean_regret(x, mu_star, p) if got is None else got
    W, L, mean_y, spread = log_p_mean(x, p, counts, mpf(mu_star))
    if W == 0:
        return abs(got / mu_star - 1) / ULP
    exact = mpf(mu_star) - W
    cancels = spread if max(x) > mu_star else 0
    allowed = W * (mean_y + abs(L) + cancels) + abs(exact)
    return float(abs(got - exact) / (ULP * FACTOR * allowed + 2 * LEAST))  # two factors


def draw_exponent(rng):
    """Any p: near 0 and far from it, of both signs, and where formulas change."""
    sign = rng.choice([-1.0, 1.0])
    kind = rng.integers(6)
    if kind == 0:
        special = (0, 1, math.inf, 0.5, 2.0**-100, 1e-300, 1.7e308, 2.0**-101)
        return float(sign * rng.choice(special))
    low, high = ((-300, 0), (-300, 308), (-3, 3), (-1, 1), (-35, -25))[kind - 1]
    return float(sign * 10 ** rng.uniform(low, high))


def draw_values(rng, n, mu_star):
    """n values of one of several kinds, of which some are below or equal to mu_star."""
    kind, u = rng.integers(7), rng.uniform(size=n)
    if kind == 0:
        x = 10 ** (-323 + 631 * u)
    elif kind == 1:
        x = LEAST * np.floor(10 ** (6 * u))  # subnormal
    elif kind == 2:
        x = mu_star * 10 ** (-rng.choice([1, 20, 150]) * u)
    elif kind == 3:
        x = mu_star * (1 - 10 ** rng.uniform(-16, 0) * u)
    elif kind == 4:
        x = np.nextafter(mu_star, 0) * np.where(u < 0.5, 1, 1 - 2.0**-50)
    elif kind == 5:
        x = mu_star * np.where(u < 0.5, 0.99, 1.0) * (1 + ULP * np.round(8 * u))
    else:
        x = mu_star * rng.choice([u, 1 + 1e-6 * u, 2 * u])
    if rng.random() < 0.15:
        x[rng.integers(n)] = 0
    if rng.random() < 0.1:
        x[rng.uniform(size=n) < 0.5] = 0
    return np.minimum(x, 1.7e308)


def draw_weights(rng, n):
    """Of any size, also 0, and such as differ by 250 orders of magnitude."""
    kinds = (rng.uniform(size=n), rng.integers(0, 4, n), 10 ** rng.uniform(-250, 0, n))
    w = rng.choice(kinds) * 10 ** rng.choice([0.0, -50, 300])
    return w if w.max() > 0 else np.ones(n)


def draw_profile(rng, distinct):
    """An order and numbers of repetitions of distinct values: blocks and shuffles."""
    n, order = len(distinct), np.argsort(distinct)
    order = (order, order[::-1], rng.permutation(n), np.arange(n))[rng.integers(4)]
    counts = rng.choice(EDGES if rng.random() < 0.1 else EDGES[:6], n)
    x = np.repeat(distinct[order], counts)
    return rng.permutation(x) if rng.random() < 0.3 else x, distinct[order], counts


def one_case(rng):
    """What was drawn, and the errors of the p-mean and of the regret, if it has one."""
    p = draw_exponent(rng)
    any_size = rng.random() < 0.1
    mu_star = float(10 ** rng.uniform(-300, 300) if any_size else rng.random())
    distinct = draw_values(rng, int(rng.integers(1, 9)), mu_star)
    if rng.random() < 0.3:
        w = draw_weights(rng, distinct.size)
        return (distinct, p, w), [p_mean_error(distinct, p, w)]
    x, counts = distinct, np.ones(distinct.size, int)
    if rng.random() < 0.5:
        x, distinct, counts = draw_profile(rng, distinct)
    errors = [p_mean_error(distinct, p, None, p_mean(x, p), counts)]
    if p <= 1:
        several = np.array([draw_exponent(rng), p, draw_exponent(rng)])
        got = p_mean_regret(x, mu_star, p)
        errors.append(regret_error(distinct, mu_star, p, got, counts))
        if regrets(x, mu_star, np.minimum(several, 1))[1] != got:
            errors.append(math.inf)  # the company of other exponents changed it
    return (distinct, p, counts, mu_star), errors


def main(n=100_000, seed=0):
    """Run n cases; the exit code says whether all were right."""
    rng, wrong = np.random.default_rng(seed), 0
    for _ in range(n):
        what, errors = one_case(rng)
        if not all(e <= 1 for e in errors):
            wrong += 1
            print(errors, *(repr(each) for each in what))
    print(f"{n} cases, {wrong} wrong")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
