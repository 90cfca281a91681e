/* Simulations in workers, results streaming in; from the console `pmean.simulate(setting)`,
 * and the Python code that gives the same numbers, `pmean.snippet(setting)`. Needs the
 * parts before it: exact.js, maths.js, pcg.js, formula.js, engine.js; adds pmean.lab. */
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
        var one = { i: given.i, said: -Infinity, pause: PAUSE, asked: [] };
        try {
          one.simulation = engine.simulation(given.setting);
        } catch (error) { fail(one, error); }
        newest.series.push(one);
      });
      later();
    }
    function fail(one, error) {
      one.failed = error.message;
      one.asked.splice(0).forEach(function (request) { refuse(request, error.message); });
      postMessage({ id: newest.id, i: one.i, error: error.message, done: true });
    }
    function left(one) { return !one.failed && one.simulation.left() > 0; }

    /** Play for a while; say what has changed. */
    function slice(job) {
      if (!job) return;
      var start = performance.now(), open = job.series.filter(left);
      while (open.length && performance.now() - start < SLICE) {
        open.forEach(function (one) {
          try { one.simulation.step(); } catch (error) { fail(one, error); }
          if (left(one) ? one.said === -Infinity : !one.failed) say(one);
        });
        open = open.filter(left);
      }
      open.forEach(function (one) { if (performance.now() - one.said > one.pause) say(one); });
      var more = job.series.filter(answer).length;
      if (open.length || more) later();
    }
    /** The runs so far, by blocks of rounds. It may take no more than an eighth of the time. */
    function say(one) {
      var start = performance.now(), s = one.simulation, profile = s.profile(s.blocks);
      var values = engine.meansOf(profile), pulls = s.pulls();
      postMessage({
        id: newest.id, i: one.i, done: s.left() === 0, runs: s.runs(), n_runs: s.setting.n_runs,
        values: values, weights: profile.weights, edges: s.blocks, pulls: pulls,
        T_tilde: s.policy.T_tilde, profile: profile
      });
      one.said = performance.now();
      one.pause = Math.max(PAUSE, 8 * (one.said - start));
    }

    /** One piece of an answer to what was asked about a finished series; whether more is left.
     * Regrets of many exponents take a while: some at a time, so that a new job is heard. */
    function answer(one) {
      var request = one.asked[0], s = one.simulation;
      if (!request || one.failed || s.left()) return false;
      one.profile = one.profile || s.profile(null);
      if (request.what === "rounds") {
        reply(request, {
          mu_t: engine.meansOf(one.profile), pulls: s.pulls(), profile: one.profile,
          T_tilde: s.policy.T_tilde
        });
        one.asked.shift();
      } else {
        var rounds = one.profile.total.length * (one.profile.groups.length + 1);
        var some = Math.max(1, Math.floor(4e6 / rounds));
        request.found = (request.found || []).concat(
          engine.regrets(one.profile, request.ps.splice(0, some)));
        if (!request.ps.length) {
          reply(request, request.found);
          one.asked.shift();
        }
      }
      return one.asked.length > 0;
    }
    function reply(request, value) { postMessage({ request: request.request, value: value }); }
    function refuse(request, message) {
      postMessage({ request: request.request, refused: message });
    }

    onmessage = function (event) {
      var told = event.data;
      if (told.series) return begin(told);
      if (told.stop) {
        newest = null;
        return null;
      }
      var one = newest && newest.id === told.id
        ? newest.series.filter(function (s) { return s.i === told.i; })[0] : null;
      if (!one) return refuse(told, "dropped");
      if (one.failed) return refuse(told, one.failed);
      one.asked.push(told);
      return later();
    };
  }

  // ---- on the page -----------------------------------------------------------------------

  var address = null;
  function begin() {
    address = address || URL.createObjectURL(new Blob([
      "\"use strict\";\nvar pmean = {};\n"
      + pmean.part.texts.concat(String(serve)).map(function (text) {
        return "(" + text + ")(pmean);\n";
      }).join("")], { type: "text/javascript" }));
    return new Worker(address);
  }

  /** Workers that simulate what `start` is given; `heard` gets what they say of it. */
  function open(heard) {
    var workers = [], job = 0, requests = {}, count = 0;
    var most = Math.max(1, Math.min(MOST, navigator.hardwareConcurrency || 2));
    function worker(i) {
      var at = i % most;
      if (!workers[at]) {
        workers[at] = begin();
        workers[at].onmessage = listen;
      }
      return workers[at];
    }
    function listen(event) {
      var told = event.data, request = requests[told.request];
      if (request) {
        delete requests[told.request];
        if (told.refused) request.reject(new Error(told.refused));
        else request.resolve(told.value);
      } else if (told.id === job && heard) {
        told.job = told.id;
        delete told.id;
        heard(told);
      }
    }
    function drop() {
      Object.keys(requests).forEach(function (key) {
        requests[key].reject(new Error("dropped"));
        delete requests[key];
      });
    }
    function ask(i, question) {
      return new Promise(function (resolve, reject) {
        count += 1;
        requests[count] = { resolve: resolve, reject: reject };
        worker(i).postMessage(Object.assign({ id: job, i: i, request: count }, question));
      });
    }
    return {
      start: function (settings) {
        drop();
        job += 1;
        var shares = {};
        settings.forEach(function (setting, i) {
          (shares[i % most] = shares[i % most] || []).push({ i: i, setting: setting });
        });
        workers.forEach(function (w, at) { if (!shares[at]) w.postMessage({ stop: true }); });
        Object.keys(shares).forEach(function (at) {
          worker(Number(at)).postMessage({ id: job, series: shares[at] });
        });
        return job;
      },
      stop: function () {
        drop();
        job += 1;
        workers.forEach(function (w) { w.postMessage({ stop: true }); });
      },
      exact: function (i, ps) { return ask(i, { what: "exact", ps: Array.from(ps) }); },
      rounds: function (i) { return ask(i, { what: "rounds" }); },
      close: function () {
        drop();
        workers.forEach(function (w) { w.terminate(); });
        workers = [];
      }
    };
  }

  /** All runs of a setting: a promise of what the library's `simulate` gives for it. */
  function simulate(given) {
    return new Promise(function (resolve) { resolve(pmean.engine.check(given)); })
      .then(function (setting) {
        var lab = open(null);
        lab.start([setting]);
        return lab.rounds(0).then(function (found) {
          lab.close();
          return {
            mu_t: found.mu_t, pulls: found.pulls, T_tilde: found.T_tilde,
            regrets: function (ps) { return pmean.engine.regrets(found.profile, ps); }
          };
        }, function (error) {
          lab.close();
          throw error;
        });
      });
  }

  // ---- the same in Python ----------------------------------------------------------------

  function list(values) { return "[" + Array.from(values).join(", ") + "]"; }

  function instanceText(setting) {
    var arms = pmean.engine.instance(setting);
    if (arms.family === "bernoulli") return "pm.bernoulli(" + list(arms.mu) + ")";
    return "pm.uniform(" + list(arms.lower) + ", " + list(arms.upper) + ")";
  }

  /** The policy of a setting as a call; `own` is the name of the reader's index. */
  function policyText(setting, own) {
    var what = pmean.engine.POLICIES.filter(function (d) { return d.key === setting.policy; })[0];
    var plain = { width: what.width, order: "fixed", explore: "uniform" }, by = { hand: [] };
    var where = { T: "T", k: "instance.k", mu_star: "instance.mu_star", p: String(setting.p) };
    function text(name) {
      return name + "=" + (typeof setting[name] === "string" ? '"' + setting[name] + '"'
        : setting[name]);
    }
    function changed(name) {
      return what.asks.indexOf(name) >= 0 && setting[name] !== plain[name];
    }
    if (!what.python || setting.T_tilde !== null) {
      by.hand = ['"' + what.name + '"', what.python ? "pm." + what.index : own];
      if (what.width !== null) by.hand.push(text("width"));
      if (setting.T_tilde !== null) by.hand.push(text("T_tilde"));
      return "pm.Policy(" + by.hand.concat(["order", "explore"].filter(changed).map(text)).join(", ")
        + ")";
    }
    var takes = what.python[2], args = what.python[1].map(function (name) { return where[name]; });
    var call = "pm." + what.python[0] + "("
      + args.concat(takes.filter(changed).map(text)).join(", ") + ")";
    var more = ["width", "order", "explore"].filter(function (name) {
      return changed(name) && takes.indexOf(name) < 0;
    });
    return more.length ? "replace(" + [call].concat(more.map(text)).join(", ") + ")" : call;
  }

  /** The Python code whose profile has the same numbers; several settings: a dict of them. */
  function snippet(given) {
    var several = Array.isArray(given), settings = (several ? given : [given]).map(pmean.engine.check);
    var first = settings[0], indices = [], names = [], taken = {};
    var policies = settings.map(function (setting) {
      if (setting.policy !== "own") return policyText(setting);
      var parsed = pmean.formula.parse(setting.formula);
      var text = "(" + parsed.names.join(", ") + "):\n    return " + parsed.python, at = indices.indexOf(text);
      if (at < 0) at = indices.push(text) - 1;
      return policyText(setting, at ? "own_" + (at + 1) : "own");
    });
    settings.forEach(function (setting, i) {
      ["family", "T", "n_runs", "seed"].forEach(function (name) {
        if (setting[name] !== first[name] || instanceText(setting) !== instanceText(first)) {
          throw new Error("settings of one snippet must share arms, T, n_runs and seed, got "
            + name + " = " + setting[name] + " for policy " + i);
        }
      });
      var name = pmean.engine.policy(setting).name;
      taken[name] = (taken[name] || 0) + 1;
      names.push(taken[name] > 1 ? name + " " + taken[name] : name);
    });
    var lines = [];
    if (indices.join("").indexOf("math.") >= 0) lines.push("import math");
    if (policies.join("").indexOf("replace(") >= 0) lines.push("from dataclasses import replace");
    if (lines.length) lines.push("");
    lines.push("import pmeanlib as pm", "");
    indices.forEach(function (text, at) {
      lines.push("", "@pm.index", "def own" + (at ? "_" + (at + 1) : "") + text, "");
    });
    if (indices.length) lines.push("");
    lines.push("T = " + first.T, "instance = " + instanceText(first));
    var runs = ", T, n_runs=" + first.n_runs + ", rng=" + first.seed + ")";
    if (!several) {
      lines.push("policy = " + policies[0], "profile = pm.simulate(instance, policy" + runs);
    } else {
      lines.push("policies = {");
      policies.forEach(function (text, i) { lines.push('    "' + names[i] + '": ' + text + ","); });
      lines.push("}", "profiles = {", "    name: pm.simulate(instance, policy" + runs,
        "    for name, policy in policies.items()", "}");
    }
    return lines.join("\n") + "\n";
  }

  pmean.lab = { open: open };
  pmean.simulate = simulate;
  pmean.snippet = snippet;
})();
