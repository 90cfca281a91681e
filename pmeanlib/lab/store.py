"""Finished pieces of long work, kept on disk, so that an interrupted run resumes.

A piece that cannot be kept costs time, never the result: it is said once, on stderr.
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
    name, path = piece_name(key), None
    # RuntimeError: JSON nested too deeply, or nobody's home
    with suppress(OSError, ValueError, TypeError, KeyError, RuntimeError):
        path = (where or folder()) / f"{name}.json"
        kept = json.loads(path.read_text("utf8") if path.is_file() else "")
        if kept["sha256"] == _digest([name, kept["value"]]):
            return kept["value"]
    if path and os.path.lexists(path):
        print(f"damaged, computed again: {path}", file=sys.stderr)
    return None


def keep(key: dict[str, Any], value: Any, where: Path | None = None) -> None:
    """Keep a JSON value under this key, with a sum that tells any damage."""
    name = piece_name(key)
    kept = {"key": finite(key), "numpy": np.__version__, "value": value}
    text = json.dumps(kept | {"sha256": _digest([name, value])})
    try:
        where = where or folder()
        where.mkdir(parents=True, exist_ok=True)
        write_whole(where / f"{name}.json", text)
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


def write_out(path: Path, text: str) -> None:
    """Write where the user says: a link is followed, a device or a pipe written to."""
    if path.exists() and not path.is_file():
        path.write_text(text, "utf8", newline="")
    else:
        write_whole(Path(os.path.realpath(path)), text)


def finite(value: Any) -> Any:
    """A JSON value with infinite numbers as text, "-Infinity": JSON has none."""
    return json.loads(json.dumps(value), parse_constant=str)


@cache
def _say_once(message: str) -> None:
    print(message, file=sys.stderr)


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()
