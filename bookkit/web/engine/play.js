/* One run: the loop over rounds of pmeanlib.kernel, with the same draws in the same order,
 * the same ties and the same sums, bit for bit. */
import { log } from "./exact.js";
import { Generator } from "./pcg.js";
import { makeInstance, makePolicy } from "./policies.js";

const UCB = 0, NCB = 1, OWN = 2; // indices, by numbers in the innermost loop
const RULES = { ucb_index: UCB, ncb_index: NCB, own: OWN };

/** log 0, log 1, ..., as far as asked for: the round's number has few values. */
let logs = new Float64Array(0);
function logsUpTo(n) {
  const known = logs.length;
  if (n >= known) {
    const more = new Float64Array(Math.max(n + 1, 2 * known));
    more.set(logs);
    for (let i = known; i < more.length; i++) more[i] = log(i);
    logs = more;
  }
  return logs;
}

/** What a policy needs on an instance for T rounds, allocated once for all runs. */
export function newGame(instance, policy, T) {
  const { k, mu, lower, upper } = instance, bernoulli = instance.family === "bernoulli";
  return {
    arms: new Int32Array(T), rewards: null, pulls: new Int32Array(k), total: new Float64Array(k),
    value: new Float64Array(k), seen: new Int32Array(k), bound: new Float64Array(k),
    k, T, policy, rule: RULES[policy.index], width: policy.width, logT: log(T),
    formula: policy.formula, given: Float64Array.of(0, 0, log(T), policy.width, 0, k),
    logs: logsUpTo(T + 1), bernoulli, low: bernoulli ? mu : lower,
    range: bernoulli ? mu : upper.map((v, j) => v - lower[j]), rng: new Generator(0)
  };
}

/** The index of an arm that has paid s in n pulls; an error if that is no number. */
function ask(game, s, n, logt) {
  const mean = s / n;
  let v;
  if (game.rule === UCB) v = mean + game.width * Math.sqrt(game.logT / n);
  else if (game.rule === NCB) v = mean + game.width * Math.sqrt(Math.max(mean, 0) * game.logT / n);
  else {
    game.given[0] = mean; // in the order of formula.js
    game.given[1] = n;
    game.given[4] = logt;
    v = game.formula.value(game.given);
  }
  if (Number.isNaN(v)) throw wrong(game, "must be a number, got nan", s, n);
  return v;
}

function wrong(game, domain, s, n) {
  return new Error(`the index of ${game.policy.name} ${domain} at mu_hat = `
    + `${Number((s / n).toPrecision(6))}, pulls = ${n}`);
}

/** What arm i pays. */
function draw(game, i) {
  const u = game.rng.random();
  if (game.bernoulli) return u <= game.low[i] ? 1 : 0;
  return game.low[i] + game.range[i] * u;
}

/** Pull arm i in round t, outside of the search for the highest index. */
function pull(game, t, i, mark) {
  const x = draw(game, i);
  game.pulls[i] += 1;
  game.total[i] += x;
  game.arms[t] = mark;
  if (game.rewards) game.rewards[t] = x;
}

/** Fisher and Yates, from the top. */
function shuffle(rng, order) {
  for (let j = order.length - 1; j > 0; j--) {
    const other = rng.below(j + 1);
    [order[j], order[other]] = [order[other], order[j]];
  }
}

/** Play T rounds into game.arms (and game.rewards); in exploration rounds ~i for i. */
export function playRun(game) {
  const never = [];
  let t = 0;
  game.pulls.fill(0);
  game.total.fill(0);
  while (t < game.policy.T_tilde) {
    const i = game.rng.below(game.k);
    pull(game, t++, i, ~i);
  }
  for (let i = 0; i < game.k; i++) if (game.pulls[i] === 0) never.push(i);
  if (game.policy.order === "random") shuffle(game.rng, never);
  for (const i of never.slice(0, game.T - t)) pull(game, t++, i, i);
  follow(game, t);
}

/** The arm of highest index from round t on.
 *
 * An index may grow with time, so its value at the end of a window of rounds bounds it:
 * only arms whose bounds exceed the best value are looked at, and a window is longer the
 * fewer these were in the last. Only the arm just pulled changes its index otherwise, so
 * it is played on, without a search, until it falls below the runner-up. */
function follow(game, t) {
  const { k, T, value, pulls, total, logs } = game;
  const found = { best: -1, rival: k, second: -Infinity, count: 0 };
  let looked = 0, began = t - (k >> 1), window = t, logEnd = 0;
  while (t < T) {
    if (t === window || looked > k) {
      const length = looked <= (k >> 1) ? 2 * (t - began) : Math.floor((t - began) / 2);
      window = Math.min(t + Math.max(length, 1), T);
      began = t;
      looked = 0;
      logEnd = logs[window];
      for (let i = 0; i < k; i++) value[i] = ask(game, total[i], pulls[i], logEnd);
    }
    search(game, logs[t + 1], found);
    looked += found.count - 1;
    t = playOn(game, t, found.count === 1 ? window : t + 1, found);
    value[found.best] = ask(game, total[found.best], pulls[found.best], logEnd);
  }
}

/** The arm of highest index in a round, the highest bound among the others and whose it
 * is, and how many arms were looked at. */
function search(game, logt, found) {
  const { k, value, pulls, total, seen, bound } = game;
  let highest = -Infinity, count = 0, best = -1, rival = k, second = -Infinity;
  while (count < k) {
    rival = 0;
    for (let i = 1; i < k; i++) if (value[i] > value[rival]) rival = i;
    second = value[rival];
    if (count && (second < highest || (second === highest && rival > best))) break;
    const s = total[rival], n = pulls[rival], v = ask(game, s, n, logt);
    if (v > second) throw wrong(game, "must be a number that never falls with t", s, n);
    if (best < 0 || v > highest || (v === highest && rival < best)) {
      best = rival;
      highest = v;
    }
    seen[count] = rival;
    bound[count] = second;
    value[rival] = -Infinity;
    count += 1;
  }
  for (let j = 0; j < count; j++) value[seen[j]] = bound[j];
  found.best = best;
  found.rival = rival;
  found.second = second;
  found.count = count;
}

/** Play the best arm from round t until it falls below its rival, or until `stop`. */
function playOn(game, t, stop, { best, rival, second }) {
  const { logs, arms, rewards } = game;
  let n = game.pulls[best], s = game.total[best], v = Infinity;
  while (t < stop && (v > second || (v === second && best < rival))) {
    const x = draw(game, best);
    n += 1;
    s += x;
    arms[t] = best;
    if (rewards !== null) rewards[t] = x;
    t += 1;
    v = ask(game, s, n, logs[t + 1]);
  }
  game.pulls[best] = n;
  game.total[best] = s;
  return t;
}

// ---- one run to look at ----------------------------------------------------------------

/** Run number `run` of a simulation, to be stepped through. */
export function trace(setting, run) {
  const T = setting.T, game = newGame(makeInstance(setting), makePolicy(setting), T);
  game.rewards = new Float64Array(T);
  game.rng.seed(setting.seed, run);
  playRun(game);
  return {
    arms: game.arms.map(plain), rewards: game.rewards, explored: game.policy.T_tilde, T,
    at: (round) => stateAt(game, round)
  };
}

/** An arm without the mark of exploration. */
function plain(i) { return i < 0 ? ~i : i; }

/** What the policy knew before round t. */
function stateAt(game, t) {
  const pulls = new Float64Array(game.k), total = new Float64Array(game.k);
  game.arms.subarray(0, t).forEach((arm, r) => {
    pulls[plain(arm)] += 1;
    total[plain(arm)] += game.rewards[r];
  });
  const arm = t < game.T ? game.arms[t] : null;
  return {
    pulls, mu_hat: total.map((s, j) => s / pulls[j]),
    index: total.map((s, j) => (pulls[j] ? ask(game, s, pulls[j], game.logs[t + 1]) : Infinity)),
    phase: arm !== null && arm < 0 ? "explore" : pulls.includes(0) ? "first" : "index",
    arm: arm === null ? null : plain(arm), reward: arm === null ? null : game.rewards[t]
  };
}
