"""Choice of the task and the user of a reset."""

import hashlib
from typing import Any

from pydantic import ValidationError

from agent_env_schemas import ErrorCode, InlineTask, ResetRequest, ToolOptions
from env_server.domains.kit import READ, Task
from env_server.domains.pack import Pack, Toolkit, names_of
from env_server.domains.packs import inline_task
from env_server.episodes.codec.text import dumps
from env_server.episodes.packs.tasks import some_of_difficulty, task_at, task_with
from env_server.errors import ProblemError
from env_server.rewards.basis import with_basis
from env_server.users import User, UserRefused, Users

DEFAULT_SPLIT = "train"

INLINE_BYTES = 262_144
"""Maximum size of an inline task as JSON, in bytes. The task is stored, and other requests wait while its gold runs."""

STORED_BYTES = 4 * INLINE_BYTES
"""Maximum size of an inline task with all rows that it changes, in bytes. Those rows are stored completely."""


MOST_GOLD = 100
"""Maximum number of calls in an inline task's gold."""


def choose_task(pack: Pack, request: ResetRequest) -> Task:
    """Return the task that `request` names, or the one that its seed selects.

    Raises:
        ProblemError: if there is no such task or none of that difficulty, if the task cannot be made, or if an inline
            task does not fit the pack.
    """
    if request.task is not None:
        return _inline(pack, request.task)
    if request.task_id is not None:
        task = task_with(pack, request.task_id)
        if request.split is not None and task.split != request.split:
            raise ProblemError(ErrorCode.NOT_FOUND, f"task {request.task_id!r} belongs to split {task.split!r}")
        return task
    split = split_of(pack, request)
    if request.difficulty is None:
        index = request.index if request.index is not None else _picked(request.seed, split, pack.splits.get(split))
        return task_at(pack, split, index)
    found = some_of_difficulty(pack, split, request.difficulty)
    index = request.index if request.index is not None else _picked(request.seed, split, len(found))
    if index >= len(found):
        detail = f"split {split!r} has {len(found)} tasks of difficulty {request.difficulty}; there is no index {index}"
        raise ProblemError(ErrorCode.NOT_FOUND, detail)
    return task_at(pack, *found[index].place)


def split_of(pack: Pack, request: ResetRequest) -> str:
    """Return the split from which a reset without a task id selects."""
    return request.split or (DEFAULT_SPLIT if DEFAULT_SPLIT in pack.splits else next(iter(pack.splits), ""))


def choose_user(users: Users, task: Task, request: ResetRequest) -> User:
    """Return the user that `request` selects.

    Raises:
        ProblemError: if the strategy is unknown or cannot play this task.
    """
    try:
        user = users.of(task, request.user, request.run)
        users.check(user, task, request.user)
    except UserRefused as e:
        raise _invalid(str(e)) from e
    return user


def check_tools(pack: Pack, task: Task, options: ToolOptions | None) -> None:
    """Check that the tools and servers of a reset's options exist, that the task may use them, and that some are left.

    Raises:
        ProblemError: `invalid_request`, with the names that there are.
    """
    if options is None or not (options.allow_list or options.servers):
        return
    allowed, both = (Toolkit.of(task, asked, solo=True) for asked in (None, options))
    tools = [tool for tool in pack.server_tools.values() if allowed.has(tool)]
    named = {name for tool in tools for name in names_of(tool)}
    shown, servers = [tool.name for tool in tools], list(dict.fromkeys(tool.server for tool in tools))
    kinds = (("tool", options.allow_list, named, shown), ("server", options.servers, set(servers), servers))
    for what, asked, known, there in kinds:
        unknown = [name for name in asked or () if name not in known]
        if unknown:
            raise _invalid(f"tools: no {what} {unknown[0]!r} for this task; there are: {', '.join(there) or 'none'}")
    if not any(both.has(tool) for tool in tools):
        raise _invalid("tools: none of the tools in `allow_list` is one of these `servers`, so no tool would be left")


def _picked(seed: int, split: str, size: int | None) -> int:
    """Return the index that `seed` selects: SHA-256 of seed, split and the word "task"; 0 if there is no such split."""
    if size is None:
        return 0
    if size < 1:
        raise ProblemError(ErrorCode.NOT_FOUND, f"split {split!r} has no tasks")
    return int.from_bytes(hashlib.sha256(f"{seed}/{split}/task".encode()).digest()[:8], "big") % size


def _inline(pack: Pack, given: InlineTask | dict[str, Any]) -> Task:
    """Return the checked inline task. It may use only names of its own pack, so it cannot reach anything else."""
    try:
        plain = given if isinstance(given, dict) else given.model_dump(mode="json", exclude_unset=True)
        if len(dumps(plain)) > INLINE_BYTES:
            raise ValueError(f"it takes more than {INLINE_BYTES} bytes")
        task = with_basis(inline_task(pack, plain), vetted=pack.dialect.vets_tasks)
        if task.size > STORED_BYTES:
            raise ValueError(f"with the rows that it changes it takes more than {STORED_BYTES} bytes")
        if len(task.gold.actions) > MOST_GOLD:
            raise ValueError(f"its gold has more than {MOST_GOLD} calls")
    except (LookupError, TypeError, ValueError) as e:
        raise _invalid(f"the task is not one that pack {pack.name!r} can read: {_brief(e)}") from e
    _check_names(pack, task)
    return task


def allows_no_effect(given: InlineTask | dict[str, Any]) -> bool:
    """Return whether an inline task is allowed even if a policy that does nothing solves it."""
    return given.allow_no_effect if isinstance(given, InlineTask) else given.get("allow_no_effect") is True


def _check_names(pack: Pack, task: Task) -> None:
    sides = {"agent": pack.solo_tools, "user": pack.user_tools}
    for call in task.gold.actions:
        if call.name not in sides[call.requestor]:
            raise _invalid(f"gold calls {call.name!r}, which is no tool of the {call.requestor}")
    for check in (request.until for request in task.user.requests if request.until) if task.user else ():
        if check.name not in pack.user_tools or pack.user_tools[check.name].kind != READ:
            raise _invalid(f"`until` names {check.name!r}, which is nothing that the user can look at")
    tables = {t.name: t for t in pack.domain.tables}
    for name, rows in task.initial.items():
        if name not in tables:
            raise _invalid(f"`initial` names table {name!r}; the tables are: {', '.join(tables)}")
        for key, row in rows.items():
            if row is not None:
                _check_row(tables[name], key, row)


def _check_row(table: Any, key: str, row: dict[str, Any]) -> None:
    try:
        table.validate(row)
    except ValidationError as e:
        raise _invalid(f"`initial` row {table.name}/{key}: {_brief(e)}") from e
    if table.key_of(row) != key:
        raise _invalid(f"`initial` row {table.name}/{key} has the key {table.key_of(row)!r}")


def _brief(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        return f"{'.'.join(str(x) for x in first['loc'])}: {first['msg']}"
    return str(error)


def _invalid(detail: str) -> ProblemError:
    return ProblemError(ErrorCode.INVALID_REQUEST, detail)
