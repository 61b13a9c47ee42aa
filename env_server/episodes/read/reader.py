"""Read-only requests about episodes. All data comes from SQL, so any process can answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agent_env_schemas import ErrorCode
from env_server.episodes.codec.reply import decode
from env_server.episodes.episode import AGENT, Carry, Position
from env_server.episodes.live.restore import stored_state
from env_server.episodes.packs.gold import Golds, gold_state
from env_server.episodes.packs.library import Library
from env_server.episodes.read.history import messages_of, trajectory_turns
from env_server.errors import ProblemError
from env_server.records import EpisodeFilter, EpisodeRow, Store
from env_server.state import HASH_VERSION, State, diff_states

MISSING = ErrorCode.EPISODE_NOT_FOUND


@dataclass(frozen=True)
class EpisodeReader:
    """Reader of stored episodes."""

    store: Store
    library: Library
    golds: Golds

    def row(self, episode_id: str) -> EpisodeRow:
        """Return the episode's row.

        Raises:
            ProblemError: if there is no such episode.
        """
        row = self.store.reads.episode_by_id(episode_id)
        if row is None:
            raise ProblemError(MISSING, f"no episode {episode_id!r}", episode_id)
        return row

    def latest(self, caller: str) -> str | None:
        """Return the id of the episode that `caller` began last, or None."""
        return self.store.reads.latest(caller)

    def summary(self, episode_id: str) -> dict[str, Any]:
        """Return the summary of the episode's current position and ending."""
        return self._summary(self.row(episode_id))

    def is_fresh(self, episode_id: str) -> bool:
        """Return whether the episode is unchanged since its reset."""
        last = self.store.reads.last_turn(self.row(episode_id).id)
        return last is not None and (last.turn, last.part, last.seq) == Position(0, AGENT, 0)

    def list(self, limit: int, before: str | None = None, **wanted: Any) -> dict[str, Any]:
        """Return a page of episodes, newest first. For the next page, pass the last episode's id as `before`."""
        key = None if before is None else self.row(before).id
        page = self.store.listings.episodes(EpisodeFilter(**wanted), limit=limit, before=key)
        return {"episodes": [self._summary(line.episode) for line in page.episodes], "total": page.total}

    def newest(self, limit: int, before: str | None = None, group_id: str | None = None) -> Sequence[dict[str, Any]]:
        """Return a page of episodes, newest first, without their number. The cost does not grow with the store."""
        key = None if before is None else self.row(before).id
        return self.summaries(self.store.listings.newest(limit, before=key, group_id=group_id))

    def summaries(self, rows: Sequence[EpisodeRow]) -> Sequence[dict[str, Any]]:
        """Return the summaries of the episodes with these rows."""
        return [self._summary(row) for row in rows]

    def trajectory(self, episode_id: str) -> dict[str, Any]:
        """Return the complete record of the episode."""
        row = self.row(episode_id)
        turns = self.store.reads.turns(row.id)
        shown = decode(turns[0].reply, self.library.blob)
        played = trajectory_turns(turns, self.library.blob)
        return {"episode": self._summary(row), **shown, "turns": played}

    def opening(self, episode_id: str) -> Sequence[dict[str, Any]]:
        """Return the first messages of the conversation, without the system message."""
        turns = self.store.reads.turns(self.row(episode_id).id, upto=0)
        return [m for m in messages_of(turns, self.library.blob) if m["role"] != "system"]

    async def state(self, episode_id: str, turn: int | None, *, everything: bool) -> dict[str, Any]:
        """Return the rows that differ from the base (or all rows) after `turn`, and the state hash."""
        row = self.row(episode_id)
        state = await self._state(row, turn)
        rows, deleted = [], []
        if everything:
            rows = [{"table": t, "key": k, "row": r} for t, k, r in state.dump()]
        for table, changed in state.overlay.changes.items():
            for key, value in changed.rows.items():
                if value is None:
                    deleted.append({"table": table, "key": key})
                elif not everything:
                    rows.append({"table": table, "key": key, "row": value})
        reached = self._newest(row) if turn is None else turn
        return {
            "episode_id": episode_id,
            "turn": reached,
            "state_hash": state.hash,
            "hash_version": HASH_VERSION,
            "rows": rows,
            "deleted": deleted,
        }

    async def diff(self, episode_id: str, since: str, turn: int | None) -> dict[str, Any]:
        """Return the rows in which the episode (after `turn`) differs from its start, turn `since`, or gold."""
        row = self.row(episode_id)
        now = await self._state(row, turn)
        before = await self._since(row, since)
        rows = [d._asdict() for d in diff_states(before, now)]
        return {"episode_id": episode_id, "since": since, "rows": rows}

    async def _since(self, row: EpisodeRow, since: str) -> State:
        if since.isdigit():
            return await self._state(row, int(since))
        live, _ = await self.library.of_episode(row.pack)
        task = self.library.task(row.task)
        beginning = self.library.beginning(live, task)
        if since == "start":
            return beginning
        if since == "gold":
            return gold_state(beginning, await self.golds.outcome(live, task))
        raise ProblemError(ErrorCode.INVALID_REQUEST, "`since` is `start`, `gold` or a turn", row.episode_id)

    async def _state(self, row: EpisodeRow, turn: int | None) -> State:
        if turn is not None and turn > self._newest(row):
            raise ProblemError(ErrorCode.TURN_AHEAD, f"the newest turn is {self._newest(row)}", row.episode_id)
        return await stored_state(self.store, self.library, row, turn)

    def _newest(self, row: EpisodeRow) -> int:
        last = self.store.reads.last_turn(row.id)
        return last.turn if last is not None else 0

    def _summary(self, row: EpisodeRow) -> dict[str, Any]:
        last, ending = self.store.reads.last_turn(row.id), self.store.reads.ending(row.id)
        pack, task = self.store.catalog.pack(row.pack), self.store.catalog.task(row.task)
        if last is None or pack is None or task is None:
            raise ProblemError(ErrorCode.INTERNAL, "the episode's record is incomplete", row.episode_id)
        carry = Carry.load(last.carry)
        return {
            "episode_id": row.episode_id,
            "domain": pack.domain,
            "pack": pack.name,
            "pack_version": pack.version,
            "task_id": task.task_id,
            "seed": row.seed,
            "run": row.run,
            "purpose": row.purpose,
            "group_id": row.group_id,
            "parent": self._parent(row),
            "created_at": row.created_at,
            "turn": last.turn,
            "awaiting_user": carry.awaiting,
            "awaiting_judge": carry.unscored is not None,
            "done": ending is not None,
            "stop_reason": ending and ending.stop_reason,
            "reward": ending and ending.reward,
            "scored": ending and ending.scored,
            "state_hash": carry.state_hash,
        }

    def _parent(self, row: EpisodeRow) -> dict[str, Any] | None:
        if row.parent is None:
            return None
        parent = self.store.reads.episode(row.parent)
        return {"episode_id": parent.episode_id if parent else None, "turn": row.parent_turn}
