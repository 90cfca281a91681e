"""Buttons lead to the published notebooks, beside which stands what they need."""

from bookkit.sphinx import launch


def test_colab_and_binder_open_the_published_notebook(nowhere):
    where = "someone/book"
    colab = f"https://colab.research.google.com/github/{where}/blob"
    binder = f"https://mybinder.org/v2/gh/{where}"
    page = "chapters/main.ipynb"
    assert (
        launch.published(f"{colab}/main/{page}") == f"{colab}/gh-pages/_sources/{page}"
    )
    assert (
        launch.published(f"{binder}/main?urlpath=lab/tree/{page}")
        == f"{binder}/gh-pages?urlpath=lab/tree/_sources/{page}"
    )


def test_binder_installs_the_library_and_what_it_imports(nowhere, tmp_path):
    nowhere.setenv("BOOK_REPOSITORY_URL", "https://example.org/r")
    launch.write_binder(tmp_path)
    binder = tmp_path / ".binder"
    assert "git+https://example.org/r@main" in (binder / "postBuild").read_text("utf8")
    assert "ipykernel==" in (binder / "requirements.txt").read_text("utf8")
