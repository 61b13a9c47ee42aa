"""The upper bound: a bare FastAPI application that parses the same requests and answers with the same reply models."""

import os

from fastapi import FastAPI

from agent_env_schemas import CallInfo, Message, StepInfo, StepReply, StepRequest

TEXT = "BENCH_OBSERVATION"
"""Environment variable with the observation that every reply carries."""

STATE_HASH = "0" * 64


def create_app() -> FastAPI:
    """Return the echo."""
    text = os.environ.get(TEXT, "")
    app = FastAPI()

    @app.get("/healthz")
    async def healthz() -> dict[str, str]:
        """Whether the process answers."""
        return {"status": "ok"}

    @app.post("/step")
    async def step(request: StepRequest) -> StepReply:
        """A typical reply, made anew for each request and about nothing."""
        turn = request.turn or 1
        return StepReply(
            episode_id=request.episode_id,
            turn=turn,
            observation=[Message(role="tool", tool_call_id=f"call_{turn}_0", name="get_order_details", content=text)],
            reward=0.0,
            terminated=False,
            truncated=False,
            done=False,
            stop_reason=None,
            state_hash=STATE_HASH,
            info=StepInfo(format="structured", calls=[CallInfo(name="get_order_details")]),
        )

    return app
