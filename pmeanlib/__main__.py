"""The command line: `python -m pmeanlib`."""

import argparse
import csv
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import numpy as np

from pmeanlib import _checks, _store, bench, bounds, gridfile, published
from pmeanlib.instances import FAMILIES, random_instance
from pmeanlib.policies import (
    ORDERS,
    Policy,
    exploration_period,
    explore_then_ucb,
    ncb,
    ucb1,
)
from pmeanlib.simulate import simulate
from pmeanlib.sweep import sweep
from pmeanlib.welfare import measured_regret

EXAMPLES = """\
examples:
  python -m pmeanlib regret beta --policy eucb -p -1 -T 20000 -n 30 -k 50 --seed 1
      draws 50 Beta arms, plays Explore-Then-UCB 30 times for 20000 rounds, and
      prints its harmonic-mean regret with a standard error
  python -m pmeanlib regret bernoulli --policy ucb1 -p 0 -T 1e5 -n 100 -k 10 --json
      the Nash regret of UCB1, in full precision, for another program to read
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

REGRET = """\
Draws K arms of FAMILY as the paper's experiments do, plays the policy RUNS times for
T rounds, and prints the p-mean regret: the best arm's mean less the p-mean, over the
rounds, of each round's expected reward. p = 1 is the ordinary average regret, p = 0
the Nash regret, and the more negative p, the more the worst-served round counts.
"""

SWEEP = """\
Runs every combination that FILE describes and writes a table, a line for each p.
Finished pieces are kept ($PMEANLIB_CACHE, or the user's cache): a sweep that was
stopped resumes, and the table is the same to the last digit.
"""

GRID = """\
example of FILE:
  [[sweep]]                    # as many tables as you like
  family = ["bernoulli", "beta"]
  k = 10
  policy = ["ucb1", "eucb"]
  T = [1_000, 10_000]
  p = [1, 0, -1]

keys, each with one value or a list; a table stands for all combinations:
  family         {families}
  k              arms; with instance_seed (1) they are drawn as in the paper
  means          in the place of these: a list of Bernoulli means, or several lists
  policy         {policies}
                 (eucb-unified explores as long as Theorem U of the book asks)
  T, p           horizons and exponents
  n_runs, seed   of the runs (30, 1)
  width          factor of the confidence width (4)
  order          in which ucb1 first tries the arms: {orders} (fixed)
""".format(
    families=", ".join(FAMILIES),
    policies=", ".join(gridfile.POLICIES),
    orders=", ".join(ORDERS),
)


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line and exits with status 2."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}; try --help\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit status."""
    parser = _parser()
    args = parser.parse_args(_glue_exponent(sys.argv[1:] if argv is None else argv))
    try:
        return args.run(args)
    except ValueError as error:
        parser.error(str(error))
    except BrokenPipeError:  # the reader, `head` for instance, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def regret(args: argparse.Namespace) -> int:
    """The p-mean regret of one policy on one random instance."""
    rng = np.random.default_rng(_checks.integer("seed", args.seed, 0))
    instance = random_instance(args.family, args.k, rng)
    policy, period = _policy(args)
    profile = simulate(instance, policy, args.T, args.n_runs, rng)
    estimate = measured_regret(profile, args.p)
    result = {
        "family": args.family,
        "policy": policy.name,
        "p": args.p,
        "T": args.T,
        "k": args.k,
        "n_runs": args.n_runs,
        "seed": args.seed,
        "width": args.width,
        "regret": estimate.value,
        "standard_error": estimate.standard_error,
        "regret_plug_in": estimate.plug_in,
        "mu_star": instance.mu_star,
        "exploration_period": period,
        "T_tilde": policy.T_tilde,
        "capped": policy.capped,
    }
    if args.json:
        print(json.dumps(result))
        return 0
    print(f"regret              {estimate:.6f}   (p = {args.p:g}, {policy.name})")
    print(f"before bias removal {estimate.plug_in:.6f}")
    print(f"mu_star             {instance.mu_star:.6f}")
    never = ", longer than T: the index was never used" if policy.capped else ""
    print(f"exploration period  {period}{never}")
    return 0


def run_replay(args: argparse.Namespace) -> int:
    """The authors' experiment for one family and one p."""
    result = published.replay(
        args.family, args.p, args.T, args.n_runs, args.k, args.seed
    )
    if args.json:
        print(json.dumps(result.regret))
        return 0
    for name, value in result.regret.items():
        rounds, T_tilde = result.profile[name].size, result.T_tilde[name]
        print(f"{name:5} {value:.6f}   {T_tilde} of {rounds} rounds explored")
    return 0


def table2(args: argparse.Namespace) -> int:
    """The whole of Table 2, by the published protocol or by the definition."""
    if args.estimator == "published" and args.width is not None:
        raise ValueError("width goes with --estimator definition only")
    rows = list(published.table(args.estimator, args.n_runs, args.width))
    if args.json:
        print(json.dumps(rows))
    elif args.csv:
        writer = csv.DictWriter(sys.stdout, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    else:
        print(f"{'family':11} {'p':>5} {'':5} {'printed':>8} {'regret':>9}")
        for row in rows:
            error = row.get("standard_error")
            print(
                f"{row['family']:11} {row['p']:5g} {row['algorithm']:5}"
                f" {row['printed']:8.3f} {row['regret']:9.4f}"
                + (f" ± {error:.4f}" if error is not None else "")
            )
    return 0


def bound(args: argparse.Namespace) -> int:
    """What the theorems say about one setting, and from which horizon on."""
    report = bounds.report(args.T, args.k, args.p, args.mu_star, args.mu_min)
    if args.json:
        print(json.dumps(report))
        return 0
    for name, value in report.items():
        for part, number in value.items() if isinstance(value, dict) else [("", value)]:
            text = f"{number:.6g}" if isinstance(number, float) else number
            if number is None:
                text = "hypotheses fail" if part == "value" else "never"
            print(f"{name + ' ' + part:32} {text}")
    return 0


def run_sweep(args: argparse.Namespace) -> int:
    """Every combination that a file describes, as a table."""
    settings = gridfile.read(args.file)
    if args.out and not args.out.parent.is_dir():
        raise ValueError(f"{args.out}: there is no folder {args.out.parent}")
    table = sweep(settings, workers=args.workers)
    text = table.to_csv(index=False, lineterminator="\n")
    if args.out:
        _store.write_whole(args.out, text)
    else:
        sys.stdout.write(text)
    return 0


def run_bench(args: argparse.Namespace) -> int:
    """What a round costs, and the ratios that have a bar."""
    if args.store and not Path(args.store).parent.is_dir():
        raise ValueError(f"store must be in a folder that exists, got {args.store}")
    result = bench.measure()
    if args.store:
        bench.store(result, args.store)
    if args.json:
        print(json.dumps([(*key, value) for key, value in result.items()]))
        return 0
    for key, value in result.items():
        if key[0] != "bar":
            print("{:9} {:24} {:10}".format(*key), f"{value:9.1f} ns")
    for name, value in bench.ratios(result).items():
        kind, bar = bench.BARS[name]
        met = value >= bar if kind == "at least" else value <= bar
        print(f"{name:28}{value:12.1f}   {kind} {bar:g}: {'met' if met else 'MISSED'}")
    return 0


def _policy(args: argparse.Namespace) -> tuple[Policy, int]:
    """The policy asked for, and its exploration period before the cap at T."""
    if args.policy == "ucb1":
        return ucb1(args.width, args.order), 0
    if args.policy == "eucb":
        policy = explore_then_ucb(args.T, args.k, args.p, args.width)
        return policy, exploration_period(args.T, args.k, args.p)
    return ncb(args.T, args.k, args.width), exploration_period(args.T, args.k, 0)


def _parser() -> Parser:
    parser = Parser(
        "python -m pmeanlib",
        description="p-mean regret for stochastic bandits, from the command line.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    command = commands.add_parser(
        "regret",
        help="simulate a policy and print its p-mean regret",
        description=REGRET,
    )
    command.set_defaults(run=regret)
    add = command.add_argument
    add("family", metavar="FAMILY", choices=FAMILIES, help=", ".join(FAMILIES))
    add("--policy", choices=("ucb1", "eucb", "ncb"), default="eucb",
        help="UCB1, Explore-Then-UCB (default), Nash Confidence Bound")  # fmt: skip
    add("-p", type=float, default=0.0, help="the exponent, at most 1 for eucb (0)")
    add("-T", type=_whole, default=20_000, help="rounds in a run (20000)")
    add(
        "-n",
        dest="n_runs",
        metavar="RUNS",
        type=_whole,
        default=30,
        help="at least 2 (30)",
    )
    add("-k", type=_whole, default=50, help="arms (50)")
    add("--seed", type=_whole, default=1, help="of the arms and of the runs (1)")
    add("--width", type=float, default=4.0, help="factor of the confidence width (4)")
    add("--order", choices=("fixed", "random"), default="fixed",
        help="in which UCB1 first tries the arms")  # fmt: skip
    add("--json", action="store_true", help="one JSON object, in full precision")

    command = commands.add_parser(
        "replay", help="replay the authors' experiment to the last bit"
    )
    command.set_defaults(run=run_replay)
    add = command.add_argument
    add("family", metavar="FAMILY", choices=FAMILIES, help=", ".join(FAMILIES))
    add("-p", type=float, default=-1.0, help="the exponent (-1)")
    add("-T", type=_whole, default=20_000, help="rounds (20000)")
    add("-n", dest="n_runs", metavar="N", type=_whole, default=30, help="runs (30)")
    add("-k", type=_whole, default=50, help="arms (50)")
    add("--seed", type=_whole, default=published.SEED, help="theirs is 12479")
    add("--json", action="store_true", help="one JSON object, in full precision")

    command = commands.add_parser(
        "table2", help="the paper's Table 2, replayed or by the definition"
    )
    command.set_defaults(run=table2)
    add = command.add_argument
    add("--estimator", choices=published.ESTIMATORS, default="published",
        help="as the authors computed it, or as the paper defines it")  # fmt: skip
    add("--runs", dest="n_runs", metavar="N", type=_whole,
        help="30 as published, 100 by the definition")  # fmt: skip
    add("--width", type=float, help="of UCB1 and EUCB by the definition (4)")
    form = command.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="a list of rows")
    form.add_argument("--csv", action="store_true", help="a line for each cell")

    command = commands.add_parser("bound", help="what the theorems say, in numbers")
    command.set_defaults(run=bound)
    add = command.add_argument
    add("-p", type=float, required=True, help="the exponent, at most 1")
    add("-T", type=float, required=True, help="the horizon, up to 1e40")
    add("-k", type=_whole, required=True, help="the number of arms")
    add("--mu-star", metavar="M", type=float, default=0.9, help="the best mean (0.9)")
    add("--mu-min", metavar="M", type=float, default=0.1, help="the worst mean (0.1)")
    add("--json", action="store_true", help="one JSON object; null is never")

    command = commands.add_parser(
        "sweep",
        help="run what a file describes, into a table",
        description=SWEEP,
        epilog=GRID,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.set_defaults(run=run_sweep)
    add = command.add_argument
    add("file", metavar="FILE", help="a TOML file, as below")
    add("--out", metavar="CSV", type=Path, help="the table's file; else it is printed")
    add("--workers", metavar="N", type=_whole, help="pieces at a time (all cores)")

    command = commands.add_parser("bench", help="what a simulated round costs")
    command.set_defaults(run=run_bench)
    add = command.add_argument
    add("--json", action="store_true", help="a list of (table, row, column, value)")
    add("--store", metavar="FILE", help="also write the table of chapter speed, CSV")
    return parser


def _whole(text: str) -> int:
    """A whole number, also written 1e6."""
    value = float(text)
    if not value.is_integer():
        raise argparse.ArgumentTypeError(f"must be a whole number, got {text}")
    return int(text) if text.lstrip("+-").isdigit() else int(value)


def _glue_exponent(argv: Sequence[str]) -> list[str]:
    """Write `-p -1e-3` as `-p-1e-3`: argparse would take -1e-3 for an option."""
    glued: list[str] = []
    for word in argv:
        if glued and glued[-1] == "-p":
            glued[-1] += word
        else:
            glued.append(word)
    return glued


if __name__ == "__main__":
    sys.exit(main())
