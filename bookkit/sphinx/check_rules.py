"""Sphinx extension of the book: a chapter that breaks a rule stops the build.

It says so in one line for each place, before Sphinx reads anything. The book without
solutions is a copy that breaks some rules on purpose: it sets `check_rules` to false.
"""

import sys
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config

from bookkit import chapter_rules


def check(app: Sphinx, config: Config) -> None:
    """Stop at once with all that is broken.

    An exception would be printed with the traceback of Jupyter Book, twice.
    """
    if config.check_rules and (faults := chapter_rules.broken(Path(app.srcdir))):
        sys.exit("\n".join(map(str, faults)))


def setup(app: Sphinx) -> None:
    app.add_config_value("check_rules", True, "")
    app.connect("config-inited", check, priority=1)
