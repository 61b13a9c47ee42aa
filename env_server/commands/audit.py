"""`env-server audit`: check whether a pack's tasks measure what an agent does, and nothing else."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

import typer
from rich import box
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from env_server.audit.findings import MEANING, AuditFinding, FindingKind
from env_server.audit.lessons import MOST
from env_server.audit.report import AuditReport, Rate
from env_server.audit.run import BY_CHANCE, EVERY, ORACLE, USUAL, ChosenTasks, audit, choose, episodes
from env_server.backends.local import thrown_away
from env_server.commands.logs import configure_logs
from env_server.commands.output import FAILED, console, fail, plain, print_json, readable_errors
from env_server.commands.setup import find_pack, read_settings
from env_server.domains.pack import Pack
from env_server.settings import Settings

MOST_DETAILS, MOST_TASKS = 5, 40
"""Limits of the printed report: details per kind of finding, and tasks per detail. `--json` has all of them."""


@dataclass(frozen=True)
class AuditOptions:
    """The tasks to audit and the policies that play them."""

    domain: str
    pack: str
    split: str | None = None
    limit: int | None = None
    policies: str | None = None
    """Names, separated by commas; None for the usual ones."""

    full: bool = False
    """Whether all policies play."""

    lessons: int = MOST
    """Number of tasks that the learning policy may learn from."""

    def names(self) -> tuple[str, ...]:
        """Return the policies that play.

        Raises:
            LookupError: if there is no such policy.
        """
        if self.policies is None:
            return EVERY if self.full else USUAL
        names = tuple(dict.fromkeys(name.strip() for name in self.policies.split(",")))
        for name in names:
            if name not in EVERY:
                raise LookupError(f"no policy {name!r}; there are: {', '.join(EVERY)}")
        return names


def run(asked: AuditOptions, *, as_json: bool) -> None:
    """Audit the tasks of a pack and print the findings.

    Raises:
        typer.Exit: with 1 if there is a fault, and with 2 if there is nothing to audit.
    """
    configure_logs(level=logging.WARNING)
    settings, screen = read_settings(), console(as_json=as_json)
    with readable_errors():
        found = find_pack(settings, asked.domain, asked.pack)
        try:
            names, chosen = asked.names(), choose(found, asked.split, asked.limit)
        except LookupError as e:
            fail(str(e))
        if not chosen.tasks and not chosen.unplayable:
            of = f"split {asked.split!r} of {asked.domain}" if asked.split is not None else asked.domain
            fail(f"nothing was audited: {of}, pack {asked.pack!r}, has no tasks")
        report = asyncio.run(_audited(settings, found, chosen, names, asked.lessons))
    if as_json:
        print_json(report.plain())
    else:
        show(screen, report)
    if report.faults:
        raise typer.Exit(FAILED)


async def _audited(
    settings: Settings, pack: Pack, chosen: ChosenTasks, policies: Sequence[str], lessons: int
) -> AuditReport:
    bar = Progress(
        TextColumn("playing", style="dim"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    async with thrown_away(settings) as local:
        with bar:
            task = bar.add_task("", total=episodes(pack, chosen, policies, lessons))
            return await audit(local, pack, chosen, lambda: bar.advance(task), policies, lessons)


def show(screen: Console, report: AuditReport) -> None:
    """Print a report as text: the rates, then the findings by kind, then the verdict."""
    sizes = ", ".join(f"{size:,} of {split}" for split, size in report.tasks.items()) or "no tasks"
    screen.print()
    screen.print(Text.assemble((report.domain, "bold cyan"), f" {report.pack}", (f"   tasks: {sizes}", "dim")))
    if report.rates:
        screen.print(_rates(report))
    for kind in FindingKind:
        of_kind = [finding for finding in report.findings if finding.kind is kind]
        for fault, found in groupby(sorted(of_kind, key=attrgetter("fault"), reverse=True), attrgetter("fault")):
            screen.print(_group(kind, list(found), fault=fault))
    screen.print(_verdict(report))


def _rates(report: AuditReport) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("Policy", style="bold", no_wrap=True)
    table.add_column("Split", style="dim", no_wrap=True)
    for name in ("Solved", "Tasks", "Rate", "at most", "Turns", "Calls", "failed"):
        table.add_column(name, justify="right", no_wrap=True)
    policies = list(next(iter(report.rates.values())))
    for policy in policies:
        for i, (split, rates) in enumerate(report.rates.items()):
            rate = rates[policy]
            table.add_row(policy if i == 0 else "", split, *_cells(policy, rate))
    return table


def _cells(policy: str, rate: Rate) -> list[Text]:
    good = rate.solved + rate.unscored == rate.tasks if policy == ORACLE else rate.share < BY_CHANCE
    failing = f"{rate.failed_calls / rate.calls:.0%}" if rate.calls else ""
    return [
        Text(f"{rate.solved:,}"),
        Text(f"{rate.tasks:,}", "dim"),
        Text(f"{rate.share:.1%}", "green" if good else "bold red"),
        Text(f"{rate.at_most:.1%}", "dim"),
        Text(f"{rate.turns:.1f}", "dim"),
        Text(f"{rate.calls:,}" if rate.calls else "", "dim"),
        Text(failing, "dim"),
    ]


def _group(kind: FindingKind, found: Sequence[AuditFinding], *, fault: bool) -> Padding:
    """Return the findings of one kind: each detail, with the tasks that it applies to."""
    mark, colour = ("✗", "red") if fault else ("·", "yellow")
    lines: list[RenderableType] = [
        Text.assemble((f"{mark} {kind} ", f"bold {colour}"), f"{len(found):,}", (f"   {MEANING[kind]}", "dim"))
    ]
    details: dict[tuple[str, str], list[str]] = {}
    for finding in found:
        details.setdefault((finding.split, finding.detail), []).append(finding.task_id)
    for (split, detail), tasks in list(details.items())[:MOST_DETAILS]:
        ids = Text.assemble((f"{split}  " if split else "", "dim"), (plain(", ".join(tasks[:MOST_TASKS])), "cyan"))
        ids.append(f" and {len(tasks) - MOST_TASKS:,} more" if len(tasks) > MOST_TASKS else "", "dim italic")
        lines += [Padding(ids, (0, 0, 0, 2))] if any(tasks) else []
        lines += [Padding(Text(plain(detail), "dim"), (0, 0, 0, 4))]
    left = sum(len(tasks) for tasks in list(details.values())[MOST_DETAILS:])
    if left:
        lines.append(Padding(Text(f"and {left:,} more; --json lists them", "dim italic"), (0, 0, 0, 2)))
    return Padding(Group(*lines), (0, 0, 1, 0))


def _verdict(report: AuditReport) -> Panel:
    if not report.faults:
        words = "No fault: the reference solutions score, and policies that know nothing do not."
        return Panel(Text(words, "green"), border_style="green", box=box.ROUNDED)
    words = f"{report.faults:,} fault{'s' if report.faults > 1 else ''}: these tasks can be passed or failed unjustly."
    return Panel(Text(words, "bold red"), border_style="red", box=box.ROUNDED)
