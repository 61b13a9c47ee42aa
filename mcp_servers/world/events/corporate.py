"""Events of a single company: chief executives, splits, dividends, buybacks, sites and layoffs."""

from collections.abc import Iterable

from mcp_servers.world.calendar import SESSIONS, plus
from mcp_servers.world.chance import Stream
from mcp_servers.world.companies.company import Firm
from mcp_servers.world.companies.dossier import Dossier
from mcp_servers.world.companies.names import CITIES
from mcp_servers.world.events.base import Diary, Fact, clock, event, neat
from mcp_servers.world.rows import Dividend, Event

LEAVES_FOR = (
    "retirement", "health reasons", "a disagreement with the board about strategy", "a post in public service",
    "family reasons", "weak results", "a new venture",
)  # fmt: skip
WEAK = ("weak results", "a disagreement with the board about strategy")


def chief(stream: Stream, firm: Firm, diary: Diary) -> list[Event]:
    """Return the announcement of the next chief executive, weeks before the change."""
    if len(firm.chiefs) == 1:
        return []
    leaving, arriving = firm.chiefs
    effective = arriving["since"]
    last = SESSIONS.index(effective) - 8
    day = diary.day(firm.ticker, first=last - 30, last=last) if last > 45 else SESSIONS[max(last - 10, 3)]
    reason = stream.pick(LEAVES_FOR)
    move = stream.between(0.0, 0.05) if reason in WEAK else stream.between(-0.06, 0.01)
    facts: dict[str, Fact] = {
        "leaving": leaving["name"],
        "arriving": arriving["name"],
        "effective": effective,
        "reason": reason,
        "from": stream.pick(("inside", "outside")),
    }
    return [event(firm.ticker, clock(stream, day, "before"), "chief", facts, move=move)]


def split(stream: Stream, firm: Firm, diary: Diary) -> list[Event]:
    """Return the announcement of a split."""
    if firm.split is None:
        return []
    announced, day, before, after = firm.split
    diary.note(firm.ticker, announced)
    diary.note(firm.ticker, day)
    move = stream.between(0.01, 0.035) if after > before else stream.between(-0.06, -0.02)
    facts: dict[str, Fact] = {"date": day, "before": before, "after": after}
    return [event(firm.ticker, clock(stream, announced, "after"), "split", facts, move=move)]


def dividends(stream: Stream, firm: Firm, rows: Iterable[Dividend], diary: Diary) -> list[Event]:
    """Return the declarations of dividends during the world, and whether each was raised or cut."""
    found: list[Event] = []
    last: Dividend | None = None
    for row in rows:
        before = last
        last = row
        if before is None or row["declared"] < SESSIONS[0]:
            continue
        paid = before["cash"]
        if firm.split is not None and before["ex"] < firm.split[1] <= row["ex"]:
            paid = paid * firm.split[2] / firm.split[3]
        step = row["cash"] / paid - 1.0
        change = "raised" if step > 0.012 else "cut" if step < -0.2 else "kept"
        move = stream.between(0.002, 0.012) if change == "raised" else stream.between(-0.11, -0.05)
        if change != "kept":
            diary.note(firm.ticker, row["declared"])
        facts: dict[str, Fact] = {
            "cash": row["cash"],
            "ex": row["ex"],
            "record": row["record"],
            "pay": row["pay"],
            "change": change,
        }
        at = clock(stream, row["declared"], "before" if change == "cut" else "during")
        found.append(event(firm.ticker, at, "dividend", facts, move=0.0 if change == "kept" else move))
    return found


def buyback(stream: Stream, firm: Firm, diary: Diary) -> list[Event]:
    """Return the announcement of a share buyback. Only some companies have one."""
    if not stream.chance(0.45):
        return []
    amount = neat(firm.row["shares"] * firm.price * stream.between(0.02, 0.08))
    day = diary.day(firm.ticker)
    facts: dict[str, Fact] = {"amount": amount, "months": stream.pick((12, 18, 24, 36))}
    return [event(firm.ticker, clock(stream, day, "after"), "buyback", facts, move=stream.between(0.004, 0.03))]


def works(stream: Stream, firm: Firm, found: Dossier, diary: Diary) -> list[Event]:
    """Return the openings, expansions or closures of production sites."""
    events = []
    known = {site.city for site in found.sites}
    changes = stream.some(("opens", "expands", "closes", "opens"), stream.whole(1, 2))
    for change, site in zip(changes, stream.shuffled(found.sites[1:]), strict=False):
        city = (
            stream.pick([city for city in CITIES if city[0] not in known])
            if change == "opens"
            else (site.city, site.state)
        )
        known.add(city[0])
        day = diary.day(firm.ticker)
        facts: dict[str, Fact] = {
            "change": change,
            "city": city[0],
            "state": city[1],
            "site": firm.industry.site,
            "jobs": max(int(site.jobs * (1.0 if change == "closes" else stream.between(0.2, 0.8))) // 10 * 10, 30),
            "cost": neat(firm.sales * stream.between(0.008, 0.05)),
            "when": plus(day, stream.whole(90, 540))[:7],
        }
        move = stream.between(-0.02, 0.025)
        events.append(event(firm.ticker, clock(stream, day, "before"), "works", facts, move=move))
    return _once(events)


def layoffs(stream: Stream, firm: Firm, diary: Diary) -> list[Event]:
    """Return a job cut. Only some companies have one. Its cost is a special charge of the quarter."""
    if not stream.chance(0.35):
        return []
    share = stream.whole(3, 12)
    jobs = firm.row["employees"] * share // 1000 * 10
    facts: dict[str, Fact] = {
        "jobs": max(jobs, 10),
        "share": share,
        "cost": neat(jobs * stream.between(28_000, 60_000) + 1_000_000),
    }
    day = diary.day(firm.ticker)
    return [event(firm.ticker, clock(stream, day, "before"), "layoffs", facts, move=stream.between(-0.04, 0.045))]


def _once(events: list[Event]) -> list[Event]:
    """Return the events without duplicate ids."""
    return list({each["id"]: each for each in events}.values())
