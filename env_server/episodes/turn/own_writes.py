"""Look-ups without what the agent itself has written: its own words are no evidence."""

from env_server.domains.kit import SERVER_CALLS
from env_server.episodes.episode import Carry, Episode
from env_server.providers.spec import CallScope, Effect, ServerTool
from env_server.rewards.components.evidence import made_of, values_in
from env_server.state import State
from env_server.tools import CallOutcome


async def as_at_the_beginning(episode: Episode, outcome: CallOutcome) -> CallOutcome:
    """Return the outcome of a look-up on the task's first rows, as if the agent had written nothing.

    The call is made again only where that can differ: the task counts evidence, the tool reads rows, and the agent has
    changed some. What an agent has posted can then be read back, and proves nothing.

    Raises:
        ToolCrashed: if the tool has a defect.
    """
    tool, task = outcome.tool, episode.task
    if not isinstance(tool, ServerTool) or outcome.fault is not None or not task.evidence:
        return outcome
    if not tool.shows or tool.effect is not Effect.ROWS or not _has_written(episode):
        return outcome
    first = State.at(episode.state.overlay.base, task.changes())
    scope = CallScope(first, f"{episode.episode_id}/beginning", task.moment)
    return await episode.side.call_any(scope, outcome.name, outcome.arguments)


def own_facts(episode: Episode, carry: Carry, outcome: CallOutcome) -> list[int]:
    """Return the facts of the task's evidence that the agent has written to the server of a call's tool, by index.

    A call that may write outside adds the values in its arguments to `carry`. These values are no evidence when they
    are read back from that server, because a call there cannot be repeated without the agent's own writes.
    """
    tool = outcome.tool
    if not isinstance(tool, ServerTool) or tool.effect is Effect.ROWS or not (facts := episode.task.evidence):
        return []
    name = f"own:{tool.server}"
    known = carry.found.get(name, [])
    if tool.effect is Effect.WRITE and (new := values_in(facts, outcome.arguments)):
        carry.found[name] = known = sorted({*known, *new})
    return made_of(facts, known)


def _has_written(episode: Episode) -> bool:
    """Return whether rows differ from the task's first ones, apart from the calls of servers with a memory."""
    initial = episode.task.initial
    return any(
        initial.get(name, {}).get(key) != row
        for name, table in episode.state.overlay.changes.items()
        if name != SERVER_CALLS.name
        for key, row in table.rows.items()
    )
