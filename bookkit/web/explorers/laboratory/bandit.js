/* The bandit to play: its controls, its arms as bars to drag or to move with the arrow keys,
 * and how often each arm is pulled. */
import { Chart, fits, widthOf } from "../chart.js";
import { allow, button, choice } from "../controls.js";
import { GRIP, drag, grip } from "../drag.js";
import { element, set } from "../elements.js";
import { short3 } from "../numbers.js";
import { armAxis, shade, ticks } from "./axes.js";
import { INSTANCES, MOST, meansOf } from "./fields.js";

const HEIGHT = 210;
const round = (v) => Math.min(1, Math.max(0, Number(v.toFixed(2))));

/** The means of the arms; `changed(arm, mean)` hears of a bar that is moved. */
class Arms {
  constructor(node, changed) { Object.assign(this, { node, changed, plot: null }); }

  build(k) {
    this.plot = new Chart({
      ...armAxis(k, widthOf(this.node)), height: HEIGHT, y: [0, 1.04], yTicks: ticks(1),
      yLabel: "mean reward", title: "The arms and their mean rewards; drag a bar"
    });
    const { plot } = this, { svg } = plot;
    plot.k = k;
    svg.setAttribute("role", "group"); // what is in it can be reached
    this.groups = Array.from({ length: k }, (_, i) => this.arm(i, k));
    svg.append(...this.groups.map(({ group }) => group));
    svg.classList.add("upright", "arms");
    drag(svg, ([x]) => {
      const i = Math.round(plot.x.back(x)) - 1;
      return i >= 0 && i < k ? [plot.x(i + 1), plot.y(this.mu[i]), i] : null;
    }, (held, [, y]) => this.changed(held[2], round(plot.y.back(y))));
    this.node.replaceChildren(svg);
  }

  /** The shapes of an arm, which is a slider to the keyboard. */
  arm(i, k) {
    const { plot } = this, reach = plot.x(1) - plot.x(0), half = Math.min(0.38, 26 / reach);
    const x = plot.x(i + 1 - half), width = plot.x(i + 1 + half) - x, middle = x + width / 2;
    const part = {
      bar: element("rect", { class: "bar", x, width }),
      handle: element("rect", {
        class: "handle", x: middle - Math.min(9, width / 2 - 1), width: Math.min(18, width - 2),
        height: 4, rx: 2
      }),
      value: element("text", {
        x: middle, "text-anchor": "middle", "font-size": k > 10 ? "9" : "11"
      }),
      grip: grip({ x: middle - reach / 2, width: reach })
    };
    const group = element("g", {
      class: "arm", role: "slider", tabindex: "0", "aria-label": `mean of arm ${i + 1}`,
      "aria-valuemin": "0", "aria-valuemax": "1", "aria-orientation": "vertical"
    }, [part.bar, part.handle, part.value, part.grip]);
    group.addEventListener("keydown", (event) => this.press(event, i));
    return { ...part, group };
  }

  press(event, i) {
    const v = this.mu[i], to = {
      ArrowUp: v + 0.01, ArrowRight: v + 0.01, ArrowDown: v - 0.01, ArrowLeft: v - 0.01,
      PageUp: v + 0.1, PageDown: v - 0.1, Home: 0, End: 1
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.changed(i, round(to));
  }

  show(mu) {
    this.mu = mu;
    if (!fits(this.plot, this.node) || this.plot.k !== mu.length) this.build(mu.length);
    mu.forEach((mean, i) => {
      const { bar, handle, grip: held, value, group } = this.groups[i];
      const top = this.plot.y(mean), floor = this.plot.bottom;
      set(bar, { y: top, height: floor - top, style: shade(mu, i) });
      set(handle, { y: Math.min(top + 3, floor - 6) });
      set(held, { y: top - GRIP / 2 });
      set(value, { y: top - 5 });
      value.textContent = mu.length > 14 ? "" : short3(mean).replace(/^0\./, ".");
      set(group, { "aria-valuenow": String(mean), "aria-valuetext": short3(mean) });
    });
  }
}

/** How many of the rounds each policy gives to each arm. */
class Pulls {
  constructor(node) { Object.assign(this, { node, plot: null }); }

  build(k) {
    this.plot = new Chart({
      ...armAxis(k, widthOf(this.node)), height: HEIGHT, y: [0, 1],
      yTicks: [[0, "0"], [0.25, "25 %"], [0.5, "50 %"], [0.75, "75 %"], [1, "100 %"]],
      yLabel: "part of the rounds",
      title: "The part of the rounds that each policy gives to each arm"
    });
    this.plot.k = k;
    this.node.replaceChildren(this.plot.svg);
  }

  show(k, series) {
    if (!fits(this.plot, this.node) || this.plot.k !== k) this.build(k);
    const { plot } = this, step = (plot.x(1) - plot.x(0)) * 0.8 / Math.max(1, series.length);
    plot.layer.replaceChildren(...series.map(({ kind, result: { pulls, T } }, j) => {
      let d = "";
      for (let i = 0; i < k; i++) {
        const x = plot.x(i + 1) + (j - series.length / 2) * step;
        d += `M${x.toFixed(1)} ${plot.bottom}V${plot.y(pulls[i] / T).toFixed(1)}`
          + `h${Math.max(1, step - 1).toFixed(1)}V${plot.bottom}z`;
      }
      return element("path", { d, class: "bars " + kind });
    }));
  }
}

export class Bandit {
  constructor(panel) {
    const left = element("div"), right = element("div"), { state } = panel;
    const options = Object.entries(INSTANCES).map(([key, { title }]) => [key, title]);
    const change = (mu) => panel.set({ arms: mu.join(" ") });
    this.instances = choice({ label: "arms", options: [["own", "your own"], ...options] }, "own",
      (key) => { if (key !== "own") panel.set(INSTANCES[key].at); });
    this.controls = panel.controls("controls bench", "arms", "family", "horizon", "runs", "seed");
    this.controls.prepend(this.instances.node);
    this.fewer = button("\u2212 arm", () => change(meansOf(state).slice(0, -1)));
    this.more = button("+ arm", () => change([...meansOf(state), 0.5]));
    this.controls.append(element("div", { class: "control" }, [this.fewer, this.more]));
    this.charts = element("div", { class: "charts even" }, [left, right]);
    this.arms = new Arms(left, (i, mean) => {
      change(meansOf(state).map((v, j) => (j === i ? mean : v)));
    });
    this.pulls = new Pulls(right);
  }

  show(state) {
    const mu = meansOf(state), same = ([, { at }]) => (
      Object.entries(at).every(([field, value]) => state[field] === value));
    this.arms.show(mu);
    this.instances.show(Object.entries(INSTANCES).find(same)?.[0] || "own");
    allow(this.fewer, mu.length > 2);
    allow(this.more, mu.length < MOST);
  }
}
