"""Rewards of other programs as this project shows them: components with reasons, and one sentence."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from env_server.commands.view.chat import calls_of
from env_server.evals.outcome import EpisodeOutcome, Spent
from env_server.page.views.verdict import ShownComponent, ShownVerdict

LONGEST, MOST = 400, 12
"""The maximum length of one reason, in characters, and of reasons of one component."""


def component(name: str, value: float, reasons: Sequence[tuple[str, str]]) -> ShownComponent:
    """Return a component. Reasons are pairs of a label and a text, and are cut."""
    cut = [(label, text if len(text) <= LONGEST else f"{text[:LONGEST]}…") for label, text in reasons[:MOST]]
    more = [("", f"and {len(reasons) - MOST} more")] if len(reasons) > MOST else []
    return ShownComponent(name, value, (*cut, *more))


def call_text(name: str, arguments: Any) -> str:
    """Return a call on one line."""
    return f"{name}({json.dumps(arguments, ensure_ascii=False)})"


def verdict(
    reward: float | None, stop: str, components: Sequence[ShownComponent], why_not: str | None = None
) -> ShownVerdict:
    """Return a verdict. `why_not` is the reason for a reward that no component explains."""
    lost = [f"{part.name}: {' '.join(filter(None, part.reasons[0]))}" for part in components if _is_lost(part)]
    if reward is None:
        why = f"Not scored: {why_not or f'the conversation ended by {stop}'}."
    elif reward == 1:
        why = "Everything is as it should be."
    else:
        why = f"Reward {reward:.3g}, because of {'; '.join(lost) or why_not or 'what its file does not say'}."
    return ShownVerdict(reward, stop, why, tuple(components), (), 0)


def _is_lost(part: ShownComponent) -> bool:
    return part.value is not None and part.value < 1 and bool(part.reasons)


def outcome(
    record: Mapping[str, Any], trial: int, shown: ShownVerdict, policy: Spent | None = None, user: Spent | None = None
) -> EpisodeOutcome:
    """Return the outcome of a conversation of another program for the figures."""
    about, made = record["episode"], calls_of(record)
    calls = Counter(call["name"] for call in made)
    errors = Counter(call["name"] for call in made if call["error"] is not None)
    return EpisodeOutcome(
        task_id=about["task_id"],
        trial=trial,
        episode_id=about["episode_id"],
        split=None,
        template=None,
        stop_reason=shown.stop_reason,
        reward=shown.reward,
        scored=shown.reward is not None,
        partial=False,
        turns=len(record["turns"]),
        calls=calls.total(),
        tool_errors=errors.total(),
        parse_failures=0,
        tools={name: (number, errors[name]) for name, number in sorted(calls.items())},
        user=user or Spent(),
        policy=policy or Spent(),
        breakdown={part.name: part.value for part in shown.components},
    )
