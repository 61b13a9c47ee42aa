"""Settings of the Python server."""

from functools import cached_property
from typing import Literal

from pydantic import Field

from mcp_servers.kit.settings import Settings as Common
from mcp_servers.python.sandbox.limits import MB, Limits


class Settings(Common):
    """What the server of the Python tool understands, beside what all servers do."""

    python_backend: Literal["process", "monty", "auto"] = "auto"
    """Where code runs: in locked-in processes, in an interpreter without packages, or in what the machine can offer."""
    python_packages: str = "pandas"
    """Packages, separated by commas, that code in a process may import; each brings those it is known to need."""
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

    @cached_property
    def limits(self) -> Limits:
        """The limits of a conversation."""
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
        """The packages, one by one."""
        return tuple(name.strip() for name in self.python_packages.split(",") if name.strip())
