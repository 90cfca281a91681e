/* The table of readings below the charts. */
import { element } from "./elements.js";

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
