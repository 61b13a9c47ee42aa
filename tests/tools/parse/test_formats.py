"""Each format by named examples: a model's output, and the calls or the message that it means."""

from typing import Any

import pytest

from env_server.tools.parse import Format, Parsed, ParsedCall, parse_calls, parse_text

KNOWN = frozenset({"get_order", "list_all"})
ORDER = (ParsedCall("get_order", {"id": "W1"}),)
JSON = '{"name": "get_order", "arguments": {"id": "W1"}}'
QWEN_CODER = (
    "<tool_call>\n<function=get_order>\n<parameter=id>\nW1\n</parameter>\n"
    '<parameter=items>\n["a"]\n</parameter>\n</function>\n</tool_call>'
)

CALLS: dict[str, tuple[str, Format, str, tuple[ParsedCall, ...]]] = {
    "bare": (JSON, Format.JSON, "", ORDER),
    "bare in prose": (f"One moment. {JSON}", Format.JSON, "One moment.", ORDER),
    "bare list": (f"[{JSON}, {JSON}]", Format.JSON, "", ORDER * 2),
    "parameters": ('{"name": "f", "parameters": {}}', Format.JSON, "", (ParsedCall("f", {}),)),
    "kwargs": ('{"name": "f", "kwargs": {"a": 1}}', Format.JSON, "", (ParsedCall("f", {"a": 1}),)),
    "args as text": ('{"name": "f", "args": "{\\"a\\": 1}"}', Format.JSON, "", (ParsedCall("f", {"a": 1}),)),
    "known name alone": ('{"name": "list_all"}', Format.JSON, "", (ParsedCall("list_all", {}),)),
    "openai as text": (
        '{"content": "Wait.", "tool_calls": [{"id": "c1", "type": "function", "function": '
        '{"name": "get_order", "arguments": "{\\"id\\": \\"W1\\"}"}}]}',
        Format.OPENAI,
        "Wait.",
        (ParsedCall("get_order", {"id": "W1"}, "c1"),),
    ),
    "python tag": (f"<|python_tag|>{JSON}<|eom_id|>", Format.JSON, "", ORDER),
    "fenced": (f"Here:\n```json\n{JSON}\n```", Format.FENCED_JSON, "Here:", ORDER),
    "fenced, ticks inside": (
        '```\n{"name": "f", "arguments": {"a": "```"}}\n```',
        Format.FENCED_JSON,
        "",
        (ParsedCall("f", {"a": "```"}),),
    ),
    "hermes": (f"<tool_call>\n{JSON}\n</tool_call><|im_end|>", Format.HERMES, "", ORDER),
    "hermes, several": (
        f"A\n<tool_call>{JSON}</tool_call>\nB\n<tool_call>{JSON}</tool_call>",
        Format.HERMES,
        "A\nB",
        ORDER * 2,
    ),
    "hermes, tag in data": (
        '<tool_call>{"name": "f", "arguments": {"a": "</tool_call><think>"}}</tool_call>',
        Format.HERMES,
        "",
        (ParsedCall("f", {"a": "</tool_call><think>"}),),
    ),
    "qwen coder": (QWEN_CODER, Format.HERMES, "", (ParsedCall("get_order", {"id": "W1", "items": ["a"]}),)),
    "function alone": (
        "<function=get_order><parameter=id>W1</parameter></function>",
        Format.HERMES,
        "",
        ORDER,
    ),
    "tool element": (f"<tool>{JSON}</tool>", Format.XML, "", ORDER),
    "tool with name": ('<tool name="get_order">{"id": "W1"}</tool>', Format.XML, "", ORDER),
    "named element": ('<get_order>{"id": "W1"}</get_order>', Format.XML, "", ORDER),
    "child elements": ("Ok <get_order>\n<id>W1</id>\n</get_order>", Format.XML, "Ok", ORDER),
    "empty element": ("<list_all/>", Format.XML, "", (ParsedCall("list_all", {}),)),
    "python": ('```python\nget_order(id="W1")\n```', Format.PYTHON, "", ORDER),
    "python, one line, literals": (
        '```python list_all(a="x", n=-1, items=["a", (1, None)], b=true) ```',
        Format.PYTHON,
        "",
        (ParsedCall("list_all", {"a": "x", "n": -1, "items": ["a", [1, None]], "b": True}),),
    ),
    "python, arguments in an object": ("```python\nget_order({'id': 'W1'})\n```", Format.PYTHON, "", ORDER),
    "python, by an object": ('```python\ntools.get_order(id="W1")\n```', Format.PYTHON, "", ORDER),
    "python, several": (
        '```py\nx = tools.get_order(id="W1")\nget_order(id="W1")\n```',
        Format.PYTHON,
        "",
        ORDER * 2,
    ),
    "react": (
        'Thought: look\nAction: get_order\nAction Input: {"id": "W1"}\nObservation: made up',
        Format.REACT,
        "Thought: look",
        ORDER,
    ),
    "react expression": ('Action: get_order(id="W1")', Format.REACT, "", ORDER),
    "react object": (f"Action:\n```json\n{JSON}\n```", Format.REACT, "", ORDER),
    "react, no input": ("Action: list_all\nAction Input: None", Format.REACT, "", (ParsedCall("list_all", {}),)),
    "after a thought": (f'<think>maybe {{"name": "x", "args": {{}}}}</think>{JSON}', Format.JSON, "", ORDER),
}

BROKEN = {
    "trailing comma": '{"name": "get_order", "arguments": {"id": "W1",}}',
    "single quotes": "{'name': 'get_order', 'arguments': {'id': 'W1'}}",
    "smart quotes": "{“name”: “get_order”, “arguments”: {“id”: “W1”}}",
    "cut off": '<tool_call>{"name": "get_order", "arguments": {"id": "W1"',
    "one brace too many": f"<tool_call>{JSON}}}</tool_call>",
    "fenced": "```json\n{name: 'get_order', arguments: {id: 'W1'}}\n```",
}

MESSAGES = {
    "prose": ("Hello, how can I help?", "Hello, how can I help?"),
    "quoted data": ('It is {"status": "pending"}.', 'It is {"status": "pending"}.'),
    "data alone": ('{"status": "pending"}', '{"status": "pending"}'),
    "a name is not a call": ('{"name": "Noah"}', '{"name": "Noah"}'),
    "python example": ("```python\nprint(1)\n```", "```python\nprint(1)\n```"),
    "python that mentions a tool": (
        "```python\nx = len(get_order(id=1))\n```",
        "```python\nx = len(get_order(id=1))\n```",
    ),
    "tag as a word": ("Use the <tool> tag in <b>bold</b>.", "Use the <tool> tag in <b>bold</b>."),
    "action in prose": ("Action: please restart it.", "Action: please restart it."),
    "thought removed": ("<think>call <tool_call> now</think>Done.<|im_end|>\n</s>", "Done."),
    "thought opened by the template": ("I will <tool_call> it</think>Done.", "Done."),
    "respond": ("Thought: greet\nAction: respond\nAction Input: Hello!", "Hello!"),
    "respond object": ('Action: {"name": "respond", "arguments": {"content": "Hello!"}}', "Hello!"),
    "final answer": ("Thought: known\nFinal Answer: It is 5.", "It is 5."),
    "assistant message": ('{"role": "assistant", "content": "Hi"}', "Hi"),
    "too long to repair": ("{'name': 'f', 'args': {" + "x" * 20_000, "{'name': 'f', 'args': {" + "x" * 20_000),
}

DEEP = "[" * 70 + "]" * 70
FAILURES = {
    "not JSON": ("<tool_call>oops</tool_call>", "no JSON object"),
    "no calls": ("<tool_call>[]</tool_call>", "holds none"),
    "more than JSON": (f"<tool_call>{JSON} and so on</tool_call>", "more than JSON"),
    "arguments are a list": ('{"name": "f", "arguments": [1]}', "must be a JSON object"),
    "arguments outside": ('{"name": "get_order", "order": "W1"}', 'no "arguments"'),
    "one bad among good": (f"<tool_call>{JSON}</tool_call><tool_call>no</tool_call>", "no JSON object"),
    "not finite": ('{"name": "f", "arguments": {"price": NaN}}', "'price' of 'f' is NaN"),
    "overflow": ('{"name": "f", "arguments": {"price": 1e999}}', "'price' of 'f' is NaN or Infinity"),
    "not finite, broken": ("{'name': 'f', 'arguments': {'price': -Infinity,}}", "'price' is NaN"),
    "surrogate": ('{"name": "f", "arguments": {"a": ["\\ud800"]}}', "'a' of 'f' contains a lone surrogate"),
    "NUL": ('{"name": "f", "arguments": {"a": "\\u0000"}}', "'a' of 'f' contains a NUL"),
    "surrogate in a message": ("Hi \ud800", "lone surrogate"),
    "huge integer": ('{"name": "f", "arguments": {"a": 99999999999999999999}}', "64 bits"),
    "deep": (f'{{"name": "f", "arguments": {{"a": {DEEP}}}}}', "levels deep"),
    "very deep": (f'{{"name": "f", "arguments": {{"a": {"[" * 9**5}', "levels deep"),
    "very deep in a block": (f"<tool_call>{'[' * 9**5}</tool_call>", "levels deep"),
    "positional": ("```python\nget_order('W1')\n```", "positional"),
    "not literal": ("```python\nget_order(id=x)\n```", "not a literal"),
    "not Python": ("```python\nget_order(id=\n```", "not valid Python"),
    "other code": ("```python\nimport os\nlist_all()\n```", "other than calls"),
    "unpacked": ("```python\nget_order(**order)\n```", "unpacks its arguments"),
    "key of an object": ("```python\nget_order(id={1: 2})\n```", "a key that is not a string"),
    "call of a call": ("```python\nlist_all()\nget_order()(id=1)\n```", "no tool name"),
    "long Python": (f"```python\nlist_all(a='{'x' * 20_000}')\n```", "longer than"),
    "deep Python": (f"```python\nlist_all(a={DEEP})\n```", "levels deep"),
    "very deep Python": (f"```python\nlist_all(a={'-' * 9_000}1)\n```", "levels deep"),
    "key with NUL": ('{"name": "f", "arguments": {"a": {"\\u0000": 1}}}', "'a' of 'f' contains a NUL"),
    "respond without words": ('Action: {"name": "respond", "arguments": {"id": 1}}', "has no text"),
    "action is no call": ("Action: [1]", "not a call"),
    "unclosed element": ("<get_order><id>W1", "not closed"),
    "text in an element": ("<get_order>W1</get_order>", "one element per argument"),
    "no such action": ("Action: look it up\nAction Input: {}", "not the name of a tool"),
}


@pytest.mark.parametrize("case", CALLS)
def test_calls(case: str) -> None:
    """A well-formed call is read exactly, and the prose around it is kept."""
    text, form, content, calls = CALLS[case]
    assert parse_text(text, KNOWN) == Parsed(form, content, calls)


@pytest.mark.parametrize("case", BROKEN)
def test_repair(case: str) -> None:
    """Common flaws are repaired, and the outcome says so."""
    parsed = parse_text(BROKEN[case], KNOWN)
    assert (parsed.calls, parsed.repaired, parsed.failure) == (ORDER, True, None)


@pytest.mark.parametrize("case", MESSAGES)
def test_messages(case: str) -> None:
    """Text without a mark of a call is a message; the model's thoughts are taken out."""
    text, content = MESSAGES[case]
    parsed = parse_text(text, KNOWN)
    assert (parsed.content, parsed.calls, parsed.failure) == (content, (), None)


@pytest.mark.parametrize("case", FAILURES)
def test_failures(case: str) -> None:
    """A marked call that cannot be read makes the whole message a failure, which says what is wrong."""
    text, reason = FAILURES[case]
    parsed = parse_text(text, KNOWN)
    assert reason in (parsed.failure or "")
    assert parsed.calls == ()


@pytest.mark.parametrize("text", ["", " \n", "<|im_end|>", "<think>only thinking", "<think>x</think></s>"])
def test_empty(text: str) -> None:
    """Output of only whitespace, thoughts and special tokens has an outcome of its own."""
    assert parse_text(text, KNOWN) == Parsed(Format.EMPTY, "")


@pytest.mark.parametrize(
    "item",
    [
        {"id": "c1", "name": "get_order", "arguments": {"id": "W1"}},
        {"id": "c1", "name": "get_order", "arguments": '{"id": "W1"}'},
        {"id": "c1", "type": "function", "function": {"name": "get_order", "arguments": '{"id": "W1"}'}},
    ],
)
def test_structured(item: dict[str, Any]) -> None:
    """A structured call may nest its function and give its arguments as text."""
    expected = Parsed(Format.OPENAI, "Wait.", (ParsedCall("get_order", {"id": "W1"}, "c1"),))
    assert parse_calls("<think>so</think>Wait.", [item]) == expected


@pytest.mark.parametrize("arguments", [None, "", {}, "{}"])
def test_structured_without_arguments(arguments: object) -> None:
    """Absent, empty and `{}` arguments mean the same."""
    assert parse_calls(None, [{"name": "f", "arguments": arguments}]).calls == (ParsedCall("f", {}),)


@pytest.mark.parametrize(
    "item", [{}, {"name": 5, "arguments": {}}, {"name": "f", "arguments": 5}, {"name": "f", "arguments": "no"}]
)
def test_structured_failures(item: dict[str, Any]) -> None:
    """One bad structured call fails the message, however good the others are."""
    parsed = parse_calls("x", [{"name": "f", "arguments": {}}, item])
    assert parsed.failure
    assert parsed.calls == ()


def test_structured_content_alone() -> None:
    """Without tool calls the content is read as raw text, so that a call in it never reaches the user."""
    assert parse_calls(JSON, [], KNOWN).calls == ORDER
    assert parse_calls(None, []).format is Format.EMPTY
