"""Wishes outside what the agent can do, for which the policy demands a transfer to people."""

from env_server.domains.kit import GoldCall, Move, Part, Request, Row
from env_server.domains.telecom import setups
from env_server.domains.telecom.scenarios import phrases
from env_server.domains.telecom.scenarios.base import Call, Carrier, active, lines, look_at_bills, look_at_lines
from env_server.domains.telecom.scenarios.scene import Step, scene
from env_server.domains.telecom.scenarios.troubles import AT_HOME, own_line

_AGREES = {"transfer": "Yes, please transfer me.", "confirm": "No, I want nothing else."}


def _handover(summary: str) -> tuple[GoldCall, ...]:
    return (GoldCall(name="transfer_to_human_agents", arguments={"summary": summary}, compare=()),)


def sim_locked(case: Call) -> Part:
    """A SIM card that asks for its PIN or PUK is not for the agent to unlock."""
    mode, ask = case.rng.choice(("pin", "puk")), case.rng.choice(("My phone has no service.", "I have no network."))
    harmless: tuple[tuple[str, Step], ...] = (
        ("nothing", lambda _: None),
        ("data saver", setups.turn_data_saver_mode_on),
        ("data roaming on at home", setups.turn_roaming_on),
    )
    also, step = case.rng.choice(harmless)
    check = GoldCall(name="check_sim_status", requestor="user", compare=())
    return Part(
        requests=(Request(ask=f"{ask} Can you help?", details=AT_HOME | _AGREES),),
        goal="Your phone finds no network, and you want to have service again. You are at home, not travelling. You do"
        " on your phone what the agent asks you to, and tell what it shows. You agree to being transferred.",
        proof=(check,),
        handover=_handover("The SIM card of the user is locked."),
        slots={"line": case.line["line_id"], "mode": mode, "ask": ask, "harmless": also},
        initial=scene(case.world, case.customer, step, lambda db: setups.lock_sim_card(db, mode)),
    )


def disputed(case: Call) -> Part:
    """What becomes of a disputed bill is for people to decide."""
    said = phrases.bill(case, case.bill)
    ask = case.rng.choice(
        ("I want to know what becomes of a bill that I dispute.", "Please settle my disputed bill now.")
    )
    return Part(
        requests=(Request(ask=ask, details={"bill": said} | _AGREES),),
        goal=f"You have disputed a bill {phrases.in_prose(said)} and want the dispute decided. You agree to being"
        " transferred.",
        proof=(look_at_bills(case),),
        handover=_handover(f"The user wants dispute about bill {case.bill['bill_id']} decided."),
        slots={"bill": case.bill["bill_id"], "ask": ask, "said": said},
    )


def end_contract(case: Call) -> Part:
    """Ending a contract for good, or taking the number to another carrier."""
    said = phrases.line(case, case.line)
    wish = case.rng.choice(("end the contract of a line for good", "take the number of a line to another carrier"))
    return Part(
        requests=(Request(ask=f"I want to {wish}.", details={"line": said} | _AGREES),),
        goal=f"You want to {wish} {phrases.in_prose(said)}. You agree to a transfer if the agent cannot do that.",
        proof=(look_at_lines(case),),
        handover=_handover(f"The user wants to {wish}: {case.line['line_id']}."),
        slots={"line": case.line["line_id"], "wish": wish, "said": said},
    )


def _disputed(carrier: Carrier, customer: Row) -> list[str]:
    return [bill["bill_id"] for bill in carrier.bills_of(customer, "Disputed")]


SIM_LOCKED = Move(sim_locked, own_line)
DISPUTED = Move(disputed, _disputed)
END_CONTRACT = Move(end_contract, lines(active, debt=None))
