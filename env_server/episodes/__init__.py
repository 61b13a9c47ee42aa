"""The episode state machine: turn order, limits, retries, commits, stop reasons.

`service` is the entry point: each operation of the API that plays or ends an episode is one method there. `begin`
begins and forks episodes, `turn` plays turns, `score` scores the last one. `live` restores, locks and caches episodes,
and `packs` loads packs and tasks. `read` reads stored episodes. `expiry` evicts idle episodes from memory and ends
abandoned ones.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from env_server.episodes.service import Episodes

__all__ = ["Episodes"]


def __getattr__(name: str) -> Any:
    """Import `Episodes` at its first use. Small modules of this package are needed long before the state machine."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from env_server.episodes.service import Episodes  # noqa: PLC0415 - slow to import, as the docstring says

    return Episodes
