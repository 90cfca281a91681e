"""Where the book is, and what its _config.yml says."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[1]
CONFIG: Mapping[str, Any] = yaml.safe_load((ROOT / "_config.yml").read_text("utf8"))
