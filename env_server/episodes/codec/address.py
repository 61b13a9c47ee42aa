"""Paths and URLs at which MCP clients reach episodes."""

CATALOGUE = "/mcp"
"""Path of the catalogue, which trainers use."""

_BEFORE, _AFTER = "/episodes/", "/mcp"


def mcp_path(episode_id: str) -> str:
    """Return the path at which the episode is played over MCP."""
    return f"{_BEFORE}{episode_id}{_AFTER}"


def mcp_url(address: str, episode_id: str) -> str:
    """Return the URL at which MCP clients play the episode, on a server at `address`."""
    return address + mcp_path(episode_id)


def plays_over_mcp(path: str) -> bool:
    """Return whether `path` is an episode's MCP endpoint. A slash at its end is allowed."""
    return path.startswith(_BEFORE) and path.removesuffix("/").endswith(_AFTER)


def speaks_mcp(path: str) -> bool:
    """Return whether requests for `path` come from MCP clients."""
    return path.removesuffix("/") == CATALOGUE or plays_over_mcp(path)
