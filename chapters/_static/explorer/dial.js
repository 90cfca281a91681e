/* The explorer "dial": turn p and see who counts, and what each algorithm regrets.
 * Needs window.PMEAN_DATA, maths.js, bandit.js and chart.js. */
(function () {
  "use strict";
  var maths = pmean.maths, bandit = pmean.bandit, draw = pmean.chart;
  var element = draw.element, number = draw.number, short = draw.short;
  var whole = draw.whole, power = draw.power;
  var data = window.PMEAN_DATA, LEAST = pmean.constants.exponents[0];
  var GREATEST = pmean.constants.exponents[1], BINS = 72, KINDS = {};
  data.algorithms.forEach(function (a) { KINDS[a.name] = a.kind; });

  /** An instance as the charts need it: its blocks of rounds, and series by key. */
  function unpack(stored, muStar) {
    var ends = stored.edges, series = {}, weights = [], middle = [];
    for (var b = 0; b + 1 < ends.length; b++) {
      weights.push(ends[b + 1] - ends[b]);
      middle.push(Math.sqrt((ends[b] + 1) * ends[b + 1]));
    }
    (stored.series || []).forEach(function (s) {
      series[s.key] = {
        name: s.name, T_tilde: s.T_tilde, capped: s.capped, regrets: s.regrets,
        errors: s.errors, runs: data.n_runs,
        values: s.values.map(function (v) { return v / data.digits; })
      };
    });
    return {
      T: stored.T, edges: ends, weights: weights, middle: middle, series: series,
      muStar: muStar, exponents: data.exponents
    };
  }

  function decadeTicks(T) {
    var ticks = [];
    for (var e = 0; Math.pow(10, e) <= T; e++) ticks.push([Math.pow(10, e), power(e)]);
    return ticks;
  }
  function rewardTicks(top) {
    var ticks = [];
    for (var v = 0; v <= top + 1e-9; v += 0.2) ticks.push([v, number(v, 1)]);
    return ticks;
  }
  function exponentTicks() {
    var ticks = [];
    for (var p = LEAST; p <= GREATEST; p++) {
      if (p % 2 === 0 || p === GREATEST) ticks.push([p, short(p)]);
    }
    return ticks;
  }

  /** Regret against p, without the small corrections of bandit.measured. */
  function regretLine(series, frame) {
    var points = [];
    for (var p = LEAST; p <= GREATEST + 0.001; p += 0.25) {
      points.push([p, maths.regret(frame.muStar, series.values, p, frame.weights)]);
    }
    return points;
  }

  /** How much of the say each part of the logarithmic time axis has. */
  function sayByTime(series, frame, p) {
    var heights = new Float64Array(BINS);
    maths.shares(series.values, p, frame.weights).forEach(function (v, b) {
      var at = Math.floor(BINS * Math.log(frame.middle[b]) / Math.log(frame.T));
      heights[Math.min(BINS - 1, at)] += v;
    });
    return heights;
  }

  /** The outline of bars, the highest 22 high, that stand on the line y = base. */
  function bars(heights, x0, step, base) {
    var most = 0, d = "";
    heights.forEach(function (v) { most = Math.max(most, v); });
    heights.forEach(function (v, j) {
      if (v > 0.001 * most) {
        var tall = 22 * v / most;
        d += "M" + (x0 + j * step).toFixed(1) + " " + base + "v" + (-tall).toFixed(1)
          + "h" + (step - 0.6).toFixed(1) + "V" + base + "z";
      }
    });
    return d;
  }

  function dial(box, state) {
    var frames = {}, cancel = [], parts = null, shownTuning = null;
    var page = draw.layout(box), ownControls = element("div", { class: "controls own" });
    state.own = data.own.means.slice();
    page.controls.after(ownControls);
    var pSlider = draw.exponentSlider(page.controls, state.p, "round",
      function (v) { state.p = v; update(); });
    draw.choice(page.controls, "instance", data.frames.map(function (f) {
      return [f.family, f.title + " arms of the paper, T = " + whole(f.T)];
    }).concat([["own", "two arms of your own, T = " + whole(data.own.T)]]),
    state.instance, function (v) { state.instance = v; rebuild(); });
    draw.choice(page.controls, "EUCB explores for",
      [["follow", "the nearest to the dial"]].concat(data.tunings.map(function (t) {
        return [String(t.p), "p = " + short(t.p)];
      })), state.tuning, function (v) { state.tuning = v; rebuild(); });
    ["first", "second"].forEach(function (place, i) {
      draw.meanSlider(ownControls, "mean of the " + place + " arm", state.own[i],
        function (v) { state.own[i] = v; delete frames.own; rebuild(); });
    });

    /** The series of EUCB to show: as chosen, or tuned for the p nearest to the dial. */
    function tuning() {
      var wanted = state.tuning === "follow" ? state.p : Number(state.tuning);
      return data.tunings.reduce(function (best, t) {
        return Math.abs(t.p - wanted) < Math.abs(best.p - wanted) ? t : best;
      }).key;
    }
    function frameOf() {
      if (!frames[state.instance]) {
        frames[state.instance] = state.instance === "own"
          ? unpack(data.own, Math.max.apply(null, state.own))
          : data.frames.filter(function (f) {
            return f.family === state.instance;
          }).map(function (f) { return unpack(f, f.mu_star); })[0];
      }
      return frames[state.instance];
    }
    /** The three series to show; own arms are simulated when first asked for. */
    function current() {
      var frame = frameOf(), keys = data.algorithms.map(function (a) {
        return a.tuned ? tuning() : a.name;
      });
      if (state.instance === "own") {
        keys.forEach(function (key, j) {
          if (frame.series[key]) return;
          frame.series[key] = { values: null };
          cancel.push(bandit.ownSeries(state.own.slice(), data.own.policies[key], frame,
            data.own.seed + j, function (series) {
              frame.series[key] = series;
              if (frames.own === frame && state.instance === "own") update();
            }));
        });
      }
      return keys.map(function (key) { return frame.series[key]; })
        .filter(function (s) { return s && s.values; });
    }

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
      mark(frame, series);
    }

    /** What does not depend on p: axes and the lines of both charts. */
    function build(frame, series) {
      shownTuning = tuning();
      var size = draw.columns(page.charts);
      var top = Math.min(1, Math.ceil(frame.muStar * 11) / 10), rewards = rewardTicks(top);
      var time = draw.chart({
        width: size.left, height: 230, x: [1, frame.T], logX: true, y: [0, top],
        xTicks: decadeTicks(frame.T), yTicks: rewards, xLabel: "round t (logarithmic)",
        yLabel: "expected reward", title: "Expected reward of each round, by algorithm"
      });
      time.line([[1, frame.muStar], [frame.T, frame.muStar]], "best");
      var regret = draw.chart({
        width: size.right, height: size.two ? 334 : 230, x: [LEAST, GREATEST],
        y: [0, top], xTicks: exponentTicks(), yTicks: rewards,
        xLabel: "exponent p (drag)", yLabel: "p-mean regret",
        title: "p-mean regret of each algorithm against p"
      });
      series.forEach(function (s) {
        time.line(frame.middle.map(function (t, b) { return [t, s.values[b]]; }),
          KINDS[s.name]);
        regret.line(regretLine(s, frame), KINDS[s.name]);
      });
      regret.drag(function (value) { pSlider.set(Math.round(value * 20) / 20); });
      var pointer = element("g", { class: "pointer" });
      regret.svg.appendChild(pointer);
      var strip = element("svg", {
        viewBox: "0 0 " + size.left + " 104", width: "100%", role: "img"
      });
      page.charts.replaceChildren(draw.column(size.left, [time.svg, strip]),
        draw.column(size.right, [regret.svg]));
      parts = { time: time, regret: regret, pointer: pointer, strip: strip };
    }

    /** What p decides: who counts, the pointer, the numbers. */
    function mark(frame, series) {
      markSay(frame, series);
      var readings = series.map(function (s) {
        return bandit.measured(s, frame, state.p);
      });
      parts.pointer.replaceChildren(parts.regret.needle(state.p));
      series.forEach(function (s, i) {
        parts.pointer.appendChild(parts.regret.dot(state.p, Math.max(0, readings[i].value),
          KINDS[s.name]));
      });
      draw.fill(page.reading, "At p = " + short(state.p) + ", best mean "
        + number(frame.muStar, 3) + ", T = " + whole(frame.T) + ", n_runs = "
        + whole(Math.min.apply(null, series.map(function (s) { return s.runs; }))),
      ["algorithm", "p-mean regret", "rounds with half of the say", "exploration T~"],
      series.map(function (s, i) { return row(s, frame, readings[i]); }));
      page.say("At p = " + short(state.p) + ": " + series.map(function (s, i) {
        return s.name + " regrets " + number(readings[i].value, 3);
      }).join(", ") + ".");
    }

    /** The strip below the time axis: which rounds count, by algorithm. */
    function markSay(frame, series) {
      var time = parts.time, x0 = time.margin.left, end = time.width - time.margin.right;
      parts.strip.replaceChildren(element("title", {}, [
        "Share of the say that p gives to each part of the time axis, by algorithm"
      ]), element("text", { x: x0, y: 14, class: "label" }, [
        "which rounds count at p = " + short(state.p)
      ]));
      series.forEach(function (s, i) {
        var base = 22 + 26 * (i + 1), heights = sayByTime(s, frame, state.p);
        parts.strip.appendChild(element("path", {
          d: bars(heights, x0, (end - x0) / BINS, base), class: "bars " + KINDS[s.name]
        }));
        parts.strip.appendChild(element("line", {
          x1: x0, x2: end, y1: base, y2: base, class: "grid"
        }));
        parts.strip.appendChild(element("text", {
          x: x0 - 6, y: base - 3, "text-anchor": "end"
        }, [s.name]));
      });
    }

    function row(s, frame, reading) {
      var half = maths.halfTheSay(s.values, state.p, frame.weights);
      return element("tr", { "data-algorithm": s.name }, [
        draw.rowHead(KINDS[s.name], s.name),
        element("td", { class: "regret" }, [number(reading.value, 5)
          + (isFinite(reading.error) ? " \u00b1 " + number(reading.error, 5) : "")]),
        element("td", { class: "half" }, [whole(half)]),
        element("td", {}, [s.T_tilde === 0 ? "none" : whole(s.T_tilde)
          + (s.capped ? " (all of T)" : "")])
      ]);
    }

    rebuild();
    draw.onResize(box, rebuild);
  }

  draw.start("dial", dial);
})();
