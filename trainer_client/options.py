"""The options of a reset, for type checkers and editors; `schemas.ResetRequest` says what each means and checks it."""

from typing import Any, Literal, TypedDict

from schemas import Expect, InlineTask, UserSpec


class ResetOptions(TypedDict, total=False):
    """Every field of `/reset` but `domain` and `n`, which are arguments of their own."""

    pack: str
    task_id: str | None
    split: str | None
    index: int | None
    difficulty: int | str | None
    task: InlineTask | dict[str, Any] | None
    seed: int
    user: UserSpec | dict[str, Any]
    max_turns: int
    max_errors: int
    max_calls: int
    deadline_s: float | None
    trial: int
    vary_user: bool
    run: str | None
    purpose: Literal["train", "eval"] | None
    group_id: str | None
    tool_prompt: Literal["none", "hermes", "json"]
    observation_role: Literal["tool", "user"]
    max_observation_chars: int | None
    conduct: Literal["score", "report", "off"] | None
    expect: Expect | dict[str, Any] | None
    idempotency_key: str | None
    metadata: dict[str, Any] | None
