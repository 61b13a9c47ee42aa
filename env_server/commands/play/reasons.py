"""Explains the value of a reward component in words."""

import json
from collections.abc import Mapping
from typing import Any

from rich.text import Text

from env_server.commands.output import plain
from env_server.rewards.components import components


def reason(name: str, found: Mapping[str, Any]) -> Text:
    """Return the reason in a component's part of the breakdown: what was missing or wrong, or that all is correct."""
    if found.get("value") is None:
        why = found.get("not_judged")
        return Text(plain(f"not judged: {why}" if why else "not judged"), "dim")
    known = components().get(name)
    if known is None:  # the server that played has other components than this one
        return Text(plain(json.dumps({k: v for k, v in found.items() if k != "value"})), "dim")
    lines = (Text(plain(label), "dim").append(plain(words), "not dim") for label, words in known.explain(found))
    return Text("\n").join(lines)
