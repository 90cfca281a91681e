/* Means of powers, as pmeanlib.welfare takes them: the p-mean, and how much each entry counts. */
import { library } from "../constants.js";

/** log(x / scale): no overflow, no cancellation for close ones. */
function logRatio(x, scale) {
  const ratio = x / scale;
  if (0.99 < ratio && ratio < 1.01) return Math.log1p((x - scale) / scale);
  if ((1e-290 < ratio && ratio < 1e290) || x === 0) return Math.log(ratio);
  return Math.log(x) - Math.log(scale);
}

/** log(W_p(x) / scale) for each exponent p, with weights w (null: all equal). */
export function logMeans(x, w, scale, ps) {
  const y = new Float64Array(x.length);
  let low = Infinity, high = 0, size = 0;
  for (let t = 0; t < x.length; t++) {
    y[t] = t && x[t] === x[t - 1] ? y[t - 1] : logRatio(x[t], scale);
    low = Math.min(low, x[t]);
    high = Math.max(high, x[t]);
    size += w ? w[t] : 1;
  }
  return ps.map((p) => {
    if (Math.abs(p) === Infinity || (low === 0 && p <= 0) || high === 0) {
      return logRatio(p === Infinity ? high : low, scale);
    }
    return logMean(x, y, w, scale, size, p);
  });
}

/** One of them. It sums exp(z) - 1, which keeps all digits where z is small, and
 * exp(z - shift), which cannot overflow, in parts of 128 and with what each sum loses. */
function logMean(x, y, w, scale, size, p) {
  const zero = Math.abs(p) <= library.same_as_zero;
  let shift = 0, sums = 0, lost = 0, powersSum = 0, powersLost = 0, term = 0, power = 0;
  for (let start = 0; start < x.length; start += 128) {
    const end = Math.min(x.length, start + 128);
    let part = 0, powers = 0;
    for (let t = start; t < end; t++) {
      const z = p * y[t];
      if (t === start || y[t] !== y[t - 1]) {
        if (zero) term = y[t];
        else if (p === 1) {
          term = (x[t] - scale) / scale;
          power = x[t] / scale;
        } else if (Math.abs(z) < 0.01 && shift === 0) {
          term = Math.expm1(z);
          power = 1 + term;
        } else {
          if (z - shift > 500) {
            const smaller = Math.exp(shift - z);
            shift = z;
            powers *= smaller;
            powersSum *= smaller;
          }
          power = Math.exp(z - shift);
          term = power - 1;
        }
      }
      part += w ? w[t] * term : term;
      powers += w ? w[t] * power : power;
    }
    part -= lost;
    let total = sums + part;
    lost = (total - sums) - part;
    sums = total;
    powers -= powersLost;
    total = powersSum + powers;
    powersLost = (total - powersSum) - powers;
    powersSum = total;
  }
  if (zero) return sums / size;
  if (shift === 0 && sums >= -0.5 * size) return Math.log1p(sums / size) / p;
  return (shift + Math.log(powersSum / size)) / p;
}

/** The p-means of numbers x with weights w (all 1 if not given), for each of the ps. */
export function pMeans(x, ps, w) {
  const top = x.reduce((a, b) => Math.max(a, b), 0);
  if (top === 0) return ps.map(() => 0);
  return logMeans(x, w, top, ps).map((v) => top * Math.exp(v));
}

export function pMean(x, p, w) { return pMeans(x, [p], w)[0]; }

/** What each entry's share of the say is: the gradient of the p-mean, scaled to 1.
 * The weights w are all 1 if not given. */
export function shares(x, p, w) {
  const least = x.reduce((a, b) => Math.min(a, b), Infinity);
  const s = Float64Array.from(x, (v, i) => ( // next to nothing at all everything else is nothing
    (w ? w[i] : 1) * (p === 1 ? 1 : least === 0 ? Number(v === 0)
      : Math.exp((p - 1) * (Math.log(v) - Math.log(least))))));
  const total = s.reduce((a, b) => a + b, 0);
  return s.map((v) => v / total);
}

/** The least number of rounds that together have half of the say; s are the shares, if
 * they are known. */
export function halfTheSay(x, p, w, s = shares(x, p, w)) {
  const order = Array.from(x.keys()).sort((a, b) => s[b] / w[b] - s[a] / w[a]);
  let sum = 0, rounds = 0;
  for (const j of order) {
    if (sum + s[j] >= 0.5) return Math.ceil(rounds + w[j] * (0.5 - sum) / s[j] - 1e-6);
    sum += s[j];
    rounds += w[j];
  }
  return rounds;
}
