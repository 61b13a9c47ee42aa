"""The second stage: tokens point at values, and gold can be followed with such tokens."""

from collections.abc import Iterator
from random import Random

import pytest

from tests.e2e.server import Server
from trainer_client import Client
from trainer_client.learn.alias import POINTERS, Slots, plain, shape, tools_of, words
from trainer_client.learn.copying import AliasEnv, Follower
from trainer_client.learn.experiment import Scale, behind, conduct, demonstrate, evaluate, run_arm
from trainer_client.learn.grpo import Settings

LINES = [
    {"line_id": "L100001", "plan": "Small", "since": "2024-01-05"},
    {"line_id": "L100002", "plan": "Lake Large", "since": "2025-02-06"},
]
SCHEMA = {
    "name": "change_line",
    "parameters": {
        "properties": {
            "line_id": {"type": "string"},
            "gb": {"type": "number"},
            "reason": {"type": "string", "enum": ["lost", "stolen"]},
            "note": {"type": "string"},
        },
        "required": ["line_id", "gb"],
    },
}
GOLD = [{"name": "change_line", "arguments": {"line_id": "L555555", "gb": 2.5, "reason": "lost"}}]


@pytest.fixture
def slots() -> Slots:
    """What a customer said and a tool returned."""
    made = Slots()
    made.hear("The line since February 6, 2025, please. I need 2.5 GB for L300003.")
    made.see(LINES)
    return made


def test_values_are_told_apart_by_their_shape() -> None:
    """Ids keep their capitals and number of digits; dates have the form of tools, however they were said."""
    assert [shape(one) for one in ("L100001", "#W1234567", "2.5", "jo@x.org", "May Day")] == [
        "L999999",
        "#W9999999",
        "number",
        "mail",
        "A A",
    ]
    assert plain("on July 4, 2026.") == "on 2026-07-04."
    assert words("Take L100001 on July 4, 2026, please") == ["take", "<L999999>", "on", "<9999-99-99>", "please"]


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("said 0", "L300003"),
        ("said 1", None),
        ("seen 0", "L100002"),
        ("seen 1", "L100001"),
        ("first", "L100001"),
        ("matched", "L100002"),
        ("left out", None),
    ],
)
def test_a_token_points_at_a_value(slots: Slots, pointer: str, value: str | None) -> None:
    """A value is named by its speaker and age, or by the record that shares most words with the customer's."""
    assert slots.point(pointer, {"L999999"}, ())[0] == value


def test_arguments_have_the_shapes_of_gold_calls(slots: Slots) -> None:
    """An argument that no gold call has is never filled. Numbers are converted, and listed values go by their place."""
    tool = tools_of([SCHEMA], GOLD)["change_line"]
    assert tool.arguments == ("line_id", "gb", "reason")
    assert tool.listed["reason"] == ["lost", "stolen"]
    assert slots.point("said 0", tool.shapes["gb"], ())[0] == "2.5"
    assert slots.point("listed 1", set(), tool.listed["reason"])[0] == "stolen"


@pytest.fixture(scope="module")
def env(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AliasEnv]:
    """The environment on a server process."""
    server = Server(tmp_path_factory.mktemp("server") / "env.db").start()
    with Client(server.url) as client:
        yield AliasEnv(client, "copying")
    server.kill()


def test_gold_can_be_followed_where_its_values_can_be_pointed_at(env: AliasEnv) -> None:
    """A demonstrator that is never sloppy solves some templates of each domain; a sloppy one solves fewer tasks."""

    def careful(random: Random) -> Follower:
        made = env.demonstrator(random)
        made.sloppy = 0.0
        return made

    def careless(random: Random) -> Follower:
        made = env.demonstrator(random)
        made.sloppy = 1.0
        return made

    tasks = [(name, ids[0]) for name, ids in env.tasks("train").items()]
    good = demonstrate(env, tasks, Random(1), actor=careful)
    for domain in env.domains:
        assert conduct([one for one in good if one.template.startswith(domain)])["success"] > 0.1
    assert conduct(demonstrate(env, tasks, Random(1), actor=careless))["success"] < conduct(good)["success"] - 0.1


def test_an_arm_of_the_second_stage_learns_by_the_same_loop(env: AliasEnv) -> None:
    """Every action of the policy was cloned or tried before, and its control gets its rewards."""
    env = AliasEnv(env.client, "one-domain", env.domains[:1])
    scale = Scale(demonstrations=24, clone_steps=10, forget=0.3, updates=1, prompts=4, n=2, every=1, times=1)
    arm = run_arm(env, 1, scale, Settings(), actor=env.demonstrator)
    assert arm.policy.head.out_features == len(env.words) > len(POINTERS)
    assert len(arm.rewards[0]) == 4
    control = run_arm(env, 1, scale, Settings(), actor=env.demonstrator, given=iter(arm.rewards))
    assert control.demonstrations == arm.demonstrations
    few = dict(list(env.tasks("val").items())[:4])
    assert evaluate(env, few, arm.policy)["episodes"] == 4
    arm.test["success"], control.test["success"] = 0.3, 0.2
    assert behind([arm, control]) == ["seed 1: true minus control is 0.100 < .15"]
