"""Usual calls, which the server answers itself, get the very bytes that the SDK would send."""

import json
from typing import Any

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from env_server.api.mcp.direct import METHOD, VERSION, encoded, usual_call
from tests.api.mcp.table import Json, Table, bearer
from tests.e2e.server import PATIENCE_S

DIRECT, BY_THE_SDK = "application/json, text/event-stream", "text/event-stream, application/json"
"""Two headers of one meaning. A call with the second one is not usual."""

META: Json = {
    "io.modelcontextprotocol/protocolVersion": VERSION,
    "io.modelcontextprotocol/clientCapabilities": {"sampling": {}},
    "io.modelcontextprotocol/clientInfo": {"name": "a client", "version": "1"},
}
ORDER = {"name": "get_order_details", "arguments": {"order_id": "#W0000001"}}
CALLS: dict[str, Json] = {
    "a look-up": ORDER,
    "the state": {**ORDER, "meta": {"agent-env-server/status": True}},
    "a progress token": {**ORDER, "meta": {"progressToken": 7}},
    "a key": {**ORDER, "meta": {"agent-env-server/idempotency-key": "k"}},
    "a bad key": {**ORDER, "meta": {"agent-env-server/idempotency-key": 1}},
    "an id that is text": {**ORDER, "id": 'one "é"'},
    "no arguments": {"name": "list_all_product_types"},
    "null arguments": {"name": "list_all_product_types", "arguments": None},
    "an unknown tool": {"name": "no_such_tool", "arguments": {"é": ["\U0001f600", None, 1.5, 10**30, -0.0]}},
    "a bad argument": {"name": "get_order_details", "arguments": {"colour": "red"}},
    "an order that is not there": {"name": "get_order_details", "arguments": {"order_id": "é"}},
    "words": {"name": "respond", "arguments": {"message": "Hello \U0001f600?"}},
    "bad words": {"name": "respond", "arguments": {"message": 7}},
}
UNUSUAL: dict[str, Json] = {
    "another method": {"method": "tools/list"},
    "another header": {"headers": {"mcp-name": "think"}},
    "a header that is missing": {"headers": {"mcp-method": None}},
    "an encoded name": {"name": "=?base64?dGhpbms=?="},
    "a name in other letters": {"name": "dénke"},
    "a name with a space": {"name": "think "},
    "another version": {"meta": {"io.modelcontextprotocol/protocolVersion": "2025-11-25"}},
    "no capabilities": {"meta": {"io.modelcontextprotocol/clientCapabilities": None}},
    "a client without a name": {"meta": {"io.modelcontextprotocol/clientInfo": {"version": "1"}}},
    "a level that is none": {"meta": {"io.modelcontextprotocol/logLevel": "loud"}},
    "a token that is a list": {"meta": {"progressToken": []}},
    "answers": {"inputResponses": None},
    "a list of arguments": {"arguments": []},
    "a flag for an id": {"id": True},
    "a fraction for an id": {"id": 1.5},
    "no id": {"id": None},
    "another envelope": {"jsonrpc": "1.0"},
}


def request_of(call: Json, accept: str = DIRECT) -> tuple[dict[str, str], bytes]:
    """The headers and the body of a call's request."""
    given = {**ORDER, **call}
    meta = {**META, **given.pop("meta", {})}
    changed = given.pop("headers", {})
    number, method, version = given.pop("id", 1), given.pop("method", METHOD), given.pop("jsonrpc", "2.0")
    headers: Json = {"content-type": "application/json", "accept": accept, "mcp-protocol-version": VERSION}
    headers |= {"mcp-method": method, "mcp-name": given["name"], **changed}
    body = {"jsonrpc": version, "id": number, "method": method, "params": {**given, "_meta": meta}}
    return {name: value for name, value in headers.items() if value is not None}, json.dumps(body).encode()


def is_usual(headers: dict[str, str], body: bytes) -> bool:
    """Whether the server answers a request itself."""
    return usual_call([(name.encode(), value.encode()) for name, value in headers.items()], body) is not None


def answers(table: Table, calls: list[Json], accept: str) -> list[Any]:
    """Status, headers and body of the answers to calls of a new episode."""
    episode, found = table.begin(), []
    for call in calls:
        headers, body = request_of(call, accept)
        headers |= bearer(episode["agent_token"])
        answer = httpx2.post(episode["mcp_url"], content=body, headers=headers, timeout=PATIENCE_S)
        kept = [pair for pair in answer.headers.multi_items() if pair[0] not in ("x-request-id", "date")]
        found.append((answer.status_code, kept, answer.content))
    return found


def test_the_answers_are_those_of_the_sdk(table: Table) -> None:
    """Calls, failed calls, refusals and errors of the protocol are the same to the byte."""
    calls = [*CALLS.values(), {"name": "transfer_to_human_agents", "arguments": {"summary": "x"}}, ORDER]
    assert all(is_usual(*request_of(call)) for call in calls)
    assert not any(is_usual(*request_of(call, BY_THE_SDK)) for call in calls)
    assert answers(table, calls, DIRECT) == answers(table, calls, BY_THE_SDK)


@pytest.mark.parametrize("call", UNUSUAL.values(), ids=UNUSUAL.keys())
def test_what_the_sdk_has_to_judge_is_left_to_it(call: Json) -> None:
    """A call with anything that the protocol may refuse is not usual."""
    assert is_usual(*request_of({}))
    assert not is_usual(*request_of(call))


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{", b'{"a": "\\ud83d"}', b"\xff", "{}".encode("utf-16"), b"[" * 500], ids=repr
)
def test_what_is_no_object_is_left_to_it(body: bytes) -> None:
    """Bodies that are no single JSON object are not usual."""
    assert not is_usual(request_of({})[0], body)


def test_repeated_headers_are_left_to_it() -> None:
    """The SDK refuses a repeated header that routes a request."""
    headers, body = request_of({})
    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    assert usual_call(pairs, body) is not None
    assert usual_call([*pairs, (b"mcp-name", b"get_order_details")], body) is None


@given(
    st.text('\0\b\t\n\f\r\x1f\x7f\\"/ aé\u2028\U0001f600') | st.integers() | st.floats(allow_nan=False), st.booleans()
)
def test_answers_are_written_as_the_sdk_writes_them(value: Any, structured: bool) -> None:
    """Text is ASCII with the same escapes; ids and numbers are the same, too."""
    answer = {"id": value if isinstance(value, int) else 1, "result": {"text": str(value)}}
    if structured:
        answer["structuredContent"] = {"value": value}
    assert encoded(answer) == json.dumps(answer, separators=(",", ":")).encode()
