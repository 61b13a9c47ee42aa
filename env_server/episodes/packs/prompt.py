"""The content of a reset's reply: the system message and the tools, each encoded once per pack and stored as a blob."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import orjson

from env_server.domains.pack import Pack

_HERMES = """

# Tools

You may call one or more of these functions. Their signatures, one JSON object a line:
<tools>
{tools}
</tools>

To call a function, write a JSON object with its name and arguments between <tool_call> tags:
<tool_call>
{{"name": "function_name", "arguments": {{"argument": "value"}}}}
</tool_call>"""

_JSON = """

# Tools

You may call one of these functions at a time. Their signatures, one JSON object a line:
{tools}

To call a function, answer with nothing but a JSON object:
{{"name": "function_name", "arguments": {{"argument": "value"}}}}
Anything else you write is said to the user."""

_PROMPTS: Mapping[str, str] = {"none": "", "hermes": _HERMES, "json": _JSON}


_ALONE = """

# No user takes part

You work alone. Nobody answers a question, tells who they are or agrees to anything: where the rules above have you ask
a user, go by the first message, which says what is wanted. Use the tools within all other rules, and call `done` when
the work is finished."""


class Blob(NamedTuple):
    """JSON text that many replies share, and its SHA-256."""

    digest: str
    text: str

    @classmethod
    def of(cls, value: Any) -> "Blob":
        """Return the blob of `value` as JSON."""
        text = orjson.dumps(value).decode()
        return cls(hashlib.sha256(text.encode()).hexdigest(), text)


def policy_of(pack: Pack, *, solo: bool) -> str:
    """Return the policy text for the agent. Without a user, adapt a policy that was written for talking to one."""
    if not solo:
        return pack.policy
    return pack.policy.strip() + _ALONE if pack.solo_policy is None else pack.solo_policy


def system_message(policy: str, schemas: Iterable[Any], tool_prompt: str) -> Blob:
    """Return the system message: the policy, then the tools' schemas if the model must read them as text.

    The schemas are written without spaces. Spaces carry no information and would cost up to a seventh of a prompt's
    tokens.
    """
    lines = "\n".join(json.dumps(schema, separators=(",", ":")) for schema in schemas)
    return Blob.of(policy.strip() + _PROMPTS[tool_prompt].format(tools=lines))
