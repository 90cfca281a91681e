/* Questions that the laboratory asks, and what it then shows. */
import { laboratory } from "../../constants.js";
import { INSTANCES, SLOTS } from "./fields.js";

const EMPTY = Object.fromEntries(SLOTS.flatMap((n) => (
  Object.entries(laboratory.empty).map(([key, value]) => [key + n, value]))));
const FIRST = { ...EMPTY, horizon: 1e4, runs: 200, seed: 1, shown: "1", run: 1, round: 1 };
const QUEUE = { ...FIRST, ...INSTANCES.queue.at }, EASY = { ...FIRST, ...INSTANCES.easy.at };
const KILLER = { ...FIRST, ...INSTANCES.killer.at };

export const STORIES = [{
  label: "a fixed order",
  at: { ...QUEUE, p: 1, policy1: "ucb1", policy2: "ucb1", order2: "random" }, next: { p: -3 },
  ask: "A tries the arms as they are numbered, B shuffles them in every run. On average that "
    + "makes no difference. Will it at p = \u22123?",
  tell: "Yes: in a fixed order the same early round gets the worst arm in every run, and takes "
    + "nearly all of A\u2019s weight. A shuffle spreads that bad luck over everybody."
}, {
  label: "too much exploring",
  at: { ...EASY, p: 1, policy1: "ucb1", policy2: "eucb" }, next: { tuned2: "1" },
  ask: "B explores before it chooses, tuned for p = \u22122. Tuned for p = 1 it explores "
    + "longer. Will it regret less at p = 1?",
  tell: "No, far more: at this T the rule asks for more rounds than there are, so B chooses at "
    + "random to the end."
}, {
  label: "does NCB need it?",
  at: { ...EASY, p: 0, policy1: "ncb", policy2: "ncb", tilde2: 100 },
  next: { policy3: "ncb", tilde3: 0 },
  ask: "A is NCB with the exploration of its rule, B the same with 100 rounds of it, and B is "
    + "better by far. So why not C, with none at all?",
  tell: "Because NCB can lose a good arm for ever: one that pays nothing the first time has "
    + "index 0. C regrets more than B, with a large error: a few runs go wrong. It needs some "
    + "exploration, not all of it."
}, {
  label: "ruin UCB1",
  at: { ...KILLER, p: 1, policy1: "ucb1", policy2: "eucb" },
  next: { p: -1 },
  ask: "Arm 1 always pays, arm 2 next to never. At p = 1 UCB1 is nearly perfect. What does it "
    + "regret at p = \u22121?",
  tell: "Everything: it goes back to arm 2 in rounds that are the same in every run, and one "
    + "such round is enough. EUCB pays only for its exploration."
}, {
  label: "your own index",
  at: { ...QUEUE, p: 1, policy1: "ucb1", policy4: "own", index4: "mu_hat + sqrt(log_T / pulls)" },
  next: { p: -6 },
  ask: "D is typed by hand: UCB1 with a quarter of the width. It wins at p = 1. And at "
    + "p = \u22126?",
  tell: "There they are equal: both try the worst arm in round 1, and that round is all that "
    + "counts. Now change D\u2019s formula."
}];
