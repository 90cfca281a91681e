/* The two charts of the laboratory: expected reward of each round, and regret against p. */
import { pMeans } from "../../engine/welfare.js";
import { widthOf } from "../chart.js";
import { element } from "../elements.js";
import { percent, whole } from "../numbers.js";
import { GRID, charts, curves, mark } from "../rounds.js";
import { roof, ticks } from "./axes.js";
import { GREATEST, LEAST } from "./fields.js";
import { WHOLE, estimate, sharesOf } from "./results.js";

const TAKE = 0.25; // a round with so much of the weight is pointed at

/** Regret against p: of the blocks, with the correction that the error bars bring. */
function regretLine(r) {
  if (r.line && r.lineOf === r.estimates) return r.line;
  const welfare = pMeans(r.values, GRID, r.weights), shift = (e) => e.value - e.plug_in;
  r.line = GRID.map((p, i) => {
    const plug = r.muStar - welfare[i];
    if (!r.estimates) return [p, plug];
    const j = Math.min(WHOLE.length - 2, Math.floor(p - LEAST)), part = p - WHOLE[j];
    const a = shift(r.estimates.at[j]), b = shift(r.estimates.at[j + 1]);
    return [p, Math.max(0, plug + a + part * (b - a))];
  });
  r.lineOf = r.estimates;
  return r.line;
}

/** Two standard errors up and down at whole p; hollow where they are not to be trusted. */
function errorBars(plot, r, kind) {
  r.estimates?.at.forEach(({ p, value, standard_error: error, trusted }) => {
    if (!isFinite(value) || p === LEAST || p === GREATEST) return;
    const x = plot.x(p), y = plot.y(Math.max(0, value));
    const high = plot.y(value + 2 * error), low = plot.y(Math.max(0, value - 2 * error));
    if (low - high > 2) {
      plot.layer.append(element("line", {
        x1: x, x2: x, y1: high, y2: low, class: "error " + kind
      }));
    }
    plot.layer.append(element("circle", {
      cx: x, cy: y, r: 2.6, class: `point ${kind}${trusted ? "" : " doubtful"}`
    }));
  });
}

/** The one round that has most of the weight at p, if one has much of it. */
function heaviest(series, p) {
  let most = { share: TAKE };
  series.forEach((s) => sharesOf(s.result, p).forEach((share, b) => {
    if (share > most.share && s.result.weights[b] === 1) most = { share, s, b };
  }));
  return most.s ? most : null;
}

/** The charts for a panel; `later` is told when names are to be placed. */
export class Curves {
  constructor(panel, later) {
    Object.assign(this, { panel, later, parts: null, named: 0 }); // when names were placed
    this.time = element("div");
    this.regret = element("div");
    this.node = element("div", { class: "charts" }, [this.time, this.regret]);
  }

  /** Axes for these series, unless they stand. */
  build(active, muStar) {
    const T = this.panel.state.horizon, top = roof(muStar * 1.02 || 1);
    const key = [top, T, widthOf(this.time), ...active.map((s) => s.kind)].join();
    if (this.parts?.key === key) return;
    this.parts = charts({
      left: this.time, right: this.regret, T, top, yTicks: ticks(top), tall: 260, small: 280,
      one: "policy", rows: active.map(({ tag, kind }) => ({ name: tag, kind })),
      moved: (p) => this.panel.set({ p })
    });
    this.parts.key = key;
    this.parts.needle(this.panel.state.p);
    this.named = 0;
  }

  draw({ series, muStar, final }) {
    const { time, regret, T } = this.parts;
    const lines = series.map(({ kind, label, tag, result: r }) => (
      { name: label, tag, kind, values: r.values, frame: r, line: regretLine(r) }));
    this.parts.names = curves(this.parts, muStar, 5, lines);
    series.forEach(({ kind, result, policy: { T_tilde }, tag }, i) => {
      errorBars(regret, result, kind);
      if (T_tilde > 1 && T_tilde < T) {
        time.note(T_tilde, `${tag} ends exploring`, { y: time.bottom - 6 - 13 * i, gap: 4, kind });
      }
    });
    [time, regret].forEach((plot) => plot.layer.append(...plot.written || []));
    if (final || performance.now() - this.named > 400) this.later("names");
  }

  /** Names beside the curves; while these move the names stay where they are. */
  names() {
    if (!this.parts.names) return;
    ["time", "regret"].forEach((key) => {
      const plot = this.parts[key];
      plot.written?.forEach((node) => node.remove());
      plot.names(this.parts.names[key]);
      plot.written = [...plot.layer.querySelectorAll(".name")];
    });
    this.named = performance.now();
  }

  /** What p decides: who counts, and the needle. */
  mark(active, series) {
    const { p } = this.panel.state;
    mark(this.parts, p, active.map(({ kind, result: r }) => (r?.runs ? {
      kind, value: estimate(r, p).value, frame: r, shares: sharesOf(r, p)
    } : null)));
    this.pointAt(heaviest(series, p));
  }

  pointAt(most) {
    const { time } = this.parts;
    time.svg.querySelector(".pointed")?.remove();
    if (!most) return;
    const { share, b, s: { result: r, kind, tag } } = most, t = r.edges[b] + 1;
    const x = time.x(t), y = time.y(r.values[b]), late = x > time.width / 2;
    time.svg.append(element("g", { class: "pointed " + kind }, [
      element("circle", { cx: x, cy: y, r: 6 }),
      element("text", {
        x: x + (late ? -11 : 11), y: Math.min(y + 4, time.bottom - 4), class: "note " + kind,
        "text-anchor": late ? "end" : "start"
      }, [`round ${whole(t)} has ${percent(share)} of ${tag}\u2019s weight`])
    ]));
  }
}
