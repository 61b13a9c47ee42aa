"""What every source of episodes yields: outcomes for the figures, and records for the transcripts."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from env_server.evals.outcome import EpisodeOutcome
from env_server.page.views.verdict import ShownVerdict

Record = Mapping[str, Any]
"""The record of an episode, in the form of `GET /episodes/{id}/trajectory`."""


class UnreadableSource(Exception):
    """A source that is not what it seems to be. The message is one line for people."""


@dataclass(frozen=True, slots=True)
class FoundEpisode:
    """One episode. `verdict` is the one of the program that scored it, or None if the record of this project has it."""

    outcome: EpisodeOutcome
    record: Callable[[], Record]
    verdict: ShownVerdict | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """What a file or a database holds. `facts` say what it is, and `episodes` are read as they are asked for."""

    facts: Mapping[str, str | None]
    episodes: Iterable[FoundEpisode]
