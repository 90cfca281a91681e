/* One run, round by round: which arm each round plays, what the policy knew of each arm
 * before it, and why it chose as it did. */
import { trace } from "../../engine/play.js";
import { Chart, fits, widthOf } from "../chart.js";
import { button } from "../controls.js";
import { element } from "../elements.js";
import { decades, number, short3, whole } from "../numbers.js";
import { armAxis, roof, shade, ticks } from "./axes.js";

const LEVELS = 4; // shades of a row of rounds
const heightOf = (k) => Math.max(224, 74 + 15 * k);

// ---- which arm each round plays --------------------------------------------------------------

/** A bin for each round at first, then one for every few pixels: where they end. */
function binsOf({ x }, T) {
  const ends = [1];
  while (ends.at(-1) < T + 1) {
    const wide = x.back(x(ends.at(-1)) + 3);
    ends.push(Math.min(T + 1, Math.max(ends.at(-1) + 1, Math.floor(wide))));
  }
  return ends;
}

/** For each arm a path of each shade: the more of a bin's rounds it has, the darker. */
function rowsOf(plot, { T, arms }, k) {
  const ends = binsOf(plot, T), high = Math.abs(plot.y(1) - plot.y(2)) * 0.8;
  const paths = Array.from({ length: k }, () => Array(LEVELS).fill(""));
  ends.slice(1).forEach((end, b) => {
    const counts = new Float64Array(k), n = end - ends[b];
    for (let t = ends[b]; t < end; t++) counts[arms[t - 1]] += 1 / n;
    const x = plot.x(ends[b]), wide = plot.x(end) - x;
    counts.forEach((share, i) => {
      if (!share) return;
      paths[i][Math.min(LEVELS - 1, Math.floor(share * LEVELS))]
        += `M${x.toFixed(1)} ${(plot.y(i + 1) - high / 2).toFixed(1)}h${wide.toFixed(1)}`
          + `v${high.toFixed(1)}h${(-wide).toFixed(1)}z`;
    });
  });
  return paths;
}

/** A row for each arm, time from left to right: dark where the arm is played. */
class Roll {
  constructor(moved) { Object.assign(this, { moved, node: element("div"), plot: null }); }

  show(run, mu) {
    const { T, explored } = run, k = mu.length, width = widthOf(this.node);
    this.plot = new Chart({
      width, height: heightOf(k), x: [1, T + 1], logX: true, y: [k + 0.5, 0.5],
      xTicks: decades(0, Math.floor(Math.log10(T))),
      yTicks: mu.map((_, i) => [i + 1, k > 12 && i % 2 ? "" : String(i + 1)]),
      xLabel: "round t", yLabel: "arm", margin: { top: 22 },
      title: "One run: which arm each round plays"
    });
    const { plot } = this, { left, top } = plot.margin;
    rowsOf(plot, run, k).forEach((shades, i) => shades.forEach((d, level) => {
      if (!d) return;
      const dark = String((level + 1) / LEVELS), style = shade(mu, i);
      plot.layer.append(element("path", { d, class: "played", style, "fill-opacity": dark }));
    }));
    if (explored > 0 && explored < T) {
      plot.note(explored + 1, `exploring ends after ${whole(explored)}`,
        { y: top - 8, gap: 5, middle: (left + width) / 2 });
    }
    this.needle = plot.needle((t) => this.moved(Math.min(T, Math.max(1, Math.floor(t)))));
    this.node.replaceChildren(plot.svg);
  }

  point(t) { this.needle(Math.sqrt(t * (t + 1))); }
}

// ---- what a policy knew of each arm ----------------------------------------------------------

/** The mean of an arm so far, and above it a tube to its index; at `roofline` if that is
 * infinite. */
function tube(plot, known, mu, i, roofline) {
  const half = Math.min(14, (plot.x(1) - plot.x(0)) * 0.36), unseen = !known.pulls[i];
  const x = plot.x(i + 1), mean = plot.y(unseen ? 0 : known.mu_hat[i]), truth = plot.y(mu[i]);
  const high = plot.y(isFinite(known.index[i]) ? known.index[i] : roofline);
  return element("g", { class: i === known.arm ? "tube chosen" : "tube" }, [
    element("rect", {
      x: x - half, width: 2 * half, y: Math.min(high, mean),
      height: Math.max(1, Math.abs(mean - high)), rx: 4, style: shade(mu, i)
    }),
    element("line", { x1: x - half, x2: x + half, y1: truth, y2: truth, class: "true-mean" }),
    unseen ? element("text", { x, y: plot.margin.top - 4, "text-anchor": "middle" }, ["\u221e"])
      : element("circle", { cx: x, cy: mean, r: 3.5 })
  ]);
}

/** The tubes of all arms. */
function showTubes(node, known, mu) {
  const k = mu.length, finite = [...known.index].filter(isFinite);
  const top = roof(Math.max(1, ...finite));
  const low = Math.min(0, ...finite.map((v) => (v < 0 ? -roof(-v) : 0)));
  const plot = new Chart({
    ...armAxis(k, widthOf(node)), height: heightOf(k), y: [low, top * 1.06],
    yTicks: ticks(top, low), yLabel: "mean so far, index", margin: { top: 22 },
    title: "What the policy knows before this round: the mean so far of each arm and "
      + "above it, as a tube, its index"
  });
  plot.layer.append(...mu.map((_, i) => tube(plot, known, mu, i, top * 1.06)));
  node.replaceChildren(plot.svg);
}

/** Why this arm was chosen in round t, in a sentence. */
function reason(s, { arm: i, phase, pulls, mu_hat: mean, index, reward }, t, run) {
  const arm = `arm ${i + 1}`, paid = `It pays ${short3(reward)}.`;
  const head = `Round ${whole(t)} of run ${whole(run)}, ${s.name}: ${arm}`;
  if (phase === "explore") {
    return `${head}, by chance: the policy explores, and no index is asked. ${paid}`;
  }
  if (phase === "first") {
    return `${head}, because it was never pulled: its index is infinite. ${paid}`;
  }
  const second = Math.max(...index.filter((_, j) => j !== i));
  const seen = pulls[i] ? `Arm ${i + 1} has paid ${number(mean[i], 3)} on average in `
    + `${whole(pulls[i])} ${pulls[i] === 1 ? "pull" : "pulls"}` : `Arm ${i + 1} was never pulled`;
  return `${head}. ${seen}; its index ${number(index[i], 3)} is the greatest, the next is `
    + `${number(second, 3)}. ${paid}`;
}

// ---- the part of the page --------------------------------------------------------------------

export class OneRun {
  constructor(panel) {
    const { state } = panel, tubes = element("div");
    this.roll = new Roll((round) => panel.set({ round }));
    Object.assign(this, { panel, tubes, run: null, key: "" });
    this.stepping = panel.controls("controls stepping", "shown", "run", "round");
    const go = (t) => panel.set({ round: Math.min(state.horizon, Math.max(1, t)) });
    this.stepping.append(element("div", { class: "control" }, [
      button("\u25c0 round", () => go(state.round - 1)),
      button("round \u25b6", () => go(state.round + 1)),
      button("next other arm", () => { if (this.run) go(this.nextOther(state.round)); })
    ]));
    this.charts = element("div", { class: "charts" }, [this.roll.node, tubes]);
    this.why = element("p", { class: "why" });
  }

  /** The next round after t that plays another arm. */
  nextOther(t) {
    const { arms } = this.run, from = arms[t - 1];
    while (t < arms.length && arms[t] === from) t++;
    return t + 1;
  }

  show(active, mu) {
    const { state } = this.panel, t = state.round;
    const s = active.find((one) => one.slot === Number(state.shown)) || active[0];
    if (!s) return;
    const key = s.key + state.run;
    if (key !== this.key || !fits(this.roll.plot, this.roll.node)) {
      try {
        this.run = trace(s.setting, state.run - 1);
      } catch (error) {
        this.why.textContent = error.message;
        return;
      }
      this.key = key;
      this.roll.show(this.run, mu);
    }
    const known = this.run.at(t - 1);
    this.roll.point(t);
    showTubes(this.tubes, known, mu);
    this.charts.className = "charts " + s.kind;
    this.why.textContent = reason(s, known, t, state.run);
  }
}
