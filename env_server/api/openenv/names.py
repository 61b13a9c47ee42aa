"""What a client may call an episode: by the id that this server gave it, or by a name of its own."""

from typing import TYPE_CHECKING

import orjson

from agent_env_schemas import ErrorCode
from env_server.episodes.codec.reply import expand, signed
from env_server.errors import ProblemError

if TYPE_CHECKING:
    from env_server.episodes import Episodes

OWN = "ep_"
"""How the ids begin that this server gives; any other `episode_id` of a reset is the client's own name for an episode.

What begins so and is no episode's id is one that was cut or mistyped, or another server's: nothing new is begun for it.
"""

NAMED = "openenv:"
"""How the idempotency keys begin that are made of clients' own names."""

LONGEST_NAME = 200 - len(NAMED)


def name_of(given: object) -> str | None:
    """The `episode_id` of a reset; None if it has none.

    Raises:
        ProblemError: `invalid_request` if that is no name, for which nothing new may be begun.
    """
    if given is None:
        return None
    if isinstance(given, str) and 0 < len(given) <= LONGEST_NAME and "\0" not in given:
        return given
    detail = f"episode_id: a name is text of 1 to {LONGEST_NAME} characters, none of them NUL"
    raise ProblemError(ErrorCode.INVALID_REQUEST, detail)


def key_of(name: str) -> str:
    """The idempotency key under which the episode is begun that its client calls `name`."""
    return f"{NAMED}{name}"


def id_of(episodes: "Episodes", caller: str, given: str) -> str:
    """The id of the episode that `caller` means; what is nobody's name is taken for an id.

    Raises:
        StorageUnavailable: if nobody can tell.
    """
    known = None if given.startswith(OWN) else episodes.store.reads.key(caller, key_of(given))
    if known is None:
        return given
    reply = signed(expand(known.reply.encode(), episodes.library.blob), lambda _: "")  # its token is not looked at
    found: str = orjson.loads(reply)["episode_id"]
    return found
