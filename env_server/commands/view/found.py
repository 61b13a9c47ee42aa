"""The content of every source of episodes: outcomes for the figures, and records for the transcripts."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from env_server.evals.outcome import EpisodeOutcome
from env_server.page.views.verdict import ShownVerdict

Model = TypeVar("Model", bound=BaseModel)

Record = Mapping[str, Any]
"""The record of an episode, in the form of `GET /episodes/{id}/trajectory`."""


class UnreadableSource(Exception):
    """A source that is not what it seems to be. The message is one line for people."""


def validated(model: type[Model], value: Any, what: str) -> Model:
    """Return a JSON value as a model.

    Raises:
        UnreadableSource: The value does not fit the model. The message names it by `what`, such as `result 3 is not one
            of tau-bench`.
    """
    try:
        return model.model_validate(value)
    except ValidationError as e:
        first = e.errors(include_url=False, include_input=False)[0]
        at = ".".join(map(str, first["loc"])) or "the value"
        raise UnreadableSource(f"{what}: {at}: {first['msg']}") from e


@dataclass(frozen=True, slots=True)
class FoundEpisode:
    """One episode. `verdict` is that of another program which scored it; None if the record itself has the verdict."""

    outcome: EpisodeOutcome
    record: Callable[[], Record]
    verdict: ShownVerdict | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """The content of a file or a database. `facts` describe it, and `episodes` are read when they are needed."""

    facts: Mapping[str, str | None]
    episodes: Iterable[FoundEpisode]
