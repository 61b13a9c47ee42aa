"""Folders that hold anything are measured and removed without following or recursing."""

import os
from pathlib import Path

import pytest

from mcp_servers.python.sandbox.inside import trees


def deep(top: Path, levels: int) -> None:
    """Nest folders far beyond the longest path."""
    descriptor = os.open(top, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir("d" * 50, dir_fd=descriptor)
        inner = os.open("d" * 50, os.O_RDONLY, dir_fd=descriptor)
        os.close(descriptor)
        descriptor = inner
    os.close(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=descriptor))
    os.close(descriptor)


def test_removes_what_is_nested_deep(tmp_path: Path) -> None:
    """More levels than Python recurses are removed with a few descriptors and no recursion."""
    folder = tmp_path / "folder"
    folder.mkdir()
    deep(folder, 1100)
    trees.remove(str(folder))
    assert not folder.exists()
    trees.remove(str(folder))


def test_removes_links_without_following(tmp_path: Path) -> None:
    """A link goes, and what it points to stays."""
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "file").write_text("x")
    folder = tmp_path / "folder"
    (folder / "closed").mkdir(parents=True)
    (folder / "link").symlink_to(kept)
    (folder / "closed" / "file").write_text("x")
    (folder / "closed").chmod(0)
    trees.remove(str(folder))
    assert not folder.exists()
    assert (kept / "file").read_text() == "x"


def test_lists_files(tmp_path: Path) -> None:
    """Regular files are listed with sizes; too many entries, or too deep ones, are too much."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b").write_text("xyz")
    (tmp_path / "c").write_text("")
    assert {name: entry.size for name, entry in trees.listing(str(tmp_path), 3).items()} == {"a/b": 3, "c": 0}
    with pytest.raises(trees.TooMuch):
        trees.listing(str(tmp_path), 2)
    deep(tmp_path, 200)
    with pytest.raises(trees.TooMuch):
        trees.listing(str(tmp_path), 1000)
    trees.empty(str(tmp_path))
    assert os.listdir(tmp_path) == []


def test_reads_inside_only(tmp_path: Path) -> None:
    """A file is read by its path from the folder, never through a link or out of the folder."""
    folder = tmp_path / "folder"
    (folder / "d").mkdir(parents=True)
    (folder / "d" / "f").write_text("inside")
    (tmp_path / "out").write_text("outside")
    (folder / "link").symlink_to(tmp_path / "out")
    os.mkfifo(folder / "pipe")
    assert trees.read(str(folder), "d/f", 4) == b"insi"
    for name in ("link", "../out", "pipe", "d", "", "d/../../out", "missing"):
        with pytest.raises(OSError, match=r".*"):
            trees.read(str(folder), name, 100)
