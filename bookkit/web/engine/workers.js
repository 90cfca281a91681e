/* Simulations in workers, with results streaming in. A page that was opened from a folder
 * cannot start a worker from a file, so it has the worker's script as a text. */
import script from "./serve.js" with { type: "text" };

const MOST = 4; // workers

/** Workers that simulate what `start` is given; `heard` gets what they say of it. */
export function openWorkers(heard) {
  const workers = [], most = Math.max(1, Math.min(MOST, navigator.hardwareConcurrency || 2));
  let job = 0;
  function newWorker() {
    const file = new Blob([script], { type: "text/javascript" });
    const worker = new Worker(URL.createObjectURL(file));
    worker.onmessage = ({ data }) => { if (data.job === job) heard(data); };
    return worker;
  }
  return {
    /** Drop what is being simulated for these settings; the number of the job. */
    start(settings) {
      const shares = [];
      job += 1;
      settings.forEach((setting, i) => (shares[i % most] ||= []).push({ i, setting }));
      for (let at = 0; at < Math.max(workers.length, shares.length); at++) {
        workers[at] ||= newWorker();
        workers[at].postMessage(shares[at] ? { id: job, series: shares[at] } : { stop: true });
      }
      return job;
    },
    /** Ask for the regret of finished setting i at p, from every single round. */
    exact(i, p) { workers[i % most].postMessage({ id: job, i, p }); }
  };
}
