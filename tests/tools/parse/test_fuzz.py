"""Ten thousand damaged model outputs, the same ones on every run."""

import json
import random

from env_server.tools.parse import Parsed, parse_text

KNOWN = frozenset({"get_order", "list_all"})
CALL = '{"name": "get_order", "arguments": {"id": "W1", "n": 1.5, "items": ["a", {"b": null}]}}'
SEEDS = (
    CALL,
    f"Sure. {CALL} Done.",
    f"[{CALL}, {CALL}]",
    f"```json\n{CALL}\n```",
    f"<think>so</think><tool_call>\n{CALL}\n</tool_call>\n<tool_call>{CALL}</tool_call><|im_end|>",
    "<tool_call><function=get_order><parameter=id>W1</parameter></function></tool_call>",
    f"<tool>{CALL}</tool>",
    '<tool name="get_order"><id>W1</id></tool>',
    "<get_order><id>W1</id><items>[1, 2]</items></get_order>",
    '```python\nget_order(id="W1", items=["a", {"b": None}])\nlist_all()\n```',
    'Thought: x\nAction: get_order\nAction Input: {"id": "W1"}\nObservation: y',
    'Action: get_order(id="W1")\nFinal Answer: "done"',
    '{"role": "assistant", "content": "x", "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": "{}"}}]}',
    "Your order W1 is pending; it costs {5} dollars.",
)
INSERTS = (
    *("NaN", "Infinity", "-Infinity", "1e999", "\0", "\ud800", "\\ud800", "\\u0000", "“", "”", "'", '"', ",", ",}"),
    *("{", "}", "[", "]", "<", ">", "</", "`", "```", "\\", "\n", ":", "null", "<think>", "</think>", "</tool_call>"),
)


def _damaged(rng: random.Random) -> str:
    text = rng.choice(SEEDS)
    for _ in range(rng.randint(1, 4)):
        at, to = sorted((rng.randint(0, len(text)), rng.randint(0, len(text))))
        other = rng.choice(SEEDS)
        text = rng.choice(
            (
                text[:at],
                text[at:],
                text[:at] + text[to:],
                text[:at] + rng.choice(INSERTS) + text[at:],
                text[:at] + rng.choice(INSERTS) + text[at + 1 :],
                text[:at] + other[rng.randint(0, len(other)) :],
                text.replace('"', rng.choice(("'", "“", "", '\\"'))),
                text.replace("}", ",}", 1),
                text.replace("1.5", rng.choice(INSERTS)),
            )
        )
    return text


def _check(parsed: Parsed) -> None:
    assert not (parsed.failure is not None and parsed.calls)
    record: list[object] = [parsed.format, parsed.content, parsed.failure]
    record += [[call.name, call.arguments, call.id] for call in parsed.calls]
    json.dumps(record, allow_nan=False, ensure_ascii=False).encode()
    assert all(call.name and isinstance(call.arguments, dict) for call in parsed.calls)
    assert not any("\0" in str(part) for part in record)


def test_damaged_outputs() -> None:
    """Any damaged call has a well-formed outcome of clean JSON, and never raises an exception."""
    rng = random.Random(20260101)
    for _ in range(10_000):
        text = _damaged(rng)
        try:
            _check(parse_text(text, KNOWN))
        except Exception as error:
            raise AssertionError(f"{text!r}") from error
