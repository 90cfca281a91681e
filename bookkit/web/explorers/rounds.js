/* What a policy gives to each round, in as many points as there are pixels, which rounds
 * count, and the regret against p. A part of two explorers. */
import { exponents } from "../constants.js";
import { Chart, picture, widthOf } from "./chart.js";
import { element } from "./elements.js";
import { decades, short } from "./numbers.js";

const [LEAST, GREATEST] = exponents;
const TALL = 34; // of 100 % of the weight
const BINS = 3; // bars of weight in a decade of rounds
export const GRID = []; // the exponents at which the curves of regret are drawn
for (let p = LEAST; p <= GREATEST; p += 0.25) GRID.push(p);

/** The pixels that so many rows of weights take. */
const height = (rows) => 22 + rows * (TALL + 8);

/** Where blocks of rounds lie on a logarithmic axis. */
export function middles(edges) {
  return Array.from(edges.slice(1), (end, b) => Math.sqrt((edges[b] + 1) * end));
}

/** Rounds in bins that are even in log t: middle, least, greatest and mean value. */
function profile(values, frame, bins) {
  const found = [];
  values.forEach((v, b) => {
    const at = Math.floor(bins * Math.log(frame.middle[b]) / Math.log(frame.T));
    const w = frame.weights[b], t = frame.middle[b], bin = found[at];
    if (!bin) found[at] = { low: v, high: v, sum: w * v, w, from: t, to: t };
    else {
      bin.low = Math.min(bin.low, v);
      bin.high = Math.max(bin.high, v);
      bin.sum += w * v;
      bin.w += w;
      bin.to = t;
    }
  });
  return found.filter(Boolean).map((bin) => ({
    ...bin, t: Math.sqrt(bin.from * bin.to), mean: bin.sum / bin.w
  }));
}

/** How much of the weight each part of the logarithmic time axis has. */
function inBins(shares, frame, bins) {
  const heights = new Float64Array(bins);
  shares.forEach((v, b) => {
    const at = Math.floor(bins * Math.log(frame.middle[b]) / Math.log(frame.T));
    heights[Math.min(bins - 1, at)] += v;
  });
  return heights;
}

/** The rows below the time axis: which rounds count, on one scale for all. */
function strip(time, bins, series) {
  const svg = picture(time.width, height(series.length),
    "Share of the weight that p gives to each part of the time axis, by algorithm");
  const x0 = time.margin.left, end = time.right;
  const caption = element("text", { x: x0, y: 12, class: "label" });
  const rows = series.map(({ name, kind }, i) => {
    const base = 20 + (i + 1) * (TALL + 8), bars = element("path", { class: "bars " + kind });
    svg.append(...[base, base - TALL].map((y) => (
      element("line", { x1: x0, x2: end, y1: y, y2: y, class: "grid" }))), bars,
    element("text", { x: x0 - 6, y: base - 4, "text-anchor": "end", class: "name " + kind },
      [name]),
    element("text", { x: x0 - 6, y: base - TALL + 8, "text-anchor": "end" }, ["100 %"]));
    return (heights) => {
      let d = "";
      heights.forEach((v, j) => {
        if (v < 0.002) return;
        const step = (end - x0) / bins;
        d += `M${(x0 + j * step).toFixed(1)} ${base}v${(-TALL * v).toFixed(1)}`
          + `h${(step - 1).toFixed(1)}V${base}z`;
      });
      bars.setAttribute("d", d);
    };
  });
  svg.append(caption);
  return { svg, caption, rows, bins };
}

/** Two charts: in the column `left` expected reward, and below it the weights in `rows`; in
 * `right` regret against p, with a needle. `moved` hears of a new p. */
export function charts({ left, right, T, top, yTicks, tall, small, one, rows, moved }) {
  const twoColumns = right.offsetTop === left.offsetTop, ticks = [];
  for (let p = LEAST; p <= GREATEST; p++) {
    if (p % 2 === 0 || p === GREATEST) ticks.push([p, short(p)]);
  }
  const time = new Chart({
    width: widthOf(left), height: tall, x: [1, T], logX: true, y: [0, top], yTicks,
    xTicks: decades(0, Math.floor(Math.log10(T) + 1e-9)), xLabel: "round t",
    yLabel: "expected reward", title: `Expected reward of each round, by ${one}`
  });
  const regret = new Chart({
    width: widthOf(right), x: [LEAST, GREATEST], y: [0, top], yTicks,
    height: twoColumns ? Math.min(400, tall + height(rows.length)) : small, xTicks: ticks,
    xLabel: "exponent p", yLabel: "p-mean regret", margin: { top: 22 },
    title: `p-mean regret of each ${one} against p`
  });
  const weights = strip(time, Math.max(3, Math.round(BINS * Math.log10(T))), rows);
  left.replaceChildren(time.svg, weights.svg);
  right.replaceChildren(regret.svg);
  return {
    time, regret, strip: weights, T,
    needle: regret.needle((p) => moved(Math.round(p * 20) / 20))
  };
}

/** The curves of both charts; what is to be named in each of them. A series has a name and
 * a tag, its kind, its values in the blocks of a frame, and its line of regret. */
export function curves({ time, regret, T }, muStar, wide, series) {
  const bins = Math.round(time.width / wide), names = { time: [], regret: [] };
  const best = [1, 3, 10, 30, 100, 300, 1e3, 3e3, 1e4].filter((t) => t <= T);
  time.layer.replaceChildren();
  regret.layer.replaceChildren();
  time.line([[1, muStar], [T, muStar]], "best");
  series.forEach(({ name, tag, kind, values, frame, line }) => {
    const found = profile(values, frame, bins), points = found.map((bin) => [bin.t, bin.mean]);
    time.band(found.map((bin) => [bin.t, bin.low, bin.high]), kind);
    time.line(points, kind);
    regret.line(line, kind);
    names.time.push({ name, kind, points },
      { points: found.flatMap((bin) => [[bin.t, bin.low], [bin.t, bin.high]]) });
    names.regret.push({ name: tag, kind, points: line });
  });
  names.time.push({ name: "best mean", kind: "best", points: best.map((t) => [t, muStar]) });
  return names;
}

/** What p decides: which rounds count, and the needle. Of each row of the weights there is
 * its kind, its regret, and the shares of the weight in the blocks of a frame; null if that
 * is not known yet. */
export function mark({ strip: { caption, rows, bins }, regret, needle }, p, known) {
  caption.textContent = `weight of the rounds at p = ${short(p)}`;
  rows.forEach((show, i) => show(known[i] ? inBins(known[i].shares, known[i].frame, bins) : []));
  needle(p, ...known.filter(Boolean).map(({ kind, value }) => (
    regret.dot(p, Math.max(0, value), kind))));
}
