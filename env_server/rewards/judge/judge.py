"""The judge: a language model that is asked until its answer is a verdict, and never again after that."""

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
"""Answers that may be no verdict before it is said that there is none now."""

LONGEST_ANSWER = 20_000
"""Characters of an answer that a judge which is asked again is shown of it."""

_AGAIN = "That cannot be used. {why} Judge again, and answer with one whole JSON object of the form above."


WAYS = ((True, True), (True, False), (False, True), (False, False))
"""Ways of asking, the best first: whether the answer is held to its form, and whether a temperature is named. Some
endpoints know no structured output, and some models take no temperature; both is in the words as far as it can be."""


class Verdicts(Protocol):
    """Keeps verdicts by the digest of their question; those of a server survive it and are shared by its processes."""

    def recall(self, digest: str) -> str | None:
        """The kept verdict."""

    async def keep(self, digest: str, text: str) -> str:
        """Keep a verdict unless there is one; returns the one that is kept."""


@dataclass
class Judge:
    """Decides what the tasks leave to a judge."""

    models: Models
    """Their configuration names the one that judges."""

    verdicts: Verdicts
    _ways: list[tuple[bool, bool]] = field(default_factory=lambda: list(WAYS))
    """Those ways of asking that the endpoint has not refused while it took a lesser one."""

    _asking: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary)
    """Questions that are being asked: who has the same one waits for its verdict."""

    _paid: dict[str, Usage] = field(default_factory=dict)
    """What was paid in vain, by question: the verdict that comes in the end has cost it, too."""

    @property
    def endpoint(self) -> str:
        """Where it is asked; two servers' models of one name are two models."""
        return normal_url(self.models.config.base_url)

    @property
    def model(self) -> str:
        """The model that judges."""
        return self.models.config.model or ""

    async def verdict(self, inquiry: Inquiry, run: str = "", asked_by: str = "") -> Verdict:
        """The verdict on `inquiry`; `run` pays for it, `asked_by` is the episode that it is for.

        Raises:
            ModelUnavailable: if there is none now.
            SpendCapReached: if the run may not ask any more.
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
        """One answer, asked for in the best way that the endpoint takes."""
        ways = self._ways
        for tried, (held, cold) in enumerate(ways):
            parameters: dict[str, Any] = {"response_format": _response_format(form)} if held else {}
            if cold:
                parameters["temperature"] = 0.0
            try:
                answer = await asker.ask(messages, **parameters)
            except ModelUnavailable as e:
                if not getattr(e, "callers", False) or tried == len(ways) - 1:  # it failed, or it refuses everything
                    raise
            else:
                self._ways = ways[tried:]
                return answer.content
        raise AssertionError("there is always a last way")

    def _digest(self, inquiry: Inquiry) -> str:
        asked = [inquiry.component.value, self.endpoint, self.model, inquiry.messages]
        return hashlib.sha256(orjson.dumps(asked, option=orjson.OPT_SORT_KEYS)).hexdigest()

    def _read(self, inquiry: Inquiry, stored: dict[str, Any], asked_by: str) -> Verdict:
        value, details = inquiry.value(inquiry.form.model_validate(stored["answer"]))
        own = stored["by"] == asked_by  # also after a crash in between: this episode has paid for it
        usage = stored["usage"] if own else Usage(self.model, cached=1).dump()
        return Verdict(value, {**details, "judge": self.model, "endpoint": self.endpoint}, usage)


def _response_format(form: type[Form]) -> dict[str, Any]:
    schema = {"name": form.__name__.lower(), "strict": True, "schema": form.model_json_schema()}
    return {"type": "json_schema", "json_schema": schema}
