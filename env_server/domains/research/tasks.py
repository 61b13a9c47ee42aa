"""The source of the research tasks. The pair (split, index) alone determines template, subject, time and words."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from random import Random

from env_server.domains.kit import Component, Gold, GoldCall, IndexedTasks, Snapshot, Task
from env_server.domains.research.case import Case
from env_server.domains.research.draft import LEVELS, TURNS, Draft, Template
from env_server.domains.research.families import TEMPLATES
from env_server.domains.research.library import Library, library
from env_server.domains.research.splits import SPLITS
from env_server.domains.research.wording import spoken_now
from mcp_servers.world import calendar
from mcp_servers.world.companies.words import capital

DRAWS = 400
"""The maximum number of draws of a task. Most templates need few."""

BASIS = (Component.STATE, Component.ANSWER, Component.EVIDENCE)
FORMS = {
    "number": "Answer with a number{unit}.",
    "text": "Answer with a name or a short text.",
    "list": "Answer with a list of tickers.",
    "date": "Answer with a date.",
}


class ResearchTasks(IndexedTasks):
    """A TaskSource made of templates that take turns. `train` has no end; the other splits are closed lists."""

    splits = SPLITS

    def __init__(self, templates: tuple[Template, ...]) -> None:
        """Offer tasks of `templates`."""
        self.templates = templates
        self.round = tuple(_round(templates))
        """The templates in the order in which indices use them."""

    def generate(self, base: Snapshot, split: str, index: int) -> Task:
        """Return the task at an index that exists.

        Raises:
            LookupError: if no draw fits.
        """
        template = self.round[index % len(self.round)]
        return self.drawn(library(base), template, split, index)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the sources that make the tasks: all modules of this folder."""
        own = sorted(Path(__file__).parent.rglob("*.py"))
        return hashlib.sha256("\0".join(file.read_text(encoding="utf-8") for file in own).encode()).hexdigest()

    def drawn(self, world: Library, template: Template, split: str, index: int) -> Task:
        """Return the task of a template at an index.

        Raises:
            LookupError: if no draw fits.
        """
        for number in range(DRAWS):
            case = Case(world, _rng(split, template.name, index, number), split)
            draft = template.make(case)
            if draft is not None and not gives_away(draft):
                return composed(draft, template, case, index)
        raise LookupError(f"no draw of {split} task {index} ({template.name}) fits")


def composed(draft: Draft, template: Template, case: Case, index: int) -> Task:
    """Return a draft as a task. Its id holds a digest of the content, so that it never changes its meaning."""
    instruction = case.preface() + capital(draft.ask)
    now = calendar.stamp(draft.now)
    form = FORMS[draft.answer.kind].format(unit=_unit(draft.answer.unit))
    answer = list(draft.answer.value) if isinstance(draft.answer.value, tuple) else draft.answer.value
    submitted = {"missing": f"the figure for {draft.answer.missing[0]}"} if answer is None else {"answer": answer}
    tier = template.tier
    task = Task(
        task_id="none",
        domain="research",
        split=case.split,
        template=template.name,
        difficulty=LEVELS[tier],
        instruction=instruction,
        ticket=f"{instruction}\n\n{form} Now it is {spoken_now(draft.now)}.",
        initial=dict(draft.initial),
        gold=Gold(actions=(*dict_of(draft.calls), GoldCall(name="submit_answer", arguments=submitted))),
        basis=BASIS,
        answer=draft.answer,
        evidence=tuple(dict.fromkeys(draft.evidence)),
        now=now,
        max_turns=TURNS[tier],
        alone=True,
        slots={
            "family": template.family,
            "tier": tier,
            "subjects": list(draft.subjects),
            "pages": list(draft.pages),
            "threads": list(draft.threads),
            "inner": draft.inner,
            "request": draft.ask,
            "at": now,
        },
    )
    content = json.dumps(task.model_dump(mode="json", exclude={"task_id"}), sort_keys=True)
    name = f"{case.split}-{index}-{hashlib.sha256(content.encode()).hexdigest()[:8]}"
    return task.model_copy(update={"task_id": name})


def dict_of(calls: tuple[GoldCall, ...]) -> tuple[GoldCall, ...]:
    """Return calls without repetitions, in order."""
    return tuple({call.model_dump_json(): call for call in calls}.values())


def gives_away(draft: Draft) -> bool:
    """Return whether the request states its answer. The candidates of a choice may stand in it."""
    answer = draft.answer
    if answer.kind == "list" or answer.value is None or str(answer.value) in draft.subjects:
        return False
    forms = {str(answer.value)}
    if isinstance(answer.value, float):
        forms = {f"{answer.value:g}", f"{answer.value:,.2f}", f"{answer.value:.2f}"}
    stated = re.findall(r"\w[\w.,:-]*\w|\w", draft.ask)
    return any(form in stated for form in forms) or (answer.kind == "text" and str(answer.value) in draft.ask)


def _unit(unit: str) -> str:
    named = {"%": " in per cent", "USD": " in US dollars", "": ""}
    return named.get(unit, f" ({unit})")


def _rng(*parts: object) -> Random:
    return Random(hashlib.sha256("\0".join(("research", *map(str, parts))).encode()).digest())


def _round(templates: tuple[Template, ...]) -> Iterator[Template]:
    """Yield each template as often as it weighs, spread over the round."""
    placed = [
        ((turn + 0.5) / template.weight, at, template)
        for at, template in enumerate(templates)
        for turn in range(template.weight)
    ]
    for _, _, template in sorted(placed, key=lambda each: each[:2]):
        yield template


RULES: Mapping[int, str | None] = {
    1: "*",
    2: "return",
    3: "price",
    4: "coin",
    5: "latest-line",
    6: "growth",
    7: "reaction",
    8: "filed-profit",
    9: "misreported",
    10: "tested",
    11: "web-fact",
    12: "open-question",
    13: "report",
    14: "fresh-request",
    15: "post-here-or-there",
    16: "*",
    17: "line",
    18: "average",
    19: "new-chief-unknown",
    20: None,  # the engine counts the turns
}
"""Rule of the policy -> a template that fails if the rule is ignored, `*` for all; None if no outcome shows it."""

TASKS = ResearchTasks(TEMPLATES)
"""The builtin pack's tasks."""
