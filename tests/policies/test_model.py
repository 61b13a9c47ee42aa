"""Language models as the agent, served over a real socket, in real episodes."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from agent_env_schemas import EpisodeReply, Message, ResetRequest
from env_server.backends.local import LocalBackend, thrown_away
from env_server.evals.retry import may_pass
from env_server.models import ModelConfig, Models, ModelUnavailable
from env_server.policies import rollout
from env_server.policies.model import ContextFull, FirstRefused, Mind, ModelPolicy, model_named
from env_server.policies.wire_names import wire_names
from env_server.settings import Settings
from tests.evals.player import Player, known
from tests.standin.fixtures import running, standin
from tests.standin.protocol import Call, Reply
from tests.standin.server import StandIn

__all__ = ["running", "standin"]

TASK = ResetRequest(domain="retail", split="test", index=0, conduct="off")
FULL = b'{"error": {"message": "This model\'s maximum context length is 8 tokens.", "code": 400}}'


@pytest.fixture(scope="module")
async def local() -> AsyncIterator[LocalBackend]:
    """Episodes of the builtin domains."""
    async with thrown_away(Settings(_env_file=None)) as opened:
        yield opened


@pytest.fixture
async def models(standin: StandIn) -> AsyncIterator[Models]:
    """Models that ask the stand-in, without retries."""
    found = Models(ModelConfig(standin.url, "sk-policy", retries=0))
    yield found
    await found.close()


class Shelf:
    """A journal in memory."""

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}

    def recall(self, digest: str) -> str | None:
        """A kept text."""
        return self.kept.get(digest)

    async def keep(self, digest: str, text: str) -> str:
        """Keep a text; the first one stays."""
        return self.kept.setdefault(digest, text)


def seated(models: Models, begun: EpisodeReply, *, native: bool = True, shelf: Shelf | None = None) -> ModelPolicy:
    """The policy of an episode."""
    return ModelPolicy(Mind(models, "m", native=native), begun.tools, 7, shelf, begun.episode_id)


def heard(*words: str) -> list[Message]:
    """What a user says."""
    return [Message(role="user", content=line) for line in words]


async def test_by_tool_calls_it_solves_a_task(local: LocalBackend, models: Models, standin: StandIn) -> None:
    """Tools and seed go to the endpoint, each call is followed by its result, and the whole cost is counted."""
    standin.program = Player(known(1, 1), silent=True)
    begun = await local.reset(TASK)
    policy = seated(models, begun)
    last = await rollout(local, begun, policy)
    assert last.reward == 1
    body = standin.journal[-1].body
    assert (body["model"], body["seed"], body["tools"]) == ("m", 7, begun.tools)
    roles = [message["role"] for message in standin.journal[-1].messages]
    assert roles[:4] == ["system", "user", "assistant", "tool"]
    ids = [m["tool_calls"][0]["id"] for m in body["messages"] if m.get("tool_calls")]
    assert ids == [m["tool_call_id"] for m in body["messages"] if m["role"] == "tool"]
    assert policy.spent["calls"] == last.turn == len(standin.journal)
    assert policy.spent["prompt_tokens"] == 100 * last.turn


async def test_names_that_endpoints_refuse_are_sent_otherwise(models: Models, standin: StandIn) -> None:
    """Long names, and names with other characters, are changed for the model only; the episode has its own names."""
    own = ["fs.read:all/x", "fs_read_all_x", "n" * 80, "n" * 64, "plain"]
    sent = wire_names(own)
    assert list(map(sent.get, own)) == ["fs_read_all_x_2", "fs_read_all_x", "n" * 62 + "_2", "n" * 64, "plain"]
    tools = [{"type": "function", "function": {"name": name, "parameters": {}}} for name in own]
    standin.then(Reply(calls=(Call("fs_read_all_x_2", "{}"), Call("plain", "{}"))))
    policy = ModelPolicy(Mind(models, "m"), tools)
    move = await policy.move(heard("Read it."))
    assert [call.name for call in move.action.tool_calls or ()] == ["fs.read:all/x", "plain"]
    assert [tool["function"]["name"] for tool in standin.journal[-1].body["tools"]] == [sent[name] for name in own]


@pytest.mark.parametrize("prompt", ["hermes", "json"])
async def test_by_text_it_solves_a_task(local: LocalBackend, models: Models, standin: StandIn, prompt: str) -> None:
    """No tools go to the endpoint, and user and assistant take turns."""
    standin.program = Player(known(1, 1), text=True, silent=True)
    begun = await local.reset(ResetRequest.model_validate({**TASK.model_dump(), "tool_prompt": prompt}))
    assert (await rollout(local, begun, seated(models, begun, native=False))).reward == 1
    assert "tools" not in standin.journal[-1].body
    roles = [message["role"] for message in standin.journal[-1].messages]
    assert roles == ["system", *["user", "assistant"] * (len(roles) // 2 - 1), "user"]


async def test_the_chat_stays_one_that_endpoints_accept(local: LocalBackend, models: Models, standin: StandIn) -> None:
    """Broken arguments are not sent back, and a message that answers no call is not sent as a tool result."""
    broken = (Call("get_order_details", '{"order_id": '), Call("get_order_details", "[]"))
    standin.begin_anew("Hello")
    standin.then(Reply(None, broken), Reply(""), "Hello")
    begun = await local.reset(ResetRequest(domain="retail", split="test", index=0, max_turns=4))
    await rollout(local, begun, seated(models, begun))
    chat = standin.journal[-1].messages
    assert [m["role"] for m in chat[2:7]] == ["assistant", "tool", "tool", "assistant", "user"]
    assert [call["function"]["arguments"] for call in chat[2]["tool_calls"]] == ["{}", "{}"]
    assert "was empty" in chat[6]["content"]


async def test_a_move_that_failed_may_be_asked_for_again(models: Models, standin: StandIn, local: LocalBackend) -> None:
    """A repeated request adds no message twice."""
    standin.then(Reply(status=500), "Hi.", "Yes.")
    policy = seated(models, await local.reset(TASK))
    with pytest.raises(ModelUnavailable):
        await policy.move(heard("One."))
    await policy.move(heard("One."))
    await policy.move(heard("Two."))
    assert [m["content"] for m in standin.journal[-1].messages] == ["One.", "Hi.", "Two."]


async def test_what_was_said_is_not_asked_again(models: Models, standin: StandIn, local: LocalBackend) -> None:
    """Another policy with the same journal says the same at the same cost, and continues where the first stopped."""
    standin.then(Reply("Hi.", tokens=(5, 2)), "Yes.")
    begun, shelf = await local.reset(TASK), Shelf()
    first = seated(models, begun, shelf=shelf)
    said = await first.move(heard("One."))
    second = seated(models, begun, shelf=shelf)
    assert await second.move(heard("One.")) == said
    assert (second.spent, len(standin.journal)) == (first.spent, 1)
    await second.move(heard("Two."))
    assert [m["content"] for m in standin.journal[-1].messages] == ["One.", "Hi.", "Two."]


async def test_two_at_once_say_the_same(models: Models, standin: StandIn, local: LocalBackend) -> None:
    """Two concurrent requests for one move return the message stored first, with its cost, and continue from it."""
    words = (f"answer {number}" for number in range(9))
    standin.program = lambda _asked: next(words)
    begun, shelf = await local.reset(TASK), Shelf()
    both = [seated(models, begun, shelf=shelf) for _ in range(2)]
    first, second = await asyncio.gather(*(policy.move(heard("One.")) for policy in both))
    assert first == second
    assert both[0].spent == both[1].spent
    assert len(standin.journal) == 2
    await both[1].move(heard("Two."))
    assert standin.journal[-1].messages[1]["content"] == first.action.content


async def test_a_full_context_is_told_apart(models: Models, standin: StandIn, local: LocalBackend) -> None:
    """A context that is too long is the policy's own failure. It is not kept: a larger endpoint is asked again."""
    standin.then("Hi.", Reply(status=400, body=FULL), Reply(status=400, body=FULL), "Yes.")
    begun, shelf = await local.reset(TASK), Shelf()
    for _ in range(2):
        policy = seated(models, begun, shelf=shelf)
        await policy.move(heard("One."))
        with pytest.raises(ContextFull):
            await policy.move(heard("Two."))
    assert (await policy.move(heard("Two."))).action.content == "Yes."
    assert len(shelf.kept) == 2


async def test_a_first_question_that_does_not_fit_is_nobodys_failure(
    models: Models, standin: StandIn, local: LocalBackend
) -> None:
    """If the first question exceeds the context, the policy raises FirstRefused, which is not retried at once."""
    standin.then(Reply(status=400, body=FULL))
    with pytest.raises(FirstRefused, match="first question") as refused:
        await seated(models, await local.reset(TASK)).move(heard("One."))
    assert not may_pass(refused.value)


async def test_a_refusal_for_another_reason_is_nobodys_failure(
    models: Models, standin: StandIn, local: LocalBackend
) -> None:
    """Any other refusal within a conversation is ModelUnavailable: the episode is left, and does not score 0."""
    standin.then("Hi.", Reply(status=400), Reply(status=413))
    policy = seated(models, await local.reset(TASK))
    await policy.move(heard("One."))
    for _ in range(2):
        with pytest.raises(ModelUnavailable):
            await policy.move(heard("Two."))


def test_names_of_policies() -> None:
    """A prefix selects a model by name. Rule-based policies have no prefix."""
    assert (model_named("openai:a/b:c"), model_named("oracle")) == ("a/b:c", None)
