"""What the official suite wants to find on a server: tools, prompts and resources of given names and contents."""

from typing import Any

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
"""One pixel."""

WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA="
"""One sample of silence."""

Json = dict[str, Any]


def text(said: str) -> Json:
    """Text content."""
    return {"type": "text", "text": said}


def embedded(uri: str, kind: str, said: str) -> Json:
    """A resource within a result."""
    return {"type": "resource", "resource": {"uri": uri, "mimeType": kind, "text": said}}


IMAGE: Json = {"type": "image", "data": PNG, "mimeType": "image/png"}

CONTENTS: dict[str, list[Json]] = {
    "test_simple_text": [text("This is a simple text response for testing.")],
    "test_image_content": [IMAGE],
    "test_audio_content": [{"type": "audio", "data": WAV, "mimeType": "audio/wav"}],
    "test_embedded_resource": [
        embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")
    ],
    "test_multiple_content_types": [
        text("Multiple content types test:"),
        IMAGE,
        embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    ],
    "test_error_handling": [text("This tool intentionally returns an error for testing")],
    "test_tool_with_progress": [text("done")],
    "test_logging_tool": [text("nothing is logged to clients")],
    "test_missing_capability": [text("ok")],
    "test_streaming_elicitation": [text("ok")],
    "json_schema_2020_12_tool": [text("ok")],
    "test_x_mcp_header": [text("ok")],
}
"""What each tool answers."""

_SCHEMAS: dict[str, Json] = {
    "json_schema_2020_12_tool": {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
            }
        },
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"},
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": False,
    },
    "test_x_mcp_header": {
        "type": "object",
        "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
    },
}


def schema(name: str) -> Json:
    """The input schema of a tool."""
    return _SCHEMAS.get(name, {"type": "object", "properties": {}})


TOOLS: list[Json] = [{"name": n, "description": "For the suite.", "inputSchema": schema(n)} for n in CONTENTS]

PROMPTS: list[Json] = [
    {"name": "test_simple_prompt", "description": "For the suite."},
    {
        "name": "test_prompt_with_arguments",
        "description": "For the suite.",
        "arguments": [{"name": n, "description": "Any text.", "required": True} for n in ("arg1", "arg2")],
    },
    {
        "name": "test_prompt_with_embedded_resource",
        "description": "For the suite.",
        "arguments": [{"name": "resourceUri", "description": "What to embed.", "required": True}],
    },
    {"name": "test_prompt_with_image", "description": "For the suite."},
]


def messages(name: str, given: dict[str, str]) -> list[Json]:
    """What a prompt says."""
    said = {
        "test_simple_prompt": [text("This is a simple prompt for testing.")],
        "test_prompt_with_arguments": [
            text(f"Prompt with arguments: arg1='{given.get('arg1')}', arg2='{given.get('arg2')}'")
        ],
        "test_prompt_with_embedded_resource": [
            embedded(given.get("resourceUri", ""), "text/plain", "Embedded resource content for testing."),
            text("Please process the embedded resource above."),
        ],
        "test_prompt_with_image": [IMAGE, text("Please analyze the image above.")],
    }
    return [{"role": "user", "content": content} for content in said[name]]


RESOURCES: list[Json] = [
    {"uri": "test://static-text", "name": "text", "mimeType": "text/plain", "description": "For the suite."},
    {"uri": "test://static-binary", "name": "binary", "mimeType": "image/png", "description": "For the suite."},
]
TEMPLATES: list[Json] = [{"uriTemplate": "test://template/{id}/data", "name": "template"}]
READ: dict[str, Json] = {
    "test://static-text": {"mimeType": "text/plain", "text": "This is the content of the static text resource."},
    "test://static-binary": {"mimeType": "image/png", "blob": PNG},
    "test://template/123/data": {"mimeType": "application/json", "text": '{"id":"123","templateTest":true}'},
}
