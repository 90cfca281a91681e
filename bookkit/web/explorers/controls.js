/* Controls: buttons, sliders, texts to be typed, lists. Each is { node, show }. */
import { element, newId, plain } from "./elements.js";

/** A text as it is read out: powers in words. */
export const aloud = (text) => text.replaceAll("^", " to the ");

export function button(label, pressed) {
  const node = element("button", { type: "button" }, [label]);
  node.addEventListener("click", () => {
    if (node.getAttribute("aria-disabled") !== "true") pressed();
  });
  return node;
}

/** Let a button be pressed, or not; it keeps the focus, which a disabled one would lose. */
export function allow(node, yes) { node.setAttribute("aria-disabled", String(!yes)); }

/** Texts that take turns in one place, which is as high as the longest of them. */
export function stack(texts) {
  const all = texts.map((text) => element("span", {}, [text]));
  return {
    node: element("span", { class: "stack" }, all),
    show(text) {
      all.forEach((node, i) => node.classList.toggle("now", texts[i] === text));
    }
  };
}

/** A control with the label of its field. */
function control(kind, id, field, ...parts) {
  const label = element("label", { for: id }, [field.label]);
  return element("div", { class: `control ${kind}`.trim() }, [label, ...parts]);
}

/** A slider; `field.show` words its value, `field.meaning` says what that does. */
export function slider(field, value, changed) {
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
  const node = control("", id, field, input, output);
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
export function entry(field, value, changed, say) {
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
  return { node: control("entry", id, field, input, wrong), show };
}

/** A list to choose from. */
export function choice(field, value, changed) {
  const id = newId();
  const select = element("select", { id }, field.options.map(([key, text]) => (
    element("option", { value: key }, [text]))));
  select.addEventListener("change", () => changed(select.value));
  const show = (v) => { select.value = v; };
  show(value);
  return { node: control("", id, field, select), show };
}
