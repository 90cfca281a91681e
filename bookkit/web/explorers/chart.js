/* Charts: scales, axes with labelled ticks, curves with names, a needle to drag. */
import { GRIP, drag, grip } from "./drag.js";
import { element, newId, set } from "./elements.js";
import { place } from "./names.js";

/** The width for a chart, measured when it has changed: to measure is to lay out the page.
 * A page that is not laid out yet has none. */
const widths = new Map(), watch = new ResizeObserver((all) => {
  all.forEach(({ target }) => widths.delete(target));
});
export function widthOf(node) {
  if (!widths.has(node)) {
    widths.set(node, Math.max(200, node.clientWidth));
    watch.observe(node);
  }
  return widths.get(node);
}

/** Whether a chart, if there is one, is about as wide as its column. */
export const fits = (plot, node) => Math.abs((plot?.width || 0) - widthOf(node)) <= 4;

export function picture(width, height, title) {
  const id = newId();
  return element("svg", {
    viewBox: `0 0 ${width} ${height}`, width: "100%", role: "img", "aria-labelledby": id
  }, [element("title", { id }, [title])]);
}

/** From values to pixels; `back` from pixels to values. */
function scale(domain, log, from, to) {
  const f = log ? Math.log10 : Number, a = f(domain[0]), b = f(domain[1]);
  const at = (v) => from + (to - from) * (f(v) - a) / (b - a);
  at.back = (pixel) => {
    const v = a + (b - a) * Math.min(1, Math.max(0, (pixel - from) / (to - from)));
    return log ? 10 ** v : v;
  };
  return at;
}

/** Grid, ticks and labels of a chart. */
function axes({ x, y, margin: m, right, bottom }, o) {
  const middle = (bottom + m.top) / 2, node = element("g", { class: "axes" });
  o.xTicks.forEach(([value, name]) => {
    const at = x(value);
    if (!o.bars) { // names below bars need no lines
      node.append(element("line", { x1: at, x2: at, y1: m.top, y2: bottom, class: "grid" }));
    }
    node.append(element("text", { x: at, y: bottom + 16, "text-anchor": "middle" }, [name]));
  });
  o.yTicks.forEach(([value, name]) => {
    const at = y(value);
    node.append(
      element("line", { x1: m.left, x2: right, y1: at, y2: at, class: "grid" }),
      element("text", { x: m.left - 6, y: at + 4, "text-anchor": "end" }, [name]));
  });
  node.append(element("text", {
    x: (m.left + right) / 2, y: o.height - 6, "text-anchor": "middle", class: "label"
  }, [o.xLabel]), element("text", {
    x: 12, y: middle, class: "label", "text-anchor": "middle", transform: `rotate(-90 12 ${middle})`
  }, [o.yLabel]));
  return node;
}

/** Axes, and a layer to draw on. */
export class Chart {
  constructor(o) {
    const margin = { left: 54, right: 12, top: 14, bottom: 40, ...o.margin };
    this.width = o.width;
    this.margin = margin;
    this.right = o.width - margin.right;
    this.bottom = o.height - margin.bottom;
    this.start = o.x[0];
    this.x = scale(o.x, o.logX, margin.left, this.right);
    this.y = scale(o.y, o.logY, this.bottom, margin.top);
    this.layer = element("g");
    this.svg = picture(o.width, o.height, o.title);
    this.svg.append(axes(this, o), this.layer);
    this.remembered = {}; // where the names of the curves stood last
  }

  path(points) {
    let pen = "M", d = "";
    points.forEach(([a, b]) => {
      if (!isFinite(a) || !isFinite(b)) { pen = "M"; return; }
      d += pen + this.x(a).toFixed(1) + " " + this.y(b).toFixed(1);
      pen = "L";
    });
    return d;
  }

  line(points, kind) {
    this.layer.append(element("path", { d: this.path(points), class: "line " + kind }));
  }

  /** The light band between the least and the greatest value. */
  band(points, kind) {
    const low = points.map(([t, v]) => [t, v]), high = points.map(([t, , v]) => [t, v]).reverse();
    const d = this.path(low.concat(high)) + "z";
    this.layer.append(element("path", { d, class: "band " + kind }));
  }

  /** Write beside each curve its name. Curves without one have only to be kept clear of. */
  names(curves) {
    const edges = [this.margin.left, this.margin.top - 6, this.right, this.bottom], taken = [];
    const drawn = curves.map((c) => c.points.filter((pt) => isFinite(pt[1]))
      .map((pt) => [this.x(pt[0]), this.y(pt[1])]));
    curves.forEach(({ name, kind }, i) => {
      const found = name && place(name, drawn, i, taken, edges, this.remembered[name]);
      if (!found) return;
      this.remembered[name] = found.key;
      taken.push(found.box);
      this.layer.append(element("text", {
        x: found.box[0], y: found.box[3] - 3, class: "name " + kind
      }, [name]));
    });
  }

  dot(at, value, kind) {
    const place = { cx: this.x(at), cy: this.y(value) };
    return element("circle", { ...place, r: 4.5, class: "dot " + kind });
  }

  /** A vertical line at a value, with words beside it at the height `y`. */
  note(at, words, { y, gap, kind = "", middle = this.width / 2 }) {
    const x = this.x(at), late = x > middle;
    this.layer.append(element("line", {
      x1: x, x2: x, y1: this.margin.top, y2: this.bottom, class: `note-line ${kind}`.trim()
    }), element("text", {
      x: x + (late ? -gap : gap), y, class: `note ${kind}`.trim(),
      "text-anchor": late ? "end" : "start"
    }, [words]));
  }

  /** A line across the chart with a knob at its top, to be dragged along the axis. */
  needle(moved) {
    const { top } = this.margin, line = element("line", { y1: top, y2: this.bottom });
    const knob = element("circle", { cy: top, r: 8, class: "knob" });
    const held = grip(), dots = element("g");
    let now = this.start;
    this.svg.append(element("g", { class: "pointer" }, [line, dots, knob, held]));
    drag(this.svg, () => [this.x(now), 0], (_, [at]) => moved(this.x.back(at)));
    this.svg.classList.add("across");
    return (value, ...marks) => {
      const x = this.x(value);
      now = value;
      set(line, { x1: x, x2: x });
      set(knob, { cx: x });
      set(held, { x: x - GRIP / 2, y: top - GRIP / 2 });
      dots.replaceChildren(...marks);
    };
  }
}
