"""Stored replies."""

import json

from hypothesis import given
from hypothesis import strategies as st

from env_server.episodes.reply import blob_ref, decode, encode, expand, render

DIGEST = "ab" * 32
jsons = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def blob(digest: str) -> str:
    """The only blob there is."""
    assert digest == DIGEST
    return '["shared"]'


@given(jsons, st.text())
def test_round_trip(value: object, said: str) -> None:
    """What is stored comes back, blobs put in, whatever agent and user said."""
    fake = f"\x01{DIGEST}"
    held = {"value": value, "said": [said, fake, said + fake, {fake: fake}]}
    body = {**held, "tools": blob_ref(DIGEST)}
    expected = {**held, "tools": ["shared"]}
    assert decode(encode(body), blob) == expected
    whole = json.loads(expand(render("ep_x", encode(body)), blob))
    assert whole == {"episode_id": "ep_x", **expected}
