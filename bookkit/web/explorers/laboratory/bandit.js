/* The bandit to play: its controls, its arms as bars, and how often each arm is pulled. */
import { allow, button, choice } from "../controls.js";
import { element } from "../elements.js";
import { Arms, Pulls } from "./arms.js";
import { INSTANCES, MOST, meansOf } from "./fields.js";

export class Bandit {
  constructor(panel) {
    const left = element("div"), right = element("div"), { state } = panel;
    const options = Object.entries(INSTANCES).map(([key, { title }]) => [key, title]);
    const change = (mu) => panel.set({ arms: mu.join(" ") });
    this.instances = choice({ label: "arms", options: [["own", "your own"], ...options] }, "own",
      (key) => { if (key !== "own") panel.set(INSTANCES[key].at); });
    this.controls = element("div", { class: "controls bench" }, [this.instances.node]);
    ["arms", "family", "horizon", "runs", "seed"].forEach((key) => {
      panel.control(this.controls, key);
    });
    this.fewer = button("\u2212 arm", () => change(meansOf(state).slice(0, -1)));
    this.more = button("+ arm", () => change([...meansOf(state), 0.5]));
    this.controls.append(element("div", { class: "control" }, [this.fewer, this.more]));
    this.charts = element("div", { class: "charts even" }, [left, right]);
    this.arms = new Arms(left, (i, mean) => change(meansOf(state).with(i, mean)));
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
