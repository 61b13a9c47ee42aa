"""Rows of a data set for NeMo Gym: what the model is shown, and the reset of the episode that it plays."""

from collections.abc import Iterator
from typing import Any

from agent_env_schemas import CLOSE_INFRASTRUCTURE, RESPOND
from trainer_client.client import Client
from trainer_client.integrations.prompt import instructions, opening

FIELDS = "agent_env"
"""The column with the fields of `/reset`."""

_SPEAK: dict[str, Any] = {
    "name": RESPOND,
    "description": "Say something to the user; the result is what they answer.",
    "parameters": {
        "type": "object",
        "properties": {"message": {"type": "string", "description": "The words to the user."}},
        "required": ["message"],
    },
}


def rows(client: Client, domain: str, split: str, n: int, **options: Any) -> Iterator[dict[str, Any]]:
    """The first `n` tasks of a split, each with the beginning of its conversation and its tools.

    An episode begins the same way each time if its user is scripted; rows of other users are not supported. The
    episodes that are begun here are closed unscored.

    Args:
        client: Begins the episodes.
        domain: The domain.
        split: The split.
        n: The number of rows.
        options: Further fields of `/reset`, for every row.

    Raises:
        ValueError: if an option does not exist, or the user is not scripted.
    """
    for index in range(n):
        fields = {**options, "domain": domain, "split": split, "index": index}
        episode = client.reset(**fields)
        episode.close(CLOSE_INFRASTRUCTURE)
        if episode.reply.info.user != "scripted":
            raise ValueError(f"the user of a row must be scripted, this one is {episode.reply.info.user!r}")
        tools = [{"type": "function", "strict": False, **tool} for tool in [*_functions(episode.tools), _SPEAK]]
        said = [
            {"role": "system", "content": instructions(episode)},
            {"role": "user", "content": opening(episode)},
        ]
        yield {"responses_create_params": {"input": said, "tools": tools}, FIELDS: fields}


def _functions(tools: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [tool["function"] for tool in tools]
