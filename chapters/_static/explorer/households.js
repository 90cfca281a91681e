/* The explorer "households": drag what four households get, turn p, and see the p-mean as
 * a level across the bars and whom it hears. Needs maths.js and chart.js. */
(function () {
  "use strict";
  var maths = pmean.maths, draw = pmean.chart, element = draw.element;
  var number = draw.number, short = draw.short, told = pmean.constants.households;
  var LEAST = told.outcomes[0], GREATEST = told.outcomes[1];
  var HALF = 0.36, GRIP = 44, STRIP = 84; // half a bar; a finger's height; pixels

  function percent(share) { return number(100 * share, 0) + " %"; }

  /** The bars' chart; on its right there is room for the names of the levels. */
  function barChart(width) {
    var ticks = [];
    for (var v = 0; v <= GREATEST; v += 2) ticks.push([v, String(v)]);
    return draw.chart({
      width: width, height: 262, x: [0.5, 5.35], y: [0, GREATEST + 1], bars: true,
      xTicks: [1, 2, 3, 4].map(function (name) { return [name, String(name)]; }),
      yTicks: ticks, xLabel: "household", yLabel: "kWh a day",
      title: "What each of four households gets, and the p-mean as a level across"
    });
  }

  function households(box, state) {
    var page = draw.layout(box), left = draw.column(0, []), right = draw.column(0, []);
    var sentence = element("p", { class: "sentence" });
    var programmes = element("div", { class: "controls programmes" });
    var outcomes = element("div", { class: "controls outcomes" });
    var start = { p: state.p, u: told.programmes[state.programme] };
    var u = start.u.slice(), parts = null, lit = null;
    box.classList.add("households");
    right.append(sentence, programmes, outcomes, page.reading.parentNode);
    page.charts.append(left, right);

    var pSlider = draw.exponentSlider(page.controls, state.p, "household",
      function (v) { state.p = v; update(); });
    Object.keys(told.programmes).forEach(function (name) {
      var given = told.programmes[name];
      draw.button(programmes, name + ": " + given.join(", "), function () { give(given); });
    });
    draw.button(programmes, "reset", function () { give(start.u); pSlider.set(start.p); });
    var sliders = u.map(function (value, i) {
      return draw.slider(outcomes, "household " + (i + 1), {
        min: LEAST, max: GREATEST, step: told.step, value: value,
        show: function (v) { return number(v, 1) + " kWh"; }
      }, function (v) { u[i] = v; update(); });
    });
    Array.prototype.forEach.call(outcomes.children, function (control, i) {
      control.dataset.household = i;
    });

    function give(values) {
      sliders.forEach(function (slider, i) { slider.set(values[i]); });
    }

    /** What depends on the width alone: axes, and a group for each household. */
    function build() {
      var size = draw.columns(page.charts), plot = barChart(size.left);
      var strip = element("svg", {
        viewBox: "0 0 " + size.left + " " + STRIP, width: "100%", role: "img"
      }, [element("title", {}, ["Share of the attention that p gives to each household"])]);
      var caption = element("text", { x: plot.margin.left, y: 14, class: "label" });
      var levels = element("g", { class: "levels" });
      strip.appendChild(caption);
      var groups = u.map(function (_, i) {
        var x0 = plot.x(i + 1 - HALF), wide = plot.x(i + 1 + HALF) - x0;
        var bar = element("rect", { class: "bar", x: x0, width: wide });
        var grip = element("rect", { class: "grip", x: x0, width: wide, height: GRIP });
        // touch-action does not reach every browser's shapes inside of a picture
        grip.addEventListener("touchstart", function (event) { event.preventDefault(); },
          { passive: false });
        var handle = element("rect", {
          class: "handle", x: x0 + wide / 2 - 12, width: 24, height: 4, rx: 2
        });
        var heard = element("rect", { class: "heard", x: x0, width: wide });
        var share = element("text", { x: plot.x(i + 1), y: STRIP - 4, "text-anchor": "middle" });
        plot.svg.appendChild(element("g", { "data-household": i }, [bar, handle, grip]));
        strip.appendChild(element("g", { "data-household": i }, [heard, share]));
        return { bar: bar, grip: grip, handle: handle, heard: heard, share: share };
      });
      plot.svg.appendChild(levels);
      dragBars(plot, size.left);
      left.style.width = size.left + "px";
      right.style.width = size.right + "px";
      left.replaceChildren(plot.svg, strip);
      parts = { plot: plot, groups: groups, levels: levels, caption: caption };
    }

    /** The top of a bar follows a finger; a mouse may take hold of its whole column. */
    function dragBars(plot, width) {
      var held = null, svg = plot.svg;
      function move(event) {
        var frame = svg.getBoundingClientRect();
        var at = (event.clientY - frame.top) * width / frame.width;
        var value = (plot.y(0) - at) / (plot.y(0) - plot.y(1));
        sliders[held].set(Math.min(GREATEST, Math.max(LEAST, Math.round(value * 10) / 10)));
      }
      svg.addEventListener("pointerdown", function (event) {
        var frame = svg.getBoundingClientRect();
        var x = (event.clientX - frame.left) * width / frame.width;
        var near = u.findIndex(function (_, i) {
          return plot.x(i + 1 - HALF) <= x && x <= plot.x(i + 1 + HALF);
        });
        var onGrip = event.target.classList.contains("grip");
        if (near < 0 || event.button || (event.pointerType === "touch" && !onGrip)) return;
        held = near;
        svg.setPointerCapture(event.pointerId);
        if (event.pointerType !== "touch") move(event); // a finger does not jump
        event.preventDefault();
      });
      svg.addEventListener("pointermove", function (event) {
        if (held !== null) move(event);
      });
      ["pointerup", "pointercancel"].forEach(function (name) {
        svg.addEventListener(name, function () { held = null; });
      });
    }

    function level(value, name, kind, lines) {
      var plot = parts.plot, y = plot.y(value), x = plot.x(4.5);
      return element("g", { class: kind }, [
        element("line", { x1: plot.margin.left, x2: plot.width - plot.margin.right, y1: y, y2: y }),
        element("text", { x: x, y: y + lines[0] }, [name]),
        element("text", { x: x, y: y + lines[1] }, [number(value, 2)])
      ]);
    }

    function update() {
      var p = state.p, mean = maths.pMean(u, p), shares = maths.shares(u, p);
      if (!parts) build();
      u.forEach(function (value, i) {
        var part = parts.groups[i], top = parts.plot.y(value), tall = 44 * shares[i];
        set(part.bar, { y: top, height: parts.plot.y(0) - top });
        part.bar.style.fillOpacity = 0.15 + 0.85 * shares[i];
        set(part.grip, { y: top - GRIP / 2 });
        set(part.handle, { y: Math.min(top + 4, parts.plot.y(0) - 5) });
        set(part.heard, { y: STRIP - 18 - tall, height: tall });
        part.share.textContent = percent(shares[i]);
      });
      parts.caption.textContent = "share of the attention at p = " + short(p);
      parts.levels.replaceChildren(level(maths.pMean(u, 1), "average", "average", [-17, -5]),
        level(mean, "p-mean", "mean", [14, 26]));
      sentence.replaceChildren("This is as good as ",
        element("strong", { class: "level" }, [number(mean, 3)]),
        " kWh a day for each of the four.");
      draw.fill(page.reading, "Who is heard at p = " + short(p),
        ["household", "1", "2", "3", "4"], [
          row("gets", u, "gets", function (v) { return number(v, 1); }),
          row("share", shares, "attention", percent)
        ]);
      light(lit);
      page.say("At p = " + short(p) + " the p-mean is " + number(mean, 2)
        + " kilowatt-hours; of the attention, the households have "
        + Array.prototype.map.call(shares, percent).join(", ") + ".");
    }

    function set(node, attributes) {
      Object.keys(attributes).forEach(function (name) {
        node.setAttribute(name, attributes[name].toFixed(1));
      });
    }
    function row(kind, values, name, words) {
      var cells = Array.prototype.map.call(values, function (v, i) {
        return element("td", { "data-household": i }, [words(v)]);
      });
      return element("tr", { "data-row": kind }, [
        element("th", { scope: "row" }, [name])
      ].concat(cells));
    }

    /** The same household stands out wherever it appears. */
    function light(name) {
      lit = name;
      box.querySelectorAll("[data-household]").forEach(function (node) {
        node.classList.toggle("lit", node.dataset.household === name);
      });
    }
    ["pointerover", "focusin"].forEach(function (name) {
      box.addEventListener(name, function (event) {
        var one = event.target.closest("[data-household]");
        light(one ? one.dataset.household : null);
      });
    });
    box.addEventListener("pointerleave", function () { light(null); });
    box.addEventListener("focusout", function () { light(null); });

    update();
    draw.onResize(box, function () { parts = null; update(); });
  }

  draw.start("households", households);
})();
