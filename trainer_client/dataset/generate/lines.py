"""JSON whose objects know on which line they begin, so that an error can name the place in a file."""

import json
from json.scanner import py_make_scanner  # type: ignore[attr-defined]
from pathlib import Path
from typing import Any

from trainer_client.dataset.errors import DataError


class Lined(dict[str, Any]):
    """An object of a JSON file."""

    line: int = 0
    """The line on which it begins, 1 for the first."""


def read_lined(path: Path) -> Any:
    """Return the value of a JSON file; its objects are `Lined`.

    Raises:
        DataError: if the file cannot be read, or is no JSON.
    """
    try:
        return json.loads(path.read_text(encoding="utf-8-sig"), cls=_Decoder)
    except OSError as e:
        raise DataError(f"{path} cannot be read: {e.strerror}") from e
    except json.JSONDecodeError as e:
        raise DataError(f"{path}, line {e.lineno}, is no JSON: {e.msg}, column {e.colno}") from e
    except (ValueError, RecursionError) as e:
        raise DataError(f"{path} is no JSON: {e}") from e


class _Decoder(json.JSONDecoder):
    """The decoder of the standard library in its Python form, which can be told what an object becomes."""

    def __init__(self) -> None:
        super().__init__()
        plain = self.parse_object  # type: ignore[has-type]

        def lined(begun: tuple[str, int], *rest: Any) -> tuple[Lined, int]:
            text, at = begun
            found, end = plain(begun, *rest)
            made = Lined(found)
            made.line = text.count("\n", 0, at) + 1
            return made, end

        self.parse_object = lined
        self.scan_once = py_make_scanner(self)
