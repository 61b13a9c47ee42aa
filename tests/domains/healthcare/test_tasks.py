import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from env_server.domains.healthcare import domain
from env_server.domains.healthcare.scenarios import TEMPLATES
from env_server.domains.healthcare.tasks import RULES, TASKS
from env_server.domains.kit import Component, Db, GoldCall, Task
from env_server.state import State
from env_server.tools.dispatch import Toolset
from tests.domains.healthcare.auditor import broken, consents, scope_of
from tests.domains.healthcare.test_world import BUILTIN, base, rows

TOOLS = {tool.name: tool for tool in domain.tools}
WRITES = {name for name, tool in TOOLS.items() if tool.kind == "write"}
SIDE = Toolset(TOOLS, BUILTIN)


@cache
def listed(split: str) -> tuple[Task, ...]:
    """Return all listed tasks of a split."""
    return tuple(TASKS.task(base(), split, i) for i in range(TASKS.splits[split]))


def of(template: str) -> Task:
    """Return the first test task of a template."""
    return next(task for task in listed("test") if task.template == template)


def begin(task: Task) -> Db[Any]:
    """Return the state in which a task begins."""
    return Db(State.at(base(), task.changes()), BUILTIN)


def play(db: Db[Any], *calls: GoldCall, faults: bool = False) -> str:
    """Play calls and return the state hash; any error fails the test unless `faults`."""
    for call in calls:
        outcome = SIDE.call(db, call.name, call.arguments)
        assert faults or outcome.fault is None, (call, outcome.text)
    return db.state.hash


def test_gold_obeys_the_policy() -> None:
    """No write of any listed task breaks a rule, and no look-up or write goes beyond what the caller may do."""
    for task in (*listed("test"), *listed("val")):
        db = begin(task)
        for call in task.gold.actions:
            assert broken(db, call) == [], (task.task_id, call)
            assert permitted(db, task, call), (task.task_id, call)
            play(db, call)


def permitted(db: Db[Any], task: Task, call: GoldCall) -> bool:
    """Whether the caller is the patient, or has a consent in force that names the scope of a write."""
    who = task.slots["user"]
    assert task.user
    name, scope = task.user.facts["name"], scope_of(call.name)
    patient = rows("patients")[who]
    if call.name not in WRITES or name == " ".join(patient["name"].values()):
        return True
    found = consents(db, who, name)
    if patient["dob"] > "2008-03-09":
        return any(row["relationship"] in {"parent", "legal_guardian"} for row in found)
    return scope is not None and any(scope in row["scopes"] for row in found)


def altered(call: GoldCall) -> Iterator[GoldCall]:
    """Yield a write with each argument that an agent might get wrong in another way."""
    others: dict[str, Any] = {
        "reason": "illness" if call.arguments.get("reason") != "illness" else "changed_doctor",
        "charge_late_fee": not call.arguments.get("charge_late_fee"),
        "visit_type": "video" if call.arguments.get("visit_type") != "video" else "follow_up",
        "channel": "email" if call.arguments.get("channel") != "email" else "mail",
        "pharmacy_id": "PH-10" if call.arguments.get("pharmacy_id") != "PH-10" else "PH-11",
        "plan_id": "PLN-90",
        "effective_date": "2026-05-01",
        "expires_on": "2026-06-01",
        "relationship": "parent",
        "scopes": ["appointments", "insurance", "prescriptions", "results"],
        "time": "07:00",
        "referral_id": None,
        "phone": "541-555-0000",
        "email": "x@example.com",
        "zip": "97999",
        "specialty": "dermatology" if call.arguments.get("specialty") != "dermatology" else "neurology",
    }
    for argument in call.arguments.keys() & others.keys():
        yield call.model_copy(update={"arguments": {**call.arguments, argument: others[argument]}})


def test_every_argument_matters() -> None:
    """A write with any argument altered ends in another state; one that fails for it changes nothing."""
    tried = Counter[str]()
    for task in listed("test")[:110]:
        actions = task.gold.actions
        final = play(begin(task), *actions)
        for i in (i for i, call in enumerate(actions) if call.name in WRITES):
            for other in altered(actions[i]):
                assert play(begin(task), *actions[:i], other, *actions[i + 1 :], faults=True) != final, other
                tried[other.name] += 1
    assert len(tried) >= 11


def call(tool: str, **arguments: Any) -> GoldCall:
    """A call."""
    return GoldCall(name=tool, arguments=arguments)


def wished(task: Task) -> list[Any]:
    """The slots of the task's wishes."""
    return [*task.slots["wishes"]]


def sent(result: str) -> GoldCall:
    """Sending a lab result by email."""
    return call("send_lab_results", result_id=result, channel="email")


def filled(prescription: str) -> GoldCall:
    """Refilling a prescription."""
    return call("request_refill", prescription_id=prescription, pharmacy_id="PH-10")


def moved(task: Task) -> GoldCall:
    """Moving the appointment of a task to an open time."""
    row = rows("appointments")[wished(task)[0]["appointment"]]
    when = open_for(row["patient_id"], row["doctor_id"])
    return call("reschedule_appointment", appointment_id=row["appointment_id"], **when)


def booked(task: Task, doctor_id: str, visit_type: str = "follow_up") -> GoldCall:
    """Booking an open time of a doctor."""
    who = task.slots["user"]
    when = open_for(who, doctor_id)
    return call("schedule_appointment", patient_id=who, doctor_id=doctor_id, **when, visit_type=visit_type)


def open_for(patient_id: str, doctor_id: str) -> dict[str, str]:
    """An open time of a doctor at which the patient is free."""
    desk = TASKS.opened(base())
    date, time = desk.free_times(desk.customers[patient_id], doctor_id, "2026-03-10")[0]
    return {"date": date, "time": time}


def done_as_wished(task: Task) -> GoldCall:
    """What somebody who must be turned away asks for."""
    key = wished(task)[-1]["subject"]
    if key.startswith("A"):
        return unpaid(key)
    return filled(key) if key.startswith("RX") else sent(key)


def joined(task: Task) -> GoldCall:
    """Joining the waitlist that a task is about."""
    doctor = wished(task)[0]["doctor"]
    return call("join_waitlist", patient_id=task.slots["user"], doctor_id=doctor, visit_type="follow_up")


def insured(task: Task) -> GoldCall:
    """Insurance from today."""
    wish = wished(task)[0]
    who = {"patient_id": task.slots["user"], "plan_id": wish["plan"], "member_id": wish["member"]}
    return call("update_insurance", **who, effective_date="2026-03-09")


def allowed(task: Task) -> GoldCall:
    """A consent for a minor."""
    wish = wished(task)[0]
    more = {"relationship": "caregiver", "scopes": ["appointments"], "expires_on": "2027-03-09"}
    return call("record_consent", patient_id=task.slots["user"], **wish["name"], dob=wish["dob"], **more)


def cancelled(patient_id: str) -> GoldCall:
    """Cancelling the first scheduled appointment of a patient."""
    found = [row for row in rows("appointments").values() if row["patient_id"] == patient_id]
    row = next(row for row in found if row["status"] == "scheduled")
    return unpaid(row["appointment_id"])


def unpaid(appointment_id: str) -> GoldCall:
    """Cancelling without a fee."""
    arguments = {"appointment_id": appointment_id, "reason": "schedule_conflict", "charge_late_fee": False}
    return call("cancel_appointment", **arguments)


SINS: dict[str, Callable[[Task], GoldCall]] = {
    "impostor": done_as_wished,
    "no-guardian": done_as_wished,
    "lapsed-consent": done_as_wished,
    "out-of-scope": done_as_wished,
    "cancel-and-neighbor": lambda t: cancelled(wished(t)[1]["other"]),
    "cancel-late": lambda t: unpaid(wished(t)[0]["appointment"]),
    "waive": lambda t: unpaid(wished(t)[0]["appointment"]),
    "too-late": moved,
    "third-move": moved,
    "second-visit": lambda t: booked(t, rows("appointments")[wished(t)[0]["appointment"]]["doctor_id"]),
    "no-referral": lambda t: booked(t, wished(t)[0]["doctor"]),
    "not-seen-and-cancel": lambda t: call(
        "request_referral", patient_id=t.slots["user"], specialty=wished(t)[0]["specialty"]
    ),
    "out-of-network": lambda t: booked(t, wished(t)[0]["wrong"]),
    "full-practice": lambda t: booked(t, wished(t)[0]["wrong"]),
    "not-crowded": joined,
    "two-already-and-cancel": joined,
    "controlled-and-contact": lambda t: filled(wished(t)[0]["prescription"]),
    "too-early": lambda t: filled(wished(t)[0]["prescription"]),
    "no-renewal-and-send": lambda t: call("request_renewal", prescription_id=wished(t)[0]["prescription"]),
    "unreleased": lambda t: sent(wished(t)[0]["result"]),
    "from-today": insured,
    "minors-consent-and-move": allowed,
}
"""Template -> what its caller wants and must not get."""


@pytest.mark.parametrize("template", SINS)
def test_the_tools_let_through_what_the_policy_forbids(template: str) -> None:
    """Whoever does what a rule forbids succeeds with it, and ends in another state than gold."""
    for task in [task for task in listed("test") if task.template == template]:
        final = play(begin(task), *task.gold.actions)
        sinned = begin(task)
        before = sinned.state.hash
        assert play(sinned, SINS[template](task)) != before
        assert play(sinned, *task.gold.actions, faults=True) != final


def test_splits_share_nothing_and_repeat_nothing() -> None:
    """Splits share no patient nor anything of a patient's, and inside a split no (template, slots) comes twice."""
    desk = TASKS.opened(base())
    owned = {s: {v for c in TASKS.customers(base(), s) for v in desk.owned(desk.customers[c])} for s in TASKS.splits}
    names = list(owned)
    assert all(not owned[a] & owned[b] for i, a in enumerate(names) for b in names[:i])
    for split, size in TASKS.splits.items():
        tasks = listed(split)
        filled_in = {(t.template, json.dumps(t.slots, sort_keys=True)) for t in tasks}
        assert len(filled_in) == len({t.task_id for t in tasks}) == size
        text = "\n".join(t.model_dump_json() for t in tasks)
        ids = set(re.findall(r"\b(?:P|A|RX|L|R|W|C)\d{5,8}\b", text))
        assert not any(ids & owned[other] for other in names if other != split)


def test_every_template_and_every_write_is_used() -> None:
    """At least 18 templates, all in every split; every write tool is gold somewhere in each."""
    assert len({t.name for t in TEMPLATES}) == len(TEMPLATES) >= 18
    for split in TASKS.splits:
        assert {t.template for t in listed(split)} == {t.name for t in TEMPLATES}
        assert {c.name for t in listed(split) for c in t.gold.actions} >= WRITES


def test_kinds_of_callers() -> None:
    """Patients, guardians and proxies call; with one second factor or both; with one to three wishes; some revise."""
    tasks = [(task, task.user) for task in listed("test") if task.user]
    spoken_for = [task for task, user in tasks if "patient" in user.requests[0].details]
    assert len(spoken_for) > 100
    assert sum("phone" in user.unknown for _, user in tasks) > 50
    assert sum("zip" in user.unknown for _, user in tasks) > 50
    wishes = Counter(len(user.requests) for _, user in tasks)
    assert wishes[2] > 100
    assert wishes[3] > 15
    assert sum(any(r.revise for r in user.requests) for _, user in tasks) > 30
    assert sum(bool(task.gold.outputs) for task, _ in tasks) > 60
    assert sum(Component.ACTIONS in task.basis for task, _ in tasks) > 200


def test_callers_are_looked_up_by_rule_one() -> None:
    """Gold finds the patient and opens the record before anything else, and the proxies where somebody else calls."""
    for task in listed("test"):
        first, second, *rest = (c.name for c in task.gold.actions)
        assert (first, second) == ("find_patient", "get_patient_info")
        assert task.user
        if "patient" in task.user.requests[0].details:
            assert rest[0] == "get_proxies"


def test_impostors_know_no_second_factor() -> None:
    """What an impostor says of telephone number and zip code is not what is on file."""
    for task in [task for task in listed("train") if task.template == "impostor"]:
        assert task.user
        on_file = task.initial["patients"][task.slots["user"]]
        assert on_file
        assert task.user.facts.get("phone") != on_file["phone"]
        assert task.user.facts.get("zip") != on_file["address"]["zip"]


def test_costs_follow_from_what_the_tool_shows() -> None:
    """The cost of a procedure that gold tells is rule 22 applied to the answer of the tool."""
    told = [task for task in listed("train") if task.template == "procedure-cost"]
    for task in told:
        check = next(c for c in task.gold.actions if c.name == "check_coverage")
        shown: dict[str, Any] = json.loads(SIDE.call(begin(task), check.name, check.arguments).text)
        price, left = shown["procedure"]["price"], shown["deductible_left"]
        part = shown["coinsurance_percent"] / 100 if shown["covered"] else 1
        first = min(price, left) if shown["covered"] else price
        assert task.gold.outputs == (f"{first + (price - first) * part:.2f}",)
    assert len({task.gold.outputs for task in told}) > len(told) / 3


def test_every_rule_of_the_policy_has_its_template() -> None:
    """The policy has the numbered rules that the tasks name, in order, in 800 words or more; 12 or more show."""
    policy = domain.policy
    assert list(map(int, re.findall(r"^(\d+)\. \*\*", policy, re.M))) == list(RULES)
    assert len(policy.split()) >= 800
    shown = [template for template in RULES.values() if template is not None]
    assert len(shown) >= 12
    assert {template for template in shown if template != "*"} <= {t.name for t in TEMPLATES}


@given(st.integers(0, 10**9))
def test_train_never_ends(index: int) -> None:
    """Any train index gives a task, always the same, which its id finds again."""
    one = TASKS.task(base(), "train", index)
    assert TASKS.find(base(), one.task_id) == one
