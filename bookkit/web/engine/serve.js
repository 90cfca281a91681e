/* What a worker does: play the newest job that it was given, a run of each series in turn.
 * Between two slices of time it listens, and drops a job for a newer one. */
import { meansOf, regrets } from "./measured.js";
import { Simulation } from "./simulation.js";

const SLICE = 30, PAUSE = 60; // milliseconds of playing, and between two messages at least
const channel = new MessageChannel();
let newest = null;

channel.port1.onmessage = () => slice(newest);
function later() { channel.port2.postMessage(null); }

function begin(job) {
  newest = { id: job.id, series: job.series.map(({ i, setting }) => (
    { i, simulation: new Simulation(setting), said: -Infinity, pause: PAUSE })) };
  later();
}
const left = (one) => !one.failed && one.simulation.left > 0;

/** Play for a while; say what has changed. */
function slice(job) {
  if (!job) return;
  const start = performance.now();
  let open = job.series.filter(left);
  while (open.length && performance.now() - start < SLICE) {
    open.forEach(play);
    open = open.filter(left);
  }
  open.forEach((one) => { if (performance.now() - one.said > one.pause) say(one); });
  if (open.length) later();
}

/** One run; its first and its last are said at once. */
function play(one) {
  try {
    one.simulation.step();
    if (!left(one) || one.said === -Infinity) say(one);
  } catch (error) {
    one.failed = true;
    postMessage({ job: newest.id, i: one.i, error: error.message });
  }
}

/** The runs so far, by blocks of rounds. It may take no more than an eighth of the time. */
function say(one) {
  const start = performance.now(), s = one.simulation, profile = s.profile(s.blocks);
  postMessage({
    job: newest.id, i: one.i, done: s.left === 0, runs: s.runs, values: meansOf(profile),
    weights: profile.weights, edges: s.blocks, pulls: s.pulls(), profile
  });
  one.said = performance.now();
  one.pause = Math.max(PAUSE, 8 * (one.said - start));
}

/** The regret of a finished series at p, from every round. */
function measure({ id, i, p }) {
  const one = newest.series.find((s) => s.i === i);
  one.profile ||= one.simulation.profile(null);
  postMessage({ job: id, i, exact: regrets(one.profile, [p])[0] });
}

onmessage = ({ data: told }) => {
  if (told.series) begin(told);
  else if (told.stop) newest = null;
  else if (newest?.id === told.id) measure(told);
};
