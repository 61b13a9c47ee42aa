"""Wishes that change nothing. The agent looks up or computes a value and tells it."""

from env_server.domains.kit import Details, Row, Wish, WishKind, asked, money, told
from env_server.domains.telecom.plans import PHONE_PLANS
from env_server.domains.telecom.scenarios import details, phrases, wishes
from env_server.domains.telecom.scenarios.base import (
    OPEN,
    Carrier,
    Case,
    for_phones,
    limited,
    lines,
    look_at_bills,
    look_at_lines,
    look_at_usage,
)


def data_left(case: Case) -> Wish:
    """Ask how much data is left on a line."""
    line = details.line(case, case.line)
    known = {"line": line}
    left = phrases.gb(_left(case.world, case.line))
    of = ("left", "remain", "remaining", "remains", "available", "unused")
    return asked(
        case,
        wishes.DATA_LEFT,
        phrases.goal(case, wishes.DATA_LEFT, known),
        known,
        [told(left, f"There are {left} GB of data left on the line.", *of)],
        (look_at_usage(case, case.line),),
        {"line": case.line["line_id"], "said": line.text},
    )


def amount_due(case: Case) -> Wish:
    """Ask for the total of all unpaid bills: issued, overdue, or waiting for a payment."""
    bills = case.world.bills_of(case.customer, *OPEN)
    total = money(sum(bill["total_due"] for bill in bills))
    known: Details = {"bills": case.voice.pick(*_OPEN_BILLS)}
    of = ("owe", "total", "sum", "unpaid", "outstanding", "altogether", "together")
    return asked(
        case,
        wishes.AMOUNT_DUE,
        phrases.goal(case, wishes.AMOUNT_DUE, known),
        known,
        [told(total, f"In total you owe ${total}.", *of)],
        (look_at_bills(case),),
        {},
    )


_OPEN_BILLS = (
    "All that are issued, overdue or awaiting payment, neither drafts nor disputed ones.",
    "Every bill that is issued, overdue or awaits payment. No drafts, and none that I dispute.",
    "Those that I have to pay now: issued, overdue, awaiting payment. Leave out drafts and disputes.",
    "Issued, overdue and awaiting payment together, without drafts and disputed bills.",
    "Not the drafts and not what is disputed, but all the others that are unpaid.",
    # Kept for the held-out split.
    "Count what is issued, what is overdue and what awaits payment; skip drafts and disputes.",
    "Whatever is open, be it issued, overdue or waiting for my payment, but no draft and no dispute.",
    "I do not mean drafts or disputed bills, only the rest that is unpaid.",
)


def monthly_cost(case: Case) -> Wish:
    """Ask for the total price of the plans of all active lines."""
    found = [line for line in case.world.lines_of(case.customer) if line["status"] == "Active"]
    total = money(sum(case.world.plan_of(line)["price_per_month"] for line in found))
    known: Details = {"lines": case.voice.pick(*_ACTIVE_LINES)}
    of = ("month", "monthly", "total", "together", "sum", "altogether")
    return asked(
        case,
        wishes.MONTHLY_COST,
        phrases.goal(case, wishes.MONTHLY_COST, known),
        known,
        [told(total, f"Together your plans cost ${total} per month.", *of)],
        (look_at_lines(case),),
        {},
    )


_ACTIVE_LINES = (
    "I mean all my active lines together.",
    "All of the lines that are active.",
    "Every active line, added up.",
    "The active lines, and no others.",
    "All active ones in one sum.",
    # Kept for the held-out split.
    "Those of my lines that are in use, that is active, together.",
    "Take each line that is active.",
    "Just the active ones, but all of them.",
)


def refuel_quote(case: Case) -> Wish:
    """Ask for the price of some added data on a line."""
    amount = case.rng.choice((0.75, 1.25, 1.75, 2.25, 2.75))  # no line has such an amount left
    line, much = details.line(case, case.line), case.voice.pick(*_WOULD_ADD).format(phrases.gb(amount))
    known: Details = {"line": line, "add": much}
    price = money(round(amount * case.plan["data_refueling_price_per_gb"], 2))
    return asked(
        case,
        wishes.QUOTE,
        phrases.goal(case, wishes.QUOTE, known, case.voice.pick(*_NOTHING_NOW)),
        known,
        [told(price, f"Adding that much would cost ${price}.", *wishes.PRICES)],
        (look_at_lines(case),),
        {"line": case.line["line_id"], "amount": amount, "said": line.text},
    )


_WOULD_ADD = (
    "It would be {} GB.",
    "{} GB.",
    "About {} GB, exactly that.",
    "Say {} GB.",
    "I think of {} GB.",
    # Kept for the held-out split.
    "{} gigabytes it would be.",
    "Let us assume {} GB.",
    "Reckon with {} GB.",
)
_NOTHING_NOW = (
    "Nothing is to be changed now.",
    "You only ask; you want no change made.",
    "You do not want anything done about it today.",
    "It is only a question, and you agree to no change.",
    "You decline if the agent offers to do it right away.",
    # Kept for the held-out split.
    "You merely gather information and turn down any change.",
    "For now you want to know, and nothing else.",
    "No change is wanted, whatever the answer.",
)


def compare_plans(case: Case) -> Wish:
    """Ask for the difference between the monthly prices of another plan and of a line's present plan."""
    other = case.world.plans[case.rng.choice([plan for plan in PHONE_PLANS if plan != case.line["plan_id"]])]
    line, which = details.line(case, case.line), case.voice.pick(*_THOUGHT_OF).format(other["name"])
    known: Details = {"line": line, "plan": which}
    difference = money(abs(other["price_per_month"] - case.plan["price_per_month"]))
    return asked(
        case,
        wishes.COMPARE,
        phrases.goal(case, wishes.COMPARE, known, case.voice.pick(*_NOTHING_NOW)),
        known,
        [told(difference, f"The price per month differs by ${difference}.", *wishes.DIFFERENCES)],
        (look_at_lines(case),),
        {"line": case.line["line_id"], "plan": other["plan_id"], "said": line.text},
    )


_THOUGHT_OF = (
    "I am thinking of {}.",
    "Of {}.",
    "The other one is {}.",
    "Compare it with {}.",
    "It is {} that I have in mind.",
    # Kept for the held-out split.
    "{} has caught my eye.",
    "Against {}, that is.",
    "A friend praised {} to me.",
)


def bill_item(case: Case) -> Wish:
    """Ask for the meaning of one entry of a bill."""
    item = case.rng.choice([item for item in case.bill["line_items"] if item["description"] in _ITEMS])
    bill, what = details.bill(case, case.bill), item["description"].lower()
    known: Details = {"bill": bill, "entry": case.voice.pick(*_ENTRY).format(what)}
    amount = money(item["amount"])
    return asked(
        case,
        wishes.BILL_ITEM,
        phrases.goal(case, wishes.BILL_ITEM, known),
        known,
        [told(amount, f"The entry for {what} was ${amount}.", what, *_ITEM_WORDS[item["description"]])],
        (look_at_bills(case),),
        {"bill": case.bill["bill_id"], "item": item["description"], "said": bill.text},
    )


_ENTRY = (
    "I want to know how much I paid there for {}.",
    "The entry for {}: how much was it?",
    "It is about {}, what did that cost?",
    "What I was charged for {}.",
    "How much {} came to on it.",
    "The price of {} on that bill.",
    # Kept for the held-out split.
    "There is something on it called {}; what is its amount?",
    "I stumbled over {}. How much is that?",
    "Tell me the sum next to {}.",
)
_ITEM_WORDS = {
    "Calls abroad": ("abroad", "entry", "international"),
    "Calls to service numbers": ("service", "entry"),
    "Data abroad": ("abroad", "entry", "roaming"),
}
_ITEMS = tuple(_ITEM_WORDS)


def contract_end(case: Case) -> Wish:
    """Ask when the contract of a line ends."""
    line = details.line(case, case.line)
    known = {"line": line}
    day = case.line["contract_end_date"]
    of = ("contract", "end", "ends", "until", "run", "runs", "expire", "expires")
    return asked(
        case,
        wishes.CONTRACT_END,
        phrases.goal(case, wishes.CONTRACT_END, known),
        known,
        [told(day, f"The contract of the line runs until {day}.", *of, kind="date")],
        (look_at_lines(case),),
        {"line": case.line["line_id"], "said": line.text},
    )


def _left(carrier: Carrier, line: Row) -> float:
    allowed = carrier.plan_of(line)["data_limit_gb"] + line["data_refueling_gb"]
    return float(round(allowed - line["data_used_gb"], 2))


def _some_left(carrier: Carrier, line: Row) -> bool:
    """Return whether the remaining amount is a distinctive number that an agent is unlikely to say by accident."""
    left = _left(carrier, line)
    return limited(carrier, line) and left > 0 and left != int(left)


def _owes_several(carrier: Carrier, customer: Row) -> list[str]:
    return [""] if carrier.bills_of(customer, *OPEN) else []


def _several_active(carrier: Carrier, customer: Row) -> list[str]:
    return [""] if sum(line["status"] == "Active" for line in carrier.lines_of(customer)) > 1 else []


def _with_items(carrier: Carrier, customer: Row) -> list[str]:
    bills = (carrier.bills[bill_id] for bill_id in customer["bill_ids"])
    return [b["bill_id"] for b in bills if any(item["description"] in _ITEMS for item in b["line_items"])]


def _bound(_: Carrier, line: Row) -> bool:
    return bool(line["status"] == "Active" and line["contract_end_date"])


DATA_LEFT = WishKind(data_left, lines(_some_left, debt=None))
AMOUNT_DUE = WishKind(amount_due, _owes_several)
MONTHLY_COST = WishKind(monthly_cost, _several_active)
REFUEL_QUOTE = WishKind(refuel_quote, lines(limited, debt=None))
COMPARE_PLANS = WishKind(compare_plans, lines(for_phones, debt=None))
BILL_ITEM = WishKind(bill_item, _with_items)
CONTRACT_END = WishKind(contract_end, lines(_bound, debt=None))
CONTRACT_END_OTHER = WishKind(contract_end, lines(_bound, debt=None, own=False))
