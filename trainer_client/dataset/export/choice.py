"""Which recorded episodes an export takes, as far as their summaries and the server's list of tasks tell."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache

from agent_env_schemas import EpisodeSummary
from trainer_client.client import Client
from trainer_client.client.errors import ServerError, is_outage
from trainer_client.dataset.export.formats import GOOD

INLINE = "inline"
"""Stands in place of a pack's name for tasks that requests carried. Their ids begin with it and a hyphen."""

Task = tuple[str, str, str, str]
"""What identifies a task: domain, pack, version of the pack, and id."""

Template = Callable[[str, str, str], str | None]
"""From domain, pack and id of a task to its template; None where there is none."""


@dataclass(frozen=True, kw_only=True)
class Choice:
    """The filters; one that is None or empty takes everything."""

    domain: str | None = None
    pack: str | None = None
    pack_version: str | None = None
    min_reward: float | None = None
    templates: Collection[str] = ()
    licences: Collection[str] = ()
    licence_of: Mapping[str, str] = field(default_factory=dict)
    """Pack, or `domain/pack`, or `INLINE`, -> its licence; the records of episodes have none."""

    pass_rate: tuple[float, float] | None = None
    """The least and the greatest share of the attempts at a task that passed."""

    allow_eval: bool = False

    def unwanted(self, summary: EpisodeSummary, template: Template, rates: Mapping[Task, float]) -> str | None:
        """Why an episode is not taken; None if all filters take it."""
        if not _scored(summary) or summary.reward is None:
            return "not scored"
        if summary.purpose == "eval" and not self.allow_eval:
            return "of an evaluation"
        if self.domain is not None and summary.domain != self.domain:
            return "another domain"
        if self.pack is not None and summary.pack != self.pack:
            return "another pack"
        if self.pack_version is not None and summary.pack_version != self.pack_version:
            return "another version of the pack"
        if self.min_reward is not None and summary.reward < self.min_reward:
            return "too little reward"
        if self.licences and (why := self._licensed(summary)):
            return why
        if self.pass_rate is not None and (why := self._measured(rates.get(task_of(summary)))):
            return why
        if self.templates and template(summary.domain, summary.pack, summary.task_id) not in self.templates:
            return "another template"
        return None

    def _licensed(self, summary: EpisodeSummary) -> str | None:
        inline = summary.task_id.startswith(f"{INLINE}-")
        names = (INLINE,) if inline else (f"{summary.domain}/{summary.pack}", summary.pack)
        licence = next((self.licence_of[name] for name in names if name in self.licence_of), None)
        if licence is None and inline:
            return "a task of a request, whose licence is not told"
        if licence is None:
            return "a pack whose licence is not told"
        return None if licence in self.licences else "another licence"

    def _measured(self, rate: float | None) -> str | None:
        least, greatest = self.pass_rate or (0.0, 1.0)
        if rate is None:
            return "a task without a measured pass rate"
        return None if least <= rate <= greatest else "another pass rate"


def task_of(summary: EpisodeSummary) -> Task:
    """What identifies the task of an episode."""
    return summary.domain, summary.pack, summary.pack_version, summary.task_id


def pass_rates(summaries: Iterable[EpisodeSummary]) -> dict[Task, float]:
    """Task -> the share of its scored attempts that earned the whole reward."""
    tried: Counter[Task] = Counter()
    passed: Counter[Task] = Counter()
    for summary in summaries:
        if _scored(summary) and summary.reward is not None:
            tried[task_of(summary)] += 1
            passed[task_of(summary)] += summary.reward >= GOOD
    return {task: passed[task] / number for task, number in tried.items()}


def templates_of(client: Client) -> Template:
    """Ask the server for the template of a task, once for each; a task that it does not list has none."""

    @cache
    def template(domain: str, pack: str, task_id: str) -> str | None:
        try:
            return client.task(domain, task_id, pack).template
        except ServerError as error:
            if is_outage(error):
                raise
            return None

    return template


def _scored(summary: EpisodeSummary) -> bool:
    return summary.done and bool(summary.scored)
