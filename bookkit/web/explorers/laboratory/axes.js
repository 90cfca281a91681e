/* What the pictures of arms have in common: ticks, heights, shades. */
import { short3 } from "../numbers.js";

const TOPS = [0.05, 0.1, 0.25, 0.5, 1, 1.5, 2, 3, 5, 8, 12, 20, 50, 100, 1e3, 1e4];

/** Ticks 0, ..., top, some four or five of them. */
export function ticks(top, low = 0) {
  const span = top - low, size = 10 ** Math.floor(Math.log10(span));
  const step = [0.2, 0.5, 1, 2].map((s) => s * size).find((s) => span / s <= 5.5);
  const found = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= top * 1.0001; i++) {
    found.push([i * step, short3(i * step)]);
  }
  return found;
}

/** The least of the usual heights that has room for a value. */
export const roof = (v) => TOPS.find((top) => v <= top * 1.0001) || v;

/** What a chart with arms below it is asked for: a name below every arm, or below every
 * few where there are many. */
export function armAxis(k, width) {
  const every = Math.ceil(k / Math.max(1, Math.floor((width - 70) / 24)));
  const xTicks = Array.from({ length: k }, (_, i) => [i + 1, i % every ? "" : String(i + 1)]);
  return { width, x: [0.4, k + 0.6], bars: true, xTicks, xLabel: "arm" };
}

/** How good an arm is among these, from 0 to 100 %: the bad ones glow. */
export function shade(mu, i) {
  const best = Math.max(...mu), least = Math.min(...mu);
  return `--good: ${best > least ? Math.round(100 * (mu[i] - least) / (best - least)) : 100}%`;
}
