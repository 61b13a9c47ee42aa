"""A server removes what an earlier server left, and nothing else."""

import fcntl
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from mcp_servers.python.sandbox import folders
from mcp_servers.python.sandbox.folders import MARKER, PREFIX, Folder, sweep

ROOT = Path(__file__).parents[4]
LEAVE = """
import os, sys
from mcp_servers.python.sandbox.folders import Folder
folder = Folder(sys.argv[1])
os.makedirs(os.path.join(folder.make("scratch", 0o700), "a", "b"))
print(folder.path, flush=True)
os._exit(0)
"""


def left(parent: Path) -> Path:
    """The folder of a server that ended without removing it."""
    done = subprocess.run(
        [sys.executable, "-c", LEAVE, str(parent)],
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return Path(done.stdout.strip())


def test_what_an_earlier_server_left_goes(tmp_path: Path) -> None:
    """A folder whose server has ended is removed with all that is in it."""
    folder = left(tmp_path)
    assert (folder / "scratch/a/b").is_dir()
    sweep(str(tmp_path))
    assert os.listdir(tmp_path) == []


def test_what_others_made_stays(tmp_path: Path) -> None:
    """Folders with our prefix, or an old one, stay unless they hold a marker that a server wrote."""
    names = ["python-tool-notes", f"{PREFIX}notes", f"{PREFIX}empty-marker", f"{PREFIX}linked-marker"]
    for name in names:
        (tmp_path / name).mkdir()
        (tmp_path / name / "thesis.txt").write_text("two years of work")
    (tmp_path / names[2] / MARKER).touch()
    (tmp_path / "marker").write_bytes(folders._CONTENT)
    (tmp_path / names[3] / MARKER).symlink_to(tmp_path / "marker")
    sweep(str(tmp_path))
    assert all((tmp_path / name / "thesis.txt").exists() for name in names)


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    """A link to a folder that could be removed leads nowhere."""
    (tmp_path / "elsewhere").mkdir()
    folder = left(tmp_path / "elsewhere")
    (tmp_path / f"{PREFIX}link").symlink_to(folder)
    sweep(str(tmp_path))
    assert folder.exists()


def test_a_living_server_keeps_its_folder(tmp_path: Path) -> None:
    """A folder stays while the server that made it lives, and goes when that server removes it."""
    folder = Folder(str(tmp_path))
    folder.make("scratch", 0o700)
    sweep(str(tmp_path))
    assert os.path.isdir(os.path.join(folder.path, "scratch"))
    folder.remove()
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("step", ["open", "flock", "write", "rename"])
def test_a_server_that_starts_in_between(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    """At no step of its making can another server remove a new folder."""
    owner: ModuleType = fcntl if step == "flock" else os
    real: Callable[..., object] = getattr(owner, step)
    swept: list[str] = []

    def first_sweep(*arguments: object, **more: object) -> object:
        if not swept:
            swept.append(step)
            monkeypatch.setattr(owner, step, real)
            sweep(str(tmp_path))
        return real(*arguments, **more)

    monkeypatch.setattr(owner, step, first_sweep)
    folder = Folder(str(tmp_path))
    assert swept
    assert os.path.exists(os.path.join(folder.path, MARKER))
    folder.remove()
