"""The judge: a language model that is asked until its answer is a verdict. A stored verdict is not asked for again."""

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol
from weakref import WeakValueDictionary

import orjson

from env_server.models import Asker, Message, Models, ModelUnavailable, Usage
from env_server.models.config import normal_url
from env_server.rewards.judge.answers import read
from env_server.rewards.judge.inquiry import Form, Inquiry, Unfit
from env_server.rewards.judge.verdict import Verdict

TRIES = 3
"""The maximum number of unusable answers before the judge counts as unavailable."""

LONGEST_ANSWER = 20_000
"""The maximum number of characters of an unusable answer that are shown to the judge in the next try."""

_AGAIN = "That cannot be used. {why} Judge again, and answer with one whole JSON object of the form above."


WAYS = ((True, True), (True, False), (False, True), (False, False))
"""Request variants, best first: whether `response_format` is sent, and whether a temperature is sent. Some endpoints do
not support structured output, and some models do not accept a temperature. The prompt describes the form in any case.
"""


class Verdicts(Protocol):
    """A store of verdicts by the digest of their question. The store of a server outlives it and is shared by its
    processes.
    """

    def recall(self, digest: str) -> str | None:
        """Return the stored verdict, or None."""

    async def keep(self, digest: str, text: str) -> str:
        """Store a verdict unless there is one; return the stored verdict."""


@dataclass
class Judge:
    """Decisions on the components that need a judge."""

    models: Models
    """The models. Their configuration names the judge's model."""

    verdicts: Verdicts
    _ways: list[tuple[bool, bool]] = field(default_factory=lambda: list(WAYS))
    """The request variants to try. A variant is dropped when the endpoint refuses it and accepts a later one."""

    _asking: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary)
    """Locks by question. Concurrent callers with the same question wait for its verdict."""

    _paid: dict[str, Usage] = field(default_factory=dict)
    """Usage of failed attempts, by question. It is added to the usage of the later verdict."""

    @property
    def endpoint(self) -> str:
        """The address of the endpoint. Models of the same name at two servers are different models."""
        return normal_url(self.models.config.base_url)

    @property
    def model(self) -> str:
        """The name of the judge's model."""
        return self.models.config.model or ""

    async def verdict(self, inquiry: Inquiry, run: str = "", asked_by: str = "") -> Verdict:
        """Return the verdict on `inquiry`; `run` pays for it, and `asked_by` is the episode that needs it.

        Raises:
            ModelUnavailable: if there is no verdict now.
            SpendCapReached: if the run has used up its tokens.
        """
        digest = self._digest(inquiry)
        lock = self._asking.setdefault(digest, asyncio.Lock())
        async with lock:
            kept = self.verdicts.recall(digest)
            if kept is None:
                usage = self._paid.pop(digest, None) or Usage(self.model)
                try:
                    found = await self._ask(inquiry, run, usage)
                except BaseException:
                    if usage.calls:
                        self._paid[digest] = usage
                    raise
                stored = {"by": asked_by, "answer": found.model_dump(), "usage": usage.dump()}
                kept = await self.verdicts.keep(digest, orjson.dumps(stored).decode())
        return self._read(inquiry, orjson.loads(kept), asked_by)

    async def close(self) -> None:
        """Close all connections."""
        await self.models.close()

    async def _ask(self, inquiry: Inquiry, run: str, usage: Usage) -> Form:
        asker = self.models.asker(self.model, run=run, usage=usage)
        messages, why = list(inquiry.messages), ""
        for _ in range(TRIES):
            text = await self._answer(asker, messages, inquiry.form)
            try:
                return read(text, inquiry)
            except Unfit as e:
                why = str(e)
                usage.unusable += 1
                again: list[Message] = [
                    {"role": "assistant", "content": text[:LONGEST_ANSWER] or "..."},
                    {"role": "user", "content": _AGAIN.format(why=why)},
                ]
                messages = [*inquiry.messages, *again]
        raise ModelUnavailable(f"the judge gave {TRIES} answers that are no verdict: {why}")

    async def _answer(self, asker: Asker, messages: Sequence[Message], form: type[Form]) -> str:
        """Return one answer, with the best request variant that the endpoint accepts."""
        ways = self._ways
        for tried, (held, cold) in enumerate(ways):
            parameters: dict[str, Any] = {"response_format": _response_format(form)} if held else {}
            if cold:
                parameters["temperature"] = 0.0
            try:
                answer = await asker.ask(messages, **parameters)
            except ModelUnavailable as e:
                # the endpoint failed, or it refuses every variant
                if not getattr(e, "callers", False) or tried == len(ways) - 1:
                    raise
            else:
                self._ways = ways[tried:]
                return answer.content
        raise AssertionError("there is always a last way")

    def _digest(self, inquiry: Inquiry) -> str:
        asked = [inquiry.component, self.endpoint, self.model, inquiry.messages]
        return hashlib.sha256(orjson.dumps(asked, option=orjson.OPT_SORT_KEYS)).hexdigest()

    def _read(self, inquiry: Inquiry, stored: dict[str, Any], asked_by: str) -> Verdict:
        value, details = inquiry.value(inquiry.form.model_validate(stored["answer"]))
        own = stored["by"] == asked_by  # true also after a crash in between: this episode has paid for the verdict
        usage = stored["usage"] if own else Usage(self.model, cached=1).dump()
        return Verdict(value, {**details, "judge": self.model, "endpoint": self.endpoint}, usage)


def _response_format(form: type[Form]) -> dict[str, Any]:
    schema = {"name": form.__name__.lower(), "strict": True, "schema": form.model_json_schema()}
    return {"type": "json_schema", "json_schema": schema}
