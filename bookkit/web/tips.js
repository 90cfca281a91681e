/* A card with what is cited, where it is cited: whoever stays on a link with the pointer
 * or comes to it with the keyboard sees the statement, equation, caption, work, term or
 * row it leads to. The cards are written when the book is built
 * (bookkit/sphinx/hover_cards.py), one classic script for each page, loaded when first asked
 * for. Fingers get the link alone. */
(function () {
  "use strict";
  var LINKS = "article a.reference.internal[href*='#']";
  var root = document.documentElement.dataset.content_root || "./";
  var pages = {}, asked = {};
  var tip = null, link = null, timer = null;

  window.bookTips = function (page, cards) { pages[page] = cards; };

  function withCards(page, then) {
    if (pages[page]) return then(pages[page]);
    if (asked[page]) return asked[page].push(then);
    asked[page] = [then];
    var script = document.createElement("script");
    script.src = root + "_static/tips/" + page + ".js";
    script.onload = function () {
      asked[page].forEach(function (next) { next(pages[page] || {}); });
    };
    document.head.appendChild(script);
  }

  function soon(delay, then) {
    clearTimeout(timer);
    timer = setTimeout(then, delay);
  }

  function hide() {
    clearTimeout(timer);
    if (tip) tip.remove();
    if (link) link.removeAttribute("aria-describedby");
    tip = link = null;
  }

  // Below the link, or above it where there is more room; never beyond an edge.
  function place() {
    var lines = link.getClientRects(), at = lines[0], edge = 16;
    var below = lines[lines.length - 1].bottom, width = document.documentElement.clientWidth;
    var room = { below: innerHeight - below - edge, above: at.top - edge };
    var up = tip.offsetHeight > room.below && room.above > room.below;
    tip.style.maxHeight = Math.max(96, up ? room.above : room.below) - 8 + "px";
    tip.style.left = scrollX + Math.max(edge, Math.min(at.left, width - tip.offsetWidth - edge)) + "px";
    tip.style.top = scrollY + (up ? at.top - tip.offsetHeight - 6 : below + 6) + "px";
  }

  function show(target) {
    if (target === link) return;
    hide();
    link = target;
    var page = target.pathname.split("/").pop().replace(/\.html$/, "");
    withCards(page, function (cards) {
      var card = cards[decodeURIComponent(target.hash.slice(1))];
      if (!card || link !== target || tip) return; // or it was asked for twice
      tip = document.createElement("div");
      tip.id = "book-tip";
      tip.className = "tip";
      tip.setAttribute("role", "tooltip");
      tip.innerHTML = card;
      document.body.appendChild(tip);
      target.removeAttribute("title"); // the browser's own would cover the card
      target.setAttribute("aria-describedby", tip.id);
      place();
    });
  }

  function linkOf(event) {
    return event.target.closest ? event.target.closest(LINKS) : null;
  }

  document.addEventListener("pointerover", function (event) {
    if (event.pointerType !== "mouse") return;
    var over = linkOf(event);
    if (over) {
      soon(over === link ? 0 : 250, function () { show(over); });
    } else if (tip && tip.contains(event.target)) {
      clearTimeout(timer); // the card can be read with the pointer on it
    } else if (!link || link !== document.activeElement) {
      soon(300, hide);
    }
  });
  document.addEventListener("focusin", function (event) {
    var at = linkOf(event);
    if (at && at.matches(":focus-visible")) show(at);
    else hide();
  });
  document.addEventListener("focusout", function (event) {
    if (event.target === link) hide();
  });
  document.addEventListener("keydown", function (event) {
    if (event.key === "Escape") hide();
  });
  document.addEventListener("click", function (event) {
    if (!tip || !tip.contains(event.target)) hide();
  });
  window.addEventListener("resize", hide);
})();
