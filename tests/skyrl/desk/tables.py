"""Lines."""

from typing_extensions import TypedDict

from env_server.domains.kit import Table


class Line(TypedDict):
    """One line, and whether somebody talks on it."""

    line: str
    busy: bool


LINES = Table("lines", Line, key="line")
