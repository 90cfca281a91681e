/* The measured regret of a profile, as pmeanlib.estimates has it. */
import { library } from "../constants.js";
import { sum } from "./simulation.js";
import { logMeans } from "./welfare.js";

const { doubt: DOUBT } = library; // beyond it an error bar is not to be trusted

/** E[mu_{I_t}] of every round (or block). */
export function meansOf(profile) {
  return profile.total.map((v) => Math.min(v / profile.n_runs, profile.mu_star));
}

function regretsOf(x, profile, ps) {
  return logMeans(x, profile.weights, profile.mu_star, ps)
    .map((v) => -profile.mu_star * Math.expm1(v));
}

/** Delete-a-group jackknife for groups of any sizes. */
function jackknife(plugIn, leftOut, sizes) {
  const n = sum(sizes);
  const value = plugIn + sum(sizes.map((size, g) => (
    (1 - 1 / (n / size)) * (plugIn - leftOut[g]))));
  const squares = sum(sizes.map((size, g) => {
    const h = n / size, pseudo = h * plugIn - (h - 1) * leftOut[g];
    return (pseudo - value) * (pseudo - value) / (h - 1);
  }));
  return { value, standard_error: Math.sqrt(squares / sizes.length) };
}

/** sqrt(sum (s_t v_t)^2) over the rounds that are not known: estimates._bias. */
function bias(profile, mean, variance, q) {
  const low = mean.reduce((a, b) => Math.min(a, b));
  let shares = 0, squares = 0;
  for (let t = 0; t < mean.length; t++) {
    let share = Math.exp((1 - q) * Math.log(mean[t] / low));
    if (profile.weights) share *= profile.weights[t];
    shares += share;
    if (t >= profile.known) {
      const unseen = (profile.mu_star - mean[t]) / profile.n_runs;
      const part = share * (variance[t] + unseen * unseen) / (mean[t] * mean[t]);
      squares += part * part;
    }
  }
  return Math.sqrt(squares) / shares;
}

/** Whether the rounds that are known determine the p-mean. */
function isExact({ known }, mean, p) {
  return known === mean.length || (p <= 0 && mean.subarray(0, known).includes(0));
}

/** How much errors that no run made can change the regret, at 95 %: the rule of three. */
function unseenBy(profile, mean, p, plugIn) {
  const rate = Math.min(1, 3 / profile.n_runs);
  return Math.max(...[0, profile.mu_star].map((other) => {
    const x = mean.map((v, t) => (t < profile.known ? v : v + rate * (other - v)));
    return Math.abs(regretsOf(x, profile, [p])[0] - plugIn);
  }));
}

/** How uncertain the bias is, in units of the standard error. */
function doubtOf(profile, mean, variance, p, plugIn, error) {
  const q = Math.min(1 - p, 1e9), noise = q / 2 * bias(profile, mean, variance, q);
  const doubt = (profile.mu_star - plugIn) * noise / error;
  return doubt >= 0 ? doubt : Infinity; // a round without any reward: nan
}

/** The estimate with what is known of its error bar: as in the library. */
function judged(e, profile, mean, variance, column) {
  const { p, plug_in: plugIn, standard_error: error } = e, { mu_star: star } = profile;
  if (isExact(profile, mean, p)) return { ...e, standard_error: 0, certainty: "exact" };
  if (error < 1e-9) {
    const unseen = unseenBy(profile, mean, p, plugIn);
    return { ...e, standard_error: 0, unseen, certainty: unseen > 0 ? "unvaried" : "exact" };
  }
  let doubt = p < 1 ? doubtOf(profile, mean, variance, p, plugIn, error) : 0;
  if (p < 1 && Math.max(...column) >= star && star > plugIn) {
    doubt = Math.max(doubt, 10 * DOUBT); // it lives on one group's reward
  }
  return { ...e, doubt, certainty: doubt > DOUBT ? "doubtful" : "measured" };
}

/** What the runs without each group measure, and how much that varies by round. */
function withoutEach(profile, mean, ps) {
  const { total, groups, sizes, n_runs: n, mu_star } = profile, several = groups.length > 1;
  const variance = new Float64Array(mean.length), x = new Float64Array(mean.length);
  const rows = several ? groups.map((group, g) => {
    const size = sizes[g], scale = n / size - 1;
    for (let t = 0; t < x.length; t++) {
      x[t] = Math.min(Math.max((total[t] - group[t]) / (n - size), 0), mu_star);
      variance[t] += scale * ((x[t] - mean[t]) * (x[t] - mean[t]));
    }
    return regretsOf(x, profile, ps);
  }) : [];
  return { rows, variance: variance.map((v) => v / Math.max(rows.length, 1)) };
}

/** The regret of a profile at each exponent, with its error bar and whether to trust it. */
export function regrets(profile, ps) {
  const mean = meansOf(profile), { n_runs: n, sizes } = profile;
  const plugIns = regretsOf(mean, profile, ps), { rows, variance } = withoutEach(profile, mean, ps);
  return ps.map((p, j) => {
    const plugIn = plugIns[j], column = rows.map((row) => row[j]);
    const first = { p, plug_in: plugIn, n_runs: n, n_groups: rows.length, doubt: 0, unseen: 0 };
    const found = rows.length
      ? judged({ ...first, ...jackknife(plugIn, column, sizes) }, profile, mean, variance, column)
      : { ...first, value: plugIn, standard_error: NaN, doubt: Infinity, certainty: "doubtful" };
    found.trusted = found.certainty === "measured" || found.certainty === "exact";
    const more = found.unseen > 0 ? 100 : Math.min(100, (found.doubt / DOUBT) ** 2);
    found.runs_needed = found.trusted ? n : Math.ceil(n * more);
    return found;
  });
}
