/* Two arms of the reader's own, simulated in a worker, and the regret that they or the
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

  /** What the worker does: simulate the newest job that it was given, group by group.
   *
   * This function and those it calls go to the worker as text, because a page that was
   * opened from a folder may not start one from a file. Between two groups the worker
   * listens, and drops a job as soon as there is a newer one. */
  function serve(groups, runsInGroup) {
    var newest = null;
    function step(job) {
      if (job !== newest) return;
      job.done += 1;
      postMessage({
        id: job.id, runs: job.done * runsInGroup,
        series: job.series.map(function (s) { return group(job, s); })
      });
      if (job.done < groups) setTimeout(step, 0, job);
    }
    function group(job, s) {
      var sums = new Float64Array(job.weights.length), r, b;
      for (r = 0; r < runsInGroup; r++) {
        playRun(s.mu, s.policy, job.T, s.random, job.blockOf, sums);
      }
      for (b = 0; b < sums.length; b++) {
        sums[b] /= runsInGroup * job.weights[b];
        s.total[b] += sums[b];
      }
      var values = s.total.map(function (v) { return v / job.done; });
      return {
        key: s.key, group: sums, values: values,
        welfare: job.exponents.map(function (p) { return pMean(values, p, job.weights); })
      };
    }
    onmessage = function (event) {
      var job = event.data, b = 0, t;
      job.blockOf = new Int32Array(job.T);
      for (t = 0; t < job.T; t++) {
        while (t >= job.edges[b + 1]) b++;
        job.blockOf[t] = b;
      }
      job.done = 0;
      job.series.forEach(function (s) {
        s.random = generator(s.seed);
        s.total = new Float64Array(job.weights.length);
      });
      newest = job;
      step(job);
    };
  }

  /** A worker for own arms. `heard` gets what it has measured so far for the newest job;
   * what still comes of older ones is dropped. */
  function simulator(heard) {
    var text = [generator, playRun, pmean.maths.pMean, serve].join("\n")
      + "\nserve(" + GROUPS + ", " + RUNS_IN_GROUP + ");";
    var address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    var worker = new Worker(address), id = 0;
    worker.onmessage = function (event) { if (event.data.id === id) heard(event.data); };
    return function (job) {
      id += 1;
      worker.postMessage(Object.assign({ id: id }, job));
    };
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

  return { RUNS: GROUPS * RUNS_IN_GROUP, simulator: simulator, measured: measured };
})();
