/* Many runs: pmeanlib.engine, run by run, so that results can be shown while they come in. */
import { blocks as rule, library } from "../constants.js";
import { newGame, playRun } from "./play.js";
import { makeInstance, makePolicy } from "./policies.js";

/** The sum of a few numbers in NumPy's order: eight partial sums from eight on. */
export function sum(x) {
  const n = x.length, r = [];
  let total = 0, i = 0;
  if (n >= 8) {
    for (let j = 0; j < 8; j++) r.push(x[j]);
    for (i = 8; i < n - (n % 8); i += 8) for (let j = 0; j < 8; j++) r[j] += x[i + j];
    total = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
  }
  for (; i < n; i++) total += x[i];
  return total;
}

/** Where blocks of rounds begin, and T: single rounds, then longer ones. No block has
 * rounds on both sides of `cut`, the end of an exploration, if that is given. */
function edges(T, cut) {
  const ends = Array.from({ length: Math.min(rule.fine, T) + 1 }, (_, t) => t);
  while (ends.at(-1) < T) ends.push(Math.min(T, Math.floor(ends.at(-1) * rule.growth)));
  if (cut > 0 && cut < T && !ends.includes(cut)) ends.push(cut);
  return Int32Array.from(ends).sort();
}

/** The average of each block of rounds. */
function averages(x, blocks) {
  const found = new Float64Array(blocks.length - 1);
  for (let b = 0; b < found.length; b++) {
    for (let t = blocks[b]; t < blocks[b + 1]; t++) found[b] += x[t];
    found[b] /= blocks[b + 1] - blocks[b];
  }
  return found;
}

/** How many first rounds have a known expectation; whether it is the average mean. */
function knownRounds({ T_tilde, order }, k, T) {
  if (T_tilde) return { rounds: T_tilde, average: true };
  return { rounds: Math.min(k, T), average: order === "random" };
}

/** Add up what each round expects: the average mean where an arm came by chance. */
function tally(arms, mu, total, pulls) {
  const average = mu.reduce((a, b) => a + b, 0) / mu.length; // as numba adds
  for (let t = 0; t < arms.length; t++) {
    const i = arms[t];
    total[t] += i < 0 ? average : mu[i];
    pulls[i < 0 ? ~i : i] += 1;
  }
}

/** A simulation that is played run by run: `step` plays one, as long as some are `left`.
 *
 * A run belongs to one of up to `library.groups` groups, and the runs of a group are added
 * up in order, so the groups can take turns: after a run of each there is an error bar. */
export class Simulation {
  constructor(setting) {
    const policy = makePolicy(setting), { T, n_runs: n } = setting;
    const instance = makeInstance(setting), { k } = instance, count = Math.min(library.groups, n);
    let first = 0;
    this.groups = Array.from({ length: count }, (_, g) => {
      const group = { first, runs: 0, total: null, pulls: new Float64Array(k) };
      first += Math.floor(n / count) + (g < n % count ? 1 : 0);
      return group;
    });
    this.known = knownRounds(policy, k, T);
    this.blocks = edges(T, this.known.rounds);
    this.game = newGame(instance, policy, T);
    Object.assign(this, { instance, n, seed: setting.seed, runs: 0 });
  }

  get left() { return this.n - this.runs; }

  step() {
    const { game } = this, group = this.groups[this.runs % this.groups.length]; // long ones first
    group.total ||= new Float64Array(game.T);
    game.rng.seed(this.seed, group.first + group.runs);
    playRun(game);
    tally(game.arms, this.instance.mu, group.total, group.pulls);
    group.runs += 1;
    this.runs += 1;
  }

  /** How often each arm is pulled in a run, on average. */
  pulls() {
    const sums = new Float64Array(this.instance.k);
    this.groups.forEach((group) => group.pulls.forEach((v, i) => { sums[i] += v; }));
    return sums.map((v) => v / this.runs);
  }

  /** The profile of the runs so far: of blocks of rounds, or of every round. The groups of
   * the latter are the simulation's own: 32 T doubles are not kept twice. */
  profile(blocks) {
    const { instance, known, runs } = this, mean = sum(instance.mu) / instance.k;
    const played = this.groups.filter((group) => group.runs);
    const parts = played.map((group) => {
      if (known.average) group.total.fill(group.runs * mean, 0, known.rounds);
      return blocks ? averages(group.total, blocks) : group.total;
    });
    const total = new Float64Array(blocks ? blocks.length - 1 : this.game.T);
    parts.forEach((part) => {
      for (let t = 0; t < total.length; t++) total[t] += part[t];
    });
    const until = blocks ? blocks.filter((end) => end && end <= known.rounds).length : known.rounds;
    if (known.average) total.fill(runs * mean, 0, until);
    return {
      mu_star: instance.mu_star, n_runs: runs, known: until, total, groups: parts,
      sizes: played.map((group) => group.runs),
      weights: blocks ? total.map((_, b) => blocks[b + 1] - blocks[b]) : null
    };
  }
}
