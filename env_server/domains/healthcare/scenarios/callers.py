"""The callers, their knowledge, and the calls that identify them."""

from env_server.domains.healthcare.scenarios import phrases
from env_server.domains.healthcare.scenarios.base import Case
from env_server.domains.kit import Caller, GoldCall, Row, full_name, prose, read, spoken

_TOLD = {"phone": "phone number", "zip": "zip code"}


def caller(call: Case, strict: bool) -> Caller:
    """Return the patient, or the person who speaks for them. Each knows the patient's name, birthday and one or both
    second factors.
    """
    patient, speaker = call.patient, call.speaker
    who = speaker or patient
    second = second_factors(call)
    name, born = full_name(who["name"]), spoken(who["dob"])
    told = [f"your {_TOLD[k]} is {v}" if not speaker else f"the {_TOLD[k]} on file is {v}" for k, v in second.items()]
    about = f" {_about(speaker, patient)}" if speaker else ""
    known = _of_another(call, speaker) if speaker else second
    return Caller(
        introduction=prose.introduced(call.voice, name, [f"you were born on {born}", *told], ["patient id"]) + about,
        facts={"name": name, "dob": born} | known,
        unknown=tuple(k for k in ("phone", "zip", "user_id") if k not in second),
        sign_in=sign_in(call),
    )


def _about(consent: Row, patient: Row) -> str:
    relation = phrases.relation(consent).replace("my ", "your ").replace(" I ", " you ")
    return f"You speak for {full_name(patient['name'])} ({relation}), born on {spoken(patient['dob'])}."


def _of_another(call: Case, speaker: Row) -> dict[str, str]:
    """Return the sentences that a person who speaks for the patient says of them."""
    patient, pick = call.patient, call.voice.pick
    name, day = full_name(patient["name"]), spoken(patient["dob"])
    who = pick(*_ABOUT).format(name=name, day=day, relation=phrases.relation(speaker))
    second = {k: pick(*_ON_FILE).format(what=_TOLD[k], value=v) for k, v in second_factors(call).items()}
    return {"patient": who[0].upper() + who[1:], **second}


def second_factors(call: Case) -> dict[str, str]:
    """Return the caller's knowledge beside name and date of birth. It is the same for all wishes of one caller."""
    known = {"phone": call.patient["phone"], "zip": call.patient["address"]["zip"]}
    which = int(call.patient_id[1:]) % 3
    return known if which == 0 else {k: known[k] for k in (("phone",), ("zip",))[which - 1]}


_ABOUT = (
    "It is about {name} ({relation}), born on {day}.",
    "The patient is {name}, {relation}, born on {day}.",
    "It is for {name}, {relation}. The date of birth is {day}.",
    "{name} is the patient, {relation}; born on {day}.",
    "I speak for {name}, {relation}, date of birth {day}.",
    "The patient's name is {name}, born {day}; that is {relation}.",
    "That is {relation}: {name}, born on {day}.",
    "I am calling about {name}, {relation}, who was born on {day}.",
    "You will find it under {name}, born on {day}: {relation}.",
)
_ON_FILE = (
    "The {what} on file is {value}.",
    "The {what} that you have should be {value}.",
    "As {what} you should have {value}.",
    "It is {value}, the {what}.",
    "The {what}: {value}.",
    "For the {what} I can give you {value}.",
    "The {what} there would be {value}.",
)


def sign_in(call: Case) -> tuple[GoldCall, ...]:
    """Return the calls that rules 1 to 3 of the policy require first."""
    found = (find(call.patient), read("get_patient_info", patient_id=call.patient_id))
    return (*found, call.listing("get_proxies")) if call.speaker else found


def find(patient: Row) -> GoldCall:
    """Return the look-up of a patient by name and date of birth; the case of names does not matter."""
    name = patient["name"]
    return GoldCall(
        name="find_patient",
        arguments={"first_name": name["first_name"], "last_name": name["last_name"], "dob": patient["dob"]},
        compare=("dob",),
    )
