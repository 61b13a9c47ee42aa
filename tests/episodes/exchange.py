"""A domain made of a file of tasks, with the servers for prices and messages that rows of a training set name."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import orjson

from agent_env_schemas import ResetRequest, StepReply, StepRequest
from env_server.domains.configured import configured
from env_server.domains.configured.task_file import read_tasks
from env_server.domains.kit import READ
from env_server.domains.packs import available
from env_server.episodes import Episodes
from env_server.episodes.packs.library import Library
from env_server.episodes.service import Limits
from env_server.providers.spec import CallScope, Effect, FailureKind, ServerListing, ServerResult, ServerTool
from env_server.records import Store
from env_server.rewards.judge import Judge
from tests.episodes.standing import Standing

LISTED = (("yahoo_finance", "get_stock_price"), ("slack", "send_slack_message"), ("fmp", "get_stock_price_2"))


class Exchange(Standing):
    """The servers. They refuse the ticker `BAD`, and `DOWN` is an outage."""

    def __init__(self) -> None:
        """Nothing has been asked."""
        self.asked: list[dict[str, Any]] = []

    def made(self) -> tuple[ServerTool, ...]:
        """Make one tool of each server."""
        return tuple(
            ServerTool(
                kind=READ,
                listing=ServerListing(server, name, f"{name}.", {"type": "object", "properties": {}}),
                provider=self,
                effect=Effect.READ,
            )
            for server, name in LISTED
        )

    async def call(self, tool: ServerTool, arguments: Mapping[str, Any], scope: CallScope) -> ServerResult:
        """Answer a call."""
        self.asked.append(dict(arguments))
        if arguments.get("ticker") == "BAD":
            return ServerResult("no such ticker", is_error=True)
        if arguments.get("ticker") == "DOWN":
            return ServerResult("nobody there", is_error=True, failure=FailureKind.UNAVAILABLE)
        if tool.server == "slack":
            return ServerResult("sent", {"ok": True})
        bars = [{"close": 100.0}, {"close": 110.5}]
        return ServerResult("110.5", {"ticker": arguments.get("ticker"), "price": 110.5, "history": bars})


@asynccontextmanager
async def playing(
    folder: Path, *rows: dict[str, Any], exchange: Exchange | None = None, judge: Judge | None = None
) -> AsyncIterator[Episodes]:
    """A server's episodes of the tasks in these rows."""
    file = folder / "rows.jsonl"
    file.write_text("".join(f"{json.dumps(one)}\n" for one in rows), encoding="utf-8")
    store = Store.open(f"sqlite:///{folder}/rows.db")
    domain = configured("mcp", exchange or Exchange(), read_tasks(file, "mcp"))
    episodes = Episodes(store, Library(store, {"mcp": available(domain, {})}), "secret", Limits(), judge=judge)
    try:
        yield episodes
    finally:
        await episodes.stop()
        await store.close()


async def begin(episodes: Episodes, **options: Any) -> dict[str, Any]:
    """Begin an episode of the first row."""
    request = ResetRequest.model_validate({"domain": "mcp", "split": "train", "index": 0, **options})
    return dict(orjson.loads(await episodes.reset(request, "tester")))


async def say(episodes: Episodes, episode: str, action: str | dict[str, Any], **more: Any) -> StepReply:
    """Play one message: a text, or the calls of a dict `{server, tool, params}`."""
    text = action if isinstance(action, str) else json.dumps(action)
    request = StepRequest.model_validate({"episode_id": episode, "action": text, **more})
    return StepReply.model_validate_json(await episodes.step(request))


def call(tool: str, server: str | None = None, **params: Any) -> dict[str, Any]:
    """A call in a row's own form."""
    return {"tool": tool, "params": params} if server is None else {"server": server, "tool": tool, "params": params}
