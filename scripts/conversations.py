"""What scripted users say to the oracle, and what their answers cost.

    python scripts/conversations.py airline retail telecom healthcare doordash

The oracle plays the first tasks of `test` with each of its phrasings. For each domain and phrasing, a line has:

- solved: the tasks with reward 1.
- messages: the users' messages after the first.
- repeated: the share of these messages that repeat an earlier message of the episode word for word. A message counts if
  it has more than five words and the agent did not ask for a repetition.
- sentences: the same share, if one repeated sentence already counts as a repetition.
- reply, reading: the CPU time of an answer of the user in microseconds, and the time within it in which the agent's
  message is read. A sentence that was read before is not read again, as on a server.

`--shown N` prints N of the repeated sentences for each phrasing.
"""

import argparse
import asyncio
import re
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

from agent_env_schemas import USER_STOP, Action, EpisodeReply, StepReply
from env_server.audit.brief import Briefing
from env_server.audit.rollouts import begin
from env_server.backends.local import LocalBackend, thrown_away
from env_server.commands.setup import find_pack, read_settings
from env_server.domains.kit import Task
from env_server.policies import rollout
from env_server.policies.oracle.oracle import talking
from env_server.policies.oracle.phrasing import PHRASINGS, Phrasing
from env_server.users.scripted import user

SHORT = 5
_END = re.compile(r"(?<=[.!?])\s+")
_AGAIN = re.compile(r"\b(?:again|repeat|once more|one more time)\b", re.IGNORECASE)


@dataclass
class Talk:
    """The words of one episode, and what is counted in it."""

    opening: EpisodeReply
    said: list[str] = field(default_factory=list)
    known: set[str] = field(default_factory=set)
    asked_again: bool = False
    messages: int = 0
    repeated: list[str] = field(default_factory=list)
    in_part: int = 0
    parts: list[str] = field(default_factory=list)
    solved: bool = False

    def __post_init__(self) -> None:
        """Note the first message."""
        for message in self.opening.observation:
            self._note(message.content)

    def action(self, turn: int, action: Action) -> None:  # noqa: ARG002 -- the rollout names the turn
        """Note whether the agent asks for a repetition."""
        self.asked_again = _AGAIN.search(str(action.content or "")) is not None

    def reply(self, reply: StepReply) -> None:
        """Count a message of the user."""
        for message in reply.observation:
            words = message.content.replace(USER_STOP, "").strip()
            if message.role != "user" or not words:
                continue
            self.messages += 1
            if not self.asked_again:
                if words in self.said and len(words.split()) > SHORT:
                    self.repeated.append(words)
                again = [part for part in _long(words) if part in self.known]
                self.in_part += bool(again)
                self.parts += again
            self._note(words)

    def _note(self, words: str) -> None:
        self.said.append(words)
        self.known.update(_long(words))


def _long(words: str) -> list[str]:
    return [part for part in _END.split(words) if len(part.split()) > SHORT]


class Clock:
    """The CPU time that is spent in a function."""

    def __init__(self) -> None:
        """Start at zero."""
        self.spent, self.calls = 0.0, 0

    def around(self, made: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function with this clock around it."""

        @wraps(made)
        def timed(*args: Any, **named: Any) -> Any:
            start = time.process_time()
            try:
                return made(*args, **named)
            finally:
                self.spent += time.process_time() - start
                self.calls += 1

        return timed

    def each(self) -> float:
        """Return the time of one call in microseconds, and start again."""
        mean = 1e6 * self.spent / max(1, self.calls)
        self.spent, self.calls = 0.0, 0
        return mean


async def play(local: LocalBackend, briefing: Briefing, tasks: Sequence[Task], phrasing: Phrasing) -> list[Talk]:
    """Play the tasks one after the other, and return what was counted."""
    talks = []
    for task in tasks:
        begun = await begin(local, task)
        talk = Talk(begun)
        last = await rollout(local, begun, talking(briefing.brief(task, begun), phrasing), talk)
        talk.solved = last.reward == 1
        talks.append(talk)
    return talks


async def measure(domain: str, size: int, shown: int) -> None:
    """Play the tasks of a domain with each phrasing, and print a line for each."""
    settings = read_settings()
    pack = find_pack(settings, domain, "builtin")
    tasks = [pack.task_at("test", at) for at in range(size)]
    replies, readings = Clock(), Clock()
    for owner, name, clock in ((user._Turn, "answer", replies), (user, "read", readings)):
        setattr(owner, name, clock.around(getattr(owner, name)))
    async with thrown_away(settings) as local:
        for number, phrasing in enumerate(PHRASINGS, 1):
            talks = await play(local, Briefing(pack), tasks, phrasing)
            messages = sum(talk.messages for talk in talks)
            repeated = [words for talk in talks for words in talk.repeated]
            print(
                f"{domain:<12}{number:>9}{sum(talk.solved for talk in talks):>8}{messages:>10}"
                f"{len(repeated) / messages:>10.2%}{sum(talk.in_part for talk in talks) / messages:>11.2%}"
                f"{replies.each():>8.0f}{readings.each():>9.0f}",
                flush=True,
            )
            parts = [words for talk in talks for words in talk.parts]
            for words, times in Counter(parts).most_common(shown):
                print(f"{times:>16}  {words}")


def main() -> None:
    """Read the options and measure each domain."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("domains", nargs="+")
    parser.add_argument("--tasks", type=int, default=500, help="how many tasks of `test`")
    parser.add_argument("--shown", type=int, default=0, help="how many of the repeated sentences to print")
    args = parser.parse_args()
    columns = f"{'phrasing':>9}{'solved':>8}{'messages':>10}{'repeated':>10}{'sentences':>11}{'reply':>8}{'reading':>9}"
    print(f"{'':<12}{columns}")
    for domain in args.domains:
        asyncio.run(measure(domain, args.tasks, args.shown))


if __name__ == "__main__":
    main()
