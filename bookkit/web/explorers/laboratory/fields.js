/* The fields of the laboratory's state. */
import { exponents, laboratory } from "../../constants.js";
import { parse } from "../../engine/formula.js";
import { POLICIES } from "../../engine/policies.js";
import { exponent } from "../fields.js";
import { number, short, whole } from "../numbers.js";

export const LEAST = exponents[0];
export const GREATEST = exponents[1];
export const SLOTS = laboratory.slots;
export const MOST = laboratory.most;
export const INSTANCES = laboratory.instances;
export const LETTERS = ["", "A", "B", "C", "D"];
export const RULE = laboratory.empty.tilde; // T~ as the policy has it

const two = (v) => Number(v.toPrecision(2));
export const meansOf = (state) => state.arms.split(" ").map(Number);

/** Positions of a slider for whole numbers, in two digits, even in their logarithms. */
function amount(label, low, high) {
  return {
    label, min: Math.log10(low), max: Math.log10(high), step: 0.01, show: whole,
    at: Math.log10, of: (v) => Math.round(two(10 ** v))
  };
}

const fail = (message, at) => ({ error: { message, at } });

/** Means as they are typed: 2 to 20 numbers from 0 to 1. */
function readArms(text) {
  const found = [...text.matchAll(/[^\s,;]+/g)];
  for (const { 0: word, index } of found) {
    const v = Number(word);
    if (!/^[\d.eE+-]+$/.test(word) || !(v >= 0 && v <= 1)) {
      return fail("a mean must be a number from 0 to 1", index);
    }
  }
  if (found.length < 2) return fail("there must be at least 2 arms", text.length);
  if (found.length > MOST) return fail(`at most ${MOST} arms`, found[MOST].index);
  return { value: found.map(([word]) => Number(Number(word).toPrecision(6))).join(" ") };
}

function readSeed(text) {
  const v = Number(text.trim() || NaN);
  return Number.isSafeInteger(v) && v >= 0 && /^\s*\d+\s*$/.test(text) ? { value: v }
    : fail("a seed must be a whole number, 0 or more", 0);
}

function readFormula(text) {
  const parsed = parse(text);
  return parsed.ok ? { value: text.trim() } : { error: parsed.error };
}

function fieldsOfSlot(n) {
  return {
    ["policy" + n]: {
      label: `policy ${LETTERS[n]}`, unknown: "none",
      options: [["none", "none"], ...POLICIES.map(({ key, title }) => [key, title])]
    },
    ["index" + n]: { label: "index =", read: readFormula, attributes: { class: "formula" } },
    ["width" + n]: { label: "width", min: 0, max: 8, step: 0.1, show: (v) => number(v, 1) },
    ["tuned" + n]: {
      label: "tuned for", options: laboratory.tunings.map((p) => [String(p), "p = " + short(p)])
    },
    ["tilde" + n]: {
      label: "explores for", min: -0.4, max: 5, step: 0.01,
      at: (v) => (v < 0 ? -0.4 : v < 1 ? -0.2 : Math.log10(v)),
      of: (v) => (v < -0.3 ? RULE : v < -0.05 ? 0 : Math.round(two(10 ** v))),
      show: (v) => (v < 0 ? "by rule" : `${whole(v)} rounds`)
    },
    ["order" + n]: {
      label: "first order", options: [["fixed", "1, 2, 3, \u2026"], ["random", "shuffled"]]
    }
  };
}

export const FIELDS = {
  p: exponent("round"),
  family: { label: "rewards", options: [["bernoulli", "0 or 1"], ["uniform", "uniform"]] },
  arms: { label: "means", read: readArms, attributes: { class: "means" } },
  horizon: amount("rounds T", 100, 1e5),
  runs: amount("runs", 10, 1e4),
  seed: {
    label: "seed", read: readSeed, write: String, attributes: { inputmode: "numeric", size: "8" }
  },
  ...Object.assign({}, ...SLOTS.map(fieldsOfSlot)),
  shown: {
    label: "run of", options: SLOTS.map((n) => [String(n), "policy " + LETTERS[n]])
  },
  run: { label: "run number", min: 1, max: 1e4, step: 1, show: whole },
  round: {
    label: "round", min: 0, max: 5, step: 0.01, show: whole, at: Math.log10,
    of: (v) => Math.max(1, Math.round(10 ** v))
  }
};

/** What does not fit is mended. */
export function settle(now, changes) {
  SLOTS.forEach((n) => {
    if (changes["policy" + n] && changes["width" + n] === undefined) {
      now["width" + n] = laboratory.empty.width;
    }
    FIELDS["tilde" + n].max = Math.log10(now.horizon);
    now["tilde" + n] = Math.min(now["tilde" + n], now.horizon);
  });
  FIELDS.run.max = now.runs;
  FIELDS.round.max = Math.log10(now.horizon);
  now.run = Math.min(now.run, now.runs);
  now.round = Math.min(now.round, now.horizon);
  if (now["policy" + now.shown] === "none") {
    now.shown = String(SLOTS.find((n) => now["policy" + n] !== "none") || 1);
  }
}
