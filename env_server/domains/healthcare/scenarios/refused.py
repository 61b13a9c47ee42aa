"""Wishes about booked visits and referrals that a rule forbids. Other rows grant them in the twin."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from env_server.domains.healthcare.scenarios import changes, knowing, phrases
from env_server.domains.healthcare.scenarios.appointments import (
    APPOINTMENTS,
    MOVES,
    book_call,
    cancel_call,
    look_at_times,
    movable,
    move_call,
    new_time,
)
from env_server.domains.healthcare.scenarios.base import LAST_TWELVE_MONTHS, Case, Desk, ago, is_late
from env_server.domains.healthcare.scenarios.bringing import bring, goal, requests
from env_server.domains.healthcare.scenarios.files import REFERS, refer_call, unreferred
from env_server.domains.healthcare.scenarios.questions import FEE, FEE_OR_NO
from env_server.domains.healthcare.scenarios.reasons import CHARGED, reason_given
from env_server.domains.kit import Known, Patch, Refusal, Row, Wish, WishKind, spoken

VISIT = ("appointment", "visit", "booking", "booked", "time")
"""The phrases that name a wish about an appointment."""

_CANCELS_IT = (
    "have it cancelled",
    "cancel it",
    "call it off",
    "give it up",
    "let it go",
    "have it struck out",
    "cancel the whole thing",
    "drop it altogether",
)
_NO_FEE = (
    "cancel an appointment without paying a fee",
    "call off an appointment, but with no fee for it",
    "have an appointment cancelled free of charge",
    "give up an appointment without any fee",
    "get out of an appointment without a fee",
    "have a visit struck out and no fee charged",
    "cancel a booked visit with the fee waived",
    "call off a visit at no charge",
    "drop an appointment, and no fee for that",
)
_WITH_FEE = (
    "cancel it and pay the fee",
    "have it cancelled and the fee charged",
    "accept the fee and call it off",
    "give it up, fee and all",
    "cancel it all the same, for the fee",
    "go through with cancelling it and bear the fee",
    "pay the fee and be rid of it",
    "have it struck out for the fee",
)
_ONE_MORE = (
    "book one more visit with a doctor",
    "have another visit beside the one that is booked",
    "add a further appointment with a doctor",
    "get a second appointment with a doctor",
    "make an extra appointment with a doctor",
    "see a doctor one time more than is booked",
    "arrange an additional visit to a doctor",
    "set up a visit on top of the one there is",
    "have two visits with a doctor and not just one",
)
_MOVES_BOOKED = (
    "move the appointment that is booked to that time",
    "have the booked visit at that time",
    "put the one that is booked on that time",
    "shift the booked one there",
    "reschedule the visit that is booked to then",
    "use that time for the appointment there is",
    "bring the booked appointment to that time",
    "change the visit that is on the calendar to that time",
)
_FREE = (
    "Only if there is no fee.",
    "There must be no fee.",
    "Without any fee.",
    "I will not pay: it has to be without a fee.",
    "No fee, please.",
    "It has to be free of charge.",
    "With no charge, or not at all.",
    "Only with the fee waived.",
)
_FREELY = ("no fee", "without a fee", "without any fee", "without fee", "free of charge", "waive", "waived",
           "no charge", "at no cost", "no late fee", "without a late fee", "without any late fee", "without charge",
           "without the fee", "without the late fee")  # fmt: skip
_PAID = (
    "I accept the fee.",
    "Then charge the fee.",
    "The fee is all right.",
    "I pay the fee.",
    "With the fee, then.",
    "So be it: charge me the fee.",
    "The fee, if it must be.",
    "Put the fee on my account.",
)


def _later(call: Case, row: Row, slot: tuple[str, str]) -> Patch:
    """Return the appointment at another time."""
    return {"appointments": {row["appointment_id"]: {"date": slot[0], "time": slot[1], "times_rescheduled": 0}}}


def _cancelled_instead(call: Case, row: Row, said: Known, *, fee: bool) -> tuple[Wish, Refusal]:
    """Return the wish to move an appointment, and to cancel it if that is refused. It holds the parts common to both
    twins.
    """
    doctor, reason = call.world.doctor(row), call.rng.choice(CHARGED)
    slot, named, when = new_time(call, row["doctor_id"], but=row["date"])
    first = bring(call, MOVES, {"appointment": said, "time": when}, changes.moving(doctor, named))
    own = {"appointment": said, "reason": reason_given(call, reason)}
    terms = {"fee": Known(call.voice.pick(*FEE_OR_NO), says=FEE)} if fee else {}
    changed = changes.cancelling(doctor, fee=True if fee else None)
    then = bring(call, _CANCELS_IT, own | terms, changed, instead=True)
    part = Wish(
        requests=requests(first, then),
        goal=goal(first, then),
        slots={"appointment": row["appointment_id"], "slot": slot, "reason": reason},
    )
    if call.due:
        looks = (call.listing(APPOINTMENTS), look_at_times(row["doctor_id"]))
        part = replace(part, reads=looks, writes=(move_call(row, slot),))
    else:
        part = replace(part, proof=(call.listing(APPOINTMENTS),), writes=(cancel_call(row, reason, fee=fee),))
    begins = f"the appointment begins on {spoken(row['date'])} at {row['time']}, which is in less than 24 hours"
    return part, Refusal(begins, because=(row["time"],), about=VISIT)


def too_late(call: Case) -> Wish:
    """The appointment begins in less than 24 hours and cannot be moved. In the twin it is later."""
    row = call.row("appointments")
    later = call.rng.choice(call.world.taken_times(call.patient, row["doctor_id"]))
    part, refusal = _cancelled_instead(call, row, knowing.next_visit(call, row), fee=True)
    if call.due:
        return replace(part, initial=_later(call, row, later))
    fresh = {"appointments": {row["appointment_id"]: {"times_rescheduled": 0}}}
    return replace(part, initial=fresh, refusals=(refusal,))


def third_move(call: Case) -> Wish:
    """The appointment has been moved twice. In the twin it was moved less often."""
    row, before = call.row("appointments"), call.rng.choice((0, 1))
    part, _ = _cancelled_instead(call, row, knowing.appointment(call, row), fee=False)
    if call.due:
        return replace(part, initial={"appointments": {row["appointment_id"]: {"times_rescheduled": before}}})
    says = "the appointment has been moved two times already"
    return replace(part, refusals=(Refusal(says, because=("2", "twice"), about=VISIT),))


def waive(call: Case) -> Wish:
    """The caller wants a late cancellation without the fee, and then accepts it. In the twin the cancellation is not
    late, so it is free.
    """
    row, reason = call.row("appointments"), call.rng.choice(CHARGED)
    doctor = call.world.doctor(row)
    later = call.rng.choice(call.world.taken_times(call.patient, row["doctor_id"]))
    own = {"appointment": knowing.next_visit(call, row), "reason": reason_given(call, reason)}
    free = {"fee": Known(call.voice.pick(*_FREE), says=_FREELY, others=("40", "40.00"))}
    paid = {"fee": Known(call.voice.pick(*_PAID), says=FEE)}
    first = bring(call, _NO_FEE, own | free, changes.cancelling(doctor, fee=False))
    then = bring(call, _WITH_FEE, own | paid, changes.cancelling(doctor, fee=True), instead=True)
    part = Wish(
        requests=requests(first, then),
        goal=goal(first, then),
        slots={"appointment": row["appointment_id"], "reason": reason},
    )
    look = (call.listing(APPOINTMENTS),)
    if call.due:
        return replace(part, reads=look, writes=(cancel_call(row, reason),), initial=_later(call, row, later))
    says = f"the appointment begins on {spoken(row['date'])} at {row['time']}, in less than 24 hours"
    refusal = Refusal(says, because=(row["time"],), about=("fee", *VISIT))
    return replace(part, proof=look, writes=(cancel_call(row, reason, fee=True),), refusals=(refusal,))


def second_visit(call: Case) -> Wish:
    """The caller wants a second visit in a specialty. In the twin the first was cancelled."""
    row = call.row("appointments")
    doctor = call.world.doctor(row)
    slot, named, when = new_time(call, row["doctor_id"], but=row["date"])
    kind = knowing.visit(call, "follow_up")
    own = {"doctor": knowing.doctor(call, doctor), "time": when, "visit": kind}
    booked = {"appointment": knowing.next_visit(call, row), "time": when}
    first = bring(call, _ONE_MORE, own, changes.booking(doctor, named, "follow_up"))
    then = bring(call, _MOVES_BOOKED, booked, changes.moving(doctor, named), instead=True)
    part = Wish(
        requests=requests(first, then),
        goal=goal(first, then),
        slots={"appointment": row["appointment_id"], "slot": slot, "named": named},
    )
    look = call.listing(APPOINTMENTS)
    if call.due:
        gone = {"status": "cancelled", "cancel_reason": "schedule_conflict", "cancelled_at": "2026-03-05T07:30"}
        looks = (look, look_at_times(row["doctor_id"]))
        granted = (book_call(call, doctor, slot, "follow_up"),)
        return replace(part, reads=looks, writes=granted, initial={"appointments": {row["appointment_id"]: gone}})
    says = f"an appointment in {phrases.specialty(doctor['specialty'])} is booked for {spoken(row['date'])} already"
    refusal = Refusal(says, because=(row["date"],), about=VISIT)
    return replace(part, proof=(look,), writes=(move_call(row, slot),), refusals=(refusal,))


def not_seen_lately(call: Case) -> Wish:
    """The caller wants a referral without a visit to the primary doctor for a year. In the twin they met since."""
    field, primary = call.subject, call.patient["primary_doctor_id"]
    recent, latest = ago(call.rng, 20, 200), call.world.met(call.patient, primary)[0]["date"]
    brought = bring(
        call, REFERS, {"specialty": knowing.specialty(call, field)}, changes.referring(field), bears="refusal"
    )
    part = Wish(requests=(brought.request,), goal=brought.prose, slots={"specialty": field})
    if call.due:
        looks = (call.listing("get_referrals"), call.listing(APPOINTMENTS))
        return replace(part, reads=looks, writes=(refer_call(call, field),), initial=call.met_on(primary, recent))
    says = f"the last completed visit with the primary doctor was on {spoken(latest)}, more than a year ago"
    refusal = Refusal(says, because=(latest,), about=("referral", "refer"))
    return replace(part, proof=(call.listing(APPOINTMENTS),), refusals=(refusal,))


def _late(desk: Desk, patient: Row) -> Iterable[str]:
    """Return appointments that begin in less than 24 hours, with doctors who have open and taken times later."""
    rows: Sequence[Row] = desk.scheduled(patient) if desk.may(patient, "appointments") else ()
    return [
        row["appointment_id"]
        for row in rows
        if is_late(row)
        and len({date for date, _ in desk.free_times(patient, row["doctor_id"], "2026-03-12")}) > 1
        and desk.taken_times(patient, row["doctor_id"])
    ]


def _moved_twice(desk: Desk, patient: Row) -> Iterable[str]:
    rows: Sequence[Row] = desk.scheduled(patient) if desk.may(patient, "appointments") else ()
    return [
        row["appointment_id"]
        for row in rows
        if row["times_rescheduled"] > 1
        and not is_late(row)
        and len({date for date, _ in desk.free_times(patient, row["doctor_id"], "2026-03-12")}) > 1
    ]


def _only_ones(desk: Desk, patient: Row) -> Iterable[str]:
    """Return movable appointments beside which another could be booked if they did not exist."""
    found = []
    for key in movable(desk, patient):
        row = desk.rows["appointments"][key]
        doctor = desk.doctor(row)
        alone = len(desk.busy_with(patient, doctor["specialty"])) == 1
        free = len({date for date, _ in desk.free_times(patient, row["doctor_id"], "2026-03-12")} - {row["date"]}) > 1
        bookable = desk.in_network(patient, doctor) and not desk.needs_referral(patient, doctor["specialty"])
        seen = desk.seen(patient, row["doctor_id"]) and not desk.missed(patient, row["doctor_id"])
        if alone and free and bookable and seen:
            found.append(key)
    return found


def _not_seen(desk: Desk, patient: Row) -> Iterable[str]:
    primary = patient["primary_doctor_id"]
    recent = desk.seen(patient, primary, LAST_TWELVE_MONTHS) or not desk.met(patient, primary)
    return [] if recent or not desk.may(patient, "appointments") else unreferred(desk, patient)[:3]


TOO_LATE = WishKind(too_late, _late)
THIRD_MOVE = WishKind(third_move, _moved_twice)
WAIVE = WishKind(waive, _late)
SECOND_VISIT = WishKind(second_visit, _only_ones)
NOT_SEEN_LATELY = WishKind(not_seen_lately, _not_seen)
