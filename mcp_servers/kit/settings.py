"""Settings of the servers: environment variables, or options of the command line where `main` offers them."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import AwareDatetime, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from mcp_servers.kit.stand_in import Home
from mcp_servers.world.store import Scope

OFFLINE_KEY = "no-key:offline-world"
"""What a client shows to a stand-in in its own process."""


class Settings(BaseSettings):
    """What every server understands. Times in seconds."""

    model_config = SettingsConfigDict(
        env_prefix="MCP_SERVERS_",
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        use_attribute_docstrings=True,
        validate_by_name=True,
        validate_by_alias=True,
    )

    profile: Literal["limited", "full"] = "full"
    """Which tools there are."""
    allow_live_writes: bool = False
    """Whether tools may change something outside of the offline world."""
    world_seed: int = 0
    """The seed of the offline world."""
    world_now: AwareDatetime | None = None
    """The time that counts as now in the offline world; its last day where unset. Nothing later exists."""
    http_token: SecretStr | None = None
    """The bearer token that clients over HTTP must show; none where unset."""
    allowed_hosts: str = ""
    """Names, separated by commas, that requests over HTTP may carry as Host, beside this machine's own."""

    @property
    def offline(self) -> bool:
        """Whether the tools answer from the offline world."""
        return False

    def secrets(self) -> tuple[str, ...]:
        """The values of all secret settings."""
        values = [getattr(self, name) for name in type(self).model_fields]
        return tuple(value.get_secret_value() for value in values if isinstance(value, SecretStr))

    def home(self) -> Home:
        """The offline world of these settings."""
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

    def key(self) -> str:
        """The key to show."""
        return self.api_key.get_secret_value() if self.api_key is not None else OFFLINE_KEY

    def limits(self) -> Mapping[str, Any]:
        """Fields of `Service` that stand in the settings."""
        return {"timeout_s": self.timeout_s, "attempts": self.attempts, "per_minute": self.calls_per_minute}


def wrong(error: ValidationError) -> str:
    """What is wrong with settings, each by its name or its variable's, on one line and without their values."""
    said = [(".".join(map(str, e["loc"])), e["msg"].removeprefix("Value error, ")) for e in error.errors()]
    return "; ".join(f"{name}: {problem}" if name else problem for name, problem in said)


@cache
def home(seed: int, now: AwareDatetime | None) -> Home:
    """The offline world of a seed, generated when it is first asked for, as it stands at `now`."""

    @cache
    def find() -> Scope:
        from mcp_servers.world import NOW, world  # noqa: PLC0415 -- a server inside an episode needs no world of its own

        return Scope(world(seed), now or NOW)

    return find
