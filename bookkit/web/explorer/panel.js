/* What every explorer has around its charts: controls, questions to guess at, a reset, a
 * voice, words for paper, and its state in the page's address. Adds pmean.panel. */
pmean.panel = (function () {
  "use strict";
  const { element, newId, short, number } = pmean.chart;

  // ---- values from outside ---------------------------------------------------------

  /** A value as the field allows it, or undefined: nothing else gets into the state. */
  function valid(field, given) {
    if (field.options) {
      return field.options.some(([value]) => value === given) ? given : undefined;
    }
    if (field.read) return field.read(String(given)).value;
    const v = Number(given);
    if (given === null || given === "" || !isFinite(v)) return undefined;
    if (field.at) return field.of(clamp(field.at(v), field));
    const steps = Math.round((v - field.min) / field.step);
    return clamp(Number((field.min + steps * field.step).toFixed(6)), field);
  }
  function clamp(v, field) { return Math.min(field.max, Math.max(field.min, v)); }

  /** The address's part behind `#name?`, if it speaks of this explorer. */
  function fromAddress(name) {
    const [head, tail] = location.hash.slice(1).split("?");
    return head === name && tail !== undefined ? new URLSearchParams(tail) : null;
  }

  /** A text as it is read out: powers in words. */
  const aloud = (text) => text.replaceAll("^", " to the ");

  // ---- the panel -------------------------------------------------------------------

  /** Controls for the fields of a state. `update(state)` draws what is shown and returns
   * the sentence that says it; `settle(state, changes)` mends what does not fit. */
  function panel(box, { fields, update, settle = () => {} }) {
    const name = box.parentNode.id, shown = {}, state = {};
    const start = {}, told = pmean.constants.start[box.dataset.explorer];
    Object.keys(fields).forEach((key) => {
      const asked = [box.dataset[key], fields[key].value, told[key]];
      start[key] = asked.map((v) => (v === undefined ? v : valid(fields[key], v)))
        .find((v) => v !== undefined);
    });
    const spoken = element("p", { class: "spoken", role: "status", "aria-live": "polite" });
    const printed = element("p", { class: "printed" });
    const ignored = element("p", { class: "ignored", role: "alert" });
    let voice = null, address = null, quiet = true;

    function say(text) {
      clearTimeout(voice);
      voice = setTimeout(() => { spoken.textContent = aloud(text); }, 400);
    }
    /** Change some of the state, draw, and tell the reader. */
    function set(changes) {
      ignored.textContent = "";
      apply(changes);
    }
    function apply(changes) {
      Object.assign(state, changes);
      settle(state, changes);
      Object.entries(shown).forEach(([key, show]) => show(state[key]));
      refresh();
    }
    function refresh() {
      tell(update(state));
      if (!quiet) remember();
    }
    /** Say what is shown now, in print and aloud. */
    function tell(sentence) {
      printed.replaceChildren(element("span", {}, [sentence]));
      if (!quiet) say(sentence); // nothing to say before the reader acts
    }
    /** What differs from the start, as the address has it behind `#`. */
    function tail() {
      const differs = new URLSearchParams();
      Object.keys(fields).forEach((key) => {
        if (state[key] !== start[key]) differs.set(key, state[key]);
      });
      return String(differs) ? `${name}?${differs}` : name;
    }
    /** Write it into the address, where it can be copied. */
    function remember() {
      clearTimeout(address);
      address = setTimeout(() => {
        const now = tail();
        if (now !== name || fromAddress(name)) history.replaceState(null, "", "#" + now);
      }, 300);
    }
    /** The state that the address asks for; what it asks for in vain is said. */
    function recall() {
      const asked = fromAddress(name), changes = { ...start }, vain = [];
      if (!asked) return false;
      asked.forEach((given, key) => {
        const field = Object.hasOwn(fields, key) ? fields[key] : null;
        const value = field ? valid(field, given) : undefined;
        if (value === undefined) vain.push(`${key} = ${given}`.slice(0, 60));
        if (field) changes[key] = value ?? field.unknown ?? start[key];
      });
      ignored.textContent = vain.length
        ? `The address asks for ${vain.join(", ")}, which is not offered here.` : "";
      Object.assign(state, changes);
      settle(state, changes);
      return true;
    }

    const self = {
      state, set, say, tell,
      /** Put the control of a field into a node. */
      control(node, key) {
        const field = fields[key];
        const make = field.options ? choice : field.read ? entry : slider;
        const made = make(field, state[key], (value) => set({ [key]: value }), say);
        node.append(made.node);
        shown[key] = made.show;
        return made.node;
      },
      /** Questions to guess at before the answer is shown, and the way back. */
      questions(presets) {
        const text = stack(presets.flatMap((preset) => [preset.ask, preset.tell]));
        const reveal = button("show me", () => { // the answer, in the chart and in words
          set(asked.then);
          tell(asked.tell, false);
        });
        const prompt = element("div", { class: "prompt", hidden: "" }, [text.node, reveal]);
        let asked = null;
        function tell(words, open) {
          text.show(words);
          prompt.hidden = false;
          allow(reveal, open);
          say(words);
        }
        const row = element("div", { class: "presets", role: "group", "aria-label": "questions" },
          [element("span", {}, ["Guess, then look:"]), ...presets.map((preset) => (
            button(preset.label, () => {
              asked = preset;
              set(preset.at);
              tell(preset.ask, true);
            })))]);
        row.append(button("reset", () => {
          set(start);
          prompt.hidden = true;
        }));
        return [row, prompt];
      },
      /** Whether everything is drawn and measured; a printer waits for it. */
      ready(yes) {
        if (yes) box.dataset.ready = "yes";
        else delete box.dataset.ready;
      },
      /** The first drawing, from now on again whenever the address or the width changes. */
      begin(...parts) {
        const fresh = performance.getEntriesByType("navigation")[0]?.type === "navigate";
        box.replaceChildren(ignored, ...parts, printed, spoken);
        box.classList.add("drawn");
        refresh();
        quiet = false;
        if (fresh && fromAddress(name)) box.parentNode.scrollIntoView({ behavior: "instant" });
        window.addEventListener("hashchange", () => { if (recall()) apply({}); });
        let width = box.clientWidth;
        new ResizeObserver(() => {
          if (Math.abs(box.clientWidth - width) > 4) {
            width = box.clientWidth;
            refresh();
          }
        }).observe(box);
      }
    };
    Object.assign(state, start);
    if (!recall()) settle(state, {});
    return self;
  }

  // ---- controls --------------------------------------------------------------------

  function button(label, pressed) {
    const node = element("button", { type: "button" }, [label]);
    node.addEventListener("click", () => {
      if (node.getAttribute("aria-disabled") !== "true") pressed();
    });
    return node;
  }
  /** Let a button be pressed, or not; it keeps the focus, which a disabled one would lose. */
  function allow(node, yes) { node.setAttribute("aria-disabled", String(!yes)); }

  /** Texts that take turns in one place, which is as high as the longest of them. */
  function stack(texts) {
    const all = texts.map((text) => element("span", {}, [text]));
    return {
      node: element("span", { class: "stack" }, all),
      show(text) {
        all.forEach((node, i) => node.classList.toggle("now", texts[i] === text));
      }
    };
  }

  /** A slider; `field.show` words its value, `field.meaning` says what that does. */
  function slider(field, value, changed) {
    const id = newId(), at = field.at || Number, of = field.of || Number;
    const input = element("input", {
      type: "range", id, min: String(field.min), max: String(field.max), step: String(field.step)
    });
    const output = element("output", { for: id });
    const meanings = field.meanings ? stack(field.meanings) : null;
    let before = null;
    function show(v) {
      const meaning = meanings ? field.meaning(v) : "", text = field.show(v);
      input.max = String(field.max); // it may depend on another field
      input.value = at(v);
      output.replaceChildren(element("span", {}, [text]));
      if (meanings) meanings.show(meaning);
      input.setAttribute("aria-valuetext", [aloud(text), meaning].filter(Boolean).join(", "));
    }
    input.addEventListener("input", () => changed(of(Number(input.value))));
    // a finger that scrolls the page from here did not mean to turn
    input.addEventListener("pointerdown", () => { before = of(Number(input.value)); });
    input.addEventListener("pointercancel", () => { changed(before); });
    const node = element("div", { class: "control" }, [
      element("label", { for: id }, [field.label]), input, output
    ]);
    if (meanings) {
      meanings.node.classList.add("meaning");
      node.append(meanings.node);
    }
    show(value);
    return { node, show };
  }

  /** A text to be typed; `field.read` gives its value, or an error that says what is wrong
   * and at which character. What cannot be read changes nothing; it is said when the reader
   * pauses, not at every key. */
  function entry(field, value, changed, say) {
    const id = newId(), input = element("input", {
      type: "text", id, "aria-describedby": id + "-error", autocomplete: "off",
      autocapitalize: "off", spellcheck: "false", ...field.attributes
    });
    const wrong = element("span", { class: "wrong", id: id + "-error" });
    function complain(text, error) {
      input.setAttribute("aria-invalid", String(Boolean(error)));
      if (!error) return wrong.replaceChildren();
      const at = Math.min(error.at ?? 0, text.length), here = text.slice(at, at + 1);
      return wrong.replaceChildren(plain("code", text.slice(0, at)),
        plain("mark", here.trim() ? here : "\u2423"), plain("code", text.slice(at + 1)),
        plain("span", error.message));
    }
    input.addEventListener("input", () => {
      const { value: read, error } = field.read(input.value);
      complain(input.value, error);
      if (error) say(error.message);
      else changed(read);
    });
    function show(v) {
      const now = field.read(input.value);
      if (now.value !== v && document.activeElement !== input) now.error = null;
      if (now.value !== v && !now.error) {
        input.value = field.write ? field.write(v) : v;
        complain(input.value, null);
      }
    }
    input.value = field.write ? field.write(value) : value;
    return {
      node: element("div", { class: "control entry" }, [
        element("label", { for: id }, [field.label]), input, wrong
      ]),
      show
    };
  }
  /** An element with a text that a reader typed: it stays a text, whatever is in it. */
  function plain(tag, text) {
    const node = document.createElement(tag);
    node.textContent = text;
    return node;
  }

  /** A list to choose from. */
  function choice(field, value, changed) {
    const id = newId();
    const select = element("select", { id }, field.options.map(([key, text]) => (
      element("option", { value: key }, [text]))));
    select.addEventListener("change", () => changed(select.value));
    const show = (v) => { select.value = v; };
    show(value);
    return {
      node: element("div", { class: "control" }, [
        element("label", { for: id }, [field.label]), select
      ]),
      show
    };
  }

  // ---- fields that several explorers have ------------------------------------------

  /** The dial itself; `one` is who counts: a round, a household. */
  function exponent(one) {
    const [min, max] = pmean.constants.exponents;
    const meanings = [
      `the average: every ${one} counts the same`, "between the average and Nash welfare",
      "the geometric mean: Nash welfare", "between Nash welfare and the harmonic mean",
      "the harmonic mean", `those who get little count most`,
      `close to counting the worst ${one} only`
    ];
    const place = (p) => (p === 1 ? 0 : p > 0 ? 1 : p === 0 ? 2 : p > -1 ? 3
      : p === -1 ? 4 : p > -5 ? 5 : 6);
    return {
      label: "p", min, max, step: 0.05, show: short,
      meanings, meaning: (p) => meanings[place(p)]
    };
  }

  /** The mean of an arm. */
  function mean(label) {
    return { label, min: 0.01, max: 1, step: 0.01, show: (v) => number(v, 2) };
  }

  // ---- the table of readings, and the start ----------------------------------------

  /** Write a table of readings; the rows are <tr> elements. */
  function fill(table, caption, names, rows) {
    table.replaceChildren(element("caption", {}, [caption]),
      element("thead", {}, [element("tr", {}, names.map((name) => (
        element("th", { scope: "col" }, [name]))))]),
      element("tbody", {}, rows));
  }

  /** The head of a row: a sample of the line in the chart, and its name. */
  function rowHead(kind, name) {
    return element("th", { scope: "row" }, [element("span", { class: "swatch " + kind }), name]);
  }

  /** Call `explorer` with each box of a kind. */
  function start(kind, explorer) {
    document.querySelectorAll(`.explorer[data-explorer="${kind}"]`).forEach(explorer);
  }

  return { panel, button, allow, choice, plain, exponent, mean, fill, rowHead, start };
})();
