"""A contest: design an index and an exploration for p = -2.

python -m pmeanlib.contest SUBMISSIONS... [--secret FILE] [--csv FILE] [--runs N]

A submission is a small TOML file; SUBMISSIONS are such files, or folders of them:

    name = "curious"                            # as the table shows it
    index = "mu_hat + sqrt(log_T / pulls) / 2"  # as in the laboratory
    explore = "2 * k * log_T"                   # rounds of uniform exploration

`index` may ask for mu_hat, pulls, log_T, log_t, k, width, noise and belief, as for
`pmeanlib.index`, and `explore` for T, log_T, k and width. Formulas have numbers, these
names, + - * / ** ^, brackets, and sqrt, log, exp, abs, min, max. What `explore` gives
is rounded up and kept between 0 and T. Three more keys may be left out:

    stop = "mu_hat * pulls - 9 * log_T"  # explore on until it is positive for the arm
                                         # just pulled; it asks for what an index may
    width = 4                            # a number that formulas may ask for
    order = "fixed"                      # or "random": of arms that exploration missed

All play the same instances on the same luck. The score is the loss: p-mean regret at p
= -2 in per cent of the best mean, averaged over the instances; 0 is best, 100 is worst.
Where a formula is not a number the submission is out, with the reason.
"""

import argparse
import ast
import csv
import hashlib
import io
import math
import re
import sys
import tomllib
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from inspect import signature
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pmeanlib import _checks, instances, rules
from pmeanlib.engine import progress_bar, simulate
from pmeanlib.instances import Instance
from pmeanlib.policies import ORDERS, Policy, by_name
from pmeanlib.welfare import Estimate, jackknife, measured_regret, p_mean_regret

P, N_RUNS = -2.0, 192
PRACTICE = b"practice"  # what instances are drawn from if there is no secret
BOOK = "(the book)"  # in the place of a file
BENCHMARKS = ("ucb1", "eucb", "eucb-unified", "ncb", "auer", "thompson")

NOTES = """\
Who shares a rank is not worse than the first of it by more than two standard errors of
their difference, on the same luck. The error bar is about the luck of the runs on these
instances; with (?) it may be too small. The book's own have the command line's names.
"""

# -- formulas ----------------------------------------------------------------------

LONGEST, DEEPEST = 400, 80  # characters of a formula, operations within operations
LARGEST_POWER = 64  # up to here a whole power is a product, as in the laboratory
FUNCTIONS: dict[str, Callable[..., float]] = {
    "sqrt": math.sqrt, "log": math.log, "exp": math.exp, "abs": abs, "min": min,
    "max": max,
}  # fmt: skip
SIGNS, OPERATORS = (ast.UAdd, ast.USub), (ast.Add, ast.Sub, ast.Mult, ast.Div)
INDEX_NAMES = tuple(name for name in rules.NAMES if name != "level")
STOP_NAMES = tuple(name for name in INDEX_NAMES if name not in ("noise", "belief"))
EXPLORE_NAMES = ("T", "log_T", "k", "width")


def formula(text: str, names: Sequence[str]) -> Callable[..., float]:
    """A function of those of `names` that occur in a text; all its numbers are floats.

    The text is parsed, and a new tree is built of what is known: no other node can get
    into what is compiled. What is wrong is told with its place.
    """
    if len(text) > LONGEST:
        raise _complaint(f"a formula has at most {LONGEST} characters", LONGEST)
    if strange := re.search(r"[^A-Za-z0-9_\s.,()+*/^-]", text, re.ASCII):
        raise _complaint(f"{strange[0]!a} means nothing here", strange.start())
    start = len(text) - len(text.lstrip())
    given = re.sub(r"\s", " ", text.strip())
    try:
        with warnings.catch_warnings(action="error"):
            tree = ast.parse(given.replace("^", "**"), mode="eval").body
        builder = _Builder(names)
        body = builder.built(tree, 0)
    except (SyntaxError, MemoryError, RecursionError) as error:
        what = getattr(error, "msg", "too many brackets")
        at = (getattr(error, "offset", None) or 1) - 1
        for j in (found.start() for found in re.finditer(r"\^", given)):
            at -= j < at  # in the text as it was given, where ^ is one character
        raise _complaint(what, start + at) from None
    head = [ast.arg(name) for name in names if name in builder.used]
    rule = ast.Lambda(ast.arguments([], head, None, [], [], None, []), body)
    code = compile(ast.fix_missing_locations(ast.Expression(rule)), "formula", "eval")
    return eval(code, {"__builtins__": {}, "float": float} | FUNCTIONS)


def _complaint(what: str, at: int) -> ValueError:
    return ValueError(f"{what} (character {at + 1})")


@dataclass
class _Builder:
    """Builds the tree of a formula anew; collects the names that it used."""

    names: Sequence[str]
    used: set[str] = field(default_factory=set)

    def built(self, node: ast.expr, depth: int) -> ast.expr:
        """The node anew, of numbers, names, operations and functions that are known."""

        def require(condition: bool, what: str) -> None:
            if not condition:
                raise SyntaxError(what, ("", 1, node.col_offset + 1, ""))

        require(depth <= DEEPEST, "too many operations within operations")
        match node:
            case ast.Constant(value=int() | float() as x) if not isinstance(x, bool):
                require(x <= 1e308, "a number too large")
                return ast.Constant(float(x))
            case ast.Name(id=name):
                known = f"there are {', '.join((*self.names, *FUNCTIONS))}"
                require(name not in FUNCTIONS, f"'(' is missing after {name}")
                require(name in self.names, f"'{name}' is unknown; {known}")
                self.used.add(name)
                return _call("float", ast.Name(name, ast.Load()))
            case ast.UnaryOp(op=op, operand=a) if isinstance(op, SIGNS):
                return ast.UnaryOp(op, self.built(a, depth + 1))
            case ast.BinOp(left=a, op=ast.Pow() as op, right=b):
                base, power = self.built(a, depth), self.built(b, depth + 1)
                n = _literal(power)
                if n == 0.5:
                    return _call("sqrt", base)
                if n % 1 == 0 and abs(n) <= LARGEST_POWER:
                    power = ast.Constant(int(n))
                return ast.BinOp(base, op, power)
            case ast.BinOp(left=a, op=op, right=b) if isinstance(op, OPERATORS):
                return ast.BinOp(self.built(a, depth), op, self.built(b, depth + 1))
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
                require(name not in self.names, f"'{name}' is a number, no function")
                require(name in FUNCTIONS, f"'{name}' is unknown")
                least, most = (2, 9) if name in ("min", "max") else (1, 1)
                some = f"{least} to {most} arguments" if most > 1 else "one argument"
                wrong = f"{name} takes {some}, here are {len(args)}"
                require(least <= len(args) <= most, wrong)
                return _call(name, *(self.built(a, depth + 1) for a in args))
        require(False, "no number, no name, no operation and no function of a formula")
        return node


def _call(name: str, *args: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(args), [])


def _literal(node: ast.expr) -> float:
    """The number that a built node writes down, or nan."""
    if isinstance(node, ast.UnaryOp):
        x = _literal(node.operand)
        return -x if isinstance(node.op, ast.USub) else x
    return float(node.value) if isinstance(node, ast.Constant) else math.nan  # type: ignore


# -- submissions -------------------------------------------------------------------

KEYS = ("name", "index", "explore", "stop", "width", "order")


@dataclass(frozen=True)
class Submission:
    """An algorithm that was handed in, or one of the book's: a policy for each game."""

    name: str
    file: str
    policy: Callable[["Game"], Policy]


def read(path: Path) -> Submission:
    """The submission of a file; what is wrong in it is named with its key and place."""
    try:
        content = path.read_bytes()
        _checks.require(len(content) <= 10_000, "must have at most 10,000 bytes")
        given = tomllib.loads(content.decode("utf8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ValueError(getattr(error, "strerror", None) or error) from None
    for key in given:
        known = f"unknown key, must be one of {', '.join(KEYS)}"
        _checks.require(key in KEYS, f"{_fit(key)}: {known}")
    name = given.get("name", "")
    fits = isinstance(name, str) and re.fullmatch(r"\w[\w .+-]{0,29}", name)
    said = "must be a letter or digit and up to 29 more, or spaces, or any of _ . + -"
    _checks.require(bool(fits), f"name: {said}")
    index = _formula(given, "index", INDEX_NAMES, rules.index)
    explore = _formula(given, "explore", EXPLORE_NAMES)
    stop = None
    if "stop" in given:
        stop = _formula(given, "stop", STOP_NAMES, rules.index)
    width = _checks.real("width:", given.get("width", 4.0), 0, 1e9)
    order = _checks.choice("order:", given.get("order", "fixed"), ORDERS)

    def policy(game: Game) -> Policy:
        T, k = game.T, game.instance.k
        about = {"T": T, "log_T": math.log(T), "k": k, "width": width}
        period = _period(explore, about)
        # a rule that stops can only judge an arm that was pulled
        T_tilde = math.ceil(min(max(period, 0 if stop is None else 1), T))
        return Policy(name, index, width, T_tilde, order, stop=stop)

    return Submission(name, _fit(path.name), policy)


def _formula(
    given: dict[str, Any], key: str, names: Sequence[str], make: Callable = lambda f: f
) -> Any:
    _checks.require(key in given, f"{key}: is missing")
    text = str(given[key]) if isinstance(given[key], int | float) else given[key]
    _checks.require(isinstance(text, str), f"{key}: must be a formula in quotes")
    try:
        return make(formula(text, names))
    except ValueError as error:
        raise ValueError(f"{key}: {error}") from None


def _period(explore: Callable[..., float], given: dict[str, float]) -> float:
    """What a formula says at this T and k, a number."""
    try:
        found: Any = explore(*(given[name] for name in signature(explore).parameters))
    except (ArithmeticError, ValueError) as error:
        found = f"{type(error).__name__}: {error}"
    at = f"at T = {given['T']}, k = {given['k']}"
    number = isinstance(found, float) and not math.isnan(found)
    _checks.require(number, f"explore: must be a number, got {found} {at}")
    return found


def _fit(text: str) -> str:
    """A text that anybody may have chosen, fit for a table and a spreadsheet."""
    return re.sub(r"^\W|[^\w .()+-]", "_", text)[:40]


def benchmarks() -> list[Submission]:
    """The book's own algorithms; EUCB-U is told the best mean, which others are not."""

    def made(word: str) -> Submission:
        def policy(game: Game) -> Policy:
            k, mu_star = game.instance.k, game.instance.mu_star
            return by_name(word, T=game.T, k=k, p=P, mu_star=mu_star)

        return Submission(word, BOOK, policy)

    return [made(word) for word in BENCHMARKS]


# -- instances ---------------------------------------------------------------------

SHAPES = {  # means of the other arms, in parts of the best mean, which may be as below
    "spread": (0.1, 0.9), "close": (0.85, 0.95), "needle": (0.02, 0.1),
    "poor": (0.2, 0.8),
}  # fmt: skip
BEST = {"poor": (0.05, 0.15)}
ARMS, HORIZONS = (3, 5, 10, 20), (1_000, 4_000, 16_000)


class Game(NamedTuple):
    """A hidden instance, its horizon, and the seed of all runs on it."""

    shape: str
    instance: Instance
    T: int
    seed: list[int]


def digest(secret: bytes) -> bytes:
    """All that is drawn comes from it; its first figures name the secret."""
    return hashlib.sha256(b"p-mean contest: " + secret).digest()


def games(secret: bytes) -> list[Game]:
    """Twelve games: four shapes of each of three families, drawn from the secret.

    Each number of arms comes three times and each horizon four times.
    """
    seed = int.from_bytes(digest(secret))
    rng, made = np.random.default_rng([seed, 0]), []
    arms, horizons = (rng.permutation(x * (12 // len(x))) for x in (ARMS, HORIZONS))
    for i, (family, shape) in enumerate(product(_FAMILIES, SHAPES)):
        best = rng.uniform(*BEST.get(shape, (0.5, 0.9)))
        others = rng.uniform(*SHAPES[shape], arms[i] - 1)
        instance = family(best * rng.permutation([1, *others]), rng)
        made.append(Game(shape, instance, int(horizons[i]), [seed, i + 1]))
    return made


def _beta(mu: np.ndarray, rng: np.random.Generator) -> Instance:
    size = rng.uniform(1, 5)  # the larger, the less rewards vary
    return instances.beta(size * mu, size * (1 - mu))


def _uniform(mu: np.ndarray, rng: np.random.Generator) -> Instance:
    half = np.minimum(mu, 1 - mu)
    return instances.uniform(mu - half, mu + half)


_FAMILIES = (lambda mu, rng: instances.bernoulli(mu), _beta, _uniform)


# -- scores ------------------------------------------------------------------------


@dataclass(frozen=True)
class Result:
    """What one submission lost in every game, in per cent of the best mean.

    `plug_in` (games,) and `left_out` (games, groups) are for the jackknife, `noise`
    (games,) is how uncertain the bias is, and `alike` (games,) an error bar for games
    in which all runs were alike: what one more run would change that plays the worst
    arm as soon as it may.
    """

    submission: Submission
    plug_in: np.ndarray
    left_out: np.ndarray
    noise: np.ndarray
    alike: np.ndarray
    sizes: np.ndarray

    def games(self, other: "Result | None" = None) -> tuple[np.ndarray, np.ndarray]:
        """The loss in every game, or the difference to another's; with its error."""
        plug_in, left_out, alike = self.plug_in, self.left_out, self.alike
        if other:
            plug_in, left_out = plug_in - other.plug_in, left_out - other.left_out
            alike = np.hypot(alike, other.alike)
        pairs = zip(plug_in, left_out, strict=True)
        found = [jackknife(*pair, self.sizes) for pair in pairs]
        errors = np.array([e.standard_error for e in found])
        return np.array([e.value for e in found]), np.hypot(errors, alike)

    @property
    def shapes(self) -> list[float]:
        """The average loss over the games of each shape."""
        return self.games()[0].reshape(-1, len(SHAPES)).mean(axis=0).tolist()

    @property
    def loss(self) -> Estimate:
        """The score: the average over the games, which have luck of their own each."""
        values, errors = self.games()
        error, noise = (math.hypot(*x) / x.size for x in (errors, self.noise))
        doubt = noise / error if error else 0.0
        counts = int(self.sizes.sum()), self.sizes.size
        means = float(values.mean()), error, float(self.plug_in.mean())
        return Estimate(*means, *counts, doubt)

    def worse_than(self, other: "Result") -> bool:
        """By more than two standard errors of the difference, on the same luck."""
        values, errors = self.games(other)
        return bool(values.sum() > 2 * math.hypot(*errors))


def score(
    submission: Submission, played: Sequence[Game], n_runs: int, **options: Any
) -> Result:
    """Play every game `n_runs` times, on streams that are the same for everybody."""
    rows = []
    for game in played:
        rng, mu_star = np.random.default_rng(game.seed), game.instance.mu_star
        policy = submission.policy(game)
        profile = simulate(game.instance, policy, game.T, n_runs, rng, **options)
        estimate, mu_t = measured_regret(profile, P), profile.mu_t
        left = [p_mean_regret(x, mu_star, P) for x in profile.leave_one_out()]
        noise, alike = estimate.doubt * estimate.standard_error, 0.0
        if math.isinf(estimate.doubt):
            mu_t[profile.known :] *= n_runs / (n_runs + 1)
            mu_t[profile.known :] += game.instance.mu.min() / (n_runs + 1)
            noise, alike = 0.0, p_mean_regret(mu_t, mu_star, P) - estimate.plug_in
        row = estimate.plug_in, left, noise, alike
        rows.append([100 / mu_star * np.array(x) for x in row])
    plug_in, left_out, noises, least = map(np.array, zip(*rows, strict=True))
    sizes = profile.group_sizes
    return Result(submission, plug_in, left_out, noises, least, sizes)


def ranked(results: Iterable[Result]) -> list[tuple[str, Result]]:
    """By loss, with ranks: who is not clearly worse than the first of a rank shares it.

    The book's own have none.
    """

    def key(result: Result) -> tuple[float, str, str]:
        return result.loss.value, result.submission.name, result.submission.file

    table, first, rank, place = [], None, 0, 0
    for result in sorted(results, key=key):
        own = result.submission.file == BOOK
        place += not own
        if not own and (first is None or result.worse_than(first)):
            first, rank = result, place
        table.append(("" if own else str(rank), result))
    return table


# -- the table ---------------------------------------------------------------------

Out = tuple[str, str]  # the file of a submission that is out, and the reason
COLUMNS = ("rank", "name", "file", "loss", "standard_error", "trusted", *SHAPES,
           "reason")  # fmt: skip


def contest(
    paths: Iterable[Path],
    secret: bytes = PRACTICE,
    n_runs: int = N_RUNS,
    **options: Any,
) -> tuple[list[tuple[str, Result]], list[Out]]:
    """The ranked results of all files and of the book's own, and who is out, and why.

    `options` go to `simulate`.
    """
    played, out, results = games(secret), [], []
    entries: list[Submission | Path] = [*benchmarks(), *paths]
    total = len(entries) * len(played) * n_runs
    with progress_bar(total=total, unit="run") as bar:
        options = {"progress": bar.update} | options
        for i, entry in enumerate(entries, 1):
            try:
                made = read(entry) if isinstance(entry, Path) else entry
                results.append(score(made, played, n_runs, **options))
            except ValueError as error:
                if not isinstance(entry, Path):
                    raise
                out.append((_fit(entry.name), " ".join(str(error).split())))
            bar.update(total * i // len(entries) - bar.n)
    return ranked(results), sorted(out)


def shown(table: list[tuple[str, Result]], out: list[Out]) -> str:
    """The table for people."""
    rows: list[tuple[str, ...]] = [("rank", "name", "file", "loss", *SHAPES)]
    for rank, result in table:
        about = rank, result.submission.name, result.submission.file
        rows.append(
            (*about, f"{result.loss:.2f}", *(f"{x:.1f}" for x in result.shapes))
        )
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    sides = "<<<<>>>>"
    cells = (
        (f"{x:{s}{w}}" for x, s, w in zip(row, sides, widths, strict=True))
        for row in rows
    )
    lines = ["  ".join(row) for row in cells]
    lines += [f"out   {file}: {reason}" for file, reason in out]
    return "\n".join(lines) + "\n"


def as_csv(table: list[tuple[str, Result]], out: list[Out]) -> str:
    """The table for programs, in full precision."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for rank, result in table:
        loss, about = result.loss, (result.submission.name, result.submission.file)
        numbers = loss.value, loss.standard_error, loss.trusted, *result.shapes
        writer.writerow((rank, *about, *numbers, ""))
    for file, reason in out:
        writer.writerow(("out", "", file, *[""] * (len(COLUMNS) - 4), reason))
    return text.getvalue()


# -- the command line --------------------------------------------------------------


def files(given: Iterable[Path]) -> list[Path]:
    """Those files, and the *.toml files of those folders, by their names."""
    found = set()
    for path in given:
        inside = list(path.glob("*.toml")) if path.is_dir() else [path]
        message = f"SUBMISSIONS must be files, or folders with *.toml files, got {path}"
        _checks.require(inside != [] and all(x.is_file() for x in inside), message)
        found |= {x.resolve() for x in inside}
    return sorted(found, key=lambda path: (path.name, path))


def main(argv: Sequence[str] | None = None) -> int:
    """Score submissions and print the leaderboard; the exit status."""
    parser = argparse.ArgumentParser(
        "python -m pmeanlib.contest",
        usage=argparse.SUPPRESS,  # what is wrong is told in one line
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("submissions", metavar="SUBMISSIONS", nargs="+", type=Path)
    add("--secret", metavar="FILE", type=Path, help="what instances are drawn from")
    add("--csv", metavar="FILE", type=Path, help="also write the table for programs")
    add("--runs", metavar="N", type=int, default=N_RUNS, help=f"of a game ({N_RUNS})")
    args = parser.parse_args(argv)
    try:
        paths, secret = files(args.submissions), PRACTICE
        n_runs = _checks.integer("runs", args.runs, 2, 10**6)
        if args.secret:
            secret = args.secret.read_bytes().strip()
            _checks.require(len(secret) >= 8, "the secret must have at least 8 bytes")
        if args.csv and not args.csv.resolve().parent.is_dir():
            raise ValueError(f"csv must be a file one can write, got {args.csv}")
        found = contest(paths, secret, n_runs)
        name = "practice" if secret == PRACTICE else digest(secret).hex()[:8]
        head = f"p = -2, instances: {name}, runs: {n_runs}; loss in per cent, ± 1 error"
        sys.stdout.buffer.write(f"{head}\n\n{shown(*found)}\n{NOTES}".encode())
        if args.csv:
            args.csv.write_text(as_csv(*found), "utf8", newline="")
    except (ValueError, OSError) as error:
        parser.error(str(error))
    return 0


if __name__ == "__main__":
    sys.exit(main())
