"""The house: which room may open which door, how large it is, and its map."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import pmeanlib

ROOT = Path(__file__).parents[2]
LIBRARY = ROOT / "pmeanlib"
CORE = ("_checks", "compiled", "welfare", "instances", "bounds", "rules", "policies",
        "kernel", "engine")  # fmt: skip
APART = ("linear",)  # stand on the core; nothing stands on them
# Stand on the core, which does not open them
BESIDE = ("published", "figures", "exercises", "advice")


def room_of(path: Path) -> str:
    return ".".join(path.relative_to(LIBRARY).with_suffix("").parts)


ROOMS = {room_of(path): ast.parse(path.read_text("utf8"), str(path))
         for path in sorted(LIBRARY.rglob("*.py"))}  # fmt: skip


def imported(tree: ast.AST) -> set[tuple[str, str]]:
    """What is imported from this library, anywhere in a file: (room, name)."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level == 0:
            package, _, room = (node.module or "").partition(".")
            if package == "pmeanlib":
                for alias in node.names:
                    inner = f"{room}.{alias.name}".lstrip(".")
                    found.add((inner, "") if inner in ROOMS else (room, alias.name))
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.partition(".")[0] == "pmeanlib":
                    found.add((alias.name.partition(".")[2], ""))
    return found


DOORS = {room: imported(tree) for room, tree in ROOMS.items()}


def is_lab(room: str) -> bool:
    return room.startswith("lab")


def test_the_rooms_are_those_of_the_plan():
    rooms = {room for room in ROOMS if not is_lab(room)}
    assert rooms == {*CORE, *BESIDE, *APART, "__init__"}


@pytest.mark.parametrize("room", [*CORE, "figures", "exercises", *APART, "__init__"])
def test_the_core_never_opens_the_lab(room):
    assert not [o for o, _ in DOORS[room] if is_lab(o) or o == "advice"]


@pytest.mark.parametrize("apart", APART)
def test_a_room_of_its_own_is_opened_by_nobody(apart):
    assert not [room for room, doors in DOORS.items() if apart in dict(doors)]
    assert pmeanlib.ROOMS[apart] == ()


@pytest.mark.parametrize("room", [room for room in ROOMS if room != "__init__"])
def test_nobody_imports_the_package_root(room):
    assert "" not in {other for other, _ in DOORS[room]}


@pytest.mark.parametrize("room", CORE)
def test_the_core_stands_on_itself_alone(room):
    assert {other for other, _ in DOORS[room]} <= set(CORE)


def test_checks_stand_on_nothing():
    assert not DOORS["_checks"]


def test_dependencies_point_one_way():
    """The rooms can be put in an order in which every door leads back."""
    left, order = dict(DOORS), []
    while left:
        free = [r for r, doors in left.items() if not {o for o, _ in doors} & set(left)]
        assert free, f"a cycle among {sorted(left)}"
        order += free
        for room in free:
            del left[room]
    assert order.index("bounds") < order.index("policies") < order.index("engine")


def test_no_name_with_an_underscore_crosses_a_module():
    for room, doors in DOORS.items():
        for other, name in doors:
            assert not re.match(r"_(?!_)", name), f"{room} borrows {other}.{name}"
    modules = {other.rpartition(".")[2] for doors in DOORS.values() for other, name in
               doors if not name}  # fmt: skip
    for room, tree in ROOMS.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                borrowed = node.value.id in modules and re.match(r"_(?!_)", node.attr)
                assert not borrowed, f"{room} borrows {node.value.id}.{node.attr}"


def test_only_the_root_re_exports():
    """A name is imported from the room that defines it."""
    defined = {
        room: {
            target.id if isinstance(target, ast.Name) else getattr(target, "name", "")
            for node in tree.body
            for target in _targets(node)
        }
        for room, tree in ROOMS.items()
    }
    for room, doors in DOORS.items():
        for other, name in doors:
            assert not name or name in defined[other], f"{room}: {other}.{name}"
    for room, names in pmeanlib.ROOMS.items():
        assert set(names) <= defined.get(room, set())


def _targets(node):
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield from target.elts if isinstance(target, ast.Tuple) else [target]
    elif isinstance(node, ast.AnnAssign):
        yield node.target
    elif isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node


def test_importing_the_root_opens_no_room():
    code = "import sys, pmeanlib; print([m for m in sys.modules if 'pmeanlib.' in m])"
    shown = subprocess.check_output([sys.executable, "-c", code], text=True)
    assert shown.strip() == "[]"


def drawing() -> str:
    """The imports, drawn from the code: a line for each room, lowest first."""
    lines, left = [], {room: {o for o, _ in doors} for room, doors in DOORS.items()}
    while left:
        for room in sorted(r for r, needs in left.items() if not needs & set(left)):
            below = ", ".join(sorted(left.pop(room)))
            if "__" not in room:
                lines.append(f"{room:13} -> {below}" if below else room)
    return "\n".join(lines)


def test_the_map_is_drawn_from_the_code():
    text = (ROOT / "CONTRIBUTING.md").read_text("utf8")
    drawn = re.search(r"<!-- imports -->\n```\n(.*?)\n```", text, re.DOTALL)
    assert drawn, "CONTRIBUTING.md has no drawing of the imports"
    assert drawn[1] == drawing(), f"the map should be\n{drawing()}"


def test_the_version_stands_in_one_place():
    files = [ROOT / "pyproject.toml", ROOT / "CITATION.cff", *LIBRARY.rglob("*.py")]
    version = pmeanlib.__version__
    places = [path.name for path in files if version in path.read_text("utf8")]
    assert places == ["pyproject.toml"]


def test_every_public_name_has_a_docstring_and_a_link_in_notation():
    notation = (ROOT / "chapters" / "notation.ipynb").read_text("utf8")
    for name in pmeanlib.__all__:
        assert getattr(pmeanlib, name).__doc__, name
        assert re.search(rf"`{name} <pmeanlib\.[\w.]+\.{name}>`", notation), name
