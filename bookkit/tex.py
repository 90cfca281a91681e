"""Formulas as words, where they cannot be set: in the search, in a slide's notes.

By hand, as pylatexenc drops brackets (a+b/2 for half of a sum), and unicodeit leaves
accents and fractions as TeX.
"""

import re
import unicodedata

GREEK = {
    unicodedata.name(letter).split()[-1].lower().replace("lamda", "lambda"): letter
    for letter in "αβγδεζηθικλμνξπρστυφχψω"
}
SYMBOLS = {
    **GREEK,
    **{name.title(): letter.upper() for name, letter in GREEK.items()},
    **{"varepsilon": "ε", "varphi": "φ", "ell": "ℓ", "E": "E", "infty": "∞"},
    **{"sum": "∑", "prod": "∏", "int": "∫", "partial": "∂", "neg": "not "},
    **{"lceil": "⌈", "rceil": "⌉", "lfloor": "⌊", "rfloor": "⌋", "cdot": "·"},
    **{"lvert": "|", "rvert": "|", "dots": "…", "cdots": "…", "ast": "*"},
    **{"le": " ≤ ", "ge": " ≥ ", "ne": " ≠ ", "neq": " ≠ ", "approx": " ≈ "},
    **{"to": " → ", "in": " ∈ ", "cap": " ∩ ", "cup": " ∪ ", "mid": " | "},
    **{"pm": " ± ", "times": " × ", "leftarrow": " ← ", "mapsto": " ↦ "},
    **{"quad": " ", "qquad": " ", "triangleq": " = ", "square": "", "blacksquare": ""},
}
ACCENTS = {"tilde": "\u0303", "hat": "\u0302", "bar": "\u0304"}
FRACTIONS = ("frac", "tfrac", "dfrac")
SILENT = re.compile(
    r"[bB]ig+[lrm]?|left|right|\w*style|math(rm|sf|bf|bb|cal|it)|underline|limits"
)
PIECE = re.compile(
    r"\\(?:text|mathrm|operatorname)\s*\{([^{}]*)\}"  # words
    r"|\\([A-Za-z]+)|\\(.)|(\S)",  # a command, a sign, any other character
    re.S,
)
APART = re.compile(r"[\w*′\u0302-\u0304][\w√∑∏∫]")  # what would run together


def readable(tex: str) -> str:
    r"""A formula as a line of text: ``\tilde T\le\mu^*/k`` is T̃ ≤ μ*/k."""
    pieces = list(PIECE.finditer(tex))
    return " ".join(_row(pieces[::-1]).split())


def _row(pieces: list[re.Match]) -> str:
    """The atoms up to the end of a group, set apart where they would run together."""
    text = ""
    while pieces and pieces[-1][0] != "}":
        atom = _scripts(_atom(pieces), pieces)
        border = text[-1:] + atom[:1]
        text += " " + atom if APART.match(border) and not border.isdigit() else atom
    if pieces:
        pieces.pop()
    return text


def _atom(pieces: list[re.Match]) -> str:
    """The next letter, number, sign, group or command with what it acts on."""
    piece = pieces.pop()
    words, command, sign, other = piece.groups()
    if words is not None:
        return words
    if command in FRACTIONS:
        above, below = _group(pieces), _group(pieces)
        return f"{above}/{below}"
    if command == "sqrt":
        return "√" + _group(pieces)
    if command in ACCENTS:
        return _atom(pieces) + ACCENTS[command]
    if command in ("begin", "end"):
        _atom(pieces)
        return " "
    if command:
        return "" if SILENT.fullmatch(command) else SYMBOLS.get(command, command)
    if sign:
        return {"\\": " ", "{": "{", "}": "}", "|": "|"}.get(sign, "")
    if other == "{":
        return _row(pieces)
    return {"&": " ", "~": " ", "'": "′", "=": " = ", "<": " < ", ">": " > "}.get(
        other, other
    )


def _scripts(atom: str, pieces: list[re.Match]) -> str:
    """An atom with the exponents and indices that follow it."""
    while pieces and pieces[-1][4] in ("^", "_"):
        mark = pieces.pop()[4]
        script = _group(pieces)
        atom += script if mark == "^" and script in ("*", "′") else mark + script
    return atom


def _group(pieces: list[re.Match]) -> str:
    """What a fraction, a root or a script acts on, in brackets if it is long."""
    text = _atom(pieces).strip()
    short = len(text) == 1 or re.fullmatch(r"-?[\w.\u0302-\u0304*′]*", text)
    return text if short else f"({text})"


def tidy_spaces(text: str) -> str:
    """A line without needless spaces; formulas of their own line end in some."""
    return re.sub(r"\s+([.,;:!?])", r"\1", " ".join(text.split()))
