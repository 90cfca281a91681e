/* The library's engine in the browser: the same instances, policies and loop over rounds as
 * pmeanlib.kernel and pmeanlib.engine, the same draws in the same order, the same ties and
 * the same sums; and the measured regret of pmeanlib.welfare. What is drawn here is drawn
 * there, bit for bit. Needs maths.js, pcg.js and formula.js; adds pmean.engine. */
pmean.part(function (pmean) {
  "use strict";
  var log = pmean.exact.log, maths = pmean.maths, WIDTH = maths.WIDTH;
  var GROUPS = 32, DOUBT = 0.125; // as in pmeanlib.engine and pmeanlib.welfare
  var FINE = 500, GROWTH = 1.01; // blocks of rounds, as the extension `explorer` has them
  var UCB = 0, NCB = 1, OWN = 2; // indices

  /** The paper's T~ in whole rounds; it may exceed T. */
  function period(T, k, p) { return Math.max(1, Math.ceil(maths.period(T, k, p))); }

  // What each policy is: its index here and in Python, what makes it, how it explores.
  var POLICIES = [{
    key: "ucb1", name: "UCB1", title: "UCB1: every arm once, then the highest bound",
    rule: UCB, index: "pm.ucb_index", python: function () { return "pm.ucb1("; },
    period: function () { return 0; }
  }, {
    key: "eucb", name: "EUCB", title: "Explore-Then-UCB, the paper's algorithm for p",
    rule: UCB, index: "pm.ucb_index",
    python: function (s) { return "pm.explore_then_ucb(T, instance.k, " + s.p; },
    period: function (s, k) { return period(s.T, k, s.p); }
  }, {
    key: "ncb", name: "NCB", title: "Nash Confidence Bound",
    rule: NCB, index: "pm.ncb_index", python: function () { return "pm.ncb(T, instance.k"; },
    period: function (s, k) { return period(s.T, k, 0); }
  }, {
    key: "own", name: "own", title: "An index of your own",
    rule: OWN, python: null, period: function () { return 0; }
  }];

  // ---- instances -------------------------------------------------------------------------

  /** k arms: what they pay on average, and the ends of uniform rewards, as far from the
   * means as [0, 1] lets both of them be. */
  function instance(given) {
    var made = { family: given.family, mu: Float64Array.from(given.means) };
    if (made.family === "uniform") {
      made.lower = made.mu.map(function (v) { return v - Math.min(v, 1 - v); });
      made.upper = made.mu.map(function (v) { return Math.min(1, v + Math.min(v, 1 - v)); });
      made.mu = made.lower.map(function (v, i) { return (v + made.upper[i]) / 2; });
    }
    made.k = made.mu.length;
    made.mu_star = Math.max.apply(null, made.mu);
    made.best = made.mu.indexOf(made.mu_star);
    return made;
  }

  /** The sum of a few numbers in NumPy's order: eight partial sums from eight on. */
  function sum(x) {
    var n = x.length, r = [], total = 0, i = 0, j;
    if (n >= 8) {
      for (j = 0; j < 8; j++) r.push(x[j]);
      for (i = 8; i < n - (n % 8); i += 8) for (j = 0; j < 8; j++) r[j] += x[i + j];
      total = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
    }
    for (; i < n; i++) total += x[i];
    return total;
  }

  /** The mean as numba takes it, one number after the other. */
  function plainMean(x) {
    return x.reduce(function (a, b) { return a + b; }, 0) / x.length;
  }

  /** The policy of a setting: the library's, as an object. */
  function policy(setting) {
    var what = POLICIES.filter(function (d) { return d.key === setting.policy; })[0];
    var asked = setting.T_tilde ?? what.period(setting, setting.means.length);
    return {
      key: what.key, name: what.name, rule: what.rule, width: setting.width ?? WIDTH,
      order: setting.order || "fixed", T_tilde: Math.min(asked, setting.T), capped: asked > setting.T,
      formula: what.rule === OWN ? pmean.formula.parse(setting.formula) : null
    };
  }

  // ---- one run ---------------------------------------------------------------------------

  /** log 0, log 1, ..., as far as asked for: the round's number has few values. */
  var logs = new Float64Array(0);
  function logsUpTo(n) {
    var known = logs.length;
    if (n >= known) {
      var more = new Float64Array(Math.max(n + 1, 2 * known));
      more.set(logs);
      for (var i = known; i < more.length; i++) more[i] = log(i);
      logs = more;
    }
    return logs;
  }

  /** A table to play at: what a policy needs on an instance for T rounds, made once. */
  function table(arms, made, T) {
    var k = arms.k, bernoulli = arms.family === "bernoulli";
    return {
      arms: new Int32Array(T), rewards: null, pulls: new Int32Array(k), total: new Float64Array(k),
      value: new Float64Array(k), seen: new Int32Array(k), bound: new Float64Array(k),
      k: k, T: T, policy: made, rule: made.rule, width: made.width, logT: log(T),
      formula: made.formula, given: Float64Array.of(0, 0, log(T), made.width, 0, k),
      logs: logsUpTo(T + 1), bernoulli: bernoulli,
      low: bernoulli ? arms.mu : arms.lower,
      range: bernoulli ? arms.mu : arms.upper.map(function (v, j) { return v - arms.lower[j]; }),
      rng: new pmean.pcg.Generator(0)
    };
  }

  /** The index of an arm that has paid s in n pulls; an error if that is no number. */
  function ask(game, s, n, logt) {
    var mean = s / n, v;
    if (game.rule === UCB) v = mean + game.width * Math.sqrt(game.logT / n);
    else if (game.rule === NCB) v = mean + game.width * Math.sqrt(Math.max(mean, 0) * game.logT / n);
    else {
      game.given[0] = mean; // in the order of formula.js
      game.given[1] = n;
      game.given[4] = logt;
      v = game.formula.value(game.given);
    }
    if (v !== v) throw wrong(game, "must be a number, got nan", s, n);
    return v;
  }
  function wrong(game, domain, s, n) {
    return new Error("the index of " + game.policy.name + " " + domain + " at mu_hat = "
      + Number((s / n).toPrecision(6)) + ", pulls = " + n);
  }

  /** What arm i pays. */
  function draw(game, i) {
    var u = game.rng.random();
    if (game.bernoulli) return u <= game.low[i] ? 1 : 0;
    return game.low[i] + game.range[i] * u;
  }

  /** Pull arm i in round t, outside of the search for the highest index. */
  function pull(game, t, i, mark) {
    var x = draw(game, i);
    game.pulls[i] += 1;
    game.total[i] += x;
    game.arms[t] = mark;
    if (game.rewards) game.rewards[t] = x;
  }

  /** Fisher and Yates, from the top. */
  function shuffle(rng, order) {
    for (var j = order.length - 1; j > 0; j--) {
      var other = rng.below(j + 1), kept = order[j];
      order[j] = order[other];
      order[other] = kept;
    }
  }

  /** Play T rounds into game.arms (and game.rewards); in exploration rounds ~i for i. */
  function playRun(game) {
    var T = game.T, never = [], t, i;
    game.pulls.fill(0);
    game.total.fill(0);
    for (t = 0; t < game.policy.T_tilde; t++) {
      i = game.rng.below(game.k);
      pull(game, t, i, ~i);
    }
    for (i = 0; i < game.k; i++) if (game.pulls[i] === 0) never.push(i);
    if (game.policy.order === "random") shuffle(game.rng, never);
    for (i = 0; i < never.length && t < T; i++) pull(game, t++, never[i], never[i]);
    follow(game, t);
  }

  /** The arm of highest index from round t on.
   *
   * An index may grow with time, so its value at the end of a window of rounds bounds it:
   * only arms whose bounds exceed the best value are looked at, and a window is longer the
   * fewer these were in the last. Only the arm just pulled changes its index otherwise, so
   * it is played on, without a search, until it falls below the runner-up. */
  function follow(game, t) {
    var k = game.k, T = game.T, value = game.value, pulls = game.pulls, total = game.total;
    var logs = game.logs, arms = game.arms, rewards = game.rewards, seen = game.seen;
    var bound = game.bound, looked = 0, began = t - (k >> 1), window = t, logEnd = 0, i, j;
    while (t < T) {
      if (t === window || looked > k) {
        var length = looked <= (k >> 1) ? 2 * (t - began) : Math.floor((t - began) / 2);
        window = Math.min(t + Math.max(length, 1), T);
        began = t;
        looked = 0;
        logEnd = logs[window];
        for (i = 0; i < k; i++) value[i] = ask(game, total[i], pulls[i], logEnd);
      }
      var highest = -Infinity, count = 0, best = -1, rival = k, second = -Infinity;
      while (count < k) {
        rival = 0;
        for (i = 1; i < k; i++) if (value[i] > value[rival]) rival = i;
        second = value[rival];
        if (count && (second < highest || (second === highest && rival > best))) break;
        var s = total[rival], n = pulls[rival], v = ask(game, s, n, logs[t + 1]);
        if (v > second) throw wrong(game, "must be a number that never falls with t", s, n);
        if (best < 0 || v > highest || (v === highest && rival < best)) {
          best = rival;
          highest = v;
        }
        seen[count] = rival;
        bound[count] = second;
        value[rival] = -Infinity;
        count += 1;
      }
      for (j = 0; j < count; j++) value[seen[j]] = bound[j];
      looked += count - 1;
      var stop = count === 1 ? window : t + 1;
      n = pulls[best];
      s = total[best];
      v = Infinity;
      while (t < stop && (v > second || (v === second && best < rival))) {
        var x = draw(game, best);
        n += 1;
        s += x;
        arms[t] = best;
        if (rewards !== null) rewards[t] = x;
        t += 1;
        v = ask(game, s, n, logs[t + 1]);
      }
      pulls[best] = n;
      total[best] = s;
      value[best] = ask(game, s, n, logEnd);
    }
  }

  // ---- one run to look at ----------------------------------------------------------------

  /** Run number `run` of a simulation, to be stepped through. */
  function trace(setting, run) {
    var T = setting.T, game = table(instance(setting), policy(setting), T);
    game.rewards = new Float64Array(T);
    game.rng.seed(setting.seed, run);
    playRun(game);
    return {
      arms: game.arms.map(function (i) { return i < 0 ? ~i : i; }), rewards: game.rewards,
      explored: game.policy.T_tilde, T: T,
      at: function (round) { return stateAt(game, round); }
    };
  }

  /** What the policy knew before round t. */
  function stateAt(game, t) {
    var k = game.k, pulls = new Float64Array(k), total = new Float64Array(k), arm = null, i, r;
    for (r = 0; r < t; r++) {
      i = game.arms[r] < 0 ? ~game.arms[r] : game.arms[r];
      pulls[i] += 1;
      total[i] += game.rewards[r];
    }
    if (t < game.T) arm = game.arms[t];
    return {
      pulls: pulls, mu_hat: total.map(function (s, j) { return s / pulls[j]; }),
      index: total.map(function (s, j) {
        return pulls[j] ? ask(game, s, pulls[j], game.logs[t + 1]) : Infinity;
      }),
      phase: arm !== null && arm < 0 ? "explore" : pulls.indexOf(0) >= 0 ? "first" : "index",
      arm: arm !== null && arm < 0 ? ~arm : arm, reward: arm === null ? null : game.rewards[t]
    };
  }

  // ---- many runs -------------------------------------------------------------------------

  /** Where blocks of rounds begin, and T: single rounds, then 1 % longer each. No block
   * has rounds on both sides of `cut`, the end of an exploration, if that is given. */
  function edges(T, cut) {
    var ends = [], last = 0;
    for (; last <= Math.min(FINE, T); last++) ends.push(last);
    last -= 1;
    while (last < T) {
      last = Math.min(T, Math.floor(last * GROWTH));
      ends.push(last);
    }
    if (cut > 0 && cut < T && ends.indexOf(cut) < 0) ends.push(cut);
    return Int32Array.from(ends).sort();
  }

  /** How many first rounds have a known expectation; whether it is the average mean. */
  function knownRounds(arms, made, T) {
    if (made.T_tilde) return { rounds: made.T_tilde, average: true };
    return { rounds: Math.min(arms.k, T), average: made.order === "random" };
  }

  /** Add up what each round expects: the average mean where an arm came by chance. */
  function tally(arms, mu, total, pulls) {
    var average = plainMean(mu), t;
    for (t = 0; t < arms.length; t++) {
      var i = arms[t];
      total[t] += i < 0 ? average : mu[i];
      pulls[i < 0 ? ~i : i] += 1;
    }
  }

  /** A simulation that is played run by run: `step` plays one, as long as `left` says so.
   *
   * A run belongs to one of up to 32 groups, and the runs of a group are added up in order,
   * so the groups can take turns: after 32 runs there is an error bar. */
  function simulation(setting) {
    var arms = instance(setting), made = policy(setting);
    var T = setting.T, n = setting.n_runs, count = Math.min(GROUPS, n), done = 0, groups = [];
    var game = table(arms, made, T), known = knownRounds(arms, made, T), g, first = 0;
    for (g = 0; g < count; g++) {
      var size = Math.floor(n / count) + (g < n % count ? 1 : 0);
      groups.push({ first: first, runs: 0, total: null, pulls: new Float64Array(arms.k) });
      first += size;
    }
    function step() {
      var group = groups[done % count]; // the longer groups come first
      group.total = group.total || new Float64Array(T);
      game.rng.seed(setting.seed, group.first + group.runs);
      playRun(game);
      tally(game.arms, arms.mu, group.total, group.pulls);
      group.runs += 1;
      done += 1;
    }
    function played() { return groups.filter(function (group) { return group.runs; }); }
    function pulls() {
      var sums = new Float64Array(arms.k);
      played().forEach(function (group) {
        group.pulls.forEach(function (v, i) { sums[i] += v; });
      });
      return sums.map(function (v) { return v / done; });
    }
    /** The profile of the runs so far: of blocks of rounds, or of every round. The groups of
     * the latter are the simulation's own: 32 T doubles are not kept twice. */
    function profile(blocks) {
      var mean = sum(arms.mu) / arms.k, all = played(), parts = all.map(function (group) {
        var total = group.total;
        if (known.average) total.fill(group.runs * mean, 0, known.rounds);
        return blocks ? averages(total, blocks) : total;
      });
      var total = new Float64Array(blocks ? blocks.length - 1 : T), until = known.rounds;
      parts.forEach(function (part) {
        for (var t = 0; t < total.length; t++) total[t] += part[t];
      });
      if (blocks) until = blocks.filter(function (end) { return end && end <= known.rounds; }).length;
      if (known.average) total.fill(done * mean, 0, until);
      return {
        mu_star: arms.mu_star, n_runs: done, known: until, total: total, groups: parts,
        sizes: all.map(function (group) { return group.runs; }),
        weights: blocks ? lengths(blocks) : null
      };
    }
    return {
      step: step, pulls: pulls, profile: profile,
      runs: function () { return done; }, left: function () { return n - done; },
      blocks: edges(T, known.rounds)
    };
  }
  function lengths(blocks) {
    var found = new Float64Array(blocks.length - 1);
    for (var b = 0; b < found.length; b++) found[b] = blocks[b + 1] - blocks[b];
    return found;
  }
  /** The average of each block of rounds. */
  function averages(x, blocks) {
    var found = new Float64Array(blocks.length - 1), b, t;
    for (b = 0; b < found.length; b++) {
      for (t = blocks[b]; t < blocks[b + 1]; t++) found[b] += x[t];
      found[b] /= blocks[b + 1] - blocks[b];
    }
    return found;
  }

  /** E[mu_{I_t}] of every round (or block). */
  function meansOf(profile) {
    return profile.total.map(function (v) { return Math.min(v / profile.n_runs, profile.mu_star); });
  }

  // ---- the measured regret, as pmeanlib.welfare has it ------------------------------------

  function regretsOf(x, profile, ps) {
    return maths.logMeans(x, profile.weights, profile.mu_star, ps).map(function (v) {
      return -profile.mu_star * Math.expm1(v);
    });
  }

  /** Delete-a-group jackknife for groups of any sizes. */
  function jackknife(plugIn, leftOut, sizes) {
    var n = sum(sizes), value, squares;
    value = plugIn + sum(sizes.map(function (size, g) {
      return (1 - 1 / (n / size)) * (plugIn - leftOut[g]);
    }));
    squares = sum(sizes.map(function (size, g) {
      var h = n / size, pseudo = h * plugIn - (h - 1) * leftOut[g];
      return (pseudo - value) * (pseudo - value) / (h - 1);
    }));
    return { value: value, standard_error: Math.sqrt(squares / sizes.length) };
  }

  /** sqrt(sum (s_t v_t)^2) over the rounds that are not known: welfare._bias. */
  function bias(profile, mean, variance, q) {
    var low = mean.reduce(function (a, b) { return Math.min(a, b); }), shares = 0, squares = 0, t;
    for (t = 0; t < mean.length; t++) {
      var share = Math.exp((1 - q) * Math.log(mean[t] / low));
      if (profile.weights) share *= profile.weights[t];
      shares += share;
      if (t >= profile.known) {
        var unseen = (profile.mu_star - mean[t]) / profile.n_runs;
        var part = share * (variance[t] + unseen * unseen) / (mean[t] * mean[t]);
        squares += part * part;
      }
    }
    return Math.sqrt(squares) / shares;
  }

  /** How uncertain the bias is, in units of the standard error. */
  function doubtOf(profile, mean, variance, p, plugIn, error) {
    if (profile.known === mean.length
      || (p <= 0 && mean.subarray(0, profile.known).indexOf(0) >= 0)) return 0; // it is exact
    if (error < 1e-9) return Infinity; // all runs alike: nothing was seen to vary
    var q = Math.min(1 - p, 1e9), noise = q / 2 * bias(profile, mean, variance, q);
    var doubt = (profile.mu_star - plugIn) * noise / error;
    return doubt >= 0 ? doubt : Infinity; // a round without any reward: nan
  }

  /** The regret of a profile at each exponent, with its error bar and whether to trust it. */
  function regrets(profile, ps) {
    var mean = meansOf(profile), n = profile.n_runs, star = profile.mu_star;
    var plugIns = regretsOf(mean, profile, ps), variance = new Float64Array(mean.length);
    var several = profile.groups.length > 1, x = new Float64Array(mean.length);
    var left = !several ? [] : profile.groups.map(function (group, g) {
      var size = profile.sizes[g], scale = n / size - 1, t;
      for (t = 0; t < x.length; t++) {
        x[t] = Math.min(Math.max((profile.total[t] - group[t]) / (n - size), 0), star);
        variance[t] += scale * ((x[t] - mean[t]) * (x[t] - mean[t]));
      }
      return regretsOf(x, profile, ps);
    });
    variance.forEach(function (v, t) { variance[t] = v / Math.max(left.length, 1); });
    return ps.map(function (p, j) {
      var plugIn = plugIns[j], found = { p: p, plug_in: plugIn, n_runs: n, n_groups: left.length };
      var column = left.map(function (row) { return row[j]; });
      Object.assign(found, several ? jackknife(plugIn, column, profile.sizes)
        : { value: plugIn, standard_error: NaN });
      found.doubt = several
        ? doubtOf(profile, mean, variance, p, plugIn, found.standard_error) : Infinity;
      if (several && Math.max.apply(null, column) >= star && star > plugIn) {
        found.doubt = Math.max(found.doubt, 10 * DOUBT); // it lives on one group's reward
      }
      found.trusted = found.doubt <= DOUBT;
      var more = found.doubt / DOUBT;
      found.runs_needed = found.trusted ? n : Math.ceil(n * Math.min(100, more * more));
      return found;
    });
  }

  pmean.engine = {
    POLICIES: POLICIES, instance: instance, policy: policy, trace: trace,
    simulation: simulation, meansOf: meansOf, regrets: regrets
  };
});
