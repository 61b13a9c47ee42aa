"""Traces, off by default: spans of requests, tool calls, users, judges and questions to models.

Names and attributes follow OpenTelemetry's conventions for HTTP and for generative AI. The MCP SDK makes the spans of
MCP: of calls of agents, and of calls to servers outside, which get the trace as `_meta.traceparent`. Endpoints of
models get no header. The spans of this module hold names, ids, counts and kinds of errors, never arguments, texts or
credentials.
"""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer, TracerProvider

SERVICE = "agent-env-server"

_OFF: AbstractContextManager[None] = nullcontext()
_CARRIED = frozenset((b"traceparent", b"tracestate"))
_NAMED = ("request_id", "episode", "turn")
_tracers: "list[Tracer]" = []


@contextmanager
def sent_to(url: str | None) -> Iterator[None]:
    """Send the spans of this process to `url` (OTLP over HTTP) while the body runs; without a `url` nothing is traced.

    Raises:
        ValueError: if the extra `traces` is not installed.
    """
    if url is None:
        yield
        return
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415 - an extra
        from opentelemetry.sdk.resources import Resource  # noqa: PLC0415 - as above
        from opentelemetry.sdk.trace import TracerProvider as Provider  # noqa: PLC0415 - as above
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415 - as above
    except ImportError as e:
        raise ValueError("ENV_SERVER_TRACES_URL needs the extra `traces`: pip install '.[traces]' in a checkout") from e
    provider = Provider(resource=Resource.create({"service.name": SERVICE}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=url)))
    with made_by(provider):
        yield
    provider.shutdown()  # sends what is left


@contextmanager
def made_by(provider: "TracerProvider") -> "Iterator[None]":
    """Make spans with `provider` while the body runs. It becomes the process's, which the MCP SDK uses."""
    from opentelemetry.trace import set_tracer_provider  # noqa: PLC0415 - only where something is traced

    set_tracer_provider(provider)
    tracer = provider.get_tracer("env_server")
    _tracers.append(tracer)
    try:
        yield
    finally:
        _tracers.remove(tracer)


def on() -> bool:
    """Return whether this process is traced."""
    return bool(_tracers)


def span(name: str, attributes: Mapping[str, Any], *, client: bool = False) -> "AbstractContextManager[Span | None]":
    """Return a context in which a span of this name is the current one. It gives None if nothing is traced.

    An exception that leaves the context is recorded by its type alone. `client` marks a request to another server.
    """
    return _made(name, attributes, client) if _tracers else _OFF


@contextmanager
def _made(name: str, attributes: Mapping[str, Any], client: bool) -> "Iterator[Span]":
    from opentelemetry.trace import SpanKind  # noqa: PLC0415 - only where something is traced

    kind = SpanKind.CLIENT if client else SpanKind.INTERNAL
    with _tracers[-1].start_as_current_span(
        name, kind=kind, attributes=attributes, record_exception=False, set_status_on_exception=False
    ) as made:
        try:
            yield made
        except BaseException as e:
            failed(made, type(e).__name__)
            raise


@contextmanager
def request(scope: Mapping[str, Any]) -> "Iterator[Span]":
    """Make the span of a request, as a child of the span that its header `traceparent` names. Only if `on()`."""
    from opentelemetry.propagate import extract  # noqa: PLC0415 - only where something is traced
    from opentelemetry.trace import SpanKind  # noqa: PLC0415 - as above

    headers = {name.decode(): value.decode("latin-1") for name, value in scope["headers"] if name in _CARRIED}
    attributes = {"http.request.method": scope.get("method", "GET"), "url.path": scope["path"]}
    with _tracers[-1].start_as_current_span(
        f"{attributes['http.request.method']} {_route(scope['path'])}",
        context=extract(headers),
        kind=SpanKind.SERVER,
        attributes=attributes,
        record_exception=False,
        set_status_on_exception=False,
    ) as made:
        yield made


def answered(made: "Span", status: int, state: Mapping[str, Any]) -> None:
    """Add the status of the answer to the span of a request, and what `state` names for the log of requests."""
    made.set_attribute("http.response.status_code", status)
    for name in _NAMED:
        if name in state:
            made.set_attribute(f"env_server.{name}", state[name])
    if status >= 500:
        failed(made, str(status))


def failed(made: "Span | None", kind: str) -> None:
    """Mark a span as failed, for a reason of this kind."""
    if made is not None:
        from opentelemetry.trace import StatusCode  # noqa: PLC0415 - only where something is traced

        made.set_attribute("error.type", kind)
        made.set_status(StatusCode.ERROR)


def _route(path: str) -> str:
    """Return a path without the ids of episodes in it, so that spans of one kind have one name."""
    return "/".join("{episode_id}" if part.startswith("ep_") else part for part in path.split("/"))
