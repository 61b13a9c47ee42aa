"""Output to a reader that may not read."""

import asyncio
import os

import anyio
import pytest
from mcp.shared.message import SessionMessage
from mcp.types import JSONRPCNotification

from env_server.commands.mcp.messages import written
from env_server.commands.mcp.output import Output

SHORT = SessionMessage(JSONRPCNotification(jsonrpc="2.0", method="m"))
LONG = SessionMessage(JSONRPCNotification(jsonrpc="2.0", method="m" * 200_000))
SOON_S = 0.3


@pytest.fixture
def pipe() -> tuple[int, int]:
    """A pipe's two ends. The test closes both, or leaves one to a thread that is stuck in it."""
    return os.pipe()


async def test_a_message_is_a_line(pipe: tuple[int, int]) -> None:
    """Each message is a line, in the order of sending, and is written when `send` returns."""
    reads, writes = pipe
    output = Output(writes)
    await asyncio.gather(output.send(SHORT), output.send(SHORT))
    assert os.read(reads, 1_000) == written(SHORT) * 2


async def test_a_write_that_nobody_reads_can_be_called_off(pipe: tuple[int, int]) -> None:
    """The write can be cancelled, and is found to be stuck after the time that a reader gets."""
    output = Output(pipe[1])
    sending = asyncio.create_task(output.send(LONG))
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(output.stuck(60), SOON_S)
    await asyncio.wait_for(output.stuck(SOON_S), 300)
    sending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await sending


async def test_who_reads_slowly_or_has_nothing_to_read_is_waited_for(pipe: tuple[int, int]) -> None:
    """A reader that reads a little now and then is waited for; after everything was written nothing is stuck."""
    reads, writes = pipe
    output = Output(writes)
    sending = asyncio.create_task(output.send(LONG))
    stuck = asyncio.create_task(output.stuck(2.0))
    left = len(written(LONG))
    while left:
        left -= len(await asyncio.to_thread(os.read, reads, 10_000))
        await asyncio.sleep(0.15)
    await sending
    await asyncio.sleep(2.5)
    assert not stuck.done()
    stuck.cancel()


async def test_a_pipe_that_does_not_block_is_written_to_its_end(pipe: tuple[int, int]) -> None:
    """Some clients' pipes do not block: what does not fit is written later."""
    reads, writes = pipe
    os.set_blocking(writes, False)
    sending = asyncio.create_task(Output(writes).send(LONG))
    left = len(written(LONG))
    while left:
        left -= len(await asyncio.to_thread(os.read, reads, 65_536))
    await sending


async def test_a_reader_that_is_gone_is_an_error(pipe: tuple[int, int]) -> None:
    """Without a reader every message is an error, not only the first."""
    os.close(pipe[0])
    output = Output(pipe[1])
    for _ in range(2):
        with pytest.raises(anyio.BrokenResourceError):
            await output.send(SHORT)
