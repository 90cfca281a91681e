"""Finished pieces of long work, cached on disk, so that an interrupted run resumes.

A piece that cannot be kept costs time, never the result: one line on stderr says so.
"""

import hashlib
import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from pmeanlib import engine


def folder() -> Path:
    """Where pieces are kept: $PMEANLIB_CACHE, or a folder in the user's cache."""
    default = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get("PMEANLIB_CACHE") or Path(default) / "pmeanlib")


def remember(key: dict[str, Any], compute: Callable[[], Any]) -> Any:
    """What `compute()` gave for this key before, else now; a JSON value but null.

    joblib.Memory unpickles what it reads, and forgets everything when the function's
    text or path changes or its cache is damaged: hence these files.
    """
    value = recall(key)
    if value is None:
        value = compute()
        keep(key, value)
    return value


def piece_name(key: dict[str, Any]) -> str:
    """The name of the piece with this key.

    The key must name everything that determines the value, but for two things that are
    added here: the engine's VERSION, and NumPy's, which its random streams depend on.
    """
    made_by = {"engine": engine.VERSION, "numpy": np.__version__}
    return _digest(key | made_by)[:32]


def recall(key: dict[str, Any], where: Path | None = None) -> Any:
    """What was kept under this key, else None; a damaged file is reported."""
    name, path = piece_name(key), None
    # RuntimeError: JSON nested too deeply, or no home folder is known
    with suppress(OSError, ValueError, TypeError, KeyError, RuntimeError):
        path = (where or folder()) / f"{name}.json"
        piece = json.loads(path.read_text("utf8") if path.is_file() else "")
        if piece["sha256"] == _digest([name, piece["value"]]):
            return piece["value"]
    if path and os.path.lexists(path):
        print(f"damaged, computed again: {path}", file=sys.stderr)
    return None


def keep(key: dict[str, Any], value: Any, where: Path | None = None) -> None:
    """Keep a JSON value under this key, with a sum that tells any damage."""
    name = piece_name(key)
    known = json.loads(json.dumps(key), parse_constant=str)  # JSON has no infinity
    piece = {"key": known, "value": value, "sha256": _digest([name, value])}
    try:
        where = where or folder()
        where.mkdir(parents=True, exist_ok=True)
        write_whole(where / f"{name}.json", json.dumps(piece))
    except (OSError, RuntimeError) as error:
        why = getattr(error, "strerror", None) or error
        _say_once(f"finished pieces are not kept in {where or 'a cache'}: {why}")


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is there whole or not at all."""
    # no number of a process: two containers may share the folder, and that number
    partial = path.with_name(f"{path.name}.{os.urandom(8).hex()}.partial")
    try:
        partial.write_text(text, "utf8", newline="")
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


@cache
def _say_once(message: str) -> None:
    print(message, file=sys.stderr)


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()
