/* Explorations, bounds and their hypotheses, as pmeanlib.bounds has them. */
import { library } from "../constants.js";
import { log } from "./exact.js";

const { deviation: DEVIATION, width: WIDTH } = library;
const B = WIDTH + DEVIATION; // of Theorem U: the width of the index, the radius of averages

/** The paper's T~ = 16 sqrt(c T log T). */
export function period(T, k, p) {
  const c = p < 0 ? Math.pow(k, p) : Math.pow(k, p || 1) / log(k);
  return 16 * Math.sqrt(c * log(T)) * Math.sqrt(T);
}

function deformedLog(a, p) {
  const logA = Math.log(a);
  if (-p * logA > 700) return Infinity;
  return Math.abs(p) < 1e-300 ? logA : -Math.expm1(-p * logA) / p;
}

/** What Theorem U asks of T~. */
export function leastExploration(T, k, muStar) {
  const half = 0.5 * muStar;
  return 2 * (B * B) * k * log(T) / (half * half);
}

export function paperBound(T, k, p, muStar, muMin) {
  if (p === 0) return 32 * Math.sqrt(k * Math.log(k) * Math.log(T) / T) + 4 / T;
  if (p > 0) {
    return deformedLog(k, p) * period(T, k, p) / T
      + 6 * Math.sqrt(k * Math.log(T) / T) + 4 / (p * T);
  }
  const q = -p, tilde = period(T, k, p);
  const beta = 6 * Math.sqrt(2 * k * Math.log(T) / tilde);
  const z = (Math.pow(k, q) - 1) * (tilde / T) + 2 * Math.pow(muMin, p) / T;
  return q < 1 ? beta + z / q : muStar * Math.pow(z + q * beta / muStar, 1 / q);
}

/** Theorem U; NaN where its hypothesis on T~ fails. */
export function unified(T, k, p, muStar, tilde) {
  if (tilde < leastExploration(T, k, muStar) || tilde > T) return NaN;
  return muStar * deformedLog(k, p) * (tilde / T)
    + 2 * deformedLog(2, p) * B * Math.sqrt((k - 1) * Math.log(T) / T) + muStar / T;
}

export function repaired(T, k, p, muStar) {
  return unified(T, k, p, muStar, Math.ceil(period(T, k, p)));
}

/** Factors of at least 1 mean that the hypothesis holds. */
export function factors(T, k, p, muStar, muMin) {
  const logT = Math.log(T), tilde = period(T, k, p), rootLogK = Math.sqrt(Math.log(k));
  return {
    fits: T / tilde,
    assumption1: muMin / (32 * Math.sqrt(k * logT * rootLogK) / Math.pow(T, 0.125)),
    assumption2: tilde / (8 * k * Math.log(T * k) + 16 * Math.pow(T, 0.25) / rootLogK),
    remark1: muMin / (128 * Math.sqrt(k * logT / tilde)),
    long: tilde / leastExploration(T, k, muStar)
  };
}
