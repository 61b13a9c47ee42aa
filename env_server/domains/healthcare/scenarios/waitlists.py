"""Wishes about waitlists: joining, leaving, and refusals."""

from collections.abc import Iterable
from dataclasses import replace

from env_server.domains.healthcare.clock import TODAY, hours_until
from env_server.domains.healthcare.scenarios import changes, knowing, phrases
from env_server.domains.healthcare.scenarios.appointments import (
    OPEN_TO_ALL,
    book_call,
    look_at_times,
    may_see_again,
)
from env_server.domains.healthcare.scenarios.base import SOON, Case, Desk
from env_server.domains.healthcare.scenarios.bringing import bring, goal, requests
from env_server.domains.kit import GoldCall, Known, Refusal, Row, Wish, WishKind, spoken, told, write

JOINS = (
    "be put on a doctor's waitlist",
    "join the waitlist of a doctor",
    "get on a waitlist",
    "have a name put on a doctor's waitlist",
    "wait for a time with a doctor",
    "be added to a waitlist",
    "line up for a doctor who is booked out",
    "sign up for the waitlist of a doctor",
    "have a place on a doctor's waitlist",
    "enter a doctor's waitlist",
)
LEAVES = (
    "leave a waitlist",
    "give up a place on a waitlist",
    "be taken off a waitlist",
    "have a name removed from a waitlist",
    "come off a doctor's waitlist",
    "stop waiting for a doctor",
    "have a place on a waitlist struck out",
    "drop out of a waitlist",
    "quit a waitlist",
    "let go of a place on a waitlist",
)
JOINS_AND_ASKS = (
    "join a doctor's waitlist and hear the position there",
    "be put on a waitlist and be told the position on it",
    "get on the waitlist of a doctor, and know which place that gives",
    "be added to a waitlist and learn how far down that is",
    "have a name put on a doctor's waitlist and hear which number it is",
    "sign up for a waitlist and find out the position",
    "get in line for a doctor and be told how many come first",
    "enter a waitlist and hear the position in it",
    "wait for a doctor, and know at which position",
)
JOINS_TOO = (
    "be put on one more waitlist",
    "join another doctor's waitlist",
    "get on a further waitlist",
    "have a name on another waitlist as well",
    "wait for yet another doctor",
    "be added to one more doctor's waitlist",
    "line up for a further doctor, too",
    "sign up for another waitlist on top",
    "have a place on a further list of yours",
)
BOOKS_OPEN = (
    "book an open time with that doctor",
    "take an open time there",
    "have one of the doctor's open times",
    "be booked for an open time",
    "get an appointment there right away",
    "come in at an open time",
    "make an appointment out of one of those times",
    "settle for a booked time with the doctor",
    "have a proper appointment there",
)
ENTRIES = "get_waitlist_entries"


def join_call(call: Case, doctor: Row, visit_type: str) -> GoldCall:
    """Return the write that puts the patient on a doctor's waitlist."""
    return write("join_waitlist", patient_id=call.patient_id, doctor_id=doctor["doctor_id"], visit_type=visit_type)


def _wanted(call: Case, doctor: Row, visit_type: str = "follow_up") -> dict[str, Known]:
    return {"doctor": knowing.doctor(call, doctor), "visit": knowing.visit(call, visit_type)}


def join(call: Case) -> Wish:
    """Join the waitlist of a doctor who has nothing open."""
    doctor = call.row("doctors")
    visit_type = call.rng.choice([kind for kind in doctor["visit_types"] if kind != "new_patient"])
    brought = bring(call, JOINS, _wanted(call, doctor, visit_type), changes.joining(doctor, visit_type))
    return Wish(
        requests=(brought.request,),
        goal=brought.prose,
        reads=(call.listing(ENTRIES), look_at_times(doctor["doctor_id"])),
        writes=(join_call(call, doctor, visit_type),),
        slots={"doctor": doctor["doctor_id"], "visit": visit_type},
    )


def leave(call: Case) -> Wish:
    """Leave a waitlist."""
    row = call.row("waitlist")
    doctor = call.world.doctor(row)
    brought = bring(call, LEAVES, {"doctor": knowing.waited_for(call, doctor)}, changes.leaving(doctor))
    return Wish(
        requests=(brought.request,),
        goal=brought.prose,
        reads=(call.listing(ENTRIES),),
        writes=(write("leave_waitlist", entry_id=row["entry_id"]),),
        slots={"entry": row["entry_id"]},
    )


def join_place(call: Case) -> Wish:
    """Join a waitlist and hear the position there."""
    doctor = call.row("doctors")
    entries = call.world.rows["waitlist"].values()
    place = str(sum(row["doctor_id"] == doctor["doctor_id"] for row in entries) + 1)
    want, tell = told(
        place,
        f"Your position on the waitlist of {phrases.doctor(doctor)} is {place}.",
        "position", "place", "number", "spot", "rank", "waitlist", "wait list", "waiting list", "in line", "ahead",
    )  # fmt: skip
    changed = changes.joining(doctor, "follow_up")
    brought = bring(call, JOINS_AND_ASKS, _wanted(call, doctor), changed, wants=[want])
    return Wish(
        requests=(brought.request,),
        goal=brought.prose,
        proof=(look_at_times(doctor["doctor_id"]), call.listing(ENTRIES)),
        writes=(join_call(call, doctor, "follow_up"),),
        tells=(tell,),
        slots={"doctor": doctor["doctor_id"]},
    )


def not_crowded(call: Case) -> Wish:
    """The caller wants to wait for a doctor who has open times, and books the first of them. In the twin the doctor has
    none.
    """
    doctor = call.row("doctors")
    slot = _first_open(call.world, doctor["doctor_id"])
    first = bring(call, JOINS, _wanted(call, doctor), changes.joining(doctor, "follow_up"))
    soonest = Known(call.voice.pick(*knowing.SOONEST))
    then = bring(
        call,
        BOOKS_OPEN,
        _wanted(call, doctor) | {"time": soonest},
        changes.booking(doctor, None, "follow_up"),
        instead=True,
    )
    part = Wish(requests=requests(first, then), goal=goal(first, then), slots={"doctor": doctor["doctor_id"]})
    looks = (look_at_times(doctor["doctor_id"]),)
    if call.due:
        shut: dict[str, Row] = {
            row["day_id"]: {"open_times": []} for row in _days_soon(call.world, doctor["doctor_id"])
        }
        granted = (join_call(call, doctor, "follow_up"),)
        return replace(part, reads=looks, writes=granted, initial={"days": shut})
    open_days = dict.fromkeys(date for date, _ in call.world.open_times(doctor["doctor_id"], TODAY, SOON))
    refusal = Refusal(
        f"{phrases.doctor(doctor)} has an open time as soon as {spoken(slot[0])}",
        because=tuple(open_days),
        about=("waitlist", "wait list", "waiting list", "wait"),
    )
    return replace(part, proof=looks, writes=(book_call(call, doctor, slot, "follow_up"),), refusals=(refusal,))


def _days_soon(desk: Desk, doctor_id: str) -> Iterable[Row]:
    return (row for row in desk.rows["days"].values() if row["doctor_id"] == doctor_id and row["date"] <= SOON)


def two_already(call: Case) -> Wish:
    """The caller wants to join a third waitlist. In the twin one of the two places was given up."""
    doctor = call.row("doctors")
    brought = bring(call, JOINS_TOO, _wanted(call, doctor), changes.joining(doctor, "follow_up"), bears="refusal")
    part = Wish(requests=(brought.request,), goal=brought.prose, slots={"doctor": doctor["doctor_id"]})
    entries = call.world.of(call.patient, "waitlist")
    names = [call.world.doctor(row)["name"]["last_name"] for row in entries]
    if call.due:
        gone = {"waitlist": {entries[0]["entry_id"]: {"status": "left"}}}
        looks = (call.listing(ENTRIES), look_at_times(doctor["doctor_id"]))
        return replace(part, reads=looks, writes=(join_call(call, doctor, "follow_up"),), initial=gone)
    refusal = Refusal(
        f"you are on the waitlists of two doctors already, Dr. {names[0]} and Dr. {names[1]}",
        because=tuple(names),
        about=("waitlist", "wait list", "waiting list", "wait"),
    )
    return replace(part, proof=(call.listing(ENTRIES),), refusals=(refusal,))


def swap(call: Case) -> Wish:
    """Give up one of two places, and then take a place with a third doctor."""
    doctor = call.row("doctors")
    entry = call.rng.choice(call.world.of(call.patient, "waitlist"))
    left = call.world.doctor(entry)
    first = bring(call, LEAVES, {"doctor": knowing.waited_for(call, left)}, changes.leaving(left))
    then = bring(call, JOINS_TOO, _wanted(call, doctor), changes.joining(doctor, "follow_up"))
    return Wish(
        requests=requests(first, then),
        goal=goal(first, then),
        reads=(call.listing(ENTRIES), look_at_times(doctor["doctor_id"])),
        writes=(write("leave_waitlist", entry_id=entry["entry_id"]), join_call(call, doctor, "follow_up")),
        slots={"doctor": doctor["doctor_id"], "entry": entry["entry_id"]},
    )


def waitable(desk: Desk, patient: Row) -> list[Row]:
    """Return the doctors whose waitlist the patient can join: nothing open soon, suitable age, not on the list yet."""
    waiting = {row["doctor_id"] for row in desk.of(patient, "waitlist")}
    return [
        doctor
        for doctor in desk.rows["doctors"].values()
        if doctor["doctor_id"] not in waiting
        and doctor["specialty"] in OPEN_TO_ALL
        and desk.fits(patient, doctor)
        and not desk.open_times(doctor["doctor_id"], TODAY, SOON)
    ]


def _joinable(desk: Desk, patient: Row) -> Iterable[str]:
    room = desk.may(patient, "appointments") and len(desk.of(patient, "waitlist")) < 2
    return [doctor["doctor_id"] for doctor in waitable(desk, patient)[:3]] if room else []


def waiting(desk: Desk, patient: Row) -> Iterable[str]:
    """Return the patient's waitlist entries."""
    return [row["entry_id"] for row in desk.of(patient, "waitlist") if desk.may(patient, "appointments")]


def _first_open(desk: Desk, doctor_id: str) -> tuple[str, str]:
    """Return the first future open time."""
    return next(slot for slot in desk.open_times(doctor_id, TODAY) if hours_until(*slot) > 0)


def _open_soon(desk: Desk, patient: Row) -> Iterable[str]:
    """Return the doctors whom the patient could see again, at the very first of their open times."""
    if len(desk.of(patient, "waitlist")) > 1:
        return []
    waited = {row["doctor_id"] for row in desk.of(patient, "waitlist")}
    return [
        key
        for key in may_see_again(desk, patient)
        if key not in waited
        and _first_open(desk, key)[0] <= SOON
        and _first_open(desk, key) in desk.free_times(patient, key, TODAY)
    ]


def _third_list(desk: Desk, patient: Row) -> Iterable[str]:
    full = desk.may(patient, "appointments") and len(desk.of(patient, "waitlist")) == 2
    return [row["doctor_id"] for row in waitable(desk, patient)[:3]] if full else []


JOIN = WishKind(join, _joinable)
JOIN_PLACE = WishKind(join_place, _joinable)
LEAVE = WishKind(leave, waiting)
NOT_CROWDED = WishKind(not_crowded, _open_soon)
TWO_ALREADY = WishKind(two_already, _third_list)
SWAP = WishKind(swap, _third_list)
