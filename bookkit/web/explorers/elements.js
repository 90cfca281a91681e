/* Elements of pages and of pictures. */
const SVG = "http://www.w3.org/2000/svg";
const PREFIX = "explorer-part-" + Math.random().toString(36).slice(2, 8) + "-"; // of a script
let count = 0; // of ids given so far

export function element(tag, attributes = {}, children = []) {
  const inSvg = /^(svg|g|path|line|circle|rect|text|title|tspan)$/.test(tag);
  const node = inSvg ? document.createElementNS(SVG, tag) : document.createElement(tag);
  set(node, attributes);
  children.forEach((child) => {
    node.append(...(typeof child === "string" ? words(child, inSvg) : [child]));
  });
  return node;
}

export function set(node, attributes) {
  Object.entries(attributes).forEach(([name, value]) => {
    node.setAttribute(name, typeof value === "number" ? Number(value.toFixed(2)) : value);
  });
}

/** Text in which 10^8 has its exponent raised, with whatever font there is. */
function words(text, inSvg) {
  const raised = inSvg ? { dy: "-5", "font-size": "9" } : {};
  return text.split(/\^([\d\u2212]+)/).map((part, i) => (
    i % 2 ? element(inSvg ? "tspan" : "sup", raised, [part]) : part));
}

/** An element with a text that a reader typed: it stays a text, whatever is in it. */
export function plain(tag, text) {
  const node = document.createElement(tag);
  node.textContent = text;
  return node;
}

export function newId() { return PREFIX + ++count; }

/** Tell `heard` what the reader points at or stands on in a node: an element, or null. */
export function watchPointing(node, heard) {
  ["pointerover", "focusin"].forEach((kind) => {
    node.addEventListener(kind, ({ target }) => heard(target));
  });
  ["pointerleave", "focusout"].forEach((kind) => {
    node.addEventListener(kind, () => heard(null));
  });
}

/** Write a table of readings; the rows are <tr> elements. */
export function fill(table, caption, names, rows) {
  table.replaceChildren(element("caption", {}, [caption]),
    element("thead", {}, [element("tr", {}, names.map((name) => (
      element("th", { scope: "col" }, [name]))))]),
    element("tbody", {}, rows));
}

/** The head of a row: a sample of the line in the chart, and its name. */
export function rowHead(kind, name) {
  return element("th", { scope: "row" }, [element("span", { class: "swatch " + kind }), name]);
}
