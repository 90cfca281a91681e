"""Sphinx extension of the book: a chapter that breaks a rule stops the build.

It says so in one line for each place, before Sphinx reads anything. The book without
solutions, which breaks some rules on purpose, is a copy in another folder.
"""

import sys
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config

from bookkit import chapter_rules
from bookkit.config import ROOT


def check(app: Sphinx, config: Config) -> None:
    """Stop at once with all that is broken.

    An exception would be printed with the traceback of Jupyter Book, twice.
    """
    if Path(app.srcdir) == ROOT and (faults := chapter_rules.broken()):
        sys.exit("\n".join(map(str, faults)))


def setup(app: Sphinx) -> None:
    app.connect("config-inited", check, priority=1)
