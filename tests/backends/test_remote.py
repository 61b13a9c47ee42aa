"""Playing on a server: its time to retry is kept, and an error never quotes a key."""

import httpx2
import pytest

from agent_env_schemas import ErrorCode, StepRequest
from env_server.backends.remote import RemoteBackend, on_server
from env_server.errors import ProblemError


def busy(after: str) -> httpx2.MockTransport:
    """Return a response of a server whose user does not answer, with this `Retry-After` header."""
    fields = {"title": "", "status": 503, "detail": "busy", "code": "user_unavailable", "retryable": True}
    return httpx2.MockTransport(lambda _: httpx2.Response(503, json=fields, headers={"retry-after": after}))


@pytest.mark.parametrize(("header", "seconds"), [("17", 17.0), ("Fri, 31 Dec 1999 23:59:59 GMT", None), ("", None)])
async def test_when_to_try_again_is_kept(header: str, seconds: float | None) -> None:
    """A problem of a server keeps the seconds after which to try again, as a problem in this process does."""
    async with httpx2.AsyncClient(transport=busy(header), base_url="http://server") as client:
        with pytest.raises(ProblemError) as caught:
            await RemoteBackend(client).step(StepRequest(episode_id="ep", turn=1, action="Hello."))
    error = caught.value
    assert (error.code, error.retryable, error.retry_after) == (ErrorCode.USER_UNAVAILABLE, True, seconds)


@pytest.mark.parametrize("key", ["sk-secret\n", "sk-sécret", ""])
async def test_a_key_that_no_header_can_carry_is_not_quoted(key: str) -> None:
    """The key is refused before anything is sent, and the message does not hold it."""
    with pytest.raises(ProblemError, match="the key is empty or has characters") as caught:
        await on_server("http://127.0.0.1:9", key).__aenter__()
    assert key.strip() not in str(caught.value) or not key
