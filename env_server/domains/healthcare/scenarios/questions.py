"""Wishes for a value that the agent looks up or computes and then tells. Some include a change."""

from collections.abc import Callable, Iterable, Sequence

from env_server.domains.healthcare.clock import TODAY
from env_server.domains.healthcare.scenarios import changes, knowing, phrases
from env_server.domains.healthcare.scenarios.appointments import (
    APPOINTMENTS,
    FIRST_DAYS,
    cancel_call,
    known,
    look_at_times,
)
from env_server.domains.healthcare.scenarios.base import Case, Desk, due_on, is_late
from env_server.domains.healthcare.scenarios.bringing import bring
from env_server.domains.healthcare.scenarios.files import released
from env_server.domains.healthcare.scenarios.medication import PRESCRIPTIONS, prescribed
from env_server.domains.healthcare.scenarios.reasons import CHARGED, reason_given
from env_server.domains.kit import Details, GoldCall, Known, Row, Tell, Want, Wish, WishKind, money, read, spoken, told

OWING = ("owe", "owed", "owes", "owing", "balance", "due", "outstanding", "unpaid", "to pay", "open amount")
COSTING = (
    "pay",
    "cost",
    "costs",
    "price",
    "share",
    "out of pocket",
    "charge",
    "own part",
    "part",
    "come to",
    "comes to",
)

COPAY_SUM = (
    "know what the copays of all the visits booked come to",
    "hear the sum of the copays for all visits to come",
    "find out what all the copays of the booked visits make together",
    "learn the total of the copays that are coming up",
    "have the copays of all visits ahead added up",
    "know how much the copays of the coming visits are, taken together",
    "have one figure for the copays of everything that is booked",
    "be told what I pay in copays for all the visits ahead",
    "get the copays of the scheduled visits as one sum",
)
PROCEDURE_PRICE = (
    "know what I would have to pay myself for a procedure",
    "find out my own part of the cost of a procedure",
    "hear what a procedure would cost me",
    "learn what a procedure comes to for me, after the insurance",
    "know my share of the price of a procedure",
    "be told how much of a procedure I pay out of pocket",
    "get a figure for what a procedure leaves me to pay",
    "work out what a procedure leaves me to pay in the end",
    "hear how much a procedure takes out of my own pocket",
)
LAB_NUMBER = (
    "know a value from a lab result",
    "hear one number from a lab result",
    "find out a value in some lab work",
    "be told a figure from a lab report",
    "learn a certain value of a test",
    "have a number from a lab result read out",
    "get one value out of a laboratory report",
    "hear what a test showed for one value",
    "know a particular number from some blood work",
)
AMOUNT_OWED = (
    "know how much is still owed to you",
    "hear what there is left to pay",
    "find out the amount that is owed",
    "learn what the open balance is",
    "be told how much I still have to pay you",
    "know what the unpaid fees come to",
    "get the figure that is outstanding",
    "hear the balance of the account",
    "know where things stand with what is owed",
)
REFILL_DATE = (
    "know from which day on a prescription can be refilled",
    "find out when a refill is possible at the earliest",
    "hear the first day on which a prescription can be filled again",
    "learn the date from which a refill may be had",
    "be told when a medication can be refilled",
    "know the earliest date for the next refill",
    "get the first date that a refill is allowed on",
    "hear how soon a prescription may be filled anew",
    "know as of which date I can ask for a refill",
)
OPEN_DAY = (
    "know the first day with an open time with a doctor, after {day}",
    "find out on which day a doctor has the first open time after {day}",
    "hear when a doctor first has time, later than {day}",
    "learn the first day that is open with a doctor once {day} is over",
    "be told the first day after {day} on which a doctor has something open",
    "know when a doctor has time next, counting from the day after {day}",
    "get the date of a doctor's first open day past {day}",
    "hear of the first free day a doctor has beyond {day}",
    "know which day comes first with a doctor when {day} has gone by",
)
CANCELS_AND_ASKS = (
    "cancel an appointment and hear what is owed to you altogether then",
    "call off an appointment, and be told what I owe in all afterwards",
    "have an appointment cancelled and know the balance after that",
    "give up an appointment and learn what there is to pay in all then",
    "get out of an appointment and hear the whole amount that is owed then",
    "cancel a visit and find out what is owed in total once that is done",
    "drop an appointment and be told the full balance that leaves",
    "let a booked visit go and hear the sum that is then outstanding",
    "strike out a visit, and know what I owe you altogether after it",
)
EMERGENCIES = (
    "know what to do: I have had a crushing pain in my chest since this morning",
    "get help, as I can hardly breathe",
    "know what to do, because one side of my face has been numb since this morning",
    "be told what to do about a heavy bleeding that will not stop",
    "get advice on a sudden strong pain in the chest",
    "know where to turn: I get no air and it is getting worse",
    "get seen today: my speech has been slurred since I woke up",
    "have somebody look at a pressure on my chest that started an hour ago",
    "find out what to do, for I suddenly cannot move my left arm",
)


def _question(
    call: Case, said: Sequence[str], own: Details, value: tuple[Want, Tell], proof: tuple[GoldCall, ...]
) -> Wish:
    """Return a question. The caller agrees to no change and waits for `value`, which only the
    look-ups in `proof` show.
    """
    want, tell = value
    brought = bring(call, said, own, wants=[want])
    slots = {"subject": call.subject, "asks": [brought.request.ask, *brought.request.details.values()]}
    return Wish((brought.request,), brought.prose, proof=proof, tells=(tell,), slots=slots)


_ALL = (
    "All of those that are still to come.",
    "Every visit that is booked.",
    "All that are on the calendar.",
    "The whole lot: everything ahead.",
    "All coming ones together.",
    "Each one that has yet to take place.",
    "Whatever is booked, all of it.",
)


def copays(call: Case) -> Wish:
    """Ask for the total copay of all future visits."""
    total = money(sum(row["copay"] for row in call.world.scheduled(call.patient)))
    says = f"The copays of the scheduled appointments come to ${total} in total."
    own = {"appointment": knowing.drawn(call, _ALL)}
    return _question(call, COPAY_SUM, own, told(total, says, "copay", "co-pay"), (call.listing(APPOINTMENTS),))


_PROCEDURE = (
    "It is the procedure called {name}.",
    "{name}.",
    "It goes by the name of {name}.",
    "They call it {name}.",
    "The doctor wrote down {name}.",
    "My note says {name}.",
    "The name of it is {name}.",
    "I have it here as {name}.",
    "On the slip it reads {name}.",
)


def procedure_cost(call: Case) -> Wish:
    """Ask for the patient's cost of a procedure."""
    procedure = call.row("procedures")
    cost = money(own_cost(call.world, call.patient, procedure))
    says = f"For the procedure ({procedure['name']}) you would pay ${cost} yourself."
    own = {"procedure": knowing.drawn(call, _PROCEDURE, name=procedure["name"])}
    look = read("check_coverage", patient_id=call.patient_id, procedure_code=procedure["code"])
    return _question(call, PROCEDURE_PRICE, own, told(cost, says, *COSTING), (look,))


def own_cost(desk: Desk, patient: Row, procedure: Row) -> float:
    """Return the patient's part of a procedure's price, by rule 22 of the policy."""
    coverage = desk.plan(patient)["procedures"].get(procedure["code"])
    price = float(procedure["price"])
    if coverage is None or not coverage["covered"]:
        return price
    first = min(price, float(patient["insurance"]["deductible_left"]))
    return first + (price - first) * float(coverage["coinsurance_percent"]) / 100


_VALUE = (
    "I'd like to know the {name}.",
    "The {name}.",
    "It is the {name} that I want.",
    "The value called {name}.",
    "Just the {name}.",
    "The {name} is the one.",
    "What matters to me is the {name}.",
    "I am after the {name}.",
    "Please look at the {name}.",
)


def lab_value(call: Case) -> Wish:
    """Ask for one value of a released lab result."""
    row = call.row("lab_results")
    measured = call.rng.choice(row["values"])
    own = {
        "result": knowing.result(call, row).text,
        "value": knowing.drawn(call, _VALUE, name=measured["name"]),
    }
    number = f"{measured['value']:g}"
    says = f"The {measured['name']} in the {row['test']} is {number} {measured['unit']}."
    look = (call.listing("get_lab_results"),)
    return _question(call, LAB_NUMBER, own, told(number, says, measured["name"], row["test"]), look)


def owed(call: Case) -> Wish:
    """Ask for the patient's balance due."""
    balance = money(call.patient["balance"])
    look = (read("get_patient_info", patient_id=call.patient_id),)
    return _question(call, AMOUNT_OWED, {}, told(balance, f"The balance owed is ${balance}.", *OWING), look)


def refill_day(call: Case) -> Wish:
    """Ask from which day on a prescription can be refilled."""
    row = call.row("prescriptions")
    day = due_on(row)
    says = f"The {row['medication']} can be refilled from {spoken(day)} on."
    value = told(day, says, "refill", "refilled", "filled", "fill", row["medication"], kind="date")
    own = {"medication": knowing.medication(call, row).text}
    return _question(call, REFILL_DATE, own, value, (call.listing(PRESCRIPTIONS),))


def first_open_day(call: Case) -> Wish:
    """Ask for the first day with an open time of a doctor. The caller does not name this day."""
    doctor, start = call.row("doctors"), call.rng.choice(FIRST_DAYS[2:5])
    day = next(date for date, _ in call.world.open_times(doctor["doctor_id"], start) if date > start)
    says = f"The first day with an open time with {phrases.doctor(doctor)} after that is {spoken(day)}."
    value = told(day, says, "open", "opening", "available", "availability", "free", "first", "slot", kind="date")
    said = [phrase.format(day=spoken(start)) for phrase in OPEN_DAY]
    own = {"doctor": knowing.doctor(call, doctor).text}
    return _question(call, said, own, value, (look_at_times(doctor["doctor_id"]),))


FEE_OR_NO = (
    "If there is a fee, I will pay it.",
    "A fee is all right.",
    "I can live with a fee.",
    "Charge what has to be charged.",
    "If it costs a fee, so be it.",
    "I accept a fee where there is one.",
    "Should a fee be due, I will pay.",
    "With a fee, if it must be.",
)
FEE: tuple[str, ...] = ("fee", "charge", "charged", "40", "40.00")
"""The forms in which a proposal names the fee for a late cancellation."""


def cancel_late(call: Case) -> Wish:
    """Cancel late, pay the fee, and hear the resulting balance."""
    row, reason = call.row("appointments"), call.rng.choice(CHARGED)
    after = money(call.patient["balance"] + 40)
    want, tell = told(
        after, f"The balance owed is now ${after} altogether.", *OWING, "altogether", "in total", "in all"
    )
    own = {
        "appointment": knowing.appointment(call, row),
        "reason": reason_given(call, reason),
        "fee": Known(call.voice.pick(*FEE_OR_NO), says=FEE),
    }
    changed = changes.cancelling(call.world.doctor(row), row["date"], fee=True)
    brought = bring(call, CANCELS_AND_ASKS, own, changed, wants=[want])
    return Wish(
        requests=(brought.request,),
        goal=brought.prose,
        proof=(call.listing(APPOINTMENTS),),
        writes=(cancel_call(row, reason, fee=True),),
        tells=(tell,),
        slots={"appointment": row["appointment_id"], "reason": reason},
    )


def emergency(call: Case) -> Wish:
    """The caller has an emergency that only the emergency number can handle. Nothing is booked or moved."""
    value = told("911", "Please hang up and call 911 now.", "call", "dial", "emergency", "ring", "hang up")
    return _question(call, EMERGENCIES, {}, value, ())


def _told(scopes: tuple[str, ...], fits: Callable[[Desk, Row], Iterable[str]]) -> Callable[[Desk, Row], Iterable[str]]:
    return lambda desk, patient: fits(desk, patient) if all(desk.may(patient, s) for s in scopes) else []


def _some_procedures(desk: Desk, patient: Row) -> Iterable[str]:
    codes, start = list(desk.rows["procedures"]), int(patient["patient_id"][1:])
    return [codes[(start + 5 * i) % len(codes)] for i in range(4)]


def _late_for_a_fee(desk: Desk, patient: Row) -> Iterable[str]:
    if not patient["balance"]:
        return []
    return [row["appointment_id"] for row in desk.scheduled(patient) if is_late(row)]


def _soon_due(_: Desk, __: Row, row: Row) -> bool:
    return bool(
        row["status"] == "active"
        and not row["controlled"]
        and row["refills_left"] > 0
        and TODAY < due_on(row) <= row["expires_on"]
    )


COPAYS = WishKind(
    copays, _told(("appointments", "insurance"), lambda desk, p: [""] if len(desk.scheduled(p)) > 1 else [])
)
PROCEDURE_COST = WishKind(procedure_cost, _told(("insurance",), _some_procedures))
LAB_VALUE = WishKind(lab_value, released)
OWED = WishKind(owed, _told(("insurance",), lambda _, patient: [""] if patient["balance"] else []))
REFILL_DAY = WishKind(refill_day, prescribed(_soon_due))
FIRST_OPEN_DAY = WishKind(
    first_open_day,
    _told(
        ("appointments",),
        lambda desk, p: [d["doctor_id"] for d in known(desk, p) if desk.open_times(d["doctor_id"], FIRST_DAYS[5])],
    ),
)
CANCEL_LATE = WishKind(cancel_late, _told(("appointments", "insurance"), _late_for_a_fee))
EMERGENCY = WishKind(emergency, lambda desk, patient: [""] if desk.speaker(patient) is None else [])
