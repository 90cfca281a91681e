"""What is kept on disk may be lost or broken; what was computed may not."""

import errno
import json
import math
import os
import pickle
from pathlib import Path

import numpy as np
import pytest

from pmeanlib import engine, store

KEY, VALUE = {"p": [-math.inf, 0.0], "T": 7}, [{"regret": 1 / 3}]
unix = pytest.mark.skipif(os.name == "nt", reason="no such files on Windows")


@pytest.fixture
def piece(tmp_path):
    return tmp_path / f"{store.piece_name(KEY)}.json"


def kept_again(tmp_path):
    store.keep(KEY, VALUE, tmp_path)
    return store.recall(KEY, tmp_path) == VALUE


def test_a_name_is_the_same_for_ever(monkeypatch):
    monkeypatch.setattr(store.np, "__version__", "2.0.0")
    monkeypatch.setattr(engine, "VERSION", 2)
    assert store.piece_name(KEY) == "0cd138cdc990a071a630d353bf110f81"


@unix
def test_the_default_folder_and_its_parents_are_created(tmp_path, monkeypatch):
    for name in ("PMEANLIB_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    folders = {"HOME": ".cache/pmeanlib", "XDG_CACHE_HOME": "pmeanlib"}
    for name, folder in (folders | {"PMEANLIB_CACHE": ""}).items():
        monkeypatch.setenv(name, str(tmp_path / name / "missing"))
        assert store.remember(KEY, lambda: VALUE) == VALUE
        where = tmp_path / name / "missing" / folder
        assert (where / f"{store.piece_name(KEY)}.json").is_file()


@pytest.mark.parametrize("where", [(engine, "VERSION", 99), (np, "__version__", "9")])
def test_another_engine_or_another_numpy_finds_nothing(tmp_path, monkeypatch, where):
    assert kept_again(tmp_path)
    monkeypatch.setattr(*where)
    assert store.recall(KEY, tmp_path) is None
    assert kept_again(tmp_path)
    assert len(list(tmp_path.iterdir())) == 2


def test_a_kept_piece_is_json(tmp_path, piece):
    assert kept_again(tmp_path)
    kept = json.loads(piece.read_text(), parse_constant=pytest.fail)
    assert kept["key"]["p"] == ["-Infinity", 0.0]
    assert [path.name for path in tmp_path.iterdir()] == [piece.name]


# -- damage, and what stands in the place of a piece --------------------------------


def test_no_flipped_bit_and_no_lost_tail_gives_another_value(tmp_path, piece, capsys):
    """Every bit of the file, one by one: what is not as it was kept is not there."""
    assert kept_again(tmp_path)
    whole = piece.read_bytes()
    flipped = (
        whole[:i] + bytes([whole[i] ^ (1 << bit)]) + whole[i + 1 :]
        for i in range(len(whole))
        for bit in range(8)
    )
    asked = json.dumps(VALUE)
    noticed = 0
    for damaged in (*flipped, *(whole[:i] for i in range(len(whole)))):
        piece.write_bytes(damaged)
        found = store.recall(KEY, tmp_path)
        assert found is None or json.dumps(found) == asked
        noticed += found is None
    assert noticed > 5 * len(whole)  # the others are in the key, which is for people
    assert capsys.readouterr().err.count("damaged, computed again") == noticed


class Hostile:
    """Whoever unpickles it makes a file beside the piece."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return Path.touch, (self.path.with_name("unpickled"),)


DEEP = "[" * 500 + "]" * 500


def another(path):
    """A sound piece, but of another key."""
    store.keep({"T": 8}, VALUE, path.parent)
    next(path.parent.iterdir()).rename(path)


OTHERS = {
    "another piece": another,
    "a loop": lambda path: path.symlink_to(path),
    "a pipe": getattr(os, "mkfifo", None),  # not on Windows
    "a link to a folder": lambda path: path.symlink_to(path.parent),
    "nested": lambda path: path.write_text("[" * 10**6),
    "nested within": lambda path: path.write_text(f'{{"sha256": "", "value": {DEEP}}}'),
    "a pickle": lambda path: path.write_bytes(pickle.dumps(Hostile(path))),
    "no object": lambda path: path.write_text("[1]"),
    "no text": lambda path: path.write_bytes(b"\xff\x00"),
}


@unix
@pytest.mark.parametrize("put", OTHERS.values(), ids=OTHERS)
def test_something_else_in_its_place_is_told_and_replaced(tmp_path, piece, capsys, put):
    put(piece)
    assert store.recall(KEY, tmp_path) is None
    assert capsys.readouterr().err == f"damaged, computed again: {piece}\n"
    assert kept_again(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [piece.name]
    assert not piece.is_symlink()
    assert capsys.readouterr().err == ""


def test_a_folder_in_its_place_stays(tmp_path, piece, capsys):
    piece.mkdir()
    assert store.recall(KEY, tmp_path) is None
    store.keep(KEY, VALUE, tmp_path)
    told = capsys.readouterr().err.splitlines()
    assert told[0] == f"damaged, computed again: {piece}"
    assert told[1].startswith(f"finished pieces are not kept in {tmp_path}: ")
    assert [path.name for path in tmp_path.iterdir()] == [piece.name]


# -- a cache that cannot be ----------------------------------------------------------


def full(tmp_path, monkeypatch):
    """A disk on which the first half of a file still fits."""
    write = Path.write_text

    def half(path, text, *how, **more):
        write(path, text[: len(text) // 2], *how, **more)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_text", half)
    return tmp_path, os.strerror(errno.ENOSPC)


def read_only(tmp_path, monkeypatch):
    """For root too: nobody can make a folder in /proc."""
    if os.geteuid():
        tmp_path.chmod(0o500)
        return tmp_path / "new", os.strerror(errno.EACCES)
    return Path("/proc/pmeanlib"), os.strerror(errno.ENOENT)


def a_file(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("mine")
    return tmp_path / "file", os.strerror(errno.EEXIST)


def below_a_file(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("mine")
    return tmp_path / "file" / "cache", os.strerror(errno.ENOTDIR)


def no_home(tmp_path, monkeypatch):
    """Neither in the environment nor among the users of this machine."""
    for name in ("HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os, "getuid", lambda: 54321)
    return None, "Could not determine home directory."


@unix
@pytest.mark.parametrize("make", [full, read_only, a_file, below_a_file, no_home])
def test_the_result_is_there_without_a_cache(tmp_path, monkeypatch, capsys, make):
    store._say_once.cache_clear()
    where, why = make(tmp_path, monkeypatch)
    if where:
        monkeypatch.setenv("PMEANLIB_CACHE", str(where))
    else:
        monkeypatch.delenv("PMEANLIB_CACHE", raising=False)
    for i in range(3):
        assert store.remember(KEY | {"i": i}, lambda: VALUE) == VALUE
    told = f"finished pieces are not kept in {where or 'a cache'}: {why}\n"
    assert capsys.readouterr().err == told  # once
    assert not list(tmp_path.rglob("*.partial"))
    assert not list(tmp_path.rglob("*.json"))


# -- whole files ---------------------------------------------------------------------


def test_two_processes_of_one_number_write_two_files(tmp_path, monkeypatch):
    """As in two containers that share the folder."""
    names = []
    monkeypatch.setattr(os, "getpid", lambda: 7)
    monkeypatch.setattr(Path, "replace", lambda self, target: names.append(self))
    for _ in range(9):
        store.write_whole(tmp_path / "f", "text")
    assert len(set(names)) == 9
    assert {path.parent for path in names} == {tmp_path}


def test_a_failure_leaves_the_old_file_and_no_other(tmp_path, monkeypatch):
    (path := tmp_path / "f").write_text("old")
    full(tmp_path, monkeypatch)
    with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
        store.write_whole(path, "new")
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("f", "old")]
