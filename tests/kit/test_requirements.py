"""What make installs is pinned by hash, and comes from the lists in pyproject.toml."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GROUPS = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]


def requirements(group: str) -> list[str]:
    name = "requirements.txt" if group == "book" else f"requirements/{group}.txt"
    lines = (ROOT / name).read_text().replace("\\\n", " ").splitlines()
    return [line for line in map(str.strip, lines) if line and line[0] not in "#-"]


@pytest.mark.parametrize("group", GROUPS)
def test_every_line_is_a_version_with_its_hashes(group):
    form = r"[\w.-]+==\S+( ; [^\\]+?)?( +--hash=sha256:[0-9a-f]{64})+"
    assert [line for line in requirements(group) if not re.fullmatch(form, line)] == []


@pytest.mark.parametrize("group", GROUPS)
def test_make_requirements_was_run_after_the_last_change(group):
    assert set(GROUPS[group]) <= {line.split()[0] for line in requirements(group)}


def test_groups_agree_on_what_they_share():
    shared = {}
    for group in GROUPS:
        for line in requirements(group):
            package, version = line.split()[0].split("==")
            shared.setdefault(package, {}).setdefault(group, set()).add(version)
    differ = {p: g for p, g in shared.items() if len({*map(frozenset, g.values())}) > 1}
    assert differ == {}
