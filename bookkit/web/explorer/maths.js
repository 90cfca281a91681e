/* The formulas of pmeanlib.welfare and pmeanlib.bounds, tested against them: p-mean,
 * regret, exploration period, bounds and their hypotheses. Needs exact.js; adds pmean.maths. */
pmean.part(function (pmean) {
  "use strict";
  var log = pmean.exact.log, WIDTH = 4, DEVIATION = Math.sqrt(1.5); // as in pmeanlib.bounds

  // ---- means of powers -------------------------------------------------------------------

  /** log(x / scale): no overflow, no cancellation for close ones. */
  function logRatio(x, scale) {
    var ratio = x / scale;
    if (0.99 < ratio && ratio < 1.01) return Math.log1p((x - scale) / scale);
    if ((1e-290 < ratio && ratio < 1e290) || x === 0) return Math.log(ratio);
    return Math.log(x) - Math.log(scale);
  }

  /** log(W_p(x) / scale) for each exponent p, with weights w (null: all equal). It sums
   * exp(z) - 1, which keeps all digits where z is small, and exp(z - shift), which cannot
   * overflow, in parts of 128 and with what each sum loses. */
  function logMeans(x, w, scale, ps) {
    var n = x.length, y = new Float64Array(n), low = Infinity, high = 0, size = 0, t;
    for (t = 0; t < n; t++) {
      y[t] = t && x[t] === x[t - 1] ? y[t - 1] : logRatio(x[t], scale);
      low = Math.min(low, x[t]);
      high = Math.max(high, x[t]);
      size += w ? w[t] : 1;
    }
    return ps.map(function (p) {
      if (Math.abs(p) === Infinity || (low === 0 && p <= 0) || high === 0) {
        return logRatio(p === Infinity ? high : low, scale);
      }
      return logMean(x, y, w, scale, size, p);
    });
  }
  function logMean(x, y, w, scale, size, p) {
    var n = x.length, zero = Math.abs(p) <= 1e-30, shift = 0, start, t;
    var sums = 0, lost = 0, powersSum = 0, powersLost = 0, term = 0, power = 0;
    for (start = 0; start < n; start += 128) {
      var part = 0, powers = 0, end = Math.min(n, start + 128);
      for (t = start; t < end; t++) {
        var z = p * y[t];
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
              var smaller = Math.exp(shift - z);
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
      var total = sums + part;
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
  function pMeans(x, ps, w) {
    var top = 0, i;
    for (i = 0; i < x.length; i++) top = Math.max(top, x[i]);
    if (top === 0) return ps.map(function () { return 0; });
    return logMeans(x, w, top, ps).map(function (v) { return top * Math.exp(v); });
  }
  function pMean(x, p, w) { return pMeans(x, [p], w)[0]; }

  /** What each entry's share of the say is: the gradient of the p-mean, scaled to 1.
   * The weights w are all 1 if not given. */
  function shares(x, p, w) {
    var least = Infinity, total = 0, i, s = new Float64Array(x.length);
    for (i = 0; i < x.length; i++) least = Math.min(least, x[i]);
    for (i = 0; i < x.length; i++) { // next to nothing at all everything else is nothing
      s[i] = (w ? w[i] : 1) * (p === 1 ? 1 : least === 0 ? Number(x[i] === 0)
        : Math.exp((p - 1) * (Math.log(x[i]) - Math.log(least))));
      total += s[i];
    }
    for (i = 0; i < x.length; i++) s[i] /= total;
    return s;
  }

  /** The least number of rounds that together have half of the say; s are the shares, if
   * they are known. */
  function halfTheSay(x, p, w, s) {
    s = s || shares(x, p, w);
    var order = [], i, sum = 0, rounds = 0;
    for (i = 0; i < x.length; i++) order.push(i);
    order.sort(function (a, b) { return s[b] / w[b] - s[a] / w[a]; });
    for (i = 0; i < order.length; i++) {
      var j = order[i];
      if (sum + s[j] >= 0.5) return Math.ceil(rounds + w[j] * (0.5 - sum) / s[j] - 1e-6);
      sum += s[j];
      rounds += w[j];
    }
    return rounds;
  }
  /** The regret of expected rewards x in blocks of w rounds. */
  function regret(muStar, x, p, w) { return muStar - pMean(x, p, w); }

  // ---- explorations and bounds -----------------------------------------------------------

  var B = WIDTH + DEVIATION; // of Theorem U: the width of the index, the radius of averages

  /** The paper's T~ = 16 sqrt(c T log T). */
  function period(T, k, p) {
    var c = p < 0 ? Math.pow(k, p) : Math.pow(k, p || 1) / log(k);
    return 16 * Math.sqrt(c * log(T)) * Math.sqrt(T);
  }
  function deformedLog(a, p) {
    var logA = Math.log(a);
    if (-p * logA > 700) return Infinity;
    return Math.abs(p) < 1e-300 ? logA : -Math.expm1(-p * logA) / p;
  }
  /** What Theorem U asks of T~, for an index of this width (the usual one if not given). */
  function leastExploration(T, k, muStar, width) {
    var b = width === undefined ? B : width + DEVIATION, half = 0.5 * muStar;
    return 2 * (b * b) * k * log(T) / (half * half);
  }
  function paperBound(T, k, p, muStar, muMin) {
    if (p === 0) return 32 * Math.sqrt(k * Math.log(k) * Math.log(T) / T) + 4 / T;
    if (p > 0) {
      return deformedLog(k, p) * period(T, k, p) / T
        + 6 * Math.sqrt(k * Math.log(T) / T) + 4 / (p * T);
    }
    var q = -p, tilde = period(T, k, p);
    var beta = 6 * Math.sqrt(2 * k * Math.log(T) / tilde);
    var z = (Math.pow(k, q) - 1) * (tilde / T) + 2 * Math.pow(muMin, p) / T;
    return q < 1 ? beta + z / q : muStar * Math.pow(z + q * beta / muStar, 1 / q);
  }
  /** Theorem U; NaN where its hypothesis on T~ fails. */
  function unified(T, k, p, muStar, tilde) {
    if (tilde < leastExploration(T, k, muStar) || tilde > T) return NaN;
    return muStar * deformedLog(k, p) * (tilde / T)
      + 2 * deformedLog(2, p) * B * Math.sqrt((k - 1) * Math.log(T) / T) + muStar / T;
  }
  function repaired(T, k, p, muStar) {
    return unified(T, k, p, muStar, Math.ceil(period(T, k, p)));
  }
  /** Factors of at least 1 mean that the hypothesis holds. */
  function factors(T, k, p, muStar, muMin) {
    var logT = Math.log(T), tilde = period(T, k, p), rootLogK = Math.sqrt(Math.log(k));
    return {
      fits: T / tilde,
      assumption1: muMin / (32 * Math.sqrt(k * logT * rootLogK) / Math.pow(T, 0.125)),
      assumption2: tilde / (8 * k * Math.log(T * k) + 16 * Math.pow(T, 0.25) / rootLogK),
      remark1: muMin / (128 * Math.sqrt(k * logT / tilde)),
      long: tilde / leastExploration(T, k, muStar)
    };
  }

  pmean.maths = {
    WIDTH: WIDTH, DEVIATION: DEVIATION, logMeans: logMeans, pMeans: pMeans, pMean: pMean,
    regret: regret, shares: shares, halfTheSay: halfTheSay,
    period: period, leastExploration: leastExploration, paperBound: paperBound,
    unified: unified, repaired: repaired, factors: factors
  };
});
