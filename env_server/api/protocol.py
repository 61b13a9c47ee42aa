"""HTTP connections whose request heads are bounded: the parser below has no limit of its own."""

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

LARGEST_HEAD = 65_536
"""Bytes of a request line and headers."""

REFUSAL = b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class BoundedHeads(HttpToolsProtocol):
    """Closes a connection whose request head grows beyond `LARGEST_HEAD`, before anything of it is believed."""

    _in_head = True
    _head_bytes = 0

    def data_received(self, data: bytes) -> None:
        """Parse what came; a head that is still open after too many bytes is refused."""
        super().data_received(data)
        if not self._in_head:
            return
        self._head_bytes += len(data)
        if self._head_bytes > LARGEST_HEAD and not self.transport.is_closing():
            self.transport.write(REFUSAL)
            self.transport.close()

    def on_message_begin(self) -> None:
        """A request begins."""
        self._in_head, self._head_bytes = True, 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Its head is complete."""
        self._in_head = False
        super().on_headers_complete()
