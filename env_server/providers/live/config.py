"""Reads the configuration of MCP servers: the `mcpServers` block of desktop clients, with some keys of our own."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic.alias_generators import to_camel

from env_server.providers.live.substitute import EPISODE_DIR, BadPlaceholder, from_environment

KEY = "mcpServers"
Names = Annotated[frozenset[str], Field(min_length=1)]


class ConfigProblem(ValueError):
    """A file that cannot be used. The message names the file, and each wrong key by its path."""


class TrialCall(BaseModel):
    """A call that `env-server tools check` makes, to see that the server and its credentials work."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    tool: str = Field(min_length=1)
    arguments: dict[str, Any] = {}


class ServerBlock(BaseModel):
    """One server as the file has it. A command starts a child process; a URL is the address of a server over HTTP."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, alias_generator=to_camel)

    command: str | None = Field(None, min_length=1)
    args: list[str] = []
    env: dict[str, str] = {}
    cwd: str | None = None
    url: str | None = None
    headers: dict[str, str] = {}

    shared: bool = False
    """Whether all episodes use one child process; else each episode has its own."""

    allow_tools: Names | None = Field(None, strict=False)
    """The tools that agents may call; None allows all."""

    effects: dict[str, Literal["read", "write"]] = {}
    """Tool -> its effect. It overrides what the server says."""

    timeout_s: float = Field(60, gt=0, le=3600)
    """Maximum seconds of one call with its retries."""

    retries: int = Field(2, ge=0, le=10)
    """How often a failed call is made again, if that is safe."""

    concurrency: int = Field(8, ge=1, le=10_000)
    """Maximum number of concurrent calls, of all episodes."""

    max_children: int = Field(64, ge=1, le=10_000)
    """Maximum number of child processes at a time, where each episode has its own."""

    costs: dict[str, float] = {}
    """Tool -> what one call of it costs, in units of the operator's choice. Metrics add them up."""

    check: TrialCall | None = None
    """The call that `env-server tools check` makes. None chooses a tool that reads and needs no arguments."""

    disabled: bool = False
    """Whether to leave the server out."""

    type: str | None = None
    """The transport. Desktop clients write it; here `command` or `url` decides."""

    auto_approve: Any = None
    always_allow: Any = None
    description: Any = None

    @property
    def per_episode(self) -> bool:
        """Whether each episode has a child process of its own."""
        return self.command is not None and not self.shared

    @model_validator(mode="after")
    def _consistent(self) -> "ServerBlock":
        for said in filter(None, (self._wrong_transport(), self._wrong_address(), self._wrong_directory())):
            raise ValueError(said)
        return self

    def _wrong_transport(self) -> str | None:
        if (self.command is None) == (self.url is None):
            return "has either `command` (a child process) or `url` (Streamable HTTP)"
        if self.type == "sse":
            return "`type: sse` is an obsolete transport; use the server's Streamable HTTP URL"
        stray = ("args", "env", "cwd", "shared") if self.command is None else ("headers",)
        extra = [name for name in stray if name in self.model_fields_set]
        if extra:
            return f"`{extra[0]}` does not go with `{'url' if self.command is None else 'command'}`"
        if "max_children" in self.model_fields_set and not self.per_episode:
            return "`maxChildren` goes with a child process for each episode"
        return None

    def _wrong_address(self) -> str | None:
        if self.url is None:
            return None
        parts = urlsplit(self.url)
        return None if parts.scheme in ("http", "https") and parts.hostname else "`url` is no http address"

    def _wrong_directory(self) -> str | None:
        texts = [*self.args, *self.env.values(), *self.headers.values(), self.command, self.cwd, self.url]
        if self.per_episode or not any(text and EPISODE_DIR in text for text in texts):
            return None
        return f"{EPISODE_DIR} needs a child process for each episode"


@dataclass(frozen=True)
class ServerConfig:
    """One server, ready to be started."""

    name: str
    block: ServerBlock = field(repr=False)
    used: frozenset[str] = field(default=frozenset(), repr=False)
    """The values that came from the environment."""


Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9]+([_-]?[A-Za-z0-9]+)*$", max_length=40)]


class _File(BaseModel):
    servers: dict[Name, ServerBlock] = Field(alias=KEY)


def read_config(path: Path, environ: Mapping[str, str] = os.environ) -> tuple[ServerConfig, ...]:
    """Return the servers of a JSON file, in its order, without those that are disabled.

    Raises:
        ConfigProblem: if the file cannot be read, or an entry is wrong.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as e:
        raise ConfigProblem(f"{path}: {getattr(e, 'strerror', None) or e}") from e
    try:
        return parse_config(json.loads(text, object_pairs_hook=_no_duplicates), environ)
    except json.JSONDecodeError as e:
        raise ConfigProblem(f"{path}: line {e.lineno}, column {e.colno}: {e.msg}") from e
    except ValueError as e:
        raise ConfigProblem(f"{path}: {e}") from e


def parse_config(data: Any, environ: Mapping[str, str] = os.environ) -> tuple[ServerConfig, ...]:
    """Return the servers of a JSON value; see `read_config`."""
    blocks = data.get(KEY) if isinstance(data, dict) else None
    if not isinstance(blocks, dict):
        raise ConfigProblem(f"{KEY}: an object with one entry for each server is missing")
    on = {name: block for name, block in blocks.items() if not (isinstance(block, dict) and block.get("disabled"))}
    try:
        made = {name: from_environment(block, environ, (KEY, name)) for name, block in on.items()}
        file = _File.model_validate({KEY: {name: block for name, (block, _) in made.items()}})
    except BadPlaceholder as e:
        raise ConfigProblem(f"{_at(e.path)}: {e}") from None
    except ValidationError as e:
        # Neither the input nor the cause is shown: they may hold credentials.
        lines = [f"{_at(error['loc'])}: {_said(error)}" for error in e.errors(include_input=False)]
        raise ConfigProblem("; ".join(lines)) from None
    return tuple(ServerConfig(name, block, made[name][1]) for name, block in file.servers.items())


def _at(keys: tuple[str | int, ...]) -> str:
    return ".".join(str(key) for key in keys if key != "[key]")


def _said(error: Any) -> str:
    if error["loc"][-1] == "[key]":
        return "a server's name has letters, digits, single `-` and `_`, and at most 40 characters"
    if error["type"] == "extra_forbidden":
        return "unknown key"
    return str(error["msg"]).removeprefix("Value error, ")


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ConfigProblem(f"the key {next(name for name in names if names.count(name) > 1)!r} occurs twice")
    return found
