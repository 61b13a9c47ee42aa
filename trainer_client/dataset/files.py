"""Writing rows: parquet and JSON lines. The same rows give the same bytes (of parquet: with the same pyarrow)."""

import hashlib
import json
import os
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from trainer_client.dataset.errors import DataError
from trainer_client.dataset.rows import Row

ROWS_AT_ONCE = 1000
"""Rows of a row group: its strings must stay far below the 2 GB that a column of one may have."""


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
