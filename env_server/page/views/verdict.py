"""How an episode ended: the components, the rows that differ from the solution's, and one sentence that says why."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent_env_schemas import StopReason
from env_server.page.views.texts import Cut
from env_server.rewards.components import components
from env_server.state.fields import row_fields

BUDGET = 30_000
"""Bytes of HTML that the differing rows may take together."""

MOST_ROWS, MOST_FIELDS = 30, 20
"""The maximum number of differing rows shown, and of fields of one row."""

LONGEST_REASON = 1_000
"""The maximum length of one reason of a component, in characters. A judge may write more."""


_ENDED: Mapping[str, str] = {
    StopReason.COMPLETED: "the agent said that it is done",
    StopReason.USER_STOP: "the user ended the conversation",
    StopReason.TRANSFER: "the agent transferred the user to a person",
    StopReason.MAX_TURNS: "the limit of turns was reached",
    StopReason.MAX_ERRORS: "the limit of failed calls was reached",
    StopReason.MAX_CALLS: "the limit of calls was reached",
    StopReason.DEADLINE: "the time limit was reached",
    StopReason.AGENT_ERROR: "the agent failed",
    StopReason.CLOSED: "the episode was closed",
    StopReason.USER_ERROR: "the simulated user failed",
    StopReason.EXTERNAL_STATE_LOST: "a tool's server lost what it remembered",
    StopReason.EXPIRED: "no request came for too long",
}


def ended_because(stop_reason: str) -> str:
    """Return a stop reason as a clause. An unknown stop reason, of another program, is named in it."""
    return _ENDED.get(stop_reason, f"it ended by {stop_reason}")


@dataclass(frozen=True, slots=True)
class ShownComponent:
    """A component of the reward: its value (None if it could not be judged), and why it has this value.

    `title` says what it looks at; it is empty for a component of another program.
    """

    name: str
    value: float | None
    reasons: tuple[tuple[str, str], ...]
    title: str = ""


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
    ended_early: bool = False
    """Whether the episode lost its reward because of its end: a limit, a failure or a close."""


def verdict_of(episode: Mapping[str, Any], last: Mapping[str, Any], budget: int = BUDGET) -> ShownVerdict:
    """Return the verdict on an ended `episode`. `last` is the `info` of its last part.

    `budget` is the bytes of HTML that the differing rows may take.
    """
    parts = tuple(_component(name, found) for name, found in (last.get("reward_breakdown") or {}).items())
    differing = last.get("row_diff") or []
    cut = Cut(budget=budget)
    rows = tuple(_difference(row, cut) for row in differing[:MOST_ROWS])
    why = _why(episode, last, parts)
    more, early = max(0, len(differing) - MOST_ROWS), last.get("would_be") is not None
    return ShownVerdict(episode["reward"], episode["stop_reason"], why, parts, rows, more, early)


def _difference(row: Mapping[str, Any], cut: Cut) -> Difference:
    found = list(row_fields(row["expected"], row["actual"]))[:MOST_FIELDS]
    fields = [(cut.value(name), cut.value(expected), cut.value(actual)) for name, expected, actual in found]
    return Difference(row["table"], cut.value(row["key"]), tuple(fields))


def _component(name: str, found: Mapping[str, Any]) -> ShownComponent:
    value, known = found.get("value"), components().get(name)
    title = known.title if known else ""
    if value is None:
        return ShownComponent(name, None, (("", f"not judged: {found.get('not_judged') or 'no verdict'}"),), title)
    return ShownComponent(name, value, _reasons(known.explain(found)) if known else (), title)


def _reasons(lines: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple((label, text if len(text) <= LONGEST_REASON else f"{text[:LONGEST_REASON]}…") for label, text in lines)


def _why(episode: Mapping[str, Any], last: Mapping[str, Any], parts: Sequence[ShownComponent]) -> str:
    """Return one sentence that says why the episode has its reward."""
    stop = ended_because(episode["stop_reason"])
    if not episode["scored"]:
        return f"Not scored, because {stop}. That says nothing about the agent."
    wrong = "; ".join(f"{part.name}: {_first(part)}" for part in parts if part.value is not None and part.value < 1)
    if (would_be := last.get("would_be")) is not None:
        more = f"It would have been {would_be:.3g} at this point" + (f", because of {wrong}." if wrong else ".")
        return f"Reward 0, because {stop}. {more}"
    if wrong:
        return f"Reward {episode['reward']:.3g}, because of {wrong}."
    if any(part.value is None for part in parts):
        return "Everything that could be judged is as it should be; a component waits for a judge."
    return "Everything is as it should be."


def _first(part: ShownComponent) -> str:
    words = [" ".join(filter(None, line)).rstrip(".") for line in part.reasons]
    more = f" (and {len(words) - 1} more)" if len(words) > 1 else ""
    return f"{words[0]}{more}" if words else "not fulfilled"
