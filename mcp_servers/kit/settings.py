"""Settings of the servers.

Values come from environment variables or from the command-line options that `main` offers.
"""

import sys
from collections.abc import Collection, Mapping
from datetime import datetime
from functools import cache
from typing import Any, ClassVar, Literal, TypeVar
from urllib.parse import urlsplit

from pydantic import AliasChoices, AliasGenerator, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from mcp_servers.kit.stand_in import Home
from mcp_servers.world.calendar import as_now
from mcp_servers.world.store import Scope

S = TypeVar("S", bound="Settings")

OFFLINE_KEY = "no-key:offline-world"
"""The key that a client sends to a stand-in in its own process."""

ROOM_S = 30.0
"""Seconds that the default deadline of a call adds to its longest step."""


def _variable(field: str) -> str:
    """Return the environment variable of a field that names none itself. Errors show this name."""
    return f"MCP_SERVERS_{field.upper()}"


class Settings(BaseSettings):
    """What every server understands. Times in seconds."""

    model_config = SettingsConfigDict(
        alias_generator=AliasGenerator(validation_alias=_variable),
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        use_attribute_docstrings=True,
        validate_by_name=True,
        validate_by_alias=True,
    )

    writes: ClassVar[bool] = False
    """Whether the server has tools that change something outside of the offline world."""

    profile: Literal["limited", "full"] = "full"
    """Which tools there are."""
    allow_live_writes: bool = False
    """Whether tools may change something outside of the offline world."""
    world_seed: int = 0
    """The seed of the offline world."""
    world_now: datetime | None = None
    """The time that counts as now in the offline world; its last day where unset. Nothing later exists."""
    call_timeout_s: float = Field(default=60.0, gt=0, le=7200)
    """Seconds that a tool call may take in all. The default gives way to `longest_step_s`; see `deadline_s`."""
    http_token: SecretStr | None = None
    """The bearer token that clients over HTTP must show; none where unset."""
    allowed_hosts: str = ""
    """Names, separated by commas, that requests over HTTP may carry as Host, beside this machine's own."""

    @field_validator("world_now", mode="before")
    @classmethod
    def _in_the_world(cls, given: Any) -> Any:
        return as_now(given) if isinstance(given, str | datetime) else given

    @property
    def offline(self) -> bool:
        """Return whether the tools answer from the offline world."""
        return False

    @property
    def longest_step_s(self) -> float:
        """Return the time limit of the longest step of a call, in seconds."""
        return 0.0

    @property
    def deadline_s(self) -> float:
        """Return the deadline of a tool call in seconds.

        The deadline is the value that was set, or a default that is long enough for every step.
        """
        if "call_timeout_s" in self.model_fields_set:
            return self.call_timeout_s
        return max(self.call_timeout_s, self.longest_step_s + ROOM_S)

    def ignored(self) -> Mapping[str, str]:
        """Return the fields that have no effect with these settings, and the reason for each."""
        return {} if self.writes else {"allow_live_writes": "this server has no tool that writes; leave the option out"}

    def secrets(self) -> tuple[str, ...]:
        """Return the values of all secret settings."""
        values = [getattr(self, name) for name in type(self).model_fields]
        return tuple(value.get_secret_value() for value in values if isinstance(value, SecretStr))

    def home(self) -> Home:
        """Return the offline world of these settings."""
        return home(self.world_seed, self.world_now)


class ApiSettings(Settings):
    """What the server of an API understands. A subclass names the variables of the key and of the base URL."""

    api_key: SecretStr | None = None
    """The key; without one, the tools answer from the offline world."""
    base_url: str
    """Where the API is."""
    timeout_s: float = Field(default=20.0, gt=0, le=600)
    """Seconds that one attempt of a request may take."""
    attempts: int = Field(default=3, ge=1, le=10)
    """How often a request is made at most."""
    calls_per_minute: int | None = Field(default=None, ge=1)
    """Requests per minute that the server keeps to; none where unset."""

    @field_validator("base_url")
    @classmethod
    def _reachable(cls, given: str) -> str:
        try:
            parts = urlsplit(given)
            whole = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        except ValueError as e:
            raise ValueError(f"is no URL: {e}") from None
        if not (whole and given.isascii() and given.isprintable() and " " not in given):
            raise ValueError("is no URL: http://HOST or https://HOST is needed, with a port or a path if any")
        if parts.query or parts.fragment:
            raise ValueError("has a query or a fragment, which no base URL has")
        return given

    @field_validator("api_key")
    @classmethod
    def _sendable(cls, given: SecretStr | None) -> SecretStr | None:
        key = given.get_secret_value() if given is not None else "-"
        if not (key.isascii() and key.isprintable() and " " not in key):
            raise ValueError("has spaces, line breaks or characters that are not ASCII, which no header carries")
        return given

    @property
    def offline(self) -> bool:
        """See `Settings`."""
        return self.api_key is None

    @property
    def longest_step_s(self) -> float:
        """See `Settings`."""
        return self.timeout_s

    def ignored(self) -> Mapping[str, str]:
        """See `Settings`."""
        common = super().ignored()
        if self.offline:
            return common
        alias = type(self).model_fields["api_key"].validation_alias
        names = alias.choices if isinstance(alias, AliasChoices) else [alias]
        key = f"a key is set ({' or '.join(map(str, names))})"
        why = f"{key}, so the offline world is not asked; unset it, or leave the option out"
        return {**common, "world_now": why, "world_seed": why}

    def key(self) -> str:
        """Return the key to send."""
        return self.api_key.get_secret_value() if self.api_key is not None else OFFLINE_KEY

    def limits(self) -> Mapping[str, Any]:
        """Return the fields of `Service` that come from the settings."""
        return {"timeout_s": self.timeout_s, "attempts": self.attempts, "per_minute": self.calls_per_minute}


def settle(who: str, settings: type[S], options: Mapping[str, Any]) -> S:
    """Return settings from the environment and the command line.

    Exit with a one-line message if a setting is wrong, or if an option has no effect.

    Args:
        who: The command's name, for the message.
        settings: The settings class.
        options: Fields that options set. None marks a field that was not set.
    """
    given = {name: value for name, value in options.items() if value is not None}
    try:
        found = settings(**given)
    except ValidationError as e:
        sys.exit(f"{who}: {wrong(e, given)}")
    for name, why in found.ignored().items():
        if name in given:
            sys.exit(f"{who}: {option(name)} has no effect: {why}")
    return found


def option(field: str) -> str:
    """Return the command-line option that sets a field."""
    return f"--{field.replace('_', '-')}"


def wrong(error: ValidationError, options: Collection[str] = ()) -> str:
    """Return what is wrong with the settings, on one line and without their values.

    Args:
        error: The error of pydantic. It names a field from the environment by its variable.
        options: The fields that command-line options set.
    """
    said = [(".".join(map(str, e["loc"])), e["msg"].removeprefix("Value error, ")) for e in error.errors()]
    named = [(option(name) if name in options else name, problem) for name, problem in said]
    return "; ".join(f"{name}: {problem}" if name else problem for name, problem in named)


@cache
def home(seed: int, now: datetime | None) -> Home:
    """Return the offline world of a seed at the time `now`. The world is generated at the first use."""

    @cache
    def find() -> Scope:
        from mcp_servers.world import NOW, world  # noqa: PLC0415 -- a server inside an episode needs no world of its own

        return Scope(world(seed), now or NOW)

    return find
