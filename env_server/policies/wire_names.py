"""Names of tools in the form that endpoints of models accept. Tools of MCP servers may have other names."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

LONGEST: Final = 64
"""Maximum characters of a name."""

_REFUSED: Final = re.compile(r"[^A-Za-z0-9_-]")


def wire_names(names: Iterable[str]) -> dict[str, str]:
    """Return for each name one that an endpoint accepts: the same if it fits, else one that no other tool has."""
    listed = list(names)
    found = {name: name for name in listed if _fits(name)}
    taken = set(found)
    for name in listed:
        if name not in found:
            found[name] = _free(_REFUSED.sub("_", name), taken)
            taken.add(found[name])
    return found


def renamed(tools: Sequence[Mapping[str, Any]], names: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return OpenAI function schemas under the names that an endpoint accepts."""
    return [{**tool, "function": {**tool["function"], "name": names[tool["function"]["name"]]}} for tool in tools]


def _fits(name: str) -> bool:
    return len(name) <= LONGEST and _REFUSED.search(name) is None


def _free(name: str, taken: set[str]) -> str:
    found, number = name[:LONGEST], 1
    while found in taken:
        number += 1
        ending = f"_{number}"
        found = name[: LONGEST - len(ending)] + ending
    return found
