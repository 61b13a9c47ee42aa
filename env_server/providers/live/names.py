"""The names by which agents know the tools of servers."""

from collections import Counter
from collections.abc import Collection, Iterable

BETWEEN = "__"
"""Stands between a server and a tool. No server's name contains it, so the first one in a name is the border."""


def qualified(server: str, tool: str) -> str:
    """Return the long name of a tool, which is always understood."""
    return f"{server}{BETWEEN}{tool}"


def agent_names(tools: Iterable[tuple[str, str]], taken: Collection[str] = frozenset()) -> dict[tuple[str, str], str]:
    """Return the name of each tool for agents: its own, or the long one where that would be ambiguous.

    Args:
        tools: The tools as (server, tool), without duplicates.
        taken: Names that other tools have already.
    """
    listed = list(tools)
    long = {qualified(*tool) for tool in listed}
    count = Counter(name for _, name in listed)
    return {
        (server, name): qualified(server, name) if count[name] > 1 or name in taken or name in long else name
        for server, name in listed
    }
