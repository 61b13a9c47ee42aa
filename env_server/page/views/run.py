"""The episodes of a run as a report shows them, and the groups of those that failed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from env_server.page.views.conversation import ShownTurn, turns_of
from env_server.page.views.texts import Cut
from env_server.page.views.verdict import ShownComponent, ShownVerdict, ended_because, verdict_of

BUDGET, MOST_FOR_ONE = 2_400_000, 110_000
"""Bytes of HTML that the texts of all conversations of a report may take together, and those of one conversation."""

SHORTEST_LIMIT, SHARE = 800, 30
"""One text may take `SHORTEST_LIMIT` bytes, or the budget of its conversation divided by `SHARE` if that is more."""

ROWS_BUDGET = 6_000
"""Bytes of HTML that the differing rows of one episode may take."""


@dataclass(frozen=True, slots=True)
class RunEpisode:
    """One episode of a report. `verdict` is None if the episode has not ended."""

    id: str
    task_id: str
    trial: int
    template: str | None
    verdict: ShownVerdict | None
    turns: Sequence[ShownTurn]


@dataclass(frozen=True, slots=True)
class FailureGroup:
    """Scored episodes that lost reward in the same components, or that ended early in the same way.

    `why` is the sentence of the first episode. `templates` has the episodes by the template of their task.
    """

    early: str
    """How all of them ended early, as a clause, or an empty text."""

    components: tuple[ShownComponent, ...]
    """The components in which the first episode lost reward."""

    why: str
    templates: tuple[tuple[str | None, tuple[RunEpisode, ...]], ...]

    @property
    def episodes(self) -> int:
        """The number of its episodes."""
        return sum(len(episodes) for _, episodes in self.templates)


def run_episode(
    task_id: str,
    trial: int,
    template: str | None,
    record: Mapping[str, Any],
    shown_with: int,
    verdict: ShownVerdict | None = None,
) -> RunEpisode:
    """Return an episode from its trajectory.

    `shown_with` is the number of episodes of its report, which share the room for texts. `verdict` is that of another
    program, for an episode that this project has not scored.
    """
    about, turns = record["episode"], record["turns"]
    names = {tool["function"]["name"] for tool in record["tools"]}
    budget = min(MOST_FOR_ONE, BUDGET // shown_with)
    cut = Cut(max(SHORTEST_LIMIT, budget // SHARE), budget)
    shown = turns_of(record["observation"], turns, {}, names, cut)
    ended = about["done"] and turns
    if verdict is None and ended:
        verdict = verdict_of(about, turns[-1]["parts"][-1]["info"], ROWS_BUDGET)
    return RunEpisode(about["episode_id"], task_id, trial, template, verdict, shown)


def failure_groups(episodes: Sequence[RunEpisode]) -> list[FailureGroup]:
    """Return the groups of the scored episodes that did not earn the whole reward, largest first."""
    found: dict[tuple[str, tuple[str, ...]], list[tuple[ShownVerdict, RunEpisode]]] = {}
    for episode in episodes:
        verdict = episode.verdict
        if verdict is not None and verdict.reward is not None and verdict.reward < 1:
            early = ended_because(verdict.stop_reason) if verdict.ended_early else ""
            lost = () if early else tuple(part.name for part in _lost(verdict))
            found.setdefault((early, lost), []).append((verdict, episode))
    groups = [
        FailureGroup(early, _lost(members[0][0]), members[0][0].why, _by_template([one for _, one in members]))
        for (early, _), members in found.items()
    ]
    return sorted(groups, key=lambda group: -group.episodes)


def _by_template(episodes: Sequence[RunEpisode]) -> tuple[tuple[str | None, tuple[RunEpisode, ...]], ...]:
    found: dict[str | None, list[RunEpisode]] = {}
    for episode in episodes:
        found.setdefault(episode.template, []).append(episode)
    by_size = sorted(found.items(), key=lambda item: -len(item[1]))
    return tuple((template, tuple(members)) for template, members in by_size)


def _lost(verdict: ShownVerdict) -> tuple[ShownComponent, ...]:
    return tuple(part for part in verdict.components if part.value is not None and part.value < 1)
