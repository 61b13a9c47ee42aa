"""Replies as they are stored: JSON without the leading `episode_id`, with U+0001 and a digest for each shared text.

So a retry is answered with the very bytes of the first answer, a fork can share its parent's turns, and a policy of
many kilobytes is stored once. U+0002 and an episode's id stand for a token to it, which is signed when the reply is
given and never stored.
"""

import re
from collections.abc import Callable
from typing import Any

import orjson

from env_server.episodes.codec.text import dumps, loads

_BLOB = re.compile(rb"\x01([0-9a-f]{64})")
_TOKEN = re.compile(rb"\x02([a-z0-9_]+)")
# JSON escapes control characters, so nothing that an agent, a user or a task holds can look like these.


def blob_ref(digest: str) -> orjson.Fragment:
    """What stands for a blob in a stored reply."""
    return orjson.Fragment(b"\x01" + digest.encode())


def token_ref(episode_id: str) -> orjson.Fragment:
    """What stands for an agent's token to the episode in a stored reply."""
    return orjson.Fragment(b"\x02" + episode_id.encode())


def encode(body: dict[str, Any]) -> str:
    """The stored form of a reply whose fields (without `episode_id`) are `body`."""
    return "," + dumps(body)[1:]


def render(episode_id: str, stored: str) -> bytes:
    """The bytes of a stored reply."""
    return b'{"episode_id":"' + episode_id.encode() + b'"' + stored.encode()


def expand(reply: bytes, blob: Callable[[str], str]) -> bytes:
    """`reply` with every blob put in."""
    return _BLOB.sub(lambda found: blob(found[1].decode()).encode(), reply)


def signed(reply: bytes, sign: Callable[[str], str]) -> bytes:
    """`reply`, expanded, with what `sign` makes of an episode's id for every token to it."""
    found, count = _TOKEN.subn(lambda ref: b'"' + sign(ref[1].decode()).encode() + b'"', reply)
    return found if count else _signed_anew(reply, sign)


def decode(stored: str, blob: Callable[[str], str]) -> dict[str, Any]:
    """The fields of a stored reply."""
    decoded: dict[str, Any] = loads(expand(b"{" + stored[1:].encode(), blob))
    return decoded


def _signed_anew(reply: bytes, sign: Callable[[str], str]) -> bytes:
    """`reply` as it was stored by versions that kept the tokens in it, with new ones for these."""
    body = loads(reply)
    for episode in body.get("episodes", [body]):
        episode["agent_token"] = sign(episode["episode_id"])
    return dumps(body).encode()
