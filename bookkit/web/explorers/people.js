/* People as bars that can be dragged, the p-mean as a level across them, and below each how
 * much it counts. A part of two explorers. */
import { pMean, shares } from "../engine/welfare.js";
import { Chart, fits, picture, widthOf } from "./chart.js";
import { GRIP, drag, grip } from "./drag.js";
import { element, set, watchPointing } from "./elements.js";
import { number, percent, short } from "./numbers.js";

const HALF = 0.36, STRIP = 84; // half a bar; pixels
const NUMBERS = ["none", "one", "two", "three", "four", "five", "six"];
const keyOf = (i) => `u${i + 1}`;

/** The fields of a state that has these people: what each of them gets. */
export function fieldsOf(settings) {
  const [min, max] = settings.outcomes;
  return Object.fromEntries(settings.values.map((value, i) => [keyOf(i), {
    label: `${settings.one} ${i + 1}`, value, min, max, step: settings.step,
    show: (v) => [number(v, settings.digits), settings.short].filter(Boolean).join(" ")
  }]));
}

/** What each of them gets, as a part of a state. */
export function stateOf(values) {
  return Object.fromEntries(values.map((v, i) => [keyOf(i), v]));
}

/** Their bars, for a panel with their fields. */
export class People {
  constructor(panel, settings) {
    const keys = settings.values.map((_, i) => keyOf(i));
    Object.assign(this, { panel, settings, keys, plot: null });
    const rows = element("div", { class: "controls rows" }), right = element("div");
    this.left = element("div");
    this.node = element("div", { class: "charts people" }, [this.left, right]);
    this.mean = element("strong", { class: "level" });
    this.average = element("span");
    right.append(element("p", { class: "sentence" }, [
      "As good as ", this.mean, ` ${settings.short ? settings.unit : ""} for each of the `
      + `${NUMBERS[this.keys.length]}. On average they get `, this.average, "."
    ]), rows);
    this.keys.forEach((key, i) => { panel.control(rows, key).dataset.person = i; });
    watchPointing(this.node, (target) => this.light(target?.closest("[data-person]")));
  }

  /** The same person stands out wherever it appears. */
  light(one) {
    this.node.querySelectorAll("[data-person]").forEach((other) => {
      other.classList.toggle("lit", Boolean(one) && other.dataset.person === one.dataset.person);
    });
  }

  /** What depends on the width alone: axes, and a group for each person. */
  build() {
    const { settings, keys } = this, greatest = settings.outcomes[1], width = widthOf(this.left);
    const ticks = [];
    for (let v = 0; v <= greatest * 1.001; v += settings.tick) ticks.push([v, short(v)]);
    this.plot = new Chart({
      width, height: 250, x: [0.5, keys.length + 1.4], y: [0, greatest * 1.08], bars: true,
      xTicks: keys.map((_, i) => [i + 1, String(i + 1)]), yTicks: ticks,
      xLabel: settings.one, yLabel: settings.unit,
      title: `What each ${settings.one} gets, and the p-mean as a level across`
    });
    const { svg, margin } = this.plot, strip = picture(width, STRIP,
      `Share of the ${settings.weight} that p gives to each ${settings.one}`);
    this.caption = element("text", { x: margin.left, y: 14, class: "label" });
    this.levels = element("g", { class: "levels" });
    strip.append(this.caption);
    this.persons = keys.map((_, i) => this.person(i, strip));
    svg.append(this.levels);
    svg.classList.add("upright");
    this.letDrag();
    this.left.replaceChildren(svg, strip);
  }

  /** The shapes of a person, in the chart and in the strip below it. */
  person(i, strip) {
    const { plot } = this, x = plot.x(i + 1 - HALF), width = plot.x(i + 1 + HALF) - x;
    const middle = plot.x(i + 1), part = {
      bar: element("rect", { class: "bar", x, width }),
      handle: element("rect", { class: "handle", x: middle - 12, width: 24, height: 5, rx: 2 }),
      grip: grip({ x, width }),
      heard: element("rect", { class: "heard", x, width }),
      share: element("text", { class: "share", x: middle, y: STRIP - 4, "text-anchor": "middle" })
    };
    plot.svg.append(element("g", { "data-person": i }, [part.bar, part.handle, part.grip]));
    strip.append(element("g", { "data-person": i }, [part.heard, part.share]));
    return part;
  }

  letDrag() {
    const { plot, keys, panel, settings: { outcomes: [least, greatest], step } } = this;
    drag(plot.svg, ([x]) => {
      const i = keys.findIndex((_, j) => Math.abs(plot.x(j + 1) - x) <= plot.x(HALF) - plot.x(0));
      return i < 0 ? null : [plot.x(i + 1), plot.y(panel.state[keys[i]]), keys[i]];
    }, (held, [, y]) => {
      const value = Number((Math.round(plot.y.back(y) / step) * step).toFixed(6));
      panel.set({ [held[2]]: Math.min(greatest, Math.max(least, value)) });
    });
  }

  /** A line across the bars; the last line of its name stands at the height `end`. */
  level(value, name, kind, end) {
    const { plot } = this, y = plot.y(value), x = plot.x(this.keys.length + 0.5);
    return element("g", { class: kind }, [
      element("line", { x1: plot.margin.left, x2: plot.right, y1: y, y2: y }),
      element("text", { x, y: end - 13 }, [name]),
      element("text", { x, y: end }, [number(value, 2)])
    ]);
  }

  /** Draw a state; returns what it shows, in words. */
  update(state) {
    const { settings } = this, { p } = state, u = this.keys.map((key) => state[key]);
    const mean = pMean(u, p), average = pMean(u, 1), parts = shares(u, p);
    if (!fits(this.plot, this.left)) this.build();
    u.forEach((value, i) => this.showPerson(this.persons[i], value, parts[i]));
    this.showLevels(mean, average);
    this.caption.textContent = `share of the ${settings.weight} at p = ${short(p)}`;
    this.mean.textContent = number(mean, 3);
    this.average.textContent = number(average, 3);
    return `At p = ${short(p)} the p-mean of ${u.map((v) => number(v, settings.digits)).join(", ")}`
      + ` (${settings.unit}) is ${number(mean, 3)}, the average ${number(average, 3)}; of the`
      + ` ${settings.weight} the ${settings.many} have ${Array.from(parts, percent).join(", ")}.`;
  }

  showPerson({ bar, grip: held, handle, heard, share }, value, part) {
    const top = this.plot.y(value), floor = this.plot.bottom, tall = 44 * part;
    set(bar, { y: top, height: floor - top, "fill-opacity": 0.12 + 0.8 * part });
    set(held, { y: top - GRIP / 2 });
    set(handle, { y: Math.min(top + 4, floor - 6) });
    set(heard, { y: STRIP - 18 - tall, height: tall });
    share.textContent = percent(part);
  }

  showLevels(mean, average) {
    const { plot } = this, line = plot.y(mean), end = line + (line + 28 < plot.bottom ? 28 : -6);
    this.levels.replaceChildren(
      this.level(average, "average", "average", Math.min(plot.y(average) - 6, end - 27)),
      this.level(mean, "p-mean", "mean", end));
  }
}
