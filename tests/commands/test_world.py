"""`env-server world show`."""

import re

import pytest

from env_server.commands.world.event import PHRASES, fields, told
from mcp_servers.world import world
from mcp_servers.world.rows import EVENTS, Event
from tests.commands.conftest import Run

SHOW = ("world", "show")
PAGE = "https://www.orcadia-semiconductor.example/sites"


def test_people_see_a_company(run: Run) -> None:
    """A company comes with its profile, bars, quarters, events, news and pages."""
    ran = run(*SHOW, "orca", "--limit", "3")
    assert ran.status == 0
    for words in (
        "Orcadia Semiconductor",
        "Chief executive",
        "2026-06-30",
        "Revenue",
        "EPS expected",
        "earnings",
        PAGE,
    ):
        assert words in ran.out
    assert run(*SHOW, "Orcadia Semiconductor", "--limit", "3").out == ran.out


def test_people_see_a_pair(run: Run) -> None:
    """A crypto pair has bars, events and news, but nothing else of a company."""
    shown = run(*SHOW, "X:BTCUSD", "-n", "2").out
    assert "Bitcoin - United States Dollar" in shown
    assert "2026-06-30" in shown
    assert "EPS" not in shown


def test_people_see_a_page(run: Run) -> None:
    """A page is shown as written, with its own facts, and marked if it is a trap."""
    shown = run(*SHOW, PAGE).out
    assert "# Our sites" in shown
    assert "floor area" in shown
    pages = run(*SHOW, "ORCA", "--json").result["pages"]
    trap = next(page["url"] for page in pages if "parkbenchinvestor" in page["url"])
    assert "They are data." in run(*SHOW, trap.removeprefix("https://")).out


def test_people_see_a_channel(run: Run) -> None:
    """A channel, by name or id, has its last threads with readable mentions."""
    shown = run(*SHOW, "#data-requests", "-n", "30").out
    assert "#data-requests" in shown
    assert "<@" not in shown
    room = run(*SHOW, "data-requests", "--json").result["channel"]
    assert run(*SHOW, room["id"], "-n", "30").out == shown


@pytest.mark.parametrize("subject", ["ORCA", "X:BTCUSD", "#web-clippings", PAGE])
def test_eighty_columns_are_enough(run: Run, monkeypatch: pytest.MonkeyPatch, subject: str) -> None:
    """Nothing is cut, no field's name is shown, and only a single address is wider than the screen."""
    monkeypatch.setenv("COLUMNS", "80")
    shown = run(*SHOW, subject, "-n", "30").out
    assert "\N{HORIZONTAL ELLIPSIS}" not in shown
    assert re.search(r"\b[a-z]+_(?:before|expected|income|at)\b", shown) is None
    long = [line.strip() for line in shown.splitlines() if len(line.rstrip()) > 80]
    assert all(re.fullmatch(r"\(?https://\S+", line) for line in long), long
    asked = run(*SHOW, subject, "-n", "30", "--json").result
    for url in [page["url"] for page in asked.get("pages", ())]:
        assert f"    {url}\n" in shown


def test_every_fact_of_every_event_is_told() -> None:
    """Each kind of event has phrases that tell all its facts, with amounts in words."""
    for event in world().rows(EVENTS):
        phrases = PHRASES[event["kind"]]
        facts = event["facts"].keys()
        assert facts <= {name for part in phrases if fields(part) <= facts for name in fields(part)}, event
        assert "{" not in told(event)
    kinds = {event["kind"]: event for event in world().rows(EVENTS)}
    assert re.search(r"EPS \$\d+\.\d\d \(\$\d+\.\d\d expected\), revenue \$\S+ [bm]illion", told(kinds["earnings"]))
    stranger: Event = {**kinds["split"], "kind": "eclipse", "facts": {"seen_from": "Oslo", "cost": 1_500_000}}
    assert told(stranger) == "seen from Oslo, cost $1.5 million"


@pytest.mark.parametrize(
    ("subject", "kind"), [("ORCA", "company"), ("X:ETHUSD", "pair"), (PAGE, "page"), ("general", "channel")]
)
def test_programs_get_one_object(run: Run, subject: str, kind: str) -> None:
    """With --json there is one JSON object that names its kind."""
    assert run(*SHOW, subject, "--json").result["kind"] == kind


def test_now_hides_what_is_later(run: Run) -> None:
    """At an earlier time, later bars, news and pages are not shown."""
    found = run(*SHOW, "ORCA", "--world-now", "2024-01-05T15:00Z", "--json").result
    assert found["bars"][-1]["date"] == "2024-01-04"
    assert all(row["at"] < "2024-01-05T15:01" for row in found["news"] + found["events"])
    assert all(page["published"] < "2024-01-05T15:01" for page in found["pages"])


@pytest.mark.parametrize(
    ("subject", "near"),
    [
        ("ORCC", "near to it: ORCA"),
        ("#earnings", "near to it: earnings-watch"),
        ("https://orcadia-semiconductor.example/sites", f"near to it: {PAGE}"),
        ("zzzzzzzzzz", "no ticker, page or channel 'zzzzzzzzzz'"),
    ],
)
def test_who_is_unknown_is_one_readable_line(run: Run, subject: str, near: str) -> None:
    """The error for an unknown subject names similar ones; the status is 1."""
    ran = run(*SHOW, subject)
    assert (ran.status, ran.out) == (1, "")
    assert near in " ".join(ran.err.split())


@pytest.mark.parametrize(("now", "why"), [("yesterday", "is no time"), ("2030-01-01", "to 2026-07-01T00:00:00Z")])
def test_a_time_that_is_none_is_refused(run: Run, now: str, why: str) -> None:
    """An invalid time of the world is an error with status 2."""
    ran = run(*SHOW, "ORCA", "--world-now", now)
    assert ran.status == 2
    assert f"--world-now '{now}'" in ran.err
    assert why in ran.err


def test_a_time_without_a_zone_is_in_utc(run: Run) -> None:
    """A time without a zone is in UTC, as for the tool servers."""
    shown = [run(*SHOW, "ORCA", "--world-now", now).out for now in ("2025-03-05T21:00", "2025-03-05T16:00-05:00")]
    assert shown[0] == shown[1]


def test_older_names_of_the_options_work(run: Run) -> None:
    """`--now` and `--seed` do the same as `--world-now` and `--world-seed`, and help shows only the latter."""
    given = "2025-03-05T21:00", "1"
    shown = [
        run(*SHOW, "X:BTCUSD", now, given[0], seed, given[1]).out
        for now, seed in (("--world-now", "--world-seed"), ("--now", "--seed"))
    ]
    assert shown[0] == shown[1] != run(*SHOW, "X:BTCUSD").out
    offered = run(*SHOW, "--help").out
    assert "--world-now" in offered
    assert " --now " not in offered
