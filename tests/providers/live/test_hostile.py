"""Servers with huge answers, invalid answers, or tools that no agent can use.

Other servers and episodes are unaffected.
"""

import json
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.shared.message import SessionMessage
from mcp.types import JSONRPCResponse, jsonrpc_message_adapter
from pydantic import ValidationError

from env_server.providers.live.connection.answers import MOST_PARTS, answerable
from env_server.providers.live.connection.lines import MOST_BYTES, WholeLines
from env_server.providers.live.results import LONGEST
from env_server.providers.spec import FailureKind
from tests.providers.live.blocks import ask, odd, running


def reply(text: str = '"seen"', structured: str = "null") -> str:
    """A result as JSON, with these values as JSON."""
    content = f'"content": [{{"type": "text", "text": {text}}}]'
    return f'{{"jsonrpc": "2.0", "id": "ID", "result": {{{content}, "structuredContent": {structured}}}}}'


async def test_a_result_that_is_too_long_is_cut() -> None:
    """Of ten megabytes the first part stays, with a note of what was left out; the structure is left out too."""
    async with running(odd=odd(allowTools=["huge", "say"])) as manager:
        found = await ask(manager, "huge", megabytes=10)
        assert (found.failure, found.structured) == (None, None)
        assert found.text.startswith("x" * LONGEST)
        assert found.text.removeprefix("x" * LONGEST) == f"... [{10_000_000 - LONGEST} characters left out]"
        assert (await ask(manager, "say", text="on")).text == "on"


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(reply(structured='{"n": 123456789012345678901234567890}'), id="wide integer"),
        pytest.param(reply(structured='{"a": ' + "[" * 400 + "]" * 400 + "}"), id="deep"),
        pytest.param(reply(structured='{"a": ' + "[" * 5000 + "]" * 5000 + "}"), id="deeper"),
        pytest.param(reply(structured='{"n": NaN, "i": Infinity}'), id="not a number"),
        pytest.param(reply(text='"a\\ud800b"'), id="half a character"),
        pytest.param(reply(text='"a\\u0000b"'), id="NUL"),
        pytest.param('{"jsonrpc": "2.0", "id": "ID", "result": {"content": "none"}}', id="no content"),
        pytest.param('{"jsonrpc": "2.0", "id": "ID", "error": {"code": "x"}}', id="no error"),
        pytest.param('{"jsonrpc": "2.0", "id": "ID", "result": null}', id="null"),
        pytest.param('{"jsonrpc": "2.0", "id": "ID"}', id="nothing"),
    ],
)
async def test_what_is_no_result_harms_nobody(body: str) -> None:
    """The call ends at once, with a result that can be stored or with a failure, and the next call is answered."""
    async with running(odd=odd(allowTools=["raw", "say"], retries=0)) as manager:
        found = await ask(manager, "raw", body=body)
        assert orjson.loads(orjson.dumps([found.text, found.structured]))
        assert "ID" not in found.text
        assert found.failure in (None, FailureKind.UNAVAILABLE)
        assert (await ask(manager, "say", text="on")).text == "on"


async def test_what_answers_nothing_is_no_answer() -> None:
    """A message without a request's number answers no request: the call times out."""
    async with running(odd=odd(allowTools=["raw", "say"], retries=0)) as manager:
        assert (await ask(manager, "raw", limit_s=2.0, body="[]")).failure is FailureKind.TIMED_OUT
        assert (await ask(manager, "say", text="on")).text == "on"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        pytest.param(reply(text='"Z\\u00fcrich \\ud83d"'), "Zürich ?", id="half a character"),
        pytest.param(reply(text='"\\ud83d\\ude00 \\\\ud83d"'), "😀 \\ud83d", id="whole characters"),
        pytest.param(reply(structured='{"a": ' + "[" * 400 + "]" * 400 + "}"), "seen", id="deep"),
    ],
)
async def test_what_can_be_read_of_a_result_is_its_text(body: str, text: str) -> None:
    """Half a character becomes a question mark, and a structure that is too deep is left out."""
    async with running(odd=odd(allowTools=["raw"], retries=0)) as manager:
        found = await ask(manager, "raw", body=body)
        assert (found.text, found.structured, found.failure) == (text, None, None)


def test_parts_without_end_are_few() -> None:
    """Adjacent texts are joined, and of a thousand other parts only the first stay."""
    text, image = {"type": "text", "text": "x"}, {"type": "image", "data": "", "mimeType": "image/png"}

    def kept(parts: list[Any]) -> Any:
        response = JSONRPCResponse(jsonrpc="2.0", id=1, result={"content": parts})
        answerable(SessionMessage(response))
        return response.result["content"]

    assert kept([text] * 1000) == [text] * 1000
    assert kept([text] * 200_000) == [{"type": "text", "text": "\n".join("x" * 200_000)}]
    cut = kept([image, text, text] * 1000)
    assert cut[:3] == [image, {"type": "text", "text": "x\nx"}, image]
    assert (len(cut), cut[-1]["text"]) == (MOST_PARTS + 1, "[1000 parts left out]")


def test_only_answers_become_errors() -> None:
    """Only a broken answer with a readable number ends its call; requests and notifications do not."""

    def failed(line: str) -> object:
        try:
            jsonrpc_message_adapter.validate_json(line)
        except ValidationError as e:
            found = answerable(e)
            return getattr(found.message, "id", None) if isinstance(found, SessionMessage) else None
        raise AssertionError(line)

    assert failed('{"jsonrpc": "2.0", "id": 7, "result": 3}') == 7
    assert failed('{"jsonrpc": "2.0", "id": "seven", "result": 3}') == "seven"
    assert failed('{"jsonrpc": "2.0", "id": 7, "result": {"a": ') == 7
    for other in ('{"id": 7, "method": 3}', '{"method": "x", "id": 7,', '{"id": true}', '{"id": [1]}', "{}", "3", "{"):
        assert failed(other) is None


async def test_a_change_of_tools_in_a_call_is_no_answer() -> None:
    """Notifications and requests that a server sends during a call do not change the result."""
    async with running(odd=odd(allowTools=["changing", "say"])) as manager:
        assert (await ask(manager, "changing")).text == "changed"
        assert (await ask(manager, "say", text="on")).text == "on"


async def test_tools_that_no_agent_can_use_are_left_out() -> None:
    """Each tool that no agent can use is named in a remark with the reason, and the server's other tools work."""
    good = {"type": "object", "properties": {}}
    odd_ones: list[dict[str, Any]] = [
        {"name": "no_schema", "inputSchema": {"type": "object", "properties": {"a": {"type": 3}}}},
        {"name": "two words", "inputSchema": good},
        {"name": "n" * 200, "inputSchema": good},
        {"name": "", "inputSchema": good},
        {"name": "endless", "inputSchema": good, "description": "x" * 100_000},
    ]
    kept = [{"name": "bare", "inputSchema": {"type": "object"}}, {"name": "say", "inputSchema": good}]
    async with running(odd=odd("--also", json.dumps([*odd_ones, *kept]))) as manager:
        names = [tool.name for tool in manager.listings()["odd"]]
        assert names.count("say") == 1
        assert "bare" in names
        assert not {str(tool["name"]) for tool in odd_ones} & set(names)
        remarks = manager.remarks()["odd"]
        for tool in odd_ones:
            assert any(repr(str(tool["name"])[:80]) in remark for remark in remarks), (tool["name"][:20], remarks)
        assert all(len(remark) < 500 for remark in remarks)
        assert (await ask(manager, "say", text="on")).text == "on"


@pytest.mark.parametrize("entry", [{"name": "bad"}, 3, {"name": "bad", "inputSchema": {"type": "array"}}])
async def test_a_listing_that_the_protocol_forbids_is_told(entry: object) -> None:
    """If a listing breaks the protocol, the server has no tools, the reason names the entry, and other servers work."""
    async with running(bad=odd("--also", json.dumps([entry])), good=odd()) as manager:
        assert set(manager.listings()) == {"good"}
        assert manager.problems()["bad"].startswith("what it lists is no list of tools: tools.")
        assert "\n" not in manager.problems()["bad"]
        assert (await ask(manager, "say", server="good", text="on")).text == "on"


async def test_an_error_of_the_servers_own_is_its_answer() -> None:
    """An error with the code -32000 is the server's answer and no outage, though a closed connection has it too."""
    async with running(odd=odd()) as manager:
        body = '{"jsonrpc": "2.0", "id": "ID", "error": {"code": -32000, "message": "Unknown ticker XYZ"}}'
        found = await ask(manager, "raw", body=body)
        assert (found.is_error, found.failure, found.metrics["retries"]) == (True, None, 0)
        assert "Unknown ticker XYZ" in found.text


async def test_a_line_without_end_ends_the_connection() -> None:
    """A line without end makes the call an outage, and a new process answers the next call."""
    async with running(odd=odd(allowTools=["huge", "say"], retries=0)) as manager:
        found = await ask(manager, "huge", megabytes=MOST_BYTES // 1_000_000)
        assert found.failure is FailureKind.UNAVAILABLE
        assert (await ask(manager, "say", text="on")).text == "on"


async def test_what_is_printed_among_messages_is_ignored() -> None:
    """Other text that a server prints on its output is ignored, and the connection stays."""
    async with running(odd=odd(allowTools=["raw", "say"])) as manager:
        found = await ask(manager, "raw", body="hello there\n\n" + reply(text='"still here"'))
        assert found.text == "still here"


@given(st.lists(st.binary(max_size=30), max_size=30), st.integers(1, 20))
def test_lines_are_whole_however_they_arrive(lines: list[bytes], size: int) -> None:
    """Messages come out whole, however the bytes are divided."""
    printed = b"".join(b"{" + line.replace(b"\n", b"") + b"\n" for line in lines)
    decoder = WholeLines("replace")
    found = "".join(decoder.decode(printed[at : at + size]) for at in range(0, len(printed), size))
    assert found == printed.decode("utf-8", "replace")
