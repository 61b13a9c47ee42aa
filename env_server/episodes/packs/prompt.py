"""The content of a reset's reply: the system message and the tools, each encoded once per pack and stored as a blob."""

import hashlib
from collections.abc import Iterable
from typing import Any, NamedTuple

import orjson

from agent_env_schemas import TOOL_PROMPTS, ToolPrompt
from env_server.domains.kit import SUBMIT, Task
from env_server.domains.pack import Pack, own_policy

_ALONE = """

# No user takes part

You work alone. Nobody answers a question, tells who they are or agrees to anything: where the rules above have you ask
a user, go by the first message, which says what is wanted. Use the tools within all other rules, and {end}."""

_DONE = "call `done` when\nthe work is finished"
_SUBMIT = f"call\n`{SUBMIT}` when you know the answer"


class Blob(NamedTuple):
    """JSON text that many replies share, and its SHA-256."""

    digest: str
    text: str

    @classmethod
    def of(cls, value: Any) -> "Blob":
        """Return the blob of `value` as JSON."""
        text = orjson.dumps(value).decode()
        return cls(hashlib.sha256(text.encode()).hexdigest(), text)


def policy_of(pack: Pack, task: Task, *, solo: bool) -> str:
    """Return the policy text for the agent: the task's own, or the pack's.

    Without a user, adapt a policy that was written for talking to one.
    """
    own = own_policy(task)
    if own is not None:
        return own
    if not solo:
        return pack.policy
    if pack.solo_policy is not None:
        return pack.solo_policy
    return pack.policy.strip() + _ALONE.format(end=_DONE if task.answer is None else _SUBMIT)


def system_message(policy: str, schemas: Iterable[Any], tool_prompt: ToolPrompt) -> Blob:
    """Return the system message: the policy, then the tools' schemas if the model must read them as text."""
    told = policy.strip()
    if tool_prompt != "none":
        form = TOOL_PROMPTS[tool_prompt]
        told += form.described.format(tools=form.schemas(schemas))
    return Blob.of(told)
