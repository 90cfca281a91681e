/* Two arms of the reader's own, simulated on the page, and the regret that they or the
 * stored simulations measure. Needs maths.js; adds pmean.bandit. */
pmean.bandit = (function () {
  "use strict";
  var GROUPS = 20, RUNS_IN_GROUP = 10;

  /** Uniform numbers in [0, 1) from a seed (a 32-bit counter through a mixing hash). */
  function generator(seed) {
    var state = seed >>> 0;
    return function () {
      state = (state + 0x9e3779b9) >>> 0;
      var z = state;
      z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
      z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
      return ((z ^ (z >>> 15)) >>> 0) / 4294967296;
    };
  }

  /** Add one run on Bernoulli arms to the sums of its blocks of rounds. */
  function playRun(mu, policy, T, random, blockOf, sums) {
    var k = mu.length, logT = Math.log(T), width = policy.width;
    var pulls = [], total = [], value = [], i, t;
    for (i = 0; i < k; i++) { pulls.push(0); total.push(0); value.push(Infinity); }
    for (t = 0; t < T; t++) {
      var best = 0;
      if (t < policy.T_tilde) best = Math.floor(random() * k);
      else for (i = 1; i < k; i++) if (value[i] > value[best]) best = i;
      total[best] += random() <= mu[best] ? 1 : 0;
      pulls[best] += 1;
      var mean = total[best] / pulls[best];
      value[best] = mean
        + width * Math.sqrt((policy.nash ? mean : 1) * logT / pulls[best]);
      sums[blockOf[t]] += mu[best];
    }
  }

  /** A series measured here, group by group; `done` is called after each group. */
  function ownSeries(mu, policy, frame, seed, done) {
    var T = frame.T, blockOf = new Int32Array(T), b = 0, t, cancelled = false;
    for (t = 0; t < T; t++) {
      while (t >= frame.edges[b + 1]) b++;
      blockOf[t] = b;
    }
    var series = {
      name: policy.name, T_tilde: policy.T_tilde, capped: policy.capped,
      groups: [], values: null, runs: 0
    };
    var random = generator(seed);
    function step() {
      if (cancelled) return;
      var sums = new Float64Array(frame.weights.length), r, g;
      for (r = 0; r < RUNS_IN_GROUP; r++) playRun(mu, policy, T, random, blockOf, sums);
      for (b = 0; b < sums.length; b++) sums[b] /= RUNS_IN_GROUP * frame.weights[b];
      series.groups.push(sums);
      series.runs += RUNS_IN_GROUP;
      var mean = new Float64Array(sums.length);
      for (g = 0; g < series.groups.length; g++) {
        for (b = 0; b < mean.length; b++) mean[b] += series.groups[g][b];
      }
      for (b = 0; b < mean.length; b++) mean[b] /= series.groups.length;
      series.values = mean;
      if (series.groups.length < GROUPS) setTimeout(step, 0);
      done(series);
    }
    step();
    return function () { cancelled = true; };
  }

  function plugIn(values, frame, p) {
    return pmean.maths.regret(frame.muStar, values, p, frame.weights);
  }

  /** Regret with the stored standard error.
   *
   * Blocks of rounds and the bias of an average of runs: the stored estimates tell how
   * much they matter at whole p, and it changes little in between. */
  function fromStored(series, frame, p) {
    var grid = frame.exponents, j = 1;
    while (j < grid.length - 1 && grid[j] < p) j++;
    series.shifts = series.shifts || grid.map(function (q, i) {
      return series.regrets[i] - plugIn(series.values, frame, q);
    });
    var part = (p - grid[j - 1]) / (grid[j] - grid[j - 1]);
    function between(v) { return v[j - 1] + part * (v[j] - v[j - 1]); }
    return {
      value: plugIn(series.values, frame, p) + between(series.shifts),
      error: between(series.errors)
    };
  }

  /** Regret with a standard error: the jackknife over groups. */
  function fromGroups(series, frame, p) {
    var plug = plugIn(series.values, frame, p), n = series.groups.length;
    if (n < 2) return { value: plug, error: NaN };
    var left = series.groups.map(function (group) {
      var others = series.values.map(function (v, b) {
        return Math.max((n * v - group[b]) / (n - 1), 1e-12);
      });
      return plugIn(others, frame, p);
    });
    var mean = left.reduce(function (a, v) { return a + v; }, 0) / n;
    var square = left.reduce(function (a, v) { return a + (v - mean) * (v - mean); }, 0);
    return {
      value: n * plug - (n - 1) * mean,
      error: Math.sqrt(square * (n - 1) / n)
    };
  }

  /** The regret of a series of either kind, and its standard error. */
  function measured(series, frame, p) {
    return (series.groups ? fromGroups : fromStored)(series, frame, p);
  }

  return { ownSeries: ownSeries, measured: measured };
})();
