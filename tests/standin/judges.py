"""What a judge may answer, right and wrong, for programs of the stand-in."""

import json
import re
from collections.abc import Iterable
from typing import Any

from tests.standin.protocol import Asked

CRITERIA = ("coverage", "grounding", "clarity", "safety")


def findings(met: Iterable[tuple[int, bool]]) -> str:
    """Findings on these statements, by index."""
    return json.dumps({"answers": [{"index": i, "reason": "As the record shows.", "met": m} for i, m in met]})


def marks(*given: int) -> str:
    """Marks in the order of the criteria."""
    return json.dumps({n: {"reason": "So.", "mark": m} for n, m in zip(CRITERIA, given, strict=True)})


def all_met(asked: Asked) -> str:
    """All statements of the question are met, or all marks the best."""
    statements = re.findall(r'^\{"index": (\d+), "statement"', asked.messages[1]["content"], re.M)
    return findings((int(i), True) for i in statements) if statements else marks(4, 4, 4, 4)


def record_of(asked: Asked) -> list[dict[str, Any]]:
    """The conversation that the judge was shown."""
    shown = asked.messages[1]["content"].partition("<conversation>\n")[2].partition("\n</conversation>")[0]
    return [json.loads(line) for line in shown.splitlines()]
