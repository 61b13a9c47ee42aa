"""What one turn stores for the next one."""

import orjson

from env_server.episodes.episode import Carry

STORED = (
    b'{"state_hash":"a","errors":0,"calls":2,"parse_failures":0,"awaiting":false,"said":[1],"matched":[0,2],"notes":{}}'
)


def test_stored_episodes_are_read_and_written_as_before() -> None:
    """The told values and the matched calls have fields of their own, and are written with the same bytes."""
    carry = Carry.load(STORED.decode())
    assert carry.found == {"communicate": [1], "actions": [0, 2]}
    assert carry.dump().encode() == STORED


def test_other_components_keep_what_they_found() -> None:
    """What other components found goes into a field of their own, which is left out where they found nothing."""
    carry = Carry("a", found={"brevity": [0, 1], "communicate": [3], "other": []})
    stored = orjson.loads(carry.dump())
    assert (stored["said"], stored["matched"], stored["found"]) == ([3], [], {"brevity": [0, 1]})
    assert Carry.load(carry.dump()).found == {"brevity": [0, 1], "communicate": [3], "actions": []}
