"""HTTP connections with a size limit for request heads. The HTTP parser has no limit of its own."""

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

LARGEST_HEAD = 65_536
"""Maximum size in bytes of the request line and the headers."""

REFUSAL = b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class BoundedHeads(HttpToolsProtocol):
    """Closes a connection whose request head grows beyond `LARGEST_HEAD`, before the application sees the request."""

    _in_head = True
    _head_bytes = 0

    def data_received(self, data: bytes) -> None:
        """Parse `data`. Refuse the request if its head is still incomplete after `LARGEST_HEAD` bytes."""
        super().data_received(data)
        if not self._in_head:
            return
        self._head_bytes += len(data)
        if self._head_bytes > LARGEST_HEAD and not self.transport.is_closing():
            self.transport.write(REFUSAL)
            self.transport.close()

    def on_message_begin(self) -> None:
        """Start counting the bytes of a request's head."""
        self._in_head, self._head_bytes = True, 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Stop counting: the head is complete."""
        self._in_head = False
        super().on_headers_complete()
