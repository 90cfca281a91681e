/* The search page: ranks the entries of the index that chapters/_ext/finder.py writes.
 * What a thing is called and what it defines count more than what is said about it, rare
 * words more than common ones, and a chapter more than what only refers to it. */
(function () {
  "use strict";
  var WEIGHTS = { title: 7, defines: 5, within: 0.5, text: 2 };
  var KINDS = { // what teaches a thing comes before what uses or lists it
    page: 1.2, section: 1, statement: 1.1, symbol: 0.65, term: 0.65, function: 0.7, figure: 0.6,
    reference: 0.6, erratum: 0.5, exercise: 0.4, work: 0.4
  };
  var FRONT = 0.6; // the first page promises what the chapters keep
  var LATE = 0.06; // what the last entry loses: a thing is defined before it is used
  var STEM = 0.8, PART = 0.5, BEGINNING = 0.4; // beside 1 for the very same word
  var SHOWN = 20, SNIPPET = 32; // results at a time; words
  var COMMON = new Set(("a an and are as at be by can do does for from how i in is it of on or "
    + "that the this to was what when where which who why with").split(" "));
  var WORD = /[\p{L}\p{N}\p{M}]+(?:_[\p{L}\p{N}\p{M}]+)*[~*′]?(?:[’'][sS](?!\p{L}))?/gu;
  var MARKS = { "\u0303": "~", "\u0302": "^", "\u0304": "¯", "′": "′" };
  var SPELLED = { tilde: "~", star: "*", hat: "^", bar: "¯" };
  var told = window.bookIndex;

  // -- words ------------------------------------------------------------------------

  /** A word as it is compared: no capitals, no accents but those of formulas. */
  function fold(word) {
    var plain = word.replace(/[’'][sS]$/, "").toLowerCase().normalize("NFD");
    plain = plain.replace(/\p{M}/gu, function (mark) { return MARKS[mark] || ""; });
    plain = plain.replace(/\p{Script=Greek}/gu, function (letter) {
      return told.greek[letter] || letter;
    });
    return plain.replace(/_(tilde|star|hat|bar)(?![a-z])/g, function (_, name) {
      return SPELLED[name];
    });
  }

  /** A word without its ending, so that exploring finds exploration. */
  function stem(word) {
    if (!/^[a-z]{4,}$/.test(word)) return word;
    var short = word.replace(/ies$/, "y").replace(/([^su])s$/, "$1");
    return [/ations?$/, /ing$/, /ed$/, /e$/].reduce(function (found, ending) {
      var rest = short.replace(ending, "");
      return found === short && rest.length >= 4 ? rest : found;
    }, short);
  }

  /** The words of a text in order: where they stand, and by what they can be found. */
  function words(text) {
    return Array.from(text.matchAll(WORD), function (match) {
      var word = fold(match[0]), pieces = word.split(/[_~*^¯′]/).filter(Boolean);
      return {
        at: match.index, end: match.index + match[0].length, word: word,
        stem: stem(word), parts: pieces.length > 1 || pieces[0] !== word ? pieces : []
      };
    });
  }

  /** How well a word is what was asked for, from 0 to 1. */
  function likeness(word, asked) {
    if (word.word === asked.word) return 1;
    if (word.stem === asked.stem) return STEM;
    if (word.parts.indexOf(asked.word) >= 0) return PART;
    return asked.open && word.word.indexOf(asked.word) === 0 ? BEGINNING : 0;
  }

  // -- the index --------------------------------------------------------------------

  function parts(title) {
    return title.split(/[():;,?!“”]+/).map(words).filter(function (part) {
      return part.length;
    });
  }

  function readEntry(row, place) {
    var page = told.pages[row[0]], kind = row[1], within = kind === "page" ? [] : [page[1]];
    within = within.concat(told.paths[row[6]]);
    return {
      page: row[0], kind: kind, address: page[0] + (row[2] ? "#" + encodeURI(row[2]) : ""),
      title: row[3], within: within, text: row[5], words: words(row[5]),
      names: parts(row[3]), terms: row[4].map(words), around: words(within.join(" ")),
      weight: KINDS[kind] * (row[0] === told.front ? FRONT : 1)
        * (1 - LATE * place / told.entries.length)
    };
  }

  // -- the ranking ------------------------------------------------------------------

  function best(list, score) {
    return list.reduce(function (most, item) { return Math.max(most, score(item)); }, 0);
  }

  /** How well a name of a few words is met by one of the words asked for. */
  function namedBy(name, asked, query) {
    var telling = name.filter(function (word) { return !COMMON.has(word.word); });
    var met = telling.filter(function (word) {
      return best(query, function (other) { return likeness(word, other); }) >= PART;
    });
    var like = best(name, function (word) { return likeness(word, asked); });
    return like * (0.2 + 0.8 * met.length / Math.max(1, telling.length));
  }

  /** Whether the words asked for follow one another somewhere in a list of words. */
  function isPhrase(list, phrase) {
    return list.some(function (_, start) {
      return phrase.every(function (asked, step) {
        var word = list[start + step];
        return word && likeness(word, asked) >= STEM;
      });
    });
  }

  /** What it is worth that all that was asked for stands together: as a name, too. */
  function together(entry, phrase) {
    if (phrase.length < 2) return 0;
    var names = entry.names.concat(entry.terms);
    var named = names.filter(function (name) { return isPhrase(name, phrase); });
    if (named.some(function (name) { return name.length === phrase.length; })) {
      return WEIGHTS.title;
    }
    if (named.length) return WEIGHTS.defines / 2;
    return isPhrase(entry.words, phrase) ? WEIGHTS.text : 0;
  }

  /** What an entry has of a word asked for; text counts less the longer it is. */
  function evidence(entry, asked, query, usual) {
    var often = entry.words.reduce(function (sum, word) {
      return sum + likeness(word, asked);
    }, 0);
    var long = 0.4 + 0.6 * entry.words.length / usual;
    return {
      title: best(entry.names, function (n) { return namedBy(n, asked, query); }),
      defines: best(entry.terms, function (t) { return namedBy(t, asked, query); }),
      within: best(entry.around, function (w) { return likeness(w, asked); }),
      text: often / (often + 1.2 * long)
    };
  }

  function has(marks) { return marks.title + marks.defines + marks.within + marks.text > 0; }

  /** A chapter whose title has a word is about it if its parts speak of it, too. */
  function weighTitles(entries, found) {
    var all = told.pages.map(function () { return 0; }), having = all.slice();
    entries.forEach(function (entry, e) {
      all[entry.page] += 1;
      having[entry.page] += found[e].every(function (m) { return m.text > 0; });
    });
    entries.forEach(function (entry, e) {
      if (entry.kind === "page") found[e].forEach(function (marks) {
        marks.title *= 1 + 0.4 * having[entry.page] / all[entry.page];
      });
    });
  }

  function questionOf(text) {
    var spelled = text.replace(/([\p{L}])\s+(tilde|star|hat|bar)\b/giu, "$1_$2");
    var query = words(spelled);
    if (query.length && /[\p{L}\p{N}]$/u.test(spelled)) {
      var last = query[query.length - 1];
      last.open = last.word.length > 2;
    }
    return query;
  }

  function search(entries, text) {
    var phrase = questionOf(text);
    var query = phrase.filter(function (asked) { return !COMMON.has(asked.word); });
    if (!query.length) query = phrase;
    if (!query.length) return [];
    var usual = entries.reduce(function (sum, e) { return sum + e.words.length; }, 0)
      / entries.length;
    var found = entries.map(function (entry) {
      return query.map(function (asked) { return evidence(entry, asked, query, usual); });
    });
    weighTitles(entries, found);
    var rarity = query.map(function (_, i) {
      var having = found.filter(function (marks) { return has(marks[i]); }).length;
      return Math.log(1 + (entries.length - having + 0.5) / (having + 0.5));
    });
    var all = rarity.reduce(function (sum, rare) { return sum + rare; }, 0);
    var results = entries.map(function (entry, e) {
      var met = 0, score = all * together(entry, phrase);
      rarity.forEach(function (rare, i) {
        met += has(found[e][i]) ? rare : 0;
        Object.keys(WEIGHTS).forEach(function (field) {
          score += rare * WEIGHTS[field] * found[e][i][field];
        });
      });
      return { entry: entry, score: score * entry.weight, met: met / all };
    });
    var most = best(results, function (r) { return r.met; });
    return results.filter(function (r) { return r.met > 0 && r.met >= most - 1e-9; })
      .sort(function (a, b) { return b.score - a.score; });
  }

  // -- the page ---------------------------------------------------------------------

  function element(name, text, className) {
    var made = document.createElement(name);
    if (text) made.textContent = text;
    if (className) made.className = className;
    return made;
  }

  /** The stretch of a text that has most of what was asked for, with that marked. */
  function snippet(entry, query) {
    var list = entry.words, shown = element("p", "", "search-snippet");
    var hits = list.map(function (word) {
      return query.findIndex(function (asked) { return likeness(word, asked) >= BEGINNING; });
    });
    var start = 0, most = -1;
    for (var i = 0; i < Math.max(1, list.length - SNIPPET + 1); i += 4) {
      var stretch = hits.slice(i, i + SNIPPET).filter(function (h) { return h >= 0; });
      var value = 10 * new Set(stretch).size + stretch.length;
      if (value > most) { most = value; start = i; }
    }
    var inside = hits.slice(start, start + SNIPPET).map(function (h) { return h >= 0; });
    var middle = start + (inside.indexOf(true) + inside.lastIndexOf(true)) / 2;
    if (most > 0) start = Math.round(middle - SNIPPET / 2);
    start = Math.max(0, Math.min(start, list.length - SNIPPET));
    var end = Math.min(list.length, start + SNIPPET), at = list[start].at;
    if (start > 0) shown.append("… ");
    for (var j = start; j < end; j += 1) {
      if (hits[j] < 0) continue;
      shown.append(entry.text.slice(at, list[j].at));
      shown.append(element("mark", entry.text.slice(list[j].at, list[j].end)));
      at = list[j].end;
    }
    shown.append(entry.text.slice(at, end < list.length ? list[end - 1].end : undefined));
    if (end < list.length) shown.append(" …");
    return shown;
  }

  function resultItem(result, query) {
    var item = element("li"), link = element("a", result.entry.title);
    link.href = result.entry.address;
    item.append(link);
    if (result.entry.within.length) {
      item.append(element("p", result.entry.within.join(" › "), "search-within"));
    }
    item.append(snippet(result.entry, query));
    return item;
  }

  function advice(place) {
    var line = element("p", "Try a single word, or look at "), link = element("a", "Symbols and names");
    link.href = place.dataset.notation;
    line.append(link, ", where every letter is explained.");
    return line;
  }

  function start() {
    var field = document.querySelector(".bd-search-container input");
    var summary = document.getElementById("search-summary");
    var place = document.getElementById("search-results");
    var hints = element("div"), more = element("button", "", "btn btn-sm btn-outline-primary");
    var entries = told.entries.map(readEntry), name = document.title, results = [], query = [];
    more.type = "button";
    place.after(more, hints);

    function show(count) {
      var from = place.children.length;
      results.slice(from, count).forEach(function (result) {
        place.append(resultItem(result, query));
      });
      more.hidden = results.length <= count;
      more.textContent = "Show " + Math.min(SHOWN, results.length - count) + " more";
      if (from) place.children[from].querySelector("a").focus();
    }

    function answer() {
      var text = field.value.trim();
      results = search(entries, text);
      query = questionOf(text).filter(function (asked, _, all) {
        return all.length === 1 || !COMMON.has(asked.word);
      });
      document.title = text ? text + " - " + name : name;
      place.replaceChildren();
      hints.replaceChildren();
      summary.textContent = !text
        ? "Sections, theorems, symbols, functions and works: type a word, a name such as "
          + "Theorem U, or a symbol such as T~ or mu*."
        : results.length ? results.length + (results.length === 1 ? " place" : " places")
          + " for “" + text + "”, the best first."
          : "Nothing was found for “" + text + "”.";
      show(SHOWN);
      if (text && !results.length) hints.append(advice(place));
    }

    more.addEventListener("click", function () { show(place.children.length + SHOWN); });
    field.value = new URLSearchParams(location.search).get("q") || "";
    field.form.addEventListener("submit", function (event) {
      event.preventDefault();
      history.replaceState(null, "", "?q=" + encodeURIComponent(field.value));
      answer();
    });
    answer();
    if (!field.value) field.focus();
  }

  start();
})();
