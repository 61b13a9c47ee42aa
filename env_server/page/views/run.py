"""The episodes of a run as a report shows them, and the groups of those that failed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from env_server.page.views.conversation import ShownTurn, turns_of
from env_server.page.views.texts import Cut
from env_server.page.views.verdict import ShownVerdict, verdict_of

LONGEST, BUDGET = 3_000, 12_000
"""Bytes of HTML that one text, and all texts of one episode's conversation, may take in a report."""


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
    """Scored episodes of one template that lost reward in the same components. `why` is the first one's sentence."""

    template: str | None
    components: tuple[str, ...]
    why: str
    episodes: Sequence[RunEpisode]


def run_episode(task_id: str, trial: int, template: str | None, record: Mapping[str, Any]) -> RunEpisode:
    """Return an episode from its trajectory. Its texts are cut, so that a report of many episodes stays small."""
    about, turns = record["episode"], record["turns"]
    names = {tool["function"]["name"] for tool in record["tools"]}
    shown = turns_of(record["observation"], turns, {}, names, Cut(LONGEST, BUDGET))
    ended = about["done"] and turns
    verdict = verdict_of(about, turns[-1]["parts"][-1]["info"]) if ended else None
    return RunEpisode(about["episode_id"], task_id, trial, template, verdict, shown)


def failure_groups(episodes: Sequence[RunEpisode]) -> list[FailureGroup]:
    """Return the groups of the episodes that were scored and have not the whole reward, largest first."""
    found: dict[tuple[str | None, tuple[str, ...]], list[tuple[ShownVerdict, RunEpisode]]] = {}
    for episode in episodes:
        verdict = episode.verdict
        if verdict is not None and verdict.reward is not None and verdict.reward < 1:
            found.setdefault((episode.template, _lost(verdict)), []).append((verdict, episode))
    groups = [
        FailureGroup(template, components, members[0][0].why, [episode for _, episode in members])
        for (template, components), members in found.items()
    ]
    return sorted(groups, key=lambda group: -len(group.episodes))


def _lost(verdict: ShownVerdict) -> tuple[str, ...]:
    return tuple(part.name for part in verdict.components if part.value is not None and part.value < 1)
