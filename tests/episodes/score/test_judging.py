"""Turns that are committed first and scored later, by a judge behind a real socket, in two processes' episodes."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from threading import Event
from time import time
from typing import Any

import pytest
from structlog.testing import capture_logs

from agent_env_schemas import CloseRequest, ErrorCode, ForkRequest, ResetRequest, StepReply, StepRequest, UserRequest
from env_server.app import open_episodes
from env_server.episodes import Episodes
from env_server.episodes.expiry import SCORE_EVERY_S, Housekeeper
from env_server.episodes.turn.channel import Channel
from env_server.errors import ProblemError
from env_server.records import StorageUnavailable, Unit
from env_server.settings import Settings
from tests.standin.fixtures import running, standin
from tests.standin.judges import all_met, findings, marks, record_of
from tests.standin.protocol import Reply
from tests.standin.server import StandIn

__all__ = ["running", "standin"]

DOWN = Reply(status=500)
TASK = {
    "instruction": "You want to know which products there are.",
    "gold": {},
    "assertions": ["The agent named a product.", "The agent was polite."],
}
LOOK = {"tool_calls": [{"name": "list_all_product_types", "arguments": {}}]}


def settings(folder: Path, standin: StandIn, **more: Any) -> Settings:
    """Settings of a server with a judge."""
    return Settings(
        _env_file=None,
        database_url=f"sqlite:///{folder}/episodes.db",
        domains="retail",
        judge_model="judge",
        judge_base_url=standin.url,
        user_retries=0,
        **more,
    )


@pytest.fixture
async def both(tmp_path: Path, standin: StandIn) -> AsyncIterator[tuple[Episodes, Episodes]]:
    """Two servers' episodes on one database, with a judge."""
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(open_episodes(settings(tmp_path, standin)))
        yield one, await stack.enter_async_context(open_episodes(settings(tmp_path, standin)))


async def begin(episodes: Episodes, **task: Any) -> str:
    """Begin an episode whose external user has spoken, and play one turn of the agent."""
    request = {"domain": "retail", "task": TASK | task, "user": {"strategy": "external", "first_message": "Hi."}}
    reply = await episodes.reset(ResetRequest.model_validate(request | {"run": "r"}), "tester")
    episode: str = json.loads(reply)["episode_id"]
    await episodes.step(StepRequest(episode_id=episode, turn=1, action=json.dumps(LOOK["tool_calls"])))
    await episodes.step(StepRequest.model_validate({"episode_id": episode, "turn": 2, "action": LOOK}))
    await episodes.step(StepRequest(episode_id=episode, turn=3, action="We have bikes."))
    return episode


STOP = UserRequest(turn=3, content="###STOP###")


async def refused(answer: Any) -> ProblemError:
    """The problem with which a request ends."""
    with pytest.raises(ProblemError) as found:
        await answer
    return found.value


async def test_a_verdict_is_part_of_the_reward(both: tuple[Episodes, Episodes], standin: StandIn) -> None:
    """The last reply has the judge's findings and their cost; any later reply, from any process, has the same bytes."""
    one, two = both
    standin.begin_anew(all_met)
    episode = await begin(one)
    reply = await one.user(episode, STOP)
    told = StepReply.model_validate_json(reply)
    assert (told.reward, told.info.scored, told.info.partial, told.turn) == (1.0, True, False, 3)
    assert told.info.reward_breakdown is not None
    assert [a["met"] for a in told.info.reward_breakdown["nl_assertions"]["answers"]] == [True, True]
    assert told.info.judge_usage is not None
    assert (told.info.judge_usage.calls, told.info.judge_usage.prompt_tokens) == (1, 100)
    for episodes in both:
        assert await episodes.user(episode, STOP) == reply
        assert await episodes.close(episode, CloseRequest()) == reply
    assert len(standin.journal) == 1
    assert one.store.spent("r") == 110
    summary = two.reader.summary(episode)
    assert (summary["done"], summary["reward"], summary["awaiting_judge"]) == (True, 1.0, False)


async def test_what_the_judge_reads(both: tuple[Episodes, Episodes], standin: StandIn) -> None:
    """The judge reads all words, calls and results, under the right names."""
    standin.begin_anew(all_met)
    episode = await begin(both[0])
    await both[0].user(episode, STOP)
    shown = record_of(standin.journal[0])
    assert [line["from"] for line in shown] == ["user", "agent", *shown_between(shown), "agent", "user"]
    assert (shown[0]["text"], shown[-2]["text"]) == ("Hi.", "We have bikes.")
    assert {"name": "list_all_product_types", "arguments": "{}"} in [c for line in shown for c in line.get("calls", ())]
    assert any(line.get("result_of") == "list_all_product_types" for line in shown)


def shown_between(shown: list[dict[str, Any]]) -> list[str]:
    """The speakers between the opening words and the last ones of both sides."""
    return [line["from"] for line in shown[2:-2]]


async def test_a_judge_that_fails_costs_no_turn(both: tuple[Episodes, Episodes], standin: StandIn) -> None:
    """The turn is committed, waits for its score, and says so; the same request, to any process, only scores it."""
    one, two = both
    episode = await begin(one)
    played = [part.action for part in one.store.reads.turns(one.reader.row(episode).id)]
    for episodes in (one, one, two):
        standin.then(DOWN)
        problem = await refused(episodes.user(episode, STOP))
        assert (problem.code, problem.retryable, int(problem.status)) == (ErrorCode.JUDGE_UNAVAILABLE, True, 503)
        summary = episodes.reader.summary(episode)
        assert (summary["done"], summary["reward"], summary["awaiting_judge"]) == (False, None, True)
    for episodes in both:
        step = StepRequest(episode_id=episode, turn=4, action="Anything else?")
        assert (await refused(episodes.step(step))).code is ErrorCode.EPISODE_OVER
        again = StepRequest(episode_id=episode, turn=3, action="We have cars.")
        assert (await refused(episodes.step(again))).code is ErrorCode.TURN_CONFLICT
        other = UserRequest(turn=3, content="No, wait.")
        assert (await refused(episodes.user(episode, other))).code is ErrorCode.EPISODE_OVER
        fork = ForkRequest(turn=3)
        assert (await refused(episodes.fork(episode, fork, "t"))).code is ErrorCode.EPISODE_OVER
    parts = two.reader.trajectory(episode)["turns"][-1]["parts"]
    assert [(p["part"], p["reward"], p["info"].get("awaiting_judge")) for p in parts] == [
        ("agent", 0.0, None),
        ("user", None, True),
    ]
    assert "reward_breakdown" not in parts[-1]["info"]
    assert json.loads(await two.fork(episode, ForkRequest(turn=2), "t"))["turn"] == 2
    state = await one.reader.state(episode, None, everything=False)
    standin.begin_anew(all_met)
    reply = await two.user(episode, STOP)
    assert await one.user(episode, STOP) == reply
    assert StepReply.model_validate_json(reply).reward == 1.0
    assert len(standin.journal) == 1
    stored = one.store.reads.turns(one.reader.row(episode).id)
    assert [part.action for part in stored[: len(played)]] == played
    assert [(part.turn, part.part) for part in stored[len(played) :]] == [(3, 1), (3, 2)]
    parts = one.reader.trajectory(episode)["turns"][-1]["parts"]
    assert [(p["part"], p["reward"]) for p in parts] == [("agent", 0.0), ("user", 1.0)]
    assert await one.reader.state(episode, None, everything=False) == state
    assert one.reader.list(10, done=True)["total"] == 1


async def test_closing_scores_a_turn_that_waits(both: tuple[Episodes, Episodes], standin: StandIn) -> None:
    """A close with any reason scores the waiting turn, and the turn's own stop reason stays."""
    one, two = both
    episode = await begin(one)
    standin.then(DOWN, DOWN)
    await refused(one.user(episode, STOP))
    assert (await refused(two.close(episode, CloseRequest()))).code is ErrorCode.JUDGE_UNAVAILABLE
    standin.begin_anew(all_met)
    reply = StepReply.model_validate_json(await two.close(episode, CloseRequest(reason="tired")))
    assert (reply.reward, reply.stop_reason) == (1.0, "user_stop")


async def test_a_waiting_turn_may_be_given_up(both: tuple[Episodes, Episodes], standin: StandIn) -> None:
    """A close for `infrastructure` ends the episode unscored and asks no judge; later requests get the same answer."""
    one, two = both
    episode = await begin(one)
    standin.then(DOWN)
    await refused(one.user(episode, STOP))
    reply = await two.close(episode, CloseRequest(reason="infrastructure"))
    told = StepReply.model_validate_json(reply)
    assert (told.reward, told.info.scored, told.stop_reason, told.done) == (None, False, "closed", True)
    assert (told.info.reward_breakdown or {})["nl_assertions"]["not_judged"] == "not asked for an end by closed"
    assert await one.user(episode, STOP) == reply
    assert await one.close(episode, CloseRequest()) == reply
    assert len(standin.journal) == 1
    assert two.reader.summary(episode)["awaiting_judge"] is False


async def test_a_reward_that_is_0_anyway_asks_nobody(both: tuple[Episodes, Episodes], standin: StandIn) -> None:
    """A turn whose reward is 0 anyway is scored at its commit.

    With two judged components, a 0 of one spares the other.
    """
    missing = {"gold": {"outputs": ["4711"]}, "basis": ["communicate", "nl_assertions"]}
    episode = await begin(both[0], **missing)
    told = StepReply.model_validate_json(await both[0].user(episode, STOP))
    assert (told.reward, told.info.scored, told.info.partial) == (0.0, True, True)
    unasked = {"value": None, "not_judged": "the reward is 0 without it"}
    assert (told.info.reward_breakdown or {})["nl_assertions"] == unasked
    assert told.info.awaiting_judge in (None, False)
    assert standin.journal == []
    standin.then(findings([(0, False), (1, False)]))
    told = StepReply.model_validate_json(await both[0].user(await begin(both[0], rubric={}), STOP))
    assert told.reward == 0.0
    assert (told.info.reward_breakdown or {})["rubric"] == unasked
    assert len(standin.journal) == 1


async def test_a_reset_says_what_will_not_be_judged(
    both: tuple[Episodes, Episodes], tmp_path: Path, standin: StandIn
) -> None:
    """A reset or a fork says what will not be judged only if there is no judge and the task needs one."""

    async def said(episodes: Episodes, **task: Any) -> list[Any]:
        request = {"domain": "retail", "task": TASK | task, "user": {"strategy": "external", "first_message": "Hi."}}
        begun = json.loads(await episodes.reset(ResetRequest.model_validate(request), "t"))
        fork = json.loads(await episodes.fork(begun["episode_id"], ForkRequest(turn=0), "t"))
        return [reply["info"].get("not_judged") for reply in (begun, fork)]

    assert await said(both[0]) == [None, None]
    async with open_episodes(settings(tmp_path, standin).model_copy(update={"judge_model": None})) as episodes:
        assert await said(episodes, rubric={}) == [["nl_assertions", "rubric"]] * 2
        assert await said(episodes, assertions=[], allow_no_effect=True) == [None, None]


async def test_an_end_by_a_limit_or_a_close_asks_nobody(both: tuple[Episodes, Episodes], standin: StandIn) -> None:
    """An end by a limit or a close scores 0 in the commit of its turn, as without a judge."""
    episode = await begin(both[0])
    reply = StepReply.model_validate_json(await both[0].close(episode, CloseRequest()))
    assert (reply.reward, reply.info.would_be, reply.info.partial) == (0.0, 1.0, True)
    assert standin.journal == []


async def test_two_processes_ask_once(
    both: tuple[Episodes, Episodes], standin: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While one process asks the judge, the other one says that it may be retried, and then gives the same bytes."""
    one, two = both
    episode = await begin(one)
    standin.begin_anew(lambda asked: Reply(all_met(asked), delay_s=0.3))
    asking = asyncio.create_task(one.user(episode, STOP))
    while not standin.journal:
        await asyncio.sleep(0.005)
    monkeypatch.setattr("env_server.episodes.turn.claim.owner", lambda: "another process")
    problem = await refused(two.user(episode, STOP))
    assert (problem.code, problem.retryable) == (ErrorCode.TURN_CLAIMED, True)
    joined = asyncio.create_task(one.user(episode, STOP))
    reply = await asking
    assert await joined == reply
    assert await two.user(episode, STOP) == reply
    assert len(standin.journal) == 1


async def test_one_verdict_counts_if_two_were_found(both: tuple[Episodes, Episodes], standin: StandIn) -> None:
    """A process that lost its claim while it asked the judge answers with the reply that the other one committed."""
    one, two = both
    episode = await begin(one)
    standin.then(Reply(findings([(0, False), (1, False)]), delay_s=0.4), findings([(0, True), (1, True)]))
    asking = asyncio.create_task(one.user(episode, STOP))
    while not standin.journal:
        await asyncio.sleep(0.005)
    second = await two.user(episode, STOP)  # same owner, as after a restart: it takes the claim over
    assert await asking == second
    assert StepReply.model_validate_json(second).reward == 1.0
    assert len(standin.journal) == 2


async def test_a_verdict_outlives_a_failure_before_the_score(
    both: tuple[Episodes, Episodes], standin: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The verdict and its cost are stored before the score, and the judge is not asked again."""
    one, two = both
    standin.begin_anew(all_met)
    episode = await begin(one)
    commit = one.store.commit

    async def no_endings(unit: Unit) -> None:
        if unit.endings:
            raise StorageUnavailable("as the test wishes")
        await commit(unit)

    with monkeypatch.context() as patch:
        patch.setattr(one.store, "commit", no_endings)
        assert (await refused(one.user(episode, STOP))).code is ErrorCode.STORAGE_UNAVAILABLE
    reply = StepReply.model_validate_json(await two.user(episode, STOP))
    assert reply.reward == 1.0
    assert reply.info.judge_usage is not None
    assert reply.info.judge_usage.calls == 1
    assert len(standin.journal) == 1


async def test_equal_conversations_share_a_verdict(both: tuple[Episodes, Episodes], standin: StandIn) -> None:
    """Another episode with the same conversation is not judged again, and costs nothing."""
    one, two = both
    standin.begin_anew(all_met)
    first = StepReply.model_validate_json(await one.user(await begin(one), STOP))
    second = StepReply.model_validate_json(await two.user(await begin(two), STOP))
    assert second.info.reward_breakdown == first.info.reward_breakdown
    assert second.info.judge_usage is not None
    assert (second.info.judge_usage.calls, second.info.judge_usage.cached) == (0, 1)
    assert len(standin.journal) == 1


async def test_a_score_that_nobody_waits_for(tmp_path: Path, standin: StandIn) -> None:
    """The score is made after the answer; if the server stops first, the next close makes it."""
    done = {"tool_calls": [{"name": "done", "arguments": {}}]}
    standin.then(Reply("{}", delay_s=30))
    async with open_episodes(settings(tmp_path, standin)) as episodes:
        request = {"domain": "retail", "task": TASK, "user": {"strategy": "none"}}
        begun = json.loads(await episodes.reset(ResetRequest.model_validate(request), "tester"))
        step = StepRequest.model_validate({"episode_id": begun["episode_id"], "action": done})
        told = StepReply.model_validate_json(await episodes.step(step, "key", Channel(waits=False)))
        assert (told.done, told.reward, told.info.awaiting_judge) == (True, None, True)
        while not standin.journal:
            await asyncio.sleep(0.005)
    standin.begin_anew(all_met)
    async with open_episodes(settings(tmp_path, standin)) as episodes:
        last = StepReply.model_validate_json(await episodes.close(step.episode_id, CloseRequest()))
        assert (last.reward, last.turn, last.stop_reason) == (1.0, 1, "completed")


async def test_a_failed_rollout_does_not_wait_for_the_judge(tmp_path: Path, standin: StandIn) -> None:
    """Closed as `infrastructure` in the same process while the judge is asked, the episode ends unscored at once."""
    never = Event()
    standin.begin_anew(lambda asked: Reply(all_met(asked), held=never))
    async with open_episodes(settings(tmp_path, standin)) as episodes:
        request = {"domain": "retail", "task": TASK, "user": {"strategy": "none"}}
        begun = json.loads(await episodes.reset(ResetRequest.model_validate(request), "tester"))
        done = {"tool_calls": [{"name": "done", "arguments": {}}]}
        step = StepRequest.model_validate({"episode_id": begun["episode_id"], "action": done})
        await episodes.step(step, "key", Channel(waits=False))
        while not standin.journal:
            await asyncio.sleep(0.005)
        async with asyncio.timeout(60):
            closed = await episodes.close(step.episode_id, CloseRequest(reason="infrastructure"))
        last = StepReply.model_validate_json(closed)
        assert (last.done, last.reward, last.info.scored) == (True, None, False)
        assert episodes.reader.summary(step.episode_id)["scored"] is False


async def test_only_the_housekeeper_tries_for_a_score_again(tmp_path: Path, standin: StandIn) -> None:
    """An agent's retries ask no judge. The housekeeper asks every few minutes, until there is a score."""
    standin.begin_anew(lambda _: DOWN)
    agents = Channel(waits=False)
    async with open_episodes(settings(tmp_path, standin)) as episodes:

        async def asked(times: int) -> None:
            """Wait for a score in progress; the judge must then have been asked so many times in all."""
            while episodes.scoring.busy:
                await asyncio.sleep(0.005)
            assert len(standin.journal) == times

        request = {"domain": "retail", "task": TASK, "user": {"strategy": "none"}}
        begun = json.loads(await episodes.reset(ResetRequest.model_validate(request), "tester"))
        done = {"tool_calls": [{"name": "done", "arguments": {}}]}
        step = StepRequest.model_validate({"episode_id": begun["episode_id"], "action": done})
        with capture_logs() as logs:
            reply = await episodes.step(step, "key", agents)
            await asked(1)
        assert [line["log_level"] for line in logs if "waits for its score" in line["event"]] == ["warning"]
        for _ in range(3):
            assert await episodes.step(step, "key", agents) == reply
        await asked(1)
        keeper, now = Housekeeper(episodes, expire_after_s=86_400, evict_after_s=900), time()
        for later, times in ((1, 1), (SCORE_EVERY_S + 2, 2), (SCORE_EVERY_S + 20, 2), (2 * SCORE_EVERY_S + 3, 3)):
            await keeper.round(now + later)
            await asked(times)
        standin.begin_anew(all_met)
        await keeper.round(now + 3 * SCORE_EVERY_S + 4)
        await asked(1)
        summary = episodes.reader.summary(step.episode_id)
        assert (summary["reward"], summary["awaiting_judge"], summary["stop_reason"]) == (1.0, False, "completed")
        await keeper.round(now + 4 * SCORE_EVERY_S + 5)
        await asked(1)


async def test_an_external_users_last_words_are_heard_before_the_judge(
    both: tuple[Episodes, Episodes], standin: StandIn
) -> None:
    """A caller that waits for the user's words is woken by the commit of the turn, not by its score."""
    one, _ = both
    episode = await begin(one)
    standin.then(Reply("{}", delay_s=0.6))
    hearing = asyncio.create_task(one.heard(episode, None, 30))
    saying = asyncio.create_task(refused(one.user(episode, STOP)))
    heard = await hearing
    assert heard is not None
    assert StepReply.model_validate_json(heard).info.awaiting_judge
    assert not saying.done()
    assert (await saying).code is ErrorCode.JUDGE_UNAVAILABLE


async def test_what_nobody_scores_expires_unscored(both: tuple[Episodes, Episodes], standin: StandIn) -> None:
    """An episode that is never judged expires unscored, with its other components; retries get the same reply."""
    one, two = both
    episode = await begin(one)
    standin.then(DOWN)
    await refused(one.user(episode, STOP))
    await two.expire(episode, time() + 1)
    reply = StepReply.model_validate_json(await one.user(episode, STOP))
    assert (reply.reward, reply.info.scored, reply.stop_reason) == (None, False, "expired")
    assert reply.info.reward_breakdown is not None
    assert reply.info.reward_breakdown["state"]["value"] == 1.0
    assert reply.info.reward_breakdown["nl_assertions"]["value"] is None
    assert StepReply.model_validate_json(await two.close(episode, CloseRequest())) == reply


async def test_a_spent_run_is_told_so(tmp_path: Path, standin: StandIn) -> None:
    """If the run has spent its tokens, the turn waits for its score; with a larger cap it is scored."""
    standin.begin_anew(all_met)
    async with open_episodes(settings(tmp_path, standin, user_run_tokens=100)) as episodes:
        await episodes.store.spend("r", 100)
        episode = await begin(episodes)
        assert (await refused(episodes.user(episode, STOP))).code is ErrorCode.SPEND_CAP
    async with open_episodes(settings(tmp_path, standin)) as episodes:
        assert StepReply.model_validate_json(await episodes.user(episode, STOP)).reward == 1.0


async def test_a_judge_that_is_too_slow_has_failed(tmp_path: Path, standin: StandIn) -> None:
    """After the judge's time limit the turn waits for its score, and the episode is not blocked."""
    standin.then(Reply("{}", held=Event()))
    async with open_episodes(settings(tmp_path, standin, judge_timeout_s=0.2)) as episodes:
        episode = await begin(episodes)
        assert (await refused(episodes.user(episode, STOP))).code is ErrorCode.JUDGE_UNAVAILABLE
    standin.begin_anew(all_met)
    async with open_episodes(settings(tmp_path, standin)) as episodes:
        assert StepReply.model_validate_json(await episodes.user(episode, STOP)).reward == 1.0


async def test_a_server_without_a_judge_leaves_it_out(tmp_path: Path, standin: StandIn) -> None:
    """Without a judge the rest is scored, also for a turn that waited when the judge was taken away."""
    standin.then(DOWN)
    async with open_episodes(settings(tmp_path, standin)) as episodes:
        episode = await begin(episodes)
        await refused(episodes.user(episode, STOP))
    without = settings(tmp_path, standin).model_copy(update={"judge_model": None})
    async with open_episodes(without) as episodes:
        for name in (episode, await begin(episodes)):
            reply = StepReply.model_validate_json(await episodes.user(name, STOP))
            assert (reply.reward, reply.info.partial, reply.info.judge_usage) == (1.0, True, None)
    assert len(standin.journal) == 1


async def test_a_rubric_and_assertions_together(both: tuple[Episodes, Episodes], standin: StandIn) -> None:
    """Each of the two is asked for by itself; the reward is their product, and the cost their sum."""
    episode = await begin(both[0], rubric={"question": "Which products?", "weights": {"clarity": 0}})
    standin.begin_anew(lambda asked: marks(4, 2, 0, 3) if "<question>" in asked.last else all_met(asked))
    reply = StepReply.model_validate_json(await both[0].user(episode, STOP))
    assert reply.reward == 0.75
    assert reply.info.judge_usage is not None
    assert (reply.info.judge_usage.calls, reply.info.judge_usage.model) == (2, "judge")


async def test_the_task_in_the_documents_can_be_played(both: tuple[Episodes, Episodes], standin: StandIn) -> None:
    """The task in the pages is played as it is written, and judged by its statement and its rubric."""
    page = (Path(__file__).parents[3] / "docs" / "rewards.md").read_text(encoding="utf-8")
    task = json.loads(page.partition("```json\n")[2].partition("```")[0])
    standin.begin_anew(all_met)
    reply = StepReply.model_validate_json(await both[0].user(await begin(both[0], **task), STOP))
    assert reply.reward == 1.0
    assert list(reply.info.reward_breakdown or ()) == task["basis"]


@pytest.mark.parametrize(
    "task",
    [
        {"basis": ["state"]},
        {"assertions": [], "rubric": {}, "basis": ["state"]},
        {"assertions": [], "basis": ["nl_assertions"]},
        {"rubric": {"weights": {"coverage": 0, "grounding": 0, "clarity": 0, "safety": 0}}},
    ],
)
async def test_a_task_whose_judging_would_be_lost_is_refused(
    both: tuple[Episodes, Episodes], task: dict[str, Any]
) -> None:
    """A component that is to be judged must be in the basis, and a rubric must have a weight above 0."""
    assert (await refused(begin(both[0], **task))).code is ErrorCode.INVALID_REQUEST
