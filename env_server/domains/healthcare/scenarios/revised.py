"""Callers who change their mind when the agent asks for confirmation. Gold is the final wish."""

from env_server.domains.healthcare.scenarios import changes, knowing, phrases
from env_server.domains.healthcare.scenarios.appointments import (
    APPOINTMENTS,
    MOVES,
    look_at_times,
    movable,
    move_call,
)
from env_server.domains.healthcare.scenarios.base import FIRST_DAY, Case
from env_server.domains.healthcare.scenarios.bringing import bring
from env_server.domains.healthcare.scenarios.files import (
    CHANNELS,
    CONTACT,
    CONTACTS,
    SEND,
    SENDS,
    contact_call,
    send_call,
)
from env_server.domains.healthcare.scenarios.knowing import drawn
from env_server.domains.healthcare.scenarios.medication import (
    PRESCRIPTIONS,
    REFILL,
    REFILLS_ELSEWHERE,
    other_pharmacy,
    refill_call,
)
from env_server.domains.kit import Known, Wish, WishKind, capital, read, spoken

_TIME = (
    "Sorry, that will not do after all. Please make it {day} at {time}.",
    "Wait, I have just seen that I am busy then. {day} at {time} would be right.",
    "No, hold on: {day} at {time} is better.",
    "Oh, I mixed up the days. I need {day}, {time}.",
    "On second thoughts, let us say {day} at {time}.",
    "Hm, come to think of it, {time} on {day} suits me more.",
    "I am sorry, I have to change that: {day} at {time}, please.",
    "Stop, not then. It should be {time} on {day}.",
)
_PLACE = (
    "One moment, I shall be away. Please send it to {pharmacy} instead.",
    "Wait, {pharmacy} would be better after all.",
    "No, sorry: make it {pharmacy}.",
    "Oh, I will be in another town then, so please use {pharmacy}.",
    "On second thoughts, {pharmacy} is closer to me.",
    "Hm, let us take {pharmacy} in its place.",
    "I have to correct that: it should go to {pharmacy}.",
    "Hold on, {pharmacy} suits me more.",
)
_NUMBER = (
    "Oh, I misread it. The right number is {new}.",
    "Wait, that was the old one. It is {new}.",
    "Sorry, I mixed up the digits: {new} is right.",
    "No, I got that wrong. Please take {new}.",
    "Hold on, it should be {new}.",
    "I have to correct myself: it is {new}.",
    "Hm, I looked at the wrong line. The number is {new}.",
    "Stop, that is not it; {new} is the one.",
)
_WAY = {
    "portal": (
        "On second thoughts, put it into the portal, and only there.",
        "Wait, the portal is better. Only the portal, please.",
        "No, make it the portal instead.",
        "Oh, I would rather have it in the portal.",
        "Hm, the portal after all, and nowhere else.",
        "Hold on, let it be the portal instead.",
    ),
    "email": (
        "On second thoughts, send it by email, and only so.",
        "Wait, email is better. Only email, please.",
        "No, make it an email instead.",
        "Oh, I would rather have it by email.",
        "Hm, by email after all, and no other way.",
        "Hold on, let it be email instead.",
    ),
    "mail": (
        "On second thoughts, send it as a letter, and only so.",
        "Wait, by post is better. Only by post, please.",
        "No, make it a letter instead.",
        "Oh, I would rather have it on paper, by post.",
        "Hm, as a letter after all, and no other way.",
        "Hold on, let it be the post instead, on paper.",
    ),
}


def other_time(call: Case) -> Wish:
    """The caller wants one time, then another."""
    row = call.row("appointments")
    slots = call.world.free_times(call.patient, row["doctor_id"], FIRST_DAY)
    first, final = call.rng.sample(slots[:20], 2)
    brought = bring(
        call,
        MOVES,
        {"appointment": knowing.appointment(call, row), "time": knowing.at(call, first)},
        changes.moving(call.world.doctor(row), final),
        revise=drawn(call, _TIME, day=spoken(final[0]), time=final[1]),
        revised={"time": knowing.at(call, final)},
    )
    return Wish(
        requests=(brought.request,),
        goal=brought.prose,
        reads=(call.listing(APPOINTMENTS), look_at_times(row["doctor_id"])),
        writes=(move_call(row, final),),
        slots={"appointment": row["appointment_id"], "first": first, "final": final},
    )


def pharmacy_after_all(call: Case) -> Wish:
    """The caller wants a refill at one pharmacy, then at another."""
    row = call.row("prescriptions")
    first = other_pharmacy(call, row["pharmacy_id"])
    final = other_pharmacy(call, row["pharmacy_id"], first["pharmacy_id"])
    brought = bring(
        call,
        REFILLS_ELSEWHERE,
        {"medication": knowing.medication(call, row), "pharmacy": knowing.pharmacy(call, first)},
        changes.refilling(row, final),
        revise=capital(drawn(call, _PLACE, pharmacy=phrases.pharmacy(final))),
        revised={"pharmacy": knowing.pharmacy(call, final)},
    )
    return Wish(
        requests=(brought.request,),
        goal=brought.prose,
        reads=(call.listing(PRESCRIPTIONS), read("search_pharmacies", city=final["city"])),
        writes=(refill_call(row, final["pharmacy_id"]),),
        slots={"prescription": row["prescription_id"], "first": first["pharmacy_id"], "final": final["pharmacy_id"]},
    )


def misread_number(call: Case) -> Wish:
    """The caller gives a new telephone number, then corrects it."""
    first, final = call.new_phone(), call.new_phone()
    brought = bring(
        call,
        [phrase.format(what="phone number") for phrase in CONTACTS],
        {"new_phone": Known(f"The new phone number is {first}.", says=(first,))},
        changes.contacting("new_phone", {"phone": final}),
        revise=drawn(call, _NUMBER, new=final),
        revised={"new_phone": Known(f"The new phone number is {final}.", says=(final,), others=(first,))},
    )
    return Wish(
        requests=(brought.request,),
        goal=brought.prose,
        writes=(contact_call(call, {"phone": final}),),
        slots={"first": first, "final": final},
    )


def other_channel(call: Case) -> Wish:
    """The caller wants a lab result sent one way, then another."""
    row = call.row("lab_results")
    first, final = call.rng.sample(CHANNELS, 2)
    brought = bring(
        call,
        SENDS,
        {"result": knowing.result(call, row), "channel": knowing.channel(call, first)},
        changes.sending(row, final),
        revise=drawn(call, _WAY[final]),
        revised={"channel": knowing.channel(call, final)},
    )
    return Wish(
        requests=(brought.request,),
        goal=brought.prose,
        reads=(call.listing("get_lab_results"),),
        writes=(send_call(row, final),),
        slots={"result": row["result_id"], "first": first, "final": final},
    )


OTHER_TIME = WishKind(
    other_time,
    lambda desk, patient: [
        key
        for key in movable(desk, patient)
        if len(desk.free_times(patient, desk.rows["appointments"][key]["doctor_id"], FIRST_DAY)) > 1
    ],
)
PHARMACY_AFTER_ALL = WishKind(pharmacy_after_all, REFILL.subjects)
MISREAD_NUMBER = WishKind(misread_number, CONTACT.subjects)
OTHER_CHANNEL = WishKind(other_channel, SEND.subjects)
