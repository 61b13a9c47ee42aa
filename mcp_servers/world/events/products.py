"""Events of products: launches, new versions, recalls, outages, trials and strikes at production sites."""

from collections.abc import Callable

from mcp_servers.world.calendar import SESSIONS, plus
from mcp_servers.world.chance import Stream
from mcp_servers.world.companies.company import Firm
from mcp_servers.world.companies.dossier import Dossier
from mcp_servers.world.events.base import Diary, Fact, When, at_any_time, clock, event, neat
from mcp_servers.world.rows import Event

REASONS = {
    "device": ("a battery that can overheat", "a cracked housing", "a faulty charging port", "wrong readings"),
    "machine": ("a bolt that can loosen", "a faulty guard switch", "a crack in a weld", "a brake that can drag"),
    "vehicle": ("a door latch that can open", "a fault in the brake software", "water in the battery case"),
    "drug": ("particles in a batch", "a labelling error", "doses below strength", "a broken cold chain"),
    "goods": ("a mix-up of labels", "an undeclared allergen", "plastic pieces in a batch", "a cap that can come off"),
    "material": ("impurities above the limit", "a wrong grade in a shipment", "cracks in a batch"),
}
OUTAGES = (
    "a failed software update", "a power cut at a data centre", "an expired certificate", "a cable that was cut",
    "a configuration error", "an attack with stolen passwords",
)  # fmt: skip
STOPPED = ("a storm", "a fire in a control room", "an inspection that found corrosion", "a broken pump", "a flood")
ENDPOINTS = ("the primary endpoint", "its main goal", "the target that the agency had set")


def launches(stream: Stream, firm: Firm, found: Dossier, diary: Diary) -> list[Event]:
    """Return the launches of two products, and of a new version of an older product, during the world."""
    events = []
    for number, product in enumerate(firm.coming, 1):
        day = diary.day(firm.ticker)
        figure = stream.pick(found.specifications[number])
        facts: dict[str, Fact] = {
            "product": product.name,
            "what": product.kind,
            "available": plus(day, stream.whole(5, 150)),
            "figure": figure.name,
            "value": figure.text,
            "investment": neat(firm.sales * stream.between(0.004, 0.03)),
        }
        move = stream.between(-0.015, 0.045)
        events.append(event(firm.ticker, at_any_time(stream, day), "product", facts, move=move))
    if stream.chance(0.7):
        product, day = firm.products[0], diary.day(firm.ticker)
        newer: dict[str, Fact] = {
            "product": product.name,
            "version": stream.whole(2, 9),
            "available": plus(day, stream.whole(5, 90)),
            "gain": stream.whole(6, 45),
        }
        events.append(event(firm.ticker, at_any_time(stream, day), "version", newer, move=stream.between(-0.01, 0.02)))
    return events


def troubles(stream: Stream, firm: Firm, found: Dossier, diary: Diary) -> list[Event]:
    """Return product failures that suit the kind of the company's products."""
    make: dict[str, Callable[[Stream, Firm, Dossier, Diary], Event]] = {
        "service": _outage,
        "policy": _outage,
        "works": _stoppage,
        "route": _stoppage,
    }
    events = []
    for _ in range(stream.pick((0, 1, 1, 2))):
        if firm.industry.form in REASONS:
            events.append(_recall(stream, firm, found, diary))
        elif firm.industry.form in make:
            events.append(make[firm.industry.form](stream, firm, found, diary))
    return events


def _recall(stream: Stream, firm: Firm, found: Dossier, diary: Diary) -> Event:
    day = diary.day(firm.ticker)
    units = stream.whole(12, 480) * 500
    facts: dict[str, Fact] = {
        "product": stream.pick(firm.old).name,
        "reason": stream.pick(REASONS[firm.industry.form]),
        "units": units,
        "made_at": stream.pick(found.sites).city,
        "cost": neat(firm.sales * stream.between(0.002, 0.012)),
    }
    when: When = "before" if stream.chance(0.33) else "during"
    return event(firm.ticker, clock(stream, day, when), "recall", facts, move=stream.between(-0.10, -0.02))


def _outage(stream: Stream, firm: Firm, _: Dossier, diary: Diary) -> Event:
    day = diary.day(firm.ticker)
    facts: dict[str, Fact] = {
        "product": stream.pick(firm.old).name,
        "reason": stream.pick(OUTAGES),
        "hours": stream.whole(2, 46),
        "customers": stream.whole(9, 900) * 1000,
    }
    return event(firm.ticker, clock(stream, day, "during"), "outage", facts, move=stream.between(-0.07, -0.01))


def _stoppage(stream: Stream, firm: Firm, found: Dossier, diary: Diary) -> Event:
    day = diary.day(firm.ticker)
    site = stream.pick(found.sites)
    facts: dict[str, Fact] = {
        "city": site.city,
        "site": site.kind,
        "reason": stream.pick(STOPPED),
        "days": stream.whole(3, 60),
        "capacity": stream.whole(4, 30),
    }
    return event(firm.ticker, clock(stream, day, "before"), "stoppage", facts, move=stream.between(-0.06, -0.01))


def trials(stream: Stream, firm: Firm, diary: Diary) -> list[Event]:
    """Return results of clinical trials, if the company makes drugs."""
    if firm.industry.form != "drug":
        return []
    events = []
    for product in stream.some(firm.old, stream.whole(1, 2)):
        day, success = diary.day(firm.ticker), stream.chance(0.6)
        facts: dict[str, Fact] = {
            "product": product.name,
            "phase": stream.pick((2, 2, 3)),
            "patients": stream.whole(80, 2400),
            "result": "met" if success else "missed",
            "goal": stream.pick(ENDPOINTS),
        }
        move = stream.between(0.05, 0.24) if success else stream.between(-0.30, -0.07)
        events.append(event(firm.ticker, clock(stream, day, "before"), "trial", facts, move=move))
    return events


def strike(stream: Stream, firm: Firm, found: Dossier, diary: Diary) -> list[Event]:
    """Return a strike at one of the company's sites. Only some companies have one."""
    if not stream.chance(0.28):
        return []
    site, day = found.sites[0], diary.day(firm.ticker, last=690)
    at = SESSIONS.index(day)
    over = diary.day(firm.ticker, first=at + 3, last=at + 30)
    facts: dict[str, Fact] = {
        "city": site.city,
        "site": site.kind,
        "workers": site.jobs * stream.whole(5, 9) // 10,
        "speaker": found.union["name"],
        "demand": stream.whole(5, 12),
    }
    began = event(
        firm.ticker, clock(stream, day, "before"), "strike", {**facts, "stage": "began"},
        move=stream.between(-0.04, -0.005),
    )  # fmt: skip
    ended: dict[str, Fact] = {"stage": "ended", "began": day, "agreed": stream.whole(2, 8)}
    at_night = clock(stream, over, "after")
    return [began, event(firm.ticker, at_night, "strike", {**facts, **ended}, move=stream.between(0.0, 0.025))]
