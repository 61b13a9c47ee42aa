"""An adapter whose library is missing says what to install."""

import importlib
import sys

import pytest

from trainer_client.integrations.needed import needed

ADAPTERS = {
    "gymnasium": ("gymnasium", "gymnasium"),
    "inspect_ai": ("inspect_ai", "inspect-ai"),
    "langgraph": ("langgraph", "langgraph"),
    "mcp_sdk": ("mcp", "mcp>=2.3,<3"),
    "nemo_gym.server": ("starlette", "starlette"),
    "openai_agents": ("agents", "openai-agents"),
    "pydantic_ai": ("fastmcp", "pydantic-ai-slim[mcp]>=2.68"),
    "verifiers.environment": ("verifiers", "verifiers>=0.4,<0.5"),
    "verl": ("verl", "verl"),
}


@pytest.mark.parametrize("name", ADAPTERS)
def test_a_missing_library_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The import of the adapter fails with the requirement to install, and another adapter's library plays no part."""
    module, requirement = ADAPTERS[name]
    for loaded in [m for m in sys.modules if m.partition(".")[0] == module]:
        monkeypatch.delitem(sys.modules, loaded)
    monkeypatch.setitem(sys.modules, module, None)
    if name == "langgraph":
        monkeypatch.setitem(sys.modules, "langchain_core", None)
    monkeypatch.delitem(sys.modules, f"trainer_client.integrations.{name}", raising=False)
    with pytest.raises(ImportError) as raised:
        importlib.import_module(f"trainer_client.integrations.{name}")
    assert f'pip install "{requirement}"' in str(raised.value)


def test_another_error_stays_what_it_is() -> None:
    """If the library itself lacks a module, the error is that one, and not that the library is missing."""
    with pytest.raises(ModuleNotFoundError, match="no_such_module"), needed("gymnasium", "gymnasium"):
        importlib.import_module("no_such_module")
