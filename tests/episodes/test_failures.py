"""Counting failures."""

import pytest

from env_server.episodes.failures import Failures


def test_each_thing_is_counted_by_itself() -> None:
    """Failures are counted for each thing by itself."""
    failures = Failures[tuple[int, int]](2)
    failures.count((1, 1))
    failures.count((1, 2))
    failures.count((2, 1))
    assert not failures.too_many((1, 1))
    failures.count((1, 1))
    assert failures.too_many((1, 1))


def test_what_was_given_up_may_be_tried_again_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """After the waiting time, which begins with the newest failure, the count begins anew."""
    now = 0.0
    monkeypatch.setattr("env_server.episodes.failures.monotonic", lambda: now)
    failures = Failures[str](2, lasts_s=60)
    failures.count("gold")
    now = 59.0
    failures.count("gold")
    now = 118.0
    assert failures.too_many("gold")
    now = 119.0
    assert not failures.too_many("gold")
    failures.count("gold")
    assert not failures.too_many("gold")
