/* The numbers at p: a table, a warning about error bars, and a sentence. */
import { halfTheSay } from "../../engine/welfare.js";
import { element, fill, rowHead } from "../elements.js";
import { estimated, percent, reason, short, short3, whole } from "../numbers.js";
import { estimate, sharesOf } from "./results.js";

const HEADS = ["policy", "p-mean regret", "rounds with half the weight", "rounds of exploring",
  "best arm\u2019s part"];

function row(s, p, reading) {
  const r = s.result, half = halfTheSay(r.values, p, r.weights, sharesOf(r, p));
  return element("tr", { "data-policy": s.tag, class: s.kind }, [
    rowHead(s.kind, s.label),
    element("td", { class: "regret", "data-exact": r.exact.has(p) ? "yes" : "no" },
      [estimated(reading, 5)]),
    element("td", { class: "half" }, [whole(half)]),
    element("td", {}, [s.policy.capped ? "all of T" : whole(s.policy.T_tilde)]),
    element("td", { class: "best-part" }, [percent(r.pulls[s.instance.best] / r.T)])
  ]);
}

export class Readings {
  constructor() {
    this.table = element("table", { class: "reading" });
    this.warning = element("p", { class: "warning" });
  }

  /** Write them; returns the sentence. */
  show({ p, horizon, family }, { series, mu, muStar }) {
    const readings = series.map(({ result }) => estimate(result, p));
    fill(this.table, `p = ${short(p)}, best mean ${short3(muStar)}, T = ${whole(horizon)}`, HEADS,
      series.map((s, i) => row(s, p, readings[i])));
    this.warning.textContent = series.flatMap((s, i) => (
      reason(readings[i]) ? [`${s.tag}: ${reason(readings[i])}.`] : [])).join(" ");
    if (!series.length) return "No policy is chosen.";
    const runs = Math.min(...series.map(({ result }) => result.runs));
    return `At p = ${short(p)}: ${series.map((s, i) => (
      `${s.name} regrets ${estimated(readings[i], 4)}`)).join("; ")} (${mu.length} `
      + `${family === "uniform" ? "uniform" : "Bernoulli"} arms, T = ${whole(horizon)}, `
      + `n_runs = ${whole(runs)}).`;
  }
}
