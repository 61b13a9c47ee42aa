"""`env-server domains`: what there is to play."""

from collections.abc import Mapping

from rich import box
from rich.table import Table
from rich.text import Text

from env_server.commands.output import console, print_json, readable_errors
from env_server.commands.setup import all_packs, read_settings
from env_server.domains.discovery import domains
from env_server.domains.pack import Pack
from schemas import DomainInfo, DomainList, PackInfo


def run(*, as_json: bool) -> None:
    """Print all domains with their packs, as JSON in the shape of `GET /domains`."""
    with readable_errors():
        found = _listed()
    if as_json:
        print_json(found.model_dump(mode="json"))
        return
    screen = console(as_json=False)
    screen.print(_table(found))
    for domain in found.domains:
        screen.print(Text.assemble((f" {domain.name}  ", "bold cyan"), (domain.description, "dim")))


def _listed() -> DomainList:
    described = domains()
    return DomainList(
        domains=[
            DomainInfo(
                name=name,
                description=described[name].description,
                packs=[_pack(pack) for pack in packs.values()],
            )
            for name, packs in all_packs(read_settings()).items()
        ]
    )


def _pack(pack: Pack) -> PackInfo:
    return PackInfo(name=pack.name, splits=dict(pack.splits), tools=list(pack.agent_tools), version=pack.version)


def _table(found: DomainList) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("Domain", style="bold cyan", no_wrap=True)
    table.add_column("Pack", no_wrap=True)
    table.add_column("Tasks")
    table.add_column("Tools", justify="right")
    table.add_column("Version", style="dim", no_wrap=True)
    for domain in found.domains:
        for i, pack in enumerate(domain.packs):
            name = domain.name if i == 0 else ""
            table.add_row(name, pack.name, _splits(pack.splits), str(len(pack.tools)), (pack.version or "")[:12])
    return table


def _splits(splits: Mapping[str, int]) -> Text:
    parts = [Text.assemble((f"{name} ", "dim"), f"{size:,}") for name, size in splits.items()]
    return Text("  ").join(parts)
