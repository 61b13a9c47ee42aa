"""Verdicts of the judge, stored in SQL by the digest of the question, so that no question is asked twice."""

from env_server.records import Store


class StoredVerdicts:
    """Verdicts in SQL."""

    def __init__(self, store: Store) -> None:
        """Store verdicts in `store`."""
        self._memos = store.memos

    def recall(self, digest: str) -> str | None:
        """Return the stored verdict, or None."""
        return self._memos.get("verdict", digest)

    async def keep(self, digest: str, text: str) -> str:
        """Store a verdict, unless one is stored under `digest`. Return the stored verdict."""
        return await self._memos.keep("verdict", digest, text)
