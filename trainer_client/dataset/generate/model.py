"""The language model that proposes tasks, at any endpoint that speaks OpenAI's protocol."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trainer_client.dataset.errors import DataError
from trainer_client.dataset.generate.offer import Offer

_RULES = """You write tasks for an agent that answers questions by calling tools. Each task has one short answer that \
only the results of the tools show.

Rules:
- The instruction is one request in plain words. It names everything the agent has to know, and neither tools nor the \
answer.
- `tool_sequence` lists the calls that solve it, in order: at most {max_tools} calls of at most {max_servers} servers. \
Use only the tools below. An argument may refer to a field of an earlier result: "${{step1.field}}", or \
"${{step1.list[0].field}}".
- `answer` has a `kind` (number, text, list or date), a `value`, a `unit` and a `tolerance` (at most 0.005, relative). \
You do not know what the tools hold, so let `value` refer to a result: "${{step2.field}}".
- `evidence` lists what look-ups have to show: values that stand together in one result. A value may be a reference. \
Name it where the answer is computed; otherwise it is the answer itself.
- No two tasks are alike.

Reply with one JSON object and nothing else:
{{"tasks": [{{"instruction": "...", "complexity": "...",
 "tool_sequence": [{{"step": 1, "server": "...", "tool": "...", "params": {{}}}}],
 "answer": {{"kind": "number", "value": "${{step1.field}}", "unit": "USD", "tolerance": 0.001}},
 "evidence": [{{"shows": ["..."]}}]}}]}}

Servers and tools:
{tools}"""

_ASK = "Write {count} tasks of complexity {complexity}{topic}.{avoid}"
MOST_AVOIDED = 20
"""How many of the newest instructions a question names as taken."""


@dataclass(frozen=True, slots=True)
class ModelReply:
    """A model's answer, or the reason why there is none."""

    content: str | None
    error: str | None = None
    prompt_tokens: int = 0
    completion_tokens: int = 0


class Proposer:
    """Asks one model for tasks."""

    def __init__(self, model: str, base_url: str | None, *, temperature: float | None = None, retries: int = 2) -> None:
        """Prepare the client; the key is `OPENAI_API_KEY`.

        Raises:
            DataError: if the library is missing, or there is no key.
        """
        try:
            import openai  # noqa: PLC0415 -- an extra, and slow to import
        except ImportError as e:
            raise DataError("`llm` needs the openai client: pip install '.[generate]' in a checkout") from e
        self._model, self._openai, self._temperature = model, openai, temperature
        try:
            self._client = openai.OpenAI(base_url=base_url, max_retries=retries)
        except openai.OpenAIError as e:
            raise DataError(f"the model cannot be asked: {e}") from e

    def ask(self, messages: Sequence[Mapping[str, str]]) -> ModelReply:
        """The answer. A failure that may pass is a reply with `error`.

        Raises:
            DataError: if the endpoint refuses the request as such (a key or a model that it does not know).
        """
        others: dict[str, Any] = {} if self._temperature is None else {"temperature": self._temperature}
        asking: Any = list(messages)
        try:
            got = self._client.chat.completions.create(model=self._model, messages=asking, **others)
        except self._openai.APIStatusError as e:
            if e.status_code < 500 and e.status_code not in (408, 409, 429):
                raise DataError(f"the model's endpoint refuses (HTTP {e.status_code}): {e.message}") from e
            return ModelReply(None, f"HTTP {e.status_code}")
        except (self._openai.OpenAIError, ValueError) as e:  # a body that is no JSON is a ValueError
            return ModelReply(None, f"{type(e).__name__}: {e}"[:200])
        usage = getattr(got, "usage", None)
        used = (usage.prompt_tokens, usage.completion_tokens) if usage is not None else (0, 0)
        choices = getattr(got, "choices", None)
        content = choices[0].message.content if choices else None
        return ModelReply(content, None if content else "an answer without text", *used)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()


def question(
    offer: Offer,
    schemas: Sequence[Mapping[str, Any]],
    *,
    count: int,
    complexity: str,
    topic: str | None,
    limits: Mapping[str, int],
    taken: Sequence[str],
) -> list[dict[str, str]]:
    """The messages that ask for `count` candidates; `taken` are the instructions that are kept already."""
    by_name = {schema["name"]: schema for schema in schemas}
    tools = [
        {"server": server, "tool": name, **{k: by_name[name].get(k) for k in ("description", "parameters")}}
        for server, names in offer.servers.items()
        for name in names
        if name in by_name
    ]
    rules = _RULES.format(tools="\n".join(json.dumps(tool) for tool in tools), **limits)
    newest = "".join(f"\n- {instruction}" for instruction in taken[-MOST_AVOIDED:])
    avoid = f" These are taken:{newest}" if newest else ""
    about = f" about {topic}" if topic else ""
    asked = _ASK.format(count=count, complexity=complexity, topic=about, avoid=avoid)
    return [{"role": "system", "content": rules}, {"role": "user", "content": asked}]
