"""The shape of a row: SkyRL's five columns, of one type in every row, whatever the domain."""

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

from schemas import DEFAULT_TURNS
from trainer_client.dataset.errors import DataError
from trainer_client.skyrl.row import ENV_CLASS

METHOD = "env_server"
"""How a row is rewarded: by the server that plays its episode."""

ROWS_AT_ONCE = 1000
"""Rows of a row group: its strings must stay far below the 2 GB that a column of one may have."""

Row = dict[str, Any]

_ON_THE_SERVER = {"actions": None, "outputs": None}
"""Ground truth that does not go along. An object in every row: `datasets` joins no object with a null."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What all rows of one domain have in common."""

    domain: str
    pack: str
    pack_version: str
    """What the rows rely on: a server with another version refuses to play them."""

    system: str
    """The system message: policy, tools, examples."""

    user: Mapping[str, Any] | None = None
    """Who plays the user, as in `/reset`; None for the pack's script."""

    max_turns: int = DEFAULT_TURNS
    """Messages of the agent after which an episode ends; a trainer may have a lower limit."""


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
    """One row.

    Args:
        setting: What it shares with others.
        source: The group under which results are reported.
        split: The split of the task.
        purpose: What the row is for.
        task_id: A listed task, or
        task: a task that goes along, as `/reset` takes it.
        template: The kind of a generated task.
        difficulty: How difficult it is, where that is measured.
        ground_truth: The reference solution, where it goes along; else it stays on the server.
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
        },
    }


def as_text(value: Mapping[str, Any] | None) -> str | None:
    """An object as JSON text.

    A column has one type: of objects with different keys a table would make one with all keys, the absent ones null,
    which are other arguments for a tool than none.
    """
    return None if value is None else json.dumps(value, separators=(",", ":"), sort_keys=True)


def check_names(paths: Sequence[Path], read: Path | None = None) -> None:
    """See that every file can be written before anything is made that would be lost.

    Args:
        paths: The files.
        read: The file that their rows are made of.

    Raises:
        DataError: if one cannot be written, or is the one that is read.
    """
    for path in paths:
        _check_name(path)
    targets = [_target(path) for path in paths]
    if len(set(targets)) < len(targets):
        raise DataError("a file is named twice")
    if read is not None and _target(read) in targets:
        raise DataError(f"{read} is what the rows are made of, and would be lost: write to another file")


def write(path: Path, rows: Sequence[Row]) -> dict[str, Any]:
    """Write `rows` to `path`, whose ending says how; returns `path`, `rows`, `bytes` and `sha256`.

    A file that is there is replaced at once, so that whoever reads it finds all of the old or all of the new. A link
    stays one: what it leads to is replaced.

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


def _check_name(path: Path) -> None:
    if path.suffix not in _WRITERS:
        raise DataError(f"{path}: the name must end in one of {', '.join(_WRITERS)}")
    if path.suffix == ".parquet" and find_spec("pyarrow") is None:
        raise DataError("parquet needs pyarrow: pip install 'agent-env-server[data]', or write .jsonl")
    target = _target(path)
    with _beside(path, target) as part:
        if not target.parent.is_dir():
            raise DataError(f"{target.parent} is no folder")
        with suppress(FileNotFoundError):
            target.stat()  # which refuses a name that is too long, as the short one of the part would not
        if target.is_dir():
            raise DataError(f"{path} is a folder")
        part.touch()


def _target(path: Path) -> Path:
    """The file itself, where `path` is a link or goes a roundabout way."""
    return Path(os.path.realpath(path))


@contextmanager
def _beside(path: Path, target: Path) -> Iterator[Path]:
    """A name beside `target` that nobody else has, for a file that is to replace it; afterwards it is gone.

    Raises:
        DataError: if the system refuses what is done meanwhile.
    """
    part = target.with_name(f".{secrets.token_hex(8)}.part")
    try:
        yield part
    except OSError as e:
        raise DataError(f"{path} cannot be written: {e.strerror or e}") from e
    finally:
        with suppress(OSError):  # what went wrong before says more
            part.unlink(missing_ok=True)


def _write_jsonl(path: Path, rows: Sequence[Row]) -> None:
    with path.open("w", encoding="ascii", newline="\n") as out:
        for each in rows:
            out.write(json.dumps(each, separators=(",", ":")) + "\n")


def _write_parquet(path: Path, rows: Sequence[Row]) -> None:
    import pyarrow as pa  # noqa: PLC0415 -- an extra, and slow to import
    from pyarrow import parquet  # noqa: PLC0415 -- as above

    schema = _schema(pa)
    with parquet.ParquetWriter(path, schema, compression="zstd") as out:
        for at in range(0, len(rows), ROWS_AT_ONCE):
            out.write_table(pa.Table.from_pylist(rows[at : at + ROWS_AT_ONCE], schema=schema))


def _schema(pa: Any) -> Any:
    """The types of the columns, said and not inferred: a column of nulls must have the type it has elsewhere."""
    text = pa.string()

    def struct(**fields: Any) -> Any:
        return pa.struct(list(fields.items()))

    call = struct(requestor=text, name=text, arguments=text)
    info = ("domain", "pack", "pack_version", "task_id", "split", "template", "purpose")
    return pa.schema(
        {
            "data_source": text,
            "prompt": pa.list_(struct(role=text, content=text)),
            "env_class": text,
            "reward_spec": struct(method=text, ground_truth=struct(actions=pa.list_(call), outputs=pa.list_(text))),
            "extra_info": struct(
                **dict.fromkeys(info, text), difficulty=pa.int64(), max_turns=pa.int64(), user=text, task=text
            ),
        }
    )


_WRITERS: Mapping[str, Callable[[Path, Sequence[Row]], None]] = {".parquet": _write_parquet, ".jsonl": _write_jsonl}
