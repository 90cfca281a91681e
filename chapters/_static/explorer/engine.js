/* The library's engine in the browser: the same instances, policies and loop over rounds as
 * pmeanlib.kernel and pmeanlib.engine, the same draws in the same order, the same ties and
 * the same sums; and the measured regret of pmeanlib.welfare. What is drawn here is drawn
 * there, bit for bit. Needs maths.js, pcg.js and formula.js; adds pmean.engine. */
pmean.part(function (pmean) {
  "use strict";
  var log = pmean.exact.log, maths = pmean.maths, SIZE = pmean.pcg.Generator.SIZE;
  var WIDTH = maths.WIDTH, DEVIATION = maths.DEVIATION;
  var GROUPS = 32, DOUBT = 0.125; // as in pmeanlib.engine and pmeanlib.welfare
  var FINE = 500, GROWTH = 1.01; // blocks of rounds, as the extension `explorer` has them

  // ---- bad input: the symbol, its domain, the value --------------------------------------

  function refuse(name, domain, value) {
    var text = typeof value === "string" ? "'" + value + "'" : String(value);
    throw new Error(name + " must be " + domain + ", got " + text.slice(0, 80));
  }
  function real(name, value, low, high) {
    if (typeof value === "number" && low <= value && value <= high) return value;
    return refuse(name, "a number in [" + low + ", " + high + "]", value);
  }
  function whole(name, value, low, high) {
    if (typeof value === "number" && value % 1 === 0 && low <= value && value <= high) return value;
    return refuse(name, "a whole number in [" + low + ", " + high + "]", value);
  }
  function choice(name, value, options) {
    if (options.indexOf(value) >= 0) return value;
    return refuse(name, "one of " + options.join(", "), value);
  }
  function reals(name, values, length) {
    if (!values || typeof values !== "object" || !(values.length >= 2 && values.length <= 100)) {
      refuse(name, "a list of 2 to 100 numbers", values);
    }
    if (length && values.length !== length) {
      refuse(name, "a list of " + length + " numbers", "a list of " + values.length);
    }
    return Float64Array.from(values, function (v) { return real("every number of " + name, v, 0, 1); });
  }

  // ---- instances -------------------------------------------------------------------------

  var FAMILIES = ["bernoulli", "uniform"];

  /** The ends of uniform arms: as given, or as far from the means as `spread` says and [0, 1]
   * lets both of them be. */
  function ends(given) {
    if (given.lower !== undefined || given.upper !== undefined) {
      var low = reals("lower", given.lower);
      return { lower: low, upper: reals("upper", given.upper, low.length) };
    }
    var mu = reals("means", given.means), spread = given.spread, lower = [], upper = [];
    if (spread === undefined || spread === null) spread = 1;
    mu.forEach(function (v, i) {
      var asked = real("spread", typeof spread === "object" ? spread[i] : spread, 0, 1);
      var each = Math.min(asked, v, 1 - v);
      lower.push(v - each);
      upper.push(Math.min(1, v + each));
    });
    return { lower: Float64Array.from(lower), upper: Float64Array.from(upper) };
  }

  /** k arms: what they pay on average, and the ends of their rewards. */
  function instance(given) {
    var family = choice("family", given.family, FAMILIES), made = { family: family };
    if (family === "bernoulli") made.mu = reals("means", given.means);
    else {
      Object.assign(made, ends(given));
      made.mu = made.lower.map(function (v, i) {
        if (v > made.upper[i]) refuse("lower", "at most upper for arm " + i, v);
        return (v + made.upper[i]) / 2;
      });
    }
    made.k = made.mu.length;
    made.mu_star = made.mu.reduce(function (a, b) { return Math.max(a, b); });
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

  // ---- policies --------------------------------------------------------------------------

  var UCB = 0, NCB = 1, GREEDY = 2, AUER = 3, MOSS = 4, KL = 5, OWN = 6;
  var RICH = 7, WELFARE = 8; // rules that end an exploration
  var EXPLORATIONS = ["uniform", "permutations", "cycle"], ORDERS = ["fixed", "random"];

  /** The paper's T~ in whole rounds; it may exceed T. */
  function period(T, k, p) { return Math.max(1, Math.ceil(maths.period(T, k, p))); }
  /** What Theorem U asks of T~, in whole rounds. */
  function enough(T, arms, width) {
    return Math.ceil(maths.leastExploration(T, arms.k, arms.mu_star, width));
  }
  /** The last round and the length of each epoch of a doubling, up to T. */
  function epochs(T) {
    var found = [], end = 2, length = 2;
    do {
      found.push([end, length]);
      length *= 2;
      end += length;
    } while (found[found.length - 1][0] < T);
    return found;
  }

  // What each policy is: its rule, what may be set, and how it explores. `python` makes it.
  var POLICIES = [{
    key: "ucb1", name: "UCB1", title: "UCB1: every arm once, then the highest bound",
    rule: UCB, width: WIDTH, asks: ["width", "order", "T_tilde", "explore"],
    index: "ucb_index", python: ["ucb1", [], ["width", "order"]]
  }, {
    key: "eucb", name: "EUCB", title: "Explore-Then-UCB, the paper's algorithm for p",
    rule: UCB, width: WIDTH, asks: ["width", "p", "order", "T_tilde", "explore"],
    period: function (s, a) { return period(s.T, a.k, s.p); },
    index: "ucb_index", python: ["explore_then_ucb", ["T", "k", "p"], ["width"]]
  }, {
    key: "eucb-unified", name: "EUCB-U", title: "Explore-Then-UCB as Theorem U asks",
    rule: UCB, width: WIDTH, asks: ["width", "order", "T_tilde", "explore"],
    period: function (s, a) {
      real("width", s.width, DEVIATION, 1e9);
      real("the highest of means", a.mu_star, 1e-100, 1);
      return enough(s.T, a, s.width);
    },
    index: "ucb_index", python: ["explore_enough", ["T", "k", "mu_star"], ["width"]]
  }, {
    key: "ncb", name: "NCB", title: "Nash Confidence Bound",
    rule: NCB, width: WIDTH, asks: ["width", "order", "T_tilde", "explore"],
    period: function (s, a) { return period(s.T, a.k, 0); },
    index: "ncb_index", python: ["ncb", ["T", "k"], ["width"]]
  }, {
    key: "greedy", name: "greedy", title: "Greedy: the highest mean so far",
    rule: GREEDY, width: null, asks: ["order", "T_tilde", "explore"],
    index: "greedy_index", python: ["greedy", [], ["order"]]
  }, {
    key: "moss", name: "MOSS", title: "MOSS: no bonus after T/k pulls",
    rule: MOSS, width: null, asks: ["order", "T_tilde", "explore"],
    index: "moss_index", python: ["moss", [], ["order"]]
  }, {
    key: "auer", name: "Auer", title: "UCB1 of Auer et al., with log t",
    rule: AUER, width: null, asks: ["order", "T_tilde", "explore"],
    index: "auer_index", python: ["auer", [], ["order"]]
  }, {
    key: "kl-ucb", name: "KL-UCB", title: "KL-UCB for Bernoulli rewards",
    rule: KL, width: DEVIATION, asks: ["width", "order", "T_tilde", "explore"],
    index: "kl_ucb_index", python: ["kl_ucb", [], ["order"]]
  }, {
    key: "modified-ncb", name: "Modified NCB", title: "NCB after an arm has paid enough",
    rule: NCB, width: null, asks: ["order"], given: 6 * Math.sqrt(2), stop: RICH,
    level: function () { return 3780; },
    period: function (s) { return Math.ceil(3780 * log(s.T)); },
    python: ["modified_ncb", ["T"], []]
  }, {
    key: "rr-ncb", name: "RR-NCB", title: "Modified NCB that explores round and round",
    rule: NCB, width: null, asks: ["order"], given: 6 * Math.sqrt(2), stop: RICH,
    explore: "cycle", level: function () { return 3780; },
    period: function (s) { return Math.ceil(3780 * log(s.T)); },
    python: ["rr_ncb", ["T"], []]
  }, {
    key: "welfarist", name: "Welfarist-UCB", title: "Welfarist-UCB for p",
    rule: UCB, width: null, asks: ["p", "order"], given: Math.sqrt(8) * 0.5, stop: WELFARE,
    explore: "permutations",
    level: function (s) { var a = Math.max(1, -s.p) * 0.5; return 800 * (a * a); },
    period: function (s) { return Math.ceil(this.level(s) * log(s.T)); },
    python: ["welfarist", ["T", "p"], []]
  }, {
    key: "hare", name: "UCB-HARE", title: "UCB-HARE: explores beside its best lower bound",
    rule: UCB, width: null, asks: ["order"], explore: "anchored", level: function () { return 16; },
    wide: function (s, a) { return 0.5 * Math.sqrt(2 * (log(8 * a.k * (s.T * s.T)) / log(s.T))); },
    python: ["hare", ["T", "k"], []]
  }, {
    key: "doubling", name: "doubling", title: "The paper's algorithm, begun afresh",
    rule: UCB, width: WIDTH, asks: ["width", "p", "order"],
    stages: function (s, a) {
      return epochs(s.T).map(function (e) {
        return { end: e[0], explore: period(e[1], a.k, s.p), clock: e[1], forget: true };
      });
    },
    python: ["doubling", ["k", "p"], ["width"]]
  }, {
    key: "anytime", name: "anytime", title: "Theorem D: new exploration at each doubling",
    rule: UCB, width: WIDTH, asks: ["width", "order"],
    stages: function (s, a) {
      var done = 0;
      real("width", s.width, DEVIATION, 1e9);
      real("the highest of means", a.mu_star, 1e-100, 1);
      return epochs(s.T).map(function (e) {
        var more = Math.min(enough(e[0], a, s.width) - done, e[1]);
        done += more;
        return { end: e[0], explore: more, clock: e[0], forget: false };
      });
    },
    python: ["anytime", ["k", "mu_star"], ["width"]]
  }, {
    key: "thinning", name: "thinning", title: "Auer's UCB1, explored ever more rarely",
    rule: AUER, width: null, asks: [], order: "random",
    stages: function (s, a) {
      var rounds = [], found = [], m, r;
      for (m = 1; m * m <= a.k * s.T; m++) {
        r = Math.ceil(m * m / a.k);
        if (r !== rounds[rounds.length - 1]) rounds.push(r);
      }
      for (m = 1; m <= rounds.length; m++) {
        r = m < rounds.length ? rounds[m] - 1 : s.T;
        found.push({ end: r, explore: 1, clock: r, forget: false });
      }
      return found;
    },
    python: ["thinning", ["T", "k"], []]
  }, {
    key: "own", name: "own", title: "An index of your own",
    rule: OWN, width: WIDTH, asks: ["formula", "width", "order", "T_tilde", "explore"],
    index: "own", python: null
  }];

  function described(key) {
    choice("policy", key, POLICIES.map(function (d) { return d.key; }));
    return POLICIES.filter(function (d) { return d.key === key; })[0];
  }

  /** A setting with all that was left out, checked. */
  function check(given) {
    if (!given || typeof given !== "object") refuse("a setting", "an object", given);
    var what = described(given.policy === undefined ? "ucb1" : given.policy);
    function asked(name) { return what.asks.indexOf(name) >= 0; }
    function or(value, other) { return value === undefined || value === null ? other : value; }
    var made = Object.assign({}, given, { policy: what.key });
    made.family = or(given.family, "bernoulli");
    made.T = whole("T", given.T, 2, 1e6);
    made.n_runs = whole("n_runs", or(given.n_runs, 1), 1, 1e6);
    made.seed = whole("seed", or(given.seed, 0), 0, 9007199254740991);
    made.width = asked("width") ? real("width", or(given.width, what.width), 0, 1e9) : null;
    made.p = asked("p") ? real("p", or(given.p, 0), -1e9, 1) : null;
    made.order = asked("order") ? choice("order", or(given.order, "fixed"), ORDERS)
      : what.order;
    made.explore = asked("explore")
      ? choice("explore", or(given.explore, "uniform"), EXPLORATIONS) : what.explore || "uniform";
    made.T_tilde = asked("T_tilde") && or(given.T_tilde, null) !== null
      ? whole("T_tilde", given.T_tilde, 0, made.T) : null;
    made.formula = asked("formula") ? given.formula : null;
    instance(made);
    if (asked("formula")) {
      var parsed = pmean.formula.parse(made.formula);
      if (!parsed.ok) {
        throw new Error("formula must be an index: " + parsed.error.message + " (character "
          + (parsed.error.at + 1) + ")");
      }
    }
    return made;
  }

  /** The policy of a checked setting, for its instance: the library's, as an object. */
  function make(setting, arms) {
    var what = described(setting.policy), rule = what.rule, width = setting.width, asked = 0;
    if (width === null) width = what.wide ? what.wide(setting, arms) : what.given || WIDTH;
    var stages = what.stages ? what.stages(setting, arms) : null;
    if (setting.T_tilde !== null) asked = setting.T_tilde;
    else if (what.period) asked = what.period(setting, arms);
    var parsed = rule === OWN ? pmean.formula.parse(setting.formula) : null;
    return {
      key: what.key, name: what.name, rule: rule, width: width, order: setting.order,
      explore: setting.explore, T_tilde: Math.min(asked, setting.T), period: asked,
      capped: asked > setting.T, stages: stages, stop: what.stop || -1,
      level: what.level ? what.level(setting) : 1, formula: parsed,
      grows: rule === AUER || (parsed !== null && parsed.names.indexOf("log_t") >= 0)
    };
  }
  function policy(given) {
    var setting = check(given);
    return make(setting, instance(setting));
  }

  // ---- rules -----------------------------------------------------------------------------

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

  /** The largest q with n d(m, q) <= 2 width^2 log T, by Newton's method. */
  function klIndex(mean, n, logT, width) {
    var m = Math.min(Math.max(mean, 0), 1), target = 2 * (width * width) * logT / n;
    if (m === 0) return -Math.expm1(-target);
    if (m === 1) return m;
    var entropy = -m * log(m) - (1 - m) * Math.log1p(-m), step = 1;
    var q = Math.min(m + Math.sqrt(target / 2), -Math.expm1(-(target + entropy) / (1 - m)));
    while (step > 1e-14 && m < q && q < 1) {
      var d = -entropy - m * log(q) - (1 - m) * Math.log1p(-q);
      step = (d - target) * q * (1 - q) / (q - m);
      q -= step;
    }
    return Math.min(Math.max(q, m), 1);
  }

  /** What `rule` says about an arm that has paid s in n pulls; an error if no number. */
  function ask(game, rule, s, n, logt) {
    var mean = s / n, v = mean, given, b;
    switch (rule) {
      case UCB: v = mean + game.width * Math.sqrt(game.logT / n); break;
      case NCB: v = mean + game.width * Math.sqrt(Math.max(mean, 0) * game.logT / n); break;
      case AUER: v = mean + Math.sqrt(2 * logt / n); break;
      case MOSS:
        v = mean + Math.sqrt(Math.max(0, game.logT - game.logKn[n]) / n);
        break;
      case KL: v = klIndex(mean, n, game.logT, game.width); break;
      case RICH: v = mean * n > game.level * game.logT ? 1 : 0; break;
      case WELFARE:
        b = game.width * Math.sqrt(game.logT / n);
        v = mean > b && n * (mean - b) >= game.level * game.logT / (mean - b) ? 1 : 0;
        break;
      case OWN:
        given = game.code.given;
        given[0] = mean;
        given[1] = n;
        given[2] = game.logT;
        given[3] = game.width;
        given[4] = logt;
        given[5] = game.k;
        v = pmean.formula.run(game.code);
        break;
      default: // greedy
    }
    if (v !== v) throw wrong(game, "must be a number, got nan", s, n);
    return v;
  }
  function wrong(game, domain, s, n) {
    return new Error("the index of " + game.policy.name + " " + domain + " at mu_hat = "
      + Number((s / n).toPrecision(6)) + ", pulls = " + n);
  }

  // ---- one run ---------------------------------------------------------------------------

  /** A table to play at: what a policy needs on an instance for T rounds, made once. */
  function table(arms, made, T) {
    var k = arms.k, i, bernoulli = arms.family === "bernoulli";
    var game = {
      arms: new Int32Array(T), rewards: null, pulls: new Int32Array(k), total: new Float64Array(k),
      value: new Float64Array(k), seen: new Int32Array(k), bound: new Float64Array(k),
      k: k, T: T, policy: made, rule: made.rule, width: made.width, level: made.level, logT: 0,
      code: made.formula ? made.formula.code : null, logs: null, logKn: null, bernoulli: bernoulli,
      low: bernoulli ? arms.mu : arms.lower,
      range: bernoulli ? arms.mu : arms.upper.map(function (v, j) { return v - arms.lower[j]; }),
      rng: new pmean.pcg.Generator(0)
    };
    if (made.grows) game.logs = logsUpTo(T + 1);
    if (made.rule === MOSS) {
      game.logKn = new Float64Array(T + 1);
      for (i = 1; i <= T; i++) game.logKn[i] = log(k * i);
    }
    return game;
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

  function upTo(k) {
    var found = [];
    for (var i = 0; i < k; i++) found.push(i);
    return found;
  }

  /** Play T rounds into game.arms (and game.rewards); in exploration rounds ~i for i. */
  function playRun(game) {
    var made = game.policy, T = game.T, t = 0, i, j;
    var stages = made.stages || [{ end: T, explore: made.T_tilde, clock: T, forget: false }];
    game.pulls.fill(0);
    game.total.fill(0);
    for (j = 0; j < stages.length && t < T; j++) {
      var end = Math.min(stages[j].end, T), least = t + stages[j].explore, never = [];
      game.logT = log(stages[j].clock);
      if (stages[j].forget) {
        game.pulls.fill(0);
        game.total.fill(0);
      }
      if (made.explore === "anchored") t = anchored(game, t, end);
      else t = explore(game, t, least, made.stop < 0 ? Math.min(least, end) : end);
      for (i = 0; i < game.k; i++) if (game.pulls[i] === 0) never.push(i);
      if (made.order === "random") shuffle(game.rng, never);
      for (i = 0; i < never.length && t < end; i++) pull(game, t++, never[i], never[i]);
      if (t < end) (made.grows ? followTime : follow)(game, t, end);
      t = end;
    }
  }

  /** Explore up to round `until`, or until the rule says stop; the rounds played. */
  function explore(game, t, least, until) {
    var start = t, k = game.k, how = game.policy.explore, order = upTo(k), rule = game.policy.stop;
    while (t < until) {
      var turn = (t - start) % k;
      if (how === "permutations" && turn === 0) shuffle(game.rng, order);
      var i = how === "uniform" ? game.rng.below(k) : order[turn];
      pull(game, t, i, ~i);
      t += 1;
      if (least <= t && least < until
        && ask(game, rule, game.total[i], game.pulls[i], 0) > 0) break;
    }
    return t;
  }

  /** UCB-HARE's exploration: blocks of a scheduled arm and of the best lower bound. */
  function anchored(game, t, end) {
    var k = game.k, order = upTo(k), lower = new Float64Array(k).fill(-Infinity);
    var whole = 1, divisor = 0, w = game.width, anchor = 0, turn, i;
    function best() {
      anchor = 0;
      for (i = 1; i < k; i++) if (lower[i] > lower[anchor]) anchor = i;
      return lower[anchor];
    }
    shuffle(game.rng, order);
    while (t < end) {
      var B = best(), fewest = Math.min.apply(null, game.pulls);
      if (B > 0 && fewest >= game.level * (w * w) * game.logT / (B * B)) break;
      divisor += 1; // the next divisor, at most k, of 1, of 2, of 3, ...
      while (divisor > k || whole % divisor) {
        divisor += 1;
        if (divisor > Math.min(whole, k)) {
          whole += 1;
          divisor = 1;
        }
      }
      var scheduled = game.rng.below(2), rounds = Math.min(2, end - t);
      for (turn = 0; turn < rounds; turn++) {
        var arm = best() > 0 && turn !== scheduled ? anchor : order[divisor - 1];
        pull(game, t, arm, ~arm);
        t += 1;
        var s = game.total[arm], n = game.pulls[arm];
        lower[arm] = 2 * s / n - ask(game, game.rule, s, n, 0);
      }
    }
    return t;
  }

  /** The arm of highest index up to round `end`, by a rule that does not know the time.
   *
   * Only the arm just pulled changes its index. So an arm is played on, without a search,
   * until it falls below the runner-up. */
  function follow(game, t, end) {
    var k = game.k, value = game.value, pulls = game.pulls, total = game.total, rng = game.rng;
    var arms = game.arms, rewards = game.rewards, rule = game.rule, bernoulli = game.bernoulli;
    var width = game.width, logT = game.logT, doubles = rng.doubles, at = rng.at, i;
    for (i = 0; i < k; i++) value[i] = ask(game, rule, total[i], pulls[i], 0);
    while (t < end) {
      var best = 0, rival = -1, v = value[0], second = -Infinity;
      for (i = 1; i < k; i++) {
        var w = value[i];
        if (w > v) {
          second = v;
          rival = best;
          v = w;
          best = i;
        } else if (w > second || rival < 0) {
          second = w;
          rival = i;
        }
      }
      var n = pulls[best], s = total[best], low = game.low[best], range = game.range[best];
      do {
        if (at === SIZE) {
          rng.refill();
          at = 0;
        }
        var u = doubles[at++], x = bernoulli ? (u <= low ? 1 : 0) : low + range * u;
        n += 1;
        s += x;
        arms[t] = best;
        if (rewards !== null) rewards[t] = x;
        t += 1;
        if (rule === UCB) {
          v = s / n + width * Math.sqrt(logT / n);
          if (v !== v) throw wrong(game, "must be a number, got nan", s, n);
        } else v = ask(game, rule, s, n, 0);
      } while (t < end && (v > second || (v === second && best < rival)));
      pulls[best] = n;
      total[best] = s;
      value[best] = v;
    }
    rng.at = at;
  }

  /** The same by a rule that knows the time: its index grows with it.
   *
   * So its value at the end of a window of rounds bounds it: only arms whose bounds exceed
   * the best value are looked at. A window is longer the fewer these were in the last. */
  function followTime(game, t, end) {
    var k = game.k, value = game.value, pulls = game.pulls, total = game.total, rule = game.rule;
    var logs = game.logs, arms = game.arms, rewards = game.rewards, seen = game.seen;
    var bound = game.bound, looked = 0, began = t - (k >> 1), window = t, logEnd = 0, i, j;
    while (t < end) {
      if (t === window || looked > k) {
        var length = looked <= (k >> 1) ? 2 * (t - began) : Math.floor((t - began) / 2);
        window = Math.min(t + Math.max(length, 1), end);
        began = t;
        looked = 0;
        logEnd = logs[window];
        for (i = 0; i < k; i++) value[i] = ask(game, rule, total[i], pulls[i], logEnd);
      }
      var highest = -Infinity, count = 0, best = -1, rival = k, second = -Infinity;
      while (count < k) {
        rival = 0;
        for (i = 1; i < k; i++) if (value[i] > value[rival]) rival = i;
        second = value[rival];
        if (count && (second < highest || (second === highest && rival > best))) break;
        var s = total[rival], n = pulls[rival], v = ask(game, rule, s, n, logs[t + 1]);
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
        v = ask(game, rule, s, n, logs[t + 1]);
      }
      pulls[best] = n;
      total[best] = s;
      value[best] = ask(game, rule, s, n, logEnd);
    }
  }

  // ---- one run to look at ----------------------------------------------------------------

  /** Run number `run` of a simulation (null: the run of pm.play), to be stepped through. */
  function trace(given, run) {
    var setting = check(given), arms = instance(setting), made = make(setting, arms);
    var T = setting.T, k = arms.k, game = table(arms, made, T), t, explored = 0;
    game.rewards = new Float64Array(T);
    game.rng.seed(setting.seed, run === null || run === undefined ? undefined
      : whole("run", run, 0, 1e6));
    playRun(game);
    var played = Int32Array.from(game.arms, function (i) { return i < 0 ? ~i : i; });
    for (t = 0; t < T; t++) if (game.arms[t] < 0) explored += 1;
    return {
      arms: played, rewards: game.rewards, explored: explored, T: T, k: k,
      at: function (round) { return stateAt(game, whole("t", round, 0, T)); }
    };
  }

  var STEP = 512; // rounds between two states that are kept

  /** What the policy knew before round t. */
  function stateAt(game, t) {
    var k = game.k, from = Math.floor(t / STEP), j, i;
    game.kept = game.kept || [{ pulls: new Float64Array(k), total: new Float64Array(k) }];
    for (j = game.kept.length; j <= from; j++) {
      game.kept.push(replay(game, game.kept[j - 1], (j - 1) * STEP, j * STEP));
    }
    var state = replay(game, game.kept[from], from * STEP, t), stage = stageAt(game, t);
    game.logT = log(stage.clock);
    var index = new Float64Array(k), means = new Float64Array(k), logt = log(Math.max(t + 1, 1));
    var arm = t < game.T ? game.arms[t] : null, left = false;
    for (i = 0; i < k; i++) {
      var n = state.pulls[i];
      left = left || n === 0;
      means[i] = n ? state.total[i] / n : NaN;
      index[i] = n ? ask(game, game.rule, state.total[i], n, logt) : Infinity;
    }
    return {
      pulls: state.pulls, mu_hat: means, index: index,
      phase: arm !== null && arm < 0 ? "explore" : left ? "first" : "index",
      arm: arm !== null && arm < 0 ? ~arm : arm, reward: arm === null ? null : game.rewards[t]
    };
  }
  function stageAt(game, t) {
    var stages = game.policy.stages || [{ end: game.T, clock: game.T }], j = 0;
    while (j < stages.length - 1 && t >= stages[j].end) j++;
    return stages[j];
  }
  /** The state before round `to`, from that before round `from`. */
  function replay(game, state, from, to) {
    var pulls = state.pulls.slice(), total = state.total.slice(), t;
    var starts = {};
    (game.policy.stages || []).forEach(function (stage, j, all) {
      if (stage.forget) starts[j ? all[j - 1].end : 0] = true;
    });
    for (t = from; t < to; t++) {
      var i = game.arms[t] < 0 ? ~game.arms[t] : game.arms[t];
      pulls[i] += 1;
      total[i] += game.rewards[t];
      if (starts[t + 1]) {
        pulls.fill(0);
        total.fill(0);
      }
    }
    return { pulls: pulls, total: total };
  }

  // ---- many runs -------------------------------------------------------------------------

  /** Where blocks of rounds begin, and T: single rounds, then 1 % longer each. No block
   * has rounds on both sides of `cut`, the end of an exploration, if that is given. */
  function edges(T, cut) {
    var ends = upTo(Math.min(FINE, T) + 1), last = ends[ends.length - 1];
    while (last < T) {
      last = Math.min(T, Math.floor(last * GROWTH));
      ends.push(last);
    }
    if (cut > 0 && cut < T && ends.indexOf(cut) < 0) ends.push(cut);
    return Int32Array.from(ends).sort();
  }

  /** How many first rounds have a known expectation; whether it is the average mean. */
  function knownRounds(arms, made, T) {
    var explored = made.T_tilde, j;
    for (j = 0; made.stages && j < made.stages.length; j++) {
      explored = Math.min(explored + made.stages[j].explore, made.stages[j].end);
      if (explored < made.stages[j].end) break;
    }
    if (explored || made.explore === "anchored") {
      return { rounds: Math.min(explored, T), average: made.explore !== "cycle" };
    }
    return { rounds: Math.min(arms.k, T), average: made.order === "random" };
  }

  /** Add up what each round expects: the average mean where an arm came by chance. */
  function tally(arms, mu, lap, total, pulls) {
    var T = arms.length, until = lap === 1 ? T : 0, average = plainMean(mu), t;
    if (lap > 1) {
      while (until < T && arms[until] < 0) until += 1;
      until = until === T ? until : Math.max(until - 1, 0);
      until -= until % lap;
    }
    for (t = 0; t < T; t++) {
      var i = arms[t];
      if (i >= 0) total[t] += mu[i];
      else {
        i = ~i;
        total[t] += t < until ? average : mu[i];
      }
      pulls[i] += 1;
    }
  }

  /** A simulation that is played run by run: `step` plays one, as long as `left` says so.
   *
   * A run belongs to one of up to 32 groups, and the runs of a group are added up in order,
   * so the groups can take turns: after 32 runs there is an error bar. */
  function simulation(given) {
    var setting = check(given), arms = instance(setting), made = make(setting, arms);
    var T = setting.T, n = setting.n_runs, count = Math.min(GROUPS, n), done = 0, groups = [];
    var game = table(arms, made, T), known = knownRounds(arms, made, T), g, first = 0;
    var lap = made.explore === "uniform" ? 1
      : made.explore === "permutations" && !made.stages ? arms.k : 0;
    for (g = 0; g < count; g++) {
      var size = Math.floor(n / count) + (g < n % count ? 1 : 0);
      groups.push({ first: first, size: size, runs: 0, total: null, pulls: new Float64Array(arms.k) });
      first += size;
    }
    function step() {
      var group = groups[done % count]; // the longer groups come first
      group.total = group.total || new Float64Array(T);
      game.rng.seed(setting.seed, group.first + group.runs);
      playRun(game);
      tally(game.arms, arms.mu, lap, group.total, group.pulls);
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
      setting: setting, instance: arms, policy: made, step: step, pulls: pulls, profile: profile,
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
  function regrets(profile, exponents) {
    var ps = Array.from(exponents, function (p) {
      return typeof p === "number" && p <= 1 ? p : refuse("p", "a number of at most 1", p);
    });
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
    POLICIES: POLICIES.map(function (d) {
      return {
        key: d.key, name: d.name, title: d.title, width: d.width, asks: d.asks.slice(),
        index: d.index, python: d.python
      };
    }),
    check: check, instance: instance, policy: policy, trace: trace, simulation: simulation,
    meansOf: meansOf, regrets: regrets
  };
});
