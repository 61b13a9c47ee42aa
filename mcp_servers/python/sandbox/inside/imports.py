"""The modules that code may import, and the paths of their files."""

import importlib
import importlib.abc
import importlib.util
import os
import sys
import sysconfig
from collections.abc import Iterable, Sequence
from types import ModuleType
from typing import Final

# Packages that a package imports, if they are installed.
_COMPANIONS: Final = {"pandas": ("numpy", "dateutil", "six", "tzdata")}
_NOT_SHOWN: Final = {"site-packages", "dist-packages", "test", "idlelib", "turtledemo", "ensurepip", "lib2to3"}
# Extension modules of the standard library that open displays, use terminals or serve tests.
_NOT_LOADED: Final = ("_tkinter", "_curses", "_test", "_xx", "xx", "readline", "_crypt", "nis", "ossaudiodev", "spwd")


def with_companions(packages: Iterable[str]) -> list[str]:
    """Return the packages and their dependencies, each once, dependencies first."""
    companions = [name for package in packages for name in _COMPANIONS.get(package, ())]
    return list(dict.fromkeys([*filter(importlib.util.find_spec, companions), *packages]))


class OnlyThese(importlib.abc.MetaPathFinder):
    """An import finder that blocks all modules except the standard library and the given packages."""

    def __init__(self, packages: Iterable[str]) -> None:
        self.packages = frozenset(packages)

    def find_spec(self, fullname: str, path: Sequence[str] | None, _target: ModuleType | None = None, /) -> None:
        """Return None to let the other finders continue, or raise an error to block the import."""
        name = fullname.partition(".")[0]
        part_of_library = name in sys.stdlib_module_names or name.startswith("_sysconfigdata")
        if path is None and name not in self.packages and not part_of_library:
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)


def load(packages: Iterable[str]) -> None:
    """Import the packages. Block other installed packages, even those that they would use.

    Raises:
        ImportError: A package is missing.
    """
    rule = OnlyThese(packages)
    sys.meta_path.insert(0, rule)
    for package in packages:
        importlib.import_module(package)
    sys.meta_path.remove(rule)


def forget_other_packages() -> None:
    """Remove everything but the standard library and the working folder from the module search path."""
    library = standard_library()
    sys.path[:] = [*(path for path in sys.path if path == library or path.endswith("lib-dynload")), ""]
    sys.path_importer_cache.clear()


def load_standard_extensions() -> None:
    """Import the extension modules of the standard library, so that no worker opens a shared library later."""
    folders = [path for path in sys.path if path.endswith("lib-dynload") and os.path.isdir(path)]
    names = {entry.partition(".")[0] for folder in folders for entry in os.listdir(folder)}
    for name in sorted(names):
        if name in sys.stdlib_module_names and not name.startswith(_NOT_LOADED):
            try:
                importlib.import_module(name)
            except ImportError:  # The system lacks a library of the module. The code's own import reports this.
                continue


def _folders_of(package: str) -> list[str]:
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        return []
    if not spec.submodule_search_locations:
        return [spec.origin]
    folder = os.path.dirname(spec.origin)
    return [folder, f"{folder}.libs"]  # The second folder holds the shared libraries of a wheel, if it has any.


def files_of(packages: Iterable[str]) -> list[str]:
    """Return the folders and files that hold the packages."""
    return [path for package in packages for path in _folders_of(package) if os.path.exists(path)]


def standard_library() -> str:
    """Return the folder of the standard library."""
    return sysconfig.get_path("stdlib")


def standard_files() -> list[str]:
    """Return the entries in the folder of the standard library, without the packages installed there."""
    folder = standard_library()
    return [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name not in _NOT_SHOWN]


def installed_packages() -> list[str]:
    """Return the folders of installed packages. Workers do not see these folders."""
    folder = standard_library()
    return [*(os.path.join(folder, name) for name in _NOT_SHOWN), *(p for p in sys.path if p.endswith("-packages"))]
