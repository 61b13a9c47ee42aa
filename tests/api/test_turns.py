"""One episode: messages, limits, ends, retries."""

import json
import math
from typing import Any

import pytest

from agent_env_schemas import StepReply, StopReason
from tests.api.talk import THINK, Api

TRANSFER = {"name": "transfer_to_human_agents", "arguments": {"summary": "x"}}
LONG: dict[str, Any] = {"name": "no_such_tool" * 20, "arguments": {}}
WRONG = {"name": "no_such_tool", "arguments": {}}
EXTERNAL = {"strategy": "external", "first_message": "Hello."}
SOLO = {"strategy": "none"}


def faults(reply: StepReply) -> list[str | None]:
    """The error of each call."""
    return [call.error for call in reply.info.calls]


def test_a_message_with_calls_is_one_turn(api: Api) -> None:
    """The calls of a message run in order, each with its own answer, and keep the model's ids."""
    episode = api.begin().episode_id
    reply = api.calls(episode, {**THINK, "id": "mine"}, WRONG, THINK, turn=1)
    assert faults(reply) == [None, "unknown_tool", None]
    assert [m.tool_call_id for m in reply.observation] == ["mine", "call_1_1", "call_1_2"]
    assert [m.role for m in reply.observation] == ["tool"] * 3
    assert (reply.turn, reply.reward, reply.done) == (1, 0.0, False)


def test_text_beside_calls_does_not_reach_the_user(api: Api) -> None:
    """The text is recorded, and the user neither hears it nor is asked."""
    episode = api.begin(user=EXTERNAL).episode_id
    reply = api.step(episode, {"content": "Let me see.", "tool_calls": [THINK]})
    assert [m.role for m in reply.observation] == ["tool"]
    assert not reply.info.awaiting_user


def test_calls_after_an_ending_call_are_not_executed(api: Api) -> None:
    """Each call after the end has an answer, so that the chat stays well formed, but is not executed."""
    episode = api.begin().episode_id
    reply = api.calls(episode, THINK, TRANSFER, THINK, WRONG)
    assert faults(reply) == [None, None, "not_executed", "not_executed"]
    assert all(m.content.startswith("Not executed") for m in reply.observation[2:])
    assert (reply.stop_reason, reply.terminated, reply.truncated) == (StopReason.TRANSFER, True, False)
    assert reply.info.scored


@pytest.mark.parametrize(
    "action",
    [
        "<tool_call>{not json at all: [</tool_call>",
        '<tool_call>{"arguments": {}}</tool_call>',
        {"tool_calls": [{}]},
        {"tool_calls": [{"name": None, "arguments": {}}]},
        {"tool_calls": [{"name": ["think"], "arguments": {}}]},
        {"tool_calls": [{"name": "think", "arguments": "{broken"}]},
    ],
    ids=str,
)
def test_a_call_that_cannot_be_read_never_reaches_the_user(api: Api, action: Any) -> None:
    """The agent is told about a call that cannot be read; the user hears nothing, and no tool is called."""
    episode = api.begin(user=EXTERNAL).episode_id
    reply = api.step(episode, action)
    assert reply.info.parse_failure or any(faults(reply))
    assert reply.observation
    assert all(m.role == "tool" for m in reply.observation)
    assert not reply.info.awaiting_user
    assert not reply.done


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"thought": None},
        {"thought": 10**400},
        {"thought": -(10**30)},
        {"thought": math.nan},
        {"thought": math.inf},
        {"thought": "\ud800"},
        {"thought": "\u0000"},
        {"thought": ["x"] * 1000},
        {"thought": {"\ud83d": 1}},
        {"unknown": 1},
        {"thought": "x", "db": 1},
        {"": ""},
        {"thought": "x" * 300_000},
        "{}",
        "[]",
        "nonsense",
        "null",
        [],
        3,
        None,
        True,
    ],
    ids=lambda value: repr(value)[:30].encode("ascii", "backslashreplace").decode(),
)
@pytest.mark.parametrize("nested", [False, True], ids=["flat", "nested"])
def test_a_models_mistake_is_an_observation(api: Api, arguments: Any, nested: bool) -> None:
    """Whatever a model writes as arguments gives 200 and one message, and the turn can be retried."""
    episode = api.begin().episode_id
    call = {"name": "think", "arguments": arguments}
    action = {"tool_calls": [{"type": "function", "function": call} if nested else call]}
    body = {"episode_id": episode, "turn": 1, "action": action}
    text = dumps(body)
    first = api.send("POST", "/step", content=text)
    assert first.status_code == 200, first.text
    assert len(first.json()["observation"]) == 1
    assert api.send("POST", "/step", content=text).content == first.content
    assert api.get(f"/episodes/{episode}/trajectory")["turns"][0]["turn"] == 1


@pytest.mark.parametrize(
    "call_id", [None, "", 0, 10**30, True, ["a"], {"a": 1}, "\ud800", "x" * 10_000], ids=lambda v: repr(v)[:12]
)
def test_any_id_of_a_call_is_answered(api: Api, call_id: Any) -> None:
    """The answer carries an id that is text, whatever the model sent."""
    body = {"episode_id": api.begin().episode_id, "turn": 1, "action": {"tool_calls": [{**THINK, "id": call_id}]}}
    reply = StepReply.model_validate_json(api.send("POST", "/step", content=dumps(body)).content)
    assert isinstance(reply.observation[0].tool_call_id, str)


@pytest.mark.parametrize("argument", ['"\\ud800"', "1" + "0" * 400, "NaN", "-Infinity", '"\\u0000"', "1e999"])
def test_odd_values_in_raw_text_are_observations(api: Api, argument: str) -> None:
    """Values that JSON parsers refuse or change may also stand in a model's own text."""
    call = f'{{"name": "{argument[:3].strip(chr(34))}", "arguments": {{"thought": {argument}, {argument}: 1}}}}'
    good = f'{{"name": "think", "arguments": {{"thought": {argument}}}}}'
    episode = api.begin().episode_id
    for turn, text in enumerate((good, call), 1):
        body = {"episode_id": episode, "turn": turn, "action": f"<tool_call>{text}</tool_call>"}
        first = api.send("POST", "/step", json=body)
        assert first.status_code == 200, first.text
        assert api.send("POST", "/step", json=body).content == first.content
    assert api.get(f"/episodes/{episode}/trajectory")["episode"]["turn"] == 2


def dumps(value: Any) -> bytes:
    """JSON as a careless client writes it: NaN, huge numbers and half surrogate pairs included."""
    return json.dumps(value).encode()


@pytest.mark.parametrize(
    "text", ["\ud800 hello", "hello \u0000", "\u202e", "x" * 500_000, "###STOP###", "{}", "[]", "null"]
)
def test_any_text_is_a_message(api: Api, text: str) -> None:
    """Any text is said to the user, and the user's stop line from the agent does not end the episode."""
    episode = api.begin(user=EXTERNAL).episode_id
    body = {"episode_id": episode, "turn": 1, "action": text}
    first = api.send("POST", "/step", content=dumps(body))
    assert first.status_code == 200
    assert not first.json()["done"]
    assert api.send("POST", "/step", content=dumps(body)).content == first.content


@pytest.mark.parametrize("action", ["", "   \n", {}, {"content": None}, {"content": ""}, {"tool_calls": []}], ids=str)
def test_an_empty_message_is_told_to_the_agent(api: Api, action: Any) -> None:
    """The user does not hear an empty message; it is a turn whose observation says so."""
    episode = api.begin(user=EXTERNAL).episode_id
    reply = api.step(episode, action, turn=1)
    assert [m.role for m in reply.observation] == ["tool"]
    assert "empty" in reply.observation[0].content
    assert not reply.info.awaiting_user


def test_the_turn_limit(api: Api) -> None:
    """The last allowed turn is played and ends the episode: truncated, with reward 0 and the hypothetical score."""
    episode = api.begin(max_turns=2).episode_id
    assert not api.calls(episode, THINK).done
    last = api.calls(episode, THINK)
    assert (last.stop_reason, last.truncated, last.terminated, last.reward) == (StopReason.MAX_TURNS, True, False, 0.0)
    assert last.info.would_be is not None
    assert last.info.scored


def test_the_turn_limit_waits_for_an_external_user(api: Api) -> None:
    """The user still answers in the last allowed turn."""
    episode = api.begin(max_turns=1, user=EXTERNAL).episode_id
    assert not api.step(episode, "Hello?").done
    last = api.say(episode, "Goodbye.")
    assert (last.turn, last.stop_reason) == (1, StopReason.MAX_TURNS)


def test_the_limit_of_failed_calls(api: Api) -> None:
    """The failed call that reaches the limit ends the episode, and later calls of the message are not executed."""
    episode = api.begin(max_errors=2).episode_id
    reply = api.calls(episode, WRONG, THINK, WRONG, THINK)
    assert faults(reply) == ["unknown_tool", None, "unknown_tool", "not_executed"]
    assert (reply.stop_reason, reply.reward) == (StopReason.MAX_ERRORS, 0.0)


def test_the_limit_of_calls(api: Api) -> None:
    """Calls beyond the limit are not executed."""
    episode = api.begin(max_calls=2).episode_id
    reply = api.calls(episode, THINK, THINK, THINK)
    assert faults(reply) == [None, None, "not_executed"]
    assert (reply.stop_reason, reply.reward) == (StopReason.MAX_CALLS, 0.0)


def test_the_deadline(api: Api) -> None:
    """After the deadline no turn is played; the late turn ends the episode, and can be retried."""
    episode = api.begin(deadline_s=1e-6).episode_id
    body = {"episode_id": episode, "turn": 1, "action": {"tool_calls": [THINK]}}
    last = api.send("POST", "/step", json=body)
    assert (last.json()["stop_reason"], last.json()["observation"]) == ("deadline", [])
    assert api.send("POST", "/step", json=body).content == last.content
    api.problem("POST", "/step", "turn_conflict", json=body | {"action": "else"})


@pytest.mark.parametrize(
    ("reason", "stop", "reward", "scored"),
    [
        (None, "closed", 0.0, True),
        ("context_full", "closed", 0.0, True),
        ("agent_error", "agent_error", 0.0, True),
        ("infrastructure", "closed", None, False),
    ],
)
def test_closing(api: Api, reason: str | None, stop: str, reward: float | None, scored: bool) -> None:
    """A close scores 0, unless its reason is an infrastructure failure. A second close gets the same answer."""
    episode = api.begin().episode_id
    body = {} if reason is None else {"reason": reason}
    first = api.send("POST", f"/episodes/{episode}/close", json=body)
    last = StepReply.model_validate_json(first.content)
    assert (last.stop_reason, last.reward, last.info.scored) == (stop, reward, scored)
    assert (last.turn, last.truncated, last.done) == (1, True, True)
    assert api.send("POST", f"/episodes/{episode}/close", json={"reason": "again"}).content == first.content


def test_the_users_stop_ends_the_episode(api: Api) -> None:
    """The stop line alone on a line ends the episode; within other words it does not."""
    episode = api.begin(user=EXTERNAL).episode_id
    api.step(episode, "Hello")
    assert not api.say(episode, "Do not say ###STOP### yet").done
    api.step(episode, "Well?")
    last = api.say(episode, " ###STOP### \n")
    assert (last.turn, last.stop_reason, last.terminated) == (2, StopReason.USER_STOP, True)


def test_every_turn_can_be_retried_after_the_end(api: Api) -> None:
    """Resets with a key, steps, the user's parts and the close get the same bytes again, at any time."""
    sent: list[tuple[str, dict[str, Any], bytes]] = []

    def send(path: str, body: dict[str, Any]) -> Any:
        answer = api.send("POST", path, json=body)
        assert answer.status_code == 200, answer.text
        sent.append((path, body, answer.content))
        return answer.json()

    reset = {"domain": api.domain, "user": {"strategy": "external"}, "idempotency_key": "retry-all"}
    episode = send("/reset", reset)["episode_id"]
    user = f"/episodes/{episode}/user"
    send(user, {"turn": 0, "content": "Hello"})
    actions: list[Any] = ["Hi!", {"tool_calls": [THINK, WRONG]}, "", "<tool_call>{", "Bye."]
    for turn, action in enumerate(actions, 1):
        reply = send("/step", {"episode_id": episode, "turn": turn, "action": action})
        if reply["info"]["awaiting_user"]:
            send(user, {"turn": turn, "content": f"Words {turn}"})
    send("/step", {"episode_id": episode, "turn": 6, "action": {"tool_calls": [TRANSFER]}})
    for path, body, answer in sent * 2:
        assert api.send("POST", path, json=body).content == answer
    api.problem("POST", "/step", "turn_conflict", json={"episode_id": episode, "turn": 6, "action": "else"})


def test_work_without_a_user(api: Api) -> None:
    """Without a user, `done` is a tool that ends the episode scored; words get an answer, and nobody hears them."""
    alone, guided = api.begin(user=SOLO), api.begin()
    names = [[tool["function"]["name"] for tool in begun.tools] for begun in (alone, guided)]
    assert names[0] == [*names[1], "done"]
    spoken = api.step(alone.episode_id, "I will look into it.")
    assert not spoken.done
    assert "done" in spoken.observation[-1].content
    last = api.calls(alone.episode_id, {"name": "done", "arguments": {}}, THINK)
    assert faults(last) == [None, "not_executed"]
    assert (last.stop_reason, last.terminated, last.info.scored) == (StopReason.COMPLETED, True, True)
    assert faults(api.calls(guided.episode_id, {"name": "done", "arguments": {}})) == ["unknown_tool"]


def test_a_solo_agent_is_told_what_to_do(api: Api) -> None:
    """Without a user the reset shows the task's instruction."""
    begun = api.begin(user=SOLO)
    task = api.get(f"/domains/{api.domain}/tasks/{begun.info.task_id}")
    assert [m.role for m in begun.observation] == ["system", "user"]
    assert task["instruction"] in begun.observation[1].content


def test_long_observations_are_cut_and_say_so(api: Api) -> None:
    """An observation has at most the set number of characters, and says how many were left out."""
    whole = api.calls(api.begin().episode_id, LONG).observation[0].content
    begun = api.begin(max_observation_chars=100)
    cut = api.calls(begun.episode_id, LONG).observation[0].content
    assert cut.startswith(whole[:100])
    assert cut.removeprefix(whole[:100]) == f"... [{len(whole) - 100} characters left out]"


def test_tool_results_in_the_users_role(api: Api) -> None:
    """Results may come in the user's role, in tags, for chat templates without a tool role."""
    reply = api.calls(api.begin(observation_role="user").episode_id, WRONG)
    assert [m.role for m in reply.observation] == ["user"]
    assert reply.observation[0].content.startswith("<tool_response>\n")
    assert reply.observation[0].content.endswith("\n</tool_response>")


@pytest.mark.parametrize("prompt", ["hermes", "json"])
def test_tools_in_the_system_message(api: Api, prompt: str) -> None:
    """For models that read tools as text, the system message has every tool in short form and the format of calls."""
    plain, begun = api.begin(), api.begin(tool_prompt=prompt)
    assert begun.observation[0].content.startswith(plain.observation[0].content)
    shown = begun.observation[0].content.splitlines()
    assert [json.loads(line) for line in shown if line.startswith('{"type":"function"')] == begun.tools
    call = '{"name": "think", "arguments": {"thought": "hm"}}'
    text = f"<tool_call>\n{call}\n</tool_call>" if prompt == "hermes" else call
    assert faults(api.step(begun.episode_id, text)) == [None]


def test_the_same_seed_is_the_same_episode(api: Api) -> None:
    """Task, opening words and answers follow from the seed; another seed picks another task."""
    picks = [api.post("/reset", {"domain": api.domain, "seed": seed}) for seed in (5, 5, 6)]
    tasks = [pick["info"]["task_id"] for pick in picks]
    assert tasks[0] == tasks[1] != tasks[2]
    assert picks[0]["observation"] == picks[1]["observation"]
    said = [api.step(pick["episode_id"], "What is your name and email?").observation for pick in picks[:2]]
    assert said[0] == said[1]
