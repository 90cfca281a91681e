"""Slow and obvious versions of what pmeanlib computes, written independently."""

import math

import mpmath
import numpy as np

mpmath.mp.dps = 50


def ucb(mu_hat, pulls, log_T, width):
    return mu_hat + width * math.sqrt(log_T / pulls)


def ncb(mu_hat, pulls, log_T, width):
    return mu_hat + width * math.sqrt(max(mu_hat, 0.0) * log_T / pulls)


def exact_p_mean(x, p, weights=None):
    """The p-mean, straight from the definition."""
    return log_p_mean(x, p, weights)[0]


def log_p_mean(x, p, weights=None, scale=1.0):
    """W_p(x), and with y = log(x / scale) its logarithm and two means of |y|.

    In 50-digit arithmetic, beyond what cancels where p is near 0 and what is cut off
    where it is large. The first mean, with the shares x^p of the powers as weights, is
    how much an error of all y, relative to each, can change the logarithm; the second,
    of |exp(p y) - 1| / (|p| mean of exp(p y)), how much an error of all exp(p y) - 1.
    """
    x = [mpmath.mpf(float(v)) for v in x]
    w = [mpmath.mpf(float(v)) for v in ([1] * len(x) if weights is None else weights)]
    if p <= 0 and any(a == 0 < b for a, b in zip(x, w)):
        return mpmath.mpf(0), -mpmath.inf, mpmath.mpf(0), mpmath.mpf(0)
    if math.isinf(p):
        W = (max if p > 0 else min)(a for a, b in zip(x, w) if b)
        L = mpmath.log(W / scale) if W else -mpmath.inf
        return W, L, abs(L), mpmath.mpf(0)
    with mpmath.workdps(80 + (0 if p == 0 else int(abs(math.log10(abs(p)))))):
        pairs = [(mpmath.log(a / scale), b) for a, b in zip(x, w) if a and b]
        total, p = mpmath.fsum(w), mpmath.mpf(p)
        if not pairs:
            return mpmath.mpf(0), -mpmath.inf, mpmath.mpf(0), mpmath.mpf(0)
        top = max(p * y for y, _ in pairs)
        powers = [b * mpmath.exp(p * y - top) for y, b in pairs]
        size = mpmath.fsum(powers)
        absolute = mpmath.fsum(s * abs(y) for s, (y, _) in zip(powers, pairs)) / size
        if p == 0:
            L = mpmath.fsum(b * y for y, b in pairs) / total
            return scale * mpmath.exp(L), L, absolute, absolute
        L = (top + mpmath.log(size / total)) / p
        excess = mpmath.fsum(b * abs(mpmath.expm1(p * y)) for y, b in pairs)
        excess += total - mpmath.fsum(b for _, b in pairs)  # of zeros
        spread = excess / (abs(p) * total * mpmath.exp(p * L))
        return scale * mpmath.exp(L), L, absolute, spread


def first_order(never, random_order, rng):
    """The order in which arms never pulled are tried: Fisher-Yates from the top."""
    never = list(never)
    if random_order:
        for j in range(len(never) - 1, 0, -1):
            other = int(rng.integers(0, j + 1))
            never[j], never[other] = never[other], never[j]
    return never


def _drawn_arms(family, k, rng):
    """How each arm of the published experiment is pulled, and the arms' means."""
    pulls_of, means = [], []
    for _ in range(k):
        if family == "bernoulli":
            a = rng.uniform(0.0005, 1)
            means.append(a)
            pulls_of.append(lambda a=a: float(rng.uniform(0, 1) <= a))
        elif family == "triangular":
            a = rng.uniform(0.005, 0.995)
            means.append((1 + a) / 3)
            pulls_of.append(lambda a=a: rng.triangular(0, a, 1))
        elif family == "beta":
            a, b = rng.uniform(0.005, 0.995), rng.uniform(0.005, 0.995)
            means.append(a / (a + b))
            pulls_of.append(lambda a=a, b=b: rng.beta(a, b))
        else:
            a = rng.uniform(0.005, 0.995)
            b = rng.uniform(a + 0.001, 1)
            means.append((a + b) / 2)
            pulls_of.append(lambda a=a, b=b: rng.uniform(a, b))
    return pulls_of, means


def protocol(family, p, T, n_runs, k, seed):
    """The published experiment, slowly: whole index vectors, lists of rewards.

    Follows the description of the authors' script, not pmeanlib: one NumPy stream,
    arms first, then Explore-Then-UCB, NCB and UCB1; 0/0 marks an arm never pulled.
    Regrets and profiles; powers by NumPy's `pow`, as in the script.
    """
    rng = np.random.default_rng(seed)
    pulls_of, means = _drawn_arms(family, k, rng)

    def runs(explored, first, width_of):
        history = []
        for _ in range(n_runs):
            count, total, rewards = np.zeros(k), np.zeros(k), []
            while len(rewards) < max(T, explored, first):
                if len(rewards) < explored:
                    i = rng.integers(0, k)
                elif len(rewards) < first:
                    i = len(rewards)
                else:
                    with np.errstate(all="ignore"):
                        i = np.argmax(total / count + width_of(total / count, count))
                x = pulls_of[i]()
                count[i] += 1
                total[i] += x
                rewards.append(x)
            history.append(rewards)
        return np.mean(history, axis=0)

    def c(p):
        return k**-p if p < 0 else np.log(k) / k ** (p if p > 0 else 1)

    root = np.sqrt(np.log(T))
    ucb_width = lambda m, n: 6 * root * np.sqrt(1 / n)  # noqa: E731
    ncb_width = lambda m, n: 4 * root * np.sqrt(m / n)  # noqa: E731
    profiles = {
        "EUCB": runs(int(16 * np.sqrt(T * np.log(T) / c(p)) + 1), 0, ucb_width),
        "NCB": runs(int(16 * np.sqrt(T * np.log(T) / c(0)) + 1), 0, ncb_width),
        "UCB1": runs(0, k, ucb_width),
    }
    with np.errstate(divide="ignore"):
        welfare = {
            name: np.pow(np.mean(np.pow(x, p)) if p else np.prod(x), 1 / (p or len(x)))
            for name, x in profiles.items()
        }
    regrets = {name: float(max(means) - value) for name, value in welfare.items()}
    return regrets, profiles


def exact_profile(mu, index, width, T, T_tilde=0, random_order=False):
    """E[mu_{I_t}] of every round for two Bernoulli arms, without any randomness.

    Dynamic programming over what an index policy knows: before round t, `prob[n][s, r]`
    is the probability of n pulls of the first arm with s successes, and t - n of the
    second with r. Ties go to the first arm, arms never pulled come first.
    """
    log_T, expected = math.log(T), np.empty(T)
    prob = {0: np.ones((1, 1))}
    for t in range(T):
        mean, after = 0.0, {}
        for n, mass in prob.items():
            first = _plays_first(
                n, t - n, index, width, log_T, t < T_tilde, random_order
            )
            for arm, chance in ((0, mass * first), (1, mass * (1 - first))):
                mean += mu[arm] * chance.sum()
                pulled = n + (arm == 0)
                new = after.setdefault(pulled, np.zeros((pulled + 1, t - pulled + 2)))
                rows, columns = chance.shape
                fail = new[:rows, :columns]
                fail += (1 - mu[arm]) * chance
                success = new[1:, :columns] if arm == 0 else new[:rows, 1:]
                success += mu[arm] * chance
        expected[t], prob = mean, after
    return expected


def _plays_first(n, m, index, width, log_T, exploring, random_order):
    """The probability of the first arm, for each pair of numbers of successes."""
    if exploring or (n == m == 0 and random_order):
        return np.full((n + 1, m + 1), 0.5)
    if n == 0 or m == 0:
        return np.full((n + 1, m + 1), float(n == 0))
    left = np.array([index(s / n, n, log_T, width) for s in range(n + 1)])
    right = np.array([index(r / m, m, log_T, width) for r in range(m + 1)])
    return (left[:, None] >= right[None, :]).astype(float)


def any_policy(policy, k, T, pay, rng):
    """The arms of one run of any policy, and how many rounds it explored.

    No blocks, no windows, no streaks: all rules are asked again in every round.
    """
    run, explored = _SlowRun(policy, k, pay, rng), 0
    for end, explore, clock, forget in policy.stages or [(T, policy.T_tilde, T, False)]:
        end, log_T, start = min(end, T), math.log(clock), len(run.arms)
        if forget:
            run.pulls[:], run.total[:] = [0] * k, [0.0] * k
        if policy.explore == "anchored":
            run.explore_anchored(end, log_T)
        else:
            run.explore(explore, end, log_T)
        explored += len(run.arms) - start
        run.follow(end, log_T)
    return run.arms, explored


class _SlowRun:
    """One run so far: the arms played, the pulls and the total reward of each arm."""

    def __init__(self, policy, k, pay, rng):
        self.policy, self.k, self.pay, self.rng = policy, k, pay, rng
        self.pulls, self.total, self.arms = [0] * k, [0.0] * k, []

    def pull(self, i):
        self.total[i] += self.pay(i, self.pulls[i])
        self.pulls[i] += 1
        self.arms.append(i)

    def index_of(self, i, log_T):
        rule, n = self.policy.index, self.pulls[i]
        given = {"mu_hat": self.total[i] / n, "pulls": n, "log_T": log_T, "k": self.k}
        given |= {"width": self.policy.width, "level": self.policy.level}
        given["log_t"] = math.log(len(self.arms) + 1)
        if "noise" in rule.names:
            given["noise"] = self.rng.standard_normal()
        if "belief" in rule.names:
            paid = min(max(self.total[i], 0.0), float(n))
            given["belief"] = self.rng.beta(1 + paid, 1 + n - paid)
        return rule.function(*(given[name] for name in rule.names))

    def explore_anchored(self, end, log_T):
        drawn = anchored(self.policy, self.k, self.pulls, self.total, log_T, self.rng)
        for i in drawn:
            if len(self.arms) == end:
                return
            self.pull(i)

    def explore(self, least, end, log_T):
        """At least so many rounds, then until the stopping rule if there is one."""
        policy, order = self.policy, list(range(self.k))
        for at in range(end - len(self.arms)):
            if policy.stop is None and at == least:
                return
            if policy.explore == "permutations" and at % self.k == 0:
                order = first_order(order, True, self.rng)
            uniform = policy.explore == "uniform"
            i = int(self.rng.integers(0, self.k)) if uniform else order[at % self.k]
            self.pull(i)
            if policy.stop is not None and at + 1 >= least:
                n = self.pulls[i]
                if stop_now(policy, self.total[i] / n, n, log_T):
                    return

    def follow(self, end, log_T):
        """Arms never pulled, then always the arm of highest index."""
        never = [i for i in range(self.k) if self.pulls[i] == 0]
        never = first_order(never, self.policy.order == "random", self.rng)
        for i in never[: end - len(self.arms)]:
            self.pull(i)
        while len(self.arms) < end:
            values = [self.index_of(i, log_T) for i in range(self.k)]
            self.pull(values.index(max(values)))


def stop_now(policy, mu_hat, pulls, log_T):
    """The stopping rules of the rivals, as their authors state them."""
    if policy.name in ("Modified NCB", "RR-NCB"):
        return pulls * mu_hat > policy.level * log_T
    if policy.name != "Welfarist-UCB":
        raise ValueError(f"policy must be a rival with a rule, got {policy.name!r}")
    b = policy.width * math.sqrt(log_T / pulls)
    if mu_hat <= b:
        return False
    return pulls * mu_hat >= policy.level * log_T / (mu_hat - b) + pulls * b


def anchored(policy, k, pulls, total, log_T, rng):
    """UCB-HARE's exploration, arm by arm; `pulls` and `total` change in between."""

    def lower(i):
        if not pulls[i]:
            return -math.inf
        return total[i] / pulls[i] - policy.width * math.sqrt(log_T / pulls[i])

    def divisors():
        for whole in range(1, 10**9):
            yield from (d for d in range(1, min(whole, k) + 1) if whole % d == 0)

    order = first_order(range(k), True, rng)
    for d in divisors():
        bounds = [lower(i) for i in range(k)]
        B = max(bounds)
        radii = [policy.width * math.sqrt(log_T / n) if n else math.inf for n in pulls]
        if B > 0 and max(radii) <= B / 4:
            return
        scheduled = rng.integers(0, 2)
        for turn in range(2):
            bounds = [lower(i) for i in range(k)]
            anchors = turn != scheduled and max(bounds) > 0
            yield bounds.index(max(bounds)) if anchors else order[d - 1]
