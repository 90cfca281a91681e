/* The formulas of pmeanlib.welfare and pmeanlib.bounds, tested against them: p-mean,
 * regret, exploration period, bounds and their hypotheses. Adds pmean.maths. */
pmean.maths = (function () {
  "use strict";

  /** The p-mean of positive numbers x with weights w (all 1 if not given). */
  function pMean(x, p, w) {
    var n = x.length, top = 0, least = Infinity, total = 0, i;
    for (i = 0; i < n; i++) {
      top = Math.max(top, x[i]);
      least = Math.min(least, x[i]);
      total += w ? w[i] : 1;
    }
    if (p === Infinity) return top;
    if (p === -Infinity) return least;
    if (top === 0 || (p <= 0 && least === 0)) return 0;
    var logTop = Math.log(top), y = new Float64Array(n), middle = 0, spread = 0;
    for (i = 0; i < n; i++) {
      y[i] = Math.log(x[i]) - logTop;
      middle += (w ? w[i] : 1) * y[i];
      spread = Math.max(spread, Math.abs(p * y[i]));
    }
    middle /= total;
    if (Math.abs(p) < 1e-300) return top * Math.exp(middle);
    var sum = 0;
    if (spread <= 1) { // powers close to 1: measure from the geometric mean
      for (i = 0; i < n; i++) sum += (w ? w[i] : 1) * Math.expm1(p * (y[i] - middle));
      return top * Math.exp(middle + Math.log1p(sum / total) / p);
    }
    var shift = p > 0 ? 0 : p * (Math.log(least) - logTop);
    for (i = 0; i < n; i++) sum += (w ? w[i] : 1) * Math.exp(p * y[i] - shift);
    return top * Math.exp((shift + Math.log(sum / total)) / p);
  }

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

  // b of Theorem U: the width of the index and the radius of the averages
  var B = pmean.constants.width + pmean.constants.deviation;

  function scale(k, p) {
    return p < 0 ? Math.pow(k, p) : Math.pow(k, p || 1) / Math.log(k);
  }
  function period(T, k, p) {
    return 16 * Math.sqrt(scale(k, p) * Math.log(T)) * Math.sqrt(T);
  }
  function deformedLog(a, p) {
    var logA = Math.log(a);
    if (-p * logA > 700) return Infinity;
    return Math.abs(p) < 1e-300 ? logA : -Math.expm1(-p * logA) / p;
  }
  function leastExploration(T, k, muStar) {
    return 8 * B * B * k * Math.log(T) / (muStar * muStar);
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

  return {
    pMean: pMean, regret: regret, shares: shares, halfTheSay: halfTheSay,
    period: period, leastExploration: leastExploration, paperBound: paperBound,
    unified: unified, repaired: repaired, factors: factors
  };
})();
