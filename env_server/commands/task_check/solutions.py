"""Plays the solutions of a file of tasks, with recorded results or with the servers, and says what is wrong."""

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from agent_env_schemas import CallInfo, EpisodeReply, ErrorCode, ResetRequest, StepReply, StepRequest, ToolOptions
from env_server.backends.local import LocalBackend
from env_server.domains.configured import configured
from env_server.domains.kit import Task
from env_server.domains.kit.shared import done
from env_server.domains.pack import Pack, Toolkit, names_of
from env_server.domains.packs import available
from env_server.episodes.packs.library import Library
from env_server.episodes.packs.outside import recorded_listings
from env_server.episodes.service import Episodes, Limits
from env_server.errors import ProblemError
from env_server.providers.live.config import ServerConfig
from env_server.providers.live.manager import ToolManager
from env_server.providers.live.provider import LiveProvider
from env_server.providers.live.recorded_servers import RecordedServers
from env_server.providers.spec import FailureKind
from env_server.records import Store
from env_server.tools import Fault

DOMAIN: Final = "mcp"
CUT: Final = 300
"""Maximum characters of a result that a fault shows."""


@dataclass(frozen=True)
class Tagged:
    """The recordings under a tag, and where they are stored."""

    store: Store
    tag: str


async def wrong_solutions(
    tasks: Sequence[Task], recorded: Tagged | None, config: tuple[ServerConfig, ...] | None
) -> list[tuple[Task, str]]:
    """Play the solution of each task that has one. Return the faults, and also the unknown names in each task's lists.

    Args:
        tasks: The tasks.
        recorded: The results to play with; with `config`, new ones are stored there. None makes each call, and records
            nothing.
        config: The servers to ask for what is not recorded; None asks no server.
    """
    found: list[tuple[Task, str]] = []
    with TemporaryDirectory(prefix="env-server-") as folder:
        async with _playing(Path(folder), tasks, recorded, config) as (local, scratch, pack):
            found += [(task, problem) for task in tasks for problem in _unknown(pack, task)]
            options = ToolOptions()
            if recorded is not None:
                options = ToolOptions(mode="replay" if config is None else "replay_or_live", tag=recorded.tag)
            for task in filter(lambda task: task.gold.actions, tasks):
                found += [(task, problem) for problem in await _played(local, pack, task, options)]
            if recorded is not None and config is not None:
                await recorded.store.recordings.put(list(scratch.recordings.rows(recorded.tag)))
    return found


@asynccontextmanager
async def _playing(
    folder: Path, tasks: Sequence[Task], given: Tagged | None, config: tuple[ServerConfig, ...] | None
) -> AsyncIterator[tuple[LocalBackend, Store, Pack]]:
    """Open episodes of these tasks on a database of their own, which has the recordings of the tag."""
    scratch = Store.open(f"sqlite:///{folder}/solutions.db")
    if given is not None:
        await scratch.recordings.put(list(given.store.recordings.rows(given.tag)))
    recorded = recorded_listings(scratch)
    manager = ToolManager(config or ())
    servers = RecordedServers(recorded) if config is None else LiveProvider(manager, recorded)
    domain = configured(DOMAIN, servers, tuple(tasks))
    library = Library(scratch, {DOMAIN: available(domain, {})})
    episodes = Episodes(scratch, library, "", Limits())
    try:
        await manager.start()
        yield LocalBackend(episodes), scratch, (await library.current(DOMAIN, "builtin")).pack
    finally:
        await episodes.stop()
        await manager.aclose()
        await scratch.close()


def _unknown(pack: Pack, task: Task) -> Iterator[str]:
    """Yield a fault for each unknown tool and server in a task's lists.

    Tools are not checked while a server does not answer, since it may have them.
    """
    missing = _missing(pack)
    servers = {tool.server for tool in pack.server_tools.values()} | set(missing)
    for server in task.servers:
        if server not in servers:
            yield f"servers: there is no server {server!r}; there are: {', '.join(sorted(servers)) or 'none'}"
    names = {name for tool in pack.server_tools.values() for name in names_of(tool)}
    for name in task.tools:
        if name not in names and not missing:
            yield f"allow_list: no server lists {name!r}; there are: {', '.join(pack.server_tools) or 'none'}"
    toolkit = Toolkit.of(task, None, solo=True)
    if task.tools and task.servers and not missing and not any(map(toolkit.has, pack.server_tools.values())):
        yield "none of the tools in `allow_list` is one of these `servers`, so the agent has no tool"


def _missing(pack: Pack) -> Mapping[str, str]:
    """Return the servers that have not answered, each with the reason."""
    return {} if pack.domain.outside is None else pack.domain.outside.missing()


async def _played(local: LocalBackend, pack: Pack, task: Task, options: ToolOptions) -> list[str]:
    """Return the faults of a task's solution."""
    try:
        begun = await local.reset(ResetRequest(domain=DOMAIN, task_id=task.task_id, tools=options))
        problems, last = await _calls(local, pack, task, begun)
    except ProblemError as e:
        return [f"its solution cannot be played: {e.detail}"]
    if problems:
        return problems
    if last is None or not last.info.scored:
        return []
    if last.reward != 1.0:
        parts = ", ".join(f"{name} {part['value']:g}" for name, part in (last.info.reward_breakdown or {}).items())
        return [f"its solution earns {last.reward} ({last.stop_reason}): {parts}"]
    return []


async def _calls(
    local: LocalBackend, pack: Pack, task: Task, begun: EpisodeReply
) -> tuple[list[str], StepReply | None]:
    """Make the calls of the solution, one in a turn. Return the failures, and the last reply."""
    problems: list[str] = []
    last: StepReply | None = None
    for name, arguments in _moves(task):
        action = {"tool_calls": [{"name": name, "arguments": arguments}]}
        try:
            last = await local.step(StepRequest.model_validate({"episode_id": begun.episode_id, "action": action}))
        except ProblemError as e:
            if e.code is not ErrorCode.EPISODE_OVER:
                raise
            break
        (call,) = last.info.calls
        if call.error is not None:
            problems.append(_problem(pack, name, call, str(last.observation[0].content)[:CUT]))
    return problems, last


def _problem(pack: Pack, name: str, call: CallInfo, said: str) -> str:
    """Return why a call of the solution failed: its recording is missing, its server did not list it, or it refused."""
    if call.failure == FailureKind.NOT_RECORDED:
        return said.removeprefix(f"[{call.failure}] ")
    if call.error == Fault.UNKNOWN_TOOL:
        silent = "".join(f"; {server} is not reached: {why[:CUT]}" for server, why in _missing(pack).items())
        return f"gold, {name}: no server lists this tool here, and none listed it when calls were recorded{silent}"
    return f"gold, {name}: {said}"


def _moves(task: Task) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield the calls of the solution, then the call of `done`, which ends the episode if it is still open."""
    for call in task.gold.actions:
        yield call.name, dict(call.arguments)
    yield done.name, {}
