/* Quick questions (chapters/_ext/quick.py): says whether an answer is right, and opens the
 * folded why. Nothing is stored and nothing is sent. */
(function () {
  "use strict";

  // of a number, a fraction or per cent
  function value(text) {
    return text.replace(/,/g, ".").split("/").map(function (part) {
      return part.trim() ? Number(part) : NaN;
    }).reduce(function (a, b) { return a / b; });
  }

  var JUDGES = {
    choose: function (form) {
      var chosen = form.querySelector("input:checked");
      if (!chosen) return "Choose one first.";
      return chosen.value === form.dataset.answer ? "" : "Not this one.";
    },
    order: function (form) {
      var places = Array.from(form.querySelectorAll("select"), function (s) { return s.value; });
      if (places.includes("")) return "Give each a place first.";
      if (new Set(places).size < places.length) return "Two have the same place.";
      return places.join(" ") === form.dataset.answer ? "" : "Not in this order.";
    },
    number: function (form) {
      var text = form.querySelector("input").value.trim().replace(/[−–]/, "-"); // or a dash
      text = text.replace(/\s*%$/, "/100");
      // a comma parts thousands, or stands for the point: whichever is meant; after 0 the point
      var parted = /^-?0/.test(text) ? text : text.replace(/,(?=\d{3}(\D|$))/g, "");
      var guesses = [parted, text].map(value);
      var guess = guesses[0], right = Number(form.dataset.answer);
      if (text === "" || !isFinite(guess)) return "Type a number first.";
      var within = Number(form.dataset.within);
      if (guesses.some(function (g) { return Math.abs(g - right) <= within; })) return "";
      var near = right && guess / right > 0.8 && guess / right < 1.25;
      return (near ? "Close, but " : "") + (guess > right ? "too large." : "too small.");
    }
  };

  document.querySelectorAll(".quick").forEach(function (box) {
    var form = box.querySelector(".quick-form"), why = box.querySelector(".quick-why");
    var said = box.querySelector(".quick-said"), button = form.querySelector("button");
    function judge() {
      var off = JUDGES[form.dataset.kind](form);
      said.textContent = off || "Right.";
      box.dataset.right = String(!off);
      if (!off) why.open = true;
      tally();
    }
    button.hidden = false;
    button.addEventListener("click", judge);
    form.addEventListener("keydown", function (event) {
      if (event.key === "Enter" && event.target.matches("input")) judge();
    });
    form.addEventListener("input", function () {
      said.textContent = "";
      delete box.dataset.right;
      tally();
    });
    why.addEventListener("toggle", function () {
      if (why.open && box.dataset.right !== "true") box.dataset.seen = ""; // before it was right
      tally();
    });
  });

  // How many are right, without a look at the answer; what that means, when none is left.
  function tally() {
    var boxes = Array.from(document.querySelectorAll(".quick"));
    var left = boxes.filter(function (b) { return b.dataset.right !== "true" && !("seen" in b.dataset); });
    var right = boxes.filter(function (b) { return b.dataset.right === "true" && !("seen" in b.dataset); });
    document.querySelectorAll(".quick-tally").forEach(function (box) {
      var said = box.querySelector(".quick-said");
      var least = said.dataset.least.split(" ").findIndex(function (n) { return right.length >= n; });
      said.textContent = right.length + " of " + boxes.length + " right"
        + (left.length ? ", " + left.length + " to go." : ":");
      box.querySelectorAll("li").forEach(function (item, n) {
        item.classList.toggle("now", !left.length && n === least);
      });
    });
  }
})();
