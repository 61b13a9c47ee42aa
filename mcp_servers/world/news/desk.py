"""Decides which articles report an event, who publishes them and when, and which of them are flawed."""

from collections.abc import Iterator
from datetime import timedelta
from typing import NamedTuple

from mcp_servers.world.accounts.figures import Market
from mcp_servers.world.calendar import END, parse, stamp
from mcp_servers.world.chance import Stream
from mcp_servers.world.events.base import Fact
from mcp_servers.world.news import flaws, telling
from mcp_servers.world.news.extra import extras
from mcp_servers.world.news.writer import Writer
from mcp_servers.world.press import PUBLISHERS
from mcp_servers.world.rows import Article, Event
from mcp_servers.world.scene import Scenes

GENERAL = tuple(publisher for publisher in PUBLISHERS if publisher.style in ("wire", "paper"))
CRYPTO = tuple(publisher for publisher in PUBLISHERS if publisher.style == "crypto")
LAST = f"{END}T23:59:59Z"


class Coverage(NamedTuple):
    """The probabilities of a first report of an event, of a second after a first, and of a third after a second."""

    first: float
    second: float
    third: float


USUAL = Coverage(1.0, 0.6, 0.25)
COVERAGE = {
    "earnings": Coverage(1.0, 0.5, 0.0),
    "guidance": Coverage(0.75, 0.0, 0.0),
    "dividend": Coverage(0.5, 0.0, 0.0),
    "rating": Coverage(0.85, 0.1, 0.0),
}
WRONG, LATE, DUPLICATE = 0.05, 0.035, 0.045
"""Probabilities that a report states a wrong fact, is days late, or is repeated by another publisher."""


def articles(market: Market) -> list[Article]:
    """Return all articles, ordered by time."""
    scenes = Scenes(market)
    writer = Writer(market, scenes)
    found = [*_reports(market, writer), *extras(market, scenes, writer)]
    found.sort(key=lambda row: (row["at"], row["id"]))
    return found


def _reports(market: Market, writer: Writer) -> Iterator[Article]:
    for event in market.events:
        stream = Stream(market.seed, "news", event["id"])
        chosen = COVERAGE.get(event["kind"], USUAL)
        publishers = stream.some(CRYPTO if event["ticker"].startswith("X:") else GENERAL, 3)
        for number, (publisher, share) in enumerate(zip(publishers, chosen, strict=False)):
            if not stream.chance(share):
                break
            minutes = stream.whole(2, 70) if number == 0 else stream.whole(45, 700)
            yield from _report(writer, stream, event, publisher.name, minutes)


def _report(writer: Writer, stream: Stream, event: Event, publisher: str, minutes: int) -> Iterator[Article]:
    facts: dict[str, Fact] = event["facts"]
    luck, flaw = stream.random(), None
    if luck < WRONG and (mistaken := flaws.mistaken(stream, event)) is not None:
        facts, flaw = mistaken, "wrong"
    elif WRONG <= luck < WRONG + LATE:
        minutes, flaw = stream.whole(4, 35) * 1440 + stream.whole(0, 600), "late"
    at = stamp(parse(event["at"]) + timedelta(minutes=minutes))
    if at > LAST:
        return
    script = telling.script_of(event["ticker"], event["kind"], facts)
    row = writer.write(stream, script, event, facts, publisher, at)
    if flaw == "wrong":
        row["flaw"] = "wrong"
    elif flaw == "late":
        row["flaw"] = "late"
    yield row
    if flaw is None and stream.chance(DUPLICATE):
        copied = writer.copy(stream, row, stamp(parse(at) + timedelta(minutes=stream.whole(90, 4000))))
        if copied["at"] <= LAST:
            yield copied
