/* The explorer "laboratory": any bandit, up to four policies, an index of the reader's own;
 * simulated in workers with the library's own numbers. */
import { snippet } from "../engine/snippet.js";
import { element, watchPointing } from "./elements.js";
import { whole } from "./numbers.js";
import { Panel, onEach } from "./panel.js";
import { Bandit } from "./laboratory/bandit.js";
import { Card } from "./laboratory/cards.js";
import { Curves } from "./laboratory/curves.js";
import { FIELDS, SLOTS, meansOf, settle } from "./laboratory/fields.js";
import { Readings } from "./laboratory/readings.js";
import { Results } from "./laboratory/results.js";
import { OneRun } from "./laboratory/run.js";
import { seriesOf } from "./laboratory/series.js";
import { STORIES } from "./laboratory/stories.js";

const FRAME = 8; // milliseconds of drawing at a time
const part = (words, more = "") => element("p", { class: "part" + more }, [words]);

class Laboratory {
  constructor(box) {
    const later = (...names) => this.later(...names);
    this.panel = new Panel(box, { fields: FIELDS, update: () => this.update(), settle });
    Object.assign(this, { box, active: [], sentence: "", dirty: new Set(), coming: false });
    this.state = this.panel.state;
    this.results = new Results(later);
    this.bandit = new Bandit(this.panel);
    this.cards = SLOTS.map((n) => new Card(this.panel, n));
    this.turn = this.panel.controls("turn", "p");
    this.curves = new Curves(this.panel, later);
    this.readings = new Readings();
    this.oneRun = new OneRun(this.panel);
    this.program = element("pre");
    this.progress = element("progress", { max: 1, "aria-label": "runs done" });
    this.done = element("output");
    this.begin();
  }

  begin() {
    const { panel, bandit, turn, curves, readings, oneRun } = this;
    const policies = element("div", { class: "controls cards" }, this.cards.map((c) => c.node));
    const bar = element("div", { class: "controls going" }, [this.progress, this.done]);
    const lines = { tabindex: "0", role: "region", "aria-label": "Python program" };
    const code = element("details", { class: "program" }, [
      element("summary", {}, ["The same numbers in Python"]), element("div", lines, [this.program])
    ]);
    watchPointing(this.box, (target) => {
      if (!target?.closest("svg.across")) this.light(target);
    });
    panel.begin(...panel.questions(STORIES), part("The bandit"), bandit.controls, bandit.charts,
      part("The policies", " by-hand"), policies, part("Who pays?"), turn, bar, curves.node,
      element("div", { class: "reading-box" }, [readings.table]), readings.warning,
      part("One run, round by round"), oneRun.stepping, oneRun.charts, oneRun.why, code);
  }

  /** A policy that is pointed at stands out everywhere. */
  light(target) {
    const lit = SLOTS.find((n) => target?.closest(".s" + n) && !target.closest(".stepping"));
    SLOTS.forEach((n) => this.box.classList.toggle("lit-s" + n, n === lit));
  }

  // ---- drawing ---------------------------------------------------------------------------

  /** What does not take long, at once; the rest when the screen is ready for it. */
  update() {
    const { state, results } = this;
    this.bandit.show(state);
    this.active = seriesOf(state);
    results.simulate(this.active);
    this.cards.forEach((card) => {
      const s = this.active.find(({ slot }) => slot === card.n);
      card.describe(state, s, results.of(s)?.error);
    });
    this.program.textContent = this.active.length ? this.programText() : "";
    this.panel.ready(false);
    this.later("curves", "mark", "read", "names", "refine", "run");
    return this.sentence;
  }

  /** The same in Python. */
  programText() {
    return `${snippet(this.active.map((s) => s.setting))}for name, profile in profiles.items():\n`
      + `    print(name, pm.measured_regret(profile, p=${this.state.p}))\n`;
  }

  /** Draw these parts when the screen is ready for it. */
  later(...names) {
    names.forEach((name) => this.dirty.add(name));
    if (!this.coming) requestAnimationFrame(() => this.frame());
    this.coming = true;
  }

  /** Do as much as fits into a frame, in turns: what becomes due again waits for the rest. */
  frame() {
    const until = performance.now() + FRAME, seen = this.look(), { dirty } = this;
    this.coming = false;
    if (dirty.delete("curves")) this.draw("curves", seen); // the others draw on its axes
    for (const name of seen.waiting ? [] : dirty) {
      dirty.delete(name);
      this.draw(name, seen);
      if (performance.now() > until) break;
    }
    this.report(seen);
    if (!seen.waiting && dirty.size) this.later();
  }

  draw(name, seen) {
    const { state, active, curves, results } = this, { series, mu, muStar } = seen;
    if (name === "curves") {
      curves.build(active, muStar);
      if (seen.waiting) return; // what was drawn last stands a little longer
      curves.draw(seen);
      this.bandit.pulls.show(mu.length, series);
    } else if (name === "mark") curves.mark(active, series);
    else if (name === "names") curves.names();
    else if (name === "refine") results.refine(series);
    else if (name === "run") this.oneRun.show(active, mu);
    else { // read
      this.sentence = this.readings.show(state, seen);
      this.panel.tell(this.sentence);
    }
  }

  /** How far the runs are; ready once everything is drawn and measured from all of them. */
  report({ series, final, waiting }) {
    const { active, state, results } = this, all = series.length === active.length;
    const runs = all && active.length ? Math.min(...series.map((s) => s.result.runs)) : 0;
    this.progress.value = runs / state.runs;
    this.done.textContent = `${whole(runs)} of ${whole(state.runs)} runs`;
    if (waiting || this.dirty.size) return;
    results.wantExact(series, state.p);
    this.panel.ready(final && active.every((s) => s.result)
      && series.every((s) => s.result.exact.has(state.p)));
  }

  /** What is known now of the policies that are shown. */
  look() {
    const mu = meansOf(this.state), series = this.active.filter((s, place) => {
      const result = this.results.of(s);
      Object.assign(s, { place, result });
      if (result?.error) this.cards[s.slot - 1].complain(result.error);
      return result && !result.error;
    });
    return {
      mu, series, muStar: Math.max(...mu), final: series.every((s) => s.result.done),
      waiting: !series.length && this.active.some((s) => !s.result) // nothing is known yet
    };
  }
}

onEach("laboratory", (box) => new Laboratory(box));
