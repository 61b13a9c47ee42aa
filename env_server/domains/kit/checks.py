"""Checks that tools of several domains make, and ids of new rows."""

import hashlib
from typing import Any, NoReturn

from env_server.domains.kit.tools import ToolError
from env_server.state import Db, Table


def refuse(text: str, **values: object) -> NoReturn:
    """Raise a ToolError with a dialect's `text`, its named values filled in.

    Raises:
        ToolError: always.
    """
    raise ToolError(text.format(**values))


def new_id(db: Db[Any], table: Table[Any], prefix: str, *about: str) -> str:
    """Return a free key in `table`: `prefix` and eight digits that follow from `about`, the content of the new row."""
    count = 0
    while True:
        digest = hashlib.sha256("\0".join((*about, str(count))).encode("utf-8", "surrogatepass")).digest()
        key = f"{prefix}{int.from_bytes(digest[:8], 'big') % 10**8:08}"
        if key not in db[table]:
            return key
        count += 1
