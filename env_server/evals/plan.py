"""The plan of an evaluation: its options, its default name, and its episodes."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from agent_env_schemas import DEFAULT_TURNS, TOOL_PROMPTS, Expect, ResetRequest, TaskSummary, UserSpec
from env_server.backends.base import EpisodeBackend

NATIVE = "native"
"""The format of a model that calls tools with the API's tool calls."""

FORMATS = (NATIVE, *TOOL_PROMPTS)
"""How a model calls tools: natively, or in a text format that the system message describes."""

LONGEST = 80
"""Maximum number of characters of a policy's name within the run's name."""

PAGE = 1000
"""Number of tasks listed per request."""


_LATER = ("tools_mode", "tag")
"""Options that were added later. A spec that sets none of them has the stored text and the run's name as before."""


@dataclass(frozen=True, slots=True)
class Spec:
    """All options that decide what an evaluation plays. Equal specs mean the same run."""

    domain: str
    pack: str
    pack_version: str
    split: str
    policy: str
    limit: int | None = None
    """Number of tasks from the start of the split; None for all."""

    trials: int = 1
    seed: int = 0
    """Trial t plays with `seed + t`."""

    user: str | None = None
    """The user's strategy; None leaves the choice to the server."""

    user_model: str | None = None
    max_turns: int = DEFAULT_TURNS
    format: str | None = None
    """One of `FORMATS`. This and the next two fields are None if no model plays."""

    temperature: float | None = None
    policy_url: str | None = None
    """Base URL of the model's endpoint."""

    server: str | None = None
    """URL of the server; None plays in this process."""

    tools_mode: str | None = None
    """How tools of MCP servers are called; None for the default."""

    tag: str | None = None
    """The recordings of their calls."""

    def text(self) -> str:
        """Return the spec as JSON text for storage."""
        given = asdict(self)
        return json.dumps({k: v for k, v in given.items() if v is not None or k not in _LATER}, sort_keys=True)

    @property
    def digest(self) -> str:
        """Return the SHA-256 of the stored text, which identifies the spec."""
        return hashlib.sha256(self.text().encode()).hexdigest()

    @property
    def name(self) -> str:
        """Return the default name of the run."""
        return f"{self.domain}-{self.pack}-{self.split}-{plain_name(self.policy)[:LONGEST]}-{self.digest[:8]}"

    def differences(self, stored: str) -> list[str]:
        """Return the options that differ from those of `stored`, a text written by `text`."""
        other: Mapping[str, Any] = json.loads(stored)
        mine = asdict(self)
        return [
            f"{field.name.replace('_', '-')} was {_shown(other.get(field.name))}, now {_shown(mine[field.name])}"
            for field in fields(self)
            if other.get(field.name) != mine[field.name]
        ]


@dataclass(frozen=True, slots=True)
class Run:
    """A run that has begun."""

    name: str
    spec: Spec
    identity: str
    """A random id that is drawn when the run begins.

    Another database may hold a run of the same name and options. The id gives each of them its own episodes on a shared
    server.
    """


@dataclass(frozen=True, slots=True)
class PlannedEpisode:
    """One episode to play."""

    task: TaskSummary
    trial: int

    @property
    def key(self) -> tuple[str, int]:
        """Return the key of the episode's result: task id and trial."""
        return self.task.task_id, self.trial

    def request(self, run: Run) -> ResetRequest:
        """Return the reset that begins the episode. Repeated requests have the same idempotency key.

        Raises:
            pydantic.ValidationError: if an option has an invalid value (a ValueError).
        """
        spec = run.spec
        named = json.dumps([run.name, run.identity, spec.digest, self.task.task_id, self.trial])
        given: dict[str, Any] = {}
        if spec.user is not None or spec.user_model is not None:
            given["user"] = UserSpec(strategy=spec.user, model=spec.user_model)
        tools = {"mode": spec.tools_mode, "tag": spec.tag}
        if any(tools.values()):
            given["tools"] = {name: value for name, value in tools.items() if value is not None}
        if spec.format not in (None, NATIVE):
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


async def plan(game: EpisodeBackend, spec: Spec) -> list[PlannedEpisode]:
    """Return all episodes of `spec`: first trial 0 of every task, then trial 1, and so on.

    Raises:
        ProblemError: if there is no such domain, pack or split.
    """
    tasks = await _listed(game, spec)
    return [PlannedEpisode(task, trial) for trial in range(spec.trials) for task in tasks]


async def _listed(game: EpisodeBackend, spec: Spec) -> Sequence[TaskSummary]:
    found: list[TaskSummary] = []
    while spec.limit is None or len(found) < spec.limit:
        wanted = PAGE if spec.limit is None else min(PAGE, spec.limit - len(found))
        page = await game.tasks(spec.domain, spec.pack, spec.split, len(found), wanted)
        found += page.tasks
        if not page.tasks or len(found) >= page.total:
            break
    return found


def plain_name(text: str) -> str:
    """Return `text` with only characters that are safe in a folder's name. Different texts may give the same name."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip(".-") or "run"


def folder_name(run: str) -> str:
    """Return the folder name of a run's report, which is unique per run."""
    plain = plain_name(run)
    return plain if plain == run else f"{plain}-{hashlib.sha256(run.encode()).hexdigest()[:8]}"


def _shown(value: Any) -> str:
    return "not set" if value is None else str(value)
