/* What every explorer has around its charts: a state with controls, questions to guess at, a
 * reset, a voice, words for paper, and its state in the page's address. */
import { start as starts } from "../constants.js";
import { allow, aloud, button, choice, entry, slider, stack } from "./controls.js";
import { element } from "./elements.js";
import { valid } from "./fields.js";

/** The address's part behind `#name?`, if it speaks of this explorer. */
function fromAddress(name) {
  const [head, tail] = location.hash.slice(1).split("?");
  return head === name && tail !== undefined ? new URLSearchParams(tail) : null;
}

/** A state with a control for each of its fields. `update(state)` draws what is shown and
 * returns the sentence that says it; `settle(state, changes)` mends what does not fit. */
export class Panel {
  constructor(box, { fields, update, settle = () => {} }) {
    const usual = starts[box.dataset.explorer];
    Object.assign(this, { box, fields, update, settle, name: box.parentNode.id });
    this.shown = {}; // what shows the value of a field in its control
    this.quiet = true; // nothing to say before the reader acts
    this.spoken = element("p", { class: "spoken", role: "status", "aria-live": "polite" });
    this.printed = element("p", { class: "printed" });
    this.ignored = element("p", { class: "ignored", role: "alert" });
    this.start = Object.fromEntries(Object.entries(fields).map(([key, field]) => (
      [key, [box.dataset[key], field.value, usual[key]].map((v) => (
        v === undefined ? v : valid(field, v))).find((v) => v !== undefined)])));
    this.state = { ...this.start };
    if (!this.recall()) settle(this.state, {});
  }

  // ---- the state -------------------------------------------------------------------------

  /** Change some of the state, draw, and tell the reader. */
  set(changes) {
    this.ignored.textContent = "";
    this.apply(changes);
  }

  apply(changes) {
    Object.assign(this.state, changes);
    this.settle(this.state, changes);
    Object.entries(this.shown).forEach(([key, show]) => show(this.state[key]));
    this.refresh();
  }

  refresh() {
    this.tell(this.update(this.state));
    if (!this.quiet) this.remember();
  }

  // ---- the address -----------------------------------------------------------------------

  /** Write what differs from the start into the address, where it can be copied. */
  remember() {
    const { name, state, start } = this;
    clearTimeout(this.writing);
    this.writing = setTimeout(() => {
      const differs = Object.keys(this.fields).filter((key) => state[key] !== start[key]);
      const tail = String(new URLSearchParams(differs.map((key) => [key, state[key]])));
      if (!tail && !fromAddress(name)) return;
      history.replaceState(null, "", `#${name}${tail && "?"}${tail}`);
    }, 300);
  }

  /** Take the state that the address asks for; what it asks for in vain is said. */
  recall() {
    const asked = fromAddress(this.name), changes = { ...this.start }, vain = [];
    if (!asked) return false;
    asked.forEach((text, key) => {
      const field = Object.hasOwn(this.fields, key) ? this.fields[key] : null;
      const value = field ? valid(field, text) : undefined;
      if (value === undefined) vain.push(`${key} = ${text}`.slice(0, 60));
      if (field) changes[key] = value ?? field.unknown ?? this.start[key];
    });
    this.ignored.textContent = vain.length
      ? `The address asks for ${vain.join(", ")}, which is not offered here.` : "";
    Object.assign(this.state, changes);
    this.settle(this.state, changes);
    return true;
  }

  // ---- words -----------------------------------------------------------------------------

  say(text) {
    clearTimeout(this.voice);
    this.voice = setTimeout(() => { this.spoken.textContent = aloud(text); }, 400);
  }

  /** Say what is shown now, in print and aloud. */
  tell(sentence) {
    this.printed.replaceChildren(element("span", {}, [sentence]));
    if (!this.quiet) this.say(sentence);
  }

  // ---- controls --------------------------------------------------------------------------

  /** Put the control of a field into a node. */
  control(node, key) {
    const field = this.fields[key], make = field.options ? choice : field.read ? entry : slider;
    const widget = make(field, this.state[key], (value) => this.set({ [key]: value }),
      (text) => this.say(text));
    node.append(widget.node);
    this.shown[key] = widget.show;
    return widget.node;
  }

  /** A node of controls. */
  controls(kind, ...keys) {
    const node = element("div", { class: kind });
    keys.forEach((key) => this.control(node, key));
    return node;
  }

  /** Questions to guess at before the answer is shown, and the way back. */
  questions(presets) {
    const text = stack(presets.flatMap((preset) => [preset.ask, preset.tell]));
    let asked = null;
    const reveal = button("show me", () => { // the answer, in the chart and in words
      this.set(asked.next);
      tell(asked.tell, false);
    });
    const prompt = element("div", { class: "prompt", hidden: "" }, [text.node, reveal]);
    const tell = (words, open) => {
      text.show(words);
      prompt.hidden = false;
      allow(reveal, open);
      this.say(words);
    };
    const buttons = presets.map((preset) => button(preset.label, () => {
      asked = preset;
      this.set(preset.at);
      tell(preset.ask, true);
    }));
    const reset = button("reset", () => {
      this.set(this.start);
      prompt.hidden = true;
    });
    const row = element("div", { class: "presets", role: "group", "aria-label": "questions" },
      [element("span", {}, ["Guess, then look:"]), ...buttons, reset]);
    return [row, prompt];
  }

  // ---- on the page -----------------------------------------------------------------------

  /** Whether everything is drawn and measured; a printer waits for it. */
  ready(yes) {
    if (yes) this.box.dataset.ready = "yes";
    else delete this.box.dataset.ready;
  }

  /** The first drawing, from now on again whenever the address or the width changes. */
  begin(...parts) {
    const fresh = performance.getEntriesByType("navigation")[0]?.type === "navigate";
    const { box } = this;
    box.replaceChildren(this.ignored, ...parts, this.printed, this.spoken);
    box.classList.add("drawn");
    this.refresh();
    this.quiet = false;
    if (fresh && fromAddress(this.name)) box.parentNode.scrollIntoView({ behavior: "instant" });
    window.addEventListener("hashchange", () => { if (this.recall()) this.apply({}); });
    let width = box.clientWidth;
    new ResizeObserver(() => {
      if (Math.abs(box.clientWidth - width) > 4) {
        width = box.clientWidth;
        this.refresh();
      }
    }).observe(box);
  }
}

/** Call `explorer` with each box of a kind on the page. */
export function onEach(kind, explorer) {
  document.querySelectorAll(`.explorer[data-explorer="${kind}"]`).forEach(explorer);
}
