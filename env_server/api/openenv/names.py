"""Names of episodes. A client uses the id that this server gave, or a name of its own choice."""

from typing import TYPE_CHECKING

import orjson

from agent_env_schemas import ErrorCode
from env_server.episodes.codec.reply import expand, signed
from env_server.errors import ProblemError

if TYPE_CHECKING:
    from env_server.episodes import Episodes

OWN = "ep_"
"""Prefix of the ids that this server gives. Any other `episode_id` of a reset is the client's own name for an episode.

A text with this prefix that is no episode's id was cut or mistyped, or is another server's id. No episode is begun for
it.
"""

NAMED = "openenv:"
"""Prefix of the idempotency keys that are made of clients' own names."""

LONGEST_NAME = 200 - len(NAMED)


def name_of(given: object) -> str | None:
    """Return the `episode_id` of a reset, or None if it has none.

    Raises:
        ProblemError: `invalid_request` if the value is not a valid name. No episode is begun then.
    """
    if given is None:
        return None
    if isinstance(given, str) and 0 < len(given) <= LONGEST_NAME and "\0" not in given:
        return given
    detail = f"episode_id: a name is text of 1 to {LONGEST_NAME} characters, none of them NUL"
    raise ProblemError(ErrorCode.INVALID_REQUEST, detail)


def key_of(name: str) -> str:
    """Return the idempotency key of the episode that its client calls `name`."""
    return f"{NAMED}{name}"


def id_of(episodes: "Episodes", caller: str, given: str) -> str:
    """Return the id of the episode that `caller` calls `given`. If no such name is known, `given` is taken as an id.

    Raises:
        StorageUnavailable: if the database does not answer.
    """
    known = None if given.startswith(OWN) else episodes.store.reads.key(caller, key_of(given))
    if known is None:
        return given
    reply = signed(expand(known.reply.encode(), episodes.library.blob), lambda _: "")  # the token is not used here
    found: str = orjson.loads(reply)["episode_id"]
    return found
