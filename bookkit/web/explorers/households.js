/* The explorer "households": drag what people get, turn p, and see the level and who is
 * heard. */
import { exponents, people, programmes } from "../constants.js";
import { pMean } from "../engine/welfare.js";
import { exponent } from "./fields.js";
import { number } from "./numbers.js";
import { Panel, onEach } from "./panel.js";
import { People, fieldsOf, stateOf } from "./people.js";

const { uneven, even } = programmes, POOR = [12, 12, 12, 0.1], settings = people.households;
const QUESTIONS = [{
  label: "uneven: " + uneven.join(", "), at: { ...stateOf(uneven), p: 1 }, next: { p: 0.3 },
  ask: "How far down must p go until the fourth household has half of the attention?",
  tell: `Only to ${number(1 - Math.log(3) / Math.log(5), 2)}: earlier than one might guess.`
}, {
  label: "even: " + even.join(", "), at: stateOf(even), next: { p: exponents[0] },
  ask: "Where will the level go when p goes through its whole range?",
  tell: "Nowhere. Where everybody gets the same, all attitudes agree."
}, {
  label: "almost nothing for one", at: { ...stateOf(POOR), p: 1 }, next: { p: 0 },
  ask: "Three get the most there is, one almost nothing. What is left of the level at p = 0?",
  tell: `Less than half, ${number(pMean(POOR, 0), 2)} instead of ${number(pMean(POOR, 1), 2)}. `
    + "With nothing at all for one, nothing would be left."
}];

onEach("households", (box) => {
  const fields = { p: exponent(settings.one), ...fieldsOf(settings) };
  const panel = new Panel(box, { fields, update: (state) => bars.update(state) });
  const turn = panel.controls("turn", "p"), bars = new People(panel, settings);
  panel.begin(...panel.questions(QUESTIONS), turn, bars.node);
  panel.ready(true);
});
