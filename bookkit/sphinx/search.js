/* What a word of a query is, and which results come first: part of language_data.js, so
 * that Sphinx's searchtools.js uses it. The search page tells `pageWords`. */
var asked = []; // the words of the query, without endings

function stem(word) { return new Stemmer().stemWord(word); }

function isKnown(word) {
  return [Search._index.terms, Search._index.titleterms].some(function (words) {
    return [].concat(words[stem(word)] ?? []).length > 0;
  });
}

/** The words of a text: "Theorem U" is one, and "p-mean" if the book has it so. */
function wordsOf(text) {
  var whole = text.toLowerCase().replace(/\s+/g, " ").match(WORD) || [];
  var words = whole.flatMap(function (word) {
    return isKnown(word) ? word : word.split("-");
  });
  return words.filter(function (word) { return stopwords.indexOf(word) < 0; });
}

function splitQuery(query) {
  var words = wordsOf(query);
  asked = words.map(stem);
  return words;
}

/** The share of the words asked for that a text has. */
function met(text) {
  var own = wordsOf(text).map(stem);
  return asked.filter(function (word) { return own.indexOf(word) >= 0; }).length / asked.length;
}

/** How much of what was asked for a title has, and how little else: from 0 to 1. */
function likeness(title) {
  return 2 * met(title) * asked.length / (asked.length + wordsOf(title).length);
}

/** The score of a result: page, title, anchor, what is said of it, Sphinx's own score. */
function score(result) {
  var page = result[0], title = result[1], kind = result[3];
  var own = result[4] + 30 * likeness(title);
  if (!kind) { // a whole page: its description and its address say what it is about
    result[3] = pageWords[page][0]; // to be read below its title
    own += 40 * met(pageWords[page].join(" ")) ** 2;
    own += 50 * likeness(page.split("/").pop().replace("_", " "));
    return /index$/.test(page) ? 0.6 * own : own; // it promises what the chapters keep
  }
  if (/^Python/.test(kind)) return own - 15; // its name is a word of the chapters, too
  var named = / /.test(asked[0]) && stem(wordsOf(title)[0]) === asked[0];
  return named && !/^section/.test(kind) ? own + 100 : own;
}

var Scorer = {
  objNameMatch: 20, objPartialMatch: 10, objPrio: {}, objPrioDefault: 0,
  title: 30, partialTitle: 8, term: 5, partialTerm: 2, score: score
};
