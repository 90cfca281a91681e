/* Fields of states: what values they have, how a control shows them. */
import { exponents } from "../constants.js";
import { number, short } from "./numbers.js";

/** A value as the field allows it, or undefined: nothing else gets into a state. */
export function valid(field, given) {
  if (field.options) return field.options.find(([value]) => value === given)?.[0];
  if (field.read) return field.read(String(given)).value;
  const v = Number(given);
  if (given === null || given === "" || !isFinite(v)) return undefined;
  if (field.at) return field.of(clamp(field.at(v), field));
  const steps = Math.round((v - field.min) / field.step);
  return clamp(Number((field.min + steps * field.step).toFixed(6)), field);
}
function clamp(v, field) { return Math.min(field.max, Math.max(field.min, v)); }

/** The dial itself; `one` is who counts: a round, a household. */
export function exponent(one) {
  const [min, max] = exponents;
  const meanings = [
    `the average: every ${one} counts the same`, "between the average and Nash welfare",
    "the geometric mean: Nash welfare", "between Nash welfare and the harmonic mean",
    "the harmonic mean", `those who get little count most`,
    `close to counting the worst ${one} only`
  ];
  const place = (p) => (p === 1 ? 0 : p > 0 ? 1 : p === 0 ? 2 : p > -1 ? 3
    : p === -1 ? 4 : p > -5 ? 5 : 6);
  return {
    label: "p", min, max, step: 0.05, show: short,
    meanings, meaning: (p) => meanings[place(p)]
  };
}

/** The mean of an arm. */
export function mean(label) {
  return { label, min: 0.01, max: 1, step: 0.01, show: (v) => number(v, 2) };
}
