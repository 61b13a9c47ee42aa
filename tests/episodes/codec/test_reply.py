"""Stored replies."""

import json

from hypothesis import given
from hypothesis import strategies as st

from env_server.episodes.codec.reply import blob_ref, decode, encode, expand, render, signed, token_ref

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
    """A stored reply comes back unchanged, with its blobs put in, whatever agent and user said."""
    fake = f"\x01{DIGEST}"
    held = {"value": value, "said": [said, fake, said + fake, {fake: fake}]}
    body = {**held, "tools": blob_ref(DIGEST)}
    expected = {**held, "tools": ["shared"]}
    assert decode(encode(body), blob) == expected
    whole = json.loads(expand(render("ep_x", encode(body)), blob))
    assert whole == {"episode_id": "ep_x", **expected}


@given(jsons)
def test_tokens_are_put_in_where_they_belong_and_nowhere_else(said: object) -> None:
    """Tokens are put in only where a reply has one: text that looks like a token, or like its mark, stays."""
    held = {"said": [said, "\x02ep_x", {"\x02ep_x": 1, "agent_token": "agt_ep_x.1.a"}]}
    whole = render("ep_x", encode({**held, "agent_token": token_ref("ep_x")}))
    assert json.loads(signed(whole, str.upper)) == {"episode_id": "ep_x", **held, "agent_token": "EP_X"}


@given(jsons)
def test_replies_that_older_versions_stored_get_new_tokens_too(said: object) -> None:
    """Old replies hold a token: it is replaced in a single reply and in each reply of a group, and nothing else is."""
    held = {"said": [said, {"agent_token": "agt_ep_x.1.a"}], "agent_token": "agt_ep_x.1.old"}
    one = render("ep_x", encode(held))
    assert json.loads(signed(one, str.upper)) == {"episode_id": "ep_x", **held, "agent_token": "EP_X"}
    group = b'{"group_id":"g","episodes":[%s,%s]}' % (one, render("ep_y", encode(held)))
    assert [e["agent_token"] for e in json.loads(signed(group, str.upper))["episodes"]] == ["EP_X", "EP_Y"]
