"""Inline tasks that cannot measure an agent are refused: those whose gold fails, and those solved by doing nothing."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agent_env_schemas import GOLD_FAILS
from tests.api.conftest import served
from tests.api.talk import Api
from tests.reference import small_shop

Json = dict[str, Any]

LOOK = {"name": "list_all_product_types", "arguments": {}}
GONE = {"name": "get_order_details", "arguments": {"order_id": "#W0"}}
UNTOLD = {"name": "get_order_details"}
PEOPLE = {"name": "transfer_to_human_agents", "arguments": {"summary": "No."}}


def task(*actions: Json, outputs: tuple[str, ...] = (), **more: Any) -> Json:
    """An inline task with this gold."""
    return {"instruction": "x", "gold": {"actions": list(actions), "outputs": list(outputs)}, **more}


def refusal(api: Api, given: Json, **more: Any) -> str:
    """The reason for which a task is refused."""
    body = {"domain": api.domain, "task": given, **more}
    problem = api.problem("POST", "/reset", "invalid_request", json=body)
    assert (problem.status, problem.retryable) == (422, False)
    return problem.detail


def listed_gold(api: Api) -> list[Json]:
    """Gold of the first test task, which changes rows."""
    task_id = api.begin().info.task_id
    found: list[Json] = api.get(f"/domains/{api.domain}/tasks/{task_id}", params={"gold": True})["gold"]["actions"]
    return found


@pytest.mark.parametrize("allowed", [False, True])
@pytest.mark.parametrize(
    ("failing", "says"),
    [
        (GONE, "get_order_details: Error: there is no order '#W0'"),
        (UNTOLD, "get_order_details: Error: get_order_details: argument 'order_id' is missing"),
        (
            {"name": "cancel_pending_order", "arguments": {"order_id": "#W0", "reason": "no longer needed"}},
            "cancel_pending_order: Error: there is no order '#W0'",
        ),
    ],
)
def test_gold_that_fails_is_refused(api: Api, failing: Json, says: str, allowed: bool) -> None:
    """A call of gold that fails is named by its place, with the tool's error: a missing row, a missing argument."""
    given = task(LOOK, failing, *listed_gold(api), allow_no_effect=allowed)
    assert refusal(api, given).startswith(f"{GOLD_FAILS}: call 2, {says}")


def test_only_some_failing_calls_are_named(api: Api) -> None:
    """The problem names the first three failing calls and the number of the others; a long error is cut."""
    long = {"name": "get_order_details", "arguments": {"order_id": "#" + "x" * 10_000}}
    says = refusal(api, task(long, *[GONE] * 4))
    assert [f"call {i}, " in says for i in range(1, 6)] == [True, True, True, False, False]
    assert says.endswith("; and 2 more")
    assert len(says) < 1_000


@pytest.mark.parametrize(
    "given",
    [
        task(),
        task(LOOK),
        task(PEOPLE),
        task(LOOK, basis=["state"]),
        task(basis=["actions"]),
        task(LOOK, basis=["communicate"]),
        task(LOOK, basis=["state", "communicate"]),
        task(basis=["state", "actions"]),
        task(LOOK, outputs=("50",), basis=["state"]),
        task(LOOK, allow_no_effect=False),
    ],
)
def test_a_task_that_doing_nothing_solves_is_refused(api: Api, given: Json) -> None:
    """The problem says what would have to be different; a flag of the request lets the task be played anyway."""
    says = refusal(api, given)
    assert says.startswith("doing nothing would solve this task: gold changes no row")
    assert all(
        word in says for word in ("`state`", "`gold.outputs`", "`actions`", "`rubric`", "`allow_no_effect: true`")
    )
    begun = api.begin(task=given | {"allow_no_effect": True}, user={"strategy": "none"})
    assert api.step(begun.episode_id, {"tool_calls": [{"name": "done", "arguments": {}}]}).reward == 1.0


def test_a_basis_that_does_not_count_the_state(api: Api) -> None:
    """If the basis leaves out the state, a change by gold does not help, and the problem says so."""
    says = refusal(api, task(*listed_gold(api), basis=["communicate"]))
    assert "the basis does not count the state" in says


@pytest.mark.parametrize(
    "given",
    [
        task(LOOK, outputs=("50",)),
        task(LOOK, basis=["state", "actions"]),
        task(PEOPLE, basis=["actions"]),
        task(assertions=["It is told."]),
        task(rubric={}),
        task(rubric={}, basis=["rubric"]),
    ],
)
def test_another_component_may_tell_a_solution_from_doing_nothing(api: Api, given: Json) -> None:
    """If values have to be told, calls made, or a judge decides, gold need not change anything."""
    assert api.begin(task=given, user={"strategy": "none"}).turn == 0


def test_a_batch_refuses_the_broken_ones_alone(api: Api) -> None:
    """Each item of a batch is accepted or refused by itself."""
    items = [{"domain": api.domain, "task": each} for each in (task(GONE), task(LOOK, outputs=("50",)))]
    results = api.post("/batch/reset", {"items": [item | {"user": {"strategy": "none"}} for item in items]})["results"]
    assert [result.get("code") for result in results] == ["invalid_request", None]


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """A server that also has a shop of tau-bench."""
    folder = tmp_path_factory.mktemp("public")
    for client in served(folder, domains="retail", tau1_dir=small_shop.shop(folder)):
        yield Api(client)


@pytest.mark.parametrize(
    "actions", [[], [{"name": "get_order_details", "arguments": {"order_id": "#W0"}}], [small_shop.GOLD]]
)
def test_public_tasks_are_played_as_they_are(public: Api, actions: list[Json]) -> None:
    """Gold of public tasks sometimes fails on purpose or changes nothing: it is accepted unchanged."""
    given = {"instruction": "x", "actions": actions, "outputs": []}
    begun = public.begin(domain="retail", pack="tau1", task=given, user={"strategy": "none"})
    assert begun.info.task_id.startswith("inline-")


def test_a_reset_of_a_public_pack_without_data_names_the_setting(tmp_path: Path) -> None:
    """The problem names the environment variable to set."""
    for client in served(tmp_path, domains="retail", tau1_dir=None):
        body = {"domain": "retail", "pack": "tau1", "index": 0}
        problem = Api(client).problem("POST", "/reset", "not_found", json=body)
        assert "set ENV_SERVER_TAU1_DIR to a directory with tau_bench/envs/retail/wiki.md" in problem.detail


def test_a_reset_says_whose_words_its_tools_have(public: Api) -> None:
    """A reset of a public pack says whose texts the tools have: the server's own if only the pack's data is here."""
    given = {"instruction": "x", "actions": [], "outputs": []}
    begun = public.begin(domain="retail", pack="tau1", task=given, user={"strategy": "none"})
    assert begun.info.tool_texts == "own"
    assert public.begin(domain="retail", split="test", index=0).info.tool_texts is None
