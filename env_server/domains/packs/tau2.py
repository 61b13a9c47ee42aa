"""The `tau2` pack: a domain of tau2-bench, read from a checkout or from its data folder."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from env_server.domains.kit.domain import Domain
from env_server.domains.kit.task import Component, EnvAssertion, Gold, GoldCall, Task
from env_server.domains.pack import Pack
from env_server.domains.packs import rows, tau2_words
from env_server.domains.packs.data_files import first_folder, read_data, read_text
from env_server.domains.packs.task_lists import ListedTasks
from env_server.domains.packs.tau2_format import Function, Tau2Task
from env_server.errors import PackError
from env_server.state import Change, Db, Snapshot, State, Table, merged, thaw

NAME = "tau2"

_BASIS = {
    "DB": Component.STATE,
    "COMMUNICATE": Component.COMMUNICATE,
    "ACTION": Component.ACTIONS,
    "ENV_ASSERTION": Component.ENV_ASSERTIONS,
    "NL_ASSERTION": Component.NL_ASSERTIONS,
}
_REQUESTORS = {"assistant": "agent", "agent": "agent", "user": "user"}


LAYOUT = "data/tau2/domains/<domain>/db.json (or .toml), as in a checkout of tau2-bench"
"""The required layout of the directory."""

VARIABLE = "ENV_SERVER_TAU2_DIR"
"""The variable that names the directory."""


def folder(domain: str, directory: Path) -> Path | None:
    """Return the domain's data folder under `directory` (a checkout, its data, or the folder itself), or None."""
    parents = ("data/tau2/domains", "tau2/domains", "domains", "")
    own = [directory] if directory.name == domain else []
    return first_folder([*(directory / parent / domain for parent in parents), *own], "db.")


def load(domain: Domain, directory: Path) -> Pack:
    """Return the domain's pack.

    Raises:
        PackError: if the data is missing or cannot be read.
    """
    where = folder(domain.name, directory)
    if where is None:
        raise PackError(f"{directory} has no tau2-bench data of {domain.name!r}")
    dialect = domain.dialects[NAME]
    data = read_data(where, "db") or {}
    if (user := read_data(where, "user_db")) is not None:
        data = {**data, "user": user}
    base = rows.snapshot(domain.tables, data, dialect)
    policy, solo = _policy(where, "main_policy.md"), _policy(where, "main_policy_solo.md")
    if policy is None:
        raise PackError(f"{where} has no policy")
    pack = Pack(domain, NAME, base, policy, dialect, _tasks(domain, where), solo)
    sources = _sources(domain.name, directory)
    if sources is None:
        return replace(pack, shown={})
    tools = {**pack.local_tools, **pack.user_tools}
    return replace(pack, shown=tau2_words.schemas(sources, tools, dialect.argument_types))


def _sources(domain: str, directory: Path) -> Path | None:
    """Return the domain's sources under `directory` (a checkout, its package, or the folder itself), or None."""
    parents = ("src/tau2/domains", "tau2/domains", "domains", "")
    own = [directory] if directory.name == domain else []
    return first_folder([*(directory / parent / domain for parent in parents), *own], "tools.py")


def task_from_json(domain: Domain, obj: Mapping[str, Any], base: Snapshot) -> Task:
    """Return the task for a tau2-bench task object; its initial data is merged into `base`.

    Raises:
        pydantic.ValidationError: if the object does not have this form (a ValueError).
        PackError: if it needs a feature that this server does not offer (a ValueError).
    """
    source = Tau2Task.model_validate(obj)
    criteria = source.evaluation_criteria
    source.refuse_unsupported()
    unknown = [name for name in criteria.reward_basis if name not in _BASIS]
    if unknown:
        raise PackError(f"task {source.id!r}: unknown reward basis {', '.join(unknown)}")
    calls = [
        GoldCall.model_validate(
            {
                "name": action.name,
                "arguments": action.arguments,
                "requestor": _REQUESTORS[action.requestor],
                "compare": action.compare_args,
            }
        )
        for action in criteria.actions
    ]
    return Task(
        task_id=source.id,
        domain=domain.name,
        pack=NAME,
        instruction=source.user_scenario.prose(),
        ticket=source.ticket,
        initial=_initial(domain, source, base),
        gold=Gold(actions=tuple(calls), outputs=tuple(criteria.communicate_info)),
        basis=tuple(_BASIS[name] for name in criteria.reward_basis),
        assertions=tuple(criteria.nl_assertions),
        env_assertions=_env_assertions(domain, source),
    )


def _env_assertions(domain: Domain, source: Tau2Task) -> tuple[EnvAssertion, ...]:
    asserted = source.evaluation_criteria.env_assertions
    unknown = [a.func_name for a in asserted if a.func_name not in domain.assertions[a.side]]
    if unknown:
        raise PackError(f"task {source.id!r} asserts by {', '.join(unknown)}, which this server does not offer")
    for a in asserted:
        try:
            inspect.signature(domain.assertions[a.side][a.func_name]).bind(None, **a.arguments)
        except TypeError as e:
            raise PackError(f"task {source.id!r}: its assertion {a.func_name!r} cannot be asked: {e}") from e
    return tuple(
        EnvAssertion(name=a.func_name, arguments=a.arguments, requestor=a.side, expected=a.assert_value)
        for a in asserted
    )


def _initial(domain: Domain, source: Tau2Task, base: Snapshot) -> dict[str, dict[str, Any]]:
    """Return the whole rows that the task's initial data and then its set-up change."""
    changes = _given_rows(domain, source, base)
    layer = [Change(table, key, row) for table, rows in changes.items() for key, row in rows.items()]
    db = Db(State.at(base, layer), domain.dialects[NAME])
    tables = {table.name: table for table in domain.tables}
    for function in source.set_up():
        try:
            run_set_up(domain, db, function)
            for table, key, row in db.state.take_changes():
                changes.setdefault(table, {})[key] = _valid(tables[table], row)
        except Exception as e:  # a task's own arguments may make a function raise anything
            raise PackError(f"task {source.id!r}: its set-up {function.func_name!r} fails: {e}") from e
    return changes


def _valid(table: Table[Any], row: Any) -> Any:
    """Return an uncoerced copy of `row`, or None for None. A function stores its arguments without coercion.

    Raises:
        pydantic.ValidationError: if it does not match the table.
    """
    if row is not None:
        table.validate(thaw(row))
    return thaw(row)


def run_set_up(domain: Domain, db: Db[Any], function: Function) -> None:
    """Run one function of a task's set-up, and the domain's `after_call`.

    Raises:
        LookupError: if the domain has no such function.
        Exception: any error of the function.
    """
    dialect = domain.dialects[NAME]
    offered = (domain.tools, dialect.tools) if function.side == "agent" else (domain.user_tools, dialect.user_tools)
    tools = {t.name: t for t in offered[0] if offered[1] is None or t.name in offered[1]}
    known: dict[str, Callable[..., Any]] = {**tools, **domain.setups[function.side]}
    if function.func_name not in known:
        raise LookupError("there is no such function")
    known[function.func_name](db, **function.arguments)
    if domain.after_call is not None:
        domain.after_call(db)


def _given_rows(domain: Domain, source: Tau2Task, base: Snapshot) -> dict[str, dict[str, Any]]:
    """Return the rows that the task's initial data changes."""
    changes: dict[str, dict[str, Any]] = {}
    dialect = domain.dialects[NAME]
    tables = {table.name: table for table in domain.tables}
    for name, patches in source.initial_data().items():
        if name not in tables:
            raise PackError(f"task {source.id!r}: its initial data names a table {name!r} that does not exist")
        stored = base.tables[name].rows
        changes[name] = {
            key: rows.load_row(tables[name], merged(stored.get(key, {tables[name].key: key}), patch), dialect)
            for key, patch in patches.items()
        }
    return changes


def _tasks(domain: Domain, where: Path) -> ListedTasks:
    objects = {str(obj["id"]): obj for obj in read_data(where, "tasks") or ()}
    listed = read_data(where, "split_tasks", "splits") or {"base": list(objects)}
    listed = listed.get("included", listed)
    members = {split: [i for i in map(str, ids) if i in objects] for split, ids in listed.items()}
    return ListedTasks(objects, members, partial(task_from_json, domain))


def _policy(where: Path, main_file: str) -> str | None:
    """Return the agent's policy. If it has two parts, return both, each in upstream's tags."""
    if not (where / main_file).is_file():
        whole = where / "policy.md"
        return read_text(whole) if whole.is_file() and main_file == "main_policy.md" else None
    main, support = read_text(where / main_file), read_text(where / "tech_support_manual.md")
    return f"<main_policy>\n{main}\n</main_policy>\n<tech_support_policy>\n{support}\n</tech_support_policy>"
