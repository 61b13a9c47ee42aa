from datetime import UTC, datetime

import pytest

from mcp_servers.slack.serving import searching
from mcp_servers.slack.serving.searching import search
from mcp_servers.slack.serving.workspace import Workspace
from mcp_servers.world.rows import MESSAGES
from tests.mcp_servers.slack.team import GENERAL, MESSAGE_ROWS, NOW, PARENT, REPLY, message, team

MORNING, TERN = MESSAGE_ROWS[0]["ts"], MESSAGE_ROWS[3]["ts"]


def found(query: str, *, by_score: bool = False, ascending: bool = False) -> list[str]:
    """The timestamps of what a search of the small workspace finds."""
    matches = search(Workspace(team(), NOW), query, by_score=by_score, ascending=ascending)
    return [match.message["ts"] for match in matches]


@pytest.mark.parametrize(
    ("query", "timestamps"),
    [
        ("earnings", [TERN, MORNING]),
        ("EARN season", [MORNING]),
        ("earnings -season", [TERN]),
        ('"close of yesterday"', [REPLY]),
        ('-"the list" earnings', [TERN]),
        ("arnings", []),
        ("from:@ben earnings", [TERN]),
        ("from:<@U0ANA0001>", [MESSAGE_ROWS[7]["ts"], PARENT, MORNING]),
        ('from:"Ben Okafor"', [TERN, REPLY]),
        ("from:me", []),
        ("in:general earnings", [TERN, MORNING]),
        ("in:<#C0GENERAL|general> late", [TERN]),
        ("in:#closed earnings", []),
        ("in:nowhere earnings", []),
        ("-from:ana", [TERN, REPLY]),
        ("is:thread", [REPLY]),
        ("has:link", [MORNING]),
        ("has:reaction", []),
        ("on:2026-06-29", [MORNING]),
        ("earnings after:2026-06-29", [TERN]),
        ("before:today", [MORNING]),
        ("on:yesterday", [MORNING]),
        ("earnings during:june", [TERN, MORNING]),
        ("earnings during:2026-06", [TERN, MORNING]),
        ("earnings during:2026", [TERN, MORNING]),
        ("during:december", []),
        ("before:nonsense earnings", []),
        ("on:9999-12", []),
        ("on:0000", []),
        ("((", []),
    ],
)
def test_queries(query: str, timestamps: list[str]) -> None:
    """Words, phrases, exclusions and modifiers narrow a search; what the bot cannot read is never found."""
    assert found(query) == timestamps


def test_orders() -> None:
    """By score the message that says a word more often comes first; each order can be turned round."""
    store = team()
    store.rows(MESSAGES).put(message("1751000000.000100", "U0ANA0001", "earnings, earnings, earnings"))
    workspace = Workspace(store, NOW)
    assert search(workspace, "earnings", by_score=True, ascending=False)[0].message["ts"] == "1751000000.000100"
    assert search(workspace, "earnings", by_score=False, ascending=True)[0].message["ts"] == "1751000000.000100"
    assert search(workspace, "earnings", by_score=False, ascending=False)[0].message["ts"] == TERN


def test_months_are_those_until_now() -> None:
    """A month's name is the latest month of that name that has begun."""
    early = Workspace(team(), datetime(2026, 7, 15, tzinfo=UTC))
    assert GENERAL in {match.channel["id"] for match in search(early, "during:june", by_score=False, ascending=False)}
    assert search(early, "during:july", by_score=False, ascending=False) == []


def test_a_search_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of each channel only the newest messages are looked at."""
    assert found("earnings") == [TERN, MORNING]
    monkeypatch.setattr(searching, "SEARCHED", 1)
    assert found("earnings") == [TERN]
