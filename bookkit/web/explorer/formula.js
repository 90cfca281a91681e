/* An index that the reader types: parsed, never executed as a script. It becomes a function
 * of the numbers called NAMES, and the Python text of the same index for `pm.index`, which
 * numba compiles: the same operations in the same order. Needs exact.js; adds
 * pmean.formula. */
pmean.part(function (pmean) {
  "use strict";

  var NAMES = ["mu_hat", "pulls", "log_T", "width", "log_t", "k"];
  var WHOLE = ["pulls", "k"]; // whole numbers in Python
  var FUNCTIONS = { // how many arguments at most, and whether Python has them in math
    sqrt: { most: 1, math: true }, log: { most: 1, math: true }, exp: { most: 1, math: true },
    abs: { most: 1 }, min: { most: 9 }, max: { most: 9 }
  };
  var LONGEST = 400, DEEPEST = 40; // characters of a formula, brackets within brackets
  var LARGEST_POWER = 64; // up to here a whole power is a product

  function own(table, key) { return Object.prototype.hasOwnProperty.call(table, key); }

  // ---- from characters to words ----------------------------------------------------------

  /** A complaint about the character at place `at`. */
  function Complaint(message, at) {
    this.message = message;
    this.at = at;
  }

  var WORD = /\s*(?:((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)|(\*\*|[-+*\/^(),]))/y;

  /** The words of a text: { kind, text, at }, and a last one of kind "end". */
  function words(text) {
    var found = [], match;
    WORD.lastIndex = 0;
    while (WORD.lastIndex < text.length) {
      var before = WORD.lastIndex;
      match = WORD.exec(text);
      if (!match) {
        var at = before + /^\s*/.exec(text.slice(before))[0].length;
        if (at === text.length) break;
        throw new Complaint("'" + text[at] + "' means nothing here", at);
      }
      var word = match[1] || match[2] || match[3];
      found.push({
        kind: match[1] ? "number" : match[2] ? "name" : "sign",
        text: word === "**" ? "^" : word, at: WORD.lastIndex - word.length
      });
    }
    found.push({ kind: "end", text: "the end", at: text.length });
    return found;
  }

  // ---- from words to a tree --------------------------------------------------------------
  // A node is { op, args, at, whole }; `whole` says that Python has a whole number there.

  function parser(text) {
    var list = words(text), place = 0, depth = 0;
    function next() { return list[place]; }
    function is(sign) { return next().kind === "sign" && next().text === sign; }
    function found() {
      return next().kind === "end" ? "the formula ends here" : "here is '" + next().text + "'";
    }
    function close(open) {
      if (!is(")")) {
        throw new Complaint("')' is missing for the '(' of character " + (open + 1) + ": "
          + found(), next().at);
      }
      place += 1;
    }
    function binary(op, a, b, at) {
      return { op: op, args: [a, b], at: at, whole: op !== "/" && a.whole && b.whole };
    }

    /** a + b - c, from the left; each of them a product. */
    function sum() {
      if (++depth > DEEPEST) throw new Complaint("too many brackets", next().at);
      var a = product();
      while (is("+") || is("-")) {
        var sign = list[place++];
        a = binary(sign.text, a, product(), sign.at);
      }
      depth -= 1;
      return a;
    }
    function product() {
      var a = signed();
      while (is("*") || is("/")) {
        var sign = list[place++];
        a = binary(sign.text, a, signed(), sign.at);
      }
      return a;
    }
    function signed() {
      if (++depth > DEEPEST) throw new Complaint("too many signs", next().at);
      var sign = next(), a;
      if (is("-") || is("+")) {
        place += 1;
        a = signed();
        if (sign.text === "-") a = { op: "negative", args: [a], at: sign.at, whole: a.whole };
      } else a = power();
      depth -= 1;
      return a;
    }
    /** a^b; -a^b is -(a^b) and a^b^c is a^(b^c), as in Python. */
    function power() {
      var a = atom();
      if (!is("^")) return a;
      var at = list[place++].at, b = signed(), n = literal(b);
      if (n === 0.5) return { op: "sqrt", args: [a], at: at };
      if (n !== null && n % 1 === 0 && Math.abs(n) <= LARGEST_POWER) {
        return { op: "times", args: [a], at: at, n: n };
      }
      return { op: "^", args: [a, b], at: at };
    }
    /** The number that a node writes down, or null. */
    function literal(node) {
      if (node.op === "number") return node.value;
      if (node.op !== "negative") return null;
      var value = literal(node.args[0]);
      return value === null ? null : -value;
    }
    function atom() {
      var word = next();
      if (word.kind === "number") return number(list[place++]);
      if (word.kind === "name") return name(list[place++]);
      if (!is("(")) throw new Complaint("a number, a name or '(' is missing: " + found(), word.at);
      place += 1;
      var inner = sum();
      close(word.at);
      return inner;
    }
    function number(word) {
      var value = Number(word.text);
      if (value === Infinity) throw new Complaint("a number too large", word.at);
      var whole = /^\d+$/.test(word.text) && value <= 1e9;
      return { op: "number", args: [], at: word.at, value: value, whole: whole };
    }
    function name(word) {
      if (own(FUNCTIONS, word.text)) return call(word);
      if (NAMES.indexOf(word.text) < 0) {
        throw new Complaint("'" + word.text + "' is unknown; there are " + NAMES.join(", ")
          + " and " + Object.keys(FUNCTIONS).join(", "), word.at);
      }
      if (is("(")) throw new Complaint("'" + word.text + "' is a number, no function", next().at);
      return { op: word.text, args: [], at: word.at, whole: WHOLE.indexOf(word.text) >= 0 };
    }
    function call(word) {
      var most = FUNCTIONS[word.text].most, args = [], open = next().at;
      if (!is("(")) throw new Complaint("'(' is missing after " + word.text, next().at);
      do {
        place += 1;
        args.push(sum());
      } while (is(","));
      close(open);
      if (most === 1 ? args.length > 1 : args.length < 2 || args.length > most) {
        throw new Complaint(word.text + " takes " + (most === 1 ? "one argument"
          : "two arguments, up to " + most) + ", here are " + args.length, word.at);
      }
      var whole = !FUNCTIONS[word.text].math && args.every(function (a) { return a.whole; });
      return { op: word.text, args: args, at: word.at, whole: whole };
    }

    var tree = sum();
    if (next().kind !== "end") {
      throw new Complaint("an operator is missing: " + found(), next().at);
    }
    return tree;
  }

  // ---- the tree as Python ----------------------------------------------------------------

  var BINDS = { "+": 1, "-": 1, "*": 2, "/": 2, negative: 3, "^": 4, times: 4 };

  /** Python's text. Products of whole numbers are taken as floats there: in numba they
   * would begin again from below beyond 2^63. */
  function python(node) {
    var op = node.op, args = node.args;
    function within(a, least) {
      return (BINDS[a.op] || 9) < least ? "(" + python(a) + ")" : python(a);
    }
    function float(a, least) {
      if (!a.whole) return within(a, least);
      return a.op === "number" ? a.value + ".0" : "float(" + python(a) + ")";
    }
    if (op === "number") {
      var text = String(node.value);
      return node.whole || /[.e]/.test(text) ? text : text + ".0";
    }
    if (op === "+" || op === "-") {
      return within(args[0], 1) + " " + op + " " + within(args[1], 2);
    }
    if (op === "*") {
      return (node.whole ? float(args[0], 2) : within(args[0], 2)) + " * " + within(args[1], 3);
    }
    if (op === "/") return within(args[0], 2) + " / " + within(args[1], 3);
    if (op === "negative") return "-" + within(args[0], 3);
    if (op === "times") return float(args[0], 5) + "**" + node.n;
    if (op === "^") return float(args[0], 5) + "**" + float(args[1], 5);
    if (own(FUNCTIONS, op)) {
      return (FUNCTIONS[op].math ? "math." : "") + op + "(" + args.map(python).join(", ") + ")";
    }
    return op;
  }

  // ---- the tree as a function of the numbers called NAMES --------------------------------

  /** x^n by squaring, as numba multiplies. */
  function times(x, n) {
    var left = Math.abs(n), result = 1;
    while (left) {
      if (left & 1) result *= x;
      left >>= 1;
      x *= x;
    }
    return n < 0 ? 1 / result : result;
  }

  /** a^b as C has it: 1 to any power is 1. */
  function pow(a, b) { return a === 1 || (a === -1 && Math.abs(b) === Infinity) ? 1 : Math.pow(a, b); }

  var OPERATIONS = {
    "+": function (a, b) { return a + b; },
    "-": function (a, b) { return a - b; },
    "*": function (a, b) { return a * b; },
    "/": function (a, b) { return a / b; },
    "^": pow,
    min: function (a, b) { return b < a ? b : a; },
    max: function (a, b) { return b > a ? b : a; },
    sqrt: Math.sqrt, log: pmean.exact.log, exp: pmean.exact.exp, abs: Math.abs
  };

  function compile(node) {
    var at = NAMES.indexOf(node.op), n = node.n, number = node.value, f = OPERATIONS[node.op];
    if (at >= 0) return function (given) { return given[at]; };
    if (node.op === "number") return function () { return number; };
    var args = node.args.map(compile), a = args[0];
    if (node.op === "times") return function (given) { return times(a(given), n); };
    if (node.op === "negative") { // the whole number 0 has no sign
      return node.whole ? function (given) { return 0 - a(given); }
        : function (given) { return -a(given); };
    }
    if (args.length === 1) return function (given) { return f(a(given)); };
    return args.reduce(function (x, y) {
      return function (given) { return f(x(given), y(given)); };
    });
  }

  /** { ok, python, names, value }, or { ok: false, error: { message, at } }. */
  function parse(text) {
    try {
      if (typeof text !== "string") throw new Complaint("a formula must be a text", 0);
      if (text.length > LONGEST) {
        throw new Complaint("a formula has at most " + LONGEST + " characters", LONGEST);
      }
      var tree = parser(text), used = {};
      (function collect(node) {
        used[node.op] = true;
        node.args.forEach(collect);
      })(tree);
      return {
        ok: true, python: python(tree), value: compile(tree),
        names: NAMES.filter(function (name) { return used[name]; })
      };
    } catch (error) {
      if (!(error instanceof Complaint)) throw error;
      return { ok: false, error: { message: error.message, at: error.at } };
    }
  }

  /** The value of a parsed formula at { mu_hat, pulls, ... }. */
  function evaluate(parsed, at) {
    return parsed.value(NAMES.map(function (name) { return at[name]; }));
  }

  pmean.formula = { parse: parse, evaluate: evaluate };
});
