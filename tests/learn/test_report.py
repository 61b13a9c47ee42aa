"""The aims of `make learn`, and the page that it writes."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from trainer_client.learn.experiment import Arm, Scale, shortfalls
from trainer_client.learn.report import Facts, write

FACTS = Facts("abc1234", 60.0, "a processor")
SHARES = {"success": 0.9, "looked": 1.0, "lies": 0.0, "unconfirmed": 0.0}
POINT = {"mixed": 0.1, "entropy": 0.5, "kl": 0.1, "gap": 0.0}


def arm(reward: str, seed: int = 1, **after: float) -> Arm:
    """An arm that has met its aims, but for `after`."""
    found: dict[str, Any] = {**SHARES, **after, "templates": {"cancel": 0.9}}
    shown = {"success": 0.1, "looked": 0.9, "lies": 0.3, "unconfirmed": 0.5}
    curve = [{"update": 0, **POINT, **SHARES}, {"update": 1, **SHARES}]
    return Arm(reward, seed, demonstrations=shown, curve=curve, test=found)


def test_a_run_that_meets_its_aims_has_no_shortfall() -> None:
    """The true arm is .3 ahead, looks up, and neither lies nor writes without a yes."""
    assert shortfalls([arm("true"), arm("control", success=0.6)]) == []


@pytest.mark.parametrize(
    ("after", "said"),
    [
        ({"success": 0.89}, "true minus control is 0.290 < .3"),
        ({"looked": 0.94}, "look-ups are 0.940 < .95"),
        ({"lies": 0.02}, "the share of lies is 0.020, not under .02"),
        ({"unconfirmed": 0.3}, "the share of unconfirmed is 0.300, not under .02"),
    ],
)
def test_each_aim_that_is_missed_is_named(after: dict[str, float], said: str) -> None:
    """A missed aim is named even if another seed meets it."""
    arms = [arm("true"), arm("control", success=0.6), arm("true", 2, **after), arm("control", 2, success=0.6)]
    assert shortfalls(arms) == [f"seed 2: {said}"]


def test_a_demonstrator_without_faults_shows_nothing() -> None:
    """If the cloned policy had no fault to unlearn, the run proves nothing about it."""
    one = arm("true")
    one.demonstrations["lies"] = 0.04
    assert shortfalls([one, arm("control", success=0.6)]) == ["seed 1: the demonstrator's lies are 0.040 < .05"]


def test_the_page_says_what_was_run(tmp_path: Path) -> None:
    """A run of fewer seeds or updates is called small; the page has the missed aims, and the picture is beside it."""
    page = tmp_path / "learning.md"
    arms = [arm(reward, seed) for seed in (1, 2, 3) for reward in ("true", "control")]
    write(page, arms, Scale(), FACTS, [])
    full = page.read_text(encoding="utf-8")
    assert "This is a full run." in full
    assert "This run showed all of it." in full
    write(page, arms[:2], replace(Scale(), updates=3), FACTS, ["seed 1: nothing was learned"])
    small = page.read_text(encoding="utf-8")
    assert "This is a small run, not the proof" in small
    assert "- seed 1: nothing was learned" in small
    assert "3 updates" in small
    assert (tmp_path / "learning.svg").read_text(encoding="utf-8").startswith("<?xml")
