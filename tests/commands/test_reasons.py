"""The reward in words: failures, a judge's findings, and what was left out."""

from typing import Any

import pytest

from env_server.commands.play.reasons import reason

NOTHING = "as in the reference solution"
SAID = {"assertion": "The agent is polite.", "reason": "It says please.", "met": True}
RUDE = {"assertion": "No price is invented.", "reason": "It names $5.", "met": False}
MARKS = {name: {"reason": f"{name}, well.", "mark": 3} for name in ("coverage", "grounding", "clarity", "safety")}


@pytest.mark.parametrize(
    ("name", "found", "words"),
    [
        ("communicate", {"value": 1.0, "missing": []}, NOTHING),
        ("communicate", {"value": 0.0, "missing": ["54.04"]}, "missing: 54.04"),
        ("communicate", {"value": 0.0, "missing": ["54.04", "7"]}, "missing: 54.04\n7"),
        ("actions", {"value": 1.0, "missing": []}, NOTHING),
        (
            "actions",
            {"value": 0.0, "missing": [{"name": "find", "arguments": {"id": "a", "n": 2}}]},
            'missing: find(id="a", n=2)',
        ),
        ("rubric", {"value": None, "not_judged": "this server has no judge"}, "not judged: this server has no judge"),
        ("rubric", {"value": None}, "not judged"),
        ("nl_assertions", {"value": 1.0, "missing": []}, "the task has no statements"),
        ("env_assertions", {"value": 1.0, "failed": []}, NOTHING),
        ("state", {"value": 1.0, "expected": "a", "actual": "a"}, NOTHING),
        ("state", {"value": 0.0, "expected": "a", "actual": "b"}, "the final rows differ from the solution's"),
        (
            "heard",
            {"value": 0.0, "missing": [{"kind": "refuse", "wish": 1, "because": ["delivered"]}], "gave_up": False},
            'wish 1 was not refused with its reason: ["delivered"]',
        ),
        (
            "heard",
            {"value": 0.0, "missing": [{"kind": "tell", "wish": 1, "value": "54.04"}], "gave_up": True},
            "the user was not told 54.04 (for wish 1)\nthe user gave up after too many messages that did not help",
        ),
        (
            "heard",
            {
                "value": 0.0,
                "missing": [{"kind": "tell", "wish": 2, "value": "54.04", "said_before_looked_up": True}],
                "gave_up": False,
                "done_but_refused": [1],
            },
            "the user was not told 54.04 (for wish 2); it was said before it was looked up\n"
            "refused although it was made: wish 1",
        ),
        ("heard", {"value": 1.0, "missing": [], "gave_up": False}, "the user was told what they had to hear"),
        (
            "conduct",
            {"value": 0.0, "faults": ["called x without the user's yes to it"]},
            "called x without the user's yes to it",
        ),
        ("conduct", {"value": 1.0, "faults": []}, "nothing to object to"),
        ("brevity", {"value": 0.5, "words": 9}, '{"words": 9}'),
    ],
)
def test_what_was_missing_is_said(name: str, found: dict[str, Any], words: str) -> None:
    """Missing values and calls are shown as one would type them, and the state and unknown components as a whole."""
    assert reason(name, found).plain == words


def test_a_failed_assertion_is_said_in_words() -> None:
    """The message has name, arguments and expected result of the assertion, and no raw JSON."""
    status = {"name": "assert_status", "arguments": {"on": True}, "requestor": "user", "expected": True}
    can_send = {"name": "assert_can_send_mms", "arguments": {}, "requestor": "user", "expected": False}
    lines = reason("env_assertions", {"value": 0.0, "failed": [status, can_send]}).plain.splitlines()
    assert lines == ["should hold: assert_status(on=true)", "should not hold: assert_can_send_mms()"]


def test_a_judge_is_quoted_whatever_the_value() -> None:
    """Each statement is shown with the judge's finding and reason, also if all hold."""
    good = "met: The agent is polite.\n  It says please."
    assert reason("nl_assertions", {"value": 1.0, "answers": [SAID], "judge": "m"}).plain == good
    bad = "not met: No price is invented.\n  It names $5."
    assert reason("nl_assertions", {"value": 0.0, "answers": [SAID, RUDE], "judge": "m"}).plain == f"{good}\n{bad}"


def test_marks_are_said_with_what_they_count_for() -> None:
    """Each mark is shown with its reason, its weight if it has its own, and a veto."""
    found = {"value": 0.75, "marks": MARKS, "weights": dict.fromkeys(MARKS, 1.0) | {"coverage": 2.0}}
    said = reason("rubric", found).plain
    assert said.startswith("coverage 3 of 4, counts 2 times\n  coverage, well.\ngrounding 3 of 4\n")
    assert said.endswith("safety, well.")
    assert reason("rubric", {**found, "value": 0.0, "veto": "safety"}).plain.endswith("\n0 in safety makes the whole 0")
