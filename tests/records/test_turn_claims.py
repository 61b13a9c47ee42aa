import asyncio

import pytest

from env_server.records import AGENT, USER, Claim, Claimed, Conflict, MemoRow, Store, Unit
from tests.records.samples import ending, played, turn


async def _claim(store: Store, owner: str, now: float) -> Claim:
    fence = await store.claim(1, 1, AGENT, owner, lease_s=10.0, now=now)
    return Claim(1, 1, AGENT, owner, fence)


async def test_a_lease_keeps_others_out_until_it_ends(store: Store) -> None:
    """Another owner is told when the lease ends; at that time it takes over with the next fence."""
    first = await _claim(store, "a", now=0.0)
    with pytest.raises(Claimed) as refused:
        await _claim(store, "b", now=9.9)
    assert refused.value.until == 10.0
    second = await _claim(store, "b", now=10.0)
    assert second.fence == first.fence + 1


async def test_the_old_owner_cannot_commit_after_a_takeover(store: Store) -> None:
    """After a takeover, the first owner's late commit is a Conflict, and the second's is stored."""
    first = await _claim(store, "a", now=0.0)
    second = await _claim(store, "b", now=11.0)
    with pytest.raises(Conflict):
        await store.commit(played(1, 1, action="late", claim=first))
    await store.commit(played(1, 1, action="in time", claim=second))
    assert [part.action for part in store.reads.turns(1)] == ["in time"]


async def test_a_newer_attempt_of_the_same_owner_fences_out_the_older(store: Store) -> None:
    """The same owner may claim again without waiting, and then only its newest claim can commit."""
    first = await _claim(store, "a", now=0.0)
    second = await _claim(store, "a", now=1.0)
    with pytest.raises(Conflict):
        await store.commit(played(1, 1, claim=first))
    await store.commit(played(1, 1, claim=second))


async def test_a_released_claim_is_free_at_once(store: Store) -> None:
    """After release another owner need not wait, and the released claim can no longer commit."""
    first = await _claim(store, "a", now=0.0)
    await store.release(first)
    second = await _claim(store, "b", now=0.1)
    with pytest.raises(Conflict):
        await store.commit(played(1, 1, claim=first))
    await store.commit(played(1, 1, claim=second))


async def test_a_committed_turn_cannot_be_claimed_again(store: Store) -> None:
    """A claim of a committed turn is refused, so that it never runs again; the next part can be claimed."""
    await store.commit(played(1, 1, claim=await _claim(store, "a", now=0.0)))
    for owner in ("a", "b"):
        with pytest.raises(Conflict):
            await _claim(store, owner, now=99.0)
    await store.commit(Unit(turns=[turn(1, 1, part=USER)]))
    assert await store.claim(1, 1, USER, "b", 10.0, now=99.0, seq=1) == 1


async def test_a_refused_claim_changes_nothing(store: Store) -> None:
    """A late claim of a committed seq does not change the owner's claim of the next one."""
    await store.commit(Unit(turns=[turn(1, 1, part=USER)]))
    held = Claim(1, 1, USER, "a", await store.claim(1, 1, USER, "a", 10.0, now=0.0, seq=1))
    with pytest.raises(Conflict):
        await store.claim(1, 1, USER, "a", 10.0, now=1.0, seq=0)
    await store.commit(Unit(turns=[turn(1, 1, part=USER, seq=1)], claim=held))


async def test_an_ended_episode_cannot_be_claimed(store: Store) -> None:
    """After the ending there is no turn left to execute."""
    await store.commit(Unit(turns=[turn(1, 1)], endings=[ending(1, 1)]))
    with pytest.raises(Conflict):
        await store.claim(1, 2, AGENT, "a", 10.0, now=0.0)


async def test_of_many_claimants_one_wins(store: Store, url: str) -> None:
    """Of claims by two processes in one group, one gets the fence, and the others are Claimed."""
    other = Store.open(url)
    owners = [(store, "a"), (other, "b"), (store, "c"), (other, "d")]
    results = await asyncio.gather(*(_claim(s, owner, now=0.0) for s, owner in owners), return_exceptions=True)
    await other.close()
    assert sorted(type(result).__name__ for result in results) == ["Claim", "Claimed", "Claimed", "Claimed"]


async def test_the_commit_of_a_turn_uses_its_claim_up(store: Store) -> None:
    """The commit of the turn deletes the claim; a commit that only needs the claim to be held keeps it."""
    claim = await _claim(store, "a", now=0.0)
    early, later, late = (MemoRow("kind", key, "text", 1.0) for key in ("early", "later", "late"))
    for memo in (early, later):
        await store.commit(Unit(memos=[memo], claim=claim, holds_claim=True))
    with pytest.raises(Claimed):
        await _claim(store, "b", now=1.0)
    await store.commit(played(1, 1, claim=claim))
    with pytest.raises(Conflict):
        await store.commit(Unit(memos=[late], claim=claim, holds_claim=True))
    assert store.memos.keys("kind") == ["early", "later"]
