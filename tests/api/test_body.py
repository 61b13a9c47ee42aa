"""Request bodies."""

import asyncio
import json

from hypothesis import given
from hypothesis import strategies as st

from env_server.api.body import LONG, cleaned, mended, mended_aside

escapes = st.sampled_from(
    ["\\\\", "\\n", '\\"', "\\u0041", "\\uD83D", "\\ude00", "\\ud83d\\uDE00", "\\ud83dx", "ud83d", "é"]
)
texts = st.lists(escapes | st.text("abu09", max_size=3), max_size=12).map("".join)


@given(texts, texts)
def test_half_surrogate_pairs_are_replaced_wherever_they_stand(key: str, value: str) -> None:
    """After the replacement strict and lenient parsers read the same; whole pairs and escaped backslashes stay."""
    raw = f'{{"{key}": ["{value}"]}}'.encode()
    expected = cleaned(json.loads(raw))
    assert json.loads(mended(raw)) == expected
    json.dumps(expected, ensure_ascii=False).encode()


@given(st.binary())
def test_what_is_no_json_stays_none(raw: bytes) -> None:
    """Any bytes are accepted, and bytes without half a pair stay unchanged."""
    assert mended(raw) == raw or b"\\u" in raw


async def test_a_long_body_is_mended_while_others_go_on() -> None:
    """A long body gives way to other tasks while it is mended; a short one is mended at once."""
    raw = b'"\\ud800' + b"\\n" * LONG + b'"'
    for text, at_once in ((raw, False), (raw[:9] + b'"', True)):
        mending = asyncio.create_task(mended_aside(text))
        await asyncio.sleep(0)
        assert mending.done() is at_once
        assert await mending == mended(text) != text
