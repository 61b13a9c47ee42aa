"""The `builtin` pack: generated from a seed, without external data."""

import hashlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import partial
from inspect import signature
from itertools import islice
from typing import Any

import orjson
from pydantic import ValidationError

from agent_env_schemas import InlineTask
from env_server.domains.kit.domain import Domain
from env_server.domains.kit.submit_answer import ANSWERS
from env_server.domains.kit.task import Task, UserScript, WantedChange
from env_server.domains.pack import Pack
from env_server.errors import PackError
from env_server.providers.kept_texts import KeptTexts
from env_server.state import Db, Identity, Snapshot, State, Table, hash_hex

NAME = "builtin"

_BETWEEN = ",\n"
"""The separator between the texts of two rows. No text of a row contains a line feed."""


def load(domain: Domain, scale: int = 1, kept: KeptTexts | None = None) -> Pack:
    """Return the pack of the domain's own world, policy and tasks; the world is `scale` times as large if the domain
    offers that. Its rows are read from `kept`, or made and written there.

    Raises:
        PackError: if the world does not match the domain's tables.
    """
    outside = () if domain.outside is None else domain.outside.tools()
    base, dialect = snapshot(domain, scale, kept), domain.dialects[NAME]
    return Pack(domain, NAME, base, domain.policy, dialect, domain.tasks, outside=outside, kept=kept)


def snapshot(domain: Domain, scale: int = 1, kept: KeptTexts | None = None) -> Snapshot:
    """Return a new copy of the domain's world.

    Raises:
        PackError: if it has rows of an unknown table, a row that does not match its table, or a duplicate key.
    """
    name, coerces = _world_name(domain, scale), domain.dialects[NAME].coerces
    found = None if kept is None else _read(kept, name)
    if kept is not None and found is not None:
        rows, identity = found
        return Snapshot(domain.tables, rows, coerces=coerces, identity=identity, texts=partial(_texts, kept, name))
    made = domain.world(scale=scale) if _is_sized(domain) else domain.world()
    tables = {table.name: table for table in domain.tables}
    unknown = [table for table in made if table not in tables]
    if unknown:
        there = ", ".join(tables)
        raise PackError(f"the world of {domain.name} has a table {unknown[0]!r}; the tables are: {there}")
    base = Snapshot(
        domain.tables, {table: _checked(domain, tables[table], given) for table, given in made.items()}, coerces=coerces
    )
    if kept is not None:
        _keep(kept, name, base)
    return base


def _keep(kept: KeptTexts, name: str, base: Snapshot) -> None:
    """Keep the texts of checked rows, and their identity. Making and checking rows takes several times as long as
    reading them.

    The stored digest of the texts reveals a damaged file.
    """
    text = f"[{_BETWEEN.join(base.texts())}]"
    sha = hashlib.sha256(text.encode()).hexdigest()
    tables = {table: len(found.rows) for table, found in base.tables.items()}
    head = {"sha256": sha, "hash": hash_hex(base.hash), "digest": base.digest, "tables": tables}
    kept.write(name, f"{orjson.dumps(head).decode()}\n{text}")


def _read(kept: KeptTexts, name: str) -> tuple[Mapping[str, list[Any]], Identity] | None:
    """Return the kept rows by table, and their identity; None if they cannot be read."""
    head, text = _whole(kept, name) or ({}, "")
    with suppress(ValueError, TypeError, KeyError):
        rows = iter(orjson.loads(text))
        made = {table: list(islice(rows, count)) for table, count in head["tables"].items()}
        return made, Identity(int(head["hash"], 16), str(head["digest"]))
    return None


def _texts(kept: KeptTexts, name: str) -> list[str] | None:
    """Return the kept texts of the rows; None if they cannot be read."""
    found = _whole(kept, name)
    return None if found is None else found[1][1:-1].split(_BETWEEN)


def _whole(kept: KeptTexts, name: str) -> tuple[dict[str, Any], str] | None:
    """Return the kept head of a world and the texts of its rows; None if there is none, or the file is damaged."""
    with suppress(ValueError, TypeError, KeyError):
        head, text = (kept.read(name) or "").split("\n", 1)
        found: dict[str, Any] = orjson.loads(head)
        if found["sha256"] == hashlib.sha256(text.encode()).hexdigest():
            return found, text
    return None


def _is_sized(domain: Domain) -> bool:
    return "scale" in signature(domain.world).parameters


def _world_name(domain: Domain, scale: int) -> str:
    return f"world-{domain.name}-{scale if _is_sized(domain) else 1}"


def _checked(domain: Domain, table: Table[Any], given: Iterable[Any]) -> list[Any]:
    """Return the rows unchanged, after checking that each matches `table` and that no key occurs twice."""
    rows, keys = list(given), set[str]()
    for i, row in enumerate(rows):
        try:
            table.validate(row)
        except ValidationError as e:
            first = e.errors(include_url=False)[0]
            which = row.get(table.key, i) if isinstance(row, Mapping) else i
            fault = f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
            raise PackError(f"the world of {domain.name}, table {table.name!r}, row {which!r}: {fault}") from e
        key = table.key_of(row)
        if key in keys:
            raise PackError(f"the world of {domain.name}, table {table.name!r}, has two rows of the key {key!r}")
        keys.add(key)
    return rows


def task_from_json(domain: Domain, obj: Mapping[str, Any], base: Snapshot) -> Task:
    """Return the task for `{instruction, user?, initial?, gold: {actions, outputs}, assertions?, rubric?, basis?}`.

    A basis that the object does not name is left to the caller: `basis` is then not in the task's `model_fields_set`.

    Raises:
        pydantic.ValidationError: if the object does not have this form (a ValueError).
        PackError: if its initial changes name an unknown table or lead to a state with a fault, or if
            it asks for an answer that cannot be submitted (a ValueError).
    """
    named = {k: v for k, v in obj.items() if k != "id"}
    InlineTask.model_validate(named)
    named.pop("allow_no_effect", None)
    task = Task.model_validate({**named, "task_id": "inline", "domain": domain.name, "pack": NAME})
    task = task if task.user is None else task.model_copy(update={"user": _agreeing(task.user)})
    _refuse_unsound(domain, task, base)
    _refuse_unanswerable(domain, task)
    return task


def _refuse_unanswerable(domain: Domain, task: Task) -> None:
    """Check that an answer can be submitted, and that evidence belongs to one.

    Raises:
        PackError: naming what does not fit (a ValueError).
    """
    if task.answer is not None and ANSWERS.name not in {table.name for table in domain.tables}:
        raise PackError(f"the task asks for an answer, and {domain.name} has no tool to submit one")
    if task.evidence and task.answer is None:
        raise PackError("`evidence` belongs to an `answer`")


def _refuse_unsound(domain: Domain, task: Task, base: Snapshot) -> None:
    """Check that the task begins in a state that the domain's tools can work with.

    Raises:
        pydantic.ValidationError: if a row does not match its table (a ValueError).
        PackError: naming the fault (a ValueError).
    """
    for name, rows in task.initial.items():
        if name not in base.tables:
            raise PackError(f"the initial changes name a table {name!r}; the tables are: {', '.join(base.tables)}")
        table = base.tables[name].table
        for key, row in rows.items():
            if row is not None:
                table.validate(row)
                if table.key_of(row) != key:
                    raise PackError(f"`initial` row {name}/{key} has the key {table.key_of(row)!r}")
    if not task.initial:
        return
    beginning = Db(State.at(base, task.changes()), domain.dialects[NAME])
    try:
        fault = next(iter(domain.invariants(beginning)), None)
    except Exception as e:  # the rows come from a request, and a fault in them may crash the check
        raise PackError(f"with its initial changes the world cannot be checked: {type(e).__name__}: {e}") from e
    if fault is not None:
        raise PackError(f"with its initial changes the world has a fault: {fault}")


ANYTHING = WantedChange(plan="do that", done="that is done", verbs=("",))
"""The change that a user agrees to if the script does not say what a proposal has to name."""


def _agreeing(script: UserScript) -> UserScript:
    """Return a script in which the user agrees to any proposal about a wish without further details."""
    requests = tuple(
        request
        if request.changes or request.wants or request.until
        else request.model_copy(update={"changes": (ANYTHING,)})
        for request in script.requests
    )
    return script.model_copy(update={"requests": requests})
