/* The book's explorers: plain JavaScript and SVG, no framework, nothing fetched.
 *
 *   pmean.maths   p-mean, regret, bounds: the formulas of pmeanlib, tested against it
 *   pmean.bandit  two arms of the reader's own, simulated here
 *   "dial"        turn p and see who counts, and what each algorithm regrets
 *   "period"      turn T, k and p and see the exploration period and the bounds
 *
 * The results of long simulations come from explorer-data.js (window.PMEAN_DATA).
 */
(function () {
  "use strict";

  // ---- maths: pmeanlib.welfare and pmeanlib.bounds --------------------------------

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

  /** What each entry's share of the say is: the gradient of the p-mean, scaled to 1. */
  function shares(x, p, w) {
    var least = Infinity, total = 0, i, s = new Float64Array(x.length);
    for (i = 0; i < x.length; i++) least = Math.min(least, x[i]);
    for (i = 0; i < x.length; i++) {
      s[i] = w[i] * Math.exp((p - 1) * (Math.log(x[i]) - Math.log(least)));
      total += s[i];
    }
    for (i = 0; i < x.length; i++) s[i] /= total;
    return s;
  }

  /** The least number of rounds that together have half of the say. */
  function halfTheSay(x, p, w) {
    var s = shares(x, p, w), order = [], i, sum = 0, rounds = 0;
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

  var DEVIATION = Math.sqrt(1.5), B = 4 + DEVIATION;

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

  // ---- bandit: two arms of the reader's own ---------------------------------------

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
      if (t < policy.tilde) best = Math.floor(random() * k);
      else for (i = 1; i < k; i++) if (value[i] > value[best]) best = i;
      total[best] += random() <= mu[best] ? 1 : 0;
      pulls[best] += 1;
      var mean = total[best] / pulls[best];
      value[best] = mean
        + width * Math.sqrt((policy.nash ? mean : 1) * logT / pulls[best]);
      sums[blockOf[t]] += mu[best];
    }
  }

  var GROUPS = 20, RUNS_IN_GROUP = 10;

  /** A series measured here, group by group; `done` is called after each group. */
  function ownSeries(mu, policy, frame, seed, done) {
    var T = frame.T, blockOf = new Int32Array(T), b = 0, t, cancelled = false;
    for (t = 0; t < T; t++) {
      while (t >= frame.edges[b + 1]) b++;
      blockOf[t] = b;
    }
    var series = {
      name: policy.name, tilde: policy.tilde, capped: policy.capped,
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

  /** Regret with a standard error: the jackknife over groups, or the stored one. */
  function measured(series, frame, p) {
    function plugIn(values, q) { return frame.muStar - pMean(values, q, frame.weights); }
    var plug = plugIn(series.values, p);
    if (!series.groups) {
      // Blocks of rounds and the bias of an average of runs: the stored estimates tell
      // how much they matter at whole p, and it changes little in between.
      var grid = frame.exponents, j = 1;
      while (j < grid.length - 1 && grid[j] < p) j++;
      series.shifts = series.shifts || grid.map(function (q, i) {
        return series.regrets[i] - plugIn(series.values, q);
      });
      var part = (p - grid[j - 1]) / (grid[j] - grid[j - 1]);
      var between = function (v) { return v[j - 1] + part * (v[j] - v[j - 1]); };
      return { value: plug + between(series.shifts), error: between(series.errors) };
    }
    var n = series.groups.length;
    if (n < 2) return { value: plug, error: NaN };
    var left = series.groups.map(function (group) {
      var others = series.values.map(function (v, b) {
        return Math.max((n * v - group[b]) / (n - 1), 1e-12);
      });
      return plugIn(others, p);
    });
    var mean = left.reduce(function (a, v) { return a + v; }, 0) / n;
    var square = left.reduce(function (a, v) { return a + (v - mean) * (v - mean); }, 0);
    return {
      value: n * plug - (n - 1) * mean,
      error: Math.sqrt(square * (n - 1) / n)
    };
  }

  // ---- drawing ---------------------------------------------------------------------

  var SVG = "http://www.w3.org/2000/svg", count = 0;

  function element(tag, attributes, children) {
    var inSvg = /^(svg|g|path|line|circle|rect|text|title|tspan)$/.test(tag);
    var node = inSvg ? document.createElementNS(SVG, tag) : document.createElement(tag);
    Object.keys(attributes || {}).forEach(function (name) {
      node.setAttribute(name, attributes[name]);
    });
    (children || []).forEach(function (child) {
      if (typeof child === "string") node.append.apply(node, words(child, inSvg));
      else node.appendChild(child);
    });
    return node;
  }

  /** Text in which 10^8 has its exponent raised, with whatever font there is. */
  function words(text, inSvg) {
    var raised = inSvg ? { dy: "-5", "font-size": "9" } : {};
    return text.split(/\^([\d\u2212]+)/).map(function (part, i) {
      return i % 2 ? element(inSvg ? "tspan" : "sup", raised, [part]) : part;
    });
  }

  /** A chart: scales, axes with labelled ticks, and a layer to draw on. */
  function chart(options) {
    var o = options, m = { left: 54, right: o.right || 12, top: 12, bottom: 40 };
    var w = o.width, h = o.height;
    function place(domain, log, from, to) {
      var f = log ? Math.log10 : Number, a = f(domain[0]), b = f(domain[1]);
      return function (v) { return from + (to - from) * (f(v) - a) / (b - a); };
    }
    var x = place(o.x, o.logX, m.left, w - m.right);
    var y = place(o.y, o.logY, h - m.bottom, m.top);
    var id = "explorer-title-" + ++count;
    var svg = element("svg", {
      viewBox: "0 0 " + w + " " + h, width: "100%", role: "img", "aria-labelledby": id
    }, [element("title", { id: id }, [o.title])]);
    var axes = element("g", { class: "axes" });
    o.xTicks.forEach(function (tick) {
      axes.appendChild(element("line", {
        x1: x(tick[0]), x2: x(tick[0]), y1: m.top, y2: h - m.bottom, class: "grid"
      }));
      axes.appendChild(element("text", {
        x: x(tick[0]), y: h - m.bottom + 15, "text-anchor": "middle"
      }, [tick[1]]));
    });
    o.yTicks.forEach(function (tick) {
      axes.appendChild(element("line", {
        x1: m.left, x2: w - m.right, y1: y(tick[0]), y2: y(tick[0]), class: "grid"
      }));
      axes.appendChild(element("text", {
        x: m.left - 6, y: y(tick[0]) + 4, "text-anchor": "end"
      }, [tick[1]]));
    });
    axes.appendChild(element("text", {
      x: (m.left + w - m.right) / 2, y: h - 6, "text-anchor": "middle", class: "label"
    }, [o.xLabel]));
    axes.appendChild(element("text", {
      x: 12, y: (h - m.bottom + m.top) / 2, class: "label", "text-anchor": "middle",
      transform: "rotate(-90 12 " + (h - m.bottom + m.top) / 2 + ")"
    }, [o.yLabel]));
    svg.appendChild(axes);
    var layer = element("g");
    svg.appendChild(layer);
    return {
      svg: svg, layer: layer, x: x, y: y, width: w, height: h, margin: m,
      line: function (points, kind) {
        var pen = "M", d = "";
        points.forEach(function (pt) {
          if (!isFinite(pt[0]) || !isFinite(pt[1])) { pen = "M"; return; }
          d += pen + x(pt[0]).toFixed(1) + " " + y(pt[1]).toFixed(1);
          pen = "L";
        });
        layer.appendChild(element("path", { d: d, class: "line " + kind }));
      },
      /** Calls `move` with the x value under the pointer while it is dragged. */
      drag: function (move) {
        svg.classList.add("draggable");
        function at(event) {
          var box = svg.getBoundingClientRect();
          var part = ((event.clientX - box.left) * w / box.width - m.left)
            / (w - m.left - m.right);
          part = Math.min(1, Math.max(0, part));
          move(o.logX ? o.x[0] * Math.pow(o.x[1] / o.x[0], part)
            : o.x[0] + part * (o.x[1] - o.x[0]));
        }
        svg.addEventListener("pointerdown", function (event) {
          svg.setPointerCapture(event.pointerId);
          at(event);
          event.preventDefault();
        });
        svg.addEventListener("pointermove", function (event) {
          if (event.buttons & 1) at(event);
        });
      }
    };
  }

  var KINDS = { UCB1: "ucb1", EUCB: "eucb", NCB: "ncb" };

  function number(v, digits) { return v.toFixed(digits).replace("-", "\u2212"); }
  function short(v) { return String(Math.round(v * 100) / 100).replace("-", "\u2212"); }
  function whole(v) { return Math.round(v).toLocaleString("en-US"); }
  function power(exponent) { return "10^" + short(exponent); }
  function big(v) {
    if (v < 1e6) return whole(v);
    var e = Math.floor(Math.log10(v) + 1e-9);
    return number(v / Math.pow(10, e), 1) + "\u00d7" + power(e);
  }
  /** A probability-sized number in three digits, also when it is very small. */
  function small(v) {
    return v >= 0.001 && v < 1e5 ? Number(v.toPrecision(3)).toLocaleString("en-US",
      { maximumFractionDigits: 6 }) : v.toExponential(1).replace("-", "\u2212");
  }

  function slider(box, label, options, changed) {
    var id = "explorer-control-" + ++count;
    var input = element("input", {
      type: "range", id: id, min: options.min, max: options.max, step: options.step
    });
    var output = element("output", { for: id });
    input.value = options.value;
    function show() {
      var text = options.show(Number(input.value));
      output.replaceChildren(element("span", {}, [text]));
      input.setAttribute("aria-valuetext", text);
    }
    input.addEventListener("input", function () { show(); changed(Number(input.value)); });
    box.appendChild(element("div", { class: "control" }, [
      element("label", { for: id }, [label]), input, output
    ]));
    show();
    return {
      input: input,
      set: function (v) {
        input.value = v;
        show();
        changed(Number(input.value));
      }
    };
  }

  function choice(box, label, options, value, changed) {
    var id = "explorer-control-" + ++count;
    var select = element("select", { id: id }, options.map(function (o) {
      return element("option", { value: o[0] }, [o[1]]);
    }));
    select.value = value;
    select.addEventListener("change", function () { changed(select.value); });
    box.appendChild(element("div", { class: "control" }, [
      element("label", { for: id }, [label]), select
    ]));
    return select;
  }

  /** A sentence for screen readers, spoken when the reader pauses. */
  function speaker(box) {
    var node = element("p", { class: "spoken", role: "status", "aria-live": "polite" });
    var timer = null, first = true;
    box.appendChild(node);
    return function (text) {
      clearTimeout(timer);
      if (first) { first = false; return; } // nothing to say before the reader acts
      timer = setTimeout(function () { node.textContent = text; }, 400);
    };
  }

  /** The widths of the charts: side by side where there is room for it. */
  function columns(box) {
    var width = Math.max(240, box.clientWidth - 1), two = width > 640;
    box.classList.toggle("two", two);
    var left = two ? Math.round(width * 0.57) : width;
    return { two: two, left: left, right: two ? width - left - 16 : width };
  }

  /** Redraw when the box gets another width. */
  function onResize(box, draw) {
    var last = box.clientWidth;
    new ResizeObserver(function () {
      if (Math.abs(box.clientWidth - last) > 4) {
        last = box.clientWidth;
        draw();
      }
    }).observe(box);
  }

  // ---- explorer 1: the dial --------------------------------------------------------

  function meaning(p) {
    if (p === 1) return "the average: every round counts the same";
    if (p === 0) return "the geometric mean: Nash welfare";
    if (p === -1) return "the harmonic mean";
    if (p > 0) return "between the average and Nash welfare";
    return p > -1 ? "between Nash welfare and the harmonic mean"
      : p > -5 ? "badly served rounds count most" : "close to counting the worst round only";
  }

  function dial(box) {
    var data = window.PMEAN_DATA;
    var state = {
      p: Number(box.dataset.p || -1), instance: box.dataset.instance || "beta",
      tuning: box.dataset.tuning || "follow", own: [0.2, 0.8]
    };
    var frames = {}, cancel = [];
    var controls = element("div", { class: "controls" });
    var ownControls = element("div", { class: "controls own" });
    var charts = element("div", { class: "charts" });
    var reading = element("table", { class: "reading" });
    box.replaceChildren(controls, ownControls, charts,
      element("div", { class: "reading-box" }, [reading]));
    var say = speaker(box);
    var pSlider = slider(controls, "p", {
      min: -10, max: 1, step: 0.05, value: state.p,
      show: function (v) { return short(v) + " \u2013 " + meaning(v); }
    }, function (v) { state.p = v; update(); });
    choice(controls, "instance", data.frames.map(function (f) {
      return [f.family, f.title + " arms of the paper, T = " + whole(f.T)];
    }).concat([["own", "two arms of your own, T = " + whole(data.own.T)]]),
    state.instance, function (v) { state.instance = v; rebuild(); });
    choice(controls, "EUCB explores for", [["follow", "the nearest to the dial"]].concat(data.tunings.map(function (t) { return [String(t), "p = " + short(t)]; })),
    state.tuning, function (v) { state.tuning = v; rebuild(); });
    ["first", "second"].forEach(function (place, i) {
      slider(ownControls, "mean of the " + place + " arm", {
        min: 0.01, max: 1, step: 0.01, value: state.own[i],
        show: function (v) { return number(v, 2); }
      }, function (v) { state.own[i] = v; delete frames.own; rebuild(); });
    });

    /** The published exponent for which EUCB chooses its period. */
    function tuning() {
      if (state.tuning !== "follow") return Number(state.tuning);
      return data.tunings.reduce(function (best, t) {
        return Math.abs(t - state.p) < Math.abs(best - state.p) ? t : best;
      });
    }
    function frameOf() {
      if (frames[state.instance]) return frames[state.instance];
      var own = state.instance === "own";
      var stored = own ? data.own : data.frames.filter(function (f) {
        return f.family === state.instance;
      })[0];
      var frame = {
        T: stored.T, edges: stored.edges, weights: [], middle: [], series: {},
        muStar: own ? Math.max.apply(null, state.own) : stored.mu_star,
        exponents: data.exponents
      };
      for (var b = 0; b + 1 < stored.edges.length; b++) {
        frame.weights.push(stored.edges[b + 1] - stored.edges[b]);
        frame.middle.push(Math.sqrt((stored.edges[b] + 1) * stored.edges[b + 1]));
      }
      (stored.series || []).forEach(function (s) {
        frame.series[s.key] = {
          name: s.name, tilde: s.T_tilde, capped: s.capped, regrets: s.regrets,
          errors: s.errors, runs: data.n_runs,
          values: s.values.map(function (v) { return v / 1e4; })
        };
      });
      frames[state.instance] = frame;
      return frame;
    }
    /** The three series to show; own arms are simulated when first asked for. */
    function current() {
      var frame = frameOf(), key = "EUCB " + tuning();
      if (state.instance === "own") {
        ["UCB1", key, "NCB"].forEach(function (name, j) {
          if (frame.series[name]) return;
          var exact = name === "UCB1" ? 0 : Math.ceil(
            period(frame.T, 2, name === "NCB" ? 0 : tuning()));
          frame.series[name] = { values: null };
          cancel.push(ownSeries(state.own.slice(), {
            name: name.split(" ")[0], width: 4, nash: name === "NCB",
            tilde: Math.min(exact, frame.T), capped: exact > frame.T
          }, frame, 12479 + j, function (series) {
            frame.series[name] = series;
            if (frames.own === frame && state.instance === "own") update();
          }));
        });
      }
      return ["UCB1", key, "NCB"].map(function (name) { return frame.series[name]; })
        .filter(function (s) { return s && s.values; });
    }

    var parts = null, shownTuning = null;
    function rebuild() {
      if (!frames.own) { cancel.forEach(function (stop) { stop(); }); cancel = []; }
      parts = null;
      update();
    }
    function update() {
      ownControls.hidden = state.instance !== "own";
      var frame = frameOf(), series = current();
      if (!parts || tuning() !== shownTuning || state.instance === "own") {
        build(frame, series);
      }
      marks(frame, series);
    }

    /** What does not depend on p: axes and the lines of the left chart. */
    function build(frame, series) {
      shownTuning = tuning();
      var size = columns(charts), left = size.left;
      var decades = [];
      for (var e = 0; Math.pow(10, e) <= frame.T; e++) decades.push([Math.pow(10, e), power(e)]);
      var top = Math.min(1, Math.ceil(frame.muStar * 11) / 10), rewards = [];
      for (var v = 0; v <= top + 1e-9; v += 0.2) rewards.push([v, number(v, 1)]);
      var time = chart({
        width: left, height: 230, x: [1, frame.T], logX: true, y: [0, top],
        xTicks: decades, yTicks: rewards, xLabel: "round t (logarithmic)",
        yLabel: "expected reward", title: "Expected reward of each round, by algorithm"
      });
      time.line([[1, frame.muStar], [frame.T, frame.muStar]], "best");
      series.forEach(function (s) {
        time.line(frame.middle.map(function (t, b) { return [t, s.values[b]]; }),
          KINDS[s.name]);
      });
      var exponents = [];
      for (v = -10; v <= 1; v++) if (v % 2 === 0 || v === 1) exponents.push([v, short(v)]);
      var regret = chart({
        width: size.right, height: size.two ? 334 : 230, x: [-10, 1], y: [0, top], xTicks: exponents,
        yTicks: rewards, xLabel: "exponent p (drag)", yLabel: "p-mean regret",
        title: "p-mean regret of each algorithm against p"
      });
      series.forEach(function (s) {
        var points = [];
        for (var q = -10; q <= 1.001; q += 0.25) {
          points.push([q, frame.muStar - pMean(s.values, q, frame.weights)]);
        }
        regret.line(points, KINDS[s.name]);
      });
      regret.drag(function (value) { pSlider.set(Math.round(value * 20) / 20); });
      var pointer = element("g", { class: "pointer" });
      regret.svg.appendChild(pointer);
      var strip = element("svg", {
        viewBox: "0 0 " + left + " 104", width: "100%", role: "img"
      });
      charts.replaceChildren(
        element("div", { style: "width:" + left + "px" }, [time.svg, strip]),
        element("div", { style: "width:" + size.right + "px" }, [regret.svg])
      );
      parts = { time: time, regret: regret, pointer: pointer, strip: strip };
    }

    /** What p decides: who counts, the pointer, the numbers. */
    function marks(frame, series) {
      var time = parts.time, bins = 72, x0 = time.margin.left;
      var step = (time.width - x0 - time.margin.right) / bins;
      parts.strip.replaceChildren(element("title", {}, [
        "Share of the say that p gives to each part of the time axis, by algorithm"
      ]), element("text", { x: x0, y: 14, class: "label" }, [
        "which rounds count at p = " + short(state.p)
      ]));
      series.forEach(function (s, row) {
        var share = shares(s.values, state.p, frame.weights), height = new Float64Array(bins);
        var most = 0, base = 22 + 26 * (row + 1);
        share.forEach(function (v, b) {
          var at = Math.floor(bins * Math.log(frame.middle[b]) / Math.log(frame.T));
          height[Math.min(bins - 1, at)] += v;
        });
        height.forEach(function (v) { most = Math.max(most, v); });
        var d = "";
        height.forEach(function (v, j) {
          if (v > 0.001 * most) {
            var tall = 22 * v / most;
            d += "M" + (x0 + j * step).toFixed(1) + " " + base + "v" + (-tall).toFixed(1)
              + "h" + (step - 0.6).toFixed(1) + "V" + base + "z";
          }
        });
        parts.strip.appendChild(element("path", { d: d, class: "bars " + KINDS[s.name] }));
        parts.strip.appendChild(element("line", {
          x1: x0, x2: time.width - time.margin.right, y1: base, y2: base, class: "grid"
        }));
        parts.strip.appendChild(element("text", {
          x: x0 - 6, y: base - 3, "text-anchor": "end"
        }, [s.name]));
      });
      var r = parts.regret, px = r.x(state.p);
      parts.pointer.replaceChildren(element("line", {
        x1: px, x2: px, y1: r.margin.top, y2: r.height - r.margin.bottom
      }));
      var said = [];
      var rows = series.map(function (s) {
        var m = measured(s, frame, state.p), half = halfTheSay(s.values, state.p, frame.weights);
        parts.pointer.appendChild(element("circle", {
          cx: px, cy: r.y(Math.max(0, m.value)), r: 4.5, class: KINDS[s.name]
        }));
        said.push(s.name + " regrets " + number(m.value, 3));
        return element("tr", { "data-algorithm": s.name }, [
          element("th", { scope: "row" }, [
            element("span", { class: "swatch " + KINDS[s.name] }), s.name
          ]),
          element("td", { class: "regret" }, [number(m.value, 5)
            + (isFinite(m.error) ? " \u00b1 " + number(m.error, 5) : "")]),
          element("td", { class: "half" }, [whole(half)]),
          element("td", {}, [s.name === "UCB1" ? "none" : whole(s.tilde)
            + (s.capped ? " (all of T)" : "")])
        ]);
      });
      reading.replaceChildren(element("caption", {}, [
        "At p = " + short(state.p) + ", best mean " + number(frame.muStar, 3) + ", T = "
        + whole(frame.T) + ", n_runs = " + whole(Math.min.apply(null, series.map(
          function (s) { return s.runs; })))
      ]), element("thead", {}, [element("tr", {}, [
        "algorithm", "p-mean regret", "rounds with half of the say", "exploration T~"
      ].map(function (name) { return element("th", { scope: "col" }, [name]); }))]),
      element("tbody", {}, rows));
      say("At p = " + short(state.p) + ": " + said.join(", ") + ".");
    }

    rebuild();
    onResize(box, rebuild);
  }

  // ---- explorer 2: the exploration period -----------------------------------------

  var HYPOTHESES = [
    ["fits", "the exploration ends before the horizon: T~ \u2264 T"],
    ["assumption1", "Assumption 1: no mean is small"],
    ["assumption2", "Assumption 2: T~ is long enough"],
    ["remark1", "Remark 1: the floor on the means that T~ gives"],
    ["long", "Theorem U\u2019s hypothesis on the paper\u2019s T~"]
  ];
  var BOUNDS = [
    ["paper", "the paper\u2019s bound"],
    ["repaired", "Theorem U, the paper\u2019s T~"],
    ["unified", "Theorem U, its own T~"]
  ];

  function exploration(box) {
    var state = {
      logT: Number(box.dataset.logt || 6), k: Number(box.dataset.k || 10),
      p: Number(box.dataset.p || -1), star: 0.9, least: 0.1
    };
    var controls = element("div", { class: "controls" });
    var charts = element("div", { class: "charts" });
    var holds = element("ul", { class: "holds" });
    var reading = element("table", { class: "reading" });
    box.replaceChildren(controls, charts, element("div", { class: "reading-box" }, [reading]));
    var say = speaker(box);
    var tSlider = slider(controls, "horizon T", {
      min: 2, max: 30, step: 0.1, value: state.logT,
      show: function (v) { return big(horizon(v)); }
    }, function (v) { state.logT = v; update(); });
    slider(controls, "arms k", {
      min: Math.log10(2), max: 3, step: 0.001, value: Math.log10(state.k),
      show: function (v) { return whole(Math.pow(10, v)); }
    }, function (v) { state.k = Math.max(2, Math.round(Math.pow(10, v))); update(); });
    slider(controls, "exponent p", {
      min: -10, max: 1, step: 0.1, value: state.p, show: short
    }, function (v) { state.p = Math.round(v * 10) / 10; update(); });
    var star = slider(controls, "best mean", {
      min: 0.01, max: 1, step: 0.01, value: state.star,
      show: function (v) { return number(v, 2); }
    }, function (v) {
      state.star = v;
      if (state.least > v) least.set(v);
      else update();
    });
    var least = slider(controls, "least mean", {
      min: 0.01, max: 1, step: 0.01, value: state.least,
      show: function (v) { return number(v, 2); }
    }, function (v) {
      state.least = v;
      if (state.star < v) star.set(v);
      else update();
    });

    function values(T) {
      return {
        paper: paperBound(T, state.k, state.p, state.star, state.least),
        repaired: repaired(T, state.k, state.p, state.star),
        unified: unified(T, state.k, state.p, state.star,
          leastExploration(T, state.k, state.star))
      };
    }
    function horizon(logT) { return Number(Math.pow(10, logT).toPrecision(2)); }
    function update() {
      var T = horizon(state.logT), k = state.k, p = state.p;
      var tilde = period(T, k, p), least = leastExploration(T, k, state.star);
      var f = factors(T, k, p, state.star, state.least), now = values(T);
      var size = columns(charts);
      var xTicks = [], yTicks = [], e;
      for (e = 5; e <= 30; e += 5) xTicks.push([Math.pow(10, e), power(e)]);
      for (e = -6; e <= 1; e++) yTicks.push([Math.pow(10, e), e < 0 ? power(e) : String(Math.pow(10, e))]);
      var plot = chart({
        width: size.left, height: 300, x: [100, 1e30], logX: true, y: [1e-6, 10], logY: true,
        xTicks: xTicks, yTicks: yTicks, xLabel: "horizon T (drag)",
        yLabel: "bound on the regret",
        title: "The bounds against the horizon, both axes logarithmic"
      });
      plot.line([[100, state.star], [1e30, state.star]], "best");
      BOUNDS.forEach(function (bound) {
        var solid = [], thin = [];
        for (var x = 2; x <= 30.001; x += 0.1) {
          var at = Math.pow(10, x), v = values(at)[bound[0]];
          if (v > 10 || v < 1e-6) v = NaN;
          var valid = bound[0] !== "paper"
            || factors(at, k, p, state.star, state.least).assumption1 >= 1;
          solid.push([at, valid ? v : NaN]);
          thin.push([at, v]);
        }
        plot.line(thin, bound[0] + " unproved");
        plot.line(solid, bound[0]);
      });
      var px = plot.x(T);
      var pointer = element("g", { class: "pointer" }, [element("line", {
        x1: px, x2: px, y1: plot.margin.top, y2: plot.height - plot.margin.bottom
      })]);
      BOUNDS.forEach(function (bound) {
        var v = now[bound[0]];
        if (v <= 10 && v >= 1e-6) {
          pointer.appendChild(element("circle", {
            cx: px, cy: plot.y(v), r: 4.5, class: bound[0]
          }));
        }
      });
      plot.svg.appendChild(pointer);
      plot.drag(function (value) { tSlider.set(Math.round(Math.log10(value) * 10) / 10); });

      holds.replaceChildren.apply(holds, HYPOTHESES.map(function (h) {
        var ok = f[h[0]] >= 1, by = ok ? f[h[0]] : 1 / f[h[0]];
        return element("li", { class: ok ? "yes" : "no", "data-hypothesis": h[0] }, [
          element("strong", {}, [ok ? "holds" : "fails"]), " " + h[1] + " ",
          element("span", {}, [ok ? "(with a factor " + small(by) + " to spare)"
            : "(short by a factor " + small(by) + ")"])
        ]);
      }));
      charts.replaceChildren(
        element("div", { style: "width:" + size.left + "px" }, [plot.svg]),
        element("div", { style: "width:" + size.right + "px" }, [bar("the paper\u2019s T~", tilde, T, "paper"),
          bar("Theorem U\u2019s T~", least, T, "unified"), holds])
      );
      reading.replaceChildren(element("caption", {}, [
        "At T = " + big(T) + ", k = " + whole(k) + ", p = " + short(p)
        + ": the regret is at most"
      ]), element("thead", {}, [element("tr", {}, ["theorem", "bound", "says something?"]
        .map(function (name) { return element("th", { scope: "col" }, [name]); }))]),
      element("tbody", {}, BOUNDS.map(function (bound) {
        var v = now[bound[0]];
        return element("tr", { "data-bound": bound[0] }, [
          element("th", { scope: "row" }, [
            element("span", { class: "swatch " + bound[0] }), bound[1]
          ]),
          element("td", { class: "bound" }, [isFinite(v) ? small(v) : "hypothesis fails"]),
          element("td", {}, [!isFinite(v) ? "no" : v >= state.star ? "no, not below the best mean"
            : bound[0] === "paper" && f.assumption1 < 1 ? "not proved here: Assumption 1 fails"
              : "yes"])
        ]);
      })));
      say("The paper's exploration takes " + small(tilde / T) + " of the horizon. "
        + HYPOTHESES.filter(function (h) { return f[h[0]] < 1; }).length
        + " of " + HYPOTHESES.length + " hypotheses fail.");
    }
    /** How much of the horizon an exploration takes. */
    function bar(name, tilde, T, kind) {
      var part = tilde / T;
      return element("div", { class: "share", "data-share": kind }, [
        element("span", {}, [name + ": "]),
        element("strong", {}, [part > 1 ? small(part) + " times the horizon"
          : small(100 * part) + " % of the horizon"]),
        element("div", { class: "track" }, [element("div", {
          class: "fill " + kind + (part > 1 ? " over" : ""),
          style: "width: " + Math.min(100, 100 * part) + "%"
        })])
      ]);
    }

    update();
    onResize(box, update);
  }

  // ---- start -----------------------------------------------------------------------

  window.pmean = {
    maths: {
      pMean: pMean, shares: shares, halfTheSay: halfTheSay, period: period,
      leastExploration: leastExploration, paperBound: paperBound, unified: unified,
      repaired: repaired, factors: factors
    }
  };
  document.querySelectorAll(".explorer[data-explorer]").forEach(function (box) {
    (box.dataset.explorer === "dial" ? dial : exploration)(box);
    box.dataset.ready = "yes";
  });
})();
