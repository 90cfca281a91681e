/* Quick questions (bookkit/sphinx/quick.py): says whether an answer is right, and opens the
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
    }
    button.hidden = false;
    button.addEventListener("click", judge);
    form.addEventListener("keydown", function (event) {
      if (event.key === "Enter" && event.target.matches("input")) judge();
    });
    form.addEventListener("input", function () {
      said.textContent = "";
      delete box.dataset.right;
    });
  });
})();
