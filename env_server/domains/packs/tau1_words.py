"""The schemas of tau-bench's tools, read from its sources, which are parsed and never run."""

import ast
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from env_server.domains.kit.tools import Tool
from env_server.domains.packs.data_files import read_text
from env_server.errors import PackError

Schemas = dict[str, dict[str, Any]]
"""Tool -> its OpenAI function schema."""


def schemas(folder: Path, tools: Mapping[str, Tool]) -> Schemas:
    """Return the schemas of those of `tools` that `folder` defines with the same arguments, unchanged.

    Raises:
        PackError: if a file cannot be read.
    """
    found: Schemas = {}
    for path in sorted(folder.glob("*.py")) if folder.is_dir() else ():
        for schema in _given(path):
            tool = tools.get(schema["function"]["name"])
            if tool is not None and set(schema["function"]["parameters"]["properties"]) == set(tool.argument_names):
                found[tool.name] = schema
    return found


def _given(path: Path) -> list[dict[str, Any]]:
    """Return the results of a file's functions `get_info` that are literal schemas."""
    try:
        tree = ast.parse(read_text(path))
    except (SyntaxError, ValueError) as e:
        raise PackError(f"cannot read {path}: {e}") from e
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name == "get_info"]
    returned = [n.value for f in functions for n in f.body if isinstance(n, ast.Return) and n.value is not None]
    return [schema for schema in map(_literal, returned) if _is_schema(schema)]


def _literal(node: ast.expr) -> Any:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None


def _is_schema(value: Any) -> bool:
    match value:
        case {"type": "function", "function": {"name": str(), "parameters": {"properties": dict()}}}:
            return True
        case _:
            return False
