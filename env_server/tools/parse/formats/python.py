"""Calls as Python code. They are parsed with `ast`; arguments must be literals, and no code is executed."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection
from typing import Any

from env_server.tools.parse.calls import make_call
from env_server.tools.parse.formats.fenced import FENCE, block_at, close_of, mark
from env_server.tools.parse.lenient_json import MAX_DEPTH, REPAIR_LIMIT, TOO_DEEP
from env_server.tools.parse.outcome import called
from env_server.tools.parse.reader import FormatReader
from env_server.tools.parse.result import Format, Parsed, ParsedCall, Unreadable

EXPECTED = 'Expected calls with keyword arguments that are literals, such as name(key="value").'

_LANGUAGES = frozenset({"", "python", "py", "python3", "tool_code", "tool_call", "tool_calls"})
_CALLED = re.compile(r"\b(\w++)\s*+\(")
_JSON_NAMES = {"true": True, "false": False, "null": None}


def read(text: str, start: int, known: Collection[str]) -> Parsed | None:
    """Return every call of a known tool in the Python fences of `text`. Other fences stay in the content."""
    calls: list[ParsedCall] = []
    pieces: list[str] = []
    pos = 0
    while (start := text.find(FENCE, start)) >= 0:
        block = block_at(text, start)
        end = close_of(text, block.body)
        source = text[block.body : block.close]
        if block.language in _LANGUAGES and _mentions(source, known):
            made = calls_in(source, known)
            if made:
                calls += made
                pieces.append(text[pos:start])
                pos = end
        start = end
    return called(Format.PYTHON, [*pieces, text[pos:]], calls, False) if calls else None


def _mentions(source: str, known: Collection[str]) -> bool:
    return any(match[1] in known for match in _CALLED.finditer(source))


def calls_in(source: str, known: Collection[str]) -> list[ParsedCall]:
    """Return the calls of `source`; an empty list if no statement is a call of a known tool.

    Raise `Unreadable` if an argument is not a literal or if there is other code.
    """
    statements = [_call_nodes(node) for node in _parse(source)]
    if not any(_tool(call, known) in known for calls in statements for call in calls):
        return []
    if not all(statements):
        raise Unreadable(f"The Python block holds code other than calls of tools. {EXPECTED}")
    return [_call(node, known) for calls in statements for node in calls]


def _parse(source: str) -> list[ast.stmt]:
    if len(source) > REPAIR_LIMIT:
        raise Unreadable(f"The Python block is longer than {REPAIR_LIMIT} characters.")
    try:
        return ast.parse(source.strip()).body
    except (RecursionError, MemoryError):
        raise Unreadable(TOO_DEEP) from None
    except (SyntaxError, ValueError):
        raise Unreadable(f"The Python block is not valid Python. {EXPECTED}") from None


def _call_nodes(statement: ast.stmt) -> list[ast.Call]:
    """Return the calls in a statement `f()`, `x = f()` or `[f(), g()]`; an empty list for any other statement."""
    value = statement.value if isinstance(statement, ast.Expr | ast.Assign) else None
    items = value.elts if isinstance(value, ast.List) else [value]
    calls = [item for item in items if isinstance(item, ast.Call)]
    return calls if len(calls) == len(items) else []


def _tool(node: ast.Call, known: Collection[str]) -> str:
    """Return the name of the called tool: the dotted name if a tool has it, else the part after the last dot."""
    parts: list[str] = []
    target: ast.expr = node.func
    while isinstance(target, ast.Attribute):
        parts.append(target.attr)
        target = target.value
    if not isinstance(target, ast.Name):
        return ""
    dotted = ".".join([target.id, *reversed(parts)])
    return dotted if dotted in known or not parts else parts[0]


def _call(node: ast.Call, known: Collection[str]) -> ParsedCall:
    name = _tool(node, known)
    arguments: dict[str, Any] = {}
    if len(node.args) == 1 and not node.keywords and isinstance(node.args[0], ast.Dict):
        return make_call(name, _literal(node.args[0], name))[0]
    if node.args:
        raise Unreadable(f"The call of {name or 'a tool'} has positional arguments. {EXPECTED}")
    for keyword in node.keywords:
        if keyword.arg is None:
            raise Unreadable(f"The call of {name or 'a tool'} unpacks its arguments. {EXPECTED}")
        arguments[keyword.arg] = _literal(keyword.value, name)
    return make_call(name, arguments)[0]


def _literal(node: ast.expr, name: str, depth: int = 1) -> Any:
    """Return the JSON value of a literal. Tuples become lists; JSON's true, false and null are accepted."""
    if depth > MAX_DEPTH:
        raise Unreadable(TOO_DEEP)
    match node:
        case ast.Constant(value=str() | int() | float() | None as value):
            return value
        case ast.Name(id=word) if word in _JSON_NAMES:
            return _JSON_NAMES[word]
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return -value
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return [_literal(item, name, depth + 1) for item in items]
        case ast.Dict(keys=keys, values=values):
            return {_key(key, name): _literal(item, name, depth + 1) for key, item in zip(keys, values, strict=True)}
    raise Unreadable(f"The call of {name or 'a tool'} has an argument that is not a literal. {EXPECTED}")


def _key(node: ast.expr | None, name: str) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    raise Unreadable(f"The call of {name or 'a tool'} has an object with a key that is not a string.")


READER = FormatReader(Format.PYTHON, order=40, hints=(FENCE,), mark=mark, read=read)
