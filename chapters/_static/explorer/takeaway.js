/* What a reader takes away from an explorer: its charts as one picture, its numbers as a
 * table, its settings as a program. Needs chart.js; adds pmean.takeaway. */
pmean.takeaway = (function () {
  "use strict";
  const { element, set } = pmean.chart;
  const STYLE = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity",
    "stroke-dasharray", "stroke-linejoin", "paint-order", "font-family", "font-size",
    "font-weight", "opacity", "visibility"];
  const MARGIN = 24, LINE = 18;

  /** Give a file to the reader. */
  function save(name, content, type) {
    const blob = content instanceof Blob ? content : new Blob([content], { type });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  /** A copy of a chart that needs no style sheet. */
  function frozen(svg) {
    const copy = svg.cloneNode(true), box = svg.viewBox.baseVal;
    const nodes = [svg, ...svg.querySelectorAll("*")];
    [copy, ...copy.querySelectorAll("*")].forEach((node, i) => {
      const style = getComputedStyle(nodes[i]);
      STYLE.forEach((name) => { node.style.setProperty(name, style.getPropertyValue(name)); });
    });
    copy.querySelectorAll(".grip").forEach((node) => node.remove());
    set(copy, { width: box.width, height: box.height });
    return { copy, width: box.width, height: box.height };
  }

  /** Charts below each other and lines of text below them, as one picture. */
  function picture(rows, lines, background, ink) {
    let y = MARGIN, width = 0;
    const sheet = element("svg", { xmlns: "http://www.w3.org/2000/svg" });
    rows.forEach((row) => {
      let x = MARGIN, tall = 0;
      row.map(frozen).forEach(({ copy, width: wide, height }) => {
        set(copy, { x, y });
        sheet.append(copy);
        x += wide + MARGIN;
        tall = Math.max(tall, height);
      });
      width = Math.max(width, x);
      y += tall + MARGIN / 2;
    });
    wrapped(lines, Math.floor((width - 2 * MARGIN) / 7)).forEach((line) => {
      const text = element("text", { x: MARGIN, y: y + LINE, fill: ink, "font-size": "13",
        "font-family": "system-ui, sans-serif" });
      text.textContent = line;
      sheet.append(text);
      y += LINE;
    });
    const height = y + MARGIN;
    sheet.prepend(element("rect", { width, height, fill: background }));
    set(sheet, { width, height, viewBox: `0 0 ${width} ${height}` });
    return { sheet, width, height };
  }
  function wrapped(lines, most) {
    return lines.flatMap((line) => line.split(" ").reduce((found, word) => {
      const last = found.at(-1);
      if (last !== undefined && last.length + word.length < most) {
        found[found.length - 1] = last + " " + word;
      } else found.push(word);
      return found;
    }, []));
  }

  /** The picture as the bytes of a PNG, twice as fine as the screen. */
  async function png(rows, lines, node) {
    const style = getComputedStyle(node);
    const { sheet, width, height } = picture(rows, lines, style.backgroundColor, style.color);
    const image = new Image(), canvas = document.createElement("canvas");
    image.src = "data:image/svg+xml;charset=utf-8,"
      + encodeURIComponent(new XMLSerializer().serializeToString(sheet));
    await image.decode();
    Object.assign(canvas, { width: 2 * width, height: 2 * height });
    canvas.getContext("2d").drawImage(image, 0, 0, 2 * width, 2 * height);
    return new Promise((done) => { canvas.toBlob(done, "image/png"); });
  }

  /** Rows as comma-separated values; a text stands in quotes and begins no formula. */
  function csv(rows) {
    const cell = (v) => (typeof v === "string"
      ? `"${v.replace(/^[=+@\-\t\r]/, "'$&").replaceAll("\"", "\"\"")}"` : String(v));
    return rows.map((row) => row.map(cell).join(",") + "\r\n").join("");
  }

  return { save, png, csv };
})();
