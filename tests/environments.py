"""Prints the folder that holds a tier's environment, and installs the environment first where that has not been done.

It lies outside the checkout, in $XDG_CACHE_HOME/agent-env-server (by default ~/.cache/agent-env-server). Its name tells
what it was installed from, so that every checkout with the same lock file uses the same one. One process installs at a
time, and the others wait for it. A complete environment has a mark and is never changed again. It is installed where it
stays, because the programs of a virtual environment contain its path. This needs Python's standard library alone.
"""

import fcntl
import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parent
DONE = ".installed"
PIP = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
NPM = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"]


def environment(name: str) -> Path:
    """The folder of a tier's environment, which is complete when this returns."""
    tier = tomllib.loads((HERE / "tiers.toml").read_text(encoding="utf-8"))[name]
    lock = ROOT / tier["lock"]
    folder = _cache() / f"{name}-{_digest(tier, lock)}"
    if (folder / DONE).exists():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_name(f"{folder.name}.lock").open("w", encoding="utf-8") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        if not (folder / DONE).exists():
            shutil.rmtree(folder, ignore_errors=True)  # what an installation left that was cut short
            install = _install_npm if lock.suffix == ".json" else _install_pip
            install(folder, lock, tier.get("before", []))
            (folder / DONE).touch()
    return folder


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "agent-env-server"


def _digest(tier: dict[str, Any], lock: Path) -> str:
    """What the environment depends on: the lock file, what comes before it, the machine and the version of Python."""
    about = [tier.get("before", []), platform.python_version(), platform.python_implementation()]
    about += [platform.system(), platform.machine()]
    return hashlib.sha256(json.dumps(about).encode() + lock.read_bytes()).hexdigest()[:16]


def _install_pip(folder: Path, lock: Path, before: list[str]) -> None:
    _call([sys.executable, "-m", "venv", str(folder)])
    python = str(folder / "bin" / "python")
    if before:
        _call([python, *PIP, *before])
    _call([python, *PIP, "--no-deps", "--require-hashes", "-r", str(lock)])


def _install_npm(folder: Path, lock: Path, before: list[str]) -> None:
    assert not before, "npm installs what its lock file names"
    folder.mkdir()
    for file in (lock, lock.with_name("package.json")):
        shutil.copy(file, folder)
    _call([*NPM, "--prefix", str(folder)])


def _call(command: list[str]) -> None:
    """Run an installer; what it prints is no part of this program's answer."""
    subprocess.run(command, stdout=sys.stderr, check=True)


if __name__ == "__main__":
    print(environment(sys.argv[1]))
