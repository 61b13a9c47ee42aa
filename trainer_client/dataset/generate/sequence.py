"""Tool sequences: the steps by which a task is solved, checked against what a domain offers."""

from collections.abc import Iterator, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from trainer_client.dataset.generate.offer import Offer
from trainer_client.dataset.generate.references import steps_named


class SequenceStep(BaseModel):
    """One call of a sequence."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    step: int = Field(ge=1)
    server: str = Field(min_length=1)
    tool: str = Field(min_length=1)
    params: dict[str, Any] = {}
    """The arguments; `${step1.field}` stands for a field of an earlier result."""


def problems(step: SequenceStep, earlier: Sequence[SequenceStep], offer: Offer) -> Iterator[str]:
    """The faults of a step: in its server, its tool, its number, or its references."""
    try:
        offer.called(step.server, step.tool)
    except LookupError as e:
        yield str(e.args[0])
    done = {each.step for each in earlier}
    if step.step in done:
        yield f"there are two steps {step.step}"
    try:
        named = sorted(set(steps_named(step.params)) - done)
    except ValueError as e:
        yield str(e)
        return
    yield from (f"it refers to step {number}, which does not come before it" for number in named)
