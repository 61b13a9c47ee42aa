"""Rows of conversations in the formats of other trainers. Each format is a function from conversations to rows.

`sharegpt`, `preferences` and `kto` are the forms that LLaMA-Factory reads: https://github.com/hiyouga/LLaMA-Factory,
`data/README.md`. There turns of user and tools alternate with turns of the agent.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any

from trainer_client.dataset.export.conversation import Conversation, Message

Row = dict[str, Any]

GOOD = 1.0
"""The reward from which a conversation is a good one in KTO's rows."""


def openai(conversations: Sequence[Conversation], _: Counter[str]) -> Iterator[Row]:
    """Messages and tools, as OpenAI's fine-tuning takes them."""
    for one in conversations:
        yield {"messages": [{"role": "system", "content": one.system}, *one.messages], "tools": list(one.tools)}


def sharegpt(conversations: Sequence[Conversation], _: Counter[str]) -> Iterator[Row]:
    """Turns with the roles human, gpt, function_call and observation. Words beside a call have no place in them."""
    for one in conversations:
        yield {"conversations": turns(one.messages), **_beside(one)}


def kto(conversations: Sequence[Conversation], _: Counter[str]) -> Iterator[Row]:
    """Rows of `sharegpt` with a label: whether the conversation earned the whole reward."""
    for one in conversations:
        yield {"conversations": turns(one.messages), "kto_tag": one.reward >= GOOD, **_beside(one)}


def preferences(conversations: Sequence[Conversation], left_out: Counter[str]) -> Iterator[Row]:
    """Pairs from groups: the best attempt and the worst, at the first message in which they differ.

    Both attempts have everything before that message in common, so the pair compares two answers to the same
    conversation. Groups whose attempts earned the same give none. Attempts that are in no pair are counted.
    """
    groups: dict[str, list[Conversation]] = defaultdict(list)
    for one in conversations:
        if one.group is not None:
            groups[one.group].append(one)
        else:
            left_out["in no group"] += 1
    for of in groups.values():
        best, worst = (choose(of, key=lambda one: one.reward) for choose in (max, min))
        if best.reward <= worst.reward:
            left_out["of a group with equal rewards"] += len(of)
            continue
        pairs = zip(best.messages, worst.messages, strict=False)
        common = [mine for mine, _ in takewhile(lambda pair: pair[0] == pair[1], pairs)]
        rest = [one.messages[len(common) :] for one in (best, worst)]
        if not all(each and each[0]["role"] == "assistant" for each in rest):
            left_out["of a group that differs before the agent does"] += len(of)  # the environment's messages differ
            continue
        left_out["neither the best of its group nor the worst"] += len(of) - 2
        chosen, rejected = (turns(each[:1])[0] for each in rest)
        yield {"conversations": turns(common), "chosen": chosen, "rejected": rejected, **_beside(best)}


FORMATS: Mapping[str, Callable[[Sequence[Conversation], Counter[str]], Iterator[Row]]] = {
    each.__name__: each for each in (openai, sharegpt, preferences, kto)
}
"""Name -> the function, which counts in its second argument the conversations that are in no row, by reason."""


def described(name: str, file: str) -> Row | None:
    """The entry of LLaMA-Factory's `dataset_info.json` for a file of this format; None for `openai`."""
    if name == "openai":
        return None
    columns = {"messages": "conversations", "system": "system", "tools": "tools"}
    entry: Row = {"file_name": file, "formatting": "sharegpt", "columns": columns}
    if name == "preferences":
        entry |= {"ranking": True, "columns": {**columns, "chosen": "chosen", "rejected": "rejected"}}
    if name == "kto":
        entry["columns"] = {**columns, "kto_tag": "kto_tag"}
    return entry


def turns(messages: Sequence[Message]) -> list[dict[str, str]]:
    """Messages as ShareGPT's turns; several results of tools in a row are one turn."""
    found: list[dict[str, str]] = []
    results: list[str] = []
    for place, message in enumerate(messages):
        if message["role"] == "tool":
            results.append(message["content"])
            if place + 1 == len(messages) or messages[place + 1]["role"] != "tool":
                found.append({"from": "observation", "value": _joined(results)})
                results = []
        else:
            found.append(_turn(message))
    return found


def _turn(message: Message) -> dict[str, str]:
    if message["role"] == "user":
        return {"from": "human", "value": message["content"]}
    if not (calls := message.get("tool_calls")):
        return {"from": "gpt", "value": message["content"]}
    written = [
        {"name": call["function"]["name"], "arguments": json.loads(call["function"]["arguments"])} for call in calls
    ]
    return {"from": "function_call", "value": json.dumps(written[0] if len(written) == 1 else written)}


def _joined(results: Sequence[str]) -> str:
    return results[0] if len(results) == 1 else json.dumps(results)


def _beside(one: Conversation) -> Row:
    """The columns beside the turns; tools are text, as LLaMA-Factory's loader wants them."""
    return {"system": one.system, "tools": json.dumps([tool.get("function", tool) for tool in one.tools])}
