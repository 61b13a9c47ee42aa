"""The base of every wire model."""

import json
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field


class Wire(BaseModel):
    """Frozen data that refuses unknown fields, so that a misspelt one is an error and not ignored."""

    model_config = ConfigDict(frozen=True, extra="forbid")


NO_NUL = r"^[^\x00]*$"

EpisodeId = Annotated[str, Field(min_length=1, max_length=64, pattern=NO_NUL, examples=["ep_0k3v9c2m8r7x1d5q"])]
Label = Annotated[str, Field(min_length=1, max_length=200, pattern=NO_NUL)]
"""A short name the caller chooses: a run, a group, an idempotency key. No database takes NUL in text."""

METADATA_BYTES = 16_384


def _small(value: dict[str, Any]) -> dict[str, Any]:
    if len(json.dumps(value, default=str)) > METADATA_BYTES:
        raise ValueError(f"metadata may take at most {METADATA_BYTES} bytes as JSON")
    return value


Metadata = Annotated[dict[str, Any], AfterValidator(_small)]
"""Anything the caller wants stored and exported with a record, at most 16 KB as JSON; the server does not read it."""
