"""Formats in which models write tool calls as text, one module each. The parser uses only the `READER` of a module."""

import importlib
import pkgutil
from collections.abc import Sequence
from functools import cache

from env_server.tools.parse.reader import FormatReader


@cache
def readers() -> Sequence[FormatReader]:
    """Return the readers of all formats in their order: one from each module of this folder."""
    modules = (importlib.import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__))
    found: list[FormatReader] = [module.READER for module in modules]
    return sorted(found, key=lambda reader: reader.order)


@cache
def hints() -> frozenset[str]:
    """Return the hints of all formats. Every mark of a call contains at least one of them."""
    return frozenset(hint for reader in readers() for hint in reader.hints)
