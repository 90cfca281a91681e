/* The regret that the stored simulations of the dial measure, or those of the reader's own
 * arms. Needs maths.js and engine.js; adds pmean.bandit. */
pmean.bandit = (function () {
  "use strict";

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

  /** Regret with a standard error, as the library measures it: over groups of runs. */
  function fromRuns(series, frame, p) {
    var found = pmean.engine.regrets(series.profile, [p])[0];
    return { value: found.value, error: found.standard_error };
  }

  /** The regret of a series of either kind, and its standard error. */
  function measured(series, frame, p) {
    return (series.profile ? fromRuns : fromStored)(series, frame, p);
  }

  return { measured: measured };
})();
