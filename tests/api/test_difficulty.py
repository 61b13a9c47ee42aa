"""Tasks by difficulty: lists filter and sort by it, and resets choose among levels."""

import json
from collections.abc import Iterator
from itertools import chain
from operator import itemgetter
from typing import Any

import pytest

from env_server.domains.pack import Pack
from env_server.domains.retail import domain
from tests.api.conftest import served
from tests.api.talk import Api

Json = dict[str, Any]
PUBLIC = {"instruction": "You want nothing.", "actions": [], "outputs": []}


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """A server with a public pack, whose tasks come without a difficulty."""
    folder = tmp_path_factory.mktemp("tau1")
    data = folder / "tau_bench" / "envs" / "retail"
    data.mkdir(parents=True)
    (data / "wiki.md").write_text("Be kind.", encoding="utf-8")
    (data / "tasks_test.json").write_text(json.dumps([PUBLIC]), encoding="utf-8")
    for table, rows in domain.world().items():
        keyed = {str(row[next(t.key for t in domain.tables if t.name == table)]): dict(row) for row in rows}
        (data / f"{table}.json").write_text(json.dumps(keyed), encoding="utf-8")
    for client in served(folder, tau1_dir=folder, domains="retail"):
        yield Api(client)


def test_tasks_are_chosen_and_ordered_by_difficulty(api: Api) -> None:
    """A level or a range filters; sorting keeps the order within a level; pages join, also over all splits."""
    url = f"/domains/{api.domain}/tasks"
    whole = api.get(url, params={"split": "val", "limit": 1000})["tasks"]
    for given, taken in ((2, {2}), ("2", {2}), ("2-3", {2, 3}), ("1-5", {1, 2, 3, 4, 5})):
        found = api.get(url, params={"split": "val", "difficulty": given, "limit": 1000})
        assert found == {"tasks": (some := [t for t in whole if t["difficulty"] in taken]), "total": len(some)}
        assert some
    rising = sorted(whole, key=itemgetter("difficulty"))
    assert rising != whole
    pages = [
        api.get(url, params={"split": "val", "order": "difficulty", "limit": 90, "offset": at})["tasks"]
        for at in (0, 90, 180)
    ]
    assert list(chain.from_iterable(pages)) == rising
    both = api.get(url, params={"split": "val", "difficulty": "1-2", "order": "difficulty", "limit": 1000})["tasks"]
    assert both == [t for t in rising if t["difficulty"] < 3]
    listed = api.get(url, params={"split": "val", "order": "id", "limit": 1000})["tasks"]
    assert listed == whole
    hard = api.get(url, params={"difficulty": "4-5", "limit": 1000})
    assert {t["split"] for t in hard["tasks"]} == {"train", "val", "test"}
    assert api.get(url, params={"split": "val", "difficulty": 5}) == {"tasks": [], "total": 0}
    for bad in ("difficulty=0", "difficulty=6", "difficulty=3-1", "difficulty=easy", "order=hardest"):
        api.problem("GET", f"{url}?{bad}", "invalid_request")
    api.problem("GET", f"{url}?split=none&difficulty=1", "not_found")


def test_a_reset_chooses_among_tasks_of_a_difficulty(api: Api) -> None:
    """The index counts only the filtered tasks; a seed always picks the same one of them; a group has one task."""
    url = f"/domains/{api.domain}/tasks"
    some = api.get(url, params={"split": "val", "difficulty": "3-4", "limit": 1000})["tasks"]
    ids = [task["task_id"] for task in some]
    for index in (0, 1, len(ids) - 1):
        assert api.begin(split="val", index=index, difficulty="3-4").info.task_id == ids[index]
    body = {"domain": api.domain, "split": "val", "difficulty": "3-4"}
    drawn = [api.post("/reset", {**body, "seed": seed})["info"]["task_id"] for seed in (1, 2, 3, 1)]
    assert set(drawn) <= set(ids)
    assert drawn[0] == drawn[3]
    assert len(set(drawn)) > 1
    group = api.post("/reset", {**body, "seed": 1, "n": 2})["episodes"]
    assert {episode["info"]["task_id"] for episode in group} == {drawn[0]}


def test_a_difficulty_that_chooses_nothing_is_refused(api: Api) -> None:
    """The refusal names the levels that exist or the field to leave out, and, for an index, the number of tasks."""
    place = {"domain": api.domain, "split": "val"}
    refused: list[tuple[Json, str, str]] = [
        ({**place, "difficulty": 5}, "invalid_request", "has no task of difficulty 5; there are: 1 ("),
        (
            {**place, "difficulty": "5-4"},
            "invalid_request",
            "difficulty: Value error, give a level from 1 to 5, or a range",
        ),
        ({**place, "difficulty": [1, 3]}, "invalid_request", "such as '1-3'"),
        ({**place, "difficulty": True}, "invalid_request", "give a level from 1 to 5"),
        ({"domain": api.domain, "difficulty": 1, "task_id": "t"}, "invalid_request", "task_id already names the task"),
        (
            {"domain": api.domain, "difficulty": 1, "task": {"id": "t"}},
            "invalid_request",
            "task already names the task",
        ),
        ({**place, "difficulty": 1, "index": 900}, "not_found", "tasks of difficulty 1; there is no index 900"),
        ({"domain": api.domain, "split": "none", "difficulty": 1}, "not_found", "no split 'none'"),
    ]
    for body, code, says in refused:
        assert says in api.problem("POST", "/reset", code, json=body).detail, body


def test_public_tasks_have_no_difficulty(public: Api) -> None:
    """Public tasks are listed with null and never chosen or sorted by difficulty; the builtin pack beside them is."""
    url = "/domains/retail/tasks"
    (listed,) = public.get(url, params={"pack": "tau1"})["tasks"]
    assert listed["difficulty"] is None
    assert public.get(f"{url}/{listed['task_id']}?pack=tau1")["difficulty"] is None
    body = {"domain": "retail", "pack": "tau1", "split": "test", "difficulty": 1}
    for problem in (
        public.problem("GET", f"{url}?pack=tau1&difficulty=1", "invalid_request"),
        public.problem("GET", f"{url}?pack=tau1&order=difficulty", "invalid_request"),
        public.problem("POST", "/reset", "invalid_request", json=body),
    ):
        said = "the tasks of retail, pack 'tau1', have no difficulty: leave out `difficulty`, and do not `order`"
        assert problem.detail.startswith(said)
    assert public.get(f"{url}?split=val&difficulty=1")["total"]


def test_the_tasks_of_a_split_are_measured_once(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second list or reset does not measure the tasks of the split again."""
    url, made = f"/domains/{api.domain}/tasks?split=val&difficulty=1", []
    first = api.get(url)
    monkeypatch.setattr(Pack, "_measured", lambda *place: made.append(place))
    assert api.get(url) == first
    api.begin(split="val", index=0, difficulty=1)
    assert made == []
