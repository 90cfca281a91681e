/* The explorer "households": drag what people get, turn p, and see the level and who is
 * heard. Needs people.js and panel.js. */
(function () {
  "use strict";
  const { pMean } = pmean.maths, { element, number } = pmean.chart;
  const { uneven, even } = pmean.constants.programmes, POOR = [12, 12, 12, 0.1];
  const { given } = pmean.people;
  const QUESTIONS = [{
    label: "uneven: " + uneven.join(", "), at: { ...given(uneven), p: 1 }, then: { p: 0.3 },
    ask: "How far down must p go until the fourth household has half of the attention?",
    tell: `Only to ${number(1 - Math.log(3) / Math.log(5), 2)}: earlier than one might guess.`
  }, {
    label: "even: " + even.join(", "), at: given(even), then: { p: pmean.constants.exponents[0] },
    ask: "Where will the level go when p goes through its whole range?",
    tell: "Nowhere. Where everybody gets the same, all attitudes agree."
  }, {
    label: "almost nothing for one", at: { ...given(POOR), p: 1 }, then: { p: 0 },
    ask: "Three get the most there is, one almost nothing. What is left of the level at p = 0?",
    tell: `Less than half, ${number(pMean(POOR, 0), 2)} instead of ${number(pMean(POOR, 1), 2)}. `
      + "With nothing at all for one, nothing would be left."
  }];

  pmean.panel.start("households", (box) => {
    const told = pmean.constants.people.households, turn = element("div", { class: "turn" });
    const panel = pmean.panel.panel(box, {
      fields: { p: pmean.panel.exponent(told.one), ...pmean.people.fields(told) },
      update: (state) => bars.update(state)
    });
    panel.control(turn, "p");
    const bars = pmean.people.people(panel, told);
    panel.begin(...panel.questions(QUESTIONS), turn, bars.node);
    panel.ready(true);
  });
})();
