/* The explorer "period": turn T, k and p, drag the exploration along the rounds of the game,
 * and see the bounds and their hypotheses. */
import { exponents, horizons as HORIZONS } from "../constants.js";
import * as bounds from "../engine/bounds.js";
import { Chart, fits, picture, widthOf } from "./chart.js";
import { GRIP, drag, grip } from "./drag.js";
import { element, fill, rowHead, set } from "./elements.js";
import { mean } from "./fields.js";
import { big, decades, short, small, whole } from "./numbers.js";
import { Panel, onEach } from "./panel.js";

const [LEAST_P, GREATEST_P] = exponents;
const DECADES = HORIZONS.map((T) => Math.round(Math.log10(T)));
const LEAST = 1e-6, GREATEST = 10; // of the bounds in the chart
const LINE = 62, HEIGHT = 128; // of the line of rounds: its place, and the picture
const HYPOTHESES = [
  ["fits", "The exploration ends before the game: T~ \u2264 T"],
  ["assumption1", "Assumption 1: no mean is small"],
  ["assumption2", "Assumption 2: T~ is long enough"],
  ["remark1", "Remark 1: the floor on the means that T~ gives"],
  ["long", "Theorem U\u2019s hypothesis on the paper\u2019s T~"]
];
const BOUNDS = [ // kind, name in the table, name at the curve
  ["paper", "the paper\u2019s bound", "the paper"],
  ["repaired", "Theorem U, the paper\u2019s T~", "U, paper\u2019s T~"],
  ["unified", "Theorem U, its own T~", "U, own T~"],
  ["yours", "Theorem U, your T~", null]
];

const FIELDS = {
  logt: {
    label: "horizon T", min: DECADES[0], max: DECADES[1], step: 0.1,
    show: (v) => big(horizon(v))
  },
  p: { label: "exponent p", min: LEAST_P, max: GREATEST_P, step: 0.1, show: short },
  k: {
    label: "arms k", min: Math.log10(2), max: 3, step: 0.001, show: whole,
    at: Math.log10, of: (v) => Math.max(2, Math.round(10 ** v))
  },
  star: mean("best mean"),
  least: mean("least mean"),
  explore: { label: "your T~", min: 0, max: 1, step: 0.005 }
};

const GAME = { logt: 8, k: 10, p: -1, star: 0.9, least: 0.1 };
const SHORTEST = Math.log(bounds.leastExploration(1e8, GAME.k, GAME.star)) / Math.log(1e8);
const QUESTIONS = [{
  label: "through zero", at: { ...GAME, logt: 4.3, k: 50 }, next: { p: 0 },
  ask: "As p rises from \u22121 the paper explores for longer. Will that still fit into the "
    + "game at p = 0?",
  tell: `No: the exploration would last ${small(bounds.period(2e4, 50, 0) / 2e4)} times as long `
    + "as the game."
}, {
  label: "hear the worst", at: GAME, next: { p: -10 },
  ask: "What will p = \u221210 do to the slopes of the bounds?",
  tell: "The paper\u2019s bound becomes almost flat; Theorem U keeps its slope."
}, {
  label: "explore yourself", at: { ...GAME, explore: 0.875 },
  next: { explore: Math.ceil(200 * SHORTEST) / 200 },
  ask: "You explore for a tenth of the game. Where should the knob go for the least bound of "
    + "Theorem U?",
  tell: "To the edge of the grey: as short as the hypothesis allows."
}];

/** The horizon that the slider names, in two digits. */
function horizon(logT) { return Number((10 ** logT).toPrecision(2)); }
/** How long the reader explores: T to the power that the slider names. */
function yours(s) { return Math.round(horizon(s.logt) ** s.explore); }

/** The bounds at a horizon. */
function boundsAt(T, s) {
  return {
    paper: bounds.paperBound(T, s.k, s.p, s.star, s.least),
    repaired: bounds.repaired(T, s.k, s.p, s.star),
    unified: bounds.unified(T, s.k, s.p, s.star, bounds.leastExploration(T, s.k, s.star))
  };
}
const factorsAt = (T, s) => bounds.factors(T, s.k, s.p, s.star, s.least);
const inChart = (v) => v <= GREATEST && v >= LEAST;

/** A share of the horizon, in words. */
function share(part) {
  return part > 1 ? small(part) + " times the horizon" : small(100 * part) + " % of the horizon";
}

function axes(width) {
  return new Chart({
    width, height: 300, x: HORIZONS, logX: true, y: [LEAST, GREATEST], logY: true,
    xTicks: decades(5, DECADES[1], 5), yTicks: decades(-6, 1),
    xLabel: "horizon T", yLabel: "bound on the regret", margin: { top: 22 },
    title: "The bounds against the horizon, both axes logarithmic"
  });
}

/** The bounds against the horizon, faint where the paper's is not proved. */
function curves(plot, s) {
  const points = [];
  for (let x = DECADES[0]; x <= DECADES[1] + 0.001; x += 0.2) {
    const T = 10 ** x;
    points.push({ T, values: boundsAt(T, s), assumed: factorsAt(T, s).assumption1 >= 1 });
  }
  const lines = BOUNDS.slice(0, 3).map(([kind, , name]) => ({
    kind, name, points: points.map(({ T, values }) => (
      [T, inChart(values[kind]) ? values[kind] : NaN]))
  }));
  plot.layer.replaceChildren();
  plot.line([[HORIZONS[0], s.star], [HORIZONS[1], s.star]], "best");
  lines.forEach(({ kind, points: drawn }) => {
    if (kind !== "paper") { plot.line(drawn, kind); return; }
    plot.line(drawn, "paper unproved");
    plot.line(drawn.map(([T, v], i) => [T, points[i].assumed ? v : NaN]), "paper");
  });
  const needle = [];
  for (let e = 1; e >= -6; e -= 0.25) needle.push([horizon(s.logt), 10 ** e]);
  plot.names([...lines, { points: needle }, {
    kind: "best", name: "best mean", points: points.map(({ T }) => [T, s.star])
  }]);
}

/** The rounds of the game on a logarithmic line, with both explorations marked on it
 * and the reader's own as a knob. */
function lineOfRounds(width, moved) {
  const svg = picture(width, HEIGHT, "The rounds of the game, logarithmic, and how many "
    + "of them are for exploring");
  const from = 54, to = width - 30, ticks = element("g", { class: "axes" });
  const tooShort = element("rect", { x: from, y: LINE - 9, height: 18, class: "too-short" });
  const note = element("text", { x: from, y: HEIGHT - 6 }, ["grey: too short for Theorem U"]);
  const marks = ["paper", "unified"].map((kind) => ({
    kind, line: element("line", { y2: LINE + 9, class: "mark " + kind }),
    name: element("text", { class: "name " + kind })
  }));
  const knob = element("circle", { cy: LINE, r: 8, class: "knob" });
  const held = grip({ y: LINE - GRIP / 2 });
  svg.append(ticks, tooShort,
    element("line", { x1: from, x2: to, y1: LINE, y2: LINE, class: "game" }),
    ...marks.flatMap(({ line, name }) => [line, name]), note, knob, held);
  svg.classList.add("across");
  let at = 0;
  drag(svg, () => [at, LINE], (_, [x]) => {
    const part = Math.min(1, Math.max(0, (x - from) / (to - from)));
    moved(Math.round(part * 200) / 200);
  });
  return { svg, show(T, explored, mine) {
    const part = (t) => Math.min(1.03, Math.log(Math.max(1, t)) / Math.log(T));
    const place = (t) => from + (to - from) * part(t);
    const every = Math.max(1, Math.ceil(Math.log10(T) / 7));
    const named = [...decades(0, Math.log10(T) - 0.35 * every, every), [T, "T"]];
    ticks.replaceChildren(...named.flatMap(([t, name]) => [
      element("line", { x1: place(t), x2: place(t), y1: LINE - 5, y2: LINE + 5, class: "tick" }),
      element("text", { x: place(t), y: LINE + 26, "text-anchor": "middle" }, [name])
    ]));
    set(tooShort, { width: Math.min(place(explored.unified), to) - from });
    marks.forEach(({ kind, line, name }) => { // the name of the later one stands above
      const x = place(explored[kind]), early = x < width / 2;
      const y = explored[kind] === Math.max(...Object.values(explored)) ? 14 : 34;
      set(line, { x1: x, x2: x, y1: y + 4 });
      set(name, { x: x + (early ? -3 : 3), y, "text-anchor": early ? "start" : "end" });
      name.textContent = (kind === "paper" ? "the paper\u2019s T~" : "Theorem U\u2019s least T~")
        + (explored[kind] > T ? `, beyond T \u2192` : "");
    });
    at = from + (to - from) * mine;
    set(knob, { cx: at });
    set(held, { x: at - GRIP / 2 });
  } };
}

function hypothesis([key, text], factor) {
  const ok = factor >= 1, by = small(ok ? factor : 1 / factor);
  return element("li", { class: ok ? "yes" : "no", "data-hypothesis": key }, [
    element("strong", {}, [ok ? "holds" : "fails"]), element("span", {}, [text]),
    element("span", { class: "factor" }, [
      ok ? `a factor ${by} to spare` : `short by a factor ${by}`])
  ]);
}

function verdict(kind, value, star, assumed) {
  if (!isFinite(value)) return "no";
  if (value >= star) return "no, too large";
  return kind === "paper" && !assumed ? "not proved" : "yes";
}

class Period {
  constructor(box) {
    const explore = { ...FIELDS.explore, show: () => big(yours(this.panel.state)) + " rounds" };
    this.panel = new Panel(box, {
      fields: { ...FIELDS, explore }, update: (s) => this.update(s),
      settle(s, changes) { // the least mean is never above the best
        if (s.least > s.star) s["least" in changes ? "star" : "least"] = changes.least || s.star;
      }
    });
    this.left = element("div");
    this.holds = element("ul", { class: "holds" });
    this.reading = element("table", { class: "reading" });
    this.shares = ["paper", "unified"].map((kind) => element("strong", { "data-share": kind }));
    this.begin();
  }

  begin() {
    const { panel, shares: [paper, unified] } = this;
    const others = panel.controls("controls three", "k", "star", "least");
    const turn = panel.controls("turn two", "p", "logt");
    this.explore = panel.controls("controls rows", "explore");
    const right = element("div", {}, [element("p", { class: "shares" }, [
      element("span", {}, ["the paper\u2019s T~"]), paper,
      element("span", {}, ["Theorem U\u2019s T~"]), unified
    ]), this.holds]);
    panel.begin(...panel.questions(QUESTIONS), others, turn,
      element("div", { class: "charts" }, [this.left, right]),
      element("div", { class: "reading-box" }, [this.reading]));
    panel.ready(true);
  }

  build() {
    const { panel, left } = this, width = widthOf(left);
    this.plot = axes(width);
    this.needle = this.plot.needle((T) => panel.set({ logt: Math.round(Math.log10(T) * 10) / 10 }));
    this.rounds = lineOfRounds(width, (part) => panel.set({ explore: part }));
    left.replaceChildren(this.plot.svg, this.rounds.svg, this.explore);
  }

  update(s) {
    const T = horizon(s.logt), factors = factorsAt(T, s), mine = yours(s);
    const lengths = {
      paper: bounds.period(T, s.k, s.p), unified: bounds.leastExploration(T, s.k, s.star)
    };
    const now = { ...boundsAt(T, s), yours: bounds.unified(T, s.k, s.p, s.star, mine) };
    if (!fits(this.plot, this.left)) this.build();
    curves(this.plot, s);
    this.needle(T, ...BOUNDS.filter(([kind]) => inChart(now[kind]))
      .map(([kind]) => this.plot.dot(T, now[kind], kind)));
    this.rounds.show(T, lengths, s.explore);
    this.holds.replaceChildren(...HYPOTHESES.map((h) => hypothesis(h, factors[h[0]])));
    this.shares.forEach((node) => { node.textContent = share(lengths[node.dataset.share] / T); });
    this.read(now, s.star, factors.assumption1 >= 1);
    const failing = HYPOTHESES.filter(([key]) => factors[key] < 1).length;
    return `At T = ${big(T)}, k = ${whole(s.k)}, p = ${short(s.p)}, best mean `
      + `${short(s.star)}, least mean ${short(s.least)} the paper explores for `
      + `${share(lengths.paper / T)}, and Theorem U needs ${share(lengths.unified / T)}. `
      + `${failing} of ${HYPOTHESES.length} hypotheses fail. Your exploration of ${big(mine)} `
      + `rounds ${isFinite(now.yours) ? `has the bound ${small(now.yours)}.` : "has no bound."}`;
  }

  /** The table of the bounds. */
  read(now, star, assumed) {
    fill(this.reading, "The regret is at most", ["theorem", "bound", "says something?"],
      BOUNDS.map(([kind, name]) => element("tr", { "data-bound": kind }, [
        rowHead(kind, name),
        element("td", { class: "bound" }, [
          isFinite(now[kind]) ? small(now[kind]) : "hypothesis fails"]),
        element("td", {}, [verdict(kind, now[kind], star, assumed)])
      ])));
  }
}

onEach("period", (box) => new Period(box));
