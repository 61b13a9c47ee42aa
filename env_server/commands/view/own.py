"""Episodes of this project: trajectories as JSON, Parquet files of an archive, and another database."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from agent_env_schemas.episodes import Trajectory
from env_server.commands.view.found import FoundEpisode, Record, Source, UnreadableSource
from env_server.episodes.codec.reply import decode
from env_server.episodes.packs.gold import Golds
from env_server.episodes.packs.library import Library
from env_server.episodes.read.history import trajectory_turns
from env_server.episodes.read.reader import EpisodeReader
from env_server.evals.outcome import EpisodeOutcome, Spent, differing
from env_server.models import Usage
from env_server.records import Store
from env_server.records.archive import layout

LONGEST_LINE = 64 * 1024 * 1024
"""The maximum length of the record of one episode, in bytes."""

AT_ONCE = 100
"""Episodes whose keys are read from a database at a time."""

NOT_EXECUTED = "not_executed"
"""The error of a call that was not executed because the episode had already ended."""

_ABSENT = json.dumps("(the text is in the database that the archive belongs to)")


def is_trajectory(value: Any) -> bool:
    """Return whether a JSON value claims to be the record of an episode."""
    return isinstance(value, dict) and "episode" in value and "turns" in value


def trajectories(path: Path) -> Source:
    """Return the episodes of a file with one trajectory on each line. The file is read as it is needed."""
    return Source({"format": "trajectories of this project"}, _lines(path))


def trajectory(value: Any) -> Source:
    """Return the only episode of a file."""
    record = checked(value, "the file")
    found = FoundEpisode(outcome_of(record, 0), lambda: record)
    return Source({"format": "a trajectory of this project"}, [found])


def checked(value: Any, where: str) -> Record:
    """Return `value` if it is the record of an episode.

    Raises:
        UnreadableSource: if it is not; the message begins with `where`.
    """
    try:
        Trajectory.model_validate(value)
    except ValidationError as e:
        first = e.errors(include_url=False, include_input=False)[0]
        at = ".".join(map(str, first["loc"])) or "the value"
        raise UnreadableSource(f"{where} is no trajectory: {at}: {first['msg']}") from e
    record: Record = value
    return record


def _lines(path: Path) -> Iterator[FoundEpisode]:
    trials = Counter[str]()
    with path.open("rb") as file:
        number, at = 0, file.tell()
        while line := file.readline(LONGEST_LINE):
            number += 1
            if line.strip():
                record = checked(_json(line, number), f"line {number}")
                yield _found(record, trials, lambda at=at, number=number: _line_at(path, at, number))  # type: ignore[misc]  # values of this line
            at = file.tell()


def _line_at(path: Path, at: int, number: int) -> Record:
    with path.open("rb") as file:
        file.seek(at)
        return checked(_json(file.readline(LONGEST_LINE), number), f"line {number}")


def _json(line: bytes, number: int) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as e:
        raise UnreadableSource(f"line {number} is no JSON: {e}") from e


def archived(files: list[Path]) -> Source:
    """Return the episodes of Parquet files. Policies and tools stay in the database that they were archived from."""
    return Source({"format": "archive", "files": str(len(files))}, _archived(files))


def _archived(files: list[Path]) -> Iterator[FoundEpisode]:
    import pyarrow as pa  # noqa: PLC0415 - an extra
    from pyarrow import parquet  # noqa: PLC0415 - as above

    trials = Counter[str]()
    for path in files:
        try:
            file = parquet.ParquetFile(path)
            if not {*layout.PARTS, "episode", "ending", "task_id"} <= set(file.schema_arrow.names):
                raise UnreadableSource(f"{path.name} holds no archived episodes")
            for group in range(file.num_row_groups):
                for number, row in enumerate(file.read_row_group(group, use_threads=False).to_pylist()):
                    again = _archived_again(path, group, number)
                    yield _found(_record(row), trials, again)
        except (OSError, pa.ArrowException) as e:
            raise UnreadableSource(f"{path.name} cannot be read: {e}") from e


def _archived_again(path: Path, group: int, number: int) -> Callable[[], Record]:
    from pyarrow import parquet  # noqa: PLC0415 - as above

    return lambda: _record(parquet.ParquetFile(path).read_row_group(group, use_threads=False).to_pylist()[number])


def _record(row: Mapping[str, Any]) -> Record:
    """Return the record of an archived episode."""
    try:
        kept = layout.read(row)
        opening = decode(kept.turns[0].reply, lambda _digest: _ABSENT)
        turns = trajectory_turns(kept.turns, lambda _digest: _ABSENT)
    except (KeyError, TypeError, ValueError, IndexError) as e:
        raise UnreadableSource(f"the archived episode {row.get('episode_id')} cannot be read: {e}") from e
    episode = {
        **{name: row[name] for name in ("episode_id", "task_id", "run", "seed", *layout.OUTCOME)},
        "done": True,
        "turn": kept.turns[-1].turn,
    }
    tools = opening.get("tools")
    return {
        "episode": episode,
        "observation": opening.get("observation", []),
        "tools": tools if isinstance(tools, list) else [],
        "turns": turns,
    }


def stored(store: Store, run: str | None) -> Iterator[FoundEpisode]:
    """Yield the episodes of a database, newest first: those of `run`, or all. Forks of a run are left out."""
    library = Library(store, {})
    reader = EpisodeReader(store, library, Golds(store, library))
    trials, before = Counter[str](), None
    while True:
        if run is None:
            rows = store.listings.newest(AT_ONCE, before=before)
        else:
            rows = store.runs.newest(run, AT_ONCE, before=before)
        for row in rows:
            id = row.episode_id
            yield _found(reader.trajectory(id), trials, lambda id=id: reader.trajectory(id))  # type: ignore[misc]  # the value of this row
        if len(rows) < AT_ONCE:
            return
        before = rows[-1].id


def _found(record: Record, trials: Counter[str], again: Callable[[], Record]) -> FoundEpisode:
    task = record["episode"]["task_id"]
    trials[task] += 1
    return FoundEpisode(outcome_of(record, trials[task] - 1), again)


def outcome_of(record: Record, trial: int) -> EpisodeOutcome:
    """Return the outcome of an episode from its record. A record does not say which template or model it had."""
    about = record["episode"]
    parts = [part for turn in record["turns"] for part in turn["parts"]]
    infos = [part["info"] for part in parts if part["part"] == "agent"]
    last: Mapping[str, Any] = parts[-1]["info"] if parts and about["done"] else {}
    made = [call for info in infos for call in info.get("calls") or () if call.get("error") != NOT_EXECUTED]
    calls = Counter(str(call["name"]) for call in made)
    errors = Counter(str(call["name"]) for call in made if call.get("error") is not None)
    user: dict[str, Any] = {}
    for part in parts:
        if usage := part["info"].get("user_usage"):
            user = Usage(**usage).total(user)
    breakdown = last.get("reward_breakdown") or {}
    return EpisodeOutcome(
        task_id=about["task_id"],
        trial=trial,
        episode_id=about["episode_id"],
        split=None,
        template=None,
        stop_reason=about["stop_reason"] or "open",
        reward=about["reward"] if about["scored"] else None,
        scored=bool(about["scored"]),
        partial=bool(last.get("partial")),
        turns=len(infos),
        calls=calls.total(),
        tool_errors=errors.total(),
        parse_failures=sum(info.get("parse_failure") is not None for info in infos),
        tools={name: (number, errors[name]) for name, number in sorted(calls.items())},
        user=Spent(**user),
        row_diff=differing(last.get("row_diff") or ()),
        breakdown={name: part.get("value") for name, part in breakdown.items()},
    )
