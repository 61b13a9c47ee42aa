"""The domains of the simulation. `tally` has rows alone; `post` also sends texts to a server outside, which counts."""

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from env_server.domains.kit import Dialect, Domain, NoSuchTask, Task
from env_server.domains.kit.answering import ANSWERS
from env_server.domains.kit.task import Answer, Component
from env_server.domains.packs import Packs, available
from env_server.providers.spec import READ, WRITE, CallScope, Effect, ServerListing, ServerResult, ServerTool
from env_server.state import Snapshot
from tests.episodes.standing import Standing
from tests.faults.simulation import tally_tools

TEXT = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
SLOW_S = 1.5
"""The longest way to the server outside, and the longest way back."""


class Outside(Standing):
    """A server somewhere: what was sent to it stays sent. `rng` belongs to the run, `trace` takes its lines."""

    def __init__(self) -> None:
        """Nothing has been sent."""
        self.sent: Counter[str] = Counter()
        self.rng = random.Random(0)
        self.trace: Callable[[str], None] = lambda _: None

    def made(self) -> tuple[ServerTool, ...]:
        """`look` reads, `send` writes."""
        made = []
        for name, kind, effect in (("look", READ, Effect.READ), ("send", WRITE, Effect.WRITE)):
            listing = ServerListing("office", name, f"{name.title()}.", TEXT, read_only=kind == READ)
            made.append(ServerTool(kind=kind, listing=listing, provider=self, effect=effect))
        return tuple(made)

    async def call(self, tool: ServerTool, arguments: Mapping[str, Any], scope: CallScope) -> ServerResult:
        """Make a call, once. It takes time on its way there and back."""
        assert scope.effects is not None
        text = arguments["text"]

        async def made() -> ServerResult:
            await asyncio.sleep(self.rng.uniform(0, SLOW_S))
            if tool.name == "send":
                self.sent[text] += 1
                self.trace(f"SENT {text}")
            await asyncio.sleep(self.rng.uniform(0, SLOW_S))
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


OUTSIDE = Outside()
"""One for all runs, because making domains takes longer than a run. Each run clears it."""

SOURCES: Mapping[str, Packs] = {
    "tally": available(_domain("tally", None), {}),
    "post": available(_domain("post", OUTSIDE), {}),
}
