"""`env-server domains`: list the domains and packs."""

from contextlib import suppress
from typing import TYPE_CHECKING

from pydantic import ValidationError
from rich.padding import Padding
from rich.text import Text

from agent_env_schemas import DomainInfo, DomainList, PackInfo
from env_server.background_loading import is_plain
from env_server.commands.output import console, print_json, readable_errors
from env_server.commands.setup import all_packs, read_settings
from env_server.file_cache import kept
from env_server.gc_tuning import uncollected
from env_server.settings import Settings

if TYPE_CHECKING:
    from env_server.domains.pack import Pack
    from env_server.domains.packs import Packs


def run(*, as_json: bool) -> None:
    """Print all domains with their packs, for people or as JSON in the shape of `GET /domains`.

    The list for people needs neither a world nor the tool lists of servers, so it is fast. JSON has the names of all
    tools and the versions of the packs. For the package's own domains it is cached on disk, so only the first call is
    slow.
    """
    with readable_errors(), uncollected():
        settings = read_settings()
        if as_json:
            print_json(_listed(settings).model_dump(mode="json"))
            return
        screen = console(as_json=False)
        for name, packs in all_packs(settings).items():
            screen.print(Text.assemble((name, "bold cyan"), "  ", packs.domain.description))
            for pack in packs:
                screen.print(Padding(_described(packs, pack), (0, 0, 0, 2)))


def _described(packs: "Packs", name: str) -> Text:
    """Return the line of one pack: its splits and its tools. The builtin pack is not loaded for it."""
    from env_server.domains.packs import builtin  # noqa: PLC0415 - slow to import, and cached JSON does not need it

    domain = packs.domain
    splits = domain.tasks.splits if name == builtin.NAME else packs[name].splits
    dialect = domain.dialects[name]
    agent = domain.tools if dialect.tools is None else dialect.tools
    user = domain.user_tools if dialect.user_tools is None else dialect.user_tools
    own = " of its own" if domain.servers else ""
    tools = [f"{len(agent)} tools{own}", *([f"{len(user)} of the user"] if user else []), *_of_servers(domain.servers)]
    parts = [Text.assemble((f"{split} ", "dim"), f"{size:,}") for split, size in splits.items()]
    return Text("  ").join([Text(name), *parts, Text(", ".join(tools), "dim")])


def _of_servers(servers: tuple[str, ...]) -> list[str]:
    return [f"those of {', '.join(servers)}"] if servers else []


def _listed(settings: Settings) -> DomainList:
    """Return all domains, from the cache or computed."""
    place = kept(settings) if is_plain(settings) and settings.world_scale == 1 else None
    found = place and place.read("domains")
    if found:
        with suppress(ValidationError):
            return DomainList.model_validate_json(found)
    listed = DomainList(
        domains=[
            DomainInfo(name=name, description=packs.domain.description, packs=[_pack(p) for p in packs.values()])
            for name, packs in all_packs(settings).items()
        ]
    )
    if place is not None:
        place.write("domains", listed.model_dump_json())
    return listed


def _pack(pack: "Pack") -> PackInfo:
    return PackInfo(name=pack.name, splits=dict(pack.splits), tools=list(pack.agent_tools), version=pack.version)
