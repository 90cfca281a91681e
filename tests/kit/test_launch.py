"""A notebook that is downloaded from its page begins with what installs the library."""

from bookkit import model
from bookkit.sphinx import launch


def test_a_downloaded_notebook_begins_with_its_setup_once(nowhere, tmp_path):
    nowhere.setenv("BOOK_REPOSITORY_URL", "https://example.org/r")
    path = tmp_path / "nash.ipynb"
    path.write_text((model.ROOT / "chapters" / "nash.ipynb").read_text("utf8"), "utf8")
    before = [cell.text for cell in model.cells(model.load(path))]
    for _ in range(2):
        launch.add_setup(path)
        first, *rest = (cell.text for cell in model.cells(model.load(path)))
        assert rest == before
        assert "--branch main https://example.org/r " in first
