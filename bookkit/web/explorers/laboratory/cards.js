/* A policy: a card with its controls. */
import { element } from "../elements.js";
import { number, whole } from "../numbers.js";
import { LETTERS } from "./fields.js";
import { asksWidth } from "./series.js";

export class Card {
  constructor(panel, n) {
    const rows = element("div", { class: "rows" }), head = element("div", { class: "head" }, [
      element("span", { class: "letter", "aria-hidden": "true" }, [LETTERS[n]])
    ]);
    Object.assign(this, { n, formula: element("div"), words: element("span", { class: "words" }) });
    this.folded = element("details", {}, [element("summary", {}, [this.words]), rows]);
    panel.control(head, "policy" + n);
    panel.control(this.formula, "index" + n);
    [this.width, this.tuned] = ["width", "tuned", "tilde", "order"]
      .map((key) => panel.control(rows, key + n));
    this.wrong = element("p", { class: "wrong", role: "alert" });
    this.node = element("div", { class: "policy s" + n }, [
      head, this.formula, this.folded, this.wrong
    ]);
  }

  /** What is wrong with the policy, or nothing; an alert is heard whenever it is written. */
  complain(message = "") {
    if (this.wrong.textContent !== message) this.wrong.textContent = message;
  }

  /** What the card says of its series while it is folded, and which controls matter. */
  describe(state, s, error) {
    const key = state["policy" + this.n];
    this.complain(error);
    this.node.classList.toggle("unused", key === "none");
    this.formula.hidden = key !== "own";
    this.folded.hidden = key === "none";
    if (!s) return;
    const { policy } = s, width = asksWidth(state, this.n);
    this.width.hidden = !width;
    this.tuned.hidden = key !== "eucb";
    this.words.textContent = (width ? `width ${number(state["width" + this.n], 1)}, ` : "")
      + (policy.capped ? "explores to the end"
        : policy.T_tilde ? `explores ${whole(policy.T_tilde)} rounds`
          : `tries each arm once, ${policy.order === "random" ? "shuffled" : "in order"}`);
  }
}
