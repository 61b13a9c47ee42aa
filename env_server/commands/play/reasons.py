"""Explains the value of a reward component in words."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from rich.text import Text

from env_server.commands.output import plain

BEST_MARK = 4


def reason(found: Mapping[str, Any]) -> Text:
    """Return the reason in a component's part of the breakdown: what was missing or wrong, or that all is correct."""
    if "gave_up" in found:
        return _told(found)
    if "faults" in found:
        return _lines("", found["faults"]) if found["faults"] else Text("nothing to object to", "dim")
    if found.get("value") is None:
        why = found.get("not_judged")
        return Text(plain(f"not judged: {why}" if why else "not judged"), "dim")
    if found.get("missing"):
        return _lines("missing: ", map(_named, found["missing"]))
    if found.get("failed"):
        return Text("\n").join(_failed(assertion) for assertion in found["failed"])
    if "answers" in found:
        return Text("\n").join(_judged(answer) for answer in found["answers"])
    if "marks" in found:
        return _marks(found)
    if found.get("value") == 1:
        return Text("as in the reference solution", "dim")
    if "expected" in found:
        return Text("the final rows are not the reference solution's", "dim")
    return Text(plain(json.dumps({k: v for k, v in found.items() if k != "value"})), "dim")


def _told(found: Mapping[str, Any]) -> Text:
    """Return why what the user was told is worth its value: dues that are missing, and what else makes it 0."""
    lines = [_due(due) for due in found["missing"]]
    lines += ["the user gave up: message after message moved no wish"] if found["gave_up"] else []
    lines += ["more different numbers were told than an episode may have"] if found.get("too_many_numbers") else []
    lines += [f"refused although it was made: wish {wish}" for wish in found.get("done_but_refused", ())]
    return _lines("", lines) if lines else Text("the user was told what they had to hear", "dim")


def _due(due: Mapping[str, Any]) -> str:
    """Return a due that the agent did not meet: its kind, and what had to be said."""
    said = due["value"] if "value" in due else due.get("because")
    words = said if isinstance(said, str) else json.dumps(said)
    late = ", which was said before it was looked up" if due.get("said_before_looked_up") else ""
    return f"missing: {due.get('kind')} for wish {due.get('wish')}, with {words}{late}"


def _lines(label: str, parts: Iterable[str]) -> Text:
    return Text(label, "dim").append(plain("\n".join(parts)), "not dim")


def _named(missing: Any) -> str:
    """Return a missing value, or a missing call in the form in which a person types it."""
    if not isinstance(missing, Mapping):
        return str(missing)
    arguments = ", ".join(f"{name}={json.dumps(value)}" for name, value in missing.get("arguments", {}).items())
    return f"{missing.get('name')}({arguments})"


def _failed(assertion: Mapping[str, Any]) -> Text:
    """Return an assertion on the environment whose result was not the expected one."""
    return _lines("should hold: " if assertion.get("expected", True) else "should not hold: ", [_named(assertion)])


def _judged(answer: Mapping[str, Any]) -> Text:
    """Return the judge's finding about a statement."""
    text = Text("met: " if answer.get("met") else "not met: ", "dim").append(
        plain(str(answer.get("assertion"))), "not dim"
    )
    return text.append(plain(f"\n  {answer.get('reason')}"))


def _marks(found: Mapping[str, Any]) -> Text:
    """Return the judge's marks, their weights if not 1, and whether a 0 in one of them made the whole 0."""
    weights = found.get("weights", {})
    text = Text(style="dim")
    for name, mark in found["marks"].items():
        weight = weights.get(name, 1)
        counts = "" if weight == 1 else f", counts {weight:g} times"
        text.append(plain(f"{name} {mark['mark']} of {BEST_MARK}{counts}"), "not dim")
        text.append(plain(f"\n  {mark['reason']}\n"))
    if found.get("veto"):
        text.append(plain(f"0 in {found['veto']} makes the whole 0"), "not dim")
    text.rstrip()
    return text
