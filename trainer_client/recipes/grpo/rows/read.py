"""The rows of a job: read from its files, put in our format, and chosen by difficulty. SkyRL is not needed."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from agent_env_schemas import EASIEST, HARDEST, ResetRequest, ShapingWeights, levels
from trainer_client.dataset.row_files import NO_PYARROW, read_parquet
from trainer_client.dataset.source import MARKED, read_lines
from trainer_client.recipes.grpo.settings import BadSettings
from trainer_client.skyrl.original import ORIGINAL_CLASS, about
from trainer_client.skyrl.own_task import whole
from trainer_client.skyrl.row import ENV_CLASS, normal, reset_options
from trainer_client.skyrl.shared_client import EASY_FIRST, ServerSettings

COLUMNS = ("data_source", "prompt", "env_class", "extra_info")

Row = Mapping[str, Any]


class RowsAway(Exception):
    """Rows cannot be read here; the message says why."""


def elsewhere(source: str) -> list[Any]:
    """Refuse a source that is no local file: SkyRL takes it for a data set on a hub."""
    raise RowsAway(f"{source} is no local file")


def placed_rows(sources: Iterable[str], fetched: Callable[[str], list[Any]] = elsewhere) -> list[tuple[str, Row]]:
    """Read the rows of all files, each of which names a task; `fetched` reads a source that is no local file.

    Returns:
        Pairs of a row's place (its file and number) and the row.

    Raises:
        BadSettings: if there are none, or one is not a row; the message names the row and the field.
        RowsAway: if a file cannot be read here.
    """
    places = ((f"{each}, row {n}", row) for each in sources for n, row in enumerate(_rows_of(each, fetched), 1))
    rows = [(place, _checked(row, place)) for place, row in places]
    if not rows:
        raise BadSettings(f"no rows: {', '.join(sources)}")
    return rows


def chosen(placed: Sequence[tuple[str, Row]], section: ServerSettings) -> list[Row]:
    """The rows that the settings train on; `placed` has pairs of a row's place and the row.

    Raises:
        BadSettings: if none is left, or the settings ask for difficulties and a row has none.
    """
    if section.difficulty is None and section.order != EASY_FIRST:
        return [row for _, row in placed]
    grades = [_grade(row, place) for place, row in placed]
    wanted = range(EASIEST, HARDEST + 1) if section.difficulty is None else levels(section.difficulty)
    kept = [row for (_, row), grade in zip(placed, grades, strict=True) if grade in wanted]
    if not kept:
        there = ", ".join(f"{n} of {grade}" for grade, n in sorted(Counter(grades).items()))
        raise BadSettings(f"no row is of difficulty {section.difficulty}; there are {there}")
    return kept


def grade_of(row: Row) -> int:
    """The difficulty of a row; of a row that draws a task of a range, the highest level.

    Raises:
        ValueError: if it has none.
    """
    given: Any = whole(about(row).get("difficulty"))
    return levels(given)[-1]


def _grade(row: Row, place: str) -> int:
    try:
        return grade_of(row)
    except ValueError:
        told = f"{place}: there is no difficulty in extra_info, but {about(row).get('difficulty')!r:.100}"
        raise BadSettings(f"{told}: rows are neither chosen nor ordered by it") from None


def _checked(given: Any, place: str) -> Row:
    """A row in our format."""
    if not isinstance(given, Mapping):
        raise BadSettings(f"{place}: expected an object, found {given!r:.100}")
    try:
        row = normal(given)
        if missing := [name for name in COLUMNS if name not in row]:
            raise ValueError(f"there are no columns {', '.join(missing)}")
        if row["env_class"] not in (None, ENV_CLASS):
            raise ValueError(f"env_class: {row['env_class']!r:.100} is neither {ENV_CLASS} nor {ORIGINAL_CLASS}")
        ResetRequest.model_validate(reset_options(row, 1))
    except ValidationError as wrong:
        raise BadSettings(f"{place}: {_told(wrong)}") from wrong
    except (ValueError, RecursionError) as error:
        raise BadSettings(f"{place}: {error}") from error
    return row


def _told(wrong: ValidationError) -> str:
    """The first field that is wrong, and why. If it may have several types, the deepest fault in it says most."""
    found = [(_fields(each["loc"]), each["msg"].removeprefix("Value error, ")) for each in wrong.errors()]
    first = found[0][0][:1]
    names, why = max((each for each in found if each[0][:1] == first), key=lambda each: len(each[0]))
    return f"{'.'.join(['extra_info', *names])}: {why}"


def _fields(path: Iterable[int | str]) -> list[str]:
    """A fault's path without the types that pydantic puts into it."""
    return [name for name in map(str, path) if name != ShapingWeights.__name__ and not name.startswith("literal[")]


def _rows_of(source: str, fetched: Callable[[str], list[Any]]) -> list[Any]:
    file = Path(source)
    match file.suffix.lower():
        case ".parquet":
            if find_spec("pyarrow") is None:
                raise RowsAway(f"{file}: {NO_PYARROW}")
            return read_parquet(file)
        case ".jsonl":
            return _named(file, read_lines)
        case ".json":
            return _named(file, _listed)
        case _ if file.is_file():
            raise BadSettings(f"{file}: rows are read from .parquet, .jsonl and .json")
        case _:
            return fetched(source)


def _listed(file: Path) -> list[Any]:
    """The values of a file that is one list."""
    found = json.loads(file.read_text(encoding=MARKED))
    if not isinstance(found, list):
        raise ValueError(f"expected a list of rows, found {found!r:.100}")
    return found


def _named(file: Path, reader: Callable[[Path], list[Any]]) -> list[Any]:
    """Call `reader`; its error names the file."""
    try:
        return reader(file)
    except OSError as error:
        raise BadSettings(f"{file} cannot be read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise BadSettings(f"{file}: {error}") from error
