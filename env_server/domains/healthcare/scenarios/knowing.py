"""Details that callers know of their wishes: visits, doctors, times, medications, results and
others, in many wordings.
"""

from collections.abc import Iterable, Mapping, Sequence

from env_server.domains.healthcare.scenarios import phrases
from env_server.domains.healthcare.scenarios.base import Case
from env_server.domains.kit import Form, Known, Row, full_name, listed, spoken


def drawn(call: Case, bank: Sequence[str], **values: str) -> str:
    """Return one wording of a bank with the values filled in."""
    return call.voice.pick(*bank).format(**values)


_DATED = (
    "It is the one on {day} with {doctor}.",
    "The one on {day}, with {doctor}.",
    "I mean the visit to {doctor} on {day}.",
    "That would be {doctor}, on {day}.",
    "It is booked with {doctor} for {day}.",
    "The visit is on {day}, and {doctor} is the doctor.",
    "On {day} we have a date with {doctor}; that one.",
    "{doctor}, {day}.",
    "Look for {day}: the doctor there is {doctor}.",
    "You should see it under {day}, at {doctor}'s.",
    "It was made for {day}, to see {doctor}.",
)
_UNDATED = (
    "It is the next one with {doctor}.",
    "The coming visit to {doctor}.",
    "I mean the one that is booked with {doctor}.",
    "The doctor is {doctor}; it is the one still to come.",
    "It is with {doctor}. I do not have the day at hand.",
    "The one with {doctor} that is coming up.",
    "That would be the visit {doctor} has down.",
    "Whatever is booked with {doctor} next.",
    "{doctor} is the doctor; the date has slipped my mind.",
    "The booking with {doctor}, I cannot say when it is.",
)


def appointment(call: Case, row: Row) -> Known:
    """Return an appointment by day and doctor. The caller knows no id, so the agent must read the list."""
    who = call.world.doctor(row)
    text = drawn(call, _DATED, day=spoken(row["date"]), doctor=phrases.doctor(who))
    return Known(text, says=(who["name"]["last_name"], row["date"]), others=_other_doctors(call, row))


def next_visit(call: Case, row: Row) -> Known:
    """Return an appointment by its doctor alone. The list shows day and time."""
    who = call.world.doctor(row)
    text = drawn(call, _UNDATED, doctor=phrases.doctor(who))
    return Known(text, says=(who["name"]["last_name"],), others=_other_doctors(call, row))


def _other_doctors(call: Case, row: Row) -> tuple[str, ...]:
    """Return the doctors of the patient's other future visits."""
    others = {other["doctor_id"] for other in call.world.scheduled(call.patient)} - {row["doctor_id"]}
    return tuple(sorted(call.world.rows["doctors"][key]["name"]["last_name"] for key in others))


_DOCTOR = (
    "It is with {doctor}, {field}.",
    "With {doctor}, in {field}.",
    "{doctor}, {field}.",
    "The doctor is {doctor}, of {field}.",
    "I mean {doctor} from {field}.",
    "It should be {doctor}; the field is {field}.",
    "In {field}, and the name is {doctor}.",
    "I have {doctor} in mind, who does {field}.",
    "{field} is the field, {doctor} the doctor.",
    "The name I have is {doctor}, for {field}.",
    "{doctor} it is, over in {field}.",
)
_LISTED = (
    "It is the waitlist of {doctor}.",
    "{doctor}'s waitlist.",
    "The list for {doctor}.",
    "I mean the waitlist to see {doctor}.",
    "That of {doctor}.",
    "The doctor waited for is {doctor}.",
    "It is for {doctor}.",
    "The one that leads to {doctor}.",
    "It is {doctor} whom there is no need to wait for.",
    "The place is with {doctor}.",
)


def doctor(call: Case, row: Row) -> Known:
    """Return a doctor by name and specialty."""
    text = drawn(call, _DOCTOR, doctor=phrases.doctor(row), field=phrases.specialty(row["specialty"]))
    return Known(text[0].upper() + text[1:], says=(row["name"]["last_name"],))


def waited_for(call: Case, row: Row) -> Known:
    """Return a doctor whose waitlist the patient is on. The caller knows the patient's other waitlists."""
    mine = {entry["doctor_id"] for entry in call.world.of(call.patient, "waitlist")} - {row["doctor_id"]}
    others = tuple(sorted(call.world.rows["doctors"][key]["name"]["last_name"] for key in mine))
    return Known(drawn(call, _LISTED, doctor=phrases.doctor(row)), says=(row["name"]["last_name"],), others=others)


_AT = (
    "I'd like {day} at {time}.",
    "{day} at {time}, please.",
    "Could it be {day}, {time}?",
    "At {time} on {day}.",
    "The time that suits me is {time} on {day}.",
    "Please make it {day} at {time}.",
    "It has to be {day}, at {time}.",
    "I can come on {day} at {time}.",
    "{day}, {time} would be perfect.",
    "My choice is {time} on {day}.",
    "For me it is {day}, and {time} o'clock sharp.",
)
_FROM = (
    "I'd like the very first open time on {day} or later.",
    "The earliest open time from {day} on.",
    "Whatever is open first, counting from {day}.",
    "From {day} on, and then the first time there is.",
    "Please take the first open time, but none before {day}.",
    "As early as possible, but on {day} at the earliest.",
    "Not before {day}; after that the first one open.",
    "Starting with {day}, the first free time.",
    "{day} or after, whichever open time comes first.",
    "The soonest you have, as long as it is {day} or later.",
)
SOONEST = (
    "I'd like the very first open time there is.",
    "As soon as possible: the first open time.",
    "The earliest open time of all, please.",
    "Whatever is open first.",
    "The first time that is free, whenever that is.",
    "Just the next open time.",
    "The soonest you have, be it day or hour.",
    "The very next free time will do.",
)


def at(call: Case, slot: tuple[str, str]) -> Known:
    """Return a day and hour."""
    text = drawn(call, _AT, day=spoken(slot[0]), time=slot[1]).replace(f"{slot[1]} o'clock", slot[1])
    return Known(text, says=(slot,))


def first_from(call: Case, start: str) -> Known:
    """Return the first open time from some day on. Only the doctor's days show it."""
    return Known(drawn(call, _FROM, day=spoken(start)))


_KIND = (
    "It would be a {kind}.",
    "A {kind}.",
    "Just a {kind}.",
    "What is needed is a {kind}.",
    "A {kind}, that is all.",
    "It is for a {kind}.",
    "I think you call it a {kind}.",
    "Put it down as a {kind}, please.",
    "The kind of visit is a {kind}.",
)
_NEW_HERE = (
    "We have not met before.",
    "It would be the very first time with this doctor.",
    "No, never been to this doctor.",
    "This doctor has not seen us yet.",
    "There was no visit with that doctor so far.",
    "It is all new: no visit there until now.",
    "The doctor does not know us.",
    "It would be a first meeting.",
)


_FOLLOWING_UP = ("for a follow-up", "a follow-up visit", "a follow-up appointment", "as a follow-up")
"""The usual kind of visit with a doctor whom the caller knows, where they want another kind."""


def visit(call: Case, visit_type: str) -> Known:
    """Return the kind of visit. For a first visit, callers only know that they have not met the doctor."""
    if visit_type == "new_patient":
        return Known(drawn(call, _NEW_HERE))
    kind = phrases.visit(visit_type)
    text = drawn(call, _KIND, kind=kind).replace(" a annual", " an annual").replace("A annual", "An annual")
    short = "procedure" if visit_type == "procedure" else kind.split()[0]
    others = ("as a new patient", "new patient visit", "new-patient visit")
    return Known(text, says=(kind, short), others=(*others, *(_FOLLOWING_UP if visit_type != "follow_up" else ())))


_MEDICATION = (
    "It is {name} {strength}.",
    "{name} {strength}.",
    "The {name}, {strength}.",
    "I mean the {name} {strength}.",
    "It says {name} {strength} on the box.",
    "That is {name}, {strength}.",
    "The medication is {name} {strength}.",
    "{name}, the {strength} kind.",
    "The label reads {name} {strength}.",
    "What I mean is {name} at {strength}.",
    "The one called {name}, {strength}.",
)


def medication(call: Case, row: Row) -> Known:
    """Return a prescription by name and strength, with the patient's others as wrong ones."""
    text = drawn(call, _MEDICATION, name=row["medication"], strength=row["strength"])
    mine = [_short(r) for r in call.world.of(call.patient, "prescriptions") if r is not row]
    return Known(text, says=(_short(row),), others=tuple(name for name in mine if name != _short(row)))


def _short(row: Row) -> str:
    """Return the common name of a medication: the name without its form."""
    return str(row["medication"]).split()[0]


_SAME_PHARMACY = (
    "Please use the pharmacy that is on the prescription.",
    "The usual pharmacy, the one on the prescription.",
    "Where it always goes.",
    "At the pharmacy the prescription names.",
    "No change there: the pharmacy on the prescription.",
    "The same pharmacy as ever.",
    "The pharmacy it is written for.",
    "Leave the pharmacy as it is on the prescription.",
)
_PHARMACY = (
    "Please send it to {pharmacy}.",
    "To {pharmacy}, please.",
    "It should go to {pharmacy}.",
    "I would pick it up at {pharmacy}.",
    "{pharmacy}.",
    "At {pharmacy}.",
    "I have {pharmacy} in mind.",
    "The one I mean is {pharmacy}.",
    "My choice would be {pharmacy}.",
    "Let it be {pharmacy}.",
)


def same_pharmacy(call: Case) -> Known:
    """Return the pharmacy on the prescription, which callers do not name."""
    return Known(drawn(call, _SAME_PHARMACY))


def pharmacy(call: Case, row: Row) -> Known:
    """Return a pharmacy by name and town."""
    text = drawn(call, _PHARMACY, pharmacy=phrases.pharmacy(row))
    return Known(text[0].upper() + text[1:], says=place(row))


def place(row: Row) -> tuple[Form, ...]:
    """Return the forms of a pharmacy: its name with its town."""
    own = row["name"].removeprefix(row["city"]).removesuffix("Pharmacy").strip()
    return ((own, row["city"]),)


_RESULT = (
    "It is the {test}, from the sample taken on {day}.",
    "The {test} of {day}.",
    "The {test}; the sample was taken on {day}.",
    "I mean the {test} from {day}.",
    "It is about the {test}, drawn on {day}.",
    "On {day} a sample was taken for the {test}; that one.",
    "It says {test}, sample of {day}.",
    "The test is the {test}, done on {day}.",
    "The sample went in on {day}, for the {test}.",
    "They took it on {day}; it is the {test}.",
)


def result(call: Case, row: Row) -> Known:
    """Return a lab result by test and day, with the patient's others as wrong ones."""
    text = drawn(call, _RESULT, test=row["test"], day=spoken(row["collected_on"]))
    mine = [r["test"] for r in call.world.of(call.patient, "lab_results") if r is not row]
    return Known(text, says=(row["test"],), others=tuple(test for test in mine if test != row["test"]))


_CHANNEL = {
    "portal": (
        "Please send it to my account at the portal.",
        "To the portal.",
        "Put it into the portal account.",
        "The patient portal is where I look.",
        "I'd like to see it in the portal.",
        "In the portal, please.",
        "Over the portal would be best.",
        "The portal will do nicely.",
    ),
    "email": (
        "Please send it by email.",
        "By email.",
        "Email is best.",
        "To the email address on file.",
        "I read my email, so that way.",
        "Just email it.",
        "An email would be the easiest.",
        "Over email, please.",
    ),
    "mail": (
        "Please send it by ordinary mail.",
        "By post, on paper.",
        "On paper, in the mailbox at home.",
        "As a letter, please.",
        "By postal mail.",
        "In an envelope, by regular mail.",
        "The old way: as a letter in the post.",
        "I want it on paper, so by post.",
    ),
}
_POST: tuple[Form, ...] = (
    "ordinary mail", "postal mail", "regular mail", "by mail", "by post", "letter", "paper", "postal address",
    "mailing address", "mail", "post", "home address",
)  # fmt: skip
_WAYS: Mapping[str, tuple[Form, ...]] = {"portal": ("portal",), "email": ("email", "e-mail"), "mail": _POST}
_NOT_SO = {
    "portal": ("email", "e-mail", "by mail", "postal mail", "letter"),
    "email": ("portal", "by mail", "postal mail", "letter"),
    "mail": ("portal", "email", "e-mail"),
}
CHANNELS = tuple(_CHANNEL)
"""The channels for sending a result."""


def channel(call: Case, name: str) -> Known:
    """Return the channel for sending a result."""
    return Known(drawn(call, _CHANNEL[name]), says=_WAYS[name], others=_NOT_SO[name])


_INSURANCE = (
    "The plan is {plan}, member number {member}.",
    "{plan}, and the member number is {member}.",
    "It is {plan}; the card says {member}.",
    "On the card it says {plan}, number {member}.",
    "The new plan is called {plan}, and I am member {member}.",
    "Member number {member}, with {plan}.",
    "It reads {plan} and below that {member}.",
    "{plan} is the name, {member} the number.",
    "I have number {member} here, for {plan}.",
    "My card shows {member}; the plan goes by {plan}.",
)


def insurance(call: Case, plan: Row, member: str) -> Known:
    """Return a new plan and its member number. Callers know the names of other plans and of their own."""
    now = call.patient["insurance"]["plan_id"]
    others = [row["name"] for key, row in call.world.rows["plans"].items() if key not in {now, plan["plan_id"]}]
    text = drawn(call, _INSURANCE, plan=plan["name"], member=member)
    return Known(text, says=((plan["name"], member),), others=tuple(others))


_SPECIALTY = (
    "The referral would be to {field}.",
    "To {field}.",
    "It is for {field}.",
    "For a visit in {field}.",
    "{field}.",
    "To a {physician}.",
    "A {physician} is who is needed.",
    "It should lead to {field}.",
    "The {physician}, in other words {field}.",
    "The field is {field}.",
    "So that a {physician} can be seen.",
)


def specialty(call: Case, name: str) -> Known:
    """Return a specialty, or the title of its doctors."""
    text = drawn(call, _SPECIALTY, field=phrases.specialty(name), physician=phrases.physician(name))
    for vowel in "eo":
        text = text.replace(f" a {vowel}", f" an {vowel}").replace(f"A {vowel}", f"An {vowel}")
    return Known(text[0].upper() + text[1:], says=(phrases.specialty(name), phrases.physician(name)))


_PERSON = (
    "It is {name}, born on {day}, my {relationship}.",
    "My {relationship}, {name}, born on {day}.",
    "{name}, my {relationship}. The date of birth is {day}.",
    "The name is {name}, born {day}; that is my {relationship}.",
    "I mean my {relationship}. The name is {name}, the birthday {day}.",
    "{name}, who is my {relationship} and was born on {day}.",
    "That is my {relationship}: {name}, date of birth {day}.",
    "My {relationship} goes by {name} and was born on {day}.",
    "Born on {day}, {name} by name, and my {relationship}.",
    "You would write {name}, {day}; it is my {relationship}.",
)


def person(call: Case, name: Row, dob: str, relationship: str) -> Known:
    """Return a person who speaks, or is to speak, for the patient."""
    kin = relationship.replace("_", " ")
    text = drawn(call, _PERSON, name=full_name(name), day=spoken(dob), relationship=kin)
    return Known(text, says=(full_name(name), name["first_name"]))


_SCOPE = (
    "It is for these matters and no others: {scopes}.",
    "For {scopes}, and nothing else.",
    "Only {scopes}.",
    "Just for {scopes}.",
    "The matters are {scopes}; nothing more.",
    "It should cover {scopes} and no more than that.",
    "{scopes}, that is all.",
    "Limit it to {scopes}.",
    "Nothing but {scopes}.",
    "What it is about: {scopes}, and there it ends.",
)


def scope(call: Case, scopes: Sequence[str], every: Iterable[str]) -> Known:
    """Return the matters about which a person may speak."""
    text = drawn(call, _SCOPE, scopes=listed(scopes))
    singular = tuple(name.removesuffix("s") for name in scopes)
    others = tuple(name.removesuffix("s") for name in every if name not in scopes)
    return Known(text[0].upper() + text[1:], says=(singular,), others=others)


_NO_END = (
    "I have no particular last day in mind.",
    "There is no last day that I would name.",
    "Until whenever your rules say.",
    "No end date from my side.",
    "As long as it can last.",
    "I have not thought of an end to it.",
    "For as long as you allow.",
    "I leave the last day to you.",
)
_END = (
    "It should end on {day}.",
    "Until {day}.",
    "The last day is {day}.",
    "Up to and including {day}.",
    "{day} is when it should stop.",
    "It is to last to {day}.",
    "After {day} it should be over.",
    "Let {day} be its last day.",
)


def until(call: Case, end: str | None) -> Known:
    """Return the last day of a consent if the caller names one."""
    if end is None:
        return Known(drawn(call, _NO_END))
    return Known(drawn(call, _END, day=spoken(end)), says=(end,))
