"""What no test sees: small random changes to the library, one at a time.

The tests of the changed module run in a copy of the project. What they do not notice is
printed: write the test, or say why it does no harm.
"""

import argparse
import ast
import difflib
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from subprocess import DEVNULL, Popen, TimeoutExpired

ROOT = Path(__file__).parents[2]
FURTHER = {  # tests of a module, beyond those that have its name; the quickest first
    "_checks": "instances", "estimates": "simulate_until",
    "kernel": "engine rules", "engine": "simulate_until rules",
    "rules": "policies", "policies": "rules", "sweep": "simulate_until",
}  # fmt: skip
NOT = {"__init__", "compiled", "figures"}  # nothing to change, or for the eye
MODULES = sorted({path.stem for path in (ROOT / "pmeanlib").glob("*.py")} - NOT)
PAIRS = (  # operators that become each other
    (ast.Add, ast.Sub), (ast.Mult, ast.Div), (ast.FloorDiv, ast.Mod),
    (ast.BitAnd, ast.BitOr), (ast.And, ast.Or), (ast.Lt, ast.LtE), (ast.Gt, ast.GtE),
    (ast.Eq, ast.NotEq), (ast.Is, ast.IsNot), (ast.In, ast.NotIn),
)  # fmt: skip
OTHER = {ast.Pow: ast.Mult} | {a: b for pair in PAIRS for a, b in (pair, pair[::-1])}


def change(node: ast.AST, luck: random.Random) -> None:
    """Make a small change in this place, or leave the step out, if that can be."""
    match node:
        case ast.Constant(value=int(value)):  # True and False, too
            node.value = type(value)(value + luck.choice([1, -1]))
        case ast.Constant(value=float(value)):
            node.value = luck.choice([value * 1.01, value * 2, value + 1])
        case ast.BinOp() | ast.AugAssign() | ast.BoolOp():
            node.op = OTHER.get(type(node.op), type(node.op))()
        case ast.Compare():
            node.ops[0] = OTHER[type(node.ops[0])]()
        case ast.UnaryOp(op=ast.USub()):
            node.op = ast.UAdd()
        case ast.Call(args=[_, _, *_]) if ast.unparse(node.func) not in ("min", "max"):
            i = luck.randrange(len(node.args) - 1)
            node.args[i], node.args[i + 1] = node.args[i + 1], node.args[i]
        case ast.If():
            node.test = ast.Constant(False)
        case ast.Expr(value=ast.Call()):
            node.value = ast.Constant(None)
        case ast.Assign(targets=[target]) if names(target) <= names(node.value):
            node.value = target  # a name's first value is needed: nobody could miss it


def names(node: ast.AST) -> set[str]:
    """All that stand in it."""
    return {x.id for x in ast.walk(node) if isinstance(x, ast.Name)}


def places(node: ast.AST) -> Iterator[ast.AST]:
    """What may be changed: all code but annotations, f-strings and imports."""
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            words = ast.JoinedStr | ast.Import | ast.ImportFrom
            hidden = name in ("annotation", "returns") or isinstance(child, words)
            if isinstance(child, ast.AST) and not hidden:
                yield child
                yield from places(child)


def mutant(source: str, luck: random.Random) -> str:
    """The source, without its comments, with a change at a place drawn from all."""
    nodes = list(places(tree := ast.parse(source)))
    luck.shuffle(nodes)
    for node in nodes:
        before = ast.dump(node)
        change(node, luck)
        if ast.dump(node) != before:
            return ast.unparse(tree)
    raise ValueError("there is nothing to change")


def passes(project: Path, module: str, limit: float | None = None) -> bool:
    """Whether the tests of a module pass in this copy, in so many seconds."""
    command = [sys.executable, *"-B -m pytest -x -q -p no:cacheprovider".split()]
    named = [module.strip("_"), *FURTHER.get(module, "").split()]
    files = [f"tests/library/test_{name}.py" for name in named]
    files = [name for name in files if (project / name).exists()]
    own = {"PYTHONPATH": project, "NUMBA_CACHE_DIR": project / "_compiled"}
    own["PMEANLIB_CACHE"] = os.devnull  # nothing is kept from one change to the next
    how = {"cwd": project, "env": os.environ | own, "start_new_session": True}
    child = Popen(command + files, stdout=DEVNULL, stderr=DEVNULL, **how)
    try:
        return child.wait(limit) == 0
    except TimeoutExpired:
        return False
    finally:
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGKILL)  # and whatever it has started


def score(module: str, number: int, seed: int, folder: Path) -> str:
    """Try the mutants of a module, print what survives, and count in a line."""
    project, luck = folder / module, random.Random(f"{module} {seed}")
    left_out = shutil.ignore_patterns(".*", "_build", "__pycache__")
    shutil.copytree(ROOT, project, ignore=left_out)
    path, start = project / "pmeanlib" / f"{module}.py", time.monotonic()
    if not passes(project, module):
        return f"{module}: its tests do not pass before anything is changed"
    limit = 60 + 3 * (time.monotonic() - start)
    source, tried, seen = ast.unparse(ast.parse(path.read_text("utf8"))), {}, 0
    while len(tried) < number:
        tried[mutant(source, luck)] = None
    for other in tried:
        path.write_text(other, "utf8")
        if not passes(project, module, limit):
            seen += 1
            continue
        lines = difflib.ndiff(source.splitlines(), other.splitlines())
        print(f"{module}: not noticed\n", *(x + "\n" for x in lines if x[0] in "+-"))
    return f"{module}: {seen} of {number} noticed, {seen / number:.0%}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="*", help=f"some of {', '.join(MODULES)}")
    parser.add_argument("--number", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    sys.stdout.reconfigure(line_buffering=True)
    with tempfile.TemporaryDirectory() as folder:
        for module in asked.modules or MODULES:
            print(score(module, asked.number, asked.seed, Path(folder)))
