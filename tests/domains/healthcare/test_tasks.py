import json
from collections import Counter
from typing import Any

import pytest

from env_server.domains.healthcare import domain
from env_server.domains.healthcare.scenarios import TEMPLATES
from env_server.domains.kit import Component, Db, GoldCall, Task
from env_server.reading import Words
from env_server.state import State
from env_server.tools.dispatch import Toolset
from tests.domains import made
from tests.domains.healthcare.auditor import broken, consents, scope_of
from tests.domains.healthcare.test_world import BUILTIN, base, rows

NAMES = {template.name for template in TEMPLATES}

TOOLS = {tool.name: tool for tool in domain.tools}
WRITES = {name for name, tool in TOOLS.items() if tool.kind == "write"}
SIDE = Toolset(TOOLS, BUILTIN)


def listed(split: str) -> tuple[Task, ...]:
    """Return all listed tasks of a split."""
    return made.listed("healthcare", split)


def of(template: str) -> Task:
    """Return the first test task of a template."""
    return next(task for task in listed("test") if task.template == template)


def begin(task: Task) -> Db[Any]:
    """Return the state in which a task begins."""
    return Db(State.at(base(), task.changes()), BUILTIN)


def play(db: Db[Any], *calls: GoldCall, faults: bool = False) -> str:
    """Play calls and return the state hash. An error fails the test, unless it is one of `faults`."""
    for call in calls:
        outcome = SIDE.call(db, call.name, call.arguments)
        assert faults or outcome.fault is None, (call, outcome.text)
    return db.state.hash


def test_gold_obeys_the_policy() -> None:
    """No write of any task's gold breaks a rule, and no call exceeds the rights of the caller."""
    for task in (*listed("test"), *listed("val")):
        db = begin(task)
        for call in task.gold.actions:
            assert broken(db, call) == [], (task.task_id, call)
            assert permitted(db, task, call), (task.task_id, call)
            play(db, call)


def permitted(db: Db[Any], task: Task, call: GoldCall) -> bool:
    """Whether the caller is the patient, or a consent in force gives them the scope of a write."""
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


REFUSED = [template.name for template in TEMPLATES if not template.due and f"{template.name}-due" in NAMES]
"""The templates with a refusal or a transfer, which have twins."""

CHECKED_BY_TOOLS = {"allow-again-and-send"}
"""Templates in which the tool itself refuses what the policy forbids."""


@pytest.mark.parametrize("template", REFUSED)
def test_the_tools_let_through_what_the_policy_forbids(template: str) -> None:
    """In the refused task the twin's writes succeed, and end in another state than gold's."""
    pairs = [(refused, due) for refused, due in made.twins("healthcare", "test", 4) if refused.template == template]
    assert pairs
    for refused, due in pairs:
        sins = [call for call in due.gold.actions if call.name in WRITES and call not in refused.gold.actions]
        assert sins
        final = play(begin(refused), *refused.gold.actions)
        sinned = begin(refused)
        before = sinned.state.hash
        after = play(sinned, *sins, faults=template in CHECKED_BY_TOOLS)
        assert (after != before) is (template not in CHECKED_BY_TOOLS)
        if after != before:
            assert play(sinned, *refused.gold.actions, faults=True) != final


@pytest.mark.parametrize("template", REFUSED)
def test_a_twin_asks_for_what_no_rule_forbids(template: str) -> None:
    """The writes of a twin break a rule in the rows of the refused task, and none in its own rows.

    The rules for writes leave out whom the desk may talk to.
    """
    for refused, due in made.twins("healthcare", "val", 2):
        sins = [call for call in due.gold.actions if call.name in WRITES and call not in refused.gold.actions]
        if refused.template == template and template not in ABOUT_CALLERS:
            assert any(sinful(refused, call) for call in sins), refused.task_id


ABOUT_CALLERS = {"impostor", "no-guardian", "lapsed-consent", "out-of-scope", "cancel-and-neighbor"}
ABOUT_WORDS = {"from-today-and-moved"}
"""Templates whose rule also depends on the caller's words."""


def sinful(task: Task, call: GoldCall) -> bool:
    """Whether a write breaks a rule in the rows of a task, or is refused by the tool."""
    if task.template in ABOUT_WORDS:
        return True
    db = begin(task)
    return bool(broken(db, call)) or SIDE.call(db, call.name, call.arguments).fault is not None


def test_kinds_of_callers() -> None:
    """Patients, guardians and proxies call, with one or two second factors and one to four wishes; some revise."""
    tasks = [(task, task.user) for task in listed("test") if task.user]
    spoken_for = [task for task, user in tasks if "patient" in user.facts]
    assert len(spoken_for) > 100
    assert sum("phone" in user.unknown for _, user in tasks) > 50
    assert sum("zip" in user.unknown for _, user in tasks) > 50
    wishes = Counter(len(user.requests) for _, user in tasks)
    assert wishes[1] < wishes[2] + wishes[3] + wishes[4]
    assert min(wishes[n] for n in (1, 2, 3, 4)) > 30
    assert sum(any(r.revise for r in user.requests) for _, user in tasks) > 30
    assert sum(bool(task.gold.outputs) for task, _ in tasks) > 45
    assert sum(Component.ACTIONS in task.basis for task, _ in tasks) > 200


@pytest.mark.parametrize("split", ["test", "val"])
def test_enough_is_refused_asked_handed_over_and_done(split: str) -> None:
    """About 40 % of the tasks have a refusal, 7 % a transfer, 6 % only questions, and 20 % at least three writes."""
    tasks = listed(split)
    kinds = [{due.kind for due in task.dues} for task in tasks]
    writes = [sum(call.name in WRITES for call in task.gold.actions) for task in tasks]
    assert 0.38 < sum("refuse" in found for found in kinds) / len(tasks) < 0.45
    assert 0.06 < sum("transfer" in found for found in kinds) / len(tasks) < 0.12
    assert 0.03 < sum(found == {"tell"} and not n for found, n in zip(kinds, writes, strict=True)) / len(tasks) < 0.08
    assert 0.2 <= sum(3 <= n <= 6 for n in writes) / len(tasks) < 0.25


def test_callers_do_not_say_the_fact_that_decides() -> None:
    """A day, amount or number that a refusal or transfer has to name is nowhere in the script."""
    for task in listed("test"):
        texts = [Words(text) for text in task.spoken()]
        for due in task.dues:
            facts = due.because.says if due.because else ()
            for fact in (f for f in facts if isinstance(f, str) and len(f) > 3 and f[0].isdigit()):
                assert not any(words.name(fact) for words in texts), (task.task_id, fact)


def test_callers_are_looked_up_by_rule_one() -> None:
    """Gold first finds the patient and opens the record, and, if another person calls, the proxies."""
    for task in listed("test"):
        first, second, *rest = (c.name for c in task.gold.actions)
        assert (first, second) == ("find_patient", "get_patient_info")
        assert task.user
        if "patient" in task.user.facts:
            assert rest[0] == "get_proxies"


def test_impostors_know_no_second_factor() -> None:
    """An impostor's telephone number and zip code are not those on file."""
    for task in [task for task in listed("train") if task.template == "impostor"]:
        assert task.user
        on_file = task.initial["patients"][task.slots["user"]]
        assert on_file
        assert task.user.facts.get("phone") != on_file["phone"]
        assert task.user.facts.get("zip") != on_file["address"]["zip"]


def test_costs_follow_from_what_the_tool_shows() -> None:
    """The cost of a procedure that gold tells is rule 22, applied to the tool's answer."""
    told = [task for task in listed("train") if task.template == "procedure-cost"]
    for task in told:
        check = next(c for c in task.gold.actions if c.name == "check_coverage")
        shown: dict[str, Any] = json.loads(SIDE.call(begin(task), check.name, check.arguments).text)
        price, left = shown["procedure"]["price"], shown["deductible_left"]
        part = shown["coinsurance_percent"] / 100 if shown["covered"] else 1
        first = min(price, left) if shown["covered"] else price
        assert task.gold.outputs == (f"{first + (price - first) * part:.2f}",)
    assert len({task.gold.outputs for task in told}) > len(told) / 3
