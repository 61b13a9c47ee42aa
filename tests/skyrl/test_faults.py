"""Faults within a batch: which rollouts are lost or kept, what the server is told, and when the run stops."""

import asyncio
import json
import time
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from agent_env_schemas import EpisodeSummary
from tests.e2e.server import Server
from tests.skyrl import tiny
from tests.skyrl.playing import MODES, Game, after_talk, right, scores
from tests.skyrl.test_generator import open_episodes
from tests.trainer_client.proxy import DROP, Proxy, answer, defect
from trainer_client import Client
from trainer_client.skyrl.lost_rollouts import LOST, TooManyLost

MARK = "Something odd."
ENV = "environment.skyrl_gym.agent_env"
UNSCORED = {"reward": None, "terminated": True, "done": True, "stop_reason": "user_error"}


class Choosy(Proxy):
    """A proxy that does `fail` with turns that contain `MARK`."""

    def __init__(self, port: int, fail: Callable[[bytes], str | bytes]) -> None:
        super().__init__(port)
        self.fail = fail

    def choose(self, request: bytes) -> str | bytes | None:
        """`fail` for marked turns."""
        return self.fail(request) if MARK.encode() in request else None


def odd(rollout: str, turn: int) -> str:
    """Rollout 1_2 says something odd in its second turn; 0_1 makes the wrong call, the others the right one."""
    if rollout == "1_2" and turn == 1:
        return MARK
    if rollout == "0_1" and turn == 1:
        return tiny.call("white")
    return after_talk(rollout, turn)


def unscored(request: bytes) -> bytes:
    """The reply of a server that ends the episode without a score."""
    body = json.loads(request.partition(b"\r\n\r\n")[2])
    fields = {"episode_id": body["episode_id"], "turn": body["turn"], "observation": [], "truncated": False}
    info = {"calls": [], "scored": False}
    return answer(200, json.dumps({**fields, **UNSCORED, "state_hash": "0", "info": info}).encode())


FAULTS: Mapping[str, Callable[[bytes], str | bytes]] = {
    "defect": lambda _: defect(),
    "nonsense": lambda _: answer(200, b'{"hello": "world"}'),
    "no-connection": lambda _: DROP,
    "unscored": unscored,
}


CASES = [*((mode, "defect") for mode in MODES), *(("appended", fault) for fault in FAULTS if fault != "defect")]


def played(server: Server, run: str) -> list[EpisodeSummary]:
    """The episodes of a run."""
    with Client(server.url, "secret") as client:
        return client.episodes(run=run, limit=100).episodes


@pytest.mark.parametrize(("mode", "fault"), CASES)
def test_a_fault_costs_one_rollout(server: Server, tokenizer: Any, mode: str, fault: str) -> None:
    """The lost rollout is masked, gets its group's mean, and is closed unscored. The others keep their rewards."""
    run = f"fault-{mode}-{fault}"
    settings = {**MODES[mode], f"{ENV}.patience_s": 0.3}
    with Choosy(server.port, FAULTS[fault]) as proxy:
        output = Game(proxy.url, tokenizer, odd, settings=settings, run=run).play()
    # Rollout 1 was wrong and 6 is lost; of the others of its group all were right.
    assert scores(output) == [1.0, 0.0, *[1.0] * 14]
    lost = {i for i, reason in enumerate(output["stop_reasons"]) if reason == LOST}
    assert lost
    assert all(any(mask) != (i in lost) for i, mask in enumerate(output["loss_masks"]))
    metrics = output["rollout_metrics"]
    assert metrics["environment/lost_rollouts"] == 1
    assert metrics["environment/desk/success_rate"] == pytest.approx(14 / 15)
    assert metrics["environment/env_failures"] + metrics["environment/unscored"] == 1
    if fault != "unscored":  # that one only seems to have ended
        ended = [e for e in played(server, run) if e.scored is False]
        assert [(e.stop_reason, e.reward) for e in ended] == [("closed", None)]
        assert open_episodes(server, run) == 0


def test_a_fault_of_the_engine_costs_one_rollout(server: Server, tokenizer: Any) -> None:
    """The sampler fails in the middle of one rollout: masked, its episode closed unscored, the batch goes on."""

    def failing(rollout: str, turn: int) -> str:
        if rollout == "2_0" and turn == 1:
            raise RuntimeError("the engine fails")
        return after_talk(rollout, turn)

    output = Game(server.url, tokenizer, failing, run="engine").play()
    assert scores(output) == [1.0] * 16
    assert output["stop_reasons"].count(LOST) == 1
    metrics = output["rollout_metrics"]
    assert (metrics["environment/rollout_failures"], metrics["environment/env_failures"]) == (1, 0)
    assert [e.stop_reason for e in played(server, "engine") if e.scored is False] == ["closed"]
    assert open_episodes(server, "engine") == 0


class Late(Proxy):
    """A proxy that passes on the answers to calls of `what` too late."""

    def __init__(self, port: int, what: str) -> None:
        super().__init__(port)
        self.what = f"/{what} ".encode()

    async def _pass_on(self, request: bytes) -> bytes:
        answered = await super()._pass_on(request)
        if self.what in request.partition(b"\r\n")[0]:
            await asyncio.sleep(3)
        return answered


@pytest.mark.parametrize(("slow", "turn"), [("reset", 1), ("step", 2), ("engine", 2)])
def test_a_batch_that_is_cancelled_is_closed(server: Server, tokenizer: Any, slow: str, turn: int) -> None:
    """A cancelled batch leaves no episode open, whatever the trainer waits for, and none is scored."""

    def say(rollout: str, turn: int) -> str:
        if slow == "engine":
            time.sleep(3 * turn)
        return "Which line?" if slow == "step" else after_talk(rollout, turn)

    run = f"cancelled-{slow}"
    with Late(server.port, slow) as proxy, pytest.raises(TimeoutError):
        Game(proxy.url, tokenizer, say, run=run, limit_s=2).play()
    assert open_episodes(server, run) == 0
    ended = played(server, run)
    assert len(ended) == 16
    assert {(e.turn, e.scored) for e in ended} == {(turn, False)}


def test_an_episode_that_could_not_be_closed_is_closed_later(server: Server, tokenizer: Any) -> None:
    """The server cannot be reached for a rollout's turn and its close; the end of the batch closes the episode."""
    gone: list[bytes] = []

    class Gone(Choosy):
        def choose(self, request: bytes) -> str | bytes | None:
            if b"/close" in request and len(gone) < 1:
                gone.append(request)
                return defect()
            return super().choose(request)

    with Gone(server.port, FAULTS["defect"]) as proxy:
        output = Game(proxy.url, tokenizer, odd, run="later").play()
    assert gone
    assert output["rollout_metrics"]["environment/lost_rollouts"] == 1
    assert open_episodes(server, "later") == 0


def test_an_outage_stops_the_run(server: Server, tokenizer: Any) -> None:
    """If more rollouts are lost than allowed, the run stops with the reason, after every episode was closed."""
    with Choosy(server.port, FAULTS["defect"]) as proxy:
        game = Game(proxy.url, tokenizer, lambda *_: MARK, run="outage")
        with pytest.raises(TooManyLost, match=r"16 of 16 rollouts were lost \(limit 25%\): .*a defect of the server"):
            game.play()
    assert open_episodes(server, "outage") == 0
    assert {e.scored for e in played(server, "outage")} == {False}


def test_tasks_that_are_not_there_stop_the_run(server: Server, tokenizer: Any) -> None:
    """The error has the server's reason: no such task, or another version of the pack."""
    game = Game(server.url, tokenizer, after_talk, info={"task_id": "desk:builtin:train:x", "index": None})
    with pytest.raises(TooManyLost, match="rollouts were lost"):
        game.play()
    with pytest.raises(TooManyLost, match="pack_changed"):
        Game(server.url, tokenizer, after_talk, info={"pack_version": "older"}).play()


@pytest.mark.parametrize("mode", MODES)
def test_a_prompt_that_does_not_fit_is_told(server: Server, tokenizer: Any, mode: str) -> None:
    """The first message makes the prompt too long. SkyRL fails without a reason; here the error names the setting."""
    settings = {**MODES[mode], "trainer.max_prompt_length": 8, "generator.max_input_length": 8}
    with pytest.raises(TooManyLost, match="tokens, max_input_length is 8"):
        Game(server.url, tokenizer, after_talk, settings=settings, run=f"long-{mode}").play()
    assert open_episodes(server, f"long-{mode}") == 0


def test_a_full_context_is_told_to_the_server(server: Server, tokenizer: Any) -> None:
    """An episode without room for another turn is closed for that reason, scores 0, and is not lost."""
    settings = {"trainer.max_prompt_length": 40, "generator.max_input_length": 40}
    output = Game(server.url, tokenizer, lambda *_: "Which line? " * 9, settings=settings, run="full").play()
    assert scores(output) == [0.0] * 16
    assert output["rollout_metrics"]["environment/lost_rollouts"] == 0
    assert {(e.stop_reason, e.reward, e.turn) for e in played(server, "full")} == {("closed", 0.0, 2)}
    with Client(server.url, "secret") as client:
        record = client.trajectory(played(server, "full")[0].episode_id)
    assert "context_full" in json.dumps(record.turns[-1].parts[-1].action)


def test_turn_limits(server: Server, tokenizer: Any) -> None:
    """The trainer's limit holds, and a row may lower it; the server ends the episode and says so."""
    output = Game(server.url, tokenizer, lambda *_: "Which line?", run="limit", prompts=1).play()
    assert output["rollout_metrics"]["environment/conversation_length"] == 4
    Game(server.url, tokenizer, lambda *_: "Which line?", run="lower", prompts=1, info={"max_turns": 2}).play()
    assert {(e.stop_reason, e.turn) for e in played(server, "limit")} == {("max_turns", 4)}
    assert {(e.stop_reason, e.turn) for e in played(server, "lower")} == {("max_turns", 2)}


def test_metrics(server: Server, tokenizer: Any) -> None:
    """Unreadable and empty messages, failed and good calls are counted over all and by domain."""
    script = ["<tool_call>connect, to red!</tool_call>", "", tiny.call("pink"), ""]

    def say(rollout: str, turn: int) -> str:
        return script[turn] if turn < 3 else right(rollout)

    metrics = Game(server.url, tokenizer, say).play()["rollout_metrics"]
    found = {name: metrics[f"environment/desk/{name}"] for name in ("parse_failure_rate", "empty_response_rate")}
    assert found == {"parse_failure_rate": 0.25, "empty_response_rate": 0.25}
    assert metrics["environment/tool_error_rate"] == 0.5
    assert metrics["environment/tool_use_accuracy"] == pytest.approx(1 / 3)
    assert metrics["environment/env_seconds"] > 0
