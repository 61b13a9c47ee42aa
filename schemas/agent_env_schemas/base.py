"""The base of every wire model."""

import json
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    ValidationError,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
)
from pydantic_core import core_schema


class Wire(BaseModel):
    """Frozen data that refuses unknown fields, so that a misspelt one is an error and not ignored."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)  # built at first use: imports stay short


NO_NUL = r"^[^\x00]*$"

EpisodeId = Annotated[str, Field(min_length=1, max_length=64, pattern=NO_NUL, examples=["ep_0k3v9c2m8r7x1d5q"])]
Label = Annotated[str, Field(min_length=1, max_length=200, pattern=NO_NUL)]
"""A short name the caller chooses: a run, a group, an idempotency key. No database takes NUL in text."""

ANY_VERSION = "any version"
"""The validation context for reading what another version wrote; see `OPEN`."""


class _Open:
    """Accepts what the field's type accepts, and under `ANY_VERSION` any text."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        as_it_is = core_schema.simple_ser_schema("any")  # the enumeration cannot serialise a word that it lacks
        return core_schema.with_info_wrap_validator_function(_or_text, handler(source), serialization=as_it_is)


def _or_text(value: Any, known: ValidatorFunctionWrapHandler, info: ValidationInfo) -> Any:
    try:
        return known(value)
    except ValidationError:
        if info.context == ANY_VERSION and isinstance(value, str):
            return value
        raise


OPEN = _Open()
"""Marks a field for which a newer version may have more words. Under `ANY_VERSION`, an unknown word stays text."""

METADATA_BYTES = 16_384


def _small(value: dict[str, Any]) -> dict[str, Any]:
    if len(json.dumps(value, default=str)) > METADATA_BYTES:
        raise ValueError(f"metadata may have at most {METADATA_BYTES} bytes as JSON")
    return value


Metadata = Annotated[dict[str, Any], AfterValidator(_small)]
"""Anything the caller wants stored and exported with a record, at most 16 KB as JSON; the server does not read it."""
