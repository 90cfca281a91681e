"""p-mean regret for stochastic bandits, from the command line.

examples:
  python -m pmeanlib regret beta --policy eucb -p -1 -T 20000 -n 30 -k 50 --seed 1
      draws 50 Beta arms, plays Explore-Then-UCB 30 times for 20000 rounds, and
      prints its harmonic-mean regret with a standard error
  python -m pmeanlib regret bernoulli --policy ucb1 -p 0 -T 1e5 -n 100 -k 10 --json
      the Nash regret of UCB1, in full precision, for another program to read
  python -m pmeanlib policies
      the policies that regret and sweep know
  python -m pmeanlib replay triangular -p -1 -T 20000 -n 30 -k 50
      the paper's experiment as its authors ran it, from their seed, to the last bit
  python -m pmeanlib table2 --estimator definition --runs 100
      the paper's Table 2 by the definition of p-mean regret, with error bars
  python -m pmeanlib bound -p -1 -T 1e6 -k 50
      which assumptions of the paper hold there, its bound, and the one of this book
  python -m pmeanlib sweep grid.toml --out grid.csv
      every combination that a file describes, as a table; `sweep --help` shows a file
  python -m pmeanlib bench
      what a simulated round costs on this machine
"""

import argparse
import csv
import json
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Sequence
from inspect import getdoc
from pathlib import Path
from typing import Any, NoReturn

Add = Callable[..., Any]  # adds an argument to a command
Run = Callable[[Namespace], None]


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line and exits with status 2."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}; try --help\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit status.

    Only the command that is called reads its arguments' choices from the library and
    imports what it needs: `bound` does not wait for a compiler.
    """
    words = _glue_exponent(sys.argv[1:] if argv is None else argv)
    raw = argparse.RawDescriptionHelpFormatter
    parser = Parser("python -m pmeanlib", description=__doc__, formatter_class=raw)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in COMMANDS:
        doc = getdoc(command) or ""
        how: Any = {"description": doc, "formatter_class": raw}
        how["help"] = doc.partition(".\n")[0].rstrip(".")
        part = commands.add_parser(command.__name__, **how)
        if [command.__name__] == words[:1]:
            part.set_defaults(run=command(part.add_argument))
    args = parser.parse_args(words)
    try:
        args.run(args)
    except BrokenPipeError:  # the reader, `head` for instance, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (ValueError, OSError) as error:
        parser.error(str(error))
    return 0


def regret(add: Add) -> Run:
    """Simulate a policy and print its p-mean regret.

    Draws K arms of FAMILY as the paper's experiments do, plays the policy RUNS times
    for T rounds, and prints the p-mean regret: the best arm's mean less the p-mean,
    over the rounds, of each round's expected reward. p = 1 is the ordinary average
    regret, p = 0 the Nash regret, and the more negative p, the more the worst-served
    round counts.
    """
    import numpy as np

    from pmeanlib import _checks
    from pmeanlib.engine import simulate
    from pmeanlib.lab.sweep import Setting
    from pmeanlib.lab.until import kept_until
    from pmeanlib.policies import BY_NAME, ORDERS, by_name
    from pmeanlib.published import random_instance
    from pmeanlib.welfare import measured_regret

    _experiment(add, p=0.0, seed=1)
    add("--policy", choices=BY_NAME, default="eucb", help="eucb; `policies` lists them")
    add("--width", type=float, default=4.0, help="factor of the confidence width (4)")
    add("--error", type=float, help="run until the standard error is this, trusted")
    add("--budget", metavar="RUNS", type=_whole, default=100_000,
        help="the most runs that --error may take (100000)")  # fmt: skip
    add(
        "--order",
        choices=ORDERS,
        default="fixed",
        help="of first pulls, for policies that begin with them",
    )

    def run(args: Namespace) -> None:
        rng = np.random.default_rng(_checks.integer("seed", args.seed, 0))
        instance = random_instance(args.family, args.k, rng)
        policy = by_name(args.policy, **vars(args), mu_star=instance.mu_star)
        if args.error is None:
            profile = simulate(instance, policy, args.T, args.n_runs, rng)
        else:
            setting = Setting(instance, policy, args.T, 2, args.seed, [args.p])
            profile = kept_until(setting, args.error, args.budget)
        estimate = measured_regret(profile, args.p)
        asked = ("family", "p", "T", "k", "seed", "width")
        result = {"policy": policy.name} | {n: getattr(args, n) for n in asked}
        result |= {"n_runs": profile.n_runs, "mu_star": instance.mu_star} | estimate.row
        result |= {"exploration_period": policy.period, "T_tilde": policy.T_tilde}
        how = ", longer than T: the index was never used" if policy.capped else ""
        period = "in stages" if policy.stages else policy.period
        if policy.stop or policy.explore == "anchored":
            how = how or " at least, until a rule ends it"
        show(args, result | {"capped": policy.capped}, (
            f"regret              {estimate:.6f}   (p = {args.p:g}, {policy.name})",
            f"runs                {profile.n_runs}" + ("" if estimate.trusted else
            f", too few for its error bar: {estimate.runs_needed} or so would do"),
            f"before bias removal {estimate.plug_in:.6f}",
            f"mu_star             {instance.mu_star:.6f}",
            f"exploration period  {period}{how}",
        ))  # fmt: skip

    return run


def policies(add: Add) -> Run:
    """List the policies that `regret` and `sweep` know."""
    from pmeanlib.policies import BY_NAME

    def run(args: Namespace) -> None:
        for name, make in BY_NAME.items():
            print(f"{name:13} {(getdoc(make) or '').splitlines()[0]}")

    return run


def replay(add: Add) -> Run:
    """Replay the authors' experiment, for one family and one p, to the last bit."""
    from pmeanlib import published

    _experiment(add, p=-1.0, seed=published.SEED)

    def run(args: Namespace) -> None:
        asked = args.family, args.p, args.T, args.n_runs, args.k, args.seed
        result = published.replay(*asked)
        show(args, result.regret, (
            f"{name:5} {value:.6f}   {result.T_tilde[name]} of"
            f" {result.profile[name].size} rounds explored"
            for name, value in result.regret.items()
        ))  # fmt: skip

    return run


def table2(add: Add) -> Run:
    """The paper's Table 2 anew, by the published protocol or by the definition."""
    from pmeanlib.lab.table2 import ESTIMATORS, table

    add("--estimator", choices=ESTIMATORS, default="published",
        help="as the authors computed it, or as the paper defines it")  # fmt: skip
    add("--runs", dest="n_runs", metavar="N", type=_whole,
        help="30 as published, 100 by the definition")  # fmt: skip
    add("--width", type=float, help="of UCB1 and EUCB by the definition (4)")
    add("--json", action="store_true", help="a list of rows")
    add("--csv", action="store_true", help="a line for each cell")

    def run(args: Namespace) -> None:
        if args.json and args.csv:
            raise ValueError("argument --csv: not allowed with argument --json")
        if args.estimator == "published" and args.width is not None:
            raise ValueError("width goes with --estimator definition only")
        rows = list(table(args.estimator, args.n_runs, args.width))
        if args.csv:
            writer = csv.DictWriter(sys.stdout, rows[0], lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
            return
        lines = [f"{'family':11} {'p':>5} {'':5} {'printed':>8} {'regret':>9}"]
        for row in rows:
            setting = "{family:11} {p:5g} {algorithm:5} {printed:8.3f} {regret:9.4f}"
            error = " ± {standard_error:.4f}" if "standard_error" in row else ""
            lines.append((setting + error).format_map(row))
        show(args, rows, lines)

    return run


def bound(add: Add) -> Run:
    """What the theorems say about one setting, and from which horizon on."""
    from pmeanlib.lab.report import report

    add("-p", type=float, required=True, help="the exponent, at most 1")
    add("-T", type=float, required=True, help="the horizon, up to 1e40")
    add("-k", type=_whole, required=True, help="the number of arms")
    add("--mu-star", metavar="M", type=float, default=0.9, help="the best mean (0.9)")
    add("--mu-min", metavar="M", type=float, default=0.1, help="the worst mean (0.1)")
    add("--json", action="store_true", help="one JSON object; null is never, or inf")

    def run(args: Namespace) -> None:
        found = report(args.T, args.k, args.p, args.mu_star, args.mu_min)
        lines = []
        for name, value in found.items():
            parts = value if isinstance(value, dict) else {"": value}
            for part, number in parts.items():
                text = f"{number:.6g}" if isinstance(number, float) else number
                if number is None:
                    text = "never" if part[:5] == "below" else "hypotheses fail or inf"
                lines.append(f"{name + ' ' + part:32} {text}")
        show(args, found, lines)

    return run


def sweep(add: Add) -> Run:
    """Run every combination that FILE describes, into a table, a line for each p.

    Finished pieces are kept ($PMEANLIB_CACHE, or the user's cache): a sweep that was
    stopped resumes, and the table is the same to the last digit.

    example of FILE:
      [[sweep]]                    # as many tables as you like
      family = ["bernoulli", "beta"]
      k = 10
      policy = ["ucb1", "eucb"]
      T = [1_000, 10_000]
      p = [1, 0, -1]

    keys, each with one value or a list; a table stands for all combinations:
      family         bernoulli, beta, triangular, uniform
      k              arms, at most 100000; with instance_seed (1) drawn as in the paper
      means          in the place of these: a list of Bernoulli means, or several lists
      policy         those that `python -m pmeanlib policies` lists
      T, p           horizons and exponents
      n_runs, seed   of the runs (30, 1)
      width          factor of the confidence width (4)
      order          in which ucb1 first tries the arms: fixed, random (fixed)
    """
    from pmeanlib.lab import gridfile
    from pmeanlib.lab.store import write_out
    from pmeanlib.lab.sweep import sweep

    add("file", metavar="FILE", help="a TOML file, as above")
    add("--out", metavar="CSV", type=_file, help="the table's file; else it is printed")
    add("--workers", metavar="N", type=_whole, help="pieces at a time (all cores)")

    def run(args: Namespace) -> None:
        table = sweep(gridfile.read(args.file), workers=args.workers)
        text = table.to_csv(index=False, lineterminator="\n")
        if args.out:
            write_out(args.out, text)
        else:
            sys.stdout.write(text)

    return run


def bench(add: Add) -> Run:
    """What a simulated round costs on this machine, and the ratios that have a bar."""
    from pmeanlib.lab.bench import BARS, measure, ratios, store

    add("--json", action="store_true", help="a list of (table, row, column, value)")
    add("--store", metavar="FILE", type=_file, help="also write chapter speed's table")

    def run(args: Namespace) -> None:
        result = measure()
        if args.store:
            store(result, args.store)
        lines = ["{:9} {:24} {:10}".format(*key) + f" {ns:9.1f} ns"
                 for key, ns in result.items() if key[0] != "bar"]  # fmt: skip
        for name, value in ratios(result).items():
            kind, bar = BARS[name]
            met = value >= bar if kind == "at least" else value <= bar
            word = "met" if met else "MISSED"
            lines.append(f"{name:28}{value:12.1f}   {kind} {bar:g}: {word}")
        show(args, [(*key, value) for key, value in result.items()], lines)

    return run


COMMANDS = (regret, policies, replay, table2, bound, sweep, bench)


def _experiment(add: Add, p: float, seed: int) -> None:
    """The arguments of an experiment on random arms, with these defaults."""
    from pmeanlib.instances import FAMILIES

    add("family", metavar="FAMILY", choices=FAMILIES, help=", ".join(FAMILIES))
    add("-p", type=float, default=p, help=f"the exponent ({p:g})")
    add("-T", type=_whole, default=20_000, help="rounds in a run (20000)")
    add("-n", dest="n_runs", metavar="RUNS", type=_whole, default=30, help="runs (30)")
    add("-k", type=_whole, default=50, help="arms (50)")
    add("--seed", type=_whole, default=seed, help=f"of arms and runs ({seed})")
    add("--json", action="store_true",
        help='one JSON object, in full precision; -inf is "-Infinity"')  # fmt: skip


def show(args: Namespace, data: Any, lines: Iterable[str]) -> None:
    """Print the data as JSON if that was asked for, else the lines."""
    from pmeanlib.lab.store import finite

    print(json.dumps(finite(data), allow_nan=False) if args.json else "\n".join(lines))


def _file(text: str) -> Path:
    """A file that can be written, as far as one can tell before the work is done."""
    folder = os.path.dirname(os.path.realpath(text)) + os.sep
    place = text if os.path.exists(text) else folder
    if os.path.isdir(text) or not os.access(place, os.W_OK):
        raise argparse.ArgumentTypeError(f"must be a file one can write, got {text}")
    return Path(text)


def _whole(text: str) -> int:
    """A whole number, also written 1e6."""
    value = float(text)
    if not value.is_integer():
        raise argparse.ArgumentTypeError(f"must be a whole number, got {text}")
    return int(text) if text.lstrip("+-").isdigit() else int(value)


def _glue_exponent(argv: Sequence[str]) -> list[str]:
    """Write `-p -1e-3` as `-p-1e-3`: argparse would take -1e-3 for an option."""
    words = iter(argv)
    return [word + next(words, "") if word == "-p" else word for word in words]
