"""The terms of a turn: amounts for its calls and its message."""

import hashlib
from collections import Counter
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from agent_env_schemas import ShapingWeights
from env_server.rewards.sample_progress import NO_GAIN, Gain
from env_server.state import canonical
from env_server.tools import CallOutcome, Fault

MOST_SEEN: Final = 1_000
"""Maximum number of different calls of an episode that are remembered, to notice repeats."""


class PlayedCall(NamedTuple):
    """A call that was made."""

    outcome: CallOutcome
    gain: Gain = NO_GAIN


def turn_terms(
    weights: ShapingWeights,
    calls: Iterable[PlayedCall],
    seen: list[str],
    *,
    parse_failure: bool = False,
    forced: bool = False,
) -> dict[str, float]:
    """Return the terms of a turn. The calls that are new are added to `seen`.

    A call that failed because its server failed has no terms, and making it again is no repeat.
    """
    counts: Counter[str] = Counter(parse_failure=int(parse_failure), forced_action=int(forced))
    for call in calls:
        outcome, gain = call
        if outcome.fault is Fault.OUTAGE:
            continue
        counts["invalid" if outcome.fault is Fault.UNKNOWN_TOOL else "valid"] += 1
        counts["error"] += outcome.fault in (Fault.BAD_ARGUMENTS, Fault.TOOL_ERROR)
        counts["extract"] += gain.extracted
        counts["accept"] += gain.accepted
        counts["right_tool"] += gain.success
        digest = _digest(outcome)
        counts["repeat"] += digest in seen
        if digest not in seen and len(seen) < MOST_SEEN:
            seen.append(digest)
    return weighed(weights, counts)


def weighed(weights: ShapingWeights, counts: dict[str, int]) -> dict[str, float]:
    """Return the terms that are not 0."""
    terms: dict[str, Any] = {name: getattr(weights, name) * count for name, count in counts.items()}
    return {name: term for name, term in terms.items() if term}


def _digest(outcome: CallOutcome) -> str:
    return hashlib.sha256(canonical([outcome.name, outcome.arguments]).encode()).hexdigest()[:16]
