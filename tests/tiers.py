"""Which tiers of tests have passed with the present contents; `make test-due` runs the others.

tiers.toml says what a tier covers. Its digest is a hash of that entry and of the git blobs of all files that it covers.
`run` records a pass with the digest in tiers.json, but only where the files are those of the commit before and after
the tests. Where git cannot tell the contents, every tier is due and no pass is recorded. This needs Python's standard
library alone.
"""

import argparse
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parent
RECORD = HERE / "tiers.json"
TIERS: dict[str, dict[str, Any]] = tomllib.loads((HERE / "tiers.toml").read_text(encoding="utf-8"))

GRACE_S = 10.0
"""Seconds between the interrupt of a tier whose time is used up and the kill of what is left of it."""


def files(name: str) -> str:
    """Return the files of a tier, each with its mode and blob, from the git index."""
    return _git("ls-files", "--stage", "--", *_patterns(name))


def digest(name: str) -> str | None:
    """Return the digest of a tier's contents. Return None if they differ from the commit, or git cannot tell."""
    try:
        if _git("status", "--porcelain", "--untracked-files=all", "--", *_patterns(name)):
            return None
        contents = json.dumps(TIERS[name], sort_keys=True) + "\n" + files(name)
    except (OSError, subprocess.CalledProcessError):
        return None
    return hashlib.sha256(contents.encode()).hexdigest()


def passes() -> dict[str, dict[str, Any]]:
    """Return the recorded passes, or none if the record cannot be read."""
    try:
        found = json.loads(RECORD.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {name: entry for name, entry in found.items() if name in TIERS} if isinstance(found, dict) else {}


def due() -> list[str]:
    """Return the tiers whose contents have no recorded pass, the longest unpassed first."""
    passed = passes()
    found = [name for name in TIERS if passed.get(name, {}).get("digest") != (digest(name) or "unknown")]
    return sorted(found, key=lambda name: str(passed.get(name, {}).get("date", "")))


def record(name: str, contents: str, seconds: float) -> str:
    """Record a pass, and return a message about it."""
    date = datetime.now(UTC).isoformat(timespec="seconds")
    entry = {"commit": _git("rev-parse", "HEAD").strip(), "date": date, "digest": contents, "seconds": round(seconds)}
    text = json.dumps({**passes(), name: entry}, indent=2, sort_keys=True) + "\n"
    try:
        written = RECORD.with_suffix(f".{os.getpid()}")
        written.write_text(text, encoding="utf-8")
        written.replace(RECORD)
    except OSError as error:
        return f"test-{name} passed; the pass is not recorded: {error}"
    return f"test-{name} passed; commit {RECORD.relative_to(ROOT)} to keep the record"


def run(name: str, command: list[str]) -> int:
    """Run the tests of a tier, record their pass, and return the exit status of `command`."""
    before, began = digest(name), time.monotonic()
    process = subprocess.Popen(command, cwd=ROOT)
    try:
        status = process.wait()
    except KeyboardInterrupt:  # the tests got the signal too, and stop the servers that they started
        status = process.wait() or 1
    if status == 0:
        same = before is not None and before == digest(name)
        unknown = f"test-{name} passed; the pass is not recorded: the files it covers are not those of one commit"
        _say(record(name, before, time.monotonic() - began) if before is not None and same else unknown)
    return status


def spend(minutes: float) -> int:
    """Run the due tiers. Start none that does not fit into the time, and stop one that runs longer. Return 1 if one
    failed.
    """
    until, failed, wanted = time.monotonic() + 60 * minutes, [], due()
    for name in TIERS.keys() - wanted:
        _say("test-{}: passed with these contents, {date}, commit {commit}".format(name, **passes()[name]))
    for name in wanted:
        reasons = list(_obstacles(name, until - time.monotonic()))
        if reasons:
            _say(f"test-{name}: LEFT OUT: {'; '.join(reasons)}")
            continue
        status = _status([os.environ.get("MAKE", "make"), f"test-{name}"], until - time.monotonic())
        if status is None:
            _say(f"test-{name}: LEFT OUT: the time was used up before it ended; it was stopped")
        elif status:
            failed.append(name)
    for name in failed:
        _say(f"test-{name}: FAILED")
    return int(bool(failed))


def _status(command: list[str], seconds: float) -> int | None:
    """Run a command and return its exit status. Stop it after `seconds`, with all its children, and return None."""
    # A shell that runs this in the background has it ignore interruptions, and children would inherit that.
    restored = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    process = subprocess.Popen(command, cwd=ROOT, start_new_session=True, preexec_fn=restored)  # noqa: PLW1509 -- it only resets a signal
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        return None
    finally:
        if process.returncode is None:
            _stop(process)


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Interrupt a process group, so that its tests stop their servers. Kill what is left of it after GRACE_S."""
    until = time.monotonic() + GRACE_S
    with suppress(ProcessLookupError):  # the group has ended
        os.killpg(process.pid, signal.SIGINT)
        while time.monotonic() < until:
            process.poll()
            os.killpg(process.pid, 0)
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _obstacles(name: str, left_s: float) -> Iterator[str]:
    """Return the reasons why a tier cannot run now."""
    takes_s = passes().get(name, {}).get("seconds", 0)
    if left_s <= 0:
        yield "the time is used up"
    elif takes_s > left_s:
        yield f"it took {takes_s} s, {left_s:.0f} s are left"
    for program in TIERS[name].get("needs", []):
        if not shutil.which(program):
            yield f"it needs {program}, which is not here"


def _patterns(name: str) -> list[str]:
    return [f":(glob){pattern}" for pattern in TIERS[name]["covers"]]


def _git(*command: str) -> str:
    done = subprocess.run(["git", *command], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout


def _say(line: str) -> None:
    print(line, flush=True)  # before what the next program prints


def main() -> int:
    """Execute the command line, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("digest", help="print the digest of each tier's contents")
    commands.add_parser("due", help="print the tiers without a recorded pass, the longest unpassed first")
    of_record = commands.add_parser("record", help="record a pass that was seen elsewhere, with the same contents")
    of_run = commands.add_parser("run", help="run a tier's tests and record their pass")
    commands.add_parser("spend", help="run the tiers that are due").add_argument("minutes", type=float)
    for command in (of_record, of_run):
        command.add_argument("name", choices=TIERS)
    of_record.add_argument("--seconds", type=float, default=0, help="how long it took")
    of_run.add_argument("tests", nargs="+", metavar="COMMAND", help="what runs them, after --")
    given = parser.parse_args()
    if given.command == "run":
        return run(given.name, given.tests)
    if given.command == "spend":
        return spend(given.minutes)
    if given.command == "record":
        contents = digest(given.name)
        _say(record(given.name, contents, given.seconds) if contents else f"{given.name}: not the files of one commit")
        return int(contents is None)
    lines = due() if given.command == "due" else [f"{name} {digest(name) or '-'}" for name in TIERS]
    print(*lines, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
