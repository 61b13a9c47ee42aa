"""A WebSocket client that sends what OpenEnv's client 0.10 sends, without any of its code."""

import json
import socket
import struct
from types import TracebackType
from typing import Any, Self

from websockets.sync.client import connect

PATIENCE_S = 30.0


class Socket:
    """One connection; every call sends one message and returns the frame that answers it."""

    def __init__(
        self, url: str, path: str = "/ws", key: str | None = None, host: str | None = None, **headers: str
    ) -> None:
        """Connect to the server at `url` under the name `host`, if that is given."""
        sent = {**headers, **({} if key is None else {"Authorization": f"Bearer {key}"})}
        reached, _, port = url.removeprefix("http://").partition(":")
        address = f"ws://{host or reached}:{port}{path}"
        self._pipe = socket.create_connection((reached, int(port)))
        self._connection = connect(address, sock=self._pipe, additional_headers=sent, proxy=None, max_size=None)

    def __enter__(self) -> Self:
        """Connect.

        Raises:
            websockets.exceptions.InvalidStatus: if the server refuses.
        """
        self.raw = self._connection.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave."""
        self._connection.__exit__(kind, error, trace)

    def vanish(self) -> None:
        """Drop the connection without closing it, as a client whose machine loses power."""
        linger = struct.pack("ii", 1, 0)
        self._pipe.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)  # reset the connection, do not close it
        self._pipe.close()

    def send(self, message: Any) -> None:
        """Send a message (text as it is), and do not wait."""
        self.raw.send(message if isinstance(message, str) else json.dumps(message))

    def receive(self) -> Any:
        """The next frame."""
        return json.loads(self.raw.recv(PATIENCE_S))

    def ask(self, message: Any) -> Any:
        """The frame that answers `message`."""
        self.send(message)
        return self.receive()

    def reset(self, **data: Any) -> Any:
        """Reset. Return what the client's `reset` returns: observation, reward, done and metadata."""
        return _result(self.ask({"type": "reset", "data": data}))

    def step(self, **action: Any) -> Any:
        """Step. Return what the client's `step` returns."""
        return _result(self.ask({"type": "step", "data": action}))

    def state(self) -> Any:
        """Ask for the state. Return what the client's `state` returns."""
        return _result(self.ask({"type": "state"}))

    def refused(self, message: Any) -> tuple[str, str]:
        """OpenEnv's error code and ours, from the error that answers `message`."""
        frame = self.ask(message)
        assert frame["type"] == "error", frame
        assert frame["data"]["message"]
        return frame["data"]["code"], frame["data"]["problem"]["code"]


def _result(frame: Any) -> Any:
    assert frame["type"] in {"observation", "state"}, frame
    return frame["data"]


def stepping(**action: Any) -> dict[str, Any]:
    """The message of a step."""
    return {"type": "step", "data": action}


def resetting(**data: Any) -> dict[str, Any]:
    """The message of a reset."""
    return {"type": "reset", "data": data}
