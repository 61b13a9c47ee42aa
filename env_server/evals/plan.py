"""What an evaluation plays: its options, the name that they give it, and its episodes."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

from agent_env_schemas import DEFAULT_TURNS, Expect, ResetRequest, TaskSummary, UserSpec
from env_server.clients.base import EpisodeClient

Format = Literal["native", "hermes", "json"]
"""How a model calls tools: by the protocol, or as text in one of two ways that the system message then describes."""

LONGEST = 80
"""Characters of a policy's name that the run's name has."""

PAGE = 1000
"""Tasks that are listed at a time."""


@dataclass(frozen=True, slots=True)
class Spec:
    """All that decides what an evaluation plays; two of them that are equal mean the same run."""

    domain: str
    pack: str
    pack_version: str
    split: str
    policy: str
    limit: int | None = None
    """The first tasks of the split; None for all."""

    trials: int = 1
    seed: int = 0
    """Trial t plays with `seed + t`."""

    user: str | None = None
    """Who plays the user; None leaves it to the server."""

    user_model: str | None = None
    max_turns: int = DEFAULT_TURNS
    format: Format | None = None
    """None where no model plays, as in the two below."""

    temperature: float | None = None
    policy_url: str | None = None
    """Where the model answers."""

    server: str | None = None
    """Where the episodes are played; None is in this process."""

    def text(self) -> str:
        """As it is stored."""
        return json.dumps(asdict(self), sort_keys=True)

    @property
    def digest(self) -> str:
        """What it is known by."""
        return hashlib.sha256(self.text().encode()).hexdigest()

    @property
    def name(self) -> str:
        """The name of its run where nobody has given it one."""
        return f"{self.domain}-{self.pack}-{self.split}-{plain_name(self.policy)[:LONGEST]}-{self.digest[:8]}"

    def differences(self, stored: str) -> list[str]:
        """How it differs from the one that `text` wrote."""
        other: Mapping[str, Any] = json.loads(stored)
        mine = asdict(self)
        return [
            f"{field.name.replace('_', '-')} was {_shown(other.get(field.name))}, now {_shown(mine[field.name])}"
            for field in fields(self)
            if other.get(field.name) != mine[field.name]
        ]


@dataclass(frozen=True, slots=True)
class Run:
    """A run that has been begun."""

    name: str
    spec: Spec
    identity: str
    """Drawn at random when it was begun. It tells it from a run of the same name and options whose results are kept
    elsewhere, so that on one server each has episodes of its own."""


@dataclass(frozen=True, slots=True)
class PlannedEpisode:
    """One episode to play."""

    task: TaskSummary
    trial: int

    @property
    def key(self) -> tuple[str, int]:
        """What its result is known by."""
        return self.task.task_id, self.trial

    def request(self, run: Run) -> ResetRequest:
        """The reset that begins it, however often it is sent.

        Raises:
            pydantic.ValidationError: if an option is one that no server takes (a ValueError).
        """
        spec = run.spec
        named = json.dumps([run.name, run.identity, spec.digest, self.task.task_id, self.trial])
        given: dict[str, Any] = {}
        if spec.user is not None or spec.user_model is not None:
            given["user"] = UserSpec(strategy=spec.user, model=spec.user_model)
        if spec.format in ("hermes", "json"):
            given |= {"tool_prompt": spec.format, "observation_role": "user"}
        return ResetRequest(
            domain=spec.domain,
            pack=spec.pack,
            task_id=self.task.task_id,
            seed=spec.seed + self.trial,
            trial=self.trial,
            max_turns=spec.max_turns,
            run=run.name,
            purpose="eval",
            expect=Expect(pack_version=spec.pack_version),
            idempotency_key=f"eval-{hashlib.sha256(named.encode()).hexdigest()}",
            **given,
        )


async def plan(game: EpisodeClient, spec: Spec) -> list[PlannedEpisode]:
    """All episodes of `spec`, the first trial of every task first.

    Raises:
        ProblemError: if there is no such domain, pack or split.
    """
    tasks = await _listed(game, spec)
    return [PlannedEpisode(task, trial) for trial in range(spec.trials) for task in tasks]


async def _listed(game: EpisodeClient, spec: Spec) -> Sequence[TaskSummary]:
    found: list[TaskSummary] = []
    while spec.limit is None or len(found) < spec.limit:
        wanted = PAGE if spec.limit is None else min(PAGE, spec.limit - len(found))
        page = await game.tasks(spec.domain, spec.pack, spec.split, len(found), wanted)
        found += page.tasks
        if not page.tasks or len(found) >= page.total:
            break
    return found


def plain_name(text: str) -> str:
    """`text` as it may stand in the name of a folder; others may come to the same."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip(".-") or "run"


def folder_name(run: str) -> str:
    """The folder of a run's report, which no other run has."""
    plain = plain_name(run)
    return plain if plain == run else f"{plain}-{hashlib.sha256(run.encode()).hexdigest()[:8]}"


def _shown(value: Any) -> str:
    return "not set" if value is None else str(value)
