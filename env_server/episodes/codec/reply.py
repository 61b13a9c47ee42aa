"""The stored form of replies: JSON without the leading `episode_id`, with a reference for each shared text.

A reference to a shared text (a blob) is U+0001 and its digest. So a retry gets exactly the bytes of the first response,
a fork can share its parent's turns, and a policy of many kilobytes is stored once. U+0002 and an episode's id are a
reference to an agent token. The token is signed when the reply is sent and is never stored.
"""

import re
from collections.abc import Callable
from typing import Any

import orjson

from env_server.episodes.codec.text import dumps, loads

_BLOB = re.compile(rb"\x01([0-9a-f]{64})")
_TOKEN = re.compile(rb"\x02([a-z0-9_]+)")
# JSON escapes control characters, so no text of an agent, a user or a task can look like a reference.


def blob_ref(digest: str) -> orjson.Fragment:
    """Return the reference to a blob for a stored reply."""
    return orjson.Fragment(b"\x01" + digest.encode())


def token_ref(episode_id: str) -> orjson.Fragment:
    """Return the reference to the episode's agent token for a stored reply."""
    return orjson.Fragment(b"\x02" + episode_id.encode())


def encode(body: dict[str, Any]) -> str:
    """Return the stored form of a reply whose fields (without `episode_id`) are `body`."""
    return "," + dumps(body)[1:]


def render(episode_id: str, stored: str) -> bytes:
    """Return the bytes of a stored reply."""
    return b'{"episode_id":"' + episode_id.encode() + b'"' + stored.encode()


def expand(reply: bytes, blob: Callable[[str], str]) -> bytes:
    """Return `reply` with the text of every blob in place of its reference."""
    return _BLOB.sub(lambda found: blob(found[1].decode()).encode(), reply)


def signed(reply: bytes, sign: Callable[[str], str]) -> bytes:
    """Return the expanded `reply` with a token in place of each reference.

    `sign` makes a token from an episode's id.
    """
    found, count = _TOKEN.subn(lambda ref: b'"' + sign(ref[1].decode()).encode() + b'"', reply)
    return found if count else _signed_anew(reply, sign)


def decode(stored: str, blob: Callable[[str], str]) -> dict[str, Any]:
    """Return the fields of a stored reply."""
    decoded: dict[str, Any] = loads(expand(b"{" + stored[1:].encode(), blob))
    return decoded


def _signed_anew(reply: bytes, sign: Callable[[str], str]) -> bytes:
    """Return a reply that an older version stored with tokens in it, with new tokens in their place."""
    body = loads(reply)
    for episode in body.get("episodes", [body]):
        episode["agent_token"] = sign(episode["episode_id"])
    return dumps(body).encode()
