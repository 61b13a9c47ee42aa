"""Lines as JSON-RPC messages."""

import json
from typing import Any

import pytest
from mcp.shared.message import SessionMessage
from mcp.types import JSONRPCRequest

from env_server.commands.mcp.messages import NO_ID, NO_JSON, NO_MESSAGE, UnreadableMessage, read, written

ASKED = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "think"}}


@pytest.mark.parametrize("line", [b"garbage", b"\xff\xfe", b'{"a":' * 5_000, b"[" * 100_000, b"\0"])
def test_what_is_no_json_is_said_to_be_none(line: bytes) -> None:
    """A line that is no JSON is an error, also if it is very deep."""
    assert read(line) is NO_JSON


@pytest.mark.parametrize(
    "message",
    [[ASKED], [], None, 1, "text", {}, {"jsonrpc": "2.0"}, ASKED | {"jsonrpc": "1.0"}, ASKED | {"params": [1]}],
    ids=repr,
)
def test_what_is_no_message_is_said_to_be_none(message: Any) -> None:
    """A line that is no message is an error; so is a batch, which MCP does not have."""
    assert read(json.dumps(message).encode()) is NO_MESSAGE


@pytest.mark.parametrize("number", [None, 1.5, True, [1], {}], ids=repr)
def test_a_request_whose_id_is_none_is_no_notification(number: Any) -> None:
    """A request with a malformed id is an error and not a notification: its sender waits for an answer."""
    assert read(json.dumps(ASKED | {"id": number}).encode()) is NO_ID


@pytest.mark.parametrize("number", [0, -1, 10**30, "", "a"])
def test_a_request_is_read_as_it_is_written(number: int | str) -> None:
    """Any number or text is an id."""
    found = read(json.dumps(ASKED | {"id": number}).encode())
    assert isinstance(found, SessionMessage)
    assert isinstance(found.message, JSONRPCRequest)
    assert json.loads(written(found)) == ASKED | {"id": number}


def test_a_notification_and_a_models_text_are_read() -> None:
    """Half a surrogate pair is replaced, and so are bytes that are no UTF-8 within JSON."""
    for line in (
        b'{"jsonrpc": "2.0", "method": "m"}',
        b'{"jsonrpc": "2.0", "method": "\\ud83d"}',
        b'{"jsonrpc": "2.0", "method": "\xff"}\r',
    ):
        assert isinstance(read(line), SessionMessage)


def test_the_answer_to_what_cannot_be_read_has_no_id() -> None:
    """The id is null, as JSON-RPC says, and the error says what is wrong."""
    answer = json.loads(written(UnreadableMessage(-32700, "why").answer))
    assert answer == {"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "why"}}
