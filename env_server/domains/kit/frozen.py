"""The base of the plain data of which tasks are made."""

from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, SerializerFunctionWrapHandler, model_serializer


class Frozen(BaseModel):
    """Plain data that never changes and refuses unknown fields.

    The fields in `later` were added to a model later. They are left out when empty, so that older digests stay valid.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    later: ClassVar[frozenset[str]] = frozenset()

    @model_serializer(mode="wrap")
    def _without_empty_later(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        dumped: dict[str, Any] = dump(self)
        return {k: v for k, v in dumped.items() if v or k not in self.later} if self.later else dumped
