/* The policies that the laboratory shows, as series with names. */
import { parse } from "../../engine/formula.js";
import { makeInstance, makePolicy } from "../../engine/policies.js";
import { short } from "../numbers.js";
import { LETTERS, RULE, SLOTS, meansOf } from "./fields.js";

/** Whether the width matters: a typed index may not mention it. */
export function asksWidth(state, n) {
  return state["policy" + n] !== "own" || parse(state["index" + n]).names.includes("width");
}

/** What the engine is asked to simulate for one policy. */
function settingOf(state, n) {
  const key = state["policy" + n];
  if (key === "none") return null;
  const setting = {
    family: state.family, means: meansOf(state), policy: key, order: state["order" + n],
    T: state.horizon, n_runs: state.runs, seed: state.seed
  };
  if (asksWidth(state, n)) setting.width = state["width" + n];
  if (key === "eucb") setting.p = Number(state["tuned" + n]);
  if (state["tilde" + n] !== RULE) setting.T_tilde = Math.min(state.horizon, state["tilde" + n]);
  if (key === "own") setting.formula = state["index" + n];
  return setting;
}

/** What tells a policy apart from the others. */
function nameOf({ setting, policy }, series) {
  const said = [policy.key === "own" ? "your index" : policy.name];
  const differs = (key) => series.some((other) => (
    other.policy.key === policy.key && other.setting[key] !== setting[key]));
  if (differs("p") && setting.T_tilde === undefined) said.push(`tuned for p = ${short(setting.p)}`);
  if (differs("width")) said.push(`width ${short(policy.width)}`);
  if (differs("T_tilde")) {
    said.push(`T~ ${"T_tilde" in setting ? short(setting.T_tilde) : "by rule"}`);
  }
  if (differs("order")) said.push(setting.order === "random" ? "shuffled" : "in order");
  return said.join(", ");
}

/** The series of a state: setting, policy and instance; key, kind, tag and names. */
export function seriesOf(state) {
  const series = SLOTS.map((slot) => ({ slot, setting: settingOf(state, slot) }))
    .filter(({ setting }) => setting).map(({ slot, setting }) => ({
      slot, setting, kind: "s" + slot, tag: LETTERS[slot], key: JSON.stringify(setting),
      policy: makePolicy(setting), instance: makeInstance(setting)
    }));
  series.forEach((s) => {
    s.name = nameOf(s, series);
    s.label = `${s.tag}: ${s.name}`;
  });
  return series;
}
