"""The table of docs/integrations.md, made from what the tests of the tiers `adapters` and `trainers` saw.

A test calls `record` with the rewards that it saw. The record is kept in docs/integrations.json where
RECORD_INTEGRATIONS is set. `python tests/integrations.py` writes the table from that file into the page, and
`make integrations` does both. This needs Python's standard library alone.
"""

import fcntl
import json
import os
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[1] / "docs"
RECORDS = DOCS / "integrations.json"
PAGE = DOCS / "integrations.md"
BEGIN, END = "<!-- table -->\n", "<!-- end of table -->\n"
HEAD = "| library | tested version | one line | good agent | idle agent | last run |\n|---|---|---|---|---|---|\n"


def record(name: str, package: str, line: str, good: float | None, idle: float | None) -> None:
    """Keep what a test saw, where RECORD_INTEGRATIONS is set.

    Args:
        name: What the library is called; a later record under this name replaces an earlier one.
        package: The installed distribution, whose version is kept.
        line: The one line of code that shows how the library is connected.
        good: The reward of an agent that does everything right.
        idle: The reward of an agent that does nothing for the task.
    """
    if not os.environ.get("RECORD_INTEGRATIONS"):
        return
    entry = {
        "package": package,
        "version": version(package),
        "line": line,
        "good": good,
        "idle": idle,
        "date": datetime.now(UTC).date().isoformat(),
    }
    with RECORDS.open("a+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        kept = {**records(), name: entry}
        file.truncate(0)
        file.write(json.dumps(kept, indent=2, sort_keys=True) + "\n")


def records() -> dict[str, dict[str, Any]]:
    """Return the kept records, by name."""
    text = RECORDS.read_text(encoding="utf-8") if RECORDS.exists() else ""
    found: dict[str, dict[str, Any]] = json.loads(text or "{}")
    return found


def table(kept: dict[str, dict[str, Any]]) -> str:
    """Return the table of the page, a row for each record."""
    rows = [
        f"| {name} | `{r['package']}` {r['version']} | `{r['line']}` | {r['good']:g} | {r['idle']:g} | {r['date']} |\n"
        for name, r in sorted(kept.items(), key=lambda item: item[0].lower())
    ]
    return HEAD + "".join(rows)


def page(kept: dict[str, dict[str, Any]]) -> str:
    """Return the text of the page with the table of these records."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    return before + BEGIN + table(kept) + END + rest.partition(END)[2]


if __name__ == "__main__":
    PAGE.write_text(page(records()), encoding="utf-8")
