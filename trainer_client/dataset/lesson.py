"""A worked example in the making: a reference solution, played by an agent that asks first.

Gold has the calls alone. Played as they are they would teach an agent to know what nobody has told it, and to change
things that nobody has agreed to. So the agent asks the scripted user who they are and what they want, and for a yes
before the first change; and where a call names what neither user nor tool has said, there is no example.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from schemas import CLOSE_INFRASTRUCTURE, GoldCallSpec, GoldSpec
from trainer_client.client import Client
from trainer_client.dataset.errors import DataError
from trainer_client.dataset.prompt import ALONE, RUN, ToolPrompt, strategy_of
from trainer_client.episode import Episode

FORMS: Mapping[ToolPrompt, str] = {"hermes": "<tool_call>\n{}\n</tool_call>", "json": "{}"}
"""How a call is written."""

WHO = "Gladly. First I need to verify who you are, please."
WHAT = "Thank you. Please tell me all the details of what you want."
PROPOSAL = "This is what I am about to do:\n{steps}\nDo you confirm it (yes or no)?"
FINISHED = "All done.{outputs} Is there anything else?"


@dataclass(frozen=True)
class Stage:
    """Where lessons of one pack are played."""

    client: Client
    domain: str
    pack: str
    user: Mapping[str, Any] | None
    tool_prompt: ToolPrompt

    @property
    def alone(self) -> bool:
        """Whether no user takes part: the task is then told at the beginning, and nobody is asked."""
        return strategy_of(self.user) == ALONE

    def begin(self, task_id: str, user: Mapping[str, Any] | None) -> Episode:
        """An episode with the tools in its system message, which is among what was said."""
        return self.client.reset(
            self.domain,
            pack=self.pack,
            task_id=task_id,
            user=dict(user or {}),
            tool_prompt=self.tool_prompt,
            run=RUN,
            purpose="eval",
        )


def played(stage: Stage, task_id: str, gold: GoldSpec) -> Episode | None:
    """The episode in which `gold` was played to the reward 1; None if that cannot be done honestly.

    Raises:
        DataError: if the task's user has no script.
        ServerError: if the server refuses.
    """
    at = len(gold.actions) if stage.alone else _first_change(stage, task_id, gold)
    if not stage.alone and at == len(gold.actions) and not gold.outputs:
        return None  # the task is to refuse, and saying so takes words that gold does not have
    episode = stage.begin(task_id, stage.user)
    try:
        if episode.awaiting_user:
            raise DataError(f"examples of {stage.domain} need users with a script, or --user none: its tasks have none")
        honest = _Lesson(stage, episode).play(gold, at)
    finally:
        if not episode.done:  # a user who has more to say after the last call makes no good example
            episode.close(CLOSE_INFRASTRUCTURE)
    return episode if honest and episode.reward == 1.0 else None


def _first_change(stage: Stage, task_id: str, gold: GoldSpec) -> int:
    """The place of gold's first call that changes the state; how many there are if none does. Found by trying."""
    trial = stage.begin(task_id, {"strategy": ALONE})
    try:
        for place, call in enumerate(gold.actions):
            reply = trial.step(_written(stage, call.name, call.arguments))
            if reply.done or reply.state_hash != trial.reply.state_hash:
                return place
        return len(gold.actions)
    finally:
        if not trial.done:
            trial.close(CLOSE_INFRASTRUCTURE)


@dataclass(frozen=True)
class _Lesson:
    stage: Stage
    episode: Episode

    def play(self, gold: GoldSpec, first_change: int) -> bool:
        """Play all of it; whether nothing was used that was not said, and nothing done that was not agreed to."""
        if not self.stage.alone:
            self._say(WHO)
            self._say(WHAT)
        for place, call in enumerate(gold.actions):
            if place == first_change and not self._agreed(gold.actions[place:]):
                return False
            if self.episode.done or not self._heard(call):
                return False
            self._say(_written(self.stage, call.name, call.arguments))
        self._say(FINISHED.format(outputs="".join(f" {output}." for output in gold.outputs)))
        if self.stage.alone:
            self._say(_written(self.stage, "done", {}))
        return True

    def _agreed(self, calls: Sequence[GoldCallSpec]) -> bool:
        """Whether all that `calls` need was said before, and the user says yes to them."""
        if not all(map(self._heard, calls)):
            return False
        self._say(PROPOSAL.format(steps="\n".join(map(_in_words, calls))))
        return str(self.episode.messages[-1].get("content")).casefold().startswith("yes")

    def _heard(self, call: GoldCallSpec) -> bool:
        """Whether every name and number in words that `call` passes has been said to the agent."""
        told = [str(m.get("content")) for m in self.episode.messages if m["role"] != "assistant"]
        return self.stage.alone or _within(call.arguments, "\n".join(told).casefold())

    def _say(self, text: str) -> None:
        if not self.episode.done:
            self.episode.step(text)


def _within(value: Any, text: str) -> bool:
    """Whether all texts in `value` are parts of `text`; numbers need not be: prices and counts are reckoned."""
    if isinstance(value, dict):
        return all(_within(each, text) for each in value.values())
    if isinstance(value, list):
        return all(_within(each, text) for each in value)
    return not isinstance(value, str) or any(form.casefold() in text for form in _forms(value))


def _forms(value: str) -> list[str]:
    """`value`, and if it is a date also as people write it."""
    try:
        day = date.fromisoformat(value)
    except ValueError:
        return [value]
    return [value, f"{day:%B} {day.day}, {day.year}"]


def _in_words(call: GoldCallSpec) -> str:
    """A call as a line of a proposal."""
    given = (f"{k.replace('_', ' ')} {v if isinstance(v, str) else json.dumps(v)}" for k, v in call.arguments.items())
    return f"- {call.name.replace('_', ' ')}: {', '.join(given)}"


def _written(stage: Stage, name: str, arguments: Mapping[str, Any]) -> str:
    """A call as the prompt says to write it."""
    return FORMS[stage.tool_prompt].format(json.dumps({"name": name, "arguments": arguments}))
