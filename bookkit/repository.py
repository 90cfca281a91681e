"""Where the book is kept and published, as far as the environment says it.

Nothing here is guessed: `BOOK_REPOSITORY_URL` (or GitHub's own variables) gives the
address of the repository, `BOOK_SITE_URL` (or the address that GitHub Pages would use)
that of the site.
"""

import os


def repository() -> str:
    """The address of the repository, or an empty string."""
    name = os.environ.get("GITHUB_REPOSITORY")
    server = os.environ.get("GITHUB_SERVER_URL", "https://github.com")
    return os.environ.get("BOOK_REPOSITORY_URL") or (f"{server}/{name}" if name else "")


def branch() -> str:
    """The branch of the repository that buttons lead to."""
    return os.environ.get("BOOK_REPOSITORY_BRANCH", "main")


def site() -> str:
    """The address of the published book, ending in a slash, or an empty string."""
    url = os.environ.get("BOOK_SITE_URL", "")
    owner, _, name = os.environ.get("GITHUB_REPOSITORY", "").partition("/")
    if not url and name:
        url = f"https://{owner}.github.io/{name}"
    return url.rstrip("/") + "/" if url else ""
