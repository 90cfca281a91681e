"""Buttons lead to the published notebooks, beside which stands what they need."""

import small_page

from bookkit.sphinx import launch

NOTEBOOK = "---\nkernelspec:\n  name: python3\n---\n# Title\n"


def test_colab_and_binder_open_the_published_notebook(nowhere, tmp_path):
    nowhere.setenv("GITHUB_REPOSITORY", "someone/book")
    (tmp_path / "jupyter_execute").mkdir()
    (tmp_path / "jupyter_execute" / "page.ipynb").touch()  # the theme copies it
    ours, theme = "bookkit.sphinx.launch", "sphinx_book_theme"
    page, _ = small_page.built(tmp_path, NOTEBOOK, ours, html_theme=theme)
    colab = "https://colab.research.google.com/github/someone/book/blob"
    assert f'href="{colab}/gh-pages/_sources/' in page
    binder = "https://mybinder.org/v2/gh/someone/book"
    assert f'href="{binder}/gh-pages?urlpath=lab/tree/_sources/' in page


def test_binder_installs_the_library_and_what_it_imports(nowhere, tmp_path):
    nowhere.setenv("BOOK_REPOSITORY_URL", "https://example.org/r")
    launch.write_binder(tmp_path)
    binder = tmp_path / ".binder"
    assert "git+https://example.org/r@main" in (binder / "postBuild").read_text("utf8")
    assert "ipykernel==" in (binder / "requirements.txt").read_text("utf8")
