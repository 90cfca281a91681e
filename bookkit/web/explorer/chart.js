/* What every explorer draws with: elements, numbers in words, charts with labelled curves,
 * and things that can be dragged. Adds pmean.chart. */
pmean.chart = (function () {
  "use strict";
  const SVG = "http://www.w3.org/2000/svg";
  const GRIP = 44; // as large as a finger
  let count = 0; // of ids given so far

  function element(tag, attributes = {}, children = []) {
    const inSvg = /^(svg|g|path|line|circle|rect|text|title|tspan)$/.test(tag);
    const node = inSvg ? document.createElementNS(SVG, tag) : document.createElement(tag);
    set(node, attributes);
    children.forEach((child) => {
      node.append(...(typeof child === "string" ? words(child, inSvg) : [child]));
    });
    return node;
  }
  function set(node, attributes) {
    Object.entries(attributes).forEach(([name, value]) => {
      node.setAttribute(name, typeof value === "number" ? Number(value.toFixed(2)) : value);
    });
  }
  /** Text in which 10^8 has its exponent raised, with whatever font there is. */
  function words(text, inSvg) {
    const raised = inSvg ? { dy: "-5", "font-size": "9" } : {};
    return text.split(/\^([\d\u2212]+)/).map((part, i) => (
      i % 2 ? element(inSvg ? "tspan" : "sup", raised, [part]) : part));
  }
  function newId() { return "explorer-part-" + ++count; }

  // ---- numbers in words ------------------------------------------------------------

  const signed = (text) => text.replace("-", "\u2212");
  const number = (v, digits) => signed(v.toFixed(digits));
  const short = (v) => signed(String(Math.round(v * 100) / 100));
  /** Thousands apart. (The browser's own way loads its tables of languages: 30 ms.) */
  const grouped = (v) => String(v).replace(/\d+/, (digits) => (
    digits.replace(/\B(?=(\d{3})+$)/g, ",")));
  const whole = (v) => grouped(Math.round(v));
  const power = (exponent) => "10^" + short(exponent);
  const percent = (share) => number(100 * share, 0) + " %";
  function big(v) {
    if (v < 1e6) return whole(v);
    const e = Math.floor(Math.log10(v) + 1e-9);
    return number(v / 10 ** e, 1) + "\u00d7" + power(e);
  }
  /** A probability-sized number in three digits, also when it is very small. */
  function small(v) {
    return v >= 0.001 && v < 1e5 ? grouped(Number(v.toPrecision(3)))
      : signed(v.toExponential(1));
  }
  /** Ticks at 1, 10, 100, ..., `every` so many decades. */
  function decades(from, to, every = 1) {
    const ticks = [];
    for (let e = from; e <= to; e += every) {
      ticks.push([10 ** e, e === 0 || e === 1 ? String(10 ** e) : power(e)]);
    }
    return ticks;
  }

  /** The room for a chart, measured when it has changed: to measure is to lay out the page.
   * A page that is not laid out yet has none. */
  const rooms = new Map(), watch = new ResizeObserver((all) => {
    all.forEach(({ target }) => rooms.delete(target));
  });
  function widthOf(node) {
    if (!rooms.has(node)) {
      rooms.set(node, Math.max(200, node.clientWidth));
      watch.observe(node);
    }
    return rooms.get(node);
  }
  /** Whether a chart, if there is one, is about as wide as its room. */
  const fits = (plot, node) => Math.abs((plot?.width || 0) - widthOf(node)) <= 4;

  // ---- charts ----------------------------------------------------------------------

  function picture(width, height, title) {
    const id = newId();
    return element("svg", {
      viewBox: `0 0 ${width} ${height}`, width: "100%", role: "img", "aria-labelledby": id
    }, [element("title", { id }, [title])]);
  }

  /** A chart: scales, axes with labelled ticks, and a layer to draw on. */
  function chart(o) {
    const m = { left: 54, right: 12, top: 14, bottom: 40, ...o.margin };
    const w = o.width, bottom = o.height - m.bottom, right = w - m.right;
    function scale(domain, log, from, to) {
      const f = log ? Math.log10 : Number, a = f(domain[0]), b = f(domain[1]);
      const place = (v) => from + (to - from) * (f(v) - a) / (b - a);
      place.back = (at) => {
        const v = a + (b - a) * Math.min(1, Math.max(0, (at - from) / (to - from)));
        return log ? 10 ** v : v;
      };
      return place;
    }
    const x = scale(o.x, o.logX, m.left, right), y = scale(o.y, o.logY, bottom, m.top);
    const svg = picture(w, o.height, o.title), axes = element("g", { class: "axes" });
    o.xTicks.forEach(([value, name]) => {
      const at = x(value);
      if (!o.bars) { // names below bars need no lines
        axes.append(element("line", { x1: at, x2: at, y1: m.top, y2: bottom, class: "grid" }));
      }
      axes.append(element("text", { x: at, y: bottom + 16, "text-anchor": "middle" }, [name]));
    });
    o.yTicks.forEach(([value, name]) => {
      const at = y(value);
      axes.append(
        element("line", { x1: m.left, x2: right, y1: at, y2: at, class: "grid" }),
        element("text", { x: m.left - 6, y: at + 4, "text-anchor": "end" }, [name]));
    });
    const middle = (bottom + m.top) / 2;
    axes.append(element("text", {
      x: (m.left + right) / 2, y: o.height - 6, "text-anchor": "middle", class: "label"
    }, [o.xLabel]), element("text", {
      x: 12, y: middle, class: "label", "text-anchor": "middle",
      transform: `rotate(-90 12 ${middle})`
    }, [o.yLabel]));
    const layer = element("g");
    svg.append(axes, layer);

    function path(points) {
      let pen = "M", d = "";
      points.forEach(([a, b]) => {
        if (!isFinite(a) || !isFinite(b)) { pen = "M"; return; }
        d += pen + x(a).toFixed(1) + " " + y(b).toFixed(1);
        pen = "L";
      });
      return d;
    }
    const remembered = {}; // where the names of the curves stood last
    return {
      svg, width: w, margin: m, x, y, layer,
      line(points, kind) {
        layer.append(element("path", { d: path(points), class: "line " + kind }));
      },
      /** The light band between the least and the greatest value. */
      band(points, kind) {
        const low = points.map((pt) => [pt[0], pt[1]]);
        const high = points.map((pt) => [pt[0], pt[2]]).reverse();
        layer.append(element("path", { d: path(low.concat(high)) + "z", class: "band " + kind }));
      },
      /** Write beside each curve its name, where there is most room for it. Curves without
       * a name have only to be kept clear of. */
      names(curves) {
        const edges = [m.left, m.top - 6, right, bottom];
        const drawn = curves.map((c) => c.points.filter((pt) => isFinite(pt[1]))
          .map((pt) => [x(pt[0]), y(pt[1])]));
        const taken = [];
        curves.forEach((curve, i) => {
          if (!curve.name) return;
          const found = place(curve.name, drawn, i, taken, edges, remembered[curve.name]);
          if (!found) return;
          remembered[curve.name] = found.key;
          taken.push(found.box);
          layer.append(element("text", {
            x: found.box[0], y: found.box[3] - 3, class: "name " + curve.kind
          }, [curve.name]));
        });
      },
      dot(at, value, kind) {
        return element("circle", { cx: x(at), cy: y(value), r: 4.5, class: "dot " + kind });
      },
      /** A line across the chart with a knob at its top, to be dragged along the axis. */
      needle(moved) {
        const line = element("line", { y1: m.top, y2: bottom });
        const knob = element("circle", { cy: m.top, r: 8, class: "knob" });
        const held = grip(), dots = element("g");
        let now = o.x[0];
        svg.append(element("g", { class: "pointer" }, [line, dots, knob, held]));
        drag(svg, () => [x(now), 0], (_, [at]) => moved(x.back(at)));
        svg.classList.add("across");
        return (at, ...marks) => {
          now = at;
          set(line, { x1: x(at), x2: x(at) });
          set(knob, { cx: x(at) });
          set(held, { x: x(at) - GRIP / 2, y: m.top - GRIP / 2 });
          dots.replaceChildren(...marks);
        };
      }
    };
  }

  /** The best place for a name beside curve `own`: far from the other curves and names.
   * Where it stood before is preferred, so that it does not hop about. */
  function place(name, curves, own, taken, edges, before) {
    const wide = 7.2 * name.length, points = curves[own];
    const step = Math.max(1, Math.floor(points.length / 24));
    const sides = [[-wide / 2, -18], [-wide / 2, 4], [8, -7], [-wide - 8, -7]];
    let best = null;
    for (let n = 0; n < points.length; n += step) {
      for (const [side, [dx, dy]] of sides.entries()) {
        const [x, y] = points[n], key = Math.round(x / 12) + ":" + side;
        const box = [x + dx, y + dy, x + dx + wide, y + dy + 15];
        if (box[0] < edges[0] || box[1] < edges[1] || box[2] > edges[2] || box[3] > edges[3]) {
          continue;
        }
        let room = clearance(box, curves, own, best ? best.room - 8 : -Infinity);
        taken.forEach((other) => { if (distance(box, other) < 8) room -= 60; });
        room += key === before ? 8 : 0;
        if (!best || room > best.room) best = { box, key, room };
      }
    }
    return best;
  }
  /** How far a box is from the other curves, at most 40; less if its own crosses it, and
   * no longer looked at than it takes to see that it is worse than `enough`. */
  function clearance([x0, y0, x1, y1], curves, own, enough) {
    let room = 40;
    for (let i = 0; i < curves.length; i++) {
      for (const [x, y] of curves[i]) {
        const dx = x < x0 ? x0 - x : x > x1 ? x - x1 : 0, dy = y < y0 ? y0 - y : y > y1 ? y - y1 : 0;
        if (i === own) {
          if (dx * dx + dy * dy < 1) room = Math.min(room, -20);
        } else if (dx * dx + dy * dy < room * room || room < 0) {
          room = Math.min(room, Math.sqrt(dx * dx + dy * dy));
        }
        if (room < enough) return room;
      }
    }
    return room;
  }
  /** Between two boxes (left, top, right, bottom); 0 where they touch. */
  function distance(a, b) {
    return Math.hypot(Math.max(0, b[0] - a[2], a[0] - b[2]),
      Math.max(0, b[1] - a[3], a[1] - b[3]));
  }

  // ---- dragging --------------------------------------------------------------------

  /** What a finger takes hold of. Style sheets' touch-action does not reach the shapes
   * of a picture in every browser, so the touch itself is kept from scrolling. */
  function grip(attributes) {
    const node = element("rect", { class: "grip", width: GRIP, height: GRIP, ...attributes });
    node.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
    return node;
  }

  /** A mouse drags from anywhere; a finger by a grip alone, and elsewhere it scrolls.
   *
   * `take(place, target)` tells where the thing stands that is taken (or nothing), and
   * `move(thing, place)` is called while it is dragged. */
  function drag(svg, take, move) {
    let held = null, offset = [0, 0];
    function at(event) {
      const box = svg.getBoundingClientRect();
      const scale = svg.viewBox.baseVal.width / box.width;
      return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
    }
    svg.addEventListener("pointerdown", (event) => {
      const finger = event.pointerType === "touch", place = at(event);
      if (event.button || (finger && !event.target.classList.contains("grip"))) return;
      held = take(place, event.target);
      if (!held) return;
      offset = finger ? [held[0] - place[0], held[1] - place[1]] : [0, 0];
      svg.setPointerCapture(event.pointerId);
      event.preventDefault();
      if (!finger) move(held, place); // a thing does not jump to a finger
    });
    svg.addEventListener("pointermove", (event) => {
      if (!held) return;
      const place = at(event);
      move(held, [place[0] + offset[0], place[1] + offset[1]]);
    });
    ["pointerup", "pointercancel"].forEach((name) => {
      svg.addEventListener(name, () => { held = null; });
    });
  }

  return {
    GRIP, element, set, newId, widthOf, fits, signed, number, short, whole, power, percent, big, small, decades,
    picture, chart, grip, drag
  };
})();
