"""The tasks of research: their splits, their words, and their solutions."""

import json
import re
from collections import Counter
from dataclasses import replace
from datetime import datetime
from functools import cache
from itertools import combinations
from random import Random

import pytest

from env_server.domains.kit import Component, GoldCall, NoSuchTask, Task
from env_server.domains.research import domain
from env_server.domains.research.case import Case
from env_server.domains.research.families import TEMPLATES
from env_server.domains.research.library import library
from env_server.domains.research.splits import CIRCLES, COINS, SPLITS
from env_server.domains.research.tasks import RULES, TASKS, ResearchTasks, gives_away
from env_server.domains.research.wording import PREFACES
from tests.domains.research.desk import listed, pack, played

pytestmark = pytest.mark.anyio
SOME = {"train": 400, "val": 200, "test": 500}
RULE = re.compile(r"^(\d+)\. ", re.MULTILINE)


@cache
def every() -> dict[str, tuple[Task, ...]]:
    """Many tasks of each split."""
    return {split: listed(split, count) for split, count in SOME.items()}


def test_each_split_has_its_own_companies_pages_and_threads() -> None:
    """The tasks of a split share no company, page or thread with those of another."""
    for part in ("subjects", "pages", "threads"):
        used = {split: {each for task in tasks for each in task.slots[part]} for split, tasks in every().items()}
        for one, two in combinations(SPLITS, 2):
            assert not used[one] & used[two], part
        assert all(used.values())


def test_no_task_names_a_company_of_another_split() -> None:
    """No ticker or company name of another split is in a task, its gold or its evidence."""
    companies = list(pack().snapshot.tables["companies"].rows.values())
    for split, tasks in every().items():
        words = set(re.findall(r"\w+", " ".join(task.model_dump_json() for task in tasks)))
        text = "\n".join(task.model_dump_json() for task in tasks)
        foreign = [row for row in companies if row["circle"] not in CIRCLES[split]]
        assert not {row["ticker"] for row in foreign} & words
        assert not [row["name"] for row in foreign if row["name"] in text]


def test_circles_and_coins_are_dealt_out_once() -> None:
    """Each circle and each coin belongs to exactly one split."""
    for dealt, table in ((CIRCLES, "companies"), (COINS, "pairs")):
        given = [each for several in dealt.values() for each in several]
        kind = "circle" if table == "companies" else "base"
        assert sorted(map(str, given)) == sorted(
            {str(row[kind]) for row in pack().snapshot.tables[table].rows.values()}
        )


def test_a_task_is_determined_by_its_place() -> None:
    """Another source over the same base gives the same tasks, and an id finds its task."""
    again = ResearchTasks(TEMPLATES)
    for index in range(0, 200, 7):
        task = listed("test", 200)[index]
        assert again.task(pack().snapshot, "test", index) == task
        assert again.find(pack().snapshot, task.task_id) == task
    assert again.digest == TASKS.digest
    assert TASKS.task(pack().snapshot, "train", 10**9).split == "train"


@pytest.mark.parametrize(("split", "index"), [("test", 500), ("val", 200), ("train", -1), ("dev", 0)])
def test_no_task_outside_the_lists(split: str, index: int) -> None:
    """An index beyond a closed list, a negative one or an unknown split is refused."""
    with pytest.raises(NoSuchTask):
        TASKS.task(pack().snapshot, split, index)


@pytest.mark.parametrize("task_id", ["", "test-1", "test-1-00000000", "test-01-00000000", "x" * 99])
def test_unknown_ids_are_refused(task_id: str) -> None:
    """An id that no task has, or that is of another version, is refused."""
    with pytest.raises(NoSuchTask):
        TASKS.find(pack().snapshot, task_id)


def test_no_template_is_filled_in_twice_alike() -> None:
    """Each pair (template, slots) occurs once."""
    filled = [json.dumps([t.template, t.slots], sort_keys=True) for tasks in every().values() for t in tasks]
    assert len(set(filled)) == len(filled)


def test_tasks_have_what_they_are_scored_by() -> None:
    """Each task has a time, an answer, evidence, and gold that submits last and fits its turns."""
    for tasks in every().values():
        for task in tasks:
            assert task.user is None
            assert task.answer is not None
            assert task.evidence
            assert set(task.basis) == {Component.STATE, Component.ANSWER, Component.EVIDENCE}
            assert task.gold.actions[-1].name == "submit_answer"
            assert len(task.gold.actions) <= (task.max_turns or 0), task.task_id
            assert datetime.fromisoformat(str(task.now)).tzinfo is not None
            assert task.max_turns == {1: 5, 3: 8, 5: 10}[task.difficulty]
            assert task.alone


def test_no_request_gives_its_answer_away() -> None:
    """The answer is not in the request, except among the candidates of a choice."""
    for task in every()["test"]:
        assert task.answer is not None
        value = task.answer.value
        if isinstance(value, str) and value not in task.slots["subjects"]:
            assert value not in task.instruction, task.task_id
        if isinstance(value, float):
            assert f"{value:.2f}" not in task.instruction, task.task_id


@pytest.mark.parametrize("split", list(SPLITS))
def test_no_single_answer_is_worth_guessing(split: str) -> None:
    """No value is the answer of 2% of the tasks. A tenth cannot be known, and no missing word is so common either."""
    answers = [task.answer for task in every()[split] if task.answer is not None]
    values = Counter(str(answer.value) for answer in answers if answer.value is not None)
    assert values.most_common(1)[0][1] < 0.02 * len(answers)
    unknown = [answer for answer in answers if answer.value is None]
    assert 0.07 * len(answers) <= len(unknown) <= 0.11 * len(answers)
    words = Counter(word.casefold() for answer in unknown for word in answer.missing)
    assert words.most_common(1)[0][1] < 0.02 * len(answers)


def test_what_is_missing_cannot_be_copied_from_the_request() -> None:
    """The words for a missing fact come from look-ups, and are not in the request."""
    for tasks in every().values():
        for task in tasks:
            assert task.answer is not None
            text = str(task.ticket).casefold()
            assert not [word for word in task.answer.missing if word.casefold() in text], task.task_id


def test_what_cannot_be_known_has_a_twin() -> None:
    """The twin has the same random draws and request at another time, when it can be answered."""
    world, by_name, found = library(pack().snapshot), {t.name: t for t in TEMPLATES}, Counter[str]()
    for template in (template for template in TEMPLATES if template.twin):
        for seed in range(60):
            cases = [Case(world, Random(seed), "train") for _ in range(2)]
            unknown, known = (
                t.make(case) for t, case in zip((template, by_name[str(template.twin)]), cases, strict=True)
            )
            if unknown is not None and known is not None:
                assert unknown.answer.value is None
                assert known.answer.value is not None
                assert (unknown.answer.kind, unknown.answer.unit) == (known.answer.kind, known.answer.unit) or (
                    unknown.ask != known.ask
                )
                found[template.name] += unknown.ask == known.ask and unknown.now != known.now
    later = [template.name for template in TEMPLATES if template.twin not in (None, "product-figure")]
    assert all(found[name] >= 3 for name in later), found


def test_every_template_has_four_wordings() -> None:
    """Each template has at least four wordings in 300 draws, without names and figures."""
    world = library(pack().snapshot)
    for template in TEMPLATES:
        heard = set()
        for seed in range(40):
            draft = template.make(Case(world, Random(f"{template.name}/{seed}"), "train"))
            if draft is not None:
                heard.add(" ".join(re.sub(r"[A-Z#$]\S*|\S*\d\S*", "#", draft.ask).split()[:6]))
        assert len(heard) >= 4, template.name


def test_requests_of_test_begin_as_none_of_train() -> None:
    """The splits share no preface, and hardly any opening, without names and figures."""
    mask = re.compile(r"[A-Z]\w*[\w.'-]*|\S*\d\S*")
    openings = {
        split: [" ".join(mask.sub("#", task.instruction).split()[:12]) for task in every()[split]]
        for split in ("train", "test")
    }
    heard = set(openings["train"])
    assert sum(opening in heard for opening in openings["test"]) < 0.1 * len(openings["test"])
    assert not set(PREFACES["train"]) & set(PREFACES["test"])


def test_every_rule_of_the_policy_is_known_to_the_tasks() -> None:
    """The policy's numbered rules are those of RULES, and their templates exist in every split."""
    assert list(map(int, RULE.findall(domain.policy))) == list(RULES)
    named = {template for template in RULES.values() if template not in (None, "*")}
    for tasks in every().values():
        assert named <= {task.template for task in tasks}


def test_templates_have_names_of_their_own_and_come_in_every_split() -> None:
    """Each template occurs in every split, and twins of unknown answers exist."""
    names = [template.name for template in TEMPLATES]
    assert len(set(names)) == len(names) > 40
    assert {template.twin for template in TEMPLATES if template.twin} <= set(names)
    for tasks in every().values():
        assert {task.template for task in tasks} == set(names)


async def test_gold_earns_every_component() -> None:
    """Gold's calls succeed, show all evidence and submit the right answer, in every template and split."""
    for split in SPLITS:
        seen = Counter[str]()
        for task in every()[split]:
            seen[str(task.template)] += 1
            if seen[str(task.template)] <= 2:
                visit = await played(task)
                assert not visit.faults, (task.task_id, visit.faults)
                assert not visit.unseen, (task.task_id, task.template, visit.unseen)
                assert visit.wrong is None, (task.task_id, visit.wrong)
                assert len(visit.task.evidence) == len(visit.shown)


async def test_gold_without_look_ups_shows_nothing() -> None:
    """The right answer without look-ups shows no evidence and is not enough."""
    for task in every()["test"][:60]:
        last = task.gold.actions[-1:]
        visit = await played(task, last)
        assert visit.wrong is None
        assert visit.unseen


async def test_saying_unknown_without_looking_earns_nothing() -> None:
    """Naming the request's words as the missing fact is no answer, even if the answer cannot be known."""
    for task in every()["test"][:200]:
        lazy = GoldCall(name="submit_answer", arguments={"missing": str(task.ticket)[:1500]})
        visit = await played(task, [lazy])
        assert visit.wrong is not None
        assert visit.unseen


def test_giving_away_is_seen() -> None:
    """The check finds a request that has its answer in it."""
    draft = TEMPLATES[0].make(Case(library(pack().snapshot), Random(1), "train"))
    assert draft is not None
    assert not gives_away(draft)
    assert gives_away(replace(draft, ask=f"{draft.ask} It was {draft.answer.value:.2f}, I think."))
