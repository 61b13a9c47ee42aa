"""Wishes that the file leaves to human agents. In the twin the agent grants the wish."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from env_server.domains.healthcare.catalogue import TESTS
from env_server.domains.healthcare.scenarios import changes, knowing, phrases
from env_server.domains.healthcare.scenarios.appointments import (
    APPOINTMENTS,
    SEES_AGAIN,
    book_call,
    look_at_times,
    may_see_again,
    new_time,
)
from env_server.domains.healthcare.scenarios.base import Case, Desk, ago
from env_server.domains.healthcare.scenarios.bringing import SpokenWish, bring
from env_server.domains.healthcare.scenarios.files import CHANNELS, REFERS, SENDS, refer_call, referable, send_call
from env_server.domains.healthcare.scenarios.files import released as released_results
from env_server.domains.healthcare.scenarios.medication import (
    PRESCRIPTIONS,
    RENEWALS,
    prescribed,
    renew_call,
    seen_by_prescriber,
)
from env_server.domains.healthcare.scenarios.refused import VISIT
from env_server.domains.kit import GoldCall, Patch, Refusal, Row, Wish, WishKind, handover, money, spoken


def _handed_over(
    call: Case,
    brought: SpokenWish,
    looks: Sequence[GoldCall],
    made: GoldCall,
    reason: Refusal,
    rows: tuple[Patch, Patch],
    **slots: object,
) -> Wish:
    """Return a wish that is handed over for the `reason` with the first of `rows`, and granted with the second."""
    part = Wish(requests=(brought.request,), goal=brought.prose, slots={"subject": call.subject, **slots})
    if call.due:
        return replace(part, reads=tuple(looks), writes=(made,), initial=rows[1])
    return replace(part, proof=(looks[0],), handover=handover(f"{reason.says}."), reason=reason, initial=rows[0])


def owes_too_much(call: Case) -> Wish:
    """The caller wants a visit but owes 300 dollars or more. Billing must settle this first."""
    amount, doctor = call.rng.randint(30045, 61995) / 100, call.row("doctors")
    less = call.rng.randint(500, 28900) / 100
    brought, made, slots = _visit(call, doctor)
    looks = (call.listing("get_patient_info"), call.listing(APPOINTMENTS), look_at_times(doctor["doctor_id"]))
    says = f"there is a balance of ${money(amount)} owed, so booking is for the billing team to settle"
    reason = Refusal(says, because=(money(amount),), about=(*VISIT, "book", "balance"))
    rows = [{"patients": {call.patient_id: {"balance": owed}}} for owed in (amount, less)]
    return _handed_over(call, brought, looks, made, reason, (rows[0], rows[1]), **slots)


def missed_visit(call: Case) -> Wish:
    """The caller wants a visit with a doctor after missing one. The practice manager must settle this."""
    doctor, key = call.row("doctors"), call.new_id("A")
    lately, long_ago = ago(call.rng, 4, 85), ago(call.rng, 100, 400)
    brought, made, slots = _visit(call, doctor)
    looks = (call.listing(APPOINTMENTS), look_at_times(doctor["doctor_id"]))
    says = f"a visit with {phrases.doctor(doctor)} on {spoken(lately)} was missed"
    reason = Refusal(says, because=(lately,), about=(*VISIT, "book"))
    rows = [{"appointments": {key: _missed(call, key, doctor, day)}} for day in (lately, long_ago)]
    return _handed_over(call, brought, looks, made, reason, (rows[0], rows[1]), missed=key, **slots)


def _visit(call: Case, doctor: Row) -> tuple[SpokenWish, GoldCall, dict[str, object]]:
    slot, named, when = new_time(call, doctor["doctor_id"])
    own = {"doctor": knowing.doctor(call, doctor), "time": when, "visit": knowing.visit(call, "follow_up")}
    brought = bring(call, SEES_AGAIN, own, changes.booking(doctor, named, "follow_up"), bears="transfer")
    return brought, book_call(call, doctor, slot, "follow_up"), {"slot": slot, "named": named}


def _missed(call: Case, key: str, doctor: Row, day: str) -> Row:
    """Return a visit that was missed."""
    return {
        "appointment_id": key,
        "patient_id": call.patient_id,
        "doctor_id": doctor["doctor_id"],
        "date": day,
        "time": "10:30",
        "visit_type": "follow_up",
        "status": "no_show",
        "copay": 0.0,
        "times_rescheduled": 0,
    }


def long_expired(call: Case) -> Wish:
    """The caller wants a renewal of a prescription that expired more than 30 days ago. A nurse must check it."""
    row = call.row("prescriptions")
    long_ago, lately = ago(call.rng, 33, 160), ago(call.rng, 2, 29)
    brought = bring(
        call, RENEWALS, {"medication": knowing.medication(call, row)}, changes.renewing(row), bears="transfer"
    )
    looks = (call.listing(PRESCRIPTIONS), call.listing(APPOINTMENTS))
    says = f"the prescription for {row['medication']} expired on {spoken(long_ago)}, more than 30 days ago"
    reason = Refusal(says, because=(long_ago,), about=("renewal", "renew", "prescription", row["medication"]))
    rows = [{"prescriptions": {row["prescription_id"]: {"expires_on": day}}} for day in (long_ago, lately)]
    return _handed_over(call, brought, looks, renew_call(row), reason, (rows[0], rows[1]), expired=long_ago)


def critical(call: Case) -> Wish:
    """The caller wants a result sent that holds a critical value. A nurse must tell the patient."""
    row, channel = call.row("lab_results"), call.rng.choice(CHANNELS)
    measure = call.rng.choice(TESTS[row["test"]])
    number = round(measure.high * call.rng.uniform(1.6, 2.6), measure.decimals)
    own = {"result": knowing.result(call, row), "channel": knowing.channel(call, channel)}
    brought = bring(call, SENDS, own, changes.sending(row, channel), bears="transfer")
    values = [{**v, "value": number} if v["name"] == measure.name else dict(v) for v in row["values"]]
    says = f"the {measure.name} in the {row['test']} is {number:g} {measure.unit}, a critical value"
    reason = Refusal(says, because=(f"{number:g}",), about=("result", "copy", row["test"], measure.name))
    rows: tuple[Patch, Patch] = ({"lab_results": {row["result_id"]: {"values": values}}}, {})
    looks = (call.listing("get_lab_results"),)
    made = send_call(row, channel)
    return _handed_over(call, brought, looks, made, reason, rows, channel=channel, value=number)


def denied(call: Case) -> Wish:
    """The caller wants a referral that was denied recently. The referral office must settle this."""
    field, key = call.subject, call.new_id("R")
    lately, long_ago = ago(call.rng, 4, 85), ago(call.rng, 100, 400)
    brought = bring(
        call, REFERS, {"specialty": knowing.specialty(call, field)}, changes.referring(field), bears="transfer"
    )
    looks = (call.listing("get_referrals"), call.listing(APPOINTMENTS))
    says = f"a referral to {phrases.specialty(field)} asked for on {spoken(lately)} was denied"
    reason = Refusal(says, because=(lately,), about=("referral", "refer"))
    rows = [{"referrals": {key: _denied(call, key, field, day)}} for day in (lately, long_ago)]
    return _handed_over(call, brought, looks, refer_call(call, field), reason, (rows[0], rows[1]), referral=key)


def _denied(call: Case, key: str, field: str, day: str) -> Row:
    """Return a referral that was denied."""
    return {
        "referral_id": key,
        "patient_id": call.patient_id,
        "referring_doctor_id": call.patient["primary_doctor_id"],
        "specialty": field,
        "status": "denied",
        "issued_on": day,
        "visits_allowed": 0,
        "visits_used": 0,
    }


Subjects = Callable[[Desk, Row], Iterable[str]]


def _expirable(desk: Desk, patient: Row, row: Row) -> bool:
    fine = row["status"] == "active" and not row["controlled"]
    return bool(fine and seen_by_prescriber(desk, patient, row))


def _billable(desk: Desk, patient: Row) -> Iterable[str]:
    """Return doctors to see again, if the caller may hear of fees."""
    return may_see_again(desk, patient) if desk.may(patient, "insurance") else []


OWES_TOO_MUCH = WishKind(owes_too_much, _billable)
MISSED_VISIT = WishKind(missed_visit, may_see_again)
LONG_EXPIRED = WishKind(long_expired, prescribed(_expirable))
CRITICAL = WishKind(critical, released_results)
DENIED = WishKind(denied, referable)
