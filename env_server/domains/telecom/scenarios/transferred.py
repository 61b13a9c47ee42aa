"""Wishes that the rows decide. A human agent handles them or, in the twin, the agent does."""

from env_server.domains.kit import Details, GoldCall, Refusal, Row, Wish, WishKind, handover, prose, wish
from env_server.domains.telecom import setups
from env_server.domains.telecom.dialects import ISSUED
from env_server.domains.telecom.scenarios import agreed, details, faults, phrases, wishes
from env_server.domains.telecom.scenarios.base import (
    Carrier,
    Case,
    limited,
    lines,
    look_at_bills,
    look_at_lines,
    on_line,
    own,
)
from env_server.domains.telecom.scenarios.bills import PAY_CURRENT, by_charge
from env_server.domains.telecom.scenarios.scene import bill_is, device_is, line_is, refuelled, settled
from env_server.domains.telecom.scenarios.troubles import NO_SERVICE, asks, at_home, own_line


def _agrees(case: Case) -> str:
    return case.voice.pick(
        "Yes, please transfer me.",
        "All right, transfer me, please.",
        "Yes, hand me over.",
        "Please do, I will talk to them.",
        "Fine, put me through.",
        # Kept for the held-out split.
        "Very well, connect me with them.",
        "If that is what it takes, pass me on.",
        "Go ahead and transfer me, then.",
    )


def sim_locked(case: Case) -> Wish:
    """The agent may not unlock a SIM card that asks for its PIN or PUK. In the twin the card is only badly seated and
    can be fixed.
    """
    mode = case.rng.choice(("pin", "puk"))
    harmless = case.rng.choice((faults.DATA_SAVER, faults.ROAMS_AT_HOME, faults.VPN_GOOD, faults.MMSC_MISSING))
    known: Details = {"travel": at_home(case), "transfer": _agrees(case)}
    words = asks(NO_SERVICE)
    part = Wish(
        requests=(wish(case, *words, details=known, until=NO_SERVICE.until),),
        goal=phrases.goal(case, words, known, phrases.hands_on(case), prose.transferred(case.voice)),
        proof=() if case.due else (GoldCall(name="check_sim_status", requestor="user", compare=()),),
        handover=handover("The SIM card of the user is locked."),
        reason=Refusal(
            f"the SIM card is locked with its {mode.upper()}",
            ("locked", (mode, "sim")),
            ("missing",),
            about=("SIM", "service", "network"),
        ),
        slots={"line": case.line["line_id"], "mode": mode, "harmless": harmless.name},
    )
    also = harmless.comes(case)
    locked = (also, lambda db: setups.lock_sim_card(db, mode))
    return settled(case, part, (own("reseat_sim_card"),), locked, (also, setups.unseat_sim_card))


def disputed(case: Case) -> Wish:
    """A human agent decides about a disputed bill. In the twin the bill is only issued and can be paid."""
    method = case.rng.choice(case.methods)
    bill, how = details.bill(case, case.bill), details.charged(case, method)
    known: Details = {"bill": bill, "payment": how, "transfer": _agrees(case)}
    part = Wish(
        requests=(wish(case, *wishes.PAY, details=known, changes=(agreed.pay(bill, how, by_request=False),)),),
        goal=phrases.goal(case, wishes.PAY, known, prose.transferred(case.voice)),
        proof=(look_at_bills(case),),
        handover=handover(f"The user wants to pay bill {case.bill['bill_id']}, which is disputed."),
        reason=Refusal(
            f"{bill.noun} is disputed",
            ("disputed", "dispute"),
            ("already paid",),
            about=("bill", "payment"),
        ),
        slots={"bill": case.bill["bill_id"], "said": bill.text, "payment": method["payment_method_id"]},
    )
    return settled(case, part, by_charge(case, case.bill, method), (bill_is(case.bill, status="Disputed"),), ())


def not_yet(case: Case) -> Wish:
    """A line that waits for its activation needs a human agent. In the twin the line is active and usable."""
    amount = case.rng.choice((0.5, 1.0, 1.5, 2.0, 2.5, 3.0))
    line, much = details.line(case, case.line), details.amount(case, amount)
    known: Details = {"line": line, "add": much, "transfer": _agrees(case)}
    part = Wish(
        requests=(wish(case, *wishes.REFUEL, details=known, changes=(agreed.refuel(line, much),)),),
        goal=phrases.goal(case, wishes.REFUEL, known, prose.transferred(case.voice)),
        proof=(look_at_lines(case),),
        handover=handover(f"The user wants data on line {case.line['line_id']}, which waits for its activation."),
        reason=Refusal(
            f"{line.noun} is pending activation",
            ("pending", "not been activated", "not yet active", "not activated", "awaiting activation"),
            ("suspended", "closed"),
            about=("line", "data"),
        ),
        slots={"line": case.line["line_id"], "amount": amount, "said": line.text},
    )
    none = refuelled(case, 0.0)
    waits = (
        *none,
        line_is(case.line, status="Pending Activation", data_refueling_gb=0.0, data_used_gb=0.0, roaming_enabled=False),
        device_is(case.line, activated=False, activation_date=None),
    )
    granted = on_line(case, "refuel_data", case.line, gb_amount=amount)
    return settled(case, part, (granted,), waits, none)


def _payable(carrier: Carrier, customer: Row) -> list[str]:
    found = PAY_CURRENT.subjects(carrier, customer)
    return [bill_id for bill_id in found if carrier.bills[bill_id]["status"] == ISSUED]


SIM_LOCKED = WishKind(sim_locked, own_line)
DISPUTED = WishKind(disputed, _payable)
NOT_YET = WishKind(not_yet, lines(limited, own=False))
