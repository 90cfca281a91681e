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
    """What `compute()` gave for this key before, else now; a JSON value but null."""
    value = recall(key)
    if value is None:
        value = compute()
        keep(key, value)
    return value


def piece_name(key: dict[str, Any]) -> str:
    """The name of the piece with this key.

    The key must name everything that determines the value; the version of NumPy, whose
    random streams it depends on, is added here.
    """
    return _digest(key | {"numpy": np.__version__})[:32]


def recall(key: dict[str, Any], where: Path | None = None) -> Any:
    """What was kept under this key, else None; a damaged file is reported."""
    path = (where or folder()) / f"{piece_name(key)}.json"
    try:
        kept = json.loads(path.read_text("utf8"))
        if kept["sha256"] == _digest([piece_name(key), kept["value"]]):
            return kept["value"]
    except FileNotFoundError:
        return None
    except (ValueError, TypeError, KeyError):
        pass
    print(f"damaged, computed again: {path}", file=sys.stderr)
    return None


def keep(key: dict[str, Any], value: Any, where: Path | None = None) -> None:
    """Keep a JSON value under this key, with a sum that tells any damage."""
    digest = _digest([piece_name(key), value])
    kept = {"key": key, "numpy": np.__version__, "value": value, "sha256": digest}
    where = where or folder()
    where.mkdir(parents=True, exist_ok=True)
    write_whole(where / f"{piece_name(key)}.json", json.dumps(kept))


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is there whole or not at all."""
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    partial.write_text(text, "utf8", newline="")
    partial.replace(path)


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()
