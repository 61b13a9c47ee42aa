"""A client of OpenEnv's WebSocket: what its 0.10 client sends, and nothing of it."""

import json
import socket
import struct
from types import TracebackType
from typing import Any, Self

from websockets.sync.client import connect

PATIENCE_S = 30.0


class Socket:
    """One connection; every call sends one message and gives the frame that answers it."""

    def __init__(
        self, url: str, path: str = "/ws", key: str | None = None, host: str | None = None, **headers: str
    ) -> None:
        """Reach for the server at `url`, by the name `host` if that is given."""
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
        """Be gone without a word, as a client is whose machine loses power."""
        linger = struct.pack("ii", 1, 0)
        self._pipe.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)  # reset the connection, do not finish it
        self._pipe.close()

    def send(self, message: Any) -> None:
        """Send a message, as it is if it is text, and do not wait."""
        self.raw.send(message if isinstance(message, str) else json.dumps(message))

    def receive(self) -> Any:
        """The next frame."""
        return json.loads(self.raw.recv(PATIENCE_S))

    def ask(self, message: Any) -> Any:
        """The frame that answers `message`."""
        self.send(message)
        return self.receive()

    def reset(self, **data: Any) -> Any:
        """What the client's `reset` gives: observation, reward, done and metadata."""
        return _result(self.ask({"type": "reset", "data": data}))

    def step(self, **action: Any) -> Any:
        """What the client's `step` gives."""
        return _result(self.ask({"type": "step", "data": action}))

    def state(self) -> Any:
        """What the client's `state` gives."""
        return _result(self.ask({"type": "state"}))

    def refused(self, message: Any) -> tuple[str, str]:
        """OpenEnv's code and ours of the error that answers `message`."""
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
