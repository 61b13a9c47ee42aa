"""Follows the steps of the Dockerfile in clean roots, then serves from the last one as compose would: without rights,
on a read-only root. What was seen is printed as JSON.

No engine and no registry are needed. The machine's own system stands for the base image, and the interpreter that runs
this for the one in it. Each stage writes into a layer of its own in memory, which is gone afterwards. The checkout and
the caches are hidden. This runs as root in a mount namespace: `unshare --mount PYTHON clean_root.py DOCKERFILE`.
"""

import fcntl
import json
import os
import re
import shlex
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dockerfile_parse import DockerfileParser

ROOT = Path(__file__).parents[2]
IGNORED = shutil.ignore_patterns("__pycache__", "*.py[cod]", "*.db")
CHROOT = shutil.which("chroot") or "/usr/sbin/chroot"
PATIENCE_S = 300
PASSED_ON = ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_CONFIG_FILE", "SSL_CERT_FILE")
"""Variables of this machine that say where packages are."""


@dataclass
class Stage:
    """A stage: a root that begins as the machine's system, and what its steps have said so far."""

    at: Path
    env: dict[str, str]
    folder: str = "/"
    user: str = "0"
    health: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)

    def run(self, command: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
        """Run a command in the root, as the stage's user, in its folder."""
        return subprocess.run(self.words(command), env=self.env, text=True, capture_output=True, check=False, **options)

    def words(self, command: list[str]) -> list[str]:
        """Return the words that run a command there."""
        inside = ["sh", "-c", 'cd "$1" && shift && exec "$@"', "sh", self.folder, *command]
        return [CHROOT, f"--userspec={self.user}:{self.user}", str(self.at), *inside]


def main(dockerfile: Path) -> dict[str, Any]:
    """Follow the steps, and return what was seen of the server."""
    base = Path(tempfile.mkdtemp(prefix="clean-root-"))
    mount("-t", "tmpfs", "none", base)
    stages: dict[str, Stage] = {}
    arguments: dict[str, str] = {}
    last = None
    for step in DockerfileParser(str(dockerfile)).structure:
        name, value = step["instruction"], re.sub(r"\$\{(\w+)\}", lambda m: arguments[m[1]], step["value"])
        if name == "ARG":
            key, _, default = value.partition("=")
            arguments[key] = default
        elif name == "FROM":
            last = stages[value.split()[-1]] = begun(base / str(len(stages)))
        elif name != "COMMENT":
            assert last is not None
            follow(last, name, value, stages)
    assert last is not None
    return served(last)


def begun(at: Path) -> Stage:
    """Return a stage that begins as the machine's system, without the checkout and the caches."""
    for part in ("written", "work", "root"):
        (at / part).mkdir(parents=True)
    root = at / "root"
    mount("-t", "overlay", "overlay", "-o", f"lowerdir=/,upperdir={at / 'written'},workdir={at / 'work'}", root)
    for folder in ("proc", "dev", "sys"):
        mount("--rbind", f"/{folder}", root / folder)
    for hidden in (ROOT, Path.home() / ".cache", Path("/tmp")):
        if hidden.exists():
            mount("-t", "tmpfs", "-o", "mode=1777", "none", inside(root, hidden))
    place_interpreter(root)
    env = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    return Stage(root, {**env, "PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"})


def place_interpreter(root: Path) -> None:
    """Put the interpreter that runs this to where the base image has its own, below /usr/local, and read-only."""
    prefix, there = Path(sys.base_prefix), root / "usr/local"
    if prefix != Path("/usr"):
        mount("--bind", prefix, there)
        mount("-o", "remount,ro,bind", there)
    elif not (there / "bin/python").exists():
        (there / "bin/python").symlink_to(Path(sys.executable).resolve())


def follow(stage: Stage, name: str, value: str, stages: dict[str, Stage]) -> None:
    """Follow one step."""
    if name == "ENV":
        stage.env |= dict(word.split("=", 1) for word in shlex.split(value))
    elif name == "WORKDIR":
        stage.folder = value
        inside(stage.at, Path(value)).mkdir(parents=True, exist_ok=True)
    elif name == "COPY":
        copy(stage, value.split(), stages)
    elif name == "RUN":
        done = stage.run(["sh", "-c", value], timeout=PATIENCE_S)
        assert done.returncode == 0, f"{value}\n{done.stdout}\n{done.stderr}"
    elif name == "USER":
        stage.user = value
    elif name == "HEALTHCHECK":
        stage.health = json.loads(value.partition("CMD ")[2])
    elif name == "CMD":
        stage.command = json.loads(value)
    else:
        assert name in {"VOLUME", "EXPOSE"}, f"{name} is not followed here"


def copy(stage: Stage, words: list[str], stages: dict[str, Stage]) -> None:
    """Copy from the checkout what .dockerignore lets through, or from another stage."""
    allowed = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    source = ROOT
    if words[0].startswith("--from="):
        source = stages[words.pop(0).removeprefix("--from=")].at
    *names, target = words
    into = inside(stage.at, Path(stage.folder) / target)
    for name in names:
        assert source != ROOT or f"!{name}" in allowed, f".dockerignore leaves out {name}"
        found = inside(source, Path(name)) if source != ROOT else source / name
        if found.is_dir():
            shutil.copytree(found, into, symlinks=True, ignore=IGNORED if source == ROOT else None)
        else:
            shutil.copy(found, into)


def served(stage: Stage) -> dict[str, Any]:
    """Serve on a read-only root with an empty /data and /tmp, in a network of its own, and return what was seen."""
    data = inside(stage.at, Path("/data"))
    mount("-t", "tmpfs", "-o", f"mode=700,uid={stage.user},gid={stage.user}", "none", data)
    mount("-o", "remount,ro", stage.at)
    _new_network()
    _loopback_up()
    stage.env["ENV_SERVER_ALLOW_ANONYMOUS"] = "1"
    process = subprocess.Popen(
        stage.words(stage.command), env=stage.env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    try:
        until = time.monotonic() + PATIENCE_S
        while (healthy := stage.run(stage.health).returncode) != 0 and time.monotonic() < until:
            assert process.poll() is None, process.stderr and process.stderr.read()
            time.sleep(0.2)
        ask = "import sys, urllib.request as u; print(u.urlopen(u.Request(sys.argv[1], sys.argv[2].encode())).read(99))"
        reset = ["http://127.0.0.1:8000/reset", '{"domain": "retail", "split": "test", "index": 0}']
        return {
            "healthy": healthy == 0,
            "reset": stage.run(["python", "-c", ask, *reset]).stdout,
            "uid": Path(f"/proc/{process.pid}").stat().st_uid,
            "written": sorted(path.name for path in data.iterdir()),
            "root": stage.run(["touch", "/venv/x"]).stderr,
            "pip": stage.run(["python", "-m", "pip", "--version"]).stderr,
            "programs": {n: stage.run([n, "--help"]).returncode for n in ("mcp-polygon", "mcp-python", "trainer")},
        }
    finally:
        process.terminate()
        process.wait(PATIENCE_S)


def inside(root: Path, path: Path) -> Path:
    """Return where an absolute path is in a root."""
    return root / str(path).lstrip("/")


def mount(*words: str | Path) -> None:
    """Mount something."""
    subprocess.run(["mount", *map(str, words)], check=True)


def _new_network() -> None:
    """Give this process a network of its own, in which nobody uses a port."""
    import ctypes  # noqa: PLC0415 -- nothing else needs it

    if ctypes.CDLL(None, use_errno=True).unshare(0x40000000) != 0:
        raise OSError(ctypes.get_errno(), "no network of its own")


def _loopback_up() -> None:
    """Switch the loopback interface on, which a new network has switched off."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh14x", b"lo", 0x41))  # SIOCSIFFLAGS, up and running


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]))))
