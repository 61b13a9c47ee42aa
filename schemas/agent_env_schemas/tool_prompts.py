"""The formats in which a system message describes the tools and a model writes calls. A new format changes this file
alone: its name, what the model is told, and how a call looks.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

WrittenFormat = Literal["hermes", "qwen", "json"]
"""The formats in which calls are text."""

ToolPrompt = Literal["none", WrittenFormat]
"""The values of `tool_prompt` of a reset. With `none`, only the reply's `tools` describes the tools."""


@dataclass(frozen=True, slots=True)
class ToolPromptFormat:
    """One format."""

    described: str
    """What follows the policy in the system message; `{tools}` stands for the schemas, one JSON object a line."""

    call: str
    """A call in a message of the model; `{}` stands for the JSON object with its name and arguments."""

    compact: bool = True
    """Whether the schemas are written in ASCII and without spaces. Spaces carry no information and cost up to a seventh
    of a prompt's tokens. Chat templates write spaces and other characters than ASCII."""

    def schemas(self, tools: Iterable[Any]) -> str:
        """The schemas as they stand in the system message."""
        form: dict[str, Any] = {"separators": (",", ":")} if self.compact else {"ensure_ascii": False}
        return "\n".join(json.dumps(schema, **form) for schema in tools)


_HERMES = ToolPromptFormat(
    """

# Tools

You may call one or more of these functions. Their signatures, one JSON object a line:
<tools>
{tools}
</tools>

To call a function, write a JSON object with its name and arguments between <tool_call> tags:
<tool_call>
{{"name": "function_name", "arguments": {{"argument": "value"}}}}
</tool_call>""",
    call="<tool_call>\n{}\n</tool_call>",
)

_QWEN = ToolPromptFormat(
    """

# Tools

You may call one or more functions to assist with the user query.

You are provided with function signatures within <tools></tools> XML tags:
<tools>
{tools}
</tools>

For each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:
<tool_call>
{{"name": <function-name>, "arguments": <args-json-object>}}
</tool_call>""",
    call="<tool_call>\n{}\n</tool_call>",
    compact=False,
)
"""What the chat templates of Qwen2.5 and Qwen3 make of `tools`, byte by byte; `make test-tokens` compares them."""

_JSON = ToolPromptFormat(
    """

# Tools

You may call one of these functions at a time. Their signatures, one JSON object a line:
{tools}

To call a function, answer with nothing but a JSON object:
{{"name": "function_name", "arguments": {{"argument": "value"}}}}
Anything else you write is said to the user.""",
    call="{}",
)

TOOL_PROMPTS: Mapping[WrittenFormat, ToolPromptFormat] = {"hermes": _HERMES, "qwen": _QWEN, "json": _JSON}
"""The formats by name."""
