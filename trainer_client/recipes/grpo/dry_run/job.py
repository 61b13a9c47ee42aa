"""A job, with the results that its checks share."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from trainer_client.client import Client, Unreachable
from trainer_client.recipes.grpo.dry_run.findings import Unchecked
from trainer_client.recipes.grpo.dry_run.rows import RowKind, kind_of, own_task
from trainer_client.recipes.grpo.rows.read import Row
from trainer_client.recipes.grpo.settings import URL, BadSettings, Settings, value
from trainer_client.skyrl.shared_client import ServerSettings

Messages = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class BegunEpisode:
    """The beginning of an episode."""

    prompt: Messages
    """The prompt of its row."""

    opening: Messages
    """The conversation that the policy begins with."""

    tools: Sequence[Mapping[str, Any]] = ()
    """The tools that the chat template describes; none where the system message does."""


@dataclass(slots=True)
class Job:
    """A job; later checks use the results of earlier ones, and are not made where these are missing."""

    settings: Settings
    key: str | None = None
    """The server's key, unless the settings have it."""

    notes: Sequence[str] = ()
    """What presets of the job change of earlier ones."""

    section: ServerSettings | None = None
    """The section of this package, if the settings are usable."""

    rows: dict[str, list[Row]] = field(default_factory=dict)
    """Part (`train` or `val`) -> its rows."""

    places: dict[int, str] = field(default_factory=dict)
    """The `id` of a row in `rows` -> its file and number."""

    begun: dict[RowKind, list[BegunEpisode]] = field(default_factory=dict)
    """Kind of row -> the episodes that began."""

    fitting: dict[str, int] = field(default_factory=dict)
    """Part -> the number of rows that are not too long."""

    server_is_away: bool = False
    """Whether a check found that the server cannot be reached."""

    model_is_away: str = ""
    """Why the model cannot be fetched, once a check has found that."""

    def get(self, name: str) -> Any:
        """A setting, or its default.

        Raises:
            Unchecked: if the settings cannot be used.
        """
        self.server_settings()
        return value(self.settings, name)

    def server_settings(self) -> ServerSettings:
        """The section of this package.

        Raises:
            Unchecked: if the settings cannot be used.
        """
        if self.section is None:
            raise Unchecked("the settings cannot be used")
        return self.section

    @contextmanager
    def client(self) -> Iterator[Client]:
        """Open a client without retries.

        Raises:
            BadSettings: if the server cannot be reached.
            Unchecked: if an earlier check could not reach it, or the settings cannot be used.
        """
        section = self.server_settings()
        if self.server_is_away:
            raise Unchecked("the server cannot be reached")
        try:
            with Client(section.url, section.key or self.key, timeout=section.timeout_s, patience_s=0) as client:
                yield client
        except Unreachable as error:
            self.server_is_away = True
            raise BadSettings(f"{error}; set {URL}, or ENV_SERVER_URL") from error

    def readable(self) -> Mapping[str, list[Row]]:
        """The rows of each part.

        Raises:
            Unchecked: if there are none to train on.
        """
        if "train" not in self.rows:
            raise Unchecked("there are no rows")
        return self.rows

    def kind(self, part: str, row: Row) -> RowKind:
        """The kind of a row in this job."""
        return kind_of(part, row, self.server_settings().reset)

    def kinds(self) -> dict[RowKind, list[Row]]:
        """The rows of each kind that are worth a check: the first, or one for each task that a row carries."""
        found: dict[RowKind, dict[str | None, Row]] = {}
        for part, rows in self.rows.items():
            for row in rows:
                found.setdefault(self.kind(part, row), {}).setdefault(own_task(row), row)
        return {kind: list(rows.values()) for kind, rows in found.items()}
