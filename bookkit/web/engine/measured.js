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

/** How uncertain the bias is, in units of the standard error. */
function doubtOf(profile, mean, variance, p, plugIn, error) {
  if (profile.known === mean.length
    || (p <= 0 && mean.subarray(0, profile.known).includes(0))) return 0; // it is exact
  if (error < 1e-9) return Infinity; // all runs alike: nothing was seen to vary
  const q = Math.min(1 - p, 1e9), noise = q / 2 * bias(profile, mean, variance, q);
  const doubt = (profile.mu_star - plugIn) * noise / error;
  return doubt >= 0 ? doubt : Infinity; // a round without any reward: nan
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
  const mean = meansOf(profile), { n_runs: n, mu_star: star, sizes } = profile;
  const plugIns = regretsOf(mean, profile, ps), { rows, variance } = withoutEach(profile, mean, ps);
  return ps.map((p, j) => {
    const plugIn = plugIns[j], column = rows.map((row) => row[j]);
    const found = { p, plug_in: plugIn, n_runs: n, n_groups: rows.length, doubt: Infinity,
      value: plugIn, standard_error: NaN };
    if (rows.length) {
      Object.assign(found, jackknife(plugIn, column, sizes));
      found.doubt = doubtOf(profile, mean, variance, p, plugIn, found.standard_error);
      if (Math.max(...column) >= star && star > plugIn) {
        found.doubt = Math.max(found.doubt, 10 * DOUBT); // it lives on one group's reward
      }
    }
    found.trusted = found.doubt <= DOUBT;
    const more = found.doubt / DOUBT;
    found.runs_needed = found.trusted ? n : Math.ceil(n * Math.min(100, more * more));
    return found;
  });
}
