"""Live packs: the current versions, and older versions restored from SQL for stored episodes."""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import orjson
import structlog

from agent_env_schemas import ErrorCode, ToolPrompt
from env_server.domains.kit.task import Task
from env_server.domains.kit.tools import ToolSpec
from env_server.domains.pack import Pack, Toolkit, own_policy
from env_server.domains.packs import Packs
from env_server.episodes.codec.text import row_value
from env_server.episodes.packs.outside import dump_outside, load_outside, meta_of, outside_in
from env_server.episodes.packs.prompt import Blob, policy_of, system_message
from env_server.episodes.packs.tasks import of_difficulty
from env_server.errors import PackError, ProblemError
from env_server.gc_tuning import uncollected
from env_server.lru import Recent
from env_server.records import BaseRow, PackRow, SnapshotRow, Store, TaskRow
from env_server.state import HASH_VERSION, Snapshot, State, hash_hex
from env_server.tools import Toolset

log = structlog.get_logger(__name__)

GRACE_S = 2.0
"""Maximum seconds that the first load of a pack waits for the operator's servers."""

KEPT = 10_000
"""Maximum total weight of the tasks, and of their beginnings, that are kept in memory."""


@dataclass(frozen=True, eq=False)
class LivePack:
    """A pack that is stored in SQL, with all data that its episodes share."""

    pack: Pack
    key: int
    version: str
    prompts: dict[tuple[str, Toolkit, str | None], tuple[Blob, Blob]] = field(default_factory=dict)
    sides: dict[Toolkit, Toolset] = field(default_factory=dict)

    def side(self, toolkit: Toolkit) -> Toolset:
        """Return the agent's tools in an episode."""
        found = self.sides.get(toolkit)
        if found is None:
            found = self.sides[toolkit] = self._side(self.pack.tools_for(toolkit))
        return found

    @cached_property
    def user_side(self) -> Toolset:
        """The user's own tools."""
        return self._side(self.pack.user_tools)

    def gold_side(self, task: Task, requestor: str) -> Toolset:
        """Return the tools for the calls of `requestor` in the gold of `task`."""
        side = self.user_side if requestor == "user" else self.side(Toolkit.of(task, None, solo=True))
        return side if self.pack.dialect.gold_has_consequences else Toolset(side.tools, side.dialect)

    def _side(self, tools: Mapping[str, ToolSpec]) -> Toolset:
        return Toolset(tools, self.pack.dialect, self.pack.domain.after_call)

    def schemas(self, toolkit: Toolkit) -> list[dict[str, Any]]:
        """Return the schemas of the agent's tools in an episode, as OpenAI function schemas."""
        return [self.pack.schema(tool) for tool in self.side(toolkit).tools.values()]


class Library:
    """All packs of this process, loaded at first use, and the recently used tasks."""

    def __init__(self, store: Store, sources: Mapping[str, Packs]) -> None:
        """Store `sources`: domain -> its packs, which load at first use."""
        self.sources = sources
        self._store = store
        self._current: dict[tuple[str, str], LivePack] = {}
        self._older: dict[int, tuple[LivePack, bool]] = {}
        self._blobs: dict[str, str] = {}
        self._tasks: Recent[str, int] = Recent(KEPT)
        self._read_tasks: Recent[int, Task] = Recent(KEPT)
        self._beginnings: Recent[tuple[str, str], State] = Recent(KEPT)
        self._loading: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._listing = asyncio.Lock()

    async def current(self, domain: str, name: str) -> LivePack:
        """Return the current pack.

        Raises:
            ProblemError: if this server has no such domain or pack.
        """
        found = self._current.get((domain, name))
        if found is not None and found.pack.is_current:
            return found
        if domain not in self.sources:
            raise ProblemError(ErrorCode.NOT_FOUND, f"no domain {domain!r}; there are: {', '.join(self.sources)}")
        async with self._loading[domain]:
            found = self._current.get((domain, name))
            if found is None:
                await _servers_ready(self.sources[domain])
                found = await self._stored(await asyncio.to_thread(_load, self.sources, domain, name))
            elif not found.pack.is_current:
                renewed = found.pack.renewed()
                found = found if renewed.version == found.version else await self._stored(renewed)
                found = replace(found, pack=renewed)
            self._current[domain, name] = found
        return found

    def warm(self) -> None:
        """Build the sealed servers of the loaded packs. Their code takes long to import."""
        for live in list(self._current.values()):
            live.pack.warm()

    async def aclose(self) -> None:
        """Close the servers of all packs."""
        for live in (*self._current.values(), *(live for live, _ in self._older.values())):
            await live.pack.aclose()

    @property
    def is_loading(self) -> bool:
        """Whether a pack is loading."""
        return any(lock.locked() for lock in self._loading.values())

    async def measure(self, pack: Pack, splits: Iterable[str]) -> None:
        """Compute the difficulty of the tasks of these splits, once per pack and off the event loop.

        Raises:
            ProblemError: if a task has no difficulty, or cannot be made.
        """
        for split in splits:
            if not pack.has_levels(split):
                async with self._listing:  # concurrent callers wait for this lock, so they occupy no threads
                    await asyncio.to_thread(of_difficulty, pack, split, None)

    async def of_episode(self, key: int) -> tuple[LivePack, bool]:
        """Return the pack version of a stored episode, and whether its tools have changed since.

        Raises:
            ProblemError: `pack_changed` if this server no longer has the domain or pack.
        """
        if key in self._older:
            return self._older[key]
        row = self._store.catalog.pack(key)
        if row is None:
            raise ProblemError(ErrorCode.INTERNAL, f"pack {key} is missing from the database")
        try:
            current = await self.current(row.domain, row.name)
        except ProblemError as e:
            raise ProblemError(
                ErrorCode.PACK_CHANGED, f"this server does not have the episode's pack: {e.detail}"
            ) from e
        live = current if row.version == current.version else await self._older_pack(key, row, current)
        self._older[key] = (live, row.tools_digest != live.pack.tools_digest)
        return self._older[key]

    async def task_key(self, task: Task) -> int:
        """Return the SQL key of `task`. Store the task at its first use."""
        key = self._tasks.get(task.digest)
        if key is None:
            key = self._store.catalog.find_task(task.digest)
        if key is None:
            body = TaskRow(task.digest, task.domain, task.pack, task.task_id, task.model_dump_json())
            key = await self._store.catalog.put_task(body)
        self._tasks.put(task.digest, key)
        return key

    def task(self, key: int) -> Task:
        """Return the task with this SQL key. Episodes of one task share the object.

        Raises:
            ProblemError: if the task is missing, or an incompatible version wrote it.
        """
        task = self._read_tasks.get(key)
        if task is None:
            row = self._store.catalog.task(key)
            if row is None:
                raise ProblemError(ErrorCode.INTERNAL, f"task {key} is missing from the database")
            try:
                task = Task.model_validate_json(row.body)
            except ValueError as e:
                raise ProblemError(ErrorCode.PACK_CHANGED, "the stored task is of another version") from e
            self._read_tasks.put(key, task, weight_of(task))
        return task

    def beginning(self, live: LivePack, task: Task) -> State:
        """Return the initial state of every episode of `task`.

        All of them share one layer of task changes over the base.
        """
        where = (live.version, task.digest)
        state = self._beginnings.get(where)
        if state is None:
            state = State.at(live.pack.snapshot, task.changes())
            self._beginnings.put(where, state, weight_of(task))
        return state.fork()

    async def prompt(self, live: LivePack, task: Task, toolkit: Toolkit, tool_prompt: ToolPrompt) -> tuple[Blob, Blob]:
        """Return the system message and the tools' schemas of an episode as blobs, and store them in SQL."""
        key = tool_prompt, toolkit, own_policy(task)
        found = live.prompts.get(key)
        if found is None:
            schemas = live.schemas(toolkit)
            policy = policy_of(live.pack, task, solo=toolkit.solo)
            found = (system_message(policy, schemas, tool_prompt), Blob.of(schemas))
            for blob in found:
                await self._put_blob(blob)
            live.prompts[key] = found
        return found

    def blob(self, digest: str) -> str:
        """Return the text of a stored blob."""
        text = self._blobs.get(digest)
        if text is None:
            text = self._store.catalog.blob(digest)
            if text is None:
                raise ProblemError(ErrorCode.INTERNAL, f"blob {digest} is missing from the database")
            self._blobs[digest] = text
        return text

    async def _put_blob(self, blob: Blob) -> None:
        await self._store.catalog.put_blob(blob.digest, blob.text)
        self._blobs[blob.digest] = blob.text

    async def _stored(self, pack: Pack) -> LivePack:
        key = self._store.catalog.find_pack(pack.version)
        if key is None:
            key = await self._put_pack(pack)
        return LivePack(pack, key, pack.version)

    async def _put_pack(self, pack: Pack) -> int:
        base = pack.snapshot
        name = pack.domain.name
        snapshot = SnapshotRow(base.digest, name, pack.name, hash_hex(base.hash), HASH_VERSION)
        rows = await asyncio.to_thread(_base_rows, base)
        stored = await self._store.catalog.put_snapshot(snapshot, rows)
        policy, tools = Blob.of(pack.policy), Blob.of(pack.schemas)
        outside = Blob.of(dump_outside(pack)) if pack.outside else None
        for blob in filter(None, (policy, tools, outside)):
            await self._put_blob(blob)
        digests = policy.digest, tools.digest, pack.tools_digest
        meta = meta_of(None if outside is None else outside.digest)
        row = PackRow(pack.version, name, pack.name, stored, *digests, meta)
        return await self._store.catalog.put_pack(row)

    async def _older_pack(self, key: int, row: PackRow, current: LivePack) -> LivePack:
        """Return the older version of a pack: today's code with the snapshot and policy of the stored version."""
        stored = self._store.catalog.snapshot(row.snapshot)
        if stored is None:
            raise ProblemError(ErrorCode.INTERNAL, f"snapshot {row.snapshot} is missing from the database")
        base = current.pack.snapshot
        if stored.digest != base.digest:
            base = await asyncio.to_thread(self._read_snapshot, row.snapshot, current.pack)
        policy = orjson.loads(self.blob(row.policy))
        listed = outside_in(row.meta)
        outside = () if listed is None else load_outside(current.pack, orjson.loads(self.blob(listed)))
        return LivePack(replace(current.pack, snapshot=base, policy=policy, outside=outside), key, row.version)

    def _read_snapshot(self, key: int, pack: Pack) -> Snapshot:
        rows: dict[str, list[Any]] = {}
        for row in self._store.catalog.base_rows(key):
            rows.setdefault(row.tbl, []).append(row_value(row.row))
        return Snapshot(pack.domain.tables, rows, coerces=pack.dialect.coerces)


def weight_of(task: Task) -> int:
    """Return the weight of a task in a cache: 1 for a listed task; more for an inline one, by its size."""
    return 1 if task.split is not None else 1 + task.size // 1_000


async def _servers_ready(packs: Packs) -> None:
    """Wait at most `GRACE_S` for the operator's servers of a domain.

    A reset waits longer, but only for the servers that its episode may use.
    """
    if packs.domain.outside is not None:
        with suppress(TimeoutError):
            async with asyncio.timeout(GRACE_S):
                await packs.domain.outside.ready()


def _base_rows(base: Snapshot) -> list[BaseRow]:
    return [BaseRow(table, key, text) for (table, key, _), text in zip(base, base.texts(), strict=True)]


def _load(sources: Mapping[str, Packs], domain: str, name: str) -> Pack:
    """Load a pack. Compute the values that its first episode needs. Runs off the event loop."""
    try:
        with uncollected():
            packs = sources[domain]
            if name not in packs:
                raise ProblemError(ErrorCode.NOT_FOUND, packs.no_such(name))
            pack = packs[name]
            _ = pack.version, pack.schemas
    except ProblemError:
        raise
    except PackError as e:
        raise ProblemError(ErrorCode.INTERNAL, f"the pack {name!r} cannot be loaded: {e}") from e
    except Exception as e:  # the pack runs its domain's code, and a defect there must not affect other domains
        log.exception("a pack cannot be loaded", domain=domain, pack=name)
        where = f"the pack {name!r} of {domain}"
        raise ProblemError(ErrorCode.INTERNAL, f"{where} cannot be loaded: {type(e).__name__}: {e}") from e
    return pack
