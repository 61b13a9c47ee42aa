"""Weights of shaped rewards by name."""

from collections.abc import Mapping
from typing import Final

from agent_env_schemas import ShapingWeights

PRESETS: Final[Mapping[str, ShapingWeights]] = {
    "mcp_tool_env": ShapingWeights(
        extract=0.2,
        accept=0.4,
        valid=0.1,
        invalid=-0.25,
        error=-0.4,
        repeat=-0.1,
        parse_failure=-0.1,
        forced_action=-0.1,
        heuristic=0.4,
        coverage=0.5,
        grounding=0.4,
        length=0.1,
        judge=0.6,
        success=0.05,
        no_success=-0.1,
    ),
    "first_tool": ShapingWeights(right_tool=0.8),
}
"""`mcp_tool_env` has the constants of the research environment of that name; `first_tool` has its first version's."""


def weights_of(asked: str | ShapingWeights) -> ShapingWeights | None:
    """Return the weights of a preset, or those given; None if nothing is shaped."""
    return asked if isinstance(asked, ShapingWeights) else PRESETS.get(asked)
