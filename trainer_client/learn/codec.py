"""Episodes of macro tokens on the real server: the policy chooses what to do, and the codec fills in the values.

An action token becomes a sentence or a tool call whose values come from what the customer said and the tools returned.
An observation becomes words and a few markers, which are hashed into a fixed number of ids. `SAY_DONE` is a lie where
nothing was cancelled, and `CANCEL` is a write without consent where the customer has not said yes; the server's
`conduct` decides which was which.
"""

import json
import re
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum, auto
from random import Random
from typing import Any

from agent_env_schemas import StepReply
from trainer_client import Client, Episode
from trainer_client.learn.grpo import TokenRollout

BUCKETS = 4096
"""The ids of hashed words: many more than words, so that a word of the test tasks seldom gets another word's id."""

STEM = 4
"""How many letters of a word are read. `cancel` and `cancelled` are one word, and so fewer words of the test tasks are
new.
"""

ADDRESS = r"(\d+ [^,.]+), ([^,.]+), ([^,.]+), ([A-Z]{2}), (\w+), (\d{5})"
DOMAIN = "retail"
TEMPLATES = ("cancel", "cancel-delivered", "cancel-delivered-due", "too-late", "too-late-due")


class Macro(IntEnum):
    """The action tokens."""

    WHO = 0
    FIND = auto()
    USER = auto()
    WHAT = auto()
    ORDER = auto()
    PROPOSE = auto()
    CANCEL = auto()
    SAY_DONE = auto()
    REFUSE = auto()
    TRACK = auto()
    PROPOSE_RETURN = auto()
    RETURN = auto()
    SAY_RETURNED = auto()
    PROPOSE_SEND = auto()
    SEND = auto()
    SAY_SENT = auto()
    ELSE = auto()
    TRANSFER = auto()


VOCABULARY = len(Macro) + BUCKETS

ANSWERS = ("yes", "no")
"""A message that begins with one of these is read as an answer: customers agree with `Yes`, and some sentences that
answer nothing begin with `No`. This is always read, as values are, after the message's words.
"""

Choose = Callable[[Sequence["CodecEpisode"]], Sequence[tuple[int, float]]]


@dataclass
class CodecEpisode:
    """One episode: the handle on the server, its tokens, and what the codec has read."""

    handle: Episode
    template: str
    rollout: TokenRollout
    reads: Callable[[int], bool] = lambda _: True
    said: str = ""
    user_id: str = "unknown"
    orders: list[str] = field(default_factory=list)
    order: dict[str, Any] = field(default_factory=dict)
    payments: dict[str, Any] = field(default_factory=dict)
    opened: set[str] = field(default_factory=set)
    agreed: bool = False
    acted: str = ""
    """The name of the last action."""

    last: str = ""
    faults: list[str] = field(default_factory=list)
    done: bool = False

    def read(self, role: str, content: str) -> None:
        """Take an observation into the rollout and into the slots."""
        if role == "user":
            words = _words(content)
            answer = words[0] if words[:1] and words[0] in ANSWERS else "neither"
            read = [word for word in words if word[0] == "<" or self.reads(_id(word))]
            self._tokens([*read, f"<{answer}>", f"<after {self.acted}>"])  # last, whatever the words before them
            self.said += "\n" + content
            self.agreed = answer == "yes"
        elif role == "tool":
            self._tokens(["<tool>", *self._result(content)])

    def act(self, action: int, logp: float) -> None:
        """Take an action token, and the log-probability with which it was sampled."""
        self.acted = Macro(action).name
        self.rollout.act(action, logp)

    def _tokens(self, words: Sequence[str]) -> None:
        self.last = words[-1]
        self.rollout.read([_id(word) for word in words])

    def _result(self, content: str) -> list[str]:
        if content.startswith("Error"):
            return ["<error>"]
        try:
            value = json.loads(content)
        except ValueError:
            value = content
        if isinstance(value, str):
            self.user_id = value.strip().strip('"')
            return ["<found>"]
        if isinstance(value, dict) and "order_id" in value:
            self.order = value
            self.opened.add(value["order_id"])
            return ["<order>", f"<{value['status']}>", "<meant>" if self._meant() else "<other>"]
        if isinstance(value, dict) and "orders" in value:
            self.orders, self.payments = list(value["orders"]), dict(value["payment_methods"])
            return ["<profile>"]
        return ["<result>"]

    def _meant(self) -> bool:
        names = [item["name"].lower() for item in self.order.get("items", [])]
        return self.order["order_id"] in self.said or any(name in self.said.lower() for name in names)

    def has_address(self) -> bool:
        """Whether the customer has named an address."""
        return re.search(ADDRESS, self.said) is not None

    def message(self, macro: Macro) -> str | dict[str, Any]:
        """What is sent to the server for a token."""
        return MESSAGES[macro](self)

    def target(self) -> str:
        """The order that the customer named last, or else the one that was opened last."""
        named = re.findall(r"#W\d+", self.said)
        return str(named[-1] if named else self.order.get("order_id", "#W0"))

    def next_order(self) -> str:
        """The order that the customer named, or else the next one of the profile."""
        named = re.findall(r"#W\d+", self.said)
        return str(named[-1]) if named else next((one for one in self.orders if one not in self.opened), "#W0")

    def reason(self) -> str:
        """The reason for cancelling that the customer gave."""
        return "ordered by mistake" if "mistake" in self.said.lower() else "no longer needed"


def _id(word: str) -> int:
    read = word if word[0] == "<" else word[:STEM]
    return len(Macro) + zlib.crc32(read.encode()) % BUCKETS


def _words(text: str) -> list[str]:
    plain = re.sub(r"#W\d+", " <number> ", re.sub(ADDRESS, r" <address> \g<0>", text))
    plain = re.sub(r"[\w.+-]+@[\w.-]+", " <mail> ", plain)
    return re.findall(r"<\w+>|[a-z']+", re.sub(r"\b\d{5}\b", " <zip> ", plain).lower())[:60]


def _call(tool: str, **arguments: object) -> dict[str, Any]:
    return {"tool_calls": [{"name": tool, "arguments": arguments}]}


def _find(one: CodecEpisode) -> dict[str, Any]:
    mail = re.findall(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+", one.said)
    if mail:
        return _call("find_user_id_by_email", email=mail[-1])
    name = re.findall(r"(?:name is|I am|I'm|[Tt]his is) ([A-Z][\w'-]+) ([A-Z][\w'-]+)", one.said)
    code = re.findall(r"\b\d{5}\b", one.said)
    first, last = name[-1] if name else ("", "")
    return _call("find_user_id_by_name_zip", first_name=first, last_name=last, zip=code[-1] if code else "")


def _track(one: CodecEpisode) -> str:
    shipments = one.order.get("fulfillments") or [{"tracking_id": ["unknown"]}]
    return f"The tracking number is {shipments[0]['tracking_id'][0]}. Is there anything else?"


def _refuse(one: CodecEpisode) -> str:
    status = one.order.get("status", "not known")
    return f"I am sorry, I cannot cancel or redirect order {one.target()}, because its status is {status}."


def _paid(one: CodecEpisode) -> str:
    return str((one.order.get("payment_history") or [{"payment_method_id": "unknown"}])[0]["payment_method_id"])


def _payment(one: CodecEpisode) -> str:
    method = one.payments.get(_paid(one), {})
    if "last_four" in method:
        return f"{method['brand']} card ending in {method['last_four']}"
    return str(method.get("source", "payment method of the order")).replace("_", " ")


def _items(one: CodecEpisode) -> str:
    return " and ".join(f"the {item['name']}" for item in one.order.get("items", [])) or "all items"


def _propose_return(one: CodecEpisode) -> str:
    where = f"from order {one.target()}, with the refund going to your {_payment(one)}"
    return f"I will return {_items(one)} {where}. Shall I go ahead?"


def _return(one: CodecEpisode) -> dict[str, Any]:
    items = [item["item_id"] for item in one.order.get("items", [])]
    return _call("return_delivered_order_items", order_id=one.target(), item_ids=items, payment_method_id=_paid(one))


def _address(one: CodecEpisode) -> tuple[str, ...]:
    """The address that the customer said last: two lines, city, state, country, zip code."""
    found = re.findall(ADDRESS, one.said)
    return tuple(found[-1]) if found else ("unknown",) * 6


def _send(one: CodecEpisode) -> dict[str, Any]:
    parts = ("address1", "address2", "city", "state", "country", "zip")
    address = dict(zip(parts, _address(one), strict=True))
    return _call("modify_pending_order_address", order_id=one.target(), **address)


MESSAGES: dict[Macro, Callable[[CodecEpisode], str | dict[str, Any]]] = {
    Macro.WHO: lambda _: "Gladly. First I need to verify who you are, please.",
    Macro.FIND: _find,
    Macro.USER: lambda one: _call("get_user_details", user_id=one.user_id),
    Macro.WHAT: lambda _: "Thank you. Please tell me all the details of what you want.",
    Macro.ORDER: lambda one: _call("get_order_details", order_id=one.next_order()),
    Macro.PROPOSE: lambda one: (
        f"I will cancel order {one.target()} because it {'was' if 'mistake' in one.reason() else 'is'} {one.reason()}. "
        "Shall I go ahead?"
    ),
    Macro.CANCEL: lambda one: _call("cancel_pending_order", order_id=one.target(), reason=one.reason()),
    Macro.SAY_DONE: lambda one: f"Order {one.target()} has been cancelled. Is there anything else?",
    Macro.REFUSE: _refuse,
    Macro.TRACK: _track,
    Macro.PROPOSE_RETURN: _propose_return,
    Macro.RETURN: _return,
    Macro.SAY_RETURNED: lambda one: (
        f"The return of {_items(one)} of order {one.target()} has been requested. Is there anything else?"
    ),
    Macro.PROPOSE_SEND: lambda one: (
        f"I will send order {one.target()} to {', '.join(_address(one))} instead. Shall I go ahead?"
    ),
    Macro.SEND: _send,
    Macro.SAY_SENT: lambda one: (
        f"Order {one.target()} is now sent to {', '.join(_address(one))}. Is there anything else?"
    ),
    Macro.ELSE: lambda _: "Is there anything else that I can do for you?",
    Macro.TRANSFER: lambda _: _call("transfer_to_human_agents", summary="The customer needs help."),
}


class CodecEnv:
    """Plays episodes of one domain through a client."""

    vocabulary, actions = VOCABULARY, len(Macro)

    def __init__(self, client: Client, run: str, templates: Sequence[str] = TEMPLATES, max_turns: int = 18) -> None:
        self.client, self.run, self.templates, self.max_turns = client, run, templates, max_turns
        self.known: set[int] | None = None
        self.random = Random(0)

    def read_only_words_of(self, episodes: Sequence[CodecEpisode], least: int = 3) -> None:
        """From now on ignore each word of the customer's that fewer than `least` of these episodes have."""
        counts = Counter(word for one in episodes for word in set(one.rollout.ids))
        self.known = {word for word, count in counts.items() if count >= least}

    def tasks(self, split: str) -> dict[str, list[str]]:
        """The ids of the tasks of each template that the codec can play."""
        found: dict[str, list[str]] = {name: [] for name in self.templates}
        offset, total = 0, 1
        while offset < total:
            page = self.client.tasks(DOMAIN, split=split, limit=500, offset=offset)
            offset, total = offset + len(page.tasks), page.total if page.tasks else 0
            for task in page.tasks:
                if task.template in found:
                    found[task.template].append(task.task_id)
        return found

    def play(self, tasks: Sequence[tuple[str, str]], n: int, choose: Choose, forget: float = 0.0) -> list[CodecEpisode]:
        """Play n episodes of each (template, task id) to their end; each task is a group.

        Of the customer's words each episode reads a share drawn between 1 - `forget` and 1; values and answers are
        always read.
        """
        episodes: list[CodecEpisode] = []
        for group, (template, task_id) in enumerate(tasks):
            episodes += self._begin(template, task_id, n, group, forget)
        for one in episodes:
            for message in one.handle.observation:
                one.read(message["role"], message["content"] or "")
        while live := [one for one in episodes if not one.done]:
            self._turn(live, choose)
        return episodes

    def drawn(self, tasks: dict[str, list[str]], random: Random, prompts: int) -> list[tuple[str, str]]:
        """The tasks of an update: `prompts` of each template."""
        return [(name, random.choice(tasks[name])) for name in sorted(tasks) for _ in range(prompts)]

    def _begin(self, template: str, task_id: str, n: int, group: int, forget: float) -> list[CodecEpisode]:
        begun = self.client.reset_group(DOMAIN, n, task_id=task_id, run=self.run, max_turns=self.max_turns)
        return [CodecEpisode(handle, template, TokenRollout(group), self._reader(forget)) for handle in begun]

    def _reader(self, forget: float) -> Callable[[int], bool]:
        """A function that says whether an episode reads a word. It gives each word one answer for the whole episode."""
        share, drawn = forget * self.random.random(), dict[int, bool]()

        def reads(word: int) -> bool:
            if word not in drawn:
                drawn[word] = (self.known is None or word in self.known) and self.random.random() >= share
            return drawn[word]

        return reads

    def _turn(self, live: Sequence[CodecEpisode], choose: Choose) -> None:
        picked = choose(live)
        sent = [(one.handle, one.message(Macro(action))) for one, (action, _) in zip(live, picked, strict=True)]
        for one, (action, logp), reply in zip(live, picked, self.client.batch_step(sent), strict=True):
            if not isinstance(reply, StepReply):
                raise reply
            one.act(action, logp)
            for message in reply.observation:
                one.read(message.role, str(message.content or ""))
            if reply.done:
                end(one, reply)


def end(one: CodecEpisode, reply: StepReply) -> None:
    """Take the reward and the faults of an episode that is over."""
    one.done = True
    info = reply.info.model_dump(mode="json")
    one.rollout.reward = reply.reward if info.get("scored") else None
    one.faults = list(((info.get("reward_breakdown") or {}).get("conduct") or {}).get("codes") or [])
