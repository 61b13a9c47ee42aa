"""Calls to the outside: wherever the process ends, no write happens twice and none is forgotten."""

from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import orjson
import pytest

from agent_env_schemas import CloseRequest, ErrorCode, ForkRequest, ResetRequest, StepReply, StepRequest
from env_server.episodes.service import CALLS_SHARE, Limits
from env_server.errors import ProblemError
from env_server.providers.spec import FailureKind
from env_server.records import Store, Unit
from tests.episodes.outpost import Crash, Outside, Process

MESSAGE = {
    "tool_calls": [
        {"name": "look", "arguments": {"text": "a"}},
        {"name": "send", "arguments": {"text": "b"}},
        {"name": "look", "arguments": {"text": "c"}},
        {"name": "send", "arguments": {"text": "d"}},
        {"name": "look", "arguments": {"text": "e"}},
    ]
}


async def begin(process: Process, mode: str = "live") -> str:
    """Begin an episode."""
    request = ResetRequest.model_validate({"domain": "outpost", "tools": {"mode": mode}})
    reply = await process.episodes.reset(request, "tester")
    return str(orjson.loads(reply)["episode_id"])


def step(episode: str, action: Any = MESSAGE, turn: int | None = 1) -> StepRequest:
    """The step that plays `action`."""
    return StepRequest.model_validate({"episode_id": episode, "turn": turn, "action": action})


def texts(reply: bytes) -> list[str]:
    """What the agent reads."""
    return [message["content"] for message in orjson.loads(reply)["observation"]]


def crashing(store: Store, when: str, at: int) -> Callable[[Unit], Any]:
    """Return a commit that ends the process before or after its call number `at`; 0 is the first."""
    commit, calls = store.commit, count()

    async def crash(unit: Unit) -> None:
        number = next(calls)
        if number == at and when == "before":
            raise Crash
        await commit(unit)
        if number == at and when == "after":
            raise Crash

    return crash


async def test_a_turn_without_a_crash_makes_every_call_once(tmp_path: Path) -> None:
    """The results come in order, with their structure; a retry gives the stored reply and calls nothing."""
    outside = Outside()
    process = Process(tmp_path, outside)
    episode = await begin(process)
    reply = await process.episodes.step(step(episode))
    assert texts(reply) == ["look: a", "send: b", "look: c", "send: d", "look: e"]
    assert StepReply.model_validate_json(reply).info.calls[1].structured == {"done": "b"}
    assert await process.episodes.step(step(episode)) == reply
    assert outside.sent == {"b": 1, "d": 1}
    assert outside.looked == 3
    await process.close()


@pytest.mark.parametrize("retried", [True, False], ids=["retried", "another action"])
@pytest.mark.parametrize(
    ("when", "at"),
    [(when, at) for when in ("before", "after") for at in range(5)]
    + [(when, text) for when in ("calling", "called") for text in "abcde"],
)
async def test_no_write_happens_twice_wherever_the_process_ends(
    when: str, at: Any, retried: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process ends before or after any commit or call of the turn; another one continues with what is stored."""
    outside = Outside()
    first = Process(tmp_path, outside)
    episode = await begin(first)

    def end(text: str) -> None:
        if text == at:
            raise Crash

    if when in ("before", "after"):
        monkeypatch.setattr(first.store, "commit", crashing(first.store, when, at))
    else:
        setattr(outside, {"calling": "before", "called": "after"}[when], end)
    with pytest.raises(Crash):
        await first.episodes.step(step(episode))
    outside.before = outside.after = lambda _: None
    sent = dict(outside.sent)
    announced = [row for row in first.store.reads.effects(_key(first, episode), 1) if row.phase == 0]
    second = Process(tmp_path, outside)
    if not retried:
        other = step(episode, {"tool_calls": [{"name": "look", "arguments": {"text": "z"}}]})
        if announced:
            with pytest.raises(ProblemError) as refused:
                await second.episodes.step(other)
            assert refused.value.code is ErrorCode.TURN_CONFLICT
        else:
            assert texts(await second.episodes.step(other)) == ["look: z"]
            assert outside.sent == sent
            await second.close()
            return
    reply = await second.episodes.step(step(episode))
    assert all(times == 1 for times in outside.sent.values())
    said = texts(reply)
    for text, line in (("b", said[1]), ("d", said[3])):
        if line == f"send: {text}":
            assert outside.sent[text] == 1
        elif "[outcome_unknown]" in line:
            assert any(row.seq == {"b": 1, "d": 3}[text] for row in announced)
        else:
            assert outside.sent[text] == 0
    assert await second.episodes.step(step(episode)) == reply
    assert all(times == 1 for times in outside.sent.values())
    await second.close()
    await first.close()


def _key(process: Process, episode: str) -> int:
    row = process.store.reads.episode_by_id(episode)
    assert row is not None
    return row.id


@pytest.mark.parametrize("ending", ["close", "expire"])
async def test_an_interrupted_turn_is_finished_before_the_episode_ends(ending: str, tmp_path: Path) -> None:
    """A close or an expiry first finishes the interrupted turn, so that the record has what was sent."""
    outside = Outside()
    first = Process(tmp_path, outside)
    episode = await begin(first)

    def end(text: str) -> None:
        if text == "d":
            raise Crash

    outside.after = end
    with pytest.raises(Crash):
        await first.episodes.step(step(episode))
    outside.after = lambda _: None
    second = Process(tmp_path, outside)
    if ending == "close":
        await second.episodes.close(episode, CloseRequest())
    else:
        await second.episodes.expire(episode, 2e10)
    turns = second.store.reads.turns(_key(second, episode))
    assert [turn.turn for turn in turns] == [0, 1, 2]
    assert "outcome_unknown" in turns[1].reply
    assert outside.sent == {"b": 1, "d": 1}
    await second.close()
    await first.close()


async def test_what_was_changed_outside_is_not_forked(tmp_path: Path) -> None:
    """After look-ups alone an episode can be forked; after a change the fork is refused with the server's name."""
    outside = Outside()
    process = Process(tmp_path, outside)
    episode = await begin(process)
    look = {"tool_calls": [{"name": "look", "arguments": {"text": "a"}}]}
    await process.episodes.step(step(episode, look, 1))
    await process.episodes.step(step(episode, MESSAGE, 2))
    await process.episodes.fork(episode, ForkRequest(turn=1), "tester")
    with pytest.raises(ProblemError, match="post") as refused:
        await process.episodes.fork(episode, ForkRequest(turn=2), "tester")
    assert refused.value.code is ErrorCode.NOT_FORKABLE
    await process.close()


async def test_a_fork_never_sees_what_its_parent_changed_later(tmp_path: Path) -> None:
    """If all episodes share a server, an episode that has changed something there cannot be forked at any turn."""
    outside = Outside()
    outside.shared = True
    process = Process(tmp_path, outside)
    episode = await begin(process)
    look = {"tool_calls": [{"name": "look", "arguments": {"text": "a"}}]}
    await process.episodes.step(step(episode, look, 1))
    await process.episodes.fork(episode, ForkRequest(turn=1), "tester")
    await process.episodes.step(step(episode, MESSAGE, 2))
    with pytest.raises(ProblemError, match="post") as refused:
        await process.episodes.fork(episode, ForkRequest(turn=1), "tester")
    assert refused.value.code is ErrorCode.NOT_FORKABLE
    await process.close()


@pytest.mark.parametrize("failure", [None, *FailureKind])
async def test_a_write_that_did_not_take_place_has_changed_nothing(failure: FailureKind | None, tmp_path: Path) -> None:
    """Only a write with a result or with an unknown outcome counts as a change of the server, also after a restart."""
    outside = Outside()
    outside.failure = failure
    process = Process(tmp_path, outside)
    episode = await begin(process)
    send = {"tool_calls": [{"name": "send", "arguments": {"text": "b"}}]}
    await process.episodes.step(step(episode, send, 1))
    await process.episodes.step(step(episode, send, 2))
    await process.close()
    other = Process(tmp_path, outside)
    await other.episodes.step(step(episode, send, 3))
    changes = failure in (None, FailureKind.OUTCOME_UNKNOWN)
    assert outside.changed == [False, changes, changes]
    await other.close()


async def test_a_look_up_beside_a_failed_write_has_changed_nothing(tmp_path: Path) -> None:
    """A turn whose only write failed has changed nothing, whatever else it looked up, also after a restart."""
    outside = Outside()

    def fail(text: str) -> None:
        outside.failure = FailureKind.UNAVAILABLE if text == "b" else None

    outside.before = fail
    process = Process(tmp_path, outside)
    episode = await begin(process)
    await process.episodes.step(step(episode, {"tool_calls": MESSAGE["tool_calls"][:2]}))
    await process.close()
    other = Process(tmp_path, outside)
    await other.episodes.step(step(episode, {"tool_calls": MESSAGE["tool_calls"][2:3]}, 2))
    assert outside.changed == [False, False, False]
    await other.close()


async def test_calls_end_before_the_turn_does(tmp_path: Path) -> None:
    """The calls of a turn get only a share of the step's time, so that the turn is committed before its end."""
    outside = Outside()
    process = Process(tmp_path, outside)
    await process.episodes.step(step(await begin(process)))
    assert max(outside.left) <= CALLS_SHARE * Limits().step_timeout_s
    await process.close()


async def test_a_call_for_which_no_time_is_left_is_not_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A call without any time left is answered as timed out; it was never announced, so its outcome is known."""
    monkeypatch.setattr("env_server.episodes.service.CALLS_SHARE", 0.0)
    outside = Outside()
    process = Process(tmp_path, outside)
    reply = await process.episodes.step(step(await begin(process)))
    assert all(text.startswith("[timed_out]") for text in texts(reply))
    assert (outside.looked, not outside.sent) == (0, True)
    await process.close()


async def test_a_server_that_lacks_replayed_changes_is_not_asked(tmp_path: Path) -> None:
    """`replay_or_live` makes no live call after a change that was replayed, and records no answer of such a call."""
    outside = Outside()
    process = Process(tmp_path, outside)
    send = {"tool_calls": [{"name": "send", "arguments": {"text": "b"}}]}
    look = {"tool_calls": [{"name": "look", "arguments": {"text": "a"}}]}
    await process.episodes.step(step(await begin(process, mode="record"), send))
    episode = await begin(process, mode="replay_or_live")
    first = await process.episodes.step(step(episode, look, 1))
    await process.episodes.step(step(episode, send, 2))
    later = await process.episodes.step(step(episode, look, 3))
    assert (texts(first), outside.looked, outside.sent) == (["look: a"], 1, {"b": 1})
    assert texts(later)[0].startswith("[not_recorded] earlier changes")
    replayed = await begin(process, mode="replay")
    await process.episodes.step(step(replayed, send, 1))
    assert "[not_recorded]" in texts(await process.episodes.step(step(replayed, look, 2)))[0]
    await process.close()


async def test_an_outage_is_no_mistake_of_the_model(tmp_path: Path) -> None:
    """Outages are counted separately from the errors that end an episode."""
    outside = Outside()
    process = Process(tmp_path, outside)
    episode = await begin(process)
    await process.episodes.step(step(episode, {"tool_calls": [{"name": "nothing", "arguments": {}}]}))
    live = await process.episodes.episode(episode)
    assert live.carry.errors == 1
    await process.close()


async def test_a_recorded_episode_is_replayed_without_the_server(tmp_path: Path) -> None:
    """In replay the same calls give the same results, nothing is sent again, and the episode can be forked."""
    outside = Outside()
    process = Process(tmp_path, outside)
    episode = await begin(process, mode="record")
    said = texts(await process.episodes.step(step(episode)))
    sent, looked = dict(outside.sent), outside.looked
    again = await begin(process, mode="replay")
    assert texts(await process.episodes.step(step(again))) == said
    assert (dict(outside.sent), outside.looked) == (sent, looked)
    await process.episodes.fork(again, ForkRequest(turn=1), "tester")
    await process.close()


async def test_a_call_without_a_recording_fails_with_its_name(tmp_path: Path) -> None:
    """`replay` never calls outside: a call without a recording is an outage. `replay_or_live` calls and records."""
    outside = Outside()
    process = Process(tmp_path, outside)
    with pytest.raises(ProblemError, match="nothing is recorded under the tag 'default'; there are: none"):
        await begin(process, mode="replay")
    other_call = {"tool_calls": [{"name": "look", "arguments": {"text": "another"}}]}
    await process.episodes.step(step(await begin(process, mode="record"), other_call))
    episode = await begin(process, mode="replay")
    reply = await process.episodes.step(step(episode))
    assert all("[not_recorded]" in text for text in texts(reply))
    info = StepReply.model_validate_json(reply).info
    assert (info.outages, info.calls[0].failure) == (5, "not_recorded")
    assert not outside.sent
    other = await begin(process, mode="replay_or_live")
    said = texts(await process.episodes.step(step(other)))
    assert outside.sent == {"b": 1, "d": 1}
    third = await begin(process, mode="replay")
    assert texts(await process.episodes.step(step(third))) == said
    await process.close()


async def test_the_same_look_up_after_a_change_has_its_own_recording(tmp_path: Path) -> None:
    """A recording is found by what was sent before, and by how often the same look-up was made since."""
    outside = Outside()
    process = Process(tmp_path, outside)
    calls = [("look", "x"), ("look", "x"), ("send", "y"), ("look", "x")]
    message = {"tool_calls": [{"name": name, "arguments": {"text": text}} for name, text in calls]}
    numbered = count()
    outside.number = lambda: f" ({next(numbered)})"
    said = texts(await process.episodes.step(step(await begin(process, mode="record"), message)))
    assert said == ["look: x (0)", "look: x (1)", "send: y (2)", "look: x (3)"]
    assert texts(await process.episodes.step(step(await begin(process, mode="replay"), message))) == said
    await process.close()


async def test_failed_calls_are_no_part_of_a_recording(tmp_path: Path) -> None:
    """Calls that failed without taking place do not change which recording a later call finds."""
    outside = Outside()
    process = Process(tmp_path, outside)
    send, look = ({"tool_calls": [{"name": name, "arguments": {"text": "Zoë"}}]} for name in ("send", "look"))
    episode = await begin(process, mode="record")
    played: list[tuple[Any, FailureKind | None]] = [
        (look, FailureKind.UNAVAILABLE),
        (look, None),
        (send, FailureKind.OVERLOADED),
        (send, None),
        (look, None),
    ]
    for turn, (action, outside.failure) in enumerate(played, 1):
        await process.episodes.step(step(episode, action, turn))
    again = await begin(process, mode="replay")
    replies = [await process.episodes.step(step(again, action, turn)) for turn, action in enumerate([look, send], 1)]
    assert [texts(reply) for reply in replies] == [["look: Zoë"], ["send: Zoë"]]
    missing = texts(await process.episodes.step(step(again, send, 3)))
    assert missing[0].startswith('[not_recorded] no recording of send with {"text":"Zoë"}')
    await process.close()
    other = Process(tmp_path, outside)
    assert texts(await other.episodes.step(step(again, look, 4))) == ["look: Zoë"]
    await other.close()


async def test_only_allowed_tools_are_there(tmp_path: Path) -> None:
    """A reset may narrow the list of tools: the others are unknown tools, and a name that does not exist is refused."""
    process = Process(tmp_path, Outside())
    options = {"domain": "outpost", "tools": {"allow_list": ["look"]}}
    begun = orjson.loads(await process.episodes.reset(ResetRequest.model_validate(options), "tester"))
    assert [tool["function"]["name"] for tool in begun["tools"]] == ["look", "submit_answer"]
    with pytest.raises(ProblemError, match="there are: look, send"):
        await process.episodes.reset(
            ResetRequest.model_validate({"domain": "outpost", "tools": {"allow_list": ["sned"]}}), "tester"
        )
    await process.close()
