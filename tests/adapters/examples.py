"""The examples of docs/integrations.md, for the tests of the libraries to run."""

import re
from typing import Any

from tests.integrations import PAGE


def example(heading: str) -> dict[str, Any]:
    """Return the names that the one example below a heading defines."""
    section = PAGE.read_text(encoding="utf-8").split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    [source] = re.findall(r"```py\n(.*?)```", section, re.S)
    names: dict[str, Any] = {"__name__": "example"}
    exec(compile(source, str(PAGE), "exec"), names)  # noqa: S102 - our own page
    return names
