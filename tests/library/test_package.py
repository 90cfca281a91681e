"""The package as its users meet it: what `import pmeanlib` gives, and what it costs."""

import re
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from inspect import ismodule
from pathlib import Path

import pytest

import pmeanlib as pm

ROOT = Path(__file__).parents[2]
LIBRARY = ROOT / "pmeanlib"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf8"))


def printed_by(code):
    """What a fresh interpreter prints."""
    return subprocess.check_output([sys.executable, "-c", code], text=True).strip()


# -- the root -----------------------------------------------------------------------


def test_importing_the_root_imports_nothing_heavy():
    loaded = printed_by("import sys, pmeanlib; print(*sys.modules)").split()
    assert not [name for name in loaded if name.startswith("pmeanlib.")]
    assert not {"numpy", "numba", "pandas", "matplotlib", "joblib"} & {*loaded}


def test_dir_shows_the_public_names_alone():
    assert dir(pm) == sorted(pm.__all__)
    assert {"simulate", "sweep", "p_mean", "bounds"} < {*dir(pm)}
    assert not [name for name in dir(pm) if name.startswith("_")]
    with pytest.raises(AttributeError, match="ucb2"):
        _ = pm.ucb2


@pytest.mark.parametrize("first", ["pmeanlib.sweep", "pmeanlib.published", "pmeanlib"])
def test_sweep_is_the_function_whatever_was_imported_before(first):
    code = f"import {first}, pmeanlib as pm; print(type(pm.sweep).__name__)"
    assert printed_by(code) == "function"
    assert printed_by(f"{code}; import pmeanlib.sweep; {code}") == "function\nfunction"


def test_it_works_from_a_source_tree_that_is_not_installed(tmp_path, monkeypatch):
    monkeypatch.setenv("PMEANLIB_CACHE", str(tmp_path))
    code = """
from importlib import metadata

def from_name(name, found=metadata.Distribution.from_name):
    if name == "pmeanlib":
        raise metadata.PackageNotFoundError(name)
    return found(name)

metadata.Distribution.from_name = from_name
import pmeanlib as pm
table = pm.sweep([pm.Setting(pm.bernoulli([0.2, 0.8]), pm.ucb1(), 9, 2, 1, (1,))])
print(pm.__version__, *table["pmeanlib"])
"""
    assert printed_by(code) == f"{pm.__version__} {pm.__version__}"


def test_the_wheel_has_every_file_of_the_package():
    kinds = ("*.py", *PROJECT["tool"]["setuptools"]["package-data"]["pmeanlib"])
    files = [path.name for path in LIBRARY.iterdir() if path.is_file()]
    assert not [f for f in files if not any(fnmatch(f, kind) for kind in kinds)]
    assert not [*LIBRARY.glob("*/*.py")]  # it is flat


def test_the_wheel_is_the_typed_library_alone_with_its_readme_and_licence():
    assert PROJECT["tool"]["setuptools"]["packages"] == ["pmeanlib"]
    assert (LIBRARY / "py.typed").is_file()
    about = PROJECT["project"]
    for name in (about["readme"], *about["license-files"]):
        assert (ROOT / name).is_file(), name
    assert "notebook" in about["optional-dependencies"]


def test_what_the_library_imports_is_installed_with_it():
    asked = PROJECT["project"]["dependencies"]
    names = {re.split("[><=]", name)[0].replace("-", "_") for name in asked}
    known = names | {"pmeanlib", *sys.stdlib_module_names}
    for path in LIBRARY.glob("*.py"):
        imports = re.compile(r"^(?:import (\w+)|from (\w+)\S* import )", re.MULTILINE)
        found = imports.findall(path.read_text("utf8"))
        assert {a or b for a, b in found} <= known, path.name


def test_every_public_name_has_a_docstring_and_a_link_in_notation():
    notation = (ROOT / "chapters" / "notation.ipynb").read_text("utf8")
    for name in pm.__all__:
        found = getattr(pm, name)
        assert found.__doc__, name
        link = rf"`{name} <pmeanlib\.\w+\.{name}>`"
        assert ismodule(found) or re.search(link, notation), name


# -- the layers: `lint-imports` proves them -----------------------------------------


def test_the_map_in_contributing_shows_the_layers_of_the_contract():
    layers = PROJECT["tool"]["importlinter"]["contracts"][0]["layers"]
    text = (ROOT / "CONTRIBUTING.md").read_text("utf8")
    drawn = re.search(r"<!-- layers -->\n```\n(.*?)\n```", text, re.DOTALL)
    assert drawn, "CONTRIBUTING.md has no map of the layers"
    assert drawn[1].split("\n") == layers


@pytest.mark.parametrize("package", ["pmeanlib", "bookkit"])
def test_no_private_name_is_imported_from_the_library(package):
    for path in (ROOT / package).rglob("*.py"):
        text = path.read_text("utf8")
        imports = r"^\s*from pmeanlib\.\w+ import (\([^)]*\)|.*)"
        for found in re.finditer(imports, text, re.MULTILINE):
            assert not re.search(r"\b_", found[1]), f"{path.name}: {found[0]}"


def test_bookkit_uses_the_public_names_of_the_root():
    for path in (ROOT / "bookkit").rglob("*.py"):
        used = re.findall(r"\bpm\.(\w+)", path.read_text("utf8"))
        assert {*used} <= {*pm.__all__}, path.name
