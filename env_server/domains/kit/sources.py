"""The source files of a module's behaviour: its own, and those of its package that it imports."""

import ast
import importlib.util
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path


def of(modules: Iterable[str], package: str) -> list[Path]:
    """Return the files of `modules` (names) and of their direct and indirect imports from `package`, sorted by module
    name.
    """
    found: dict[str, Path] = {}
    waiting = list(modules)
    while waiting:
        name = waiting.pop()
        file = _file(name)
        if name not in found and file is not None:
            found[name] = file
            waiting += [n for n in _imported(name, file.read_text(encoding="utf-8")) if n.startswith(f"{package}.")]
    return [found[name] for name in sorted(found)]


def _file(name: str) -> Path | None:
    try:
        spec = importlib.util.find_spec(name)
    except ModuleNotFoundError:  # not a module: a name that a module defines
        return None
    return Path(spec.origin) if spec is not None and spec.origin is not None else None


@cache
def _imported(module: str, source: str) -> list[str]:
    """Return the absolute names of all imports of `module` that may be modules."""
    names: list[str] = []
    for node in _statements(ast.parse(source)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            parents = module.split(".")[: -node.level] if node.level else []
            base = ".".join([*parents, *([node.module] if node.module else [])])
            names += [base, *(f"{base}.{alias.name}" for alias in node.names)]
    return names


def _statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield every statement under `tree`. Expressions are not visited: they hold no imports and are most of a tree."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            inside = getattr(node, part, None)
            if isinstance(inside, list):  # the `body` of a lambda is an expression
                waiting += inside
