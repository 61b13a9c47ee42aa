"""Settings of the server: `ENV_SERVER_*` environment variables, or a `.env` file; see `.env.example`."""

import ipaddress
import secrets
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from platformdirs import user_data_path
from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from env_server.models.answer import Price
from env_server.models.config import OPENAI, ModelConfig, normal_url

PREFIX = "ENV_SERVER_"

CLIENTS = {f"{PREFIX}URL", f"{PREFIX}KEY", f"{PREFIX}PYTHON"}
"""Variables with that prefix that client programs read."""

GENERATED = "generated"
"""The name of the caller whose key a server has generated for itself."""

LOOPBACK = ("localhost", "127.0.0.1", "::1")
"""Host header values that a request from this machine may have."""


DATABASE_NAME = "env-server.db"


def default_database() -> Path:
    """Return the SQLite file that is used without `DATABASE_URL`. It is in the user's data folder."""
    return user_data_path("agent-env-server", appauthor=False) / DATABASE_NAME


class Settings(BaseSettings):
    """Everything an operator can set. Times in seconds, sizes in bytes."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_file=".env",
        extra="ignore",
        use_attribute_docstrings=True,
        frozen=True,
        validate_by_name=True,
        validate_by_alias=True,
    )

    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=0, le=65535)
    public_url: str | None = None
    allowed_hosts: str | None = None
    trusted_proxies: str | None = None
    max_connections: int | None = Field(default=None, ge=1)
    head_timeout_s: float = Field(default=10.0, gt=0, le=3600)
    body_timeout_s: float = Field(default=60.0, gt=0, le=3600)
    max_body_bytes: int = Field(default=1_048_576, ge=1024)
    max_batch_bytes: int = Field(default=8_388_608, ge=1024)
    api_keys: SecretStr | None = None
    allow_anonymous: bool = False
    token_secret: SecretStr | None = None
    token_lifetime_s: float = Field(default=86_400.0, ge=1, allow_inf_nan=False)
    database_url: str = Field(default_factory=lambda: f"sqlite:///{default_database()}")
    sqlite_synchronous: Literal["NORMAL", "FULL"] = "NORMAL"
    statement_timeout_s: float = Field(default=30.0, gt=0, le=3600)
    archive_dir: Path | None = None
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    log_format: Literal["auto", "json", "console"] = "auto"
    traces_url: str | None = None
    domains: str | None = None
    tau2_dir: Path | None = None
    tau1_dir: Path | None = None
    world_scale: int = Field(default=1, ge=1, le=100)
    mcp_config: Path | None = None
    mcp_tasks: Path | None = None
    mcp_policy: Path | None = None
    mcp_domain: str = "mcp"
    preload: bool = True
    cache_dir: str | None = None
    step_timeout_s: float = Field(default=60.0, gt=0)
    tool_timeout_s: float = Field(default=5.0, gt=0, le=3600)
    max_lag_s: float = Field(default=0.01, gt=0)
    reset_wait_s: float = Field(default=5.0, ge=0, le=60)
    quotas: str | None = None
    respond_wait_s: float = Field(default=3.0, ge=0)
    mcp_streams: bool = False
    expire_after_s: float = Field(default=86_400.0, gt=0)
    evict_after_s: float = Field(default=900.0, gt=0)
    cache_bytes: int = Field(default=536_870_912, ge=0)
    allow_drift: bool = False
    user_model: str | None = None
    user_base_url: str = OPENAI
    user_allowed_urls: str | None = None
    user_temperature: float | None = Field(default=None, ge=0, le=2)
    user_timeout_s: float = Field(default=20.0, gt=0)
    user_retries: int = Field(default=2, ge=0, le=20)
    user_attempts: int = Field(default=5, ge=1)
    user_calls_per_s: float | None = Field(default=None, gt=0)
    user_breaker_failures: int = Field(default=20, ge=1)
    user_breaker_pause_s: float = Field(default=10.0, gt=0)
    user_run_tokens: int | None = Field(default=None, ge=1)
    judge_model: str | None = None
    judge_base_url: str | None = None
    judge_api_key: SecretStr | None = None
    judge_timeout_s: float = Field(default=60.0, gt=0)
    response_cache: bool = False
    model_prices: str | None = None
    openai_api_key: SecretStr | None = Field(default=None, validation_alias="OPENAI_API_KEY")

    def keys(self) -> dict[str, str]:
        """Return the trainers' API keys by name.

        Raises:
            ValueError: if `API_KEYS` is not `name:key,name:key`.
        """
        if self.api_keys is None or not self.api_keys.get_secret_value().strip():
            return {}
        found: dict[str, str] = {}
        for entry in self.api_keys.get_secret_value().split(","):
            name, separator, key = entry.strip().partition(":")
            if not separator or not name or not key:
                raise ValueError("ENV_SERVER_API_KEYS must look like name:key,name:key")
            if name in found:
                raise ValueError(f"ENV_SERVER_API_KEYS names {name!r} twice")
            found[name] = key
        return found

    def hosts(self) -> frozenset[str] | None:
        """Return the allowed host names in lower case; None allows any name."""
        names = set(LOOPBACK)
        if self.public_url:
            names.add((urlsplit(self.public_url).hostname or "").lower())
        if self.allowed_hosts is not None:
            names |= {h.strip().lower() for h in self.allowed_hosts.split(",") if h.strip()}
        return None if "*" in names else frozenset(names)

    def proxies(self) -> list[str]:
        """Return the addresses and networks of the proxies whose `X-Forwarded-*` headers are believed."""
        return [p.strip() for p in (self.trusted_proxies or "").split(",") if p.strip()]

    def user_models(self) -> ModelConfig:
        """Return the settings of the language models that play users.

        Raises:
            ValueError: if an address is not valid.
        """
        key = self.openai_api_key.get_secret_value().strip() if self.openai_api_key else ""
        urls = [url for url in (self.user_allowed_urls or "").split(",") if url.strip()]
        normal_url(self.user_base_url)
        return ModelConfig(
            base_url=self.user_base_url,
            api_key=key or None,
            model=self.user_model,
            allowed=frozenset(map(normal_url, urls)),
            temperature=self.user_temperature,
            timeout_s=self.user_timeout_s,
            retries=self.user_retries,
            calls_per_s=self.user_calls_per_s,
            breaker_failures=self.user_breaker_failures,
            breaker_pause_s=self.user_breaker_pause_s,
            run_tokens=self.user_run_tokens,
            prices=self.prices(),
        )

    def judge_models(self) -> ModelConfig | None:
        """Return the settings of the judge's model, or None without a judge. Its limits are those of the users' models.

        Raises:
            ValueError: if it has no endpoint, or its address is not valid.
        """
        if self.judge_model is None:
            return None
        users = self.user_models()
        url = self.judge_base_url or users.base_url
        own = self.judge_api_key.get_secret_value().strip() if self.judge_api_key else ""
        key = own or (users.api_key if normal_url(url) == normal_url(users.base_url) else None)
        if key is None and normal_url(url) == normal_url(OPENAI):
            raise ValueError(
                "ENV_SERVER_JUDGE_MODEL needs an endpoint: set OPENAI_API_KEY or ENV_SERVER_JUDGE_BASE_URL"
            )
        return replace(
            users,
            base_url=url,
            api_key=key,
            model=self.judge_model,
            allowed=frozenset(),
            timeout_s=self.judge_timeout_s,
        )

    def hosted(self) -> tuple[str, ...]:
        """Return the names of the hosted domains. An empty tuple means all."""
        return tuple(name.strip() for name in (self.domains or "").split(",") if name.strip())

    def hosted_beside_own(self) -> tuple[str, ...] | None:
        """Return the hosted domains without the operator's own. An empty tuple means all, None none."""
        named = self.hosted()
        others = tuple(name for name in named if self.mcp_config is None or name != self.mcp_domain)
        return None if named and not others else others

    def prices(self) -> dict[str, Price]:
        """Return the prices of models by name, in US dollars per million tokens.

        Raises:
            ValueError: if `MODEL_PRICES` is not `model=prompt/completion,...`.
        """
        found: dict[str, Price] = {}
        for entry in filter(str.strip, (self.model_prices or "").split(",")):
            model, _, price = entry.rpartition("=")
            prompt, _, completion = price.partition("/")
            try:
                found[model.strip()] = Price(float(prompt), float(completion))
            except ValueError as e:
                raise ValueError("ENV_SERVER_MODEL_PRICES must look like model=0.4/1.6,other=2/8") from e
        return found

    def tau_directories(self) -> dict[str, Path]:
        """Return the directories of public data by pack name, for those that are set."""
        given = {"tau2": self.tau2_dir, "tau1": self.tau1_dir}
        return {name: path for name, path in given.items() if path is not None}

    @classmethod
    def unknown(cls, names: Iterable[str]) -> list[str]:
        """Return those of `names` that have the settings' prefix but are no setting. They are probably misspelt."""
        known = {f"{PREFIX}{field}".upper() for field in cls.model_fields} | CLIENTS
        return sorted(name for name in names if name.upper().startswith(PREFIX) and name.upper() not in known)

    @property
    def needs_keys(self) -> bool:
        """Whether callers must have a key and none is set.

        With servers of the operator's own, an agent may have a tool that sends requests from this machine. Without
        keys such a tool could reach this server's own interface, and the solutions in it.
        """
        return self.mcp_config is not None and not self.keys()

    def with_generated_key(self) -> tuple["Settings", str | None]:
        """Return the settings with a new key if they need one, and that key."""
        if not self.needs_keys:
            return self, None
        key = secrets.token_hex(24)
        return self.model_copy(update={"api_keys": SecretStr(f"{GENERATED}:{key}")}), key

    def refuse_open_door(self) -> None:
        """Check that the server does not listen beyond this machine without keys.

        Raises:
            ValueError: if it does.
        """
        if self.keys() or self.allow_anonymous or _is_loopback(self.host):
            return
        raise ValueError(
            f"refusing to listen on {self.host} without keys: set ENV_SERVER_API_KEYS=name:key, "
            "or ENV_SERVER_ALLOW_ANONYMOUS=1 if anyone who reaches the port may play"
        )


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
