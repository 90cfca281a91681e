/* The explorer "dial": turn p and see who counts, and what each algorithm regrets; first, if
 * the page asks for it, on a few people's bars. */
import { exponents, people } from "../constants.js";
import * as data from "../data.js";
import { halfTheSay, pMean, pMeans, shares } from "../engine/welfare.js";
import { fits } from "./chart.js";
import { element, fill, rowHead } from "./elements.js";
import { exponent } from "./fields.js";
import { estimated, number, reason, short, whole } from "./numbers.js";
import { Panel, onEach } from "./panel.js";
import { People, fieldsOf, stateOf } from "./people.js";
import { GRID, charts, curves, mark, middles } from "./rounds.js";

const [LEAST] = exponents;
const CERTAINTIES = ["exact", "measured", "unvaried", "doubtful"]; // of an estimate, the best first
const QUESTIONS = [{
  label: "who pays?", at: { instance: "bernoulli", tuning: "-2", p: 1 }, next: { p: -6 },
  ask: "On average UCB1 and EUCB regret about the same. Which of them suffers when p falls "
    + "to \u22126?",
  tell: "UCB1: an early round, served badly in every run, takes nearly all of its weight."
}, {
  label: "explore longer?", at: { instance: "uniform", tuning: "-2", p: 1 },
  next: { tuning: "1" },
  ask: "Tuned for p = 1, the paper\u2019s rule lets EUCB explore much longer. Will it regret "
    + "less at p = 1?",
  tell: "No, more: the rule asks for more rounds than there are, so EUCB chooses at random "
    + "to the end."
}];

/** The question about the people's bars, with which the first page begins. */
function questionOf({ values }) {
  return {
    label: "one badly served", at: { ...stateOf(values), p: 1 }, next: { p: LEAST },
    ask: `At p = 1 the level is the average. Where will it stand at p = ${short(LEAST)}?`,
    tell: `At ${number(pMean(values, LEAST), 3)}, just above the shortest bar, which `
      + "has nearly all of the weight."
  };
}

// ---- the stored results --------------------------------------------------------------------

/** An instance as the charts need it: its blocks of rounds, and series by key. */
function unpack({ edges, series, T, mu_star: muStar }) {
  return {
    T, muStar, weights: edges.slice(1).map((end, b) => end - edges[b]), middle: middles(edges),
    series: Object.fromEntries(series.map((s) => (
      [s.key, { ...s, values: s.values.map((v) => v / data.digits) }])))
  };
}

/** Regret against p, without the small corrections of `measured`. */
function regretLine(series, frame) {
  series.welfare ||= pMeans(series.values, GRID, frame.weights);
  return GRID.map((p, i) => [p, frame.muStar - series.welfare[i]]);
}

/** Regret with the stored standard error, and the certainty of two neighbours.
 *
 * Blocks of rounds and the bias of an average of runs: the stored estimates tell how
 * much they matter at whole p, and it changes little in between. */
function measured(series, frame, p) {
  const grid = data.exponents, j = Math.max(1, grid.findIndex((q) => q >= p));
  const plugIn = (q) => frame.muStar - pMean(series.values, q, frame.weights);
  series.shifts ||= grid.map((q, i) => series.regrets[i] - plugIn(q));
  const part = (p - grid[j - 1]) / (grid[j] - grid[j - 1]);
  const between = (v) => v[j - 1] + part * (v[j] - v[j - 1]);
  const rank = Math.max(...[j - 1, j].filter((i) => p === grid[i] || part % 1)
    .map((i) => CERTAINTIES.indexOf(series.certainty[i])));
  return {
    value: plugIn(p) + between(series.shifts), standard_error: between(series.errors),
    unseen: between(series.unseen), certainty: CERTAINTIES[rank], n_runs: data.n_runs,
    runs_needed: between(series.needed)
  };
}

function row(s, kind, half, reading) {
  return element("tr", { "data-algorithm": s.name }, [
    rowHead(kind, s.name),
    element("td", { class: "regret" }, [estimated(reading, 5)]),
    element("td", { class: "half" }, [whole(half)]),
    element("td", {}, [s.capped ? "all of T" : whole(s.T_tilde)])
  ]);
}

// ---- the explorer --------------------------------------------------------------------------

const INSTANCE = {
  label: "instance", options: data.frames.map((f) => (
    [f.family, `${f.title} arms of the paper, T = ${whole(f.T)}`]))
};
const TUNING = {
  label: "EUCB explores for", options: [["follow", "the p nearest to the dial"]]
    .concat(data.tunings.map((t) => [String(t.p), "p = " + short(t.p)]))
};

class Dial {
  constructor(box) {
    const settings = people[box.dataset.people];
    this.panel = new Panel(box, {
      fields: {
        p: exponent(settings ? settings.one : "round"), instance: INSTANCE, tuning: TUNING,
        ...(settings ? fieldsOf(settings) : {})
      },
      update: () => this.update()
    });
    this.state = this.panel.state;
    this.frames = {}; // unpacked, by instance
    this.drawn = ""; // which curves
    this.left = element("div");
    this.right = element("div");
    this.reading = element("table", { class: "reading" });
    this.warning = element("p", { class: "warning" });
    this.begin(settings);
  }

  begin(settings) {
    const { panel } = this, turn = panel.controls("turn", "p");
    const choices = panel.controls("controls", "instance", "tuning");
    this.people = settings ? new People(panel, settings) : null;
    const many = element("p", { class: "part" }, ["Then many people, one after another"]);
    panel.begin(...panel.questions([...(settings ? [questionOf(settings)] : []), ...QUESTIONS]),
      ...(settings ? [turn, this.people.node, many, choices] : [choices, turn]),
      element("div", { class: "charts" }, [this.left, this.right]),
      element("div", { class: "reading-box" }, [this.reading]), this.warning);
    panel.ready(true);
  }

  /** EUCB as it is to be shown: as chosen, or tuned for the p nearest to the dial. */
  tuning() {
    const wanted = this.state.tuning === "follow" ? this.state.p : Number(this.state.tuning);
    return data.tunings.reduce((best, t) => (
      Math.abs(t.p - wanted) < Math.abs(best.p - wanted) ? t : best));
  }

  /** Axes: what depends on the instance and the width alone. */
  build(frame) {
    const top = Math.min(1, Math.ceil(frame.muStar * 11) / 10), yTicks = [];
    for (let v = 0; v <= top + 1e-9; v += 0.2) yTicks.push([v, number(v, 1)]);
    this.parts = charts({
      left: this.left, right: this.right, T: frame.T, top, yTicks, tall: 236, small: 262,
      one: "algorithm", rows: data.algorithms, moved: (p) => this.panel.set({ p })
    });
    this.parts.instance = this.state.instance;
    this.drawn = "";
  }

  /** The curves of both charts. */
  curves(frame, series) {
    const names = curves(this.parts, frame.muStar, 8, series.map((s, i) => ({
      name: s.name, tag: s.name, kind: data.algorithms[i].kind, values: s.values, frame,
      line: regretLine(s, frame)
    })));
    this.parts.time.names(names.time);
    this.parts.regret.names(names.regret);
  }

  /** What p decides: who counts, the needle, the numbers; what they say. */
  mark(frame, series) {
    const { p, instance } = this.state;
    const readings = series.map((s) => measured(s, frame, p));
    const kindOf = (i) => data.algorithms[i].kind, { weights } = frame;
    mark(this.parts, p, readings.map(({ value }, i) => (
      { kind: kindOf(i), value, frame, shares: shares(series[i].values, p, weights) })));
    fill(this.reading,
      `Best mean ${number(frame.muStar, 3)}, T = ${whole(frame.T)}, n_runs = ${whole(data.n_runs)}`,
      ["algorithm", "p-mean regret", "rounds with half the weight", "rounds of exploring"],
      series.map((s, i) => row(s, kindOf(i), halfTheSay(s.values, p, weights), readings[i])));
    this.warning.textContent = series.flatMap(({ name }, i) => (
      reason(readings[i]) ? [`${name}: ${reason(readings[i])}.`] : [])).join(" ");
    return `At p = ${short(p)}: ${readings.map((reading, i) => (
      `${series[i].name} regrets ${estimated(reading, 4)}`)).join(", ")} (`
      + `${INSTANCE.options.find(([key]) => key === instance)[1]}; EUCB explores for p = `
      + `${short(this.tuning().p)}; n_runs = ${whole(data.n_runs)}).`;
  }

  update() {
    const { state: { instance }, frames } = this;
    const keys = data.algorithms.map((a) => (a.tuned ? this.tuning().key : a.name));
    const frame = frames[instance] ||= unpack(data.frames.find((f) => f.family === instance));
    const series = keys.map((key) => frame.series[key]), shown = [instance, ...keys].join();
    if (!fits(this.parts?.time, this.left) || this.parts.instance !== instance) this.build(frame);
    if (shown !== this.drawn) this.curves(frame, series);
    this.drawn = shown;
    return [this.people?.update(this.state), this.mark(frame, series)].filter(Boolean).join(" ");
  }
}

onEach("dial", (box) => new Dial(box));
