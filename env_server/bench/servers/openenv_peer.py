"""A peer for comparison: OpenEnv's own MCP environment, with one tool that looks up a row and changes it.

It runs in its own virtual environment, since OpenEnv needs another version of the MCP SDK:
`python -m venv .venv-openenv && .venv-openenv/bin/pip install openenv==0.10.0`.
"""

from typing import Any
from uuid import uuid4

from fastmcp import FastMCP
from openenv.core.env_server import create_app as openenv_app
from openenv.core.env_server.mcp_environment import MCPEnvironment
from openenv.core.env_server.mcp_types import CallToolAction, CallToolObservation
from openenv.core.env_server.types import Observation, State

MOST_SESSIONS = 4096


def order() -> dict[str, Any]:
    """Return a row of the usual size."""
    items = [{"name": "T-Shirt", "item_id": str(i), "price": 39.5, "options": {"color": "red"}} for i in range(4)]
    return {"order_id": "#W0000001", "user_id": "user_1", "status": "pending", "items": items}


class Orders(MCPEnvironment):
    """An environment with one order and the tool that cancels it."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        """Create an environment whose reset copies no data, so that only calls are measured."""
        server = FastMCP("peer")
        rows = {"#W0000001": order()}

        @server.tool
        def get_order(order_id: str) -> dict[str, Any]:
            """Look an order up and cancel it."""
            rows[order_id]["status"] = "cancelled"
            return rows[order_id]

        super().__init__(server)
        self._state = State(episode_id=str(uuid4()), step_count=0)

    def reset(self, seed: int | None = None, episode_id: str | None = None, **_: Any) -> Any:  # noqa: ARG002 -- OpenEnv's
        """Begin an episode."""
        self._state = State(episode_id=episode_id or str(uuid4()), step_count=0)
        return Observation(done=False, reward=0.0)

    def _step_impl(self, action: Any, timeout_s: float | None = None, **_: Any) -> Any:  # noqa: ARG002 -- OpenEnv's
        return Observation(metadata={"error": "unknown"})

    @property
    def state(self) -> Any:
        """Return the state of the episode."""
        return self._state


def create_app() -> Any:
    """Return OpenEnv's application around the environment."""
    return openenv_app(Orders, CallToolAction, CallToolObservation, env_name="peer", max_concurrent_envs=MOST_SESSIONS)
