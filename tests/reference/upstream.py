"""Run by another Python process: has a checkout's own code say how its tools look, and prints that as JSON.

    python upstream.py tau1|tau2 CHECKOUT

What upstream logs, compares and stores with is replaced, so that its dependencies need not be there.
"""

import json
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any


class _Anything(ModuleType):
    """A module in which every name can be imported and called."""

    def __getattr__(self, name: str) -> Any:
        return _Anything(name)

    def __call__(self, *_: object, **__: object) -> Any:
        return self


def _bare(name: str, folder: Path) -> None:
    """A package whose own `__init__` is not run."""
    package = ModuleType(name)
    package.__path__ = [str(folder)]
    sys.modules[name] = package


def tau1(checkout: Path) -> Iterator[tuple[str, list[Any]]]:
    """The domain and the tools' schemas in tau-bench."""
    for name in ("tau_bench", "tau_bench.envs", "tau_bench.envs.airline", "tau_bench.envs.retail"):
        _bare(name, checkout.joinpath(*name.split(".")))
    for domain in ("airline", "retail"):
        yield domain, [tool.get_info() for tool in import_module(f"tau_bench.envs.{domain}.tools").ALL_TOOLS]


def tau2(checkout: Path) -> Iterator[tuple[str, list[Any]]]:
    """The domain and the tools' schemas in tau2-bench, the agent's before the user's."""
    for name in ("addict", "deepdiff", "dotenv", "loguru", "toml", "yaml"):
        sys.modules[name] = _Anything(name)
    sys.modules["addict"].Dict = dict  # type: ignore[attr-defined]  # a stand-in has what is put into it
    sys.path.insert(0, str(checkout / "src"))
    as_tool = import_module("tau2.environment.tool").as_tool
    for domain in ("airline", "retail", "telecom"):
        kits = [getattr(import_module(f"tau2.domains.{domain}.tools"), f"{domain.title()}Tools")]
        if domain == "telecom":
            kits.append(import_module("tau2.domains.telecom.user_tools").TelecomUserTools)
        yield domain, [as_tool(tool).openai_schema for kit in kits for tool in kit(None).tools.values()]


if __name__ == "__main__":
    print(json.dumps(dict({"tau1": tau1, "tau2": tau2}[sys.argv[1]](Path(sys.argv[2])))))
