"""Events between the companies of a circle: supply contracts, sales of units, bids and lawsuits."""

from collections.abc import Sequence

from mcp_servers.world.calendar import SESSIONS, plus, session_from
from mcp_servers.world.chance import Stream
from mcp_servers.world.companies.company import Firm
from mcp_servers.world.events.base import Diary, Fact, clock, event, neat
from mcp_servers.world.rows import Event

COURTS = (
    "the Court of Commerce in Redmarsh", "the District Court in Ravensburgh", "the Northern Court in Kestrel Park",
    "the Commercial Court in Hawkesbury", "the District Court in Lakeminster",
)  # fmt: skip
CLAIMS = (
    "infringement of a patent", "breach of a supply contract", "misleading advertisements", "theft of trade secrets",
    "late deliveries", "infringement of a trade mark", "defects in delivered goods",
)  # fmt: skip
UNITS = ("service unit", "software unit", "export business", "spare parts unit", "leasing arm", "training business")
REGULATORS = ("the Competition Bureau", "its own shareholders", "the target's board", "the Trade Commission")


def contracts(stream: Stream, members: Sequence[Firm], diary: Diary) -> list[Event]:
    """Return supply contracts for several years between companies of a circle."""
    events = []
    for customer in members:
        supplier = stream.pick([firm for firm in members if firm is not customer])
        day = diary.day(supplier.ticker, customer.ticker)
        years = stream.whole(2, 8)
        facts: dict[str, Fact] = {
            "supplier": supplier.name,
            "customer": customer.name,
            "product": stream.pick(supplier.old).name,
            "value": neat(min(supplier.sales, customer.sales) * stream.between(0.006, 0.04) * years),
            "years": years,
            "until": f"{int(day[:4]) + years}-{day[5:7]}",
        }
        events.append(
            event(
                supplier.ticker, clock(stream, day, "before"), "contract", facts,
                move=stream.between(0.003, 0.05), other=customer.ticker, other_move=stream.between(-0.01, 0.012),
            )
        )  # fmt: skip
    return events


def units(stream: Stream, members: Sequence[Firm], diary: Diary) -> list[Event]:
    """Return the sale of a business unit between two companies: the agreement, and the handover months later."""
    buyer, seller = stream.some([firm for firm in members if firm.goodwill > 0.1], 2)
    price = neat(min(seller.sales * seller.goodwill * 0.4, buyer.sales * 0.18))
    day = diary.day(buyer.ticker, seller.ticker, last=520)
    done = diary.day(buyer.ticker, seller.ticker, first=SESSIONS.index(day) + 45, last=SESSIONS.index(day) + 140)
    facts: dict[str, Fact] = {
        "buyer": buyer.name,
        "seller": seller.name,
        "unit": f"{stream.pick(seller.old).brand} {stream.pick(UNITS)}",
        "price": price,
        "sales": neat(price / stream.between(1.4, 2.4)),
        "staff": max(int(seller.row["employees"] * stream.between(0.01, 0.06)) // 10 * 10, 40),
    }
    agreed = event(
        buyer.ticker, clock(stream, day, "before"), "acquisition", {**facts, "stage": "agreed"}, other=seller.ticker,
        move=stream.between(-0.05, 0.03), other_move=stream.between(-0.01, 0.05),
    )  # fmt: skip
    closed = event(
        buyer.ticker,
        clock(stream, done, "after"),
        "acquisition",
        {**facts, "stage": "completed", "agreed": day},
        other=seller.ticker,
    )
    return [agreed, closed]


def bids(stream: Stream, members: Sequence[Firm], diary: Diary, *, open_end: bool) -> list[Event]:
    """Return a bid for a whole company. It fails, or is still open at the end.

    `price_bids` fills in the price later.
    """
    large = sorted(members, key=lambda firm: firm.row["shares"] * firm.price)
    target, bidder = large[0], stream.pick(large[2:])
    day = diary.day(bidder.ticker, target.ticker, first=705 if open_end else 60, last=735 if open_end else 600)
    premium = stream.whole(14, 38)
    facts: dict[str, Fact] = {
        "bidder": bidder.name,
        "target": target.name,
        "premium": premium,
        "price": 0.0,
        "pays": "cash",
    }
    move = premium / 100.0 * stream.between(0.55, 0.9)
    bid = event(
        bidder.ticker, clock(stream, day, "before"), "bid", {**facts, "stage": "proposed"}, other=target.ticker,
        move=stream.between(-0.06, -0.005), other_move=move,
    )  # fmt: skip
    if open_end:
        return [bid]
    at = SESSIONS.index(day)
    ended = diary.day(bidder.ticker, target.ticker, first=at + 25, last=at + 110)
    why: dict[str, Fact] = {"stage": "withdrawn", "proposed": day, "because": stream.pick(REGULATORS)}
    end = event(
        bidder.ticker, clock(stream, ended, "after"), "bid", {**facts, **why}, other=target.ticker,
        move=stream.between(0.0, 0.04), other_move=-move * stream.between(0.6, 0.9),
    )  # fmt: skip
    return [bid, end]


def lawsuits(stream: Stream, members: Sequence[Firm], diary: Diary) -> list[Event]:
    """Return lawsuits between companies of a circle. Most suits end during the world."""
    events = []
    for _ in range(3):
        plaintiff, defendant = stream.some(members, 2)
        day = diary.day(plaintiff.ticker, defendant.ticker, last=700)
        amount = neat(min(plaintiff.sales, defendant.sales) * stream.between(0.01, 0.06))
        facts: dict[str, Fact] = {
            "plaintiff": plaintiff.name,
            "defendant": defendant.name,
            "claim": stream.pick(CLAIMS),
            "amount": amount,
            "court": stream.pick(COURTS),
        }
        at = clock(stream, day, "during")
        events.append(
            event(
                defendant.ticker, at, "lawsuit", {**facts, "stage": "filed"}, other=plaintiff.ticker,
                move=stream.between(-0.05, -0.005), other_move=stream.between(-0.005, 0.01),
            )
        )  # fmt: skip
        first = SESSIONS.index(session_from(plus(day, 110)) or SESSIONS[-1])
        if first > len(SESSIONS) - 50:
            continue
        ended = diary.day(plaintiff.ticker, defendant.ticker, first=first, last=first + 160)
        stage = stream.pick(("settled", "settled", "dismissed", "awarded"))
        paid = 0 if stage == "dismissed" else neat(amount * (stream.between(0.15, 0.7) if stage == "settled" else 0.8))
        move = stream.between(0.01, 0.04) if stage == "dismissed" else stream.between(-0.03, 0.015)
        events.append(
            event(
                defendant.ticker, clock(stream, ended, "after"), "lawsuit",
                {**facts, "stage": stage, "paid": paid, "filed": day}, other=plaintiff.ticker,
                move=move, other_move=stream.between(-0.02, 0.0) if stage == "dismissed" else stream.between(0.0, 0.03),
            )
        )  # fmt: skip
    return events
