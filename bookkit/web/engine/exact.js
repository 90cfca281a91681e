/* Logarithm and exponential, correct to the last bit except once in thousands of times.
 *
 * IEEE prescribes the last bit of + - * / and sqrt, but not of a logarithm: one in fifty
 * of V8's differs from the C library's, which Python uses. The double nearest to the true
 * value is what the C library gives in all but one of five thousand cases, so it is made
 * here: a logarithm is a sum of two doubles, with some 65 bits. V8's log1p, expm1 and pow
 * are already as close to the C library's as that. */

const PARTS = 128, DIGITS = 1024; // intervals of [1, 2); factors are multiples of 1/DIGITS
const number = new Float64Array(1), words = new Uint32Array(number.buffer);
const factor = new Float64Array(PARTS), logHigh = new Float64Array(PARTS);
const logLow = new Float64Array(PARTS), shift = new Float64Array(PARTS);
let LN2_HIGH, LN2_LOW; // the former with few enough digits for exact multiples

// ---- the table: logarithms of 128 fractions, in whole numbers of 2^-120 ---------------

/** log(a / b) in units of 2^-120: 2 artanh((a - b) / (a + b)) by its series. */
function fixedLog(a, b) {
  const top = BigInt(a - b), bottom = BigInt(a + b);
  let sum = 0n, n = 1n;
  let term = (2n * (1n << 130n) * top) / bottom;
  while (term !== 0n) {
    sum += term / n;
    term = (term * top * top) / (bottom * bottom);
    n += 2n;
  }
  return sum >> 10n;
}

function toNumber(fixed) { return Number(fixed) * Math.pow(2, -120); }

function fill() {
  const two = fixedLog(2, 1);
  LN2_HIGH = toNumber(two >> 80n << 80n);
  LN2_LOW = toNumber(two & ((1n << 80n) - 1n));
  for (let j = 0; j < PARTS; j++) {
    const middle = 1 + (j + 0.5) / PARTS, half = middle > Math.SQRT2 ? 2 : 1;
    let c = Math.round(DIGITS * half / middle);
    if (j === 0 || j === PARTS - 1) c = DIGITS; // numbers close to 1: exactly 0
    const fixed = fixedLog(DIGITS, c), high = toNumber(fixed);
    factor[j] = c / DIGITS / half;
    shift[j] = half - 1;
    logHigh[j] = high;
    logLow[j] = toNumber(fixed - BigInt(high * Math.pow(2, 120)));
  }
}

// ---- the logarithm ---------------------------------------------------------------------

let low = 0; // the second part of the last `parts`

/** log x = the value returned + `low`, for a positive normal number x. */
function parts(x) {
  if (!LN2_HIGH) fill();
  number[0] = x;
  const head = words[1], j = (head >>> 13) & 127, c = factor[j];
  let e = (head >>> 20) - 1023;
  words[1] = (head & 0xfffff) | 0x3ff00000;
  const m = number[0];
  words[0] = 0;
  const front = number[0];
  // r = m c - 1, exactly, as the sum of two numbers
  const big = front * c - 1, small = (m - front) * c, r = big + small;
  const rest = small - (r - big);
  e += shift[j];
  // r - r^2/2 + r^3/3 - ..., with r^2 as a sum of two numbers
  const split = 134217729 * r, rh = split - (split - r), rl = r - rh;
  const square = r * r, lost = ((rh * rh - square) + 2 * rh * rl) + rl * rl;
  const tail = r * square * (1 / 3 - r * (1 / 4 - r * (1 / 5 - r * (1 / 6 - r * (1 / 7
    - r * (1 / 8 - r * (1 / 9 - r * (1 / 10 - r / 11))))))));
  // from the largest to the smallest, what is lost of each sum kept
  const a = e * LN2_HIGH, b = logHigh[j], s1 = e === 0 ? b : a + b;
  const t1 = e === 0 ? 0 : b - (s1 - a);
  const s2 = s1 + r, t2 = Math.abs(s1) > Math.abs(r) ? r - (s2 - s1) : s1 - (s2 - r);
  const half = -0.5 * square, s3 = s2 + half;
  const t3 = half - (s3 - s2);
  const more = t1 + t2 + t3 + (e * LN2_LOW + logLow[j] + rest * (1 - r) - 0.5 * lost + tail);
  const high = s3 + more;
  low = more - (high - s3);
  return high;
}

function normal(x) { return x >= 2.2250738585072014e-308 && x < Infinity; }

export function log(x) { return normal(x) ? parts(x) : Math.log(x); }

/** V8's exponential, mended by the logarithm of what it gives. */
export function exp(x) {
  const y = Math.exp(x);
  if (!normal(y) || x === 0) return y;
  const high = parts(y);
  return y + y * ((x - high) - low);
}
