/* What an algorithm gives to each round, in as many points as there are pixels, and which
 * rounds count. A part of two explorers. Needs maths.js, chart.js; adds pmean.rounds. */
pmean.rounds = (function () {
  "use strict";
  const maths = pmean.maths, draw = pmean.chart, { element } = draw;
  const TALL = 34; // of 100 % of the weight

  /** The pixels that so many rows of weights take. */
  const height = (rows) => 22 + rows * (TALL + 8);

  /** Rounds in bins that are even in log t: middle, least, greatest and mean value. */
  function profile(series, frame, bins) {
    const found = [];
    series.values.forEach((v, b) => {
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
    const svg = draw.picture(time.width, height(series.length),
      "Share of the weight that p gives to each part of the time axis, by algorithm");
    const x0 = time.margin.left, end = time.width - time.margin.right;
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

  return { height, profile, inBins, strip };
})();
