"""What a notebook must be before anybody reads it; nbval proves its numbers."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "chapters").glob("*.ipynb"))
MACHINE_PATH = re.compile(r"/(?:home|root|tmp|Users|work)/|[A-Z]:\\Users")


THEOREMS = [  # the chapters that teach one: each is a lecture
    ROOT / "chapters" / f"{name}.ipynb"
    for name in "reduction optimism algorithm good_event unified positive_p nash "
    "negative_p limits learners anytime rivals linear case_study "
    "fairness".split()
]


def code_cells(path):
    cells = json.loads(path.read_text("utf8"))["cells"]
    return [c for c in cells if c["cell_type"] == "code"]


def shown(output):
    data = output.get("data", {})
    parts = [output.get("text", ""), *data.values()]
    return "".join("".join(p) if isinstance(p, list) else str(p) for p in parts)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_every_cell_was_executed_in_order_without_complaint(path):
    cells = code_cells(path)
    counts = [c["execution_count"] for c in cells]
    assert counts == list(range(1, len(cells) + 1))
    for cell in cells:
        for output in cell["outputs"]:
            assert output["output_type"] != "error"
            assert output.get("name") != "stderr"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_outputs_are_fit_to_print(path):
    for cell in code_cells(path):
        for output in cell["outputs"]:
            if {"image/png", "image/svg+xml"} & output.get("data", {}).keys():
                page = cell["metadata"]["mystnb"]
                assert len(page["figure"]["caption"]) > 60
                assert len(page["image"]["alt"]) > 60
            else:
                assert not MACHINE_PATH.search(shown(output))
                assert "np.float64(" not in shown(output)
                assert " at 0x" not in shown(output)


def test_a_symbol_is_used_where_the_table_says():
    """Every symbol of `notation` occurs in the chapter that is said to explain it."""

    def words(name):
        cells = json.loads((ROOT / "chapters" / f"{name}.ipynb").read_text("utf8"))
        texts = ["".join(c["source"]) for c in cells["cells"]]
        return re.sub(r"\s|\\[,!;]", "", "\n".join(texts))

    text = (ROOT / "chapters" / "notation.ipynb").read_text("utf8")
    source = "\n".join("".join(c["source"]) for c in json.loads(text)["cells"])
    rows = re.findall(
        r"^\| (\$.+?) \| [^|]*\| .*\{ref\}`\w+ <(\w+)>` \|$", source, re.M
    )
    assert len(rows) > 40
    for symbols, chapter in rows:
        for symbol in re.findall(r"\$(.+?)\$", symbols):
            plain = re.sub(r"\s|\\[,!;]", "", symbol)
            assert plain in words(chapter), (symbol, chapter)


def test_every_chapter_is_in_the_table_of_contents():
    files = re.findall(r"chapters/(\w+)", (ROOT / "_toc.yml").read_text("utf8"))
    pages = [
        p.stem for p in (ROOT / "chapters").iterdir() if p.suffix in (".ipynb", ".md")
    ]
    assert sorted(files) == sorted(pages)


def test_the_picture_in_the_readme_is_the_one_in_the_book():
    picture = ROOT / "bookkit" / "web" / "fig-question.svg"
    assert "bookkit/web/fig-question.svg" in (ROOT / "README.md").read_text("utf8")
    images = [
        "".join(output["data"]["image/svg+xml"])
        for cell in code_cells(ROOT / "chapters" / "index.ipynb")
        for output in cell["outputs"]
        if "image/svg+xml" in output.get("data", {})
    ]
    assert picture.read_text("utf8") in images


def test_the_readmes_example_prints_what_stands_behind_it(capsys):
    text = (ROOT / "README.md").read_text("utf8")
    (example,) = re.findall(r"^```python\n(.*?)\n```", text, re.DOTALL | re.MULTILINE)
    exec(example, {})
    assert example.partition("# ")[2] == capsys.readouterr().out.strip()


def test_the_readme_is_one_screen():
    assert len((ROOT / "README.md").read_text("utf8").splitlines()) <= 60
