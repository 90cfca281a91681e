/* Numbers in words. */
export const signed = (text) => text.replace("-", "\u2212");
export const number = (v, digits) => signed(v.toFixed(digits));
export const short = (v) => signed(String(Math.round(v * 100) / 100));
/** Thousands apart. (The browser's own way loads its tables of languages: 30 ms.) */
const grouped = (v) => String(v).replace(/\d+/, (digits) => (
  digits.replace(/\B(?=(\d{3})+$)/g, ",")));
export const whole = (v) => grouped(Math.round(v));
const power = (exponent) => "10^" + short(exponent);
export const percent = (share) => number(100 * share, 0) + " %";

/** A positive number, or what it is below if that would be written as zero. */
function aboveZero(v, digits) {
  const text = number(v, digits);
  return /[1-9]/.test(text) ? text : "<" + text.replace(/0$/, "1");
}

/** An estimate as the library prints it, by its certainty. */
export function estimated({ value, standard_error: error, unseen, certainty }, digits) {
  const start = number(value, digits);
  if (certainty === "exact") return `${start} (exact)`;
  if (certainty === "unvaried") return `${start} [${aboveZero(unseen, digits)}]`;
  const bar = isFinite(error) ? aboveZero(error, digits) : "?";
  return `${start} \u00b1 ${bar}${certainty === "doubtful" ? " (?)" : ""}`;
}

/** Why the bar of an estimate is not to be trusted, if it is not. */
export function reason({ certainty, n_runs: runs, runs_needed: needed }) {
  if (certainty === "doubtful") {
    return `few rounds carry the sum, about ${whole(Number(needed.toPrecision(2)))} runs needed`;
  }
  return certainty === "unvaried" ? `no run erred in ${whole(runs)}; errors that none made `
    + "change it by at most [x] (95 %)" : "";
}

export function big(v) {
  if (v < 1e6) return whole(v);
  const e = Math.floor(Math.log10(v) + 1e-9);
  return number(v / 10 ** e, 1) + "\u00d7" + power(e);
}

/** A probability-sized number in three digits, also when it is very small. */
export function small(v) {
  return v >= 0.001 && v < 1e5 ? grouped(Number(v.toPrecision(3)))
    : signed(v.toExponential(1));
}

/** A number in three digits as it stands at an axis. */
export const short3 = (v) => signed(Math.abs(v) >= 1e4 ? v.toExponential(0)
  : String(Number(v.toPrecision(3))));

/** Ticks at 1, 10, 100, ..., `every` so many decades. */
export function decades(from, to, every = 1) {
  const ticks = [];
  for (let e = from; e <= to; e += every) {
    ticks.push([10 ** e, e === 0 || e === 1 ? String(10 ** e) : power(e)]);
  }
  return ticks;
}
