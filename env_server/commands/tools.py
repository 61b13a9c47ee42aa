"""`env-server tools check`: start the MCP servers of a configuration, list their tools, and try one of each."""

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from env_server.commands.output import FAILED, console, fail, plain, print_json
from env_server.domains.pack import RESERVED
from env_server.policies.wire_names import wire_names
from env_server.providers.live.config import ConfigProblem, ServerConfig, TrialCall, read_config
from env_server.providers.live.manager import ToolManager
from env_server.providers.live.masking import masked_settings
from env_server.providers.live.names import agent_names
from env_server.providers.spec import ServerListing
from mcp_servers.kit.redact import MASK

EPISODE = "check"
SHOWN = 60
"""How many characters of a trial's result the table shows."""


@dataclass(frozen=True)
class TriedTool:
    """The call of one tool."""

    tool: str
    asked: bool
    """Whether the file names it, under `check`."""

    ok: bool
    text: str
    latency_s: float


@dataclass(frozen=True)
class ServerReport:
    """What was found out about a server."""

    server: str
    reached: bool
    tools: list[dict[str, str]]
    """Each with its `name` for agents, its `tool` and its `effect`."""

    tried: TriedTool | None
    """The call of the file's `check`, else of a tool that reads and needs no arguments; None if there is none."""

    problems: list[str]

    @property
    def fine(self) -> bool:
        """Whether the server was reached, and the call of `check` succeeded."""
        return self.reached and not (self.tried and self.tried.asked and not self.tried.ok)


def run(file: Path, *, start_s: float, as_json: bool) -> None:
    """Check all servers of a file. Exit with status 1 if one cannot be reached, or if its `check` fails."""
    try:
        config = read_config(file)
    except ConfigProblem as e:
        fail(str(e))
    reports = asyncio.run(check(config, start_s))
    if as_json:
        print_json({"servers": [asdict(report) for report in reports]})
    else:
        _show(console(as_json=False), reports)
    if not all(report.fine for report in reports):
        raise SystemExit(FAILED)


async def check(config: tuple[ServerConfig, ...], start_s: float) -> list[ServerReport]:
    """Return what can be found out about each server."""
    manager = ToolManager(config, start_s=start_s)
    try:
        await manager.start()
        listings = manager.listings()
        names = agent_names(((tool.server, tool.name) for tools in listings.values() for tool in tools), RESERVED)
        sent = wire_names(names.values())
        tries = await asyncio.gather(*(_try(manager, one, listings.get(one.name, ()), start_s) for one in config))
        problems, remarks = manager.problems(), manager.remarks()
    finally:
        await manager.aclose()
    return [
        ServerReport(
            one.name,
            one.name in listings and one.name not in problems,
            [_row(tool, names[tool.server, tool.name]) for tool in listings.get(one.name, ())],
            tried,
            [
                *filter(None, [problems.get(one.name)]),
                *remarks.get(one.name, ()),
                *_renamed(one.name, names, sent),
                *(f"env.{name}: its value is shown as {MASK} in results" for name in masked_settings(one)),
            ],
        )
        for one, tried in zip(config, tries, strict=True)
    ]


def _renamed(server: str, names: Mapping[tuple[str, str], str], sent: Mapping[str, str]) -> Iterator[str]:
    """Yield a remark for each tool whose name the endpoints of models do not accept."""
    for (of, _), name in names.items():
        if of == server and sent[name] != name:
            yield f"{name!r} is {sent[name]!r} for models, which take letters, digits, _ and -, and at most 64 of them"


def _row(tool: ServerListing, name: str) -> dict[str, str]:
    return {"name": name, "tool": tool.name, "effect": "read" if tool.read_only else "write"}


async def _try(
    manager: ToolManager, server: ServerConfig, tools: tuple[ServerListing, ...], limit_s: float
) -> TriedTool | None:
    """Make the call of the file's `check`, else call the first tool that reads and needs no arguments."""
    if not tools:
        return None
    named = server.block.check
    chosen = named or next((TrialCall(tool=tool.name) for tool in tools if _needs_nothing(tool)), None)
    if chosen is None:
        return None
    if chosen.tool not in {tool.name for tool in tools}:
        return TriedTool(chosen.tool, asked=True, ok=False, text="the server has no such tool", latency_s=0)
    found = await manager.call(server.name, chosen.tool, chosen.arguments, episode=EPISODE, deadline_s=limit_s)
    latency_s = round(found.metrics["latency_s"], 3)
    return TriedTool(chosen.tool, asked=named is not None, ok=not found.is_error, text=found.text, latency_s=latency_s)


def _needs_nothing(tool: ServerListing) -> bool:
    return tool.read_only and not tool.arguments.get("required")


def _show(screen: Console, reports: list[ServerReport]) -> None:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for column in ("Server", "State", "Reads", "Writes", "Tried"):
        table.add_column(column, justify="right" if column in ("Reads", "Writes") else "left")
    for report in reports:
        reads = sum(tool["effect"] == "read" for tool in report.tools)
        state = Text("reached", "green") if report.reached else Text("not reached", "bold red")
        table.add_row(report.server, state, str(reads), str(len(report.tools) - reads), _tried(report))
    screen.print(table)
    for report in reports:
        for effect in ("read", "write"):
            named = [tool["name"] for tool in report.tools if tool["effect"] == effect]
            if named:
                screen.print(Text.assemble((f"{report.server} {effect}s  ", "dim"), ", ".join(named)))
    for report in reports:
        for problem in report.problems:
            screen.print(Text.assemble((report.server, "bold yellow"), "  ", plain(problem)), soft_wrap=True)


def _tried(report: ServerReport) -> Text:
    tried = report.tried
    if tried is None:
        return Text("nothing: name a call under `check`" if report.reached else "", "dim")
    line = " ".join(plain(tried.text).split())
    told = line if len(line) <= SHOWN else line[: SHOWN - 3] + "..."
    style = "" if tried.ok else "red"
    return Text(f"{tried.tool}, {tried.latency_s:.2f} s: {told}", style)
