"""Listings of servers as JSON: in the stored versions of packs, and beside recordings."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

import orjson

from env_server.providers.spec import ServerListing


def dump_listings(tools: Iterable[tuple[str, ServerListing]]) -> str:
    """Return tools as JSON text, each with the name that agents call it by."""
    return orjson.dumps([[name, asdict(tool)] for name, tool in tools], option=orjson.OPT_SORT_KEYS).decode()


def load_listings(text: str) -> list[tuple[str, ServerListing]]:
    """Return the tools of a JSON text with their names for agents."""
    return [(name, _listing(fields)) for name, fields in orjson.loads(text)]


def _listing(fields: dict[str, Any]) -> ServerListing:
    return ServerListing(**{**fields, "aliases": tuple(fields["aliases"])})
