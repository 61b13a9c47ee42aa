"""Which source files a module's behaviour comes from: its own, and those it imports of its package."""

import ast
import importlib.util
from collections.abc import Iterable
from pathlib import Path


def of(modules: Iterable[str], package: str) -> list[Path]:
    """The files of `modules` (names) and of the modules of `package` they import, directly or not, sorted by name."""
    found: dict[str, Path] = {}
    waiting = list(modules)
    while waiting:
        name = waiting.pop()
        file = _file(name)
        if name not in found and file is not None:
            found[name] = file
            waiting += [n for n in _imported(name, file) if n.startswith(f"{package}.")]
    return [found[name] for name in sorted(found)]


def _file(name: str) -> Path | None:
    try:
        spec = importlib.util.find_spec(name)
    except ModuleNotFoundError:  # a name inside a module, not a module
        return None
    return Path(spec.origin) if spec is not None and spec.origin is not None else None


def _imported(module: str, file: Path) -> list[str]:
    """Everything that may be a module among what `module` imports, by absolute name."""
    names: list[str] = []
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            parents = module.split(".")[: -node.level] if node.level else []
            source = ".".join([*parents, *([node.module] if node.module else [])])
            names += [source, *(f"{source}.{alias.name}" for alias in node.names)]
    return names
