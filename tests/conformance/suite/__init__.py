"""A domain for the official suite: the tools it calls by name, as far as an episode can have them.

A test installs it beside the server's own domains. No other server has it.
"""

from typing import Any

from env_server.domains.kit import Dialect, Domain

from . import tools
from .tasks import DOMAIN, OneTask


def world() -> dict[str, list[Any]]:
    """No tables, no rows."""
    return {}


domain = Domain(
    name=DOMAIN,
    description="What the official conformance suite looks for.",
    tables=(),
    tools_module=tools,
    world=world,
    tasks=OneTask(),
    dialects={"builtin": Dialect()},
)
