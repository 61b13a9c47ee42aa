"""Prints the folder that holds a tier's environment, and installs the environment first where that has not been done.

It lies outside the checkout, in $XDG_CACHE_HOME/agent-env-server (by default ~/.cache/agent-env-server). Where that
folder cannot be written, it lies in the folder for temporary files, and a line says so. Its name tells what it was
installed from, so that every checkout with the same lock file uses the same one. One process installs at a
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
import tempfile
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
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
    called = f"{name}-{_digest(tier, lock)}"
    for cache in _caches():
        if (cache / called / DONE).exists():
            return cache / called
    folder = _writable(_caches()) / called
    if folder.parent == _spare():
        _say(f"The environment {name} is installed in {folder}. Set XDG_CACHE_HOME to keep it in another folder.")
    python = ROOT / tier["python"] if "python" in tier else None
    with folder.with_name(f"{folder.name}.lock").open("w", encoding="utf-8") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        if not (folder / DONE).exists():
            shutil.rmtree(folder, ignore_errors=True)  # what an installation left that was cut short
            install = _install_npm if lock.suffix == ".json" else _install_pip
            install(folder, lock, tier.get("before", []))
            if python is not None:
                _install_pip(folder / "python", python, [])
            (folder / DONE).touch()
    return folder


def _caches() -> list[Path]:
    """The folders that may hold environments: the user's cache, then one among the temporary files."""
    found = []
    with suppress(RuntimeError):  # a user without a home directory
        found.append(Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "agent-env-server")
    spare = _spare()
    if not spare.exists() or spare.stat().st_uid == os.getuid():  # another user could replace the programs in it
        found.append(spare)
    return found


def _spare() -> Path:
    return Path(tempfile.gettempdir()) / f"agent-env-server-{os.getuid()}"


def _writable(folders: list[Path]) -> Path:
    """The first folder that can be written. It is made first where it does not exist."""
    for folder in folders:
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return folder
        except OSError as error:
            _say(f"{folder} cannot be written ({error.strerror or error})")
    sys.exit("No folder can be written that would hold the environment. Set XDG_CACHE_HOME to a folder that can.")


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _digest(tier: dict[str, Any], lock: Path) -> str:
    """A hash of the lock files, the packages that pip installs before them, the machine and the version of Python."""
    about = [tier.get("before", []), platform.python_version(), platform.python_implementation()]
    about += [platform.system(), platform.machine()]
    locks = [lock, *([ROOT / tier["python"]] if "python" in tier else [])]
    contents = b"".join(path.read_bytes() for path in locks)
    return hashlib.sha256(json.dumps(about).encode() + contents).hexdigest()[:16]


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
    cache = {"npm_config_cache": str(folder.parent / "npm")} if folder.parent == _spare() else {}  # ~ is read-only
    _call([*NPM, "--prefix", str(folder)], cache)


def _call(command: list[str], environment: Mapping[str, str] = MappingProxyType({})) -> None:
    """Run an installer. Its output goes to stderr, because stdout holds this program's answer."""
    subprocess.run(command, stdout=sys.stderr, check=True, env={**os.environ, **environment})


if __name__ == "__main__":
    print(environment(sys.argv[1]))
