"""The messages of `env-server mcp`: one JSON text per line."""

from collections.abc import AsyncIterable, AsyncIterator
from dataclasses import dataclass

from mcp.shared.message import SessionMessage
from mcp.types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError
from pydantic_core import from_json

from env_server.api.body import mended


@dataclass(frozen=True)
class UnreadableMessage:
    """A line that is not a valid message."""

    code: int
    """JSON-RPC's error code for the fault."""
    why: str

    @property
    def answer(self) -> SessionMessage:
        """Return the error for the sender. The request's id is unknown, so the error has none."""
        return SessionMessage(JSONRPCError(jsonrpc="2.0", id=None, error=ErrorData(code=self.code, message=self.why)))


Incoming = SessionMessage | UnreadableMessage

NO_JSON = UnreadableMessage(PARSE_ERROR, "this line is not JSON")
NO_MESSAGE = UnreadableMessage(INVALID_REQUEST, "this line is not one JSON-RPC request, notification or response")
NO_ID = UnreadableMessage(INVALID_REQUEST, "the id of a request is text or a whole number")


async def messages(lines: AsyncIterable[bytes]) -> AsyncIterator[Incoming]:
    """Yield each line as a message, and skip empty lines."""
    async for line in lines:
        if line.strip():
            yield read(line)


def read(line: bytes) -> Incoming:
    """Return one line as a message.

    Half surrogate pairs are replaced first, since a strict parser would refuse them.
    """
    try:
        found = from_json(mended(line).decode("utf-8", "replace"))
    except ValueError:
        return NO_JSON
    try:
        message: JSONRPCMessage = jsonrpc_message_adapter.validate_python(found, by_name=False)
    except ValidationError:
        return NO_MESSAGE
    if isinstance(message, JSONRPCNotification) and "id" in found:  # the id has a type that the SDK does not answer
        return NO_ID
    return SessionMessage(message)


def written(message: SessionMessage) -> bytes:
    """Return a message as a line."""
    return message.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
