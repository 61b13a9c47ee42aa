"""Candidates: the tasks that a language model proposes, as its answers hold them."""

import json
import re
from collections.abc import Iterator
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from trainer_client.dataset.generate.sequence import SequenceStep

_FENCED = re.compile(r"```(?:json)?\s*\n(.*?)```", re.DOTALL)


class ProposedAnswer(BaseModel):
    """The answer of a candidate; its value may refer to results of steps."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    kind: Literal["number", "text", "list", "date"]
    value: float | str | list[str]
    unit: str = Field(default="", max_length=100)
    tolerance: float = Field(default=0.001, ge=0, le=0.005, allow_inf_nan=False)

    @model_validator(mode="after")
    def _says_something(self) -> "ProposedAnswer":
        if not isinstance(self.value, float) and not self.value:
            raise ValueError("the value is empty")
        return self


class ProposedEvidence(BaseModel):
    """A fact that a look-up has to show; its values may refer to results of steps."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    shows: list[str | float] = Field(min_length=1, max_length=10)


class Candidate(BaseModel):
    """A task that a model proposes."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    instruction: str = Field(min_length=10, max_length=5_000)
    complexity: str = ""
    tool_sequence: list[SequenceStep] = Field(min_length=1)
    answer: ProposedAnswer
    evidence: list[ProposedEvidence] = Field(default=[], max_length=20)


def candidates(content: str) -> Iterator[Candidate | str]:
    """The candidates in a model's answer. In place of one that cannot be read there is a text with the reason."""
    try:
        listed = _listed(content)
    except (ValueError, RecursionError) as e:
        yield f"the answer is no JSON: {e}"
        return
    if not listed:
        yield "the answer holds no list of tasks"
    for item in listed:
        try:
            yield Candidate.model_validate(item)
        except ValidationError as e:
            first = e.errors(include_url=False)[0]
            yield f"{'.'.join(map(str, first['loc']))}: {first['msg']}"


def _listed(content: str) -> list[Any]:
    fenced = _FENCED.search(content)
    found = json.loads(fenced[1] if fenced else content)
    if isinstance(found, dict):
        found = found.get("tasks", [found] if "instruction" in found else [])
    return found if isinstance(found, list) else []
