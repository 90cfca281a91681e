/* NumPy's random numbers: SeedSequence and PCG64 with the XSL-RR output, which is what
 * `np.random.default_rng(seed)` is, bit for bit. */

// ---- SeedSequence: from a seed to a pool of four words, and from it to any number ----

/** A whole number of at least 0 as 32-bit words, the lowest first. */
function words(seed) {
  const found = [];
  do {
    found.push(seed % 4294967296);
    seed = Math.floor(seed / 4294967296);
  } while (seed > 0);
  return found;
}

function mix(x, y) {
  const z = (Math.imul(0xca01f9dd, x) - Math.imul(0x4973f715, y)) | 0;
  return z ^ (z >>> 16);
}

/** A hash whose constant changes with every use. */
function hash(constant, factor) {
  return function (value) {
    value ^= constant;
    constant = Math.imul(constant, factor);
    value = Math.imul(value, constant);
    return value ^ (value >>> 16);
  };
}

/** The pool of SeedSequence(seed), or of its child number `child`. */
function pool(seed, child) {
  const mixed = hash(0x43b0d7e5, 0x931e8875), made = [];
  let given = words(seed);
  if (child !== undefined) {
    while (given.length < 4) given.push(0);
    given = given.concat(words(child));
  }
  for (let i = 0; i < 4; i++) made.push(mixed(i < given.length ? given[i] : 0));
  for (let i = 0; i < 4; i++) {
    for (let j = 0; j < 4; j++) if (i !== j) made[j] = mix(made[j], mixed(made[i]));
  }
  for (let i = 4; i < given.length; i++) {
    for (let j = 0; j < 4; j++) made[j] = mix(made[j], mixed(given[i]));
  }
  return made;
}

/** `count` words of 32 bits, what SeedSequence.generate_state gives. */
function state(seed, child, count) {
  const from = pool(seed, child), mixed = hash(0x8b51f9dd, 0x58f38ded), made = [];
  for (let i = 0; i < count; i++) made.push(mixed(from[i % 4]) >>> 0);
  return made;
}

// ---- PCG64: state <- state * factor + increment, modulo 2^128 -------------------------

const F0 = 0x9fccf645, F1 = 0x4385df64, F2 = 0x1fc65da4, F3 = 0x2360ed05; // lowest first
const UNIT = 1 / 4294967296, SIZE = 256; // numbers are made so many at a time

/** A generator. Its next numbers lie in `doubles` (in [0, 1)), `low` and `high` (the
 * two halves) from place `at` on; whoever reads them there calls `refill` at SIZE. */
export class Generator {
  constructor(seed, child) {
    this.doubles = new Float64Array(SIZE);
    this.low = new Uint32Array(SIZE);
    this.high = new Uint32Array(SIZE);
    this.state = new Int32Array(4);
    this.increment = new Int32Array(4);
    this.seed(seed, child);
  }

  /** Begin the stream of default_rng(seed), or of the seed's child number `child`. */
  seed(seed, child) {
    const w = state(seed, child, 8), s = this.state, c = this.increment;
    // four words of 64 bits: the high and the low half of the state, of the sequence
    c[0] = (w[6] << 1) | 1;
    c[1] = (w[7] << 1) | (w[6] >>> 31);
    c[2] = (w[4] << 1) | (w[7] >>> 31);
    c[3] = (w[5] << 1) | (w[4] >>> 31);
    // from 0 one step leads to the increment; the state is added, and stepped once more
    const start = [w[2], w[3], w[0], w[1]];
    let sum = (c[0] >>> 0) + w[2];
    s[0] = sum;
    for (let i = 1; i < 4; i++) {
      sum = (c[i] >>> 0) + start[i] + (sum >= 4294967296 ? 1 : 0);
      s[i] = sum;
    }
    this.make(1);
    this.at = SIZE;
    this.half = -1; // the other half of a number of which one half was used
  }

  /** The next `count` numbers, from place 0 on.
   *
   * Words of 32 bits: the low half of a column of products is that of the integers. The
   * column as a double is off by less than 2^13, so its high half, a whole number of
   * 2^32, is the nearest one. (`| 0` at every sum keeps V8 among its integers.) */
  make(count) {
    const s = this.state, c = this.increment, doubles = this.doubles;
    const lows = this.low, highs = this.high;
    const c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3];
    let s0 = s[0], s1 = s[1], s2 = s[2], s3 = s[3];
    const e0 = c0 >>> 0, e1 = c1 >>> 0, e2 = c2 >>> 0; // without a sign, as those below
    for (let i = 0; i < count; i++) {
      const d0 = s0 >>> 0, d1 = s1 >>> 0, d2 = s2 >>> 0;
      const n0 = (Math.imul(s0, F0) + c0) | 0;
      let carry = Math.floor((d0 * F0 + e0 - (n0 >>> 0)) * UNIT + 0.5);
      const n1 = (((Math.imul(s0, F1) + Math.imul(s1, F0)) | 0) + ((c1 + (carry | 0)) | 0)) | 0;
      carry = Math.floor((d0 * F1 + d1 * F0 + e1 + carry - (n1 >>> 0)) * UNIT + 0.5);
      const n2 = (((Math.imul(s0, F2) + Math.imul(s1, F1)) | 0)
        + ((Math.imul(s2, F0) + ((c2 + (carry | 0)) | 0)) | 0)) | 0;
      carry = Math.floor((d0 * F2 + d1 * F1 + d2 * F0 + e2 + carry - (n2 >>> 0)) * UNIT + 0.5);
      s3 = (Math.imul(s3, F0) + ((c3 + (carry | 0)) | 0)) | 0;
      s3 = (s3 + ((Math.imul(s0, F3) + ((Math.imul(s1, F2) + Math.imul(s2, F1)) | 0)) | 0)) | 0;
      s0 = n0;
      s1 = n1;
      s2 = n2;
      // both halves, one over the other, turned to the right by the six highest bits
      // (by 32 or more: the halves change places, without a branch to guess at)
      let turn = s3 >>> 26, a = s1 ^ s3, b = s0 ^ s2;
      const other = (a ^ b) & -(turn >> 5);
      a ^= other;
      b ^= other;
      turn &= 31;
      const low = (b >>> turn) | ((a << 1) << (31 - turn));
      const high = (a >>> turn) | ((b << 1) << (31 - turn));
      lows[i] = low;
      highs[i] = high;
      doubles[i] = ((high >>> 0) * 2097152 + (low >>> 11)) * (1 / 9007199254740992);
    }
    s[0] = s0;
    s[1] = s1;
    s[2] = s2;
    s[3] = s3;
  }

  /** SIZE new numbers. */
  refill() {
    this.make(SIZE);
    this.at = 0;
  }

  /** A number in [0, 1). */
  random() {
    if (this.at === SIZE) this.refill();
    return this.doubles[this.at++];
  }

  /** 32 bits: the low half of a number, next time its high half. */
  bits() {
    const half = this.half;
    if (half >= 0) {
      this.half = -1;
      return half;
    }
    if (this.at === SIZE) this.refill();
    this.half = this.high[this.at];
    return this.low[this.at++];
  }

  /** A whole number in 0, ..., n - 1, by Lemire's multiplication. */
  below(n) {
    if (n === 1) return 0;
    let product = this.bits() * n, rest = product % 4294967296;
    if (rest < n) {
      const least = (4294967296 - n) % n;
      while (rest < least) {
        product = this.bits() * n;
        rest = product % 4294967296;
      }
    }
    return Math.floor(product / 4294967296);
  }
}
