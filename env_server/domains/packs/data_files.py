"""Readers of public data files: JSON, TOML or Python literals, gzipped or not."""

import ast
import gzip
import json
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from env_server.errors import PackError


def first_folder(candidates: Iterable[Path], marker: str) -> Path | None:
    """Return the first folder that holds a file whose name begins with `marker`, or None."""
    return next((f for f in candidates if f.is_dir() and any(f.glob(marker + "*"))), None)


def read_text(path: Path) -> str:
    """Return the text of a file, unpacked if its name ends with `.gz`.

    Raises:
        PackError: if it cannot be read.
    """
    try:
        raw = path.read_bytes()
        return (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8")
    except (OSError, EOFError, UnicodeDecodeError) as e:
        raise PackError(f"cannot read {path}: {e}") from e


def read_data(folder: Path, *stems: str) -> Any | None:
    """Return the content of the first file `stem.json`, `.json.gz`, `.toml` or `.py` in `folder`; None if there is
    none.

    Raises:
        PackError: if the file cannot be read.
    """
    for stem in stems:
        for suffix, parse in _PARSERS.items():
            path = folder / (stem + suffix)
            if path.is_file():
                try:
                    return parse(read_text(path))
                except (ValueError, SyntaxError) as e:
                    raise PackError(f"cannot read {path}: {e}") from e
    return None


def python_list(source: str) -> list[Any]:
    """Return the first list of records that a Python file assigns, `name = [Record(a=1), {"a": 1}]`, as plain dicts.

    The file is parsed and never run. Only literals and calls with keyword arguments are supported.

    Raises:
        ValueError: if there is no such list, or it holds anything else.
    """
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.Assign | ast.AnnAssign) and isinstance(statement.value, ast.List):
            return [_plain(node) for node in statement.value.elts]
    raise ValueError("the file assigns no list")


def _plain(node: ast.expr) -> Any:
    """Return the value of a literal in which a call with keyword arguments stands for a dict."""
    match node:
        case ast.Call(args=[], keywords=keywords) if all(k.arg for k in keywords):
            return {str(k.arg): _plain(k.value) for k in keywords}
        case ast.List(elts=elements) | ast.Tuple(elts=elements):
            return [_plain(element) for element in elements]
        case ast.Dict(keys=keys, values=values) if None not in keys:
            return {ast.literal_eval(k): _plain(v) for k, v in zip(keys, values, strict=True) if k is not None}
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _plain(left) + _plain(right)
        case _:
            return ast.literal_eval(node)


_PARSERS: dict[str, Callable[[str], Any]] = {
    ".json": json.loads,
    ".json.gz": json.loads,
    ".toml": tomllib.loads,
    ".py": python_list,
}
