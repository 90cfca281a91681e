/* Instances and policies, as pmeanlib.instances and pmeanlib.policies make them. */
import { library } from "../constants.js";
import * as bounds from "./bounds.js";
import { parse } from "./formula.js";

/** The paper's T~ in whole rounds; it may exceed T. */
function period(T, k, p) { return Math.max(1, Math.ceil(bounds.period(T, k, p))); }

/** What each policy is: its title, the length of its exploration, and its call in Python
 * without what may follow. `library.policies` has the names that the library knows. */
export const POLICIES = [{
  key: "ucb1", title: "UCB1: every arm once, then the highest bound",
  period: () => 0, python: () => "pm.ucb1("
}, {
  key: "eucb", title: "Explore-Then-UCB, the paper's algorithm for p",
  period: (s, k) => period(s.T, k, s.p),
  python: (s) => `pm.explore_then_ucb(T, instance.k, ${s.p}`
}, {
  key: "ncb", title: "Nash Confidence Bound",
  period: (s, k) => period(s.T, k, 0), python: () => "pm.ncb(T, instance.k"
}, {
  key: "own", title: "An index of your own", period: () => 0, name: "own", index: "own"
}].map((policy) => ({ ...policy, ...library.policies[policy.key] }));

/** k arms: what they pay on average, and the ends of uniform rewards, as far from the
 * means as [0, 1] lets both of them be. */
export function makeInstance({ family, means }) {
  const instance = { family, mu: Float64Array.from(means) };
  if (family === "uniform") {
    instance.lower = instance.mu.map((v) => v - Math.min(v, 1 - v));
    instance.upper = instance.mu.map((v) => Math.min(1, v + Math.min(v, 1 - v)));
    instance.mu = instance.lower.map((v, i) => (v + instance.upper[i]) / 2);
  }
  const mu_star = Math.max(...instance.mu);
  return { ...instance, k: instance.mu.length, mu_star, best: instance.mu.indexOf(mu_star) };
}

/** The policy of a setting: the library's, as an object. */
export function makePolicy(setting) {
  const kind = POLICIES.find(({ key }) => key === setting.policy), { key, name, index } = kind;
  const asked = setting.T_tilde ?? kind.period(setting, setting.means.length);
  return {
    key, name, index, width: setting.width ?? library.width, order: setting.order || "fixed",
    T_tilde: Math.min(asked, setting.T), capped: asked > setting.T,
    formula: index === "own" ? parse(setting.formula) : null
  };
}
