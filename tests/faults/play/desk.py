"""Two small domains: `tally` has rows alone; `post` also sends texts to a server outside, which counts them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from env_server.domains.kit import Dialect, Domain, NoSuchTask, Task
from env_server.domains.kit.submit_answer import ANSWERS
from env_server.domains.kit.task import Answer, Component
from env_server.domains.packs import Packs, available
from env_server.providers.spec import READ, WRITE, CallScope, Effect, ServerListing, ServerResult, ServerTool
from env_server.state import Snapshot
from tests.episodes.standing import Standing
from tests.faults.play import tally_tools

TEXT = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}


class Outside(Standing):
    """A server somewhere. What was sent to it stays sent."""

    def made(self) -> tuple[ServerTool, ...]:
        """`look` reads, `send` writes."""
        made = []
        for name, kind, effect in (("look", READ, Effect.READ), ("send", WRITE, Effect.WRITE)):
            listing = ServerListing("office", name, f"{name.title()}.", TEXT, read_only=kind == READ)
            made.append(ServerTool(kind=kind, listing=listing, provider=self, effect=effect))
        return tuple(made)

    async def reach(self, name: str, text: str) -> None:
        """Make the call `name` with `text`, once."""
        raise NotImplementedError

    async def call(self, tool: ServerTool, arguments: Mapping[str, Any], scope: CallScope) -> ServerResult:
        """Make a call, if it was not made before."""
        assert scope.effects is not None
        text = arguments["text"]

        async def made() -> ServerResult:
            await self.reach(tool.name, text)
            return ServerResult(f"{tool.name}: {text}")

        return await scope.effects.make(tool, arguments, made)


@dataclass(frozen=True)
class OneTask:
    """A single task with an answer, and without a user."""

    domain: str
    splits: Mapping[str, int] = None  # type: ignore[assignment]
    digest: str = "one"

    def __post_init__(self) -> None:
        """List the task for training."""
        object.__setattr__(self, "splits", {"train": 1, "val": 0, "test": 0})

    def task(self, base: Snapshot, split: str, index: int) -> Task:
        """Return the task."""
        if index:
            raise NoSuchTask(index)
        answer, basis = Answer(kind="text", value="yes"), (Component.ANSWER,)
        return Task(task_id="one", domain=self.domain, split="train", instruction="Count.", answer=answer, basis=basis)

    def find(self, base: Snapshot, task_id: str) -> Task:
        """Return the task."""
        return self.task(base, "train", 0)


def _world() -> Mapping[str, Any]:
    return {"totals": [{"name": "sum", "value": 0}]}


def _domain(name: str, outside: Outside | None) -> Domain:
    return Domain(
        name=name,
        description="Counts.",
        tables=(tally_tools.TOTALS, ANSWERS),
        tools_module=tally_tools,
        world=_world,
        tasks=OneTask(name),
        dialects={"builtin": Dialect()},
        outside=outside,
    )


def sources(outside: Outside) -> Mapping[str, Packs]:
    """Return both domains over this outside."""
    return {
        "tally": available(_domain("tally", None), {}),
        "post": available(_domain("post", outside), {}),
    }
