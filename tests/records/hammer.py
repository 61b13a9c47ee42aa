"""A process that commits turns as fast as it can and prints each one that was acknowledged.

Run as `python -m tests.records.hammer URL OWNER EPISODES TURNS`: it plays every turn of every episode, all episodes
at once, and prints `won EPISODE TURN` or `lost EPISODE TURN`; first `ready`, then the ids it reserved.
"""

import asyncio
import sys

from env_server.records import Conflict, StorageUnavailable, Store
from tests.records.samples import played


async def play(store: Store, owner: str, episode: int, turns: int) -> None:
    """Tries each turn in order until somebody, this process or another, has committed it."""
    for turn in range(1, turns + 1):
        outcome = None
        while outcome is None:
            try:
                await store.commit(played(episode, turn, action=owner))
                outcome = "won"
            except Conflict:
                outcome = "lost"
            except StorageUnavailable:
                await asyncio.sleep(0.01)
        print(outcome, episode, turn, flush=True)


async def main(url: str, owner: str, episodes: int, turns: int) -> None:
    """Says that it is ready, waits for a byte on stdin, so that several processes start together, and plays."""
    store = Store.open(url)
    print("ready", flush=True)
    sys.stdin.read(1)
    for _ in range(5):
        ids = await store.episode_ids(700)
        print("ids", ids.start, ids.stop, flush=True)
    await asyncio.gather(*(play(store, owner, episode, turns) for episode in range(episodes)))
    await store.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
