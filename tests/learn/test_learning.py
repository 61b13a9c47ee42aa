"""The experiment of `make learn` on a real server, on a small scale."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pytest

from tests.e2e.server import Server
from trainer_client import Client
from trainer_client.learn.codec import TEMPLATES, CodecEnv, CodecEpisode, Macro
from trainer_client.learn.demonstrator import DECISIONS
from trainer_client.learn.experiment import Scale, conduct, demonstrate, evaluate, grouped, run_arm, shuffled
from trainer_client.learn.grpo import Settings, TokenRollout, mixed_groups

CANCEL, SEND, TRACK, RETURN = (DECISIONS[i] for i in (0, 1, 5, 6))


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A client of a server process."""
    server = Server(tmp_path_factory.mktemp("server") / "env.db").start()
    with Client(server.url) as client:
        yield client
    server.kill()


class Honest:
    """Looks the order up, and decides by its status and by what the customer has said."""

    def __init__(self) -> None:
        self.plans: dict[str, list[Macro]] = {}

    def __call__(self, live: Sequence[CodecEpisode]) -> list[tuple[int, float]]:
        """The next token of each episode."""
        return [(self.next(one), 0.0) for one in live]

    def next(self, one: CodecEpisode) -> int:
        """The next token of one episode."""
        plan = self.plans.setdefault(one.handle.id, [Macro.WHO, Macro.FIND, Macro.USER, Macro.WHAT])
        if not plan and one.last != "<meant>":
            plan += [Macro.ORDER]
        elif not plan:
            status = one.order["status"]
            pending = SEND if ", USA, " in one.said else CANCEL
            plan += pending if status == "pending" else RETURN if status == "delivered" else TRACK
        return int(plan.pop(0))


def played(client: Client, run: str) -> dict[str, list[tuple[str, str]]]:
    """Three training tasks of each template."""
    return {name: [(name, one) for one in ids[:3]] for name, ids in CodecEnv(client, run).tasks("train").items()}


def test_every_template_can_be_solved_with_the_codec_s_tokens(client: Client) -> None:
    """A policy that looks up and decides by the rows has reward 1 in each of its tasks, and no fault of conduct."""
    tasks = played(client, "honest")
    assert set(tasks) == set(TEMPLATES)
    assert all(len(ids) == 3 for ids in tasks.values())
    episodes = CodecEnv(client, "honest").play([one for ids in tasks.values() for one in ids], 1, Honest())
    assert [(one.template, one.rollout.reward, one.faults) for one in episodes if one.rollout.reward != 1] == []
    assert conduct(episodes) == {"success": 1.0, "looked": 1.0, "lies": 0.0, "unconfirmed": 0.0}


def test_the_demonstrator_is_sloppy(client: Client) -> None:
    """The demonstrator succeeds at times, and commits each fault in at least a twentieth of its episodes."""
    tasks = [(name, one) for name, ids in CodecEnv(client, "sloppy").tasks("train").items() for one in ids[:12]]
    found = conduct(demonstrate(CodecEnv(client, "sloppy"), tasks, Random(1)))
    assert 0.02 < found["success"] < 0.5
    assert found["lies"] > 0.05
    assert found["unconfirmed"] > 0.05


def test_the_control_has_the_rewards_of_the_true_arm() -> None:
    """Group by group they are the same numbers, in an order that is not that of the episodes."""
    rollouts = [TokenRollout(group) for group in range(40) for _ in range(4)]
    rewards = [[1.0, 0.0, 0.0, 0.0] if group % 2 else [1.0] * 4 for group in range(40)]
    shuffled(rollouts, rewards, Random(0))
    assert [sorted(group) for group in grouped(rollouts)] == [sorted(group) for group in rewards]
    assert mixed_groups(rollouts) == 0.5
    assert 2 < sum(one.reward or 0.0 for one in rollouts[4::8]) < 18  # the first of each mixed group: else 20


def test_a_few_updates_raise_the_reward_above_the_control_s(client: Client, tmp_path: Path) -> None:
    """On one template the policy that gets its own rewards ends well above one that gets them shuffled."""
    scale = Scale(demonstrations=80, clone_steps=120, updates=15, prompts=4, n=8, every=100)
    settings = Settings(lr=2e-3, entropy=0.01, epochs=2)
    env = CodecEnv(client, "few", ["cancel"])
    true = run_arm(env, 1, scale, settings)
    control = run_arm(env, 1, scale, settings, given=iter(true.rewards))
    tasks = env.tasks("train")
    got, drifted = (evaluate(env, tasks, one.policy)["success"] for one in (true, control))
    print(f"true {got:.3f}, control {drifted:.3f}")
    assert got > drifted + 0.2
    assert true.demonstrations == control.demonstrations
