"""Callers who change their mind when asked to confirm; gold is what they want in the end."""

from env_server.domains.healthcare.scenarios import phrases
from env_server.domains.healthcare.scenarios.appointments import (
    APPOINTMENTS,
    REASONS,
    look_at_times,
    movable,
    move_call,
    new_time,
)
from env_server.domains.healthcare.scenarios.base import Call
from env_server.domains.healthcare.scenarios.callers import details
from env_server.domains.healthcare.scenarios.files import CHANNELS, CONTACT, SEND, contact_call, send_call
from env_server.domains.healthcare.scenarios.medication import (
    PRESCRIPTIONS,
    REFILL,
    SAME_PHARMACY,
    other_pharmacy,
    refill_call,
)
from env_server.domains.kit import Move, Part, Request, read


def other_time(call: Call) -> Part:
    """Wants one time, then another."""
    row = call.row("appointments")
    slots = call.world.free_times(call.patient, row["doctor_id"], "2026-03-12")
    first, final = call.rng.sample(slots[:20], 2)
    said = phrases.appointment(call, row)
    wish = f"I'd like {phrases.day(first[0])} at {first[1]}."
    revise = f"Sorry, that will not do after all. Please make it {phrases.day(final[0])} at {final[1]}."
    request = Request(
        ask=f"I'd like another time for an appointment{phrases.for_whom(call)}.",
        details=details(call, appointment=said, time=wish),
        revise=revise,
    )
    return Part(
        requests=(request,),
        goal=f"You want to move an appointment {phrases.in_prose(said)} to {phrases.day(first[0])} at {first[1]}. When"
        f" the agent asks you to confirm, you find that {phrases.day(final[0])} at {final[1]} is better.",
        reads=(call.listing(APPOINTMENTS), look_at_times(row["doctor_id"])),
        writes=(move_call(row, final),),
        slots={"appointment": row["appointment_id"], "first": first, "final": final},
    )


def keep_it(call: Call) -> Part:
    """Wants to cancel, then only to move."""
    row, reason = call.row("appointments"), call.rng.choice(list(REASONS))
    slot, wish = new_time(call, row["doctor_id"])
    said = phrases.appointment(call, row)
    revise = f"Wait, please do not cancel it, move it instead. {wish}"
    request = Request(
        ask=f"I think I have to cancel an appointment{phrases.for_whom(call)}.",
        details=details(call, appointment=said, reason=REASONS[reason]),
        revise=revise,
    )
    return Part(
        requests=(request,),
        goal=f"You want to cancel an appointment {phrases.in_prose(said)}. Asked why: {REASONS[reason]} When the agent"
        f" asks you to confirm, you decide to have it moved instead. Asked when: {wish}",
        reads=(call.listing(APPOINTMENTS), look_at_times(row["doctor_id"])),
        writes=(move_call(row, slot),),
        slots={"appointment": row["appointment_id"], "reason": reason, "slot": slot, "wish": wish},
    )


def pharmacy_after_all(call: Call) -> Part:
    """Wants a refill at the usual pharmacy, then at another."""
    row = call.row("prescriptions")
    pharmacy, said = other_pharmacy(call, row["pharmacy_id"]), phrases.prescription(row)
    revise = f"One moment, I shall be away. Please send it to {phrases.pharmacy(pharmacy)} instead."
    request = Request(
        ask=f"I need a refill{phrases.for_whom(call)}.",
        details=details(call, medication=said, pharmacy=SAME_PHARMACY),
        revise=revise,
    )
    return Part(
        requests=(request,),
        goal=f"You want a prescription refilled {phrases.in_prose(said)} at its usual pharmacy. When the agent asks you"
        f" to confirm, you remember that you will be away and want {phrases.pharmacy(pharmacy)} instead.",
        reads=(call.listing(PRESCRIPTIONS), read("search_pharmacies", city=pharmacy["city"])),
        writes=(refill_call(row, pharmacy["pharmacy_id"]),),
        slots={"prescription": row["prescription_id"], "pharmacy": pharmacy["pharmacy_id"]},
    )


def misread_number(call: Call) -> Part:
    """Gives a new telephone number, then corrects it."""
    first, final = call.new_phone(), call.new_phone()
    request = Request(
        ask=f"Please change the phone number on file{phrases.for_whom(call)}.",
        details=details(call, new_phone=f"The new phone number is {first}."),
        revise=f"Oh, I misread it. The right number is {final}.",
    )
    return Part(
        requests=(request,),
        goal=f"You want the phone number on file changed to {first}. When the agent asks you to confirm, you see that"
        f" you misread it: it is {final}.",
        writes=(contact_call(call, {"phone": final}),),
        slots={"first": first, "final": final},
    )


def other_channel(call: Call) -> Part:
    """Wants a lab result sent one way, then another."""
    row = call.row("lab_results")
    first, final = call.rng.sample(list(CHANNELS), 2)
    said = phrases.result(row)
    request = Request(
        ask=f"Please send me a lab result{phrases.for_whom(call)}.",
        details=details(call, result=said, channel=f"Please send it {CHANNELS[first]}."),
        revise=f"On second thoughts, send it {CHANNELS[final]}, and only so.",
    )
    return Part(
        requests=(request,),
        goal=f"You want a lab result {phrases.in_prose(said)} sent {phrases.yours(CHANNELS[first])}. When the agent"
        f" asks you to confirm, you want it {phrases.yours(CHANNELS[final])} instead.",
        reads=(call.listing("get_lab_results"),),
        writes=(send_call(row, final),),
        slots={"result": row["result_id"], "first": first, "final": final},
    )


OTHER_TIME = Move(
    other_time,
    lambda desk, patient: [
        key
        for key in movable(desk, patient)
        if len(desk.free_times(patient, desk.rows["appointments"][key]["doctor_id"], "2026-03-12")) > 1
    ],
)
KEEP_IT = Move(keep_it, movable)
PHARMACY_AFTER_ALL = Move(pharmacy_after_all, REFILL.subjects)
MISREAD_NUMBER = Move(misread_number, CONTACT.subjects)
OTHER_CHANNEL = Move(other_channel, SEND.subjects)
