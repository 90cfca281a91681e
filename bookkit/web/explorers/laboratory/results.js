/* What is known of the series: workers simulate them, and the newest results are kept. */
import { regrets } from "../../engine/measured.js";
import { shares } from "../../engine/welfare.js";
import { openWorkers } from "../../engine/workers.js";
import { middles } from "../rounds.js";
import { GREATEST, LEAST } from "./fields.js";

const KEPT = 24; // results that are remembered
const PAUSE = 90; // milliseconds between two drawings of runs as they come in
export const WHOLE = []; // exponents with error bars
for (let p = LEAST; p <= GREATEST; p += 1) WHOLE.push(p);

/** The regret of a result at p: exact if it is known, else from blocks of rounds. */
export function estimate(r, p) {
  if (r.exact.has(p)) return r.exact.get(p);
  if (r.near?.p !== p) [r.near] = regrets(r.profile, [p]);
  return r.near;
}

/** The shares of the weight at p, remembered. */
export function sharesOf(r, p) {
  if (r.sharesAt !== p) Object.assign(r, { shares: shares(r.values, p, r.weights), sharesAt: p });
  return r.shares;
}

/** Results by the keys of series; `later` is told what is to be drawn anew. */
export class Results {
  constructor(later) {
    Object.assign(this, { later, active: [], asked: "", shown: 0, refined: 0 });
    this.known = new Map();
  }

  of(s) { return s && this.known.get(s.key); }

  /** Ask the workers for these series, unless they are at it. */
  simulate(active) {
    const wanted = active.map((s) => s.key).join("\n");
    this.active = active;
    if (wanted === this.asked) return;
    this.asked = wanted;
    this.workers ||= openWorkers((word) => this.heard(word));
    this.job = this.workers.start(active.map((s) => s.setting));
  }

  /** Workers speak more often than a screen can show: then the newest word counts. */
  heard(word) {
    const s = this.active[word.i], before = this.of(s);
    if (word.exact) {
      before.exact.set(word.exact.p, word.exact);
      this.later("mark", "read");
      return;
    }
    if (word.error) this.known.set(s.key, { error: word.error });
    else if (word.done || !before?.done) this.keep(s, word, before); // done ones stay till then
    while (this.known.size > KEPT) this.known.delete(this.known.keys().next().value);
    if (word.done || performance.now() - this.shown > PAUSE) {
      this.shown = performance.now();
      this.later("curves", "mark", "read", "names", "refine");
    }
  }

  keep(s, word, before) {
    this.known.delete(s.key); // the newest last
    this.known.set(s.key, {
      ...word, middle: middles(word.edges), T: s.setting.T, muStar: s.instance.mu_star,
      exact: before?.done ? before.exact : new Map(), estimates: before?.estimates
    });
  }

  /** Error bars for whole p, of one policy at a time. */
  refine(series) {
    const r = series.find(({ result }) => result.estimates?.runs !== result.runs)?.result;
    if (!r) return;
    if (r.done || performance.now() - this.refined > 400) {
      r.estimates = { runs: r.runs, at: regrets(r.profile, WHOLE) };
      this.refined = performance.now();
      this.later("curves");
    }
    if (r.done) this.later("refine");
  }

  /** The library's own numbers at p, from every single round, once all runs are done. */
  wantExact(series, p) {
    clearTimeout(this.wanting);
    const missing = series.filter(({ result: r }) => (
      r.done && r.job === this.job && !r.exact.has(p)));
    this.wanting = setTimeout(() => missing.forEach(({ place }) => {
      this.workers.exact(place, p);
    }), 120);
  }
}
