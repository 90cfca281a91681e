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
    { i, simulation: new Simulation(setting), lastSent: -Infinity, pause: PAUSE })) };
  later();
}
const left = (series) => !series.failed && series.simulation.left > 0;

/** Play for a while; send what has changed. */
function slice(job) {
  if (!job) return;
  const start = performance.now();
  let open = job.series.filter(left);
  while (open.length && performance.now() - start < SLICE) {
    open.forEach(play);
    open = open.filter(left);
  }
  open.forEach((series) => {
    if (performance.now() - series.lastSent > series.pause) send(series);
  });
  if (open.length) later();
}

/** One run; its first and its last are sent at once. */
function play(series) {
  try {
    series.simulation.step();
    if (!left(series) || series.lastSent === -Infinity) send(series);
  } catch (error) {
    series.failed = true;
    postMessage({ job: newest.id, i: series.i, error: error.message });
  }
}

/** The runs so far, by blocks of rounds. It may take no more than an eighth of the time. */
function send(series) {
  const start = performance.now(), s = series.simulation, profile = s.profile(s.blocks);
  postMessage({
    job: newest.id, i: series.i, done: s.left === 0, runs: s.runs, values: meansOf(profile),
    weights: profile.weights, edges: s.blocks, pulls: s.pulls(), profile
  });
  series.lastSent = performance.now();
  series.pause = Math.max(PAUSE, 8 * (series.lastSent - start));
}

/** The regret of a finished series at p, from every round. */
function measure({ id, i, p }) {
  const series = newest.series.find((s) => s.i === i);
  series.profile ||= series.simulation.profile(null);
  postMessage({ job: id, i, exact: regrets(series.profile, [p])[0] });
}

onmessage = ({ data: message }) => {
  if (message.series) begin(message);
  else if (message.stop) newest = null;
  else if (newest?.id === message.id) measure(message);
};
