"""Settings of the server: `ENV_SERVER_*` environment variables, or a `.env` file; see `.env.example`."""

import ipaddress
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

LOOPBACK = ("localhost", "127.0.0.1", "::1")
"""Names that a request on this machine may carry as Host."""


class Settings(BaseSettings):
    """Everything an operator can set. Times in seconds, sizes in bytes."""

    model_config = SettingsConfigDict(
        env_prefix="ENV_SERVER_", env_file=".env", extra="ignore", use_attribute_docstrings=True, frozen=True
    )

    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=0, le=65535)
    public_url: str | None = None
    allowed_hosts: str | None = None
    max_body_bytes: int = Field(default=1_048_576, ge=1024)
    max_batch_bytes: int = Field(default=8_388_608, ge=1024)
    api_keys: SecretStr | None = None
    allow_anonymous: bool = False
    token_secret: SecretStr | None = None
    database_url: str = "sqlite:///env-server.db"
    sqlite_synchronous: Literal["NORMAL", "FULL"] = "NORMAL"
    tau2_dir: Path | None = None
    tau1_dir: Path | None = None
    world_scale: int = Field(default=1, ge=1, le=100)
    step_timeout_s: float = Field(default=60.0, gt=0)
    expire_after_s: float = Field(default=86_400.0, gt=0)
    evict_after_s: float = Field(default=900.0, gt=0)
    cache_bytes: int = Field(default=536_870_912, ge=0)
    allow_drift: bool = False

    def keys(self) -> dict[str, str]:
        """Trainer keys, name -> key.

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
        """Host names that are answered, in lower case; None for any."""
        names = set(LOOPBACK)
        if self.public_url:
            names.add((urlsplit(self.public_url).hostname or "").lower())
        if self.allowed_hosts is not None:
            names |= {h.strip().lower() for h in self.allowed_hosts.split(",") if h.strip()}
        return None if "*" in names else frozenset(names)

    def tau_directories(self) -> dict[str, Path]:
        """Pack name -> directory of its public data, for those that are set."""
        given = {"tau2": self.tau2_dir, "tau1": self.tau1_dir}
        return {name: path for name, path in given.items() if path is not None}

    def refuse_open_door(self) -> None:
        """Check that the server does not listen beyond this machine without keys.

        Raises:
            ValueError: if it would.
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
