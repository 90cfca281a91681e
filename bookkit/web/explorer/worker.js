/* Simulations in workers, results streaming in, and the Python program that gives the same
 * numbers, `pmean.snippet(settings)`. Needs the parts before it: exact.js, maths.js, pcg.js,
 * formula.js, engine.js; adds pmean.lab. */
(function () {
  "use strict";
  var MOST = 4; // workers

  // ---- in the worker ---------------------------------------------------------------------

  /** What a worker does: play the newest job that it was given, a run of each series in
   * turn. Between two slices of time it listens, and drops a job for a newer one. It goes
   * there as text, after the parts of the engine. */
  function serve(pmean) {
    var SLICE = 30, PAUSE = 60; // milliseconds of playing, and between two messages at least
    var engine = pmean.engine, channel = new MessageChannel(), newest = null;
    channel.port1.onmessage = function () { slice(newest); };
    function later() { channel.port2.postMessage(null); }

    function begin(job) {
      newest = { id: job.id, series: [] };
      job.series.forEach(function (given) {
        newest.series.push({
          i: given.i, simulation: engine.simulation(given.setting), said: -Infinity, pause: PAUSE
        });
      });
      later();
    }
    function left(one) { return !one.failed && one.simulation.left() > 0; }

    /** Play for a while; say what has changed. */
    function slice(job) {
      if (!job) return;
      var start = performance.now(), open = job.series.filter(left);
      while (open.length && performance.now() - start < SLICE) {
        open.forEach(play);
        open = open.filter(left);
      }
      open.forEach(function (one) { if (performance.now() - one.said > one.pause) say(one); });
      if (open.length) later();
    }
    /** One run; its first and its last are said at once. */
    function play(one) {
      try {
        one.simulation.step();
        if (!left(one) || one.said === -Infinity) say(one);
      } catch (error) {
        one.failed = true;
        postMessage({ job: newest.id, i: one.i, error: error.message });
      }
    }
    /** The runs so far, by blocks of rounds. It may take no more than an eighth of the time. */
    function say(one) {
      var start = performance.now(), s = one.simulation, profile = s.profile(s.blocks);
      postMessage({
        job: newest.id, i: one.i, done: s.left() === 0, runs: s.runs(),
        values: engine.meansOf(profile), weights: profile.weights, edges: s.blocks,
        pulls: s.pulls(), profile: profile
      });
      one.said = performance.now();
      one.pause = Math.max(PAUSE, 8 * (one.said - start));
    }
    /** The regret of a finished series at p, from every round. */
    function measure(told) {
      var one = newest.series.filter(function (s) { return s.i === told.i; })[0];
      one.profile = one.profile || one.simulation.profile(null);
      postMessage({ job: told.id, i: told.i, exact: engine.regrets(one.profile, [told.p])[0] });
    }

    onmessage = function (event) {
      var told = event.data;
      if (told.series) begin(told);
      else if (told.stop) newest = null;
      else if (newest && newest.id === told.id) measure(told);
    };
  }

  // ---- on the page -----------------------------------------------------------------------

  function newWorker() {
    var text = "\"use strict\";\nvar pmean = {};\n"
      + pmean.part.texts.concat(String(serve)).map(function (part) {
        return "(" + part + ")(pmean);\n";
      }).join("");
    return new Worker(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
  }

  /** Workers that simulate what `start` is given; `heard` gets what they say of it. */
  function open(heard) {
    var workers = [], job = 0, most = Math.max(1, Math.min(MOST, navigator.hardwareConcurrency || 2));
    function listen(event) { if (event.data.job === job) heard(event.data); }
    return {
      /** Drop what is being simulated for these settings; the number of the job. */
      start: function (settings) {
        var shares = [], at;
        job += 1;
        settings.forEach(function (setting, i) {
          (shares[i % most] = shares[i % most] || []).push({ i: i, setting: setting });
        });
        for (at = 0; at < Math.max(workers.length, shares.length); at++) {
          if (!workers[at]) {
            workers[at] = newWorker();
            workers[at].onmessage = listen;
          }
          workers[at].postMessage(shares[at] ? { id: job, series: shares[at] } : { stop: true });
        }
        return job;
      },
      /** Ask for the regret of finished setting i at p, from every single round. */
      exact: function (i, p) { workers[i % most].postMessage({ id: job, i: i, p: p }); }
    };
  }

  // ---- the same in Python ----------------------------------------------------------------

  function list(values) { return "[" + Array.from(values).join(", ") + "]"; }

  function instanceText(arms) {
    if (arms.family === "bernoulli") return "pm.bernoulli(" + list(arms.mu) + ")";
    return "pm.uniform(" + list(arms.lower) + ", " + list(arms.upper) + ")";
  }

  /** The policy of a setting as a call; `own` is the name of the reader's index. */
  function policyText(setting, own) {
    var engine = pmean.engine, made = engine.policy(setting), more = "";
    var what = engine.POLICIES.filter(function (d) { return d.key === made.key; })[0];
    var shuffled = made.order === "random" ? ', order="random"' : "";
    if (made.width !== pmean.maths.WIDTH) more = ", width=" + made.width;
    if (what.python && setting.T_tilde === undefined && (made.key === "ucb1" || !shuffled)) {
      return (what.python(setting) + more + shuffled + ")").replace("(, ", "(");
    }
    return 'pm.Policy("' + made.name + '", ' + (what.index || own) + more
      + (made.T_tilde ? ", T_tilde=" + made.T_tilde : "") + shuffled + ")";
  }

  /** The Python program whose profiles have the same numbers, for settings that differ in
   * their policies alone. */
  function snippet(settings) {
    var first = settings[0], indices = [], taken = {};
    var lines = ["import pmeanlib as pm", ""], policies = settings.map(function (setting) {
      var name = pmean.engine.policy(setting).name, own = "";
      if (setting.formula) {
        var parsed = pmean.formula.parse(setting.formula);
        var text = "(" + parsed.names.join(", ") + "):\n    return " + parsed.python;
        var at = indices.indexOf(text);
        if (at < 0) at = indices.push(text) - 1;
        own = "own_" + (at + 1);
      }
      taken[name] = (taken[name] || 0) + 1;
      return '    "' + name + (taken[name] > 1 ? " " + taken[name] : "") + '": '
        + policyText(setting, own) + ",";
    });
    if (indices.join("").indexOf("math.") >= 0) lines.unshift("import math", "");
    indices.forEach(function (text, at) {
      lines.push("", "@pm.index", "def own_" + (at + 1) + text, "");
    });
    return lines.concat([
      "", "T = " + first.T, "instance = " + instanceText(pmean.engine.instance(first)),
      "policies = {"], policies, ["}", "profiles = {",
      "    name: pm.simulate(instance, policy, T, n_runs=" + first.n_runs + ", rng=" + first.seed + ")",
      "    for name, policy in policies.items()", "}"]).join("\n") + "\n";
  }

  pmean.lab = { open: open };
  pmean.snippet = snippet;
})();
