// Typesets formulas when the book is built: MathJax, in Node, without a browser.
//
//     node typeset.js FOLDER_OF_MATHJAX
//
// A line of input is a formula, ["E = mc^2", true] (its TeX, and whether it stands in a
// display), a line of output what it looks like, or why it cannot be typeset; for `null`
// it is the style sheet of all formulas so far. The first line of output says that it runs.
"use strict";
const readline = require("readline");
const path = require("path");
const [folder] = process.argv.slice(2);

console.warn = () => {}; // components from one file need no version
require(path.join(folder, "node-main.js")).init({
  loader: { load: ["input/tex-full", "output/chtml", "adaptors/liteDOM", "a11y/assistive-mml"] },
  tex: {
    packages: { "[-]": ["noerrors", "noundefined"] }, // a mistake stops the build
  },
  chtml: { fontURL: "." },
}).then((MathJax) => {
  const adaptor = MathJax.startup.adaptor;
  const answer = (value) => process.stdout.write(JSON.stringify(value) + "\n");
  answer({});
  readline.createInterface({ input: process.stdin }).on("line", (line) => {
    const question = JSON.parse(line);
    if (!question) return answer({ css: adaptor.textContent(MathJax.chtmlStylesheet()) });
    const [tex, display] = question;
    try {
      const html = adaptor.outerHTML(MathJax.tex2chtml(tex, { display }));
      const wrong = /data-mjx-error="([^"]*)"/.exec(html);
      answer(wrong ? { error: wrong[1] } : { html });
    } catch (error) {
      answer({ error: error.message });
    }
  });
});
