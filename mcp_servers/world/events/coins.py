"""Events of the crypto pairs."""

from mcp_servers.world.calendar import DAYS, plus
from mcp_servers.world.chance import Stream
from mcp_servers.world.companies.roster import Coin
from mcp_servers.world.events.base import Fact, event
from mcp_servers.world.rows import Event

PLATFORMS = ("Quaymarket", "Bitharbor Exchange", "Coinfold", "Ninebridge", "Saltpan Exchange")
CLIENTS = ("Heron", "Lattice", "Osprey", "Pinnace", "Quoin")


def coin_events(seed: int, coin: Coin) -> list[Event]:
    """Return upgrades, outages, listings and rules of a pair, some weeks apart."""
    stream, ticker = Stream(seed, "coins", coin.base), f"X:{coin.base}USD"
    events, at = [], stream.whole(20, 60)
    while at < len(DAYS) - 5:
        day = DAYS[at]
        kind = stream.pick(("upgrade", "outage", "listing", "rule"))
        facts, move = _facts(stream, kind, day)
        time = f"{day}T{stream.whole(0, 23):02d}:{stream.whole(0, 59):02d}:{stream.whole(0, 59):02d}Z"
        events.append(event(ticker, time, kind, {"coin": coin.name, **facts}, move=move))
        at += stream.whole(35, 110)
    return events


def _facts(stream: Stream, kind: str, day: str) -> tuple[dict[str, Fact], float]:
    if kind == "upgrade":
        return (
            {"client": stream.pick(CLIENTS), "version": f"{stream.whole(1, 9)}.{stream.whole(0, 9)}",
             "active": plus(day, stream.whole(10, 70)), "fees": stream.whole(5, 60)},
            stream.between(-0.01, 0.05),
        )  # fmt: skip
    if kind == "outage":
        return {"platform": stream.pick(PLATFORMS), "hours": stream.whole(1, 30)}, stream.between(-0.09, -0.01)
    if kind == "listing":
        return {"platform": stream.pick(PLATFORMS), "from": plus(day, stream.whole(2, 30))}, stream.between(0.0, 0.06)
    return (
        {"region": stream.pick(("European", "North American", "East Asian", "Gulf", "Nordic")),
         "from": plus(day, stream.whole(60, 400))[:7], "reserve": stream.whole(2, 20) * 5},
        stream.between(-0.07, 0.05),
    )  # fmt: skip
