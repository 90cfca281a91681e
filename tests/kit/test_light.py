"""Readers' notebooks run with the library and what it imports, and nothing else."""

import json
import os

import nbformat
import pytest
from nbclient import NotebookClient

from bookkit import config, reading

LIGHT = config.ROOT / ".venv" / "light" / "bin" / "python"
FOLDER = config.ROOT / "_build" / "html" / "_sources" / "chapters"
QUICK = ("errata", "laboratory", "rates")
EVERY = [chapter.name for chapter in reading.read().chapters]


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    """The name of a kernel in the environment that has little."""
    place = tmp_path_factory.mktemp("jupyter")
    folder = place / "kernels" / "light"
    folder.mkdir(parents=True)
    command = [str(LIGHT), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    told = {"argv": command, "display_name": "light", "language": "python"}
    (folder / "kernel.json").write_text(json.dumps(told), "utf8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_PATH", str(place))
        patch.delenv("PYTHONPATH", raising=False)
        yield "light"


@pytest.mark.skipif(not LIGHT.exists(), reason="make .venv/light/installed makes it")
@pytest.mark.parametrize("name", EVERY if "EVERY_NOTEBOOK" in os.environ else QUICK)
def test_a_notebook_runs_from_its_top_where_it_lies(name, kernel):
    notebook = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    last = "from importlib.util import find_spec\n"
    last += "print([*map(find_spec, ('sphinx', 'myst_nb', 'bookkit'))])"
    notebook.cells.append(nbformat.v4.new_code_cell(last))
    where = {"metadata": {"path": str(FOLDER)}}
    NotebookClient(notebook, timeout=600, kernel_name=kernel, resources=where).execute()
    assert notebook.cells[-1].outputs[0].text == "[None, None, None]\n"
