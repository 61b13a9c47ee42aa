"""The formats in which a system message describes the tools and a model writes calls. A new format changes this file
alone: its name, what the model is told, and how a call looks.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

WrittenFormat = Literal["hermes", "json"]
"""The formats in which calls are text."""

ToolPrompt = Literal["none", WrittenFormat]
"""The values of `tool_prompt` of a reset. With `none` the tools stand in the reply's `tools` alone."""


@dataclass(frozen=True, slots=True)
class ToolPromptFormat:
    """One format."""

    described: str
    """What follows the policy in the system message; `{tools}` stands for the schemas, one JSON object a line."""

    call: str
    """A call in a message of the model; `{}` stands for the JSON object with its name and arguments."""


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

TOOL_PROMPTS: Mapping[WrittenFormat, ToolPromptFormat] = {"hermes": _HERMES, "json": _JSON}
"""The formats by name."""
