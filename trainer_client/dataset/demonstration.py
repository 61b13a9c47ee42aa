"""A demonstration: a reference solution (gold), played as a conversation by an agent that asks first.

Gold consists of calls only. Played alone, they would teach an agent to use facts that nobody has told it, and to make
changes that nobody has agreed to. So the agent asks the scripted user for their identity, for the details of each wish,
and for a yes before each change; it reports what it has done and found out, and refuses or hands over with the reason.
If a call names something that neither the user nor a tool has said, the task gives no demonstration.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from agent_env_schemas import CLOSE_INFRASTRUCTURE, TOOL_PROMPTS, GoldCallSpec, GoldSpec, TaskDetail, WrittenFormat
from trainer_client.client import Client, Episode
from trainer_client.dataset.errors import DataError
from trainer_client.dataset.server import ALONE, RUN, strategy_of

Change = Mapping[str, Any]
"""A change that a user wants, as a task's script has it."""

Wish = Mapping[str, Any]
"""A request of a task's script."""

WHO = "Gladly. First I need to verify who you are: please tell me your {facts}."
WHAT = "Thank you. Please tell me all the details of what you want: {topics}."
PROPOSAL = "I will {plan}. Shall I go ahead?"
REFUSAL = "I am sorry, but I cannot {plan}, because {fact}."
REFUSAL_AGAIN = "I understand, but it is not possible to {plan}: {fact}."
HANDOVER = "I cannot settle this myself, because {fact}. I will transfer you to a colleague who can."
CLOSING = "Is there anything else?"
FINISHED = "{said} Is there anything else?"

TRIES = 3
"""How often the agent proposes a change before the demonstration fails: the user may revise it."""

CLOSINGS = 4
"""The most closing questions. If the user has more to say after them, there is no demonstration."""

YES = re.compile(r"\b(yes|go ahead|please do|right|correct|sure|okay|ok|fine)\b", re.I)
NO = re.compile(r"\b(no|not|wait|instead)\b|n't\b", re.I)


@dataclass(frozen=True)
class Stage:
    """The place in which demonstrations of one pack are played."""

    client: Client
    domain: str
    pack: str
    user: Mapping[str, Any] | None
    tool_prompt: WrittenFormat
    tools: Mapping[str, Any] | None = None
    """Which tools of MCP servers there are, and how they are called."""

    @property
    def alone(self) -> bool:
        """Whether there is no user: the episode then begins with the task, and the agent asks nobody."""
        return strategy_of(self.user) == ALONE

    def begin(self, task_id: str, user: Mapping[str, Any] | None) -> Episode:
        """Begin an episode. Its system message describes the tools and counts as said to the agent."""
        return self.client.reset(
            self.domain,
            pack=self.pack,
            task_id=task_id,
            user=dict(user or {}),
            tool_prompt=self.tool_prompt,
            tools=None if self.tools is None else dict(self.tools),
            run=RUN,
            purpose="eval",
        )


def played(stage: Stage, task: TaskDetail, gold: GoldSpec) -> Episode | None:
    """Play `gold` to the reward 1; None if the reward is another, or if a call uses what was not said or agreed to.

    Raises:
        DataError: if the task's user has no script.
        ServerError: if the server refuses.
    """
    wishes: Sequence[Wish] = () if stage.alone else (task.script or {}).get("requests", ())
    episode = stage.begin(task.task_id, stage.user)
    try:
        if episode.awaiting_user:
            raise DataError(f"examples of {stage.domain} need users with a script, or --user none: its tasks have none")
        honest = _Demonstration(stage, episode, gold, task).play(wishes)
    finally:
        if not episode.done:  # a user who has more to say after the last call gives no good example
            episode.close(CLOSE_INFRASTRUCTURE)
    return episode if honest and episode.reward == 1.0 else None


def _fits(call: GoldCallSpec, change: Change) -> bool:
    """Whether `call` belongs to `change`: it has the name and the arguments of one of the change's calls."""
    shapes = [shape["arguments"] for shape in change["calls"] if shape["name"] == call.name]
    return any(all(call.arguments.get(k) == v for k, v in shape.items()) for shape in shapes)


class _Dishonest(Exception):
    """The next call names something that nobody has said, or makes a change that the user has not agreed to."""


class _Demonstration:
    """The conversation of one demonstration."""

    def __init__(self, stage: Stage, episode: Episode, gold: GoldSpec, task: TaskDetail) -> None:
        self.stage, self.episode, self.gold, self.task = stage, episode, gold, task
        self.left = list(gold.actions)
        self.dues = task.dues or ()
        self.last = gold.actions[-1:] if any(due["kind"] == "transfer" for due in self.dues) else []
        self.writes: set[str] = set()

    def play(self, wishes: Sequence[Wish]) -> bool:
        """Play the conversation; False if a call would use what was not said or agreed to."""
        self.writes = {
            shape["name"] for wish in wishes for change in wish.get("changes", ()) for shape in change["calls"]
        }
        try:
            if wishes:
                self._conversation(wishes)
            else:
                self._calls_alone()
        except _Dishonest:
            return False
        return not self.left

    def _calls_alone(self) -> None:
        """Make gold's calls, and tell their results."""
        self._looks(all_of_them=True)
        told = [*self._tells(None), *(f"{output}." for output in self._untold())]
        self._say(FINISHED.format(said=" ".join(["All done.", *told])))
        if self.stage.alone:
            self._say(_written(self.stage, "done", {}))

    def _conversation(self, wishes: Sequence[Wish]) -> None:
        facts = (self.task.script or {}).get("facts", {})
        self._say(WHO.format(facts=_listed(facts) or "name"))
        refused = False
        for place, wish in enumerate(wishes):
            if not wish.get("instead") or refused:
                refused = self._wish(place, wish)
        self._looks(all_of_them=True)
        if untold := self._untold():
            self._say(FINISHED.format(said=" ".join(f"{output}." for output in untold)))
        for _ in range(CLOSINGS):
            self._say(CLOSING)

    def _wish(self, place: int, wish: Wish) -> bool:
        """Settle a wish; True if it was refused."""
        if topics := [topic for topic in wish.get("details", {}) if topic != "transfer"]:
            self._say(WHAT.format(topics=_listed(topics)))
        self._looks()
        reason = next((due for due in self.dues if due["wish"] == place and due["kind"] != "tell"), None)
        changes = wish.get("changes", ())
        if reason is not None and reason["kind"] == "refuse":
            plan = changes[0]["plan"] if changes else "do that"
            for words in (REFUSAL, REFUSAL_AGAIN):
                self._say(words.format(plan=plan, fact=reason["says"]))
            return True
        if reason is not None:
            self._say(HANDOVER.format(fact=reason["says"]))
            self._looks(all_of_them=True)
            return False
        done = [self._change(change) for change in changes if any(_fits(call, change) for call in self.left)]
        self._looks()
        if said := [*(f"{clause[:1].upper()}{clause[1:]}." for clause in done), *self._tells(place)]:
            self._say(" ".join(said))
        return False

    def _change(self, change: Change) -> str:
        """Ask for a yes and make the calls of a change; returns in words what was done."""
        self._looks()
        for _ in range(TRIES):
            if self.episode.done:
                raise _Dishonest
            self._say(PROPOSAL.format(plan=change["plan"]))
            answer = str(self.episode.messages[-1].get("content"))
            if YES.search(answer) and not NO.search(answer):
                break
        else:
            raise _Dishonest
        made, shapes = 0, len(change["calls"])
        while any(_fits(call, change) for call in self.left) and (shapes > 1 or not made):
            fits = _fits(self.left[0], change)
            if not fits and self.left[0].name in self.writes:
                break
            made += fits
            self._call(self.left.pop(0))
        return str(change["done"])

    def _looks(self, *, all_of_them: bool = False) -> None:
        """Make the next calls, up to one that the user has to agree to."""
        while self.left and (all_of_them or not (self.left[0].name in self.writes or self.left == self.last)):
            self._call(self.left.pop(0))

    def _call(self, call: GoldCallSpec) -> None:
        if self.episode.done or not self._heard(call):
            raise _Dishonest
        self._say(_written(self.stage, call.name, call.arguments))

    def _tells(self, place: int | None) -> list[str]:
        """The facts to tell about a wish, or about all wishes."""
        return [str(d["says"]) for d in self.dues if d["kind"] == "tell" and place in (None, d["wish"])]

    def _untold(self) -> list[str]:
        """The outputs that the agent has not told yet."""
        told = [str(m.get("content")) for m in self.episode.messages if m["role"] == "assistant"]
        told += [] if self.task.script and not self.stage.alone else self._tells(None)
        return [output for output in self.gold.outputs if not any(output in text for text in told)]

    def _heard(self, call: GoldCallSpec) -> bool:
        """Whether every text in the arguments of `call` has been said to the agent."""
        told = [str(m.get("content")) for m in self.episode.messages if m["role"] != "assistant"]
        return self.stage.alone or _within(call.arguments, "\n".join(told).casefold())

    def _say(self, text: str) -> None:
        if not self.episode.done:
            self.episode.step(text)


def _listed(topics: Iterable[str]) -> str:
    """Topics in words."""
    *head, last = [topic.replace("_", " ") for topic in topics] or [""]
    return f"{', '.join(head)} and {last}" if head else last


def _within(value: Any, text: str) -> bool:
    """Whether `text` contains all texts in `value`; numbers are not checked, because the agent computes them."""
    if isinstance(value, dict):
        return all(_within(each, text) for each in value.values())
    if isinstance(value, list):
        return all(_within(each, text) for each in value)
    return not isinstance(value, str) or any(form.casefold() in text for form in _forms(value))


def _forms(value: str) -> list[str]:
    """The forms of `value` in a text: a date is also written out."""
    try:
        day = date.fromisoformat(value)
    except ValueError:
        return [value]
    return [value, f"{day:%B} {day.day}, {day.year}"]


def _written(stage: Stage, name: str, arguments: Mapping[str, Any]) -> str:
    """A call in the form that the prompt asks for."""
    return TOOL_PROMPTS[stage.tool_prompt].call.format(json.dumps({"name": name, "arguments": arguments}))
