"""Settings of the Python server."""

import os
from collections.abc import Mapping
from functools import cached_property
from importlib.util import find_spec
from typing import Literal

from pydantic import Field, ValidationInfo, field_validator

from mcp_servers.kit.settings import Settings as Common
from mcp_servers.python.sandbox.limits import MB, Limits


class Settings(Common):
    """What the server of the Python tool understands, beside what all servers do."""

    python_backend: Literal["process", "monty", "auto"] = "auto"
    """Where code runs: in locked-in processes, in an interpreter without packages, or in what the machine can offer."""
    python_packages: str = "pandas"
    """Packages, separated by commas, that code in a process may import; each brings those it is known to need.

    Where this is set, all of them must be installed unless the backend is monty.
    """
    python_seconds: float = Field(default=30.0, gt=0, le=3600)
    """Seconds that a call may take."""
    python_cpu_seconds: int = Field(default=600, ge=1, le=86_400)
    """Processor seconds that a session may take in all its calls."""
    python_memory_mb: int = Field(default=1024, ge=32, le=65_536)
    """Address space of a session beyond the packages."""
    python_disk_mb: int = Field(default=16, ge=8, le=64)
    """All files of a session together; one file may take half of it."""
    python_output: int = Field(default=20_000, ge=100, le=1_000_000)
    """Bytes of standard output, of standard error and of the value that are kept, each."""
    python_sessions: int = Field(default=64, ge=1, le=1000)
    """Sessions at the same time. Each holds a process."""
    python_idle_s: float = Field(default=1800.0, gt=0)
    """Seconds without a call after which a session may be closed."""
    python_seed: int = 0
    """The seed of `random`, of NumPy's generators and of what Python calls entropy."""
    python_folder: str | None = None
    """Where scratch folders are made; the system's place for temporary files where unset."""

    @field_validator("python_packages")
    @classmethod
    def _installed(cls, packages: str, info: ValidationInfo) -> str:
        """Check the packages that the operator named. The default is not checked, because `auto` may choose monty."""
        if info.data.get("python_backend") != "monty":
            for name in _split(packages):
                _check_installed(name)
        return packages

    @field_validator("python_folder")
    @classmethod
    def _usable(cls, folder: str | None) -> str | None:
        """Return the absolute path of the folder. The processes of the sandbox have another working directory."""
        if folder is None:
            return None
        path = os.path.abspath(folder)
        if not os.path.isdir(path):
            raise ValueError(f"there is no folder {path}")
        if not os.access(path, os.R_OK | os.W_OK | os.X_OK):
            raise ValueError(f"this user cannot make folders in {path}")
        return path

    @property
    def longest_step_s(self) -> float:
        """See `Settings`."""
        return self.python_seconds

    def ignored(self) -> Mapping[str, str]:
        """See `Settings`."""
        why = "code sees the time of the offline world and nothing else of it; leave the option out"
        return {**super().ignored(), "world_seed": why}

    @cached_property
    def limits(self) -> Limits:
        """Return the limits of a conversation."""
        return Limits(
            seconds=self.python_seconds,
            cpu_s=self.python_cpu_seconds,
            memory=self.python_memory_mb * MB,
            disk=self.python_disk_mb * MB,
            file=self.python_disk_mb * MB // 2,
            output=self.python_output,
        )

    @property
    def packages(self) -> tuple[str, ...]:
        """Return the names of the packages."""
        return _split(self.python_packages)


def _split(names: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in names.split(",") if name.strip())


def _check_installed(package: str) -> None:
    if not package.isidentifier():
        raise ValueError(f"{package!r} is not the name of a package as code imports it")
    if find_spec(package) is None:
        raise ValueError(f"{package} is not installed")
