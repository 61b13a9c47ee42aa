"""Rows of a training set: SkyRL's five columns, of the same types for every domain, and the files that hold them.

The same rows give the same bytes (in parquet: with the same version of pyarrow).
"""

import hashlib
import json
import os
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

from agent_env_schemas import DEFAULT_TURNS
from trainer_client.dataset.errors import DataError
from trainer_client.skyrl.row import ENV_CLASS, METHOD

NO_PYARROW = "pyarrow is not installed: .venv/bin/pip install -e '.[data]' in a checkout"

ROWS_AT_ONCE = 1000
"""Rows of a row group: its strings must stay far below the limit of 2 GB for a column of a group."""

Row = dict[str, Any]

_ON_THE_SERVER = {"actions": None, "outputs": None}
"""The ground truth of a row whose solution stays on the server: an object of nulls, because
`datasets` cannot join objects with a bare null.
"""


@dataclass(frozen=True, slots=True)
class Setting:
    """The values that all rows of one domain share."""

    domain: str
    pack: str
    pack_version: str
    """The version that the rows rely on; a server with another version refuses to play them."""

    system: str
    """The system message: policy, tools, examples."""

    user: Mapping[str, Any] | None = None
    """The user, as in `/reset`; None for the pack's script."""

    max_turns: int = DEFAULT_TURNS
    """Messages of the agent after which an episode ends; a trainer may have a lower limit."""

    tools: Mapping[str, Any] | None = None
    """Which tools of MCP servers the episodes have, and how they are called, as in `/reset`."""

    reward_shaping: str | Mapping[str, Any] | None = None
    """The shaped reward: a preset, or its weights."""


def row(  # noqa: PLR0913 -- each is a column
    setting: Setting,
    *,
    source: str,
    split: str,
    purpose: Literal["train", "eval"],
    task_id: str | None = None,
    task: Mapping[str, Any] | None = None,
    template: str | None = None,
    difficulty: int | None = None,
    ground_truth: Mapping[str, Any] | None = None,
) -> Row:
    """Make one row.

    Args:
        setting: The values that it shares with other rows.
        source: The group under which results are reported.
        split: The split of the task.
        purpose: The purpose of the row.
        task_id: The id of a listed task.
        task: A task that the row carries in place of `task_id`, as `/reset` takes it.
        template: The kind of a generated task.
        difficulty: How difficult it is, where that is measured.
        ground_truth: The reference solution if the row carries it; otherwise it stays on the server.
    """
    return {
        "data_source": source,
        "prompt": [{"role": "system", "content": setting.system}],
        "env_class": ENV_CLASS,
        "reward_spec": {"method": METHOD, "ground_truth": dict(ground_truth or _ON_THE_SERVER)},
        "extra_info": {
            "domain": setting.domain,
            "pack": setting.pack,
            "pack_version": setting.pack_version,
            "task_id": task_id,
            "split": split,
            "template": template,
            "difficulty": difficulty,
            "purpose": purpose,
            "max_turns": setting.max_turns,
            "user": as_text(setting.user),
            "task": as_text(task),
            "tools": as_text(setting.tools),
            "reward_shaping": _shaping(setting.reward_shaping),
        },
    }


def _shaping(value: str | Mapping[str, Any] | None) -> str | None:
    """A preset by its name, and weights as JSON text."""
    return value if isinstance(value, str) else as_text(value)


def as_text(value: Mapping[str, Any] | None) -> str | None:
    """An object as JSON text.

    A column of a table has one type. It would give every object the keys of all objects, with null for those that it
    lacks, and a null argument is not the same as an absent one.
    """
    return None if value is None else json.dumps(value, separators=(",", ":"), sort_keys=True)


def check_names(paths: Sequence[Path], read: Path | None = None) -> None:
    """Check that every file can be written, before rows are made that would be lost.

    Args:
        paths: The files.
        read: The file from which their rows are made.

    Raises:
        DataError: if a file cannot be written, or is the file that is read.
    """
    for path in paths:
        _check_name(path)
    targets = [_target(path) for path in paths]
    if len(set(targets)) < len(targets):
        raise DataError("a file is named twice")
    if read is not None and _target(read) in targets:
        raise DataError(f"{read} is the input of the command and would be lost: write to another file")


def write(path: Path, rows: Sequence[Row]) -> dict[str, Any]:
    """Write `rows` to `path`, whose ending says how; returns `path`, `rows`, `bytes` and `sha256`.

    Columns beside the usual ones hold text. An existing file is replaced atomically: a reader finds the whole old file
    or the whole new one. If `path` is a link, its target is replaced.

    Raises:
        DataError: if the file cannot be written.
    """
    _check_name(path)
    target = _target(path)
    with _beside(path, target) as part:
        _WRITERS[path.suffix](part, rows)
        content = part.read_bytes()
        part.replace(target)
    return {"path": str(path), "rows": len(rows), "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def replace_text(path: Path, text: str) -> None:
    """Write a text to `path`; an existing file is replaced atomically.

    Raises:
        DataError: if the file cannot be written.
    """
    target = _target(path)
    with _beside(path, target) as part:
        part.write_text(text, encoding="utf-8")
        part.replace(target)


def read_parquet(path: Path) -> list[Row]:
    """The rows of a parquet file.

    Raises:
        DataError: if it cannot be read.
    """
    try:
        from pyarrow import ArrowInvalid, parquet  # noqa: PLC0415 -- an extra, and slow to import
    except ImportError:
        raise DataError(f"{path}: {NO_PYARROW}") from None
    try:
        rows: list[Row] = parquet.read_table(path).to_pylist()
    except (OSError, ArrowInvalid) as e:
        raise DataError(f"{path} cannot be read: {' '.join(str(e).split())}") from e
    return rows


def _check_name(path: Path) -> None:
    if path.suffix not in _WRITERS:
        raise DataError(f"{path}: the name must end in one of {', '.join(_WRITERS)}")
    if path.suffix == ".parquet" and find_spec("pyarrow") is None:
        raise DataError("parquet needs pyarrow: .venv/bin/pip install -e '.[data]' in a checkout, or write .jsonl")
    target = _target(path)
    with _beside(path, target) as part:
        if not target.parent.is_dir():
            raise DataError(f"{target.parent} is no folder")
        with suppress(FileNotFoundError):
            target.stat()  # this refuses a name that is too long; the short name of the part would pass
        if target.is_dir():
            raise DataError(f"{path} is a folder")
        part.touch()


def _target(path: Path) -> Path:
    """The file itself, if `path` is a link or contains links."""
    return Path(os.path.realpath(path))


@contextmanager
def _beside(path: Path, target: Path) -> Iterator[Path]:
    """A unique name beside `target`, for a file that is to replace it; the file is removed afterwards.

    Raises:
        DataError: if the system refuses an operation in this context.
    """
    part = target.with_name(f".{secrets.token_hex(8)}.part")
    try:
        yield part
    except OSError as e:
        raise DataError(f"{path} cannot be written: {e.strerror or e}") from e
    finally:
        with suppress(OSError):  # the first error says more
            part.unlink(missing_ok=True)


def _write_jsonl(path: Path, rows: Sequence[Row]) -> None:
    with path.open("w", encoding="ascii", newline="\n") as out:
        for each in rows:
            out.write(json.dumps(each, separators=(",", ":")) + "\n")


def _write_parquet(path: Path, rows: Sequence[Row]) -> None:
    import pyarrow as pa  # noqa: PLC0415 -- an extra, and slow to import
    from pyarrow import parquet  # noqa: PLC0415 -- as above

    schema = _schema(pa)
    for name in dict.fromkeys(name for row in rows for name in row):
        if name not in schema.names:
            schema = schema.append(pa.field(name, pa.string()))
    for name in ("reward_spec", "extra_info"):
        fields = {field.name for field in schema.field(name).type}
        if lost := sorted({key for row in rows for key in row.get(name) or {}} - fields):
            raise DataError(f"parquet has no place for {name}.{lost[0]} of these rows: write .jsonl")
    with parquet.ParquetWriter(path, schema, compression="zstd") as out:
        for at in range(0, len(rows), ROWS_AT_ONCE):
            out.write_table(pa.Table.from_pylist(rows[at : at + ROWS_AT_ONCE], schema=schema))


def _schema(pa: Any) -> Any:
    """The types of the columns. They are not inferred: a column of nulls must have its usual type."""
    text = pa.string()

    def struct(**fields: Any) -> Any:
        return pa.struct(list(fields.items()))

    call = struct(requestor=text, name=text, arguments=text)
    info = ("domain", "pack", "pack_version", "task_id", "split", "template", "purpose")
    objects = ("user", "task", "tools", "reward_shaping")
    return pa.schema(
        {
            "data_source": text,
            "prompt": pa.list_(struct(role=text, content=text)),
            "env_class": text,
            "reward_spec": struct(method=text, ground_truth=struct(actions=pa.list_(call), outputs=pa.list_(text))),
            "extra_info": struct(
                **dict.fromkeys(info, text),
                difficulty=pa.int64(),
                max_turns=pa.int64(),
                **dict.fromkeys(objects, text),
            ),
        }
    )


_WRITERS: Mapping[str, Callable[[Path, Sequence[Row]], None]] = {".parquet": _write_parquet, ".jsonl": _write_jsonl}
