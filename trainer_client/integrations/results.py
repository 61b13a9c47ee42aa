"""Results of calls as the chat protocol of model endpoints accepts them."""

from collections.abc import Collection, Sequence
from typing import Any


def for_endpoint(observation: Sequence[dict[str, Any]], made: Collection[str]) -> list[dict[str, Any]]:
    """Return an observation in which each message of the role `tool` answers a call.

    The environment also answers a message that made no call of the protocol: an empty one, or one whose text is a call.
    An endpoint refuses a result without its call, so such an answer gets the role `user`.

    Args:
        observation: The newest messages of an episode.
        made: The ids of the calls in the model's newest message.
    """
    return [
        {"role": "user", "content": message["content"]}
        if message["role"] == "tool" and message.get("tool_call_id") not in made
        else message
        for message in observation
    ]
