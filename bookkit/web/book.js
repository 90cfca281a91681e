/* What is wider than its column scrolls inside itself: formulas in a line of text, too,
 * and whatever scrolls can be reached with the keyboard. Paper is white: a page in dark
 * colours is printed in the light ones. */
(function () {
  "use strict";
  var BOXES = ".bd-content div.cell_output, .bd-content .output, "
    + ".bd-content .pst-scrollable-table-container, .bd-content div.math, .bd-content figure, "
    + ".bd-content pre, .explorer .reading-box, .bd-content span.math.too-wide";

  // Whatever scrolls is a stop for the keyboard that says what it is, and nothing else is.
  function stop(box, scrolls) {
    var formula = box.matches(".math"), caption = box.querySelector("caption");
    var name = formula ? "Formula" : box.matches("pre") ? "Code"
      : caption ? caption.textContent : box.querySelector("table") ? "Table" : "Output";
    if (scrolls) {
      box.setAttribute("tabindex", "0");
      if (!box.matches("figure")) { // it has a role, and its caption for a name
        box.setAttribute("role", formula ? "group" : "region");
        box.setAttribute("aria-label", name + ", scrolls sideways");
      }
    } else if (box.hasAttribute("tabindex")) {
      ["tabindex", "role", "aria-label"].forEach(function (key) { box.removeAttribute(key); });
    }
  }

  // First all that is measured, then all that changes: in turns, the page would be laid
  // out anew for each formula.
  function mark() {
    document.querySelectorAll(".bd-content span.math.too-wide").forEach(function (formula) {
      formula.classList.remove("too-wide");
      stop(formula, false);
    });
    Array.from(document.querySelectorAll(".bd-content span.math")).filter(function (formula) {
      var column = formula.closest("p, li, td, dd, figcaption, section");
      return column && formula.getBoundingClientRect().right
        > column.getBoundingClientRect().right + 1;
    }).forEach(function (formula) { formula.classList.add("too-wide"); });
    Array.from(document.querySelectorAll(BOXES), function (box) {
      return [box, box.scrollWidth > box.clientWidth + 1 && box.clientWidth > 0];
    }).forEach(function (found) { stop(found[0], found[1]); });
  }

  // Copied text has the TeX of its formulas, as one would write them in a notebook.
  document.addEventListener("copy", function (event) {
    var selection = getSelection();
    if (!selection.rangeCount || selection.isCollapsed) return;
    var range = selection.getRangeAt(0), around = range.commonAncestorContainer;
    var outer = (around.nodeType === 1 ? around : around.parentElement).closest("[data-tex]");
    var copy = document.createElement("div");
    copy.append(outer ? outer.cloneNode(true) : range.cloneContents());
    var formulas = copy.querySelectorAll("[data-tex]");
    if (!formulas.length) return;
    formulas.forEach(function (formula) {
      var sign = formula.tagName === "DIV" ? "$$" : "$";
      formula.replaceWith(sign + formula.dataset.tex + sign);
    });
    copy.style.cssText = "position: absolute; white-space: normal";
    document.body.append(copy); // only what is laid out has lines
    event.clipboardData.setData("text/plain", copy.innerText);
    copy.remove();
    event.preventDefault();
  });

  // A link to something folded opens what it is folded in.
  function unfold() {
    var target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (var box = target; box; box = box.parentElement) {
      if (box.matches("details")) box.open = true;
      if (box.matches(".solution")) press(box.previousElementSibling);
      press(box);
    }
    if (target) target.scrollIntoView();
  }
  function press(box) {
    if (box.matches(".toggle-hidden")) box.querySelector("button.toggle-button").click();
  }
  window.addEventListener("hashchange", unfold);
  window.addEventListener("load", function () { if (location.hash.length > 1) unfold(); });

  var root = document.documentElement, theme = null;
  window.addEventListener("beforeprint", function () {
    theme = root.dataset.theme;
    root.dataset.theme = "light";
  });
  window.addEventListener("afterprint", function () {
    if (theme !== null) root.dataset.theme = theme;
    theme = null;
  });

  var timer = null;
  function soon() {
    clearTimeout(timer);
    timer = setTimeout(mark, 150);
  }
  window.addEventListener("load", mark);
  window.addEventListener("resize", soon);
  document.addEventListener("toggle", soon, true); // a folded cell was opened
})();
