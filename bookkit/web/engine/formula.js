/* An index that the reader types: parsed, never executed as a script. It becomes a function
 * of the numbers called NAMES, and the Python text of the same index for `pm.index`, which
 * numba compiles: the same operations in the same order. */
import { exp, log } from "./exact.js";

export const NAMES = ["mu_hat", "pulls", "log_T", "width", "log_t", "k"];
export const WHOLE = ["pulls", "k"]; // whole numbers in Python
const FUNCTIONS = { // how many arguments at most, and whether Python has them in math
  sqrt: { most: 1, math: true }, log: { most: 1, math: true }, exp: { most: 1, math: true },
  abs: { most: 1 }, min: { most: 9 }, max: { most: 9 }
};
const LONGEST = 400, DEEPEST = 40; // characters of a formula, brackets within brackets
const LARGEST_POWER = 64; // up to here a whole power is a product
const WORD = /\s*(?:((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)|(\*\*|[-+*/^(),]))/y;

/** What is wrong with the character at place `at`. */
class Complaint extends Error {
  constructor(message, at) {
    super(message);
    this.at = at;
  }
}

/** The words of a text: { kind, text, at }, and a last one of kind "end". */
function wordsOf(text) {
  const found = [], end = text.trimEnd().length;
  WORD.lastIndex = 0;
  while (WORD.lastIndex < end) {
    const before = WORD.lastIndex, match = WORD.exec(text);
    if (!match) {
      const at = before + text.slice(before).search(/\S/);
      throw new Complaint(`'${text[at]}' means nothing here`, at);
    }
    const [, number, name, sign] = match, word = number || name || sign;
    found.push({
      kind: number ? "number" : name ? "name" : "sign", text: word === "**" ? "^" : word,
      at: WORD.lastIndex - word.length
    });
  }
  return [...found, { kind: "end", text: "the end", at: text.length }];
}

// ---- from words to a tree ----------------------------------------------------------------
// A node is { op, args, at, whole }; `whole` says that Python has a whole number there.

function binary(op, a, b, at) {
  return { op, args: [a, b], at, whole: op !== "/" && a.whole && b.whole };
}

/** The number that a node writes down, or null. */
function literal(node) {
  if (node.op === "number") return node.value;
  const value = node.op === "negative" ? literal(node.args[0]) : null;
  return value === null ? null : -value;
}

function numberNode(word) {
  const value = Number(word.text), whole = /^\d+$/.test(word.text) && value <= 1e9;
  if (value === Infinity) throw new Complaint("a number too large", word.at);
  return { op: "number", args: [], at: word.at, value, whole };
}

/** Reads words from the left; a method for each kind of expression, the loosest first. */
class Parser {
  constructor(text) {
    this.words = wordsOf(text);
    this.place = 0;
    this.depth = 0;
  }

  get next() { return this.words[this.place]; }
  take() { return this.words[this.place++]; }
  is(...signs) { return this.next.kind === "sign" && signs.includes(this.next.text); }

  /** What stands here, for a complaint. */
  get found() {
    return this.next.kind === "end" ? "the formula ends here" : `here is '${this.next.text}'`;
  }

  close(open) {
    if (!this.is(")")) {
      throw new Complaint(`')' is missing for the '(' of character ${open + 1}: ${this.found}`,
        this.next.at);
    }
    this.take();
  }

  /** What `read` reads one level deeper. */
  within(what, read) {
    if (++this.depth > DEEPEST) throw new Complaint(`too many ${what}`, this.next.at);
    const node = read();
    this.depth -= 1;
    return node;
  }

  /** Operands that `read` reads, with signs between them, from the left. */
  chain(signs, read) {
    let a = read();
    while (this.is(...signs)) {
      const sign = this.take();
      a = binary(sign.text, a, read(), sign.at);
    }
    return a;
  }

  sum() { return this.within("brackets", () => this.chain(["+", "-"], () => this.product())); }
  product() { return this.chain(["*", "/"], () => this.signed()); }

  signed() {
    return this.within("signs", () => {
      if (!this.is("-", "+")) return this.power();
      const sign = this.take(), a = this.signed();
      return sign.text === "+" ? a : { op: "negative", args: [a], at: sign.at, whole: a.whole };
    });
  }

  /** a^b; -a^b is -(a^b) and a^b^c is a^(b^c), as in Python. */
  power() {
    const a = this.atom();
    if (!this.is("^")) return a;
    const { at } = this.take(), b = this.signed(), n = literal(b);
    if (n === 0.5) return { op: "sqrt", args: [a], at };
    if (n !== null && n % 1 === 0 && Math.abs(n) <= LARGEST_POWER) {
      return { op: "times", args: [a], at, n };
    }
    return { op: "^", args: [a, b], at };
  }

  atom() {
    const word = this.next;
    if (word.kind === "number") return numberNode(this.take());
    if (word.kind === "name") return this.name(this.take());
    if (!this.is("(")) {
      throw new Complaint(`a number, a name or '(' is missing: ${this.found}`, word.at);
    }
    this.take();
    const inner = this.sum();
    this.close(word.at);
    return inner;
  }

  name({ text, at }) {
    if (Object.hasOwn(FUNCTIONS, text)) return this.call(text, at);
    if (!NAMES.includes(text)) {
      throw new Complaint(`'${text}' is unknown; there are ${NAMES.join(", ")}`
        + ` and ${Object.keys(FUNCTIONS).join(", ")}`, at);
    }
    if (this.is("(")) throw new Complaint(`'${text}' is a number, no function`, this.next.at);
    return { op: text, args: [], at, whole: WHOLE.includes(text) };
  }

  call(op, at) {
    const { most, math } = FUNCTIONS[op], args = [], open = this.next.at;
    if (!this.is("(")) throw new Complaint(`'(' is missing after ${op}`, open);
    do {
      this.take();
      args.push(this.sum());
    } while (this.is(","));
    this.close(open);
    if (most === 1 ? args.length > 1 : args.length < 2 || args.length > most) {
      const wanted = most === 1 ? "one argument" : `two arguments, up to ${most}`;
      throw new Complaint(`${op} takes ${wanted}, here are ${args.length}`, at);
    }
    return { op, args, at, whole: !math && args.every((a) => a.whole) };
  }

  all() {
    const tree = this.sum();
    if (this.next.kind !== "end") {
      throw new Complaint(`an operator is missing: ${this.found}`, this.next.at);
    }
    return tree;
  }
}

// ---- the tree as Python ------------------------------------------------------------------

const BINDS = { "+": 1, "-": 1, "*": 2, "/": 2, negative: 3, "^": 4, times: 4 };

/** Python's text of a node, in brackets where it binds less than asked for. */
function within(node, least) {
  return (BINDS[node.op] || 9) < least ? `(${python(node)})` : python(node);
}

/** As `within`, and a float. In numba products of whole numbers would begin again from
 * below beyond 2^63. */
function float(node, least) {
  if (!node.whole) return within(node, least);
  return node.op === "number" ? `${node.value}.0` : `float(${python(node)})`;
}

/** Python's text of a node. */
function python(node) {
  const { op, args: [a, b] } = node;
  if (op === "number") {
    const text = String(node.value);
    return node.whole || /[.e]/.test(text) ? text : text + ".0";
  }
  if (op === "+" || op === "-") return `${within(a, 1)} ${op} ${within(b, 2)}`;
  if (op === "*") return `${(node.whole ? float : within)(a, 2)} * ${within(b, 3)}`;
  if (op === "/") return `${within(a, 2)} / ${within(b, 3)}`;
  if (op === "negative") return `-${within(a, 3)}`;
  if (op === "times") return `${float(a, 5)}**${node.n}`;
  if (op === "^") return `${float(a, 5)}**${float(b, 5)}`;
  if (!Object.hasOwn(FUNCTIONS, op)) return op;
  return `${FUNCTIONS[op].math ? "math." : ""}${op}(${node.args.map(python).join(", ")})`;
}

// ---- the tree as a function of the numbers called NAMES ----------------------------------

/** x^n by squaring, as numba multiplies. */
function times(x, n) {
  let result = 1;
  for (let left = Math.abs(n); left; left >>= 1) {
    if (left & 1) result *= x;
    x *= x;
  }
  return n < 0 ? 1 / result : result;
}

const OPERATIONS = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  // as C has it: 1 to any power is 1
  "^": (a, b) => (a === 1 || (a === -1 && Math.abs(b) === Infinity) ? 1 : Math.pow(a, b)),
  min: (a, b) => (b < a ? b : a),
  max: (a, b) => (b > a ? b : a),
  sqrt: Math.sqrt, log, exp, abs: Math.abs
};

function compile({ op, args, value, n, whole }) {
  const at = NAMES.indexOf(op), f = OPERATIONS[op];
  if (at >= 0) return (given) => given[at];
  if (op === "number") return () => value;
  const [a, ...others] = args.map(compile);
  if (op === "times") return (given) => times(a(given), n);
  if (op === "negative") return whole ? (given) => 0 - a(given) : (given) => -a(given); // no -0
  if (!others.length) return (given) => f(a(given));
  return others.reduce((x, y) => (given) => f(x(given), y(given)), a);
}

const opsOf = (node) => [node.op, ...node.args.flatMap(opsOf)];

/** { ok, python, names, value }, or { ok: false, error: { message, at } }. */
export function parse(text) {
  try {
    if (typeof text !== "string") throw new Complaint("a formula must be a text", 0);
    if (text.length > LONGEST) {
      throw new Complaint(`a formula has at most ${LONGEST} characters`, LONGEST);
    }
    const tree = new Parser(text).all(), used = opsOf(tree);
    return {
      ok: true, python: python(tree), value: compile(tree),
      names: NAMES.filter((name) => used.includes(name))
    };
  } catch (error) {
    if (!(error instanceof Complaint)) throw error;
    return { ok: false, error: { message: error.message, at: error.at } };
  }
}
