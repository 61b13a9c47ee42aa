"""The episode state machine: turn order, limits, retries, commits, stop reasons.

`service` is the front: everything the API offers is one method there. `begin`, `agent_turn`, `user_turn` and
`ending` play; `restore` and `library` bring episodes and packs back from SQL; `cache` and `expiry` forget them.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from env_server.episodes.service import Episodes

__all__ = ["Episodes"]


def __getattr__(name: str) -> Any:
    """`Episodes`, imported when it is first used: small parts of this package are needed long before the machine."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from env_server.episodes.service import Episodes  # noqa: PLC0415 - see above

    return Episodes
