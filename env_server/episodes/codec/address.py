"""Where MCP clients reach episodes: paths and URLs."""

CATALOGUE = "/mcp"
"""The path of the catalogue, for trainers."""

_BEFORE, _AFTER = "/episodes/", "/mcp"


def mcp_path(episode_id: str) -> str:
    """The path at which the episode is played over MCP."""
    return f"{_BEFORE}{episode_id}{_AFTER}"


def mcp_url(address: str, episode_id: str) -> str:
    """Where MCP clients play the episode, on a server that is reached at `address`."""
    return address + mcp_path(episode_id)


def plays_over_mcp(path: str) -> bool:
    """Whether `path` is an episode's endpoint; a slash at its end does no harm."""
    return path.startswith(_BEFORE) and path.removesuffix("/").endswith(_AFTER)


def speaks_mcp(path: str) -> bool:
    """Whether requests for `path` come from MCP clients."""
    return path.removesuffix("/") == CATALOGUE or plays_over_mcp(path)
