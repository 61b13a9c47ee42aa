"""The result of one part of a turn, before it is committed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agent_env_schemas import StopReason
from env_server.episodes.episode import Carry, Position
from env_server.records import EffectRow, KeyRow, RecordingRow
from env_server.rewards.shaping import PlayedCall


@dataclass(slots=True)
class TurnPart:
    """The result of one part of a turn. `carry` is the episode's next carry."""

    position: Position
    action: str
    """The action as stored: JSON text, which is compared with a retry's action."""
    carry: Carry
    observation: list[dict[str, Any]] = field(default_factory=list)
    info: dict[str, Any] = field(default_factory=dict)
    stop: StopReason | None = None
    close_reason: str | None = None
    metadata: str | None = None
    answers: Mapping[str, str] = field(default_factory=dict)
    """Answers of models that were asked on the way. They are committed with the part."""

    effects: Sequence[EffectRow] = ()
    """Outcomes of calls to the outside that are not committed yet."""

    recordings: Sequence[RecordingRow] = ()
    """Recorded results that are not committed yet."""

    played: list[PlayedCall] = field(default_factory=list)
    """The agent's calls that were made in this part."""

    answer: str = ""
    """The agent's last words, if the part ends the episode."""

    forced: bool = False
    """Whether the trainer has put the message in the place of the model's."""

    once: KeyRow | None = None
    """The idempotency key of the part. It is committed with the part."""
