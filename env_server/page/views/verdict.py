"""How an episode ended: the components, the rows beside the reference solution's, and one sentence that says why."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from env_server.page.views.texts import Cut
from env_server.rewards.components import components
from env_server.state.fields import row_fields

BUDGET = 30_000
"""Bytes of HTML that the differing rows may take together."""

MOST_ROWS, MOST_FIELDS = 30, 20
"""The maximum number of differing rows shown, and of fields of one row."""

LONGEST_REASON = 1_000
"""The maximum length of one reason of a component, in characters. A judge may write more."""


@dataclass(frozen=True, slots=True)
class ShownComponent:
    """A component of the reward: its value (None if it could not be judged), and why it has this value."""

    name: str
    value: float | None
    reasons: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """A row that differs from the reference solution's: field, expected, found."""

    table: str
    key: str
    fields: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class ShownVerdict:
    """The end of an episode."""

    reward: float | None
    stop_reason: str
    why: str
    components: tuple[ShownComponent, ...]
    rows: tuple[Difference, ...]
    more_rows: int


def verdict_of(episode: Mapping[str, Any], last: Mapping[str, Any], budget: int = BUDGET) -> ShownVerdict:
    """Return the verdict on an ended `episode`. `last` is the `info` of its last part.

    `budget` is the bytes of HTML that the differing rows may take.
    """
    parts = tuple(_component(name, found) for name, found in (last.get("reward_breakdown") or {}).items())
    differing = last.get("row_diff") or []
    cut = Cut(budget=budget)
    rows = tuple(_difference(row, cut) for row in differing[:MOST_ROWS])
    why = _why(episode, last, parts)
    return ShownVerdict(episode["reward"], episode["stop_reason"], why, parts, rows, max(0, len(differing) - MOST_ROWS))


def _difference(row: Mapping[str, Any], cut: Cut) -> Difference:
    found = list(row_fields(row["expected"], row["actual"]))[:MOST_FIELDS]
    fields = [(cut.value(name), cut.value(expected), cut.value(actual)) for name, expected, actual in found]
    return Difference(row["table"], cut.value(row["key"]), tuple(fields))


def _component(name: str, found: Mapping[str, Any]) -> ShownComponent:
    value, known = found.get("value"), components().get(name)
    if value is None:
        return ShownComponent(name, None, (("", f"not judged: {found.get('not_judged') or 'no verdict'}"),))
    return ShownComponent(name, value, _reasons(known.explain(found)) if known else ())


def _reasons(lines: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple((label, text if len(text) <= LONGEST_REASON else f"{text[:LONGEST_REASON]}…") for label, text in lines)


def _why(episode: Mapping[str, Any], last: Mapping[str, Any], parts: Sequence[ShownComponent]) -> str:
    """Return one sentence that says why the episode has its reward."""
    stop = episode["stop_reason"].replace("_", " ")
    if not episode["scored"]:
        return f"Not scored: the episode ended by {stop}, which says nothing about the agent."
    if last.get("would_be") is not None:
        return f"No reward, because the episode ended early ({stop}); it would have been {last['would_be']:g}."
    wrong = [f"{part.name}: {_first(part)}" for part in parts if part.value is not None and part.value < 1]
    if wrong:
        return f"Reward {episode['reward']:.3g}, because of {'; '.join(wrong)}."
    if any(part.value is None for part in parts):
        return "Everything that could be judged is as it should be; a component waits for a judge."
    return "Everything is as it should be."


def _first(part: ShownComponent) -> str:
    words = [" ".join(filter(None, line)).rstrip(".") for line in part.reasons]
    more = f" (and {len(words) - 1} more)" if len(words) > 1 else ""
    return f"{words[0]}{more}" if words else "not fulfilled"
