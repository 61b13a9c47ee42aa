"""The tools of the operator's servers: which of them an episode needs, and the stored listings of the servers."""

import hashlib
from collections.abc import Mapping
from time import time
from typing import Final

import orjson
import structlog

from agent_env_schemas import ErrorCode, ToolOptions
from env_server.domains.pack import Pack, Toolkit, names_of
from env_server.episodes.codec.recording import listing_in
from env_server.errors import ProblemError
from env_server.providers.live.names import BETWEEN
from env_server.providers.live.stored_listing import dump_listings, load_listings
from env_server.providers.spec import ServerListing, ServerTool
from env_server.records import LISTING, RecordingRow, Store

log = structlog.get_logger(__name__)

RETRY_AFTER_S: Final = 5.0
"""`Retry-After`, in seconds, of a reset that needs a server which has not answered yet."""


def check_answers(pack: Pack, toolkit: Toolkit, options: ToolOptions | None) -> None:
    """Check that each server that the episode needs has listed its tools.

    An episode needs the servers that it names, and those of the tools that it names. If it names neither, it gets the
    tools that are listed now. An episode that replays recordings needs no server.

    Raises:
        ProblemError: `tools_unavailable`, which is retryable, with the servers that have not answered.
    """
    outside = pack.domain.outside
    if outside is None or (options is not None and options.mode == "replay"):
        return
    missing = outside.missing()
    needed = _needed(pack, toolkit, missing)
    if needed:
        reasons = "; ".join(f"{name}: {missing[name]}" for name in needed)
        what = "tools of servers that have not answered yet"
        raise ProblemError(ErrorCode.TOOLS_UNAVAILABLE, f"the episode needs {what}: {reasons}", None, RETRY_AFTER_S)


def check_recorded(store: Store, pack: Pack, options: ToolOptions | None) -> None:
    """Check that there are recordings of the tag that an episode is to replay.

    Raises:
        ProblemError: `invalid_request`, with the tags that there are.
    """
    if pack.domain.outside is None or options is None or options.mode != "replay" or store.recordings.has(options.tag):
        return
    there = sorted({found.tag for found in store.recordings.sets()})
    said = f"tools: nothing is recorded under the tag {options.tag!r}; there are: {', '.join(there[:20]) or 'none'}"
    raise ProblemError(ErrorCode.INVALID_REQUEST, said)


def check_options(pack: Pack, options: ToolOptions | None) -> None:
    """Check that the options of a reset can have an effect.

    Raises:
        ProblemError: `invalid_request`.
    """
    if options is None:
        return
    plain = ToolOptions()
    if pack.domain.outside is not None:
        if options.mode == "live" and options.tag != plain.tag:
            said = f"tools.tag has no effect without a `mode`: say what to do with the recordings of {options.tag!r}"
            raise ProblemError(ErrorCode.INVALID_REQUEST, said)
        return
    for name in ("mode", "tag", "timeout_s", "retries"):
        if getattr(options, name) != getattr(plain, name):
            said = f"tools.{name} has no effect: no tool of the domain {pack.domain.name!r} reaches the outside"
            raise ProblemError(ErrorCode.INVALID_REQUEST, said)


async def await_servers(pack: Pack, toolkit: Toolkit, options: ToolOptions | None) -> None:
    """Wait for the servers whose tools an episode may use. Other servers delay nothing.

    The wait for a server ends when it has listed its tools once, has failed to, or has used up its time.
    """
    outside = pack.domain.outside
    if outside is None or (options is not None and options.mode == "replay"):
        return
    missing = outside.missing()
    named = bool(toolkit.tools or toolkit.asked_tools or toolkit.servers or toolkit.asked_servers)
    await outside.ready(_needed(pack, toolkit, missing) if named else list(missing))


def _needed(pack: Pack, toolkit: Toolkit, missing: Mapping[str, str]) -> list[str]:
    """Return those of the `missing` servers that an episode may need."""
    limits = [listed for listed in (toolkit.servers, toolkit.asked_servers) if listed]
    allowed = [name for name in missing if all(name in listed for listed in limits)]
    tools = toolkit.asked_tools or toolkit.tools
    if not tools:
        return allowed if limits else []
    named = {server for name in tools for server in _servers_of(pack, name, missing)}
    return [name for name in allowed if name in named]


def _servers_of(pack: Pack, name: str, missing: Mapping[str, str]) -> set[str]:
    """Return the servers that may have the tool `name`.

    These are the servers that listed it, else the server that the name begins with, else all `missing` servers.
    """
    known = {tool.server for tool in pack.server_tools.values() if name in names_of(tool)}
    if known:
        return known
    names = {tool.server for tool in pack.outside} | set(missing)
    ahead = {name.partition(joined)[0] for joined in (BETWEEN, ".") if joined in name}
    return ahead & names or set(missing)


def dump_outside(pack: Pack) -> str:
    """Return the tools of the operator's servers in a pack as JSON, with the names that agents call them by."""
    ours = pack.domain.outside
    return dump_listings((name, tool.listing) for name, tool in pack.server_tools.items() if tool.provider is ours)


def load_outside(pack: Pack, text: str) -> tuple[ServerTool, ...]:
    """Return the tools of a stored version of `pack`."""
    outside = pack.domain.outside
    if outside is None:
        return ()
    return tuple(outside.tool(listing, name) for name, listing in load_listings(text))


async def record_listings(store: Store, pack: Pack, toolkit: Toolkit, options: ToolOptions | None) -> None:
    """Store the listings of the episode's servers, because a replay of the recordings that it makes needs them."""
    if options is None or options.mode not in ("record", "replay_or_live"):
        return
    servers: dict[str, list[ServerListing]] = {}
    needed = {tool.server for tool in pack.tools_for(toolkit).values() if isinstance(tool, ServerTool)}
    for tool in pack.outside:
        if tool.server in needed:
            servers.setdefault(tool.server, []).append(tool.listing)
    rows = [_row(options.tag, server, tools) for server, tools in servers.items()]
    await store.recordings.put([row for row in rows if store.reads.recording(*row[:6]) is None])


def _row(tag: str, server: str, tools: list[ServerListing]) -> RecordingRow:
    text = dump_listings((tool.name, tool) for tool in tools)
    digest = hashlib.sha256(text.encode()).hexdigest()
    return RecordingRow(tag, server, LISTING, digest, "", 0, "{}", text, False, digest, 0.0, time())


def recorded_listings(store: Store) -> dict[str, tuple[ServerListing, ...]]:
    """Return the newest recorded listing of each server. A broken listing is logged and left out."""
    found: dict[str, tuple[ServerListing, ...]] = {}
    for row in store.recordings.listings():
        try:
            found[row.server] = listing_in(row)
        except ValueError as e:
            log.error("a recorded listing cannot be read", tag=row.tag, server=row.server, why=str(e))
    return found


def meta_of(outside: str | None) -> str:
    """Return the stored `meta` of a pack whose tools of the operator's servers are the blob `outside`."""
    return orjson.dumps({} if outside is None else {"outside": outside}).decode()


def outside_in(meta: str) -> str | None:
    """Return the digest of the blob that a stored `meta` names."""
    found: str | None = orjson.loads(meta).get("outside")
    return found
