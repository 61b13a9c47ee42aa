"""Calls that take too long are cut off, with real alarms."""

import logging
import re
import signal
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import suppress
from threading import Event, Thread
from typing import Any

import pytest
from typing_extensions import TypedDict

from env_server.state import Index, Snapshot, Table
from env_server.tools.deadline import AGAIN_S, GUARD, CutOff, cutting_off

LIMIT_S = 0.2


@pytest.fixture
def _limit() -> Iterator[None]:
    """Cut off calls that take longer than `LIMIT_S`."""
    with cutting_off(LIMIT_S):
        yield


def loop() -> None:
    """Never end."""
    while True:
        pass


def sleep() -> None:
    """Wait for nothing."""
    time.sleep(60)


def backtrack() -> None:
    """Try more ways to match than there is time for."""
    re.match(r"(a+)+$", "a" * 64 + "b")


@pytest.mark.usefixtures("_limit")
@pytest.mark.parametrize("hang", [loop, sleep, backtrack])
def test_whatever_hangs_is_cut_off(hang: Callable[[], None]) -> None:
    """Python code, system calls and patterns are cut off when their time is over."""
    began = time.monotonic()
    with pytest.raises(CutOff), GUARD:
        hang()
    assert time.monotonic() - began >= LIMIT_S


@pytest.mark.usefixtures("_limit")
def test_the_time_is_each_calls_own() -> None:
    """Many short calls may take longer than the limit together; a long call after them is cut off."""
    until = time.monotonic() + 4 * LIMIT_S
    while time.monotonic() < until:
        with GUARD:
            time.sleep(LIMIT_S / 20)
    began = time.monotonic()
    with pytest.raises(CutOff), GUARD:
        sleep()
    assert time.monotonic() - began >= LIMIT_S


def test_nothing_is_raised_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of calls that end at about the limit some are cut off, but no alarm rings in the code after them."""
    monkeypatch.setattr("env_server.tools.deadline.AGAIN_S", 0.0005)
    ends = []
    with cutting_off(0.001):
        for i in range(400):
            kind = "in time"
            with suppress(CutOff):
                kind = "cut off"
                with GUARD:
                    until = time.monotonic() + 0.0009 + (i % 20) * 1e-5
                    while time.monotonic() < until:
                        pass
                kind = "in time"
            ends.append(kind)
            for _ in range(200):
                pass
        time.sleep(0.01)
    assert set(ends) == {"in time", "cut off"}


@pytest.mark.usefixtures("_limit")
def test_what_swallows_the_cut_ends_with_it() -> None:
    """If a call catches the cut, it is raised again; a call that ends even so counts as cut off, being incomplete."""
    swallowed = []

    def swallow(times: int) -> None:
        for _ in range(times):
            try:
                loop()
            except BaseException as e:
                swallowed.append(e)

    with pytest.raises(CutOff), GUARD:
        swallow(2)
    assert len(swallowed) == 2
    with GUARD:  # the next call does not count as cut off
        pass


@pytest.mark.usefixtures("_limit")
def test_no_alarm_rings_while_it_rests() -> None:
    """At rest the alarm of the last call is unset, and the next call that hangs is cut off again."""
    with GUARD:
        pass
    assert signal.getitimer(signal.ITIMER_REAL)[0] > 0
    GUARD.rest()
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0
    with pytest.raises(CutOff), GUARD:
        sleep()


def test_one_within_another_changes_nothing() -> None:
    """A call within another one does not change the time limit of the outer one."""

    def both() -> None:
        time.sleep(0.5)
        with GUARD:
            pass
        sleep()

    began = time.monotonic()
    with cutting_off(0.6):
        with pytest.raises(CutOff), GUARD:
            both()
        assert time.monotonic() - began >= 0.6
        time.sleep(0.6 + AGAIN_S)


@pytest.mark.usefixtures("_limit")
def test_other_threads_take_their_time() -> None:
    """Other threads get no signals: a call there is not cut off, and does not disturb one in the main thread."""
    ended = []

    def work() -> None:
        with GUARD:
            time.sleep(2 * LIMIT_S)
        ended.append(True)

    other = Thread(target=work)
    other.start()
    with pytest.raises(CutOff), GUARD:
        sleep()
    other.join()
    assert ended == [True]


class Slow(logging.Handler):
    """A log handler that takes four times the limit, within `logging`."""

    def emit(self, record: logging.LogRecord) -> None:
        """Wait until long after the limit."""
        until = time.monotonic() + 4 * LIMIT_S
        while time.monotonic() < until:
            pass
        record.args = ("written",)


@pytest.mark.usefixtures("_limit")
def test_logging_is_not_cut_off_in_the_middle() -> None:
    """A cut within `logging` would leave its locks taken for other threads; the code after the log call is cut off."""
    record = logging.LogRecord("tool", logging.INFO, "", 0, "%s", (), None)

    def log_for_ever() -> None:
        Slow().handle(record)
        loop()

    with pytest.raises(CutOff), GUARD:
        log_for_ever()
    assert record.getMessage() == "written"


@pytest.mark.usefixtures("_limit")
def test_a_weak_references_callback_is_not_cut_off() -> None:
    """Python drops exceptions in such a callback, with a line on stderr; the code after the callback is cut off."""
    ended = []

    class Thing:
        pass

    def outlive() -> None:
        until = time.monotonic() + 2 * LIMIT_S
        while time.monotonic() < until:
            pass
        ended.append(True)

    def drop() -> None:
        thing = Thing()
        weakref.finalize(thing, outlive)
        del thing
        loop()

    with pytest.raises(CutOff), GUARD:
        drop()
    assert ended == [True]


@pytest.mark.usefixtures("_limit")
def test_who_waits_for_ever_for_another_thread_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call that waits within `threading` for ever is cut off after a grace period."""
    monkeypatch.setattr("env_server.tools.deadline.GRACE_S", 2 * LIMIT_S)
    began = time.monotonic()
    with pytest.raises(CutOff), GUARD:
        Event().wait(60)
    assert time.monotonic() - began >= 3 * LIMIT_S


def test_it_lasts_until_its_last_user_leaves() -> None:
    """The guard works until its last user leaves, in any order; then SIGALRM is as before, also if it was ignored."""
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    try:
        one, two = cutting_off(LIMIT_S), cutting_off(60)
        one.__enter__()
        two.__enter__()
        one.__exit__(None, None, None)
        with pytest.raises(CutOff), GUARD:
            sleep()
        two.__exit__(None, None, None)
        assert not GUARD.started
        assert signal.getsignal(signal.SIGALRM) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


def test_whoever_uses_the_alarm_keeps_it() -> None:
    """If other code has a handler or timer of SIGALRM, it stays and nothing is cut off; otherwise it is restored."""
    mine: Any = lambda *_: None  # noqa: E731
    signal.signal(signal.SIGALRM, mine)
    try:
        with cutting_off(LIMIT_S):
            assert signal.getsignal(signal.SIGALRM) is mine
            with GUARD:
                time.sleep(2 * LIMIT_S)
    finally:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, 60)
    try:
        with cutting_off(LIMIT_S):
            assert not GUARD.started
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    with cutting_off(LIMIT_S), cutting_off(60):
        assert GUARD.limit_s == LIMIT_S
        with GUARD:
            pass
    assert signal.getsignal(signal.SIGALRM) == signal.SIG_DFL
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


class Coin(TypedDict):
    """One coin."""

    coin_id: str
    value: int


@pytest.mark.usefixtures("_limit")
def test_an_index_that_was_cut_off_is_built_anew() -> None:
    """An index that tools share between episodes is built as a whole at its first use, or not at all."""
    hangs = True

    def values(row: Coin) -> tuple[int]:
        if hangs and row["coin_id"] == "c5":
            sleep()
        return (row["value"] % 2,)

    table = Table("coins", Coin, key="coin_id", indexes=(Index("parity", values),))
    base = Snapshot([table], {"coins": [{"coin_id": f"c{i}", "value": i} for i in range(10)]}).tables["coins"]
    with pytest.raises(CutOff), GUARD:
        base.index("parity")
    hangs = False
    with GUARD:
        assert base.index("parity")[0] == ("c0", "c2", "c4", "c6", "c8")
