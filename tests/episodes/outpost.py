"""A domain whose tools call a server outside, and that server, which records its calls."""

import types
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from time import monotonic
from typing import Any

from env_server.domains.kit import Dialect, Domain, NoSuchTask, Task
from env_server.domains.kit.submit_answer import ANSWERS
from env_server.domains.kit.task import Answer, Component
from env_server.domains.packs import available
from env_server.episodes import Episodes
from env_server.episodes.packs.library import Library
from env_server.episodes.service import Limits
from env_server.providers.spec import (
    READ,
    WRITE,
    CallScope,
    Effect,
    FailureKind,
    ServerListing,
    ServerResult,
    ServerTool,
)
from env_server.records import Store
from env_server.state import Snapshot
from tests.domains.packs.library import TOOLS as HERE
from tests.episodes.standing import Standing

TOOLS = types.ModuleType("outpost_tools", "No functions.")
TOOLS.__file__ = HERE.__file__
TEXT = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}


class Crash(BaseException):
    """The process has ended: nothing after this runs."""


class Outside(Standing):
    """A server outside: what was sent to it stays sent."""

    def __init__(self) -> None:
        """Nothing has been sent."""
        self.sent: Counter[str] = Counter()
        self.looked = 0
        self.before: Callable[[str], None] = lambda _: None
        self.after: Callable[[str], None] = lambda _: None
        self.failure: FailureKind | None = None
        """The failure of every call; None for none."""

        self.changed: list[bool] = []
        """For each call, whether an earlier call may have changed the server."""

        self.left: list[float] = []
        """Seconds that were left for each call."""

        self.number: Callable[[], str] = str
        """Returns the end of each result."""

    def made(self) -> tuple[ServerTool, ...]:
        """Make the tools: `look` reads, `send` writes."""
        made = []
        for name, kind, effect in (("look", READ, Effect.READ), ("send", WRITE, Effect.WRITE)):
            listing = ServerListing("post", name, f"{name.title()}.", TEXT, read_only=kind == READ)
            made.append(ServerTool(kind=kind, listing=listing, provider=self, effect=effect))
        return tuple(made)

    async def call(self, tool: ServerTool, arguments: Mapping[str, Any], scope: CallScope) -> ServerResult:
        """Make a call, once."""
        assert scope.effects is not None

        async def made() -> ServerResult:
            assert scope.effects is not None
            self.before(arguments["text"])
            self.changed.append(scope.effects.changed("post"))
            self.left.append(scope.effects.deadline - monotonic())
            if self.failure is not None:
                return ServerResult(f"[{self.failure}] no", is_error=True, failure=self.failure)
            if tool.name == "send":
                self.sent[arguments["text"]] += 1
            else:
                self.looked += 1
            self.after(arguments["text"])
            text = f"{tool.name}: {arguments['text']}{self.number()}"
            return ServerResult(text, {"done": arguments["text"]})

        return await scope.effects.make(tool, arguments, made)


class OneTask:
    """A single task with an answer."""

    splits: Mapping[str, int] = {"train": 1, "val": 0, "test": 0}
    digest = "one"

    def task(self, base: Snapshot, split: str, index: int) -> Task:
        """Return the task."""
        if index:
            raise NoSuchTask(index)
        answer = Answer(kind="text", value="yes")
        basis = (Component.ANSWER,)
        return Task(task_id="one", domain="outpost", split="train", instruction="Send.", answer=answer, basis=basis)

    def find(self, base: Snapshot, task_id: str) -> Task:
        """Return the task."""
        return self.task(base, "train", 0)


def nothing() -> Mapping[str, Any]:
    """The world has no rows."""
    return {}


def outpost(outside: Outside) -> Domain:
    """Return the domain over this outside."""
    return Domain(
        name="outpost",
        description="Sends texts.",
        tables=(ANSWERS,),
        tools_module=TOOLS,
        world=nothing,
        tasks=OneTask(),
        dialects={"builtin": Dialect(tools=())},
        outside=outside,
    )


class Process:
    """One server process on a database."""

    def __init__(self, folder: Path, outside: Outside) -> None:
        """Open the database in `folder`."""
        self.store = Store.open(f"sqlite:///{folder}/outpost.db")
        sources = {"outpost": available(outpost(outside), {})}
        self.episodes = Episodes(self.store, Library(self.store, sources), "secret", Limits())

    async def close(self) -> None:
        """Close the database."""
        await self.episodes.stop()
        await self.store.close()
