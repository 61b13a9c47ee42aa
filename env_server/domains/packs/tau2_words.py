"""The schemas of tau2-bench's tools in the words of its sources, which are parsed and never run.

In these sources, a tool is a method marked `@is_tool`, and its docstring describes the tool and its arguments. Records
in arguments are pydantic models with a description for each field. Types are the dialect's.
"""

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from inspect import cleandoc
from pathlib import Path
from typing import Any

from docstring_parser import parse
from pydantic import BaseModel, Field, create_model

from env_server.domains.kit.tools import Tool
from env_server.domains.packs.data_files import read_text
from env_server.errors import PackError

Schemas = dict[str, dict[str, Any]]
"""Tool -> its OpenAI function schema."""

TOOLS = ("tools.py", "user_tools.py")
MODELS = ("data_model.py", "user_data_model.py")


@dataclass(frozen=True, slots=True)
class ToolWords:
    """The descriptions of a tool and its arguments, or of a record and its fields."""

    text: str | None
    parts: Mapping[str, str | None]
    """Argument or field -> its description."""


def schemas(folder: Path, tools: Mapping[str, Tool], types: Mapping[str, Mapping[str, Any]]) -> Schemas:
    """Return the schemas of those of `tools` that `folder` defines with the same arguments, in its words.

    Args:
        folder: The domain's sources.
        tools: The pack's tools, by name.
        types: Tool -> argument -> the type in its schema in place of the signature's.

    Raises:
        PackError: if a file cannot be read.
    """
    found = [node for name in TOOLS for node in _parsed(folder / name)]
    methods = {node.name: node for node in found if isinstance(node, ast.FunctionDef) and _is_tool(node)}
    found = [node for name in MODELS for node in _parsed(folder / name)]
    records = {node.name: _of_record(node) for node in found if isinstance(node, ast.ClassDef)}
    return {
        name: _schema(tool, types.get(name, {}), _of_method(methods[name]), records)
        for name, tool in tools.items()
        if name in methods and _arguments(methods[name]) == tool.argument_names
    }


def _parsed(path: Path) -> list[ast.AST]:
    if not path.is_file():
        return []
    try:
        return list(ast.walk(ast.parse(read_text(path))))
    except (SyntaxError, ValueError) as e:
        raise PackError(f"cannot read {path}: {e}") from e


def _is_tool(method: ast.FunctionDef) -> bool:
    marks = [mark.func if isinstance(mark, ast.Call) else mark for mark in method.decorator_list]
    return any(isinstance(mark, ast.Name) and mark.id == "is_tool" for mark in marks)


def _arguments(method: ast.FunctionDef) -> tuple[str, ...]:
    return tuple(argument.arg for argument in (*method.args.args[1:], *method.args.kwonlyargs))


def _of_method(method: ast.FunctionDef) -> ToolWords:
    """Return the words of a docstring of any style. Like upstream, join its short and its long description."""
    said = parse(ast.get_docstring(method, clean=False) or "")
    text = "\n\n".join(part for part in (said.short_description, said.long_description) if part)
    return ToolWords(text or method.name, {p.arg_name: p.description for p in said.params})


def _of_record(model: ast.ClassDef) -> ToolWords:
    """Return the words of a model: its docstring, and `description` of each `Field`."""
    said = ast.get_docstring(model, clean=False)
    fields = {
        node.target.id: _description(node.value)
        for node in model.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }
    return ToolWords(None if said is None else cleandoc(said), fields)


def _description(value: ast.expr | None) -> str | None:
    for keyword in value.keywords if isinstance(value, ast.Call) else ():
        if keyword.arg == "description":
            try:
                return str(ast.literal_eval(keyword.value))
            except ValueError:  # the description is computed, and this module runs no source
                return None
    return None


def _schema(tool: Tool, types: Mapping[str, Any], words: ToolWords, records: Mapping[str, ToolWords]) -> dict[str, Any]:
    fields: dict[str, Any] = {
        name: (hint, Field(default, description=words.parts.get(name)))
        for name, (hint, default) in tool.signature(types).items()
    }
    model: type[BaseModel] = create_model("parameters", **fields)
    parameters = model.model_json_schema()
    for name, definition in parameters.get("$defs", {}).items():
        parameters["$defs"][name] = _told(definition, records.get(name, ToolWords(None, {})))
    return {"type": "function", "function": {"name": tool.name, "description": words.text, "parameters": parameters}}


def _told(definition: Mapping[str, Any], words: ToolWords) -> dict[str, Any]:
    """Return the schema of a record with exactly these descriptions."""
    told = _described(definition, words.text)
    if "properties" in told:
        told["properties"] = {k: _described(v, words.parts.get(k)) for k, v in told["properties"].items()}
    return told


def _described(schema: Mapping[str, Any], text: str | None) -> dict[str, Any]:
    """Return `schema` with this description, if any; keys stand in the order of pydantic's."""
    said = {} if text is None else {"description": text}
    return dict(sorted({**{k: v for k, v in schema.items() if k != "description"}, **said}.items()))
