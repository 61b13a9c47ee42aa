"""The policy and the public part of the task, as resources and as a prompt. An agent reads them before it plays."""

from typing import Any, Final

import orjson
from mcp import MCPError
from mcp.types import INVALID_PARAMS

from agent_env_schemas import RESPOND
from env_server.api.mcp.results import complete
from env_server.api.mcp.tools import speaking
from env_server.episodes import Episodes
from env_server.episodes.episode import Episode
from env_server.episodes.packs.prompt import policy_of

POLICY: Final = "episode://policy"
TASK: Final = "episode://task"
START: Final = "start"

RESOURCES: Final = [
    {"uri": POLICY, "name": "policy", "mimeType": "text/markdown", "description": "What the agent must obey."},
    {
        "uri": TASK,
        "name": "task",
        "mimeType": "application/json",
        "description": "The domain, how the conversation began, and the limits of the episode.",
    },
]
PROMPTS: Final = [{"name": START, "description": "The policy, how to speak, and how the conversation began."}]


def policy(episode: Episode) -> str:
    """Return the policy as the agent reads it."""
    return policy_of(episode.live.pack, episode.task, solo=episode.solo).strip()


def read(episodes: Episodes, episode: Episode, uri: str) -> dict[str, Any]:
    """Return the contents of a resource.

    Raises:
        MCPError: if there is no such resource.
    """
    if uri == POLICY:
        return _text(uri, "text/markdown", policy(episode))
    if uri == TASK:
        return _text(uri, "application/json", orjson.dumps(_task(episodes, episode)).decode())
    raise MCPError(INVALID_PARAMS, "Resource not found", {"uri": uri})


def start(episodes: Episodes, episode: Episode, name: str) -> dict[str, Any]:
    """Return the messages of the prompt `start`.

    Raises:
        MCPError: if `name` is another prompt.
    """
    if name != START:
        raise MCPError(INVALID_PARAMS, f"Unknown prompt: {name}")
    opening = episodes.reader.opening(episode.episode_id)
    how = speaking(solo=episode.solo)
    if not opening:
        how += f" The user speaks first: call `{RESPOND}` with an empty message to hear them."
    texts = [f"{policy(episode)}\n\n{how}", *(message["content"] for message in opening)]
    messages = [{"role": "user", "content": {"type": "text", "text": text}} for text in texts]
    return complete(description=PROMPTS[0]["description"], messages=messages)


def _task(episodes: Episodes, episode: Episode) -> dict[str, Any]:
    options = episode.options
    return {
        "domain": episode.task.domain,
        "user_takes_part": not episode.solo,
        "opening": episodes.reader.opening(episode.episode_id),
        "max_turns": options.max_turns,
        "max_calls": options.max_calls,
        "max_errors": options.max_errors,
    }


def _text(uri: str, kind: str, text: str) -> dict[str, Any]:
    return complete(contents=[{"uri": uri, "mimeType": kind, "text": text}])
