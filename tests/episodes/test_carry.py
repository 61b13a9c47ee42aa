"""What one turn hands to the next, as it is stored."""

import orjson

from env_server.episodes.episode import Carry

STORED = (
    b'{"state_hash":"a","errors":0,"calls":2,"parse_failures":0,"awaiting":false,"said":[1],"matched":[0,2],"notes":{}}'
)


def test_stored_episodes_are_read_and_written_as_before() -> None:
    """What was told and which calls matched have their own fields, to the byte."""
    carry = Carry.load(STORED.decode())
    assert carry.found == {"communicate": [1], "actions": [0, 2]}
    assert carry.dump().encode() == STORED


def test_other_components_keep_what_they_found() -> None:
    """In a field that is left out where nothing was found."""
    carry = Carry("a", found={"brevity": [0, 1], "communicate": [3], "other": []})
    stored = orjson.loads(carry.dump())
    assert (stored["said"], stored["matched"], stored["found"]) == ([3], [], {"brevity": [0, 1]})
    assert Carry.load(carry.dump()).found == {"brevity": [0, 1], "communicate": [3], "actions": []}
