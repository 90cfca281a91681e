/* The explorer "period": turn T, k and p and see the exploration period, the bounds and
 * their hypotheses. Needs maths.js and chart.js. */
(function () {
  "use strict";
  var maths = pmean.maths, draw = pmean.chart, element = draw.element;
  var short = draw.short, whole = draw.whole, small = draw.small;
  var EXPONENTS = pmean.constants.exponents, HORIZONS = pmean.constants.horizons;
  var DECADES = HORIZONS.map(function (T) { return Math.round(Math.log10(T)); });
  var LEAST = 1e-6, GREATEST = 10; // of the bounds in the chart
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

  /** The horizon that the slider names, in two digits. */
  function horizon(logT) { return Number(Math.pow(10, logT).toPrecision(2)); }

  /** The three bounds at a horizon. */
  function boundsAt(T, s) {
    return {
      paper: maths.paperBound(T, s.k, s.p, s.star, s.least),
      repaired: maths.repaired(T, s.k, s.p, s.star),
      unified: maths.unified(T, s.k, s.p, s.star, maths.leastExploration(T, s.k, s.star))
    };
  }
  function factorsAt(T, s) { return maths.factors(T, s.k, s.p, s.star, s.least); }
  function inChart(v) { return v <= GREATEST && v >= LEAST; }

  /** The bounds against the horizon, thin where the paper's is not proved. */
  function boundChart(width, s) {
    var xTicks = [], yTicks = [], e;
    for (e = 5; e <= DECADES[1]; e += 5) xTicks.push([Math.pow(10, e), draw.power(e)]);
    for (e = -6; e <= 1; e++) {
      yTicks.push([Math.pow(10, e), e < 0 ? draw.power(e) : String(Math.pow(10, e))]);
    }
    var plot = draw.chart({
      width: width, height: 300, x: HORIZONS, logX: true, y: [LEAST, GREATEST], logY: true,
      xTicks: xTicks, yTicks: yTicks, xLabel: "horizon T (drag)",
      yLabel: "bound on the regret",
      title: "The bounds against the horizon, both axes logarithmic"
    });
    plot.line([[HORIZONS[0], s.star], [HORIZONS[1], s.star]], "best");
    var points = [];
    for (var x = DECADES[0]; x <= DECADES[1] + 0.001; x += 0.1) {
      var T = Math.pow(10, x);
      points.push({ T: T, values: boundsAt(T, s), assumed: factorsAt(T, s).assumption1 >= 1 });
    }
    BOUNDS.forEach(function (bound) {
      var kind = bound[0], thin = points.map(function (at) {
        return [at.T, inChart(at.values[kind]) ? at.values[kind] : NaN];
      });
      plot.line(thin, kind + " unproved");
      plot.line(thin.map(function (point, i) {
        return kind !== "paper" || points[i].assumed ? point : [point[0], NaN];
      }), kind);
    });
    return plot;
  }

  function hypothesis(h, factor) {
    var ok = factor >= 1, by = ok ? factor : 1 / factor;
    return element("li", { class: ok ? "yes" : "no", "data-hypothesis": h[0] }, [
      element("strong", {}, [ok ? "holds" : "fails"]), " " + h[1] + " ",
      element("span", {}, [ok ? "(with a factor " + small(by) + " to spare)"
        : "(short by a factor " + small(by) + ")"])
    ]);
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

  function row(bound, value, star, assumed) {
    return element("tr", { "data-bound": bound[0] }, [
      draw.rowHead(bound[0], bound[1]),
      element("td", { class: "bound" }, [isFinite(value) ? small(value) : "hypothesis fails"]),
      element("td", {}, [!isFinite(value) ? "no"
        : value >= star ? "no, not below the best mean"
          : bound[0] === "paper" && !assumed ? "not proved here: Assumption 1 fails" : "yes"])
    ]);
  }

  function period(box, state) {
    var page = draw.layout(box), holds = element("ul", { class: "holds" });
    var tSlider = draw.slider(page.controls, "horizon T", {
      min: DECADES[0], max: DECADES[1], step: 0.1, value: state.logt,
      show: function (v) { return draw.big(horizon(v)); }
    }, function (v) { state.logt = v; update(); });
    draw.slider(page.controls, "arms k", {
      min: Math.log10(2), max: 3, step: 0.001, value: Math.log10(state.k),
      show: function (v) { return whole(Math.pow(10, v)); }
    }, function (v) { state.k = Math.max(2, Math.round(Math.pow(10, v))); update(); });
    draw.slider(page.controls, "exponent p", {
      min: EXPONENTS[0], max: EXPONENTS[1], step: 0.1, value: state.p, show: short
    }, function (v) { state.p = Math.round(v * 10) / 10; update(); });
    var star = draw.meanSlider(page.controls, "best mean", state.star, function (v) {
      state.star = v;
      if (state.least > v) least.set(v);
      else update();
    });
    var least = draw.meanSlider(page.controls, "least mean", state.least, function (v) {
      state.least = v;
      if (state.star < v) star.set(v);
      else update();
    });

    function update() {
      var T = horizon(state.logt), k = state.k, p = state.p;
      var tilde = maths.period(T, k, p), own = maths.leastExploration(T, k, state.star);
      var factors = factorsAt(T, state), now = boundsAt(T, state);
      var size = draw.columns(page.charts), plot = boundChart(size.left, state);
      var pointer = element("g", { class: "pointer" }, [plot.needle(T)]);
      BOUNDS.forEach(function (bound) {
        var v = now[bound[0]];
        if (inChart(v)) pointer.appendChild(plot.dot(T, v, bound[0]));
      });
      plot.svg.appendChild(pointer);
      plot.drag(function (value) { tSlider.set(Math.round(Math.log10(value) * 10) / 10); });

      holds.replaceChildren.apply(holds, HYPOTHESES.map(function (h) {
        return hypothesis(h, factors[h[0]]);
      }));
      page.charts.replaceChildren(draw.column(size.left, [plot.svg]),
        draw.column(size.right, [bar("the paper\u2019s T~", tilde, T, "paper"),
          bar("Theorem U\u2019s T~", own, T, "unified"), holds]));
      draw.fill(page.reading, "At T = " + draw.big(T) + ", k = " + whole(k) + ", p = "
        + short(p) + ": the regret is at most", ["theorem", "bound", "says something?"],
      BOUNDS.map(function (bound) {
        return row(bound, now[bound[0]], state.star, factors.assumption1 >= 1);
      }));
      page.say("The paper's exploration takes " + small(tilde / T) + " of the horizon. "
        + HYPOTHESES.filter(function (h) { return factors[h[0]] < 1; }).length
        + " of " + HYPOTHESES.length + " hypotheses fail.");
    }

    update();
    draw.onResize(box, update);
  }

  draw.start("period", period);
})();
