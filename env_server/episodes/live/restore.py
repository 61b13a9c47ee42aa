"""Episodes from SQL: restored whole, or brought up to date where other processes have played on.

A restored episode is its base snapshot, the changes of its task, and row versions up to a part of a turn.
"""

from collections.abc import Iterable

from agent_env_schemas import ErrorCode, ResetRequest, StopReason, UserStrategy
from env_server.domains.pack import Toolkit
from env_server.episodes.codec.text import row_value
from env_server.episodes.episode import Carry, Ended, Episode, Position, asks_as
from env_server.episodes.packs.library import Library
from env_server.errors import ProblemError
from env_server.records import Ending, EpisodeRow, LastTurn, News, RowVersion, Standing, Store, TurnRow
from env_server.state import Change, State
from env_server.users import UserRefused, Users


async def restore(library: Library, users: Users, standing: Standing) -> Episode:
    """Return the live episode that `standing` describes.

    Raises:
        ProblemError: if its pack no longer exists, or if the stored data cannot be read or contradicts its hash.
    """
    row = standing.episode
    episode = await episode_at(library, users, row, standing.rows, standing.last)
    if episode.state.hash != episode.carry.state_hash:
        raise ProblemError(
            ErrorCode.INTERNAL, "the hash of the stored rows differs from the stored hash", row.episode_id
        )
    episode.ended = None if standing.ending is None else ended_by(standing.ending)
    return episode


def catch_up(episode: Episode, news: News) -> bool:
    """Add to `episode` what was committed after its position. The cost is that of the new parts.

    Return whether its rows then have the stored hash. If they do not, the caller must drop the episode object.
    """
    last = news.last
    carry = Carry.load(last.carry)
    if episode.state.apply(stored_changes(news.rows)).hash != carry.state_hash:
        return False
    episode.position, episode.carry = Position(last.turn, last.part, last.seq), carry
    episode.ended = None if news.ending is None else ended_by(news.ending)
    episode.touched = max(episode.touched, last.at)
    return True


def ended_by(ending: Ending) -> Ended:
    """Return a stored ending as the episode holds it."""
    return Ended(ending.turn, StopReason(ending.stop_reason), ending.reward, ending.scored)


async def episode_at(
    library: Library, users: Users, row: EpisodeRow, versions: Iterable[RowVersion], last: LastTurn | TurnRow
) -> Episode:
    """Return the episode of `row`, whose rows changed by `versions` up to and including the part `last`.

    Raises:
        ProblemError: if its pack no longer exists, or the stored data cannot be read.
    """
    live, drifted = await library.of_episode(row.pack)
    task = library.task(row.task)
    try:
        options = ResetRequest.model_validate_json(row.options)
    except ValueError as e:
        raise ProblemError(ErrorCode.PACK_CHANGED, "the episode was stored by another version", row.episode_id) from e
    try:
        user = users.of(
            task, options.user, options.run, asks_as(options, row.episode_id, forked=row.parent is not None)
        )
    except UserRefused as e:
        raise ProblemError(ErrorCode.PACK_CHANGED, f"the episode needs another server: {e}", row.episode_id) from e
    solo = user.name == UserStrategy.NONE
    if live.pack.is_outdated(Toolkit.of(task, options.tools, solo=solo)):
        drifted = True
    position = Position(last.turn, last.part, last.seq)
    return Episode(
        key=row.id,
        episode_id=row.episode_id,
        live=live,
        task=task,
        seed=row.seed,
        user=user,
        options=options,
        created_at=row.created_at,
        drifted=drifted,
        state=library.beginning(live, task).apply(stored_changes(versions, position)),
        position=position,
        carry=Carry.load(last.carry),
        touched=last.at,
    )


def stored_changes(versions: Iterable[RowVersion], upto: Position | None = None) -> Iterable[Change]:
    """Yield row versions as changes, without those after `upto`."""
    for v in versions:
        if upto is None or (v.turn, v.part, v.seq) <= tuple(upto):
            yield Change(v.tbl, v.key, None if v.row is None else row_value(v.row))


async def stored_state(store: Store, library: Library, row: EpisodeRow, upto: int | None = None) -> State:
    """Return the state of an episode after turn `upto` (default: the newest), from SQL alone."""
    live, _ = await library.of_episode(row.pack)
    beginning = library.beginning(live, library.task(row.task))
    return beginning.apply(stored_changes(store.reads.row_versions(row.id, upto)))
