"""The dashboards of docker/grafana as plain data: their panels, and the queries in them."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "docker" / "grafana").glob("*.json"))


@dataclass(frozen=True)
class Query:
    """A query of a panel: `text` in PromQL, with Grafana's variables in it."""

    file: str
    panel: str
    letter: str
    text: str

    @property
    def id(self) -> str:
        """A name for the test's report."""
        return f"{self.file}: {self.panel} {self.letter}"

    def filled(self, seconds: int) -> str:
        """The query as Grafana sends it: every value of a variable, and intervals of `seconds`."""
        text = re.sub(r"\$__(rate_interval|range)\b", f"{seconds}s", self.text)
        text = re.sub(r"\$\w+", ".*", text)
        assert "$" not in text, text
        return text


def loaded(file: Path) -> dict[str, Any]:
    """Return a dashboard."""
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


def panels(file: Path) -> list[dict[str, Any]]:
    """Return the panels of a dashboard that show something: rows are only titles."""
    return [panel for panel in loaded(file)["panels"] if panel["type"] != "row"]


def queries() -> Iterator[Query]:
    """Yield the queries of all panels."""
    for file in FILES:
        for panel in panels(file):
            for target in panel["targets"]:
                yield Query(file.stem, panel["title"], target["refId"], target["expr"])


def variables(file: Path) -> dict[str, tuple[str, str]]:
    """Return the metric and the label that give the values of each variable of a dashboard."""
    found = {}
    for variable in loaded(file)["templating"]["list"]:
        if variable["type"] == "query":
            match = re.fullmatch(r"label_values\((\w+), (\w+)\)", variable["query"])
            assert match, variable["query"]
            found[variable["name"]] = (match[1], match[2])
    return found
