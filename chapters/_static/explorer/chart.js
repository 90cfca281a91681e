/* What every explorer draws with: elements, charts, number formats, controls, the table
 * of readings, and the start on the page. Adds pmean.chart. */
pmean.chart = (function () {
  "use strict";
  var SVG = "http://www.w3.org/2000/svg", count = 0; // of ids given so far

  // ---- elements and charts ---------------------------------------------------------

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
    var o = options, m = { left: 54, right: 12, top: 12, bottom: 40 };
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
      if (!o.bars) { // names below bars need no lines
        axes.appendChild(element("line", {
          x1: x(tick[0]), x2: x(tick[0]), y1: m.top, y2: h - m.bottom, class: "grid"
        }));
      }
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
      svg: svg, width: w, margin: m, x: x, y: y,
      line: function (points, kind) {
        var pen = "M", d = "";
        points.forEach(function (pt) {
          if (!isFinite(pt[0]) || !isFinite(pt[1])) { pen = "M"; return; }
          d += pen + x(pt[0]).toFixed(1) + " " + y(pt[1]).toFixed(1);
          pen = "L";
        });
        layer.appendChild(element("path", { d: d, class: "line " + kind }));
      },
      /** A line across the chart at this value of x. */
      needle: function (at) {
        return element("line", { x1: x(at), x2: x(at), y1: m.top, y2: h - m.bottom });
      },
      dot: function (at, value, kind) {
        return element("circle", { cx: x(at), cy: y(value), r: 4.5, class: kind });
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

  // ---- number formats --------------------------------------------------------------

  function signed(text) { return text.replace("-", "\u2212"); }
  function number(v, digits) { return signed(v.toFixed(digits)); }
  function short(v) { return signed(String(Math.round(v * 100) / 100)); }
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
      { maximumFractionDigits: 6 }) : signed(v.toExponential(1));
  }

  // ---- controls --------------------------------------------------------------------

  /** A slider that calls `changed` with its value; `show` words it for the reader. */
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
      set: function (v) {
        input.value = v;
        show();
        changed(Number(input.value));
      }
    };
  }

  /** What an exponent does, in words; `one` is who counts: a round, a household. */
  function meaning(p, one) {
    if (p === 1) return "the average: every " + one + " counts the same";
    if (p === 0) return "the geometric mean: Nash welfare";
    if (p === -1) return "the harmonic mean";
    if (p > 0) return "between the average and Nash welfare";
    return p > -1 ? "between Nash welfare and the harmonic mean"
      : p > -5 ? "badly served " + one + "s count most"
        : "close to counting the worst " + one + " only";
  }

  /** The slider for p, the same on every dial. */
  function exponentSlider(box, value, one, changed) {
    return slider(box, "p", {
      min: pmean.constants.exponents[0], max: pmean.constants.exponents[1], step: 0.05,
      value: value, show: function (v) { return short(v) + " \u2013 " + meaning(v, one); }
    }, changed);
  }

  /** A slider for the mean of an arm. */
  function meanSlider(box, label, value, changed) {
    return slider(box, label, {
      min: 0.01, max: 1, step: 0.01, value: value,
      show: function (v) { return number(v, 2); }
    }, changed);
  }

  /** A list to choose from; the options are pairs of a value and its words. */
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
  }

  function button(box, label, pressed) {
    var node = element("button", { type: "button" }, [label]);
    node.addEventListener("click", pressed);
    box.appendChild(node);
  }

  // ---- the parts of an explorer, and its start -------------------------------------

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

  /** Fill a box with what every explorer has: controls, charts, readings, a voice. */
  function layout(box) {
    var parts = {
      controls: element("div", { class: "controls" }),
      charts: element("div", { class: "charts" }),
      reading: element("table", { class: "reading" })
    };
    box.replaceChildren(parts.controls, parts.charts,
      element("div", { class: "reading-box" }, [parts.reading]));
    parts.say = speaker(box);
    return parts;
  }

  /** Write a table of readings; the rows are <tr> elements. */
  function fill(table, caption, names, rows) {
    var head = names.map(function (name) {
      return element("th", { scope: "col" }, [name]);
    });
    table.replaceChildren(element("caption", {}, [caption]),
      element("thead", {}, [element("tr", {}, head)]), element("tbody", {}, rows));
  }

  /** The head of a row: a sample of the line in the chart, and its name. */
  function rowHead(kind, name) {
    return element("th", { scope: "row" }, [
      element("span", { class: "swatch " + kind }), name
    ]);
  }

  /** The widths of the charts: side by side where there is room for it. */
  function columns(box) {
    var width = Math.max(240, box.clientWidth - 1), two = width > 640;
    box.classList.toggle("two", two);
    var left = two ? Math.round(width * 0.57) : width;
    return { two: two, left: left, right: two ? width - left - 16 : width };
  }

  function column(width, children) {
    return element("div", { style: "width:" + width + "px" }, children);
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

  /** What the page asks for, else what this kind of explorer shows at first. */
  function settings(box) {
    var start = pmean.constants.start[box.dataset.explorer], state = {};
    Object.keys(start).forEach(function (name) {
      var given = box.dataset[name] || start[name];
      state[name] = typeof start[name] === "number" ? Number(given) : given;
    });
    return state;
  }

  /** Call `explorer` with each box of a kind and with what it shows at first. */
  function start(kind, explorer) {
    var boxes = document.querySelectorAll('.explorer[data-explorer="' + kind + '"]');
    boxes.forEach(function (box) {
      explorer(box, settings(box));
      box.dataset.ready = "yes";
    });
  }

  return {
    element: element, chart: chart,
    number: number, short: short, whole: whole, power: power, big: big, small: small,
    slider: slider, exponentSlider: exponentSlider, meanSlider: meanSlider,
    choice: choice, button: button,
    layout: layout, fill: fill, rowHead: rowHead, columns: columns, column: column,
    onResize: onResize, start: start
  };
})();
