"""Wishes about medication, results and the file that a rule forbids, and what the caller takes instead."""

from collections.abc import Iterable

from env_server.domains.healthcare import people
from env_server.domains.healthcare.clock import TODAY
from env_server.domains.healthcare.scenarios import phrases
from env_server.domains.healthcare.scenarios.base import GUARDIANS, Call, Desk, Row, due_on
from env_server.domains.healthcare.scenarios.callers import details
from env_server.domains.healthcare.scenarios.files import (
    CHANNELS,
    INSURE,
    NEXT_MONTH,
    NO_CHANGE,
    insurance_call,
    other_plan,
    send_call,
)
from env_server.domains.healthcare.scenarios.medication import (
    PRESCRIPTIONS,
    RENEW,
    SAME_PHARMACY,
    prescribed,
    seen_by_prescriber,
    used_up,
)
from env_server.domains.healthcare.scenarios.questions import AS_DATE
from env_server.domains.healthcare.scenarios.strangers import INSIST
from env_server.domains.kit import ONLY_ASKING, Move, Part, Request, read, write


def _refill_wish(call: Call, said: str) -> Request:
    ask = phrases.one_of(call.rng, "I need a refill", "Please have some medication filled again")
    told = details(call, medication=said, pharmacy=SAME_PHARMACY) | INSIST
    return Request(ask=f"{ask}{phrases.for_whom(call)}.", details=told)


def controlled(call: Call) -> Part:
    """Wants a controlled medication refilled."""
    row = call.row("prescriptions")
    said = phrases.prescription(row)
    return Part(
        requests=(_refill_wish(call, said),),
        goal=f"You want a prescription refilled {phrases.in_prose(said)}. You accept it if you are refused.",
        proof=(call.listing(PRESCRIPTIONS),),
        slots={"prescription": row["prescription_id"]},
    )


def too_early(call: Call) -> Part:
    """Wants a refill too early, and then the day on which it will be due."""
    row = call.row("prescriptions")
    said, due = phrases.prescription(row), phrases.day(due_on(row))
    when = Request(
        ask=f"Then from which day on can I have it? Please give me the date {AS_DATE}.",
        details=details(call, medication=said) | {"confirm": ONLY_ASKING},
        wants=(due,),
    )
    return Part(
        requests=(_refill_wish(call, said), when),
        goal=f"You want a prescription refilled {phrases.in_prose(said)} at once. If that is refused, you want to know"
        f" the first day on which it can be, {AS_DATE}.",
        proof=(call.listing(PRESCRIPTIONS),),
        outputs=(due,),
        slots={"prescription": row["prescription_id"]},
    )


def run_out(call: Call) -> Part:
    """Wants a refill of what is used up or has expired; the doctor, seen not long ago, is asked to renew it."""
    row = call.row("prescriptions")
    said = phrases.prescription(row)
    renewal = Request(ask="Then please ask the doctor to renew it.", details=details(call, medication=said))
    return Part(
        requests=(_refill_wish(call, said), renewal),
        goal=f"You want a prescription refilled {phrases.in_prose(said)}. Only if that is refused, you want the doctor"
        " asked to renew it.",
        proof=(call.listing(PRESCRIPTIONS), call.listing("list_appointments")),
        writes=(write("request_renewal", prescription_id=row["prescription_id"]),),
        slots={"prescription": row["prescription_id"]},
    )


def no_renewal(call: Call) -> Part:
    """Wants a renewal from a doctor not seen for a year, or of a controlled medication."""
    row = call.row("prescriptions")
    said = phrases.prescription(row)
    request = Request(
        ask=f"Please ask the doctor to renew a prescription{phrases.for_whom(call)}.",
        details=details(call, medication=said) | INSIST,
    )
    visits = () if row["controlled"] else (call.listing("list_appointments"),)
    return Part(
        requests=(request,),
        goal=f"You want a prescription renewed {phrases.in_prose(said)}. You accept it if you are refused.",
        proof=(call.listing(PRESCRIPTIONS), *visits),
        slots={"prescription": row["prescription_id"]},
    )


def unreleased(call: Call) -> Part:
    """Wants a result that is still in review, and then one that is released."""
    row, channel = call.row("lab_results"), call.rng.choice(list(CHANNELS))
    other = call.rng.choice([r for r in call.world.of(call.patient, "lab_results") if r["status"] == "released"])
    how = f"Please send it {CHANNELS[channel]}."
    said, instead = phrases.result(row), phrases.result(other)
    return Part(
        requests=(
            Request(
                ask=f"I'd like a copy of a lab result{phrases.for_whom(call)}.",
                details=details(call, result=said, channel=how) | INSIST,
            ),
            Request(
                ask="Then send me a copy of another result, please.",
                details=details(call, result=instead, channel=how),
            ),
        ),
        goal=f"You want a copy of a lab result {phrases.in_prose(said)} sent {phrases.yours(CHANNELS[channel])}."
        f" Only if that is refused, you want another one {phrases.in_prose(instead)} sent the same way.",
        proof=(call.listing("get_lab_results"),),
        writes=(send_call(other, channel),),
        slots={"result": row["result_id"], "other": other["result_id"], "channel": channel},
    )


def from_today(call: Call) -> Part:
    """Wants a new insurance to count from today without a reason for it, then takes the first of next month."""
    plan, member = other_plan(call)
    said = f"The plan is {plan['name']}, member number {member}."
    told = details(call, insurance=said, reason=NO_CHANGE)
    return Part(
        requests=(
            Request(
                ask=f"There is a new insurance{phrases.for_whom(call)}, and I want it to count from today.",
                details=told | {"start": "From today."} | INSIST,
            ),
            Request(
                ask="Then put it on file from the first day that is possible.",
                details=told | {"start": "From the first day that your rules allow."},
            ),
        ),
        goal=f"You want a new insurance put on file from today. {said} {NO_CHANGE} Only if that is refused, you"
        " take the first day that is possible.",
        proof=(read("get_patient_info", patient_id=call.patient_id),),
        writes=(insurance_call(call, plan, member, NEXT_MONTH),),
        slots={"plan": plan["plan_id"], "member": member},
    )


def allow_for_minor(call: Call) -> Part:
    """A guardian wants somebody else to speak for the child."""
    name, dob = people.name(call.rng), people.birthday(call.rng, TODAY, 25, 70)
    who = f"It is {phrases.full(name)}, born on {phrases.day(dob)}, a caregiver."
    request = Request(
        ask=f"I'd like to let somebody else speak{phrases.for_whom(call)}.",
        details=details(call, person=who, scope="For appointments only.", until="No particular last day.") | INSIST,
    )
    return Part(
        requests=(request,),
        goal=f"You want somebody else to be allowed to speak for the child about appointments. {who} You accept"
        " it if you are refused.",
        proof=(call.listing("get_proxies"),),
        slots={"name": name, "dob": dob},
    )


def _in_review(desk: Desk, patient: Row) -> Iterable[str]:
    rows = desk.of(patient, "lab_results") if desk.may(patient, "results") else []
    some = any(row["status"] == "released" for row in rows)
    return [row["result_id"] for row in rows if some and row["status"] == "in_review"]


def _else_good(row: Row) -> bool:
    return bool(row["status"] == "active" and row["refills_left"] > 0 and row["last_filled"] < TODAY)


def _guarded(desk: Desk, patient: Row) -> Iterable[str]:
    consent = desk.speaker(patient)
    guarded = consent is not None and desk.minor(patient) and consent["relationship"] in GUARDIANS
    return [""] if guarded else []


CONTROLLED = Move(
    controlled,
    prescribed(lambda _, __, row: row["controlled"] and _else_good(row) and row["expires_on"] >= TODAY),
)
TOO_EARLY = Move(
    too_early,
    prescribed(
        lambda _, __, row: not row["controlled"] and _else_good(row) and TODAY < due_on(row) <= row["expires_on"]
    ),
)
RUN_OUT = Move(run_out, RENEW.subjects)
NO_RENEWAL = Move(
    no_renewal,
    prescribed(lambda desk, p, row: used_up(row) and (row["controlled"] or not seen_by_prescriber(desk, p, row))),
)
UNRELEASED = Move(unreleased, _in_review)
FROM_TODAY = Move(from_today, INSURE.subjects)
ALLOW_FOR_MINOR = Move(allow_for_minor, _guarded)
