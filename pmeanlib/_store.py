"""Finished pieces of long work, kept on disk, so that an interrupted run resumes."""

import hashlib
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np


def folder() -> Path:
    """Where pieces are kept: $PMEANLIB_CACHE, or a folder in the user's cache."""
    default = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get("PMEANLIB_CACHE") or Path(default) / "pmeanlib")


def remember(key: dict[str, Any], compute: Callable[[], Any]) -> Any:
    """What `compute()` gave for this key before, else now; a JSON value.

    The key must name everything that determines the value; the version of NumPy, whose
    random streams it depends on, is added here. A damaged file is reported and redone.
    """
    key = key | {"numpy": np.__version__}
    text = json.dumps(key, sort_keys=True)
    path = folder() / f"{hashlib.sha256(text.encode()).hexdigest()[:32]}.json"
    try:
        kept = json.loads(path.read_text("utf8"))
        if kept["key"] == key:
            return kept["value"]
    except FileNotFoundError:
        pass
    except (ValueError, TypeError, KeyError):
        print(f"damaged, computed again: {path}", file=sys.stderr)
    value = compute()
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(f".{os.getpid()}.partial")
    partial.write_text(json.dumps({"key": key, "value": value}), "utf8")
    partial.replace(path)  # whole or not at all
    return value
