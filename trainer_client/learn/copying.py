"""The environment and the demonstrator of the second stage: all templates of two domains.

The demonstrator follows the gold calls of a training task, as far as their values can be pointed at. In half of its
episodes it is sloppy: it points elsewhere, writes without asking, or reports what it has not done.
"""

import zlib
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

from agent_env_schemas import StepReply
from trainer_client import Client
from trainer_client.learn.alias import POINTERS, SPEECH, AliasEpisode, Tool, shape, tools_of
from trainer_client.learn.codec import Choose, CodecEnv, end
from trainer_client.learn.grpo import TokenRollout

DOMAINS = ("retail", "healthcare")
WORDS = 1024
LIMITS = {"train": 24, "val": 1, "test": 2}
"""How many tasks of each template are played of each split."""

AGREED = ("yes", "go ahead", "please do", "go on", "agree", "right")


class AliasEnv(CodecEnv):
    """Plays episodes of the domains; names of templates begin with their domain."""

    def __init__(self, client: Client, run: str, domains: Sequence[str] = DOMAINS, max_turns: int = 24) -> None:
        super().__init__(client, run, max_turns=max_turns)
        self.domains = domains
        self.gold: dict[str, dict[str, Any]] = {}
        self.tools: dict[str, dict[str, Tool]] = {}
        self.writes: set[str] = set()
        self.before: dict[str, Counter[str]] = {}
        self.reported: dict[str, set[str]] = {"tell": set(), "refuse": set()}
        for domain in domains:
            known = [self._gold(domain, one.task_id) for one in client.tasks(domain, split="train", limit=200).tasks]
            calls = [call for one in known for call in one["gold"]["actions"] if call["requestor"] == "agent"]
            changes = [x for one in known for wish in one["script"]["requests"] for x in wish.get("changes", ())]
            self.writes |= {call["name"] for change in changes for call in change.get("calls", ())}
            for one in known:
                self._learn(one)
            with client.reset(domain, task_id=known[0]["task_id"], run=run) as begun:
                self.tools[domain] = tools_of(begun.tools, calls)
        names = sorted({name for tools in self.tools.values() for name in tools})
        self.words = (*SPEECH, *POINTERS, *names)
        self.actions, self.vocabulary = len(self.words), len(self.words) + WORDS

    def _learn(self, task: dict[str, Any]) -> None:
        """Note which look-ups come before each call, and the shapes of the values that a customer must hear."""
        made: list[str] = []
        for call in task["gold"]["actions"]:
            if call["requestor"] == "agent":
                self.before.setdefault(call["name"], Counter()).update(name for name in made if name != call["name"])
                made += [call["name"]] if call["name"] not in self.writes else []
        for due in task["dues"]:
            told = [due["value"]] if due["kind"] == "tell" else (due["because"] or {}).get("says") or ()
            self.reported.get(due["kind"], set()).update(shape(one) for one in told if isinstance(one, str))

    def _gold(self, domain: str, task_id: str) -> dict[str, Any]:
        """A training task with its gold, fetched once."""
        if task_id not in self.gold:
            self.gold[task_id] = dict(self.client.task(domain, task_id, gold=True).model_dump(mode="json"))
        return self.gold[task_id]

    def tasks(self, split: str) -> dict[str, list[str]]:
        """The ids of the tasks of each template."""
        found: dict[str, list[str]] = {}
        for domain in self.domains:
            for task in self.client.tasks(domain, split=split, limit=500).tasks:
                ids = found.setdefault(f"{domain}/{task.template}", [])
                if len(ids) < LIMITS[split]:
                    ids.append(task.task_id)
        return found

    def drawn(self, tasks: dict[str, list[str]], random: Random, prompts: int) -> list[tuple[str, str]]:
        """The tasks of an update: one of each of `prompts` templates, all drawn."""
        return [(name, random.choice(tasks[name])) for name in random.sample(sorted(tasks), prompts)]

    def demonstrator(self, random: Random) -> "Follower":
        """A demonstrator for one episode."""
        return Follower(self, random)

    def _begin(self, template: str, task_id: str, n: int, group: int, forget: float) -> list[Any]:
        domain = template.partition("/")[0]
        begun = self.client.reset_group(domain, n, task_id=task_id, run=self.run, max_turns=self.max_turns)
        tools, read, told = self.tools[domain], self._reader, self.reported
        return [
            AliasEpisode(one, template, TokenRollout(group), tools, self.words, self._id, told, read(forget))
            for one in begun
        ]

    def _id(self, word: str) -> int:
        return len(self.words) + zlib.crc32(word.encode()) % WORDS

    def _turn(self, live: Sequence[Any], choose: Choose) -> None:
        sent: dict[str, Any] = {}
        while writing := [one for one in live if one.handle.id not in sent]:
            for one, (token, logp) in zip(writing, choose(writing), strict=True):
                one.rollout.act(token, logp)
                if (message := one.write(token)) is not None:
                    sent[one.handle.id] = message
        for one, reply in zip(live, self.client.batch_step([(o.handle, sent[o.handle.id]) for o in live]), strict=True):
            if not isinstance(reply, StepReply):
                raise reply
            for seen in reply.observation:
                one.read(seen.role, str(seen.content or ""))
            if reply.done:
                end(one, reply)


class Follower:
    """Follows the gold of one task."""

    def __init__(self, env: AliasEnv, random: Random) -> None:
        self.env, self.random = env, random
        self.sloppy = 0.2 if random.random() < 0.5 else 0.0
        self.steps: list[tuple[str, Any]] | None = None
        self.tokens: list[str] = []
        self.asked = 0
        self.made: set[str] = set()

    def act(self, episode: AliasEpisode) -> int:
        """The next token."""
        if self.steps is None:
            task = self.env._gold(episode.template.partition("/")[0], episode.handle.reply.info.task_id)
            self.steps = [("say", "who"), *self._plan(task)]
        while not self.tokens:
            self.tokens = self._next(episode, *self.steps.pop(0)) if self.steps else ["else"]
        return self.env.words.index(self.tokens.pop(0))

    def _plan(self, task: dict[str, Any]) -> list[tuple[str, Any]]:
        found: list[tuple[str, Any]] = []
        dues, asks = list(task["dues"]), False
        for place, call in enumerate(task["gold"]["actions"]):
            if call["requestor"] == "agent":
                write = call["name"] in self.env.writes
                found += [("say", "what")] if asks or (write and ("say", "what") not in found) else []
                found.append(("write" if write else "call", call))
                asks = write or not place
            ready = [due for due in dues if max(due["after"] or [0]) <= place]
            found += [(due["kind"], due) for due in ready]
            dues = [due for due in dues if due not in ready]
            found += [("say", "done")] if found[-1][0] == "write" else []
        return [*found, *((due["kind"], due) for due in dues)]

    def _next(self, one: AliasEpisode, kind: str, what: Any) -> list[str]:
        assert self.steps is not None
        slip = self.random.random() < self.sloppy
        if kind in ("say", "transfer"):
            return [what] if kind == "say" else []
        if kind == "answered":
            agreed = any(word in one.slots.quotes[-1].lower() for word in AGREED)
            if not agreed and self.asked < 3:  # the customer corrected something: ask once more
                self.steps.insert(0, ("write", what))
                return []
            self.asked = 0
            return ["do"]
        if kind in ("tell", "refuse"):
            return self._due(one, kind, what)
        tool = one.tools[what["name"]]
        pointers = [self._pointer(one, tool, name, what) for name in tool.arguments]
        given = dict(zip(tool.arguments, pointers, strict=True))
        lost = any(given[name] == POINTERS[0] for name in what["arguments"] if name in given)
        if lost and (look := self._look_up(one, tool.name)):
            self.steps.insert(0, (kind, what))
            return look
        self.made.add(tool.name)
        if kind == "call" or (slip and self.random.random() < 0.5):
            return [what["name"], *pointers]
        if slip and not self.asked:
            return ["propose", what["name"], *pointers]  # and never does it
        self.steps.insert(0, ("answered", what))
        self.asked += 1
        return ["propose", what["name"], *pointers]

    def _look_up(self, one: AliasEpisode, wanted: str) -> list[str]:
        """A look-up that often comes before a tool, has not been made yet, and has arguments that can be pointed at."""
        often = self.env.before.get(wanted, Counter()).most_common()
        for name in [name for name, _ in often if name in one.tools][:4]:
            tool, pointers = one.tools[name], []
            for argument in tool.arguments if name not in self.made else ():
                shapes, listed = tool.shapes[argument], tool.listed[argument]
                pointed = [p for p in POINTERS[1:] if one.slots.point(p, shapes, listed)[0] is not None]
                pointers += pointed[:1] or ([POINTERS[0]] if argument not in tool.required else [])
            if name not in self.made and len(pointers) == len(tool.arguments):
                self.made.add(name)
                return [name, *pointers]
        return []

    def _due(self, one: AliasEpisode, kind: str, due: dict[str, Any]) -> list[str]:
        """A sentence that tells what is due; with a random value if no value that was seen says it."""
        wanted = [due["value"]] if kind == "tell" else (due.get("because") or {}).get("says") or []
        for pointer in POINTERS[1:]:
            value, name = one.slots.point(pointer, self.env.reported[kind], ())
            said = f"the {name.replace('_', ' ')} is {value}".lower()
            if any(isinstance(word, str) and word.lower() in said for word in wanted):
                break
        else:
            pointer = self.random.choice(POINTERS)
        tool = self.random.choice(sorted(self.env.writes & set(one.tools)))
        return ["tell", pointer] if kind == "tell" else ["refuse", tool, pointer]

    def _pointer(self, one: AliasEpisode, tool: Tool, name: str, call: dict[str, Any]) -> str:
        if self.random.random() < self.sloppy / 2:
            return self.random.choice(POINTERS)
        if name not in call["arguments"]:
            return POINTERS[0]
        value = call["arguments"][name]
        for pointer in POINTERS[1:]:
            found = one.filled(tool, [pointer if each == name else POINTERS[0] for each in tool.arguments]).get(name)
            if found == value or (name in tool.lists and sorted(map(str, found or [])) == sorted(map(str, value))):
                return pointer
        return POINTERS[0]
