"""A process that commits turns as fast as possible and prints each acknowledged one.

Run as `python -m tests.records.hammer URL OWNER EPISODES TURNS`. It plays every turn of every episode, all episodes
concurrently. It prints `ready`, then the reserved ids, then `won EPISODE TURN` or `lost EPISODE TURN`.
"""

import asyncio
import sys

from env_server.records import Conflict, StorageUnavailable, Store
from tests.records.samples import played


async def play(store: Store, owner: str, episode: int, turns: int) -> None:
    """Try each turn in order until this or another process has committed it."""
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
    """Print `ready`, wait for a byte on stdin, so that several processes start together, and play."""
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
