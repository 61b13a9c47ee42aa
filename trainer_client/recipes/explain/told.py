"""What a key of another trainer can mean: settings, or a note; anything else is refused with a hint."""

from collections.abc import Mapping
from typing import Any

Told = Mapping[str, Any] | str
"""Settings, or a text: a note on why the value needs none. It ends the search for a meaning."""


class Refused(ValueError):
    """There is no setting for this value; the message is the hint."""
