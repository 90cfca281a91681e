"""The recipe "A policy" of CONTRIBUTING, followed to the letter in a copy."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

ROOT = Path(__file__).parents[2]
TESTS = """
chapters/notation.ipynb
tests/library/test_policies.py
tests/library/test_package.py::test_every_public_name_has_a_docstring_and_a_link_in_notation
tests/library/test_bench.py::test_the_stored_table_is_whole_and_speaks_of_no_machine
tests/library/test_engine.py::test_every_policy_by_its_name_beside_its_oracle[bernoulli-cautious]
"""
CHECKED = (
    "ruff check pmeanlib",
    "ruff format --check pmeanlib",
    f"pytest -q -p no:cacheprovider --nbval {TESTS}",
)


def change(path, old, new):
    text = path.read_text("utf8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf8")


def test_who_follows_the_recipe_of_a_policy_passes_the_tests(tmp_path):
    left_out = shutil.ignore_patterns(".*", "_build", "__pycache__")
    project = shutil.copytree(ROOT, tmp_path / "copy", ignore=left_out)
    library, chapters = project / "pmeanlib", project / "chapters"

    recipe = (ROOT / "CONTRIBUTING.md").read_text("utf8").partition("**A policy.**")[2]
    steps = re.findall(r"^   ```\w*\n(.*?)^   ```$", recipe, re.M | re.S)[:5]
    rule, maker, names, rows, entry = map(dedent, steps)
    (path := library / "rules.py").write_text(f"{path.read_text()}\n\n{rule}")
    change(library / "policies.py", "_MAKERS:", f"{maker}\n\n_MAKERS:")
    change(library / "policies.py", "thinning,\n)", "thinning, cautious,\n)")
    stub = (library / "__init__.pyi").read_text()
    public = [line for line in stub.splitlines() if line.startswith("from")]
    by_the_alphabet = "\n".join(sorted([*public, *names.splitlines()]))
    change(library / "__init__.pyi", "\n".join(public), by_the_alphabet)
    neighbour = '    "| {py:obj}`greedy_index'
    cell = "".join(
        f"    {json.dumps(row)},\n" for row in rows.splitlines(keepends=True)
    )
    change(chapters / "notation.ipynb", neighbour, cell + neighbour)
    last = ".. autodata:: pmeanlib.rules.greedy_index\n   :no-value:\n"
    change(chapters / "api.md", last, f"{last}\n{entry}")

    for command in CHECKED:
        tool = [sys.executable, "-m", *command.split()]
        own = os.environ | {"PYTHONPATH": str(project)}
        done = subprocess.run(
            tool, cwd=project, env=own, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout[-3000:]
