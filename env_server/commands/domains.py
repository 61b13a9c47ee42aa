"""`env-server domains`: list the domains and packs."""

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from pydantic import TypeAdapter, ValidationError
from rich import box
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from agent_env_schemas import DomainInfo, DomainList, PackInfo
from env_server.audit.figures import SAMPLE, PackFigures
from env_server.background_loading import is_plain
from env_server.commands.output import console, print_json, readable_errors
from env_server.commands.setup import all_packs, read_settings
from env_server.file_cache import FileCache, kept
from env_server.gc_tuning import uncollected
from env_server.settings import Settings

if TYPE_CHECKING:
    from env_server.domains.pack import Pack


def run(*, as_json: bool) -> None:
    """Print all domains with their packs, as tables or as JSON in the shape of `GET /domains`.

    Results for the package's own domains are cached on disk, so only the first call is slow.
    """
    with readable_errors(), uncollected():
        settings = read_settings()
        place = kept(settings) if is_plain(settings) and settings.world_scale == 1 else None
        listed = _listed(settings, place)
        if as_json:
            print_json(listed.model_dump(mode="json"))
            return
        measured = _measured(settings, place)
    screen = console(as_json=False)
    screen.print(_table(measured))
    for domain in listed.domains:
        screen.print(Text.assemble((domain.name, "bold cyan"), "  ", domain.description))
        for pack in domain.packs:
            screen.print(Padding(_details(pack), (0, 0, 0, 2)))


def _listed(settings: Settings, place: FileCache | None) -> DomainList:
    """Return all domains, from the cache or computed."""
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
    if place:
        place.write("domains", listed.model_dump_json())
    return listed


def _measured(settings: Settings, place: FileCache | None) -> list[PackFigures]:
    """Return the figures of all packs, from the cache or computed."""
    found = place and place.read("figures")
    if found:
        with suppress(ValidationError):
            return _FIGURES.validate_json(found)
    from env_server.audit.table import figures  # noqa: PLC0415 - slow to import, and a cached result does not need it

    measured = [figures(pack) for packs in all_packs(settings).values() for pack in packs.values()]
    if place:
        place.write("figures", _FIGURES.dump_json(measured).decode())
    return measured


_FIGURES = TypeAdapter(list[PackFigures])


def _pack(pack: "Pack") -> PackInfo:
    return PackInfo(name=pack.name, splits=dict(pack.splits), tools=list(pack.agent_tools), version=pack.version)


def _table(measured: Sequence[PackFigures]) -> Table:
    table = Table(
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        caption=f"Gold calls: of a reference solution, mean over {SAMPLE} tasks. + the user's own tools.",
        caption_justify="left",
    )
    table.add_column("Domain", style="bold cyan", no_wrap=True)
    table.add_column("Pack", no_wrap=True)
    for name in ("Tools", "Rows", "Templates", "Gold calls"):
        table.add_column(name, justify="right", no_wrap=True)
    previous = ""
    for f in measured:
        table.add_row(
            f.domain if f.domain != previous else "",
            f.pack,
            f"{f.tools} + {f.user_tools}" if f.user_tools else str(f.tools),
            f"{f.rows:,}",
            str(f.templates or ""),
            f"{f.gold_calls:.1f}",
        )
        previous = f.domain
    return table


def _details(pack: PackInfo) -> Text:
    """Return a pack's splits and the beginning of its version."""
    splits = [Text.assemble((f"{name} ", "dim"), f"{size:,}") for name, size in pack.splits.items()]
    return Text("  ").join([Text(pack.name), *splits, Text(f"version {(pack.version or '')[:12]}", "dim")])
