"""Calls to the outside in one turn. Each is made at most once, recorded, or answered from a recording.

A call that may change something is announced in SQL before it is made. If the process dies, the announcement tells that
the call may have taken place. The turn is then finished with the outcomes that are stored. A call without an outcome is
never made again: its outcome is unknown.
"""

import hashlib
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict
from time import monotonic, time
from typing import Any

import orjson

from agent_env_schemas import ToolOptions
from env_server.episodes.codec.recording import result_in
from env_server.episodes.episode import Episode
from env_server.providers.spec import Effect, FailureKind, NotStored, ServerResult, ServerTool
from env_server.records import (
    INTENT,
    OUTCOME,
    Claim,
    Conflict,
    EffectRow,
    KeyRow,
    RecordingRow,
    StorageUnavailable,
    Store,
    Unit,
)
from env_server.state import canonical
from env_server.telemetry.metrics import count_server_call

UNKNOWN = "[outcome_unknown] the server stopped during this call; it may have taken place, so look before you repeat it"
MISSING = "[not_recorded] no recording of {name} with {given} under the tag {tag!r} at this point of the episode"
BROKEN = "[not_recorded] the recording of {name} with {given} under the tag {tag!r} cannot be read: {why}"
REPLAYED = (
    "[not_recorded] earlier changes of this episode were replayed from recordings, so the server {server} does not "
    "have them, and {name} with {given} is not recorded"
)
NOTHING = "nothing"
"""The stored effect of a call that failed without taking place. It counts for no later recording."""

LATE = "[timed_out] the turn had no time left for this call; it was not made"
CUT = "[unavailable] the turn was interrupted before this call; it was not made"


class EffectLog:
    """The calls to the outside of one turn. It makes each of them at most once, whatever happens to the process.

    With recordings (`ToolOptions.mode`), it stores results or takes them from there. A replayed call reaches nothing
    outside, so it is not announced.
    """

    def __init__(
        self,
        store: Store,
        claim: Claim,
        action: str,
        deadline: float,
        options: ToolOptions,
        on_intent: Callable[[], None] = lambda: None,
        key: KeyRow | None = None,
    ) -> None:
        """Continue with what is stored of the turn that `claim` is about.

        Args:
            store: Where calls are announced and stored.
            claim: The claim on the turn.
            action: The turn's stored action.
            deadline: When the calls have to end, on the clock of `time.monotonic`.
            options: How servers are called, as the reset said.
            on_intent: Called when a call has been announced; from then on the turn must be finished.
            key: The idempotency key of the turn. It is committed with the first announcement, so that a retry finds
                the turn whoever finishes it.
        """
        self._store, self._claim, self._action, self._on_intent = store, claim, action, on_intent
        self.deadline, self.options = deadline, options
        earlier = store.reads.effects_before(claim.episode, claim.turn)
        self._made = [row for row in earlier if row.phase == OUTCOME]
        """The calls of the episode, in order."""

        announced = {(row.turn, row.seq) for row in earlier if row.phase == INTENT}
        self._announced = [row for row in earlier if row.phase == INTENT]
        self._changed: set[str] = set()
        """The servers that this turn may have changed."""

        self._replayed = {
            row.server for row in self._made if row.effect == Effect.WRITE and (row.turn, row.seq) not in announced
        }
        """The servers that lack changes of the episode, because these were replayed."""

        self._known = {(row.seq, row.phase): row for row in store.reads.effects(claim.episode, claim.turn)}
        self._resumes = any(phase == INTENT for _, phase in self._known)
        self._next = 0
        self.cut = False
        self.pending: list[EffectRow] = []
        """Outcomes that the next commit stores."""

        self.key = key
        """The key, until it is committed."""

        self.recorded: list[RecordingRow] = []
        """Recordings that the next commit stores."""

    def changed(self, server: str) -> bool:
        """Return whether an earlier call of the episode may have changed what `server` holds for it.

        This reads the results of earlier turns, so call it only if the server's process is gone.
        """
        turns = {row.turn for row in self._announced if row.server == server}
        return server in self._changed or any(self._changed_in(turn, server) for turn in turns)

    def _changed_in(self, turn: int, server: str) -> bool:
        rows = self._store.reads.effects(self._claim.episode, turn)
        results = {row.seq: load(row.body) for row in rows if row.phase == OUTCOME}
        made = [row.seq for row in rows if row.phase == INTENT and row.server == server]
        return any(seq not in results or _may_have_changed(results[seq]) for seq in made)

    async def make(
        self, tool: ServerTool, arguments: Mapping[str, Any], call: Callable[[], Awaitable[ServerResult]]
    ) -> ServerResult:
        """Return the result of a call: the stored one, the recorded one, or that of `call`, which is then stored.

        Raises:
            NotStored: if the call cannot be announced, and was not made; or if its outcome cannot be stored.
        """
        seq, self._next = self._next, self._next + 1
        given = canonical(dict(arguments))
        digest = _sha(given)
        known = self._known.get((seq, OUTCOME))
        if known is not None:
            self._made.append(known)
            return load(known.body)
        if (seq, INTENT) in self._known:
            self.cut = True
            count_server_call(tool.server, tool.listing.name, FailureKind.OUTCOME_UNKNOWN, {})
            return self._note(seq, tool, digest, _failure(FailureKind.OUTCOME_UNKNOWN, UNKNOWN))
        if self._resumes:
            self.cut = True
            return _failure(FailureKind.UNAVAILABLE, CUT)
        key = self._key(tool, digest)
        if self.options.mode in ("replay", "replay_or_live"):
            stood = self._stood_in(tool, given, key)
            if stood is not None:
                return self._note(seq, tool, digest, stood)
        if monotonic() >= self.deadline:
            count_server_call(tool.server, tool.listing.name, FailureKind.TIMED_OUT, {})
            return _failure(FailureKind.TIMED_OUT, LATE)
        if tool.effect is Effect.WRITE:
            await self._commit(self._row(seq, INTENT, tool, digest, self._action))
            self._on_intent()
        result = await call()
        if self.options.mode != "live" and result.failure is None:
            latency = result.metrics.get("latency_s", 0.0)
            version = _sha(canonical([tool.listing.description, tool.listing.arguments]))
            self.recorded.append(RecordingRow(*key, given, dump(result), result.is_error, version, latency, time()))
        self._note(seq, tool, digest, result)
        if tool.effect is Effect.WRITE:
            if _may_have_changed(result):
                self._changed.add(tool.server)
            await self._commit()
        return result

    def _stood_in(self, tool: ServerTool, given: str, key: tuple[str, str, str, str, str, int]) -> ServerResult | None:
        """Return the recorded result of a call, or a failure if it may not be made; None if it must be made."""
        found = self._store.reads.recording(*key)
        if found is not None:
            count_server_call(tool.server, tool.listing.name, "recorded", {})
            if tool.effect is Effect.WRITE:
                self._replayed.add(tool.server)
            return _replayed(found, tool.name)
        if self.options.mode == "replay":
            text = MISSING.format(name=tool.name, tag=self.options.tag, given=_readable(given))
        elif tool.server in self._replayed:
            text = REPLAYED.format(server=tool.server, name=tool.name, given=_readable(given))
        else:
            return None
        count_server_call(tool.server, tool.listing.name, FailureKind.NOT_RECORDED, {})
        return _failure(FailureKind.NOT_RECORDED, text)

    def _key(self, tool: ServerTool, digest: str) -> tuple[str, str, str, str, str, int]:
        """Return the key of the recording of a call: the fields of `RecordingRow` up to `seq`."""
        server, name = tool.server, tool.listing.name
        earlier = [row for row in self._made if row.server == server and row.effect != NOTHING]
        writes = [i for i, row in enumerate(earlier) if row.effect == Effect.WRITE]
        after = _sha(canonical([[earlier[i].tool, earlier[i].arguments] for i in writes]))
        since = earlier[writes[-1] + 1 :] if writes else earlier
        seq = sum(row.tool == name and row.arguments == digest for row in since)
        return self.options.tag, server, name, digest, after, seq

    def _note(self, seq: int, tool: ServerTool, digest: str, result: ServerResult) -> ServerResult:
        row = self._row(seq, OUTCOME, tool, digest, dump(result))
        if not _may_have_changed(result):
            row = row._replace(effect=NOTHING)
        self._made.append(row)
        self.pending.append(row)
        return result

    async def _commit(self, *rows: EffectRow) -> None:
        keys = () if self.key is None else (self.key,)
        effects = [*self.pending, *rows]
        unit = Unit(effects=effects, keys=keys, recordings=self.recorded, claim=self._claim, holds_claim=True)
        try:
            await self._store.commit(unit)
        except (Conflict, StorageUnavailable) as e:
            raise NotStored(e) from e
        self.pending, self.recorded, self.key = [], [], None

    def _row(self, seq: int, phase: int, tool: ServerTool, digest: str, body: str) -> EffectRow:
        place = self._claim.episode, self._claim.turn, seq, phase
        return EffectRow(*place, tool.server, tool.listing.name, digest, tool.effect, body, time())


def interrupted(store: Store, episode: Episode) -> str | None:
    """Return the action of a turn that was interrupted after a call was announced; None if there is none."""
    rows: Sequence[EffectRow] = store.reads.effects(episode.key, episode.turn + 1)
    return next((row.body for row in rows if row.phase == INTENT), None)


def _replayed(row: RecordingRow, name: str) -> ServerResult:
    try:
        return result_in(row)
    except ValueError as e:
        return _failure(FailureKind.NOT_RECORDED, BROKEN.format(name=name, given=row.given, tag=row.tag, why=e))


def _may_have_changed(result: ServerResult) -> bool:
    """Return whether a call took place, or may have. With any other failure it did not, or it gave no result."""
    return result.failure is None or result.failure is FailureKind.OUTCOME_UNKNOWN


def _failure(kind: FailureKind, text: str) -> ServerResult:
    return ServerResult(text, is_error=True, failure=kind)


def _readable(given: str) -> str:
    """Return arguments as people write them, with letters of all languages."""
    return json.dumps(json.loads(given), ensure_ascii=False, separators=(",", ":"))


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def dump(result: ServerResult) -> str:
    """Return a result as JSON text."""
    return orjson.dumps(asdict(result)).decode()


def load(text: str) -> ServerResult:
    """Return the result of a JSON text."""
    fields = orjson.loads(text)
    failure = fields.pop("failure")
    return ServerResult(**fields, failure=None if failure is None else FailureKind(failure))
