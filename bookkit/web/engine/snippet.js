/* The Python program that gives the numbers of the page. */
import { library } from "../constants.js";
import { parse } from "./formula.js";
import { POLICIES, makeInstance, makePolicy } from "./policies.js";

const list = (values) => `[${Array.from(values).join(", ")}]`;

function instanceText({ family, mu, lower, upper }) {
  return family === "bernoulli" ? `pm.bernoulli(${list(mu)})`
    : `pm.uniform(${list(lower)}, ${list(upper)})`;
}

/** The policy of a setting as a call; `own` is the name of the reader's index. */
function policyText(setting, own) {
  const policy = makePolicy(setting);
  const { python, index } = POLICIES.find((d) => d.key === policy.key);
  const shuffled = policy.order === "random" ? ', order="random"' : "";
  const width = policy.width === library.width ? "" : `, width=${policy.width}`;
  if (python && setting.T_tilde === undefined && (policy.key === "ucb1" || !shuffled)) {
    return `${python(setting)}${width}${shuffled})`.replace("(, ", "(");
  }
  return `pm.Policy("${policy.name}", ${own || "pm." + index}${width}`
    + `${policy.T_tilde ? `, T_tilde=${policy.T_tilde}` : ""}${shuffled})`;
}

/** An index as a function of Python without its name. */
function indexText(formula) {
  const { names, python } = parse(formula);
  return `(${names.join(", ")}):\n    return ${python}`;
}

/** The Python program whose profiles have the same numbers, for settings that differ in
 * their policies alone. */
export function snippet(settings) {
  const [first] = settings, taken = {};
  const texts = settings.map((s) => (s.formula ? indexText(s.formula) : null));
  const indices = [...new Set(texts.filter(Boolean))];
  const policies = settings.map((setting, i) => {
    const { name } = makePolicy(setting), own = texts[i] && `own_${indices.indexOf(texts[i]) + 1}`;
    taken[name] = (taken[name] || 0) + 1;
    const more = taken[name] > 1 ? ` ${taken[name]}` : "";
    return `    "${name}${more}": ${policyText(setting, own)},`;
  });
  return [
    ...(indices.join("").includes("math.") ? ["import math", ""] : []),
    "import pmeanlib as pm", "",
    ...indices.flatMap((text, at) => ["", "@pm.index", `def own_${at + 1}${text}`, ""]),
    "", `T = ${first.T}`, `instance = ${instanceText(makeInstance(first))}`,
    "policies = {", ...policies, "}", "profiles = {",
    "    name: pm.simulate(instance, policy, T, "
      + `n_runs=${first.n_runs}, rng=${first.seed})`,
    "    for name, policy in policies.items()", "}", ""
  ].join("\n");
}
