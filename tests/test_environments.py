"""A tier's environment is installed once for all checkouts, also with concurrent requests and after an interruption."""

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NPM = """#!/bin/sh
echo start >> "$NOTES"
while [ "$#" -gt 1 ]; do shift; done
[ -e "$1/package.json" ] || exit 9
sleep "${SLOW:-0}"
[ -n "$BROKEN" ] && touch "$1/half" && exit 1
mkdir "$1/node_modules" && echo end >> "$NOTES"
"""
TIERS = '[suite]\ncovers = ["**"]\nlock = "suite/package-lock.json"\n'


class Checkouts:
    """Copies of the script with a tier whose installer script records its runs."""

    def __init__(self, at: Path) -> None:
        self.at = at
        self.notes = at / "notes"
        npm = at / "bin" / "npm"
        npm.parent.mkdir()
        npm.write_text(NPM, encoding="utf-8")
        npm.chmod(0o755)

    def make(self, name: str, lock: str = "{}") -> Path:
        """Return a checkout with this lock file."""
        root = self.at / name
        for folder in ("tests", "suite"):
            (root / folder).mkdir(parents=True)
        shutil.copy(ROOT / "tests" / "environments.py", root / "tests")
        (root / "tests" / "tiers.toml").write_text(TIERS, encoding="utf-8")
        (root / "suite" / "package.json").write_text("{}", encoding="utf-8")
        (root / "suite" / "package-lock.json").write_text(lock, encoding="utf-8")
        return root

    def ask(self, root: Path, **environment: str) -> subprocess.CompletedProcess[str]:
        """Ask a checkout for its environment."""
        path = f"{self.at / 'bin'}{os.pathsep}{os.environ['PATH']}"
        settings = {"PATH": path, "XDG_CACHE_HOME": str(self.at / "cache"), "NOTES": str(self.notes)}
        command = [sys.executable, str(root / "tests" / "environments.py"), "suite"]
        return subprocess.run(
            command, env=os.environ | settings | environment, capture_output=True, text=True, check=False
        )

    @property
    def installed(self) -> list[str]:
        """Return the installer's records."""
        return self.notes.read_text(encoding="utf-8").split()


@pytest.fixture
def checkouts(tmp_path: Path) -> Checkouts:
    """Checkouts with a cache of their own."""
    return Checkouts(tmp_path)


def test_a_second_checkout_installs_nothing(checkouts: Checkouts) -> None:
    """Checkouts with the same lock file have the same environment, outside of both; another lock file has another."""
    one, two, other = checkouts.make("one"), checkouts.make("two"), checkouts.make("other", '{"a": 1}')
    first = checkouts.ask(one).stdout.strip()
    assert checkouts.ask(two).stdout.strip() == first
    assert checkouts.installed == ["start", "end"]
    assert Path(first).is_relative_to(checkouts.at / "cache" / "agent-env-server")
    assert (Path(first) / "node_modules").is_dir()
    assert checkouts.ask(other).stdout.strip() != first
    assert checkouts.installed == ["start", "end"] * 2


def test_two_at_a_time_install_once(checkouts: Checkouts) -> None:
    """The second request waits for the first and uses its installation."""
    roots = [checkouts.make(name) for name in ("one", "two", "three")]
    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(lambda root: checkouts.ask(root, SLOW="0.5").stdout, roots))
    assert len(set(found)) == 1
    assert checkouts.installed == ["start", "end"]


def test_what_a_break_left_is_replaced(checkouts: Checkouts) -> None:
    """A failed installation is a failure, and the next one starts from scratch."""
    root = checkouts.make("one")
    assert checkouts.ask(root, BROKEN="yes").returncode != 0
    done = checkouts.ask(root)
    assert done.returncode == 0
    assert sorted(path.name for path in Path(done.stdout.strip()).iterdir()) == [
        ".installed",
        "node_modules",
        "package-lock.json",
        "package.json",
    ]


@pytest.mark.parametrize("home", ["XDG_CACHE_HOME", "HOME"])
def test_a_cache_that_cannot_be_written_is_replaced(checkouts: Checkouts, home: str) -> None:
    """The environment goes to the temporary files, one line says so, and the next request finds it there."""
    root, spare = checkouts.make("one"), checkouts.at / "temporary"
    spare.mkdir()
    (checkouts.at / "no-folder").write_text("", encoding="utf-8")  # root may write every folder, but not this
    place = {"XDG_CACHE_HOME": "", home: str(checkouts.at / "no-folder"), "TMPDIR": str(spare)}
    first, second = checkouts.ask(root, **place), checkouts.ask(root, **place)
    assert first.returncode == second.returncode == 0, first.stderr
    assert Path(first.stdout.strip()).is_relative_to(spare)
    assert "no-folder" in first.stderr
    assert "Set XDG_CACHE_HOME" in first.stderr
    assert (second.stdout, second.stderr) == (first.stdout, "")
    assert checkouts.installed == ["start", "end"]


@pytest.mark.slow
def test_pip_installs_what_comes_before_the_lock(checkouts: Checkouts) -> None:
    """A lock file of pip's makes a virtual environment that runs, with this Python."""
    root = checkouts.make("one")
    (root / "suite" / "requirements.lock").write_text("", encoding="utf-8")
    entry = TIERS.replace("package-lock.json", "requirements.lock")
    (root / "tests" / "tiers.toml").write_text(entry, encoding="utf-8")
    python = Path(checkouts.ask(root).stdout.strip()) / "bin" / "python"
    version = subprocess.run(
        [python, "-c", "import sys; print(sys.version)"], capture_output=True, text=True, check=True
    )
    assert version.stdout.strip() == sys.version
