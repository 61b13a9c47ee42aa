"""`env-server domains`: what there is to play."""

from collections.abc import Mapping, Sequence

from rich import box
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from env_server.audit.table import SAMPLE, Figures, figures
from env_server.commands.output import console, print_json, readable_errors
from env_server.commands.setup import all_packs, read_settings
from env_server.domains.discovery import domains
from env_server.domains.pack import Pack
from schemas import DomainInfo, DomainList, PackInfo

Found = Mapping[str, Sequence[Pack]]
"""The packs of each domain."""


def run(*, as_json: bool) -> None:
    """Print all domains with their packs, as JSON in the shape of `GET /domains`."""
    with readable_errors():
        found = {name: list(packs.values()) for name, packs in all_packs(read_settings()).items()}
        if as_json:
            print_json(_listed(found).model_dump(mode="json"))
            return
        measured = [figures(pack) for packs in found.values() for pack in packs]
    screen = console(as_json=False)
    screen.print(_table(measured))
    for name, packs in found.items():
        screen.print(Text.assemble((name, "bold cyan"), "  ", domains()[name].description))
        for pack in packs:
            screen.print(Padding(_details(pack), (0, 0, 0, 2)))


def _listed(found: Found) -> DomainList:
    described = domains()
    return DomainList(
        domains=[
            DomainInfo(name=name, description=described[name].description, packs=[_pack(pack) for pack in packs])
            for name, packs in found.items()
        ]
    )


def _pack(pack: Pack) -> PackInfo:
    return PackInfo(name=pack.name, splits=dict(pack.splits), tools=list(pack.agent_tools), version=pack.version)


def _table(measured: Sequence[Figures]) -> Table:
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


def _details(pack: Pack) -> Text:
    """A pack's splits and the beginning of its version."""
    splits = [Text.assemble((f"{name} ", "dim"), f"{size:,}") for name, size in pack.splits.items()]
    return Text("  ").join([Text(pack.name), *splits, Text(f"version {pack.version[:12]}", "dim")])
