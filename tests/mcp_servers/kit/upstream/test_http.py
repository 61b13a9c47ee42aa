import logging

import pytest
import stamina
from stamina.instrumentation import RetryDetails, get_on_retry_hooks, set_on_retry_hooks

from mcp_servers.kit.errors import ErrorKind, UpstreamError
from mcp_servers.kit.upstream.http import Upstream
from tests.mcp_servers.faults import ENDLESS, Fault
from tests.mcp_servers.kit.counting import KEY, Things, client

pytestmark = pytest.mark.usefixtures("impatient")

ODD = ["AAPL", "A/B", "a b", "%2F", "x?y=1#z", "ü\n\x00", "a;b,c", "...", "'\"<"]


@pytest.mark.parametrize("text", ODD[:7] + ODD[8:])
async def test_an_argument_is_one_segment(things: Things, text: str) -> None:
    """Whatever an argument holds, the service gets it as one segment of the path, unchanged."""
    assert (await client(things)[0].get("things", text))["thing"] == text


@pytest.mark.parametrize("text", ["", ".", "..", "..."])
async def test_dots_and_nothing_are_no_segment(things: Things, text: str) -> None:
    """An argument that would change the address of a request is refused before anything is sent."""
    upstream, faulty = client(things)
    with pytest.raises(UpstreamError, match=r"\[bad_request\]"):
        await upstream.get("things", text)
    assert faulty.requests == []


async def test_parameters(things: Things) -> None:
    """None is left out, true and false become words, and of a list every item is given."""
    await client(things)[0].get("things", "x", params={"a": None, "b": True, "c": ["1", "2"], "d": "é&="})
    assert things.asked[0].query_string == "b=true&c=1&c=2&d=%C3%A9%26%3D"
    assert things.asked[0].query_all("c") == ["1", "2"]


async def test_the_key_stands_in_a_header_alone(things: Things) -> None:
    """The key is in no address and in no body."""
    upstream, _ = client(things)
    await upstream.get("things", "x", params={"a": 1})
    await upstream.post("things", json={"b": 2}, write=True)
    for ask in things.asked:
        assert ask.bearer == KEY
        assert KEY not in f"{ask.base}{ask.url_path}{ask.query_string}{ask.raw!r}"
    assert KEY not in repr(upstream.service)


def patience(fault: Fault) -> float:
    """Seconds in which an answer has to come: few only where none comes."""
    return 0.05 if fault in ENDLESS else 60.0


KINDS: dict[Fault, ErrorKind] = {
    "429": ErrorKind.RATE_LIMITED,
    "429-date": ErrorKind.RATE_LIMITED,
    "500": ErrorKind.UNAVAILABLE,
    "503-html": ErrorKind.UNAVAILABLE,
    "slow": ErrorKind.TIMED_OUT,
    "drip": ErrorKind.TIMED_OUT,
    "cut": ErrorKind.UNAVAILABLE,
    "short": ErrorKind.UNAVAILABLE,
    "malformed": ErrorKind.MALFORMED,
    "html": ErrorKind.MALFORMED,
    "empty": ErrorKind.MALFORMED,
    "huge": ErrorKind.MALFORMED,
    "redirect": ErrorKind.MALFORMED,
    "echo": ErrorKind.BAD_REQUEST,
}


@pytest.mark.parametrize("fault", KINDS)
async def test_a_read_that_fails_is_a_typed_error(things: Things, fault: Fault) -> None:
    """Each way to fail has its kind, and the text says what to do and holds no key."""
    upstream, _ = client(things, always=fault, timeout_s=patience(fault))
    with pytest.raises(UpstreamError) as failed:
        await upstream.get("things", "x")
    assert failed.value.kind is KINDS[fault]
    assert str(failed.value).startswith(f"[{KINDS[fault]}] ")
    assert "; " in str(failed.value)
    assert KEY not in str(failed.value)
    assert "leaked" not in str(failed.value)


@pytest.mark.parametrize("fault", ["429", "500", "503-html", "slow", "cut"])
async def test_a_read_is_made_again(things: Things, fault: Fault) -> None:
    """A passing failure is overcome, in as many attempts as the settings allow."""
    upstream, faulty = client(things, [fault, fault], timeout_s=patience(fault))
    assert (await upstream.get("things", "x"))["thing"] == "x"
    assert len(faulty.requests) == 3


@pytest.mark.parametrize("fault", ["malformed", "html", "redirect", "echo", "huge"])
async def test_what_will_not_pass_is_not_tried_again(things: Things, fault: Fault) -> None:
    """A failure that another attempt cannot overcome is told at once."""
    upstream, faulty = client(things, always=fault)
    with pytest.raises(UpstreamError):
        await upstream.get("things", "x")
    assert len(faulty.requests) == 1


@pytest.mark.parametrize("fault", ["500", "503-html", "slow", "drip", "cut", "malformed", "html", "empty", "redirect"])
async def test_a_write_that_may_have_happened_is_made_once(things: Things, fault: Fault) -> None:
    """Where a write's answer is lost its outcome is unknown, and the service sees one request."""
    upstream, faulty = client(things, always=fault, timeout_s=patience(fault))
    with pytest.raises(UpstreamError, match="it may have taken place") as failed:
        await upstream.post("things", json={"text": "hello"}, write=True)
    assert failed.value.kind is ErrorKind.OUTCOME_UNKNOWN
    assert len(faulty.requests) == 1


async def test_a_write_that_was_turned_away_is_made_again(things: Things) -> None:
    """After two times 429 the write takes place, once."""
    upstream, faulty = client(things, ["429", "429"])
    assert await upstream.post("things", json={"text": "hello"}, write=True) == {"ok": True}
    assert (len(faulty.requests), things.written) == (3, [{"text": "hello"}])


async def test_a_refused_write_did_not_happen(things: Things) -> None:
    """An error of the caller's is told as such, not as an unknown outcome."""
    upstream, _ = client(things, always="echo")
    with pytest.raises(UpstreamError) as failed:
        await upstream.post("things", json={}, write=True)
    assert failed.value.kind is ErrorKind.BAD_REQUEST


async def test_a_post_that_only_asks_is_made_again(things: Things) -> None:
    """A POST that changes nothing is retried as a read is."""
    upstream, faulty = client(things, ["500", "cut"])
    assert await upstream.post("things", json={}) == {"ok": True}
    assert len(faulty.requests) == 3


async def test_retry_after_is_kept_to(things: Things) -> None:
    """The pause before another attempt is the one that the service asked for."""
    pauses: list[float] = []

    def hook(details: RetryDetails) -> None:
        pauses.append(details.wait_for)

    before = get_on_retry_hooks()
    set_on_retry_hooks([hook])
    try:
        with stamina.set_testing(False):
            upstream, _ = client(things, ["429"])
            await upstream.get("things", "x")
    finally:
        set_on_retry_hooks(before)
    assert pauses == [0.0]


async def test_a_long_retry_after_is_told(things: Things) -> None:
    """If the service asks for a longer pause than the server waits, the call fails and says so."""
    upstream, faulty = client(things, always="429-date")
    with pytest.raises(UpstreamError, match=r"wait \d+ s before you call again"):
        await upstream.get("things", "x")
    assert len(faulty.requests) == 1


async def test_the_rate_limit_is_kept(things: Things) -> None:
    """A call beyond the limit that would wait too long is not made."""
    upstream, faulty = client(things, per_minute=1, headers={"Authorization": f"Bearer {KEY}", "X-Test": "rate"})
    await upstream.get("things", "x")
    with pytest.raises(UpstreamError, match=r"\[rate_limited\] things may be called 1 times a minute"):
        await upstream.get("things", "x")
    assert len(faulty.requests) == 1


@pytest.mark.parametrize("as_given", [True, False])
async def test_a_cursor_leads_to_the_next_page(things: Things, as_given: bool) -> None:
    """The vendor's address and the cursor that is made of it lead to the same page, without the key in it."""
    upstream, _ = client(things)
    following = (await upstream.get("pages", "1", "rows"))["next_url"]
    cursor = upstream.cursor(following)
    assert cursor is not None
    assert "things.example" not in cursor
    found = await upstream.follow(following if as_given else cursor, "pages")
    assert (found["page"], found["query"]) == ("2", {"from": "7"})


@pytest.mark.parametrize(
    "url",
    ["https://evil.example/api/things/x", "//evil.example/api/things/x", "http://things.example.evil/api/things/x"],
)
async def test_another_host_is_never_asked(things: Things, url: str) -> None:
    """Of an address on another host only the path is used, at the service's own."""
    upstream, faulty = client(things)
    cursor = upstream.cursor(url)
    assert cursor is not None
    await upstream.follow(cursor)
    assert dict(faulty.requests[0]["headers"])[b"host"] == b"things.example"


@pytest.mark.parametrize(
    "made", ["https://things.example/elsewhere/x", "not base64!", "", "AAAA", "L3RoaW5ncy94", "eA", "http://[::1"]
)
async def test_a_forged_cursor_is_refused(things: Things, made: str) -> None:
    """A cursor that leads anywhere but to the tool's own pages is a wrong argument."""
    upstream, faulty = client(things)
    with pytest.raises(UpstreamError, match="pass a cursor as it was given"):
        await upstream.follow(made, "pages")
    assert faulty.requests == []


@pytest.mark.parametrize("path", ["/api/pages/../things/x", "/api/pages/%2e%2e/things/x"])
async def test_a_cursor_cannot_climb(things: Things, path: str) -> None:
    """Dots in a cursor's path are refused, encoded or not."""
    upstream, faulty = client(things)
    cursor = upstream.cursor(f"https://things.example{path}")
    assert cursor is not None
    with pytest.raises(UpstreamError, match=r"\[bad_request\]"):
        await upstream.follow(cursor, "pages")
    assert faulty.requests == []


async def test_a_key_in_an_answer_is_masked(things: Things) -> None:
    """A key that the service repeats, plainly or in JSON's escapes, is in no result."""
    escaped = "".join(f"\\u{ord(letter):04x}" for letter in KEY)

    class Telling:
        async def __call__(self, scope: object, receive: object, send: object) -> None:
            body = f'{{"plain": "x{KEY}x", "escaped": "{escaped}", "{KEY}": 1}}'.encode()
            headers = [(b"content-type", b"application/json")]
            await send({"type": "http.response.start", "status": 200, "headers": headers})  # type: ignore[operator]
            await send({"type": "http.response.body", "body": body})  # type: ignore[operator]

    upstream = client(things)[0]
    telling = Upstream(upstream.service, type(upstream._wire)(Telling()))  # type: ignore[call-arg]
    assert await telling.get("x") == {"plain": "x[secret]x", "escaped": "[secret]", "[secret]": 1}


async def test_log_lines_hold_no_key(things: Things, caplog: pytest.LogCaptureFixture) -> None:
    """At DEBUG the client logs its requests, without the key."""
    caplog.set_level(logging.DEBUG)
    upstream, _ = client(things, ["500", "echo"])
    with pytest.raises(UpstreamError):
        await upstream.get("things", KEY, params={"q": KEY})
    assert "things: GET" in caplog.text
    assert KEY not in caplog.text
    assert "s3cr3t" not in caplog.text
