"""Texts that are cached until the sources change."""

from pathlib import Path

import pytest

from env_server import file_cache as module
from env_server.file_cache import VERSIONS, FileCache, kept
from env_server.settings import Settings


def test_a_text_is_kept_until_the_sources_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cached text is read again with the same sources, and not with others."""
    place = FileCache(tmp_path / "new" / "folder")
    assert place.read("listing") is None
    place.write("listing", "retail é")
    assert (place.read("listing"), place.read("figures")) == ("retail é", None)
    monkeypatch.setattr(module, "sources", lambda: "0" * 64)
    assert place.read("listing") is None


def test_a_changed_file_is_another_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A change of one byte of code or policy, or of a file's name, changes the digest of the sources."""
    monkeypatch.setattr(module, "_PACKAGES", (tmp_path,))
    found = set()
    for name, text in [("a.py", "x = 1"), ("a.py", "x = 2"), ("policy.md", "x = 2"), ("b.py", "")]:
        (tmp_path / name).write_text(text)
        module.sources.cache_clear()
        found.add(module.sources())
    module.sources.cache_clear()
    assert len(found) == 4


@pytest.mark.parametrize("library", module.LIBRARIES)
def test_another_version_of_a_library_is_another_source(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was cached with one version of a library that shapes it is not read with another."""
    monkeypatch.setattr(module, "_PACKAGES", ())
    found = set()
    for number in ("1.0", "1.1"):
        versions = dict.fromkeys(module.LIBRARIES, "1.0") | {library: number}
        monkeypatch.setattr(module, "version", versions.__getitem__)
        module.sources.cache_clear()
        found.add(module.sources())
    module.sources.cache_clear()
    assert len(found) == 2


def test_files_of_others_are_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that the cache did not write is never deleted, whatever its name begins with."""
    foreign = [tmp_path / name for name in ("listing-notes.json", "listing-2026-11.json", "listing-a.json", "a.txt")]
    for path in foreign:
        path.write_text("mine")
    place = FileCache(tmp_path)
    for number in range(VERSIONS + 2):
        monkeypatch.setattr(module, "sources", lambda number=number: f"{number:064}"[::-1])
        place.write("listing", str(number))
    assert all(path.read_text() == "mine" for path in foreign)
    assert len(list(tmp_path.iterdir())) == VERSIONS + len(foreign)


def test_few_versions_are_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder keeps VERSIONS texts of a name, however often the sources change. Texts of other names stay."""
    place = FileCache(tmp_path)
    place.write("figures", "other")
    for number in range(VERSIONS + 3):
        monkeypatch.setattr(module, "sources", lambda number=number: f"{number:064}"[::-1])
        place.write("listing", str(number))
    assert place.read("listing") == str(VERSIONS + 2)
    assert len(list(tmp_path.glob("listing-*"))) == VERSIONS
    assert len(list(tmp_path.iterdir())) == VERSIONS + 1


def test_a_folder_that_cannot_be_used_keeps_nothing(tmp_path: Path) -> None:
    """A cache folder that cannot be used raises no error, and nothing is cached."""
    (tmp_path / "file").write_text("")
    place = FileCache(tmp_path / "file" / "folder")
    place.write("listing", "retail")
    assert place.read("listing") is None


def test_the_folder_is_the_one_that_is_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The setting comes first, then the user's cache folder. An empty setting turns the cache off."""
    monkeypatch.delenv("ENV_SERVER_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert kept(Settings(_env_file=None)) == FileCache(tmp_path / "agent-env-server")
    assert kept(Settings(_env_file=None, cache_dir="here")) == FileCache(Path("here"))
    assert kept(Settings(_env_file=None, cache_dir="")) is None
