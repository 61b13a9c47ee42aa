"""Spans of a real server: a trainer's trace goes through the request, over HTTP and MCP, to tools, users and judges."""

import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import httpx2
import pytest
import uvicorn
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from env_server.app import create_app
from env_server.settings import Settings
from env_server.telemetry import traces
from tests.standin.judges import all_met
from tests.standin.server import StandIn

PATIENCE_S = 120.0
TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
CARRIED = {"traceparent": f"00-{TRACE}-{PARENT}-01"}
SECRET = "the words of the agent"
JUDGED = {
    "instruction": "Which products are there?",
    "gold": {},
    "assertions": ["The agent says something."],
    "basis": ["nl_assertions"],
}


@dataclass(frozen=True)
class Traced:
    """A server in this process, and the spans that it has ended."""

    url: str
    exporter: InMemorySpanExporter

    def post(self, path: str, headers: dict[str, str] | None = None, **body: Any) -> dict[str, Any]:
        """Send a request that must succeed."""
        reply = httpx2.post(self.url + path, json=body, headers=headers or {}, timeout=PATIENCE_S)
        assert reply.status_code == 200, reply.text
        found: dict[str, Any] = reply.json()
        return found

    def spans(self, last: str) -> list[ReadableSpan]:
        """Wait for a span called `last`, and return the spans that have ended since the previous call."""
        until = time.monotonic() + PATIENCE_S
        found = self.exporter.get_finished_spans()
        while last not in {span.name for span in found}:
            assert time.monotonic() < until, [span.name for span in found]
            time.sleep(0.01)
            found = self.exporter.get_finished_spans()
        self.exporter.clear()
        return list(found)


@pytest.fixture(scope="module")
def traced(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Traced]:
    """A server on a socket, whose users and judge are a stand-in, and whose spans stay in memory."""
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    with StandIn(all_met) as judge, StandIn("I would like some help, please.") as user, traces.made_by(provider):
        settings = Settings(
            _env_file=None,
            database_url=f"sqlite:///{tmp_path_factory.mktemp('traced')}/env.db",
            domains="retail",
            user_base_url=user.url,
            user_model="a-user",
            judge_base_url=judge.url,
            judge_model="a-judge",
        )
        server = uvicorn.Server(uvicorn.Config(create_app(settings), host="127.0.0.1", port=0, log_config=None))
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        while not server.started:
            assert thread.is_alive()
            time.sleep(0.01)
        yield Traced(f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}", exporter)
        server.should_exit = True
        thread.join(PATIENCE_S)
    provider.shutdown()


def named(spans: list[ReadableSpan], name: str) -> ReadableSpan:
    """Return the only span of this name."""
    (found,) = (span for span in spans if span.name == name)
    return found


def under(child: ReadableSpan, parent: ReadableSpan) -> bool:
    """Return whether a span is the child of another, in its trace."""
    ours, theirs = child.parent, parent.context
    assert ours is not None
    assert theirs is not None
    return (ours.trace_id, ours.span_id) == (theirs.trace_id, theirs.span_id)


def test_a_step_continues_the_trainers_trace(traced: Traced) -> None:
    """The request is a child of the header's span, each call of a tool a child of the request; failures are marked."""
    episode = traced.post("/reset", domain="retail", split="test", index=0)["episode_id"]
    traced.spans("POST /reset")
    calls = [
        {"name": "list_all_product_types", "arguments": {}},
        {"name": "get_user_details", "arguments": {"user_id": SECRET}},
        {"name": "an_invented_tool", "arguments": {}},
    ]
    traced.post("/step", CARRIED, episode_id=episode, action={"tool_calls": calls})
    spans = traced.spans("POST /step")
    request = named(spans, "POST /step")
    assert request.parent is not None
    assert (f"{request.parent.trace_id:032x}", f"{request.parent.span_id:016x}") == (TRACE, PARENT)
    assert request.attributes is not None
    assert (request.attributes["env_server.turn"], request.attributes["http.response.status_code"]) == (1, 200)
    tools = [span for span in spans if span.name == "execute_tool"]
    assert all(under(tool, request) for tool in tools)
    told = [dict(tool.attributes or {}) for tool in tools]
    assert [about.get("gen_ai.tool.name") for about in told] == ["list_all_product_types", "get_user_details", None]
    assert [about.get("error.type") for about in told] == [None, "tool_error", "unknown_tool"]
    assert [tool.status.status_code for tool in tools] == [StatusCode.UNSET, StatusCode.ERROR, StatusCode.ERROR]
    assert {about["env_server.episode"] for about in told} == {episode}


def test_a_user_and_a_judge_that_are_models(traced: Traced) -> None:
    """Questions to models are children of the user or of the judge, which are children of the request, with tokens."""
    begun = traced.post("/reset", domain="retail", split="test", index=0, user={"strategy": "llm"})
    traced.spans("POST /reset")
    traced.post("/step", CARRIED, episode_id=begun["episode_id"], action=SECRET)
    spans = traced.spans("POST /step")
    assert under(named(spans, "user"), named(spans, "POST /step"))
    chat = named(spans, "chat")
    assert under(chat, named(spans, "user"))
    assert chat.attributes is not None
    assert chat.attributes["gen_ai.request.model"] == "a-user"
    assert int(str(chat.attributes["gen_ai.usage.output_tokens"])) > 0
    begun = traced.post("/reset", domain="retail", task=JUDGED, user={"strategy": "none"})
    traced.spans("POST /reset")
    done = {"tool_calls": [{"name": "done", "arguments": {}}]}
    assert traced.post("/step", CARRIED, episode_id=begun["episode_id"], action=done)["reward"] == 1.0
    spans = traced.spans("POST /step")
    judge = named(spans, "judge")
    assert under(judge, named(spans, "POST /step"))
    assert under(named(spans, "chat"), judge)
    assert {f"{span.context.trace_id:032x}" for span in spans if span.context} == {TRACE}


async def test_an_agent_over_mcp(traced: Traced) -> None:
    """A client's call within a span of the agent leads through MCP to the tool in one trace."""
    begun = traced.post("/reset", domain="retail", split="test", index=0)
    traced.spans("POST /reset")
    headers = {"Authorization": f"Bearer {begun['agent_token']}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=PATIENCE_S) as http,
        Client(streamable_http_client(begun["mcp_url"], http_client=http)) as client,
    ):
        with traces.span("agent", {}):
            await client.call_tool("list_all_product_types", {})
    spans = {span.context.span_id: span for span in traced.spans("agent") if span.context}
    (tool,) = (span for span in spans.values() if span.name == "execute_tool")
    names, span = [], tool
    while span.parent is not None:
        span = spans[span.parent.span_id]
        names.append(span.name)
    assert names[-1] == "agent", names
    assert any("list_all_product_types" in name for name in names), names


def test_spans_tell_no_words_and_no_credentials(traced: Traced) -> None:
    """No attribute of a span has words of the agent or a credential of the request."""
    episode = traced.post("/reset", domain="retail", split="test", index=0, user={"strategy": "llm"})["episode_id"]
    key = {"Authorization": "Bearer a-key-of-somebody"}
    traced.post("/step", key, episode_id=episode, action=SECRET)
    call = {"tool_calls": [{"name": "get_user_details", "arguments": {"user_id": SECRET}}]}
    traced.post("/step", key, episode_id=episode, action=call)
    shown = "".join(span.to_json() for span in traced.spans("POST /step"))
    assert episode in shown
    for word in (SECRET, "a-key-of-somebody", "I would like some help"):
        assert word not in shown


def test_without_a_provider_there_is_nothing() -> None:
    """Without a provider a span is None; a provider that is set for a while leaves it as before."""
    before = traces.on()
    with traces.made_by(TracerProvider()), traces.span("a", {}) as span:
        assert traces.on()
        assert span is not None
    assert traces.on() == before


def _decoded(body: bytes) -> ExportTraceServiceRequest:
    found = ExportTraceServiceRequest()
    found.ParseFromString(body)
    return found


def test_spans_are_sent_by_otlp() -> None:
    """A collector on a socket has received the spans, with the service's name, by the end of the server."""
    received: list[bytes] = []

    class Collector(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            received.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            """Print nothing."""

    with HTTPServer(("127.0.0.1", 0), Collector) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with traces.sent_to(f"http://127.0.0.1:{server.server_port}/v1/traces"), traces.span("sent", {"a": 1}):
            pass
        server.shutdown()
    sent = [_decoded(body) for body in received]
    (resource,) = (entry for message in sent for entry in message.resource_spans)
    assert [span.name for scope in resource.scope_spans for span in scope.spans] == ["sent"]
    assert {a.key: a.value.string_value for a in resource.resource.attributes}["service.name"] == traces.SERVICE


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """With an address and without the libraries, the server does not start, and says what to install."""
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    with pytest.raises(ValueError, match="extra `traces`"), traces.sent_to("http://127.0.0.1:1/v1/traces"):
        pass
