"""All methods of the clients, against a real server."""

import inspect
from typing import Any

import pytest

from agent_env_schemas import ErrorCode, ResetRequest, StepReply, StopReason
from tests.e2e.server import Server
from trainer_client import AsyncClient, AsyncEpisode, Client, Episode, ServerError
from trainer_client.client.calls import ResetOptions

LOOK = {"tool_calls": [{"name": "list_all_product_types", "arguments": {}}]}
WORDS = "Hello! What is your email address?"


def gold_calls(client: Client, episode: Episode) -> list[dict[str, Any]]:
    """The reference solution of the episode's task as actions."""
    info = episode.reply.info
    gold = client.task(info.domain, info.task_id, gold=True).gold
    assert gold is not None
    return [{"tool_calls": [{"name": c.name, "arguments": c.arguments}]} for c in gold.actions]


def test_an_episode_is_played_to_its_reward(client: Client) -> None:
    """Gold's calls and a goodbye from an external user score 1; the handle knows how far it is."""
    user = {"strategy": "external", "first_message": "Hi, please help."}
    with client.reset("retail", split="test", index=0, user=user) as episode:
        assert (episode.turn, episode.done, episode.messages[0]["role"]) == (0, False, "system")
        for number, action in enumerate(gold_calls(client, episode), 1):
            assert episode.step(action).turn == episode.turn == number
        episode.step("All of it is done.")
        assert episode.awaiting_user
        rewards = [episode.reward]
        last = episode.user("###STOP###")
    assert (last.done, last.stop_reason, [*rewards, episode.reward]) == (True, StopReason.USER_STOP, [None, 1.0])
    assert episode.trajectory().episode.reward == 1.0
    roles = [m["role"] for m in episode.messages]
    assert roles[:4] == ["system", "user", "assistant", "tool"]


def test_leaving_the_context_closes_the_episode(client: Client) -> None:
    """An episode that is left early scores 0; one that an exception left is not scored, and the exception is kept."""
    with client.reset("retail", split="test", index=0) as left:
        left.step(WORDS)
    assert (left.done, left.reward) == (True, 0.0)
    with pytest.raises(RuntimeError, match="sampler"), client.reset("retail", split="test", index=0) as broken:
        raise RuntimeError("the sampler died")
    assert broken.last is not None
    assert (broken.done, broken.reward, broken.last.info.scored) == (True, None, False)


def test_groups_forks_and_reads(client: Client) -> None:
    """A group shares its task; a fork goes on from its turn; state, difference, listings and domains are typed."""
    group = client.reset_group("retail", 3, split="test", index=1, run="reads")
    assert len({e.reply.info.group_id for e in group}) == 1
    episode = group[0]
    first = episode.step(LOOK)
    episode.step(WORDS)
    fork = episode.fork(turn=1)
    assert (fork.turn, fork.step(LOOK).turn, episode.turn) == (1, 2, 2)
    assert client.state(episode.id, turn=1).state_hash == first.state_hash
    assert client.diff(episode.id, since="start").rows == []
    assert client.episode(episode.id).turn == 2
    assert client.close_episode("latest").episode_id == fork.id
    assert client.token(episode.id).mcp_url == episode.reply.mcp_url
    assert client.episodes(run="reads", limit=2).total == 3
    assert "retail" in {d.name for d in client.domains().domains}
    assert len(client.tasks("retail", split="test", limit=3).tasks) == 3
    easy = client.tasks("retail", split="val", difficulty="1-2", order="difficulty", limit=1000)
    assert [task.difficulty for task in easy.tasks] == sorted(task.difficulty or 0 for task in easy.tasks)
    with client.reset("retail", split="val", difficulty="1-2", index=0) as begun:
        assert begun.reply.info.task_id in {task.task_id for task in easy.tasks}


def test_an_external_user_calls_tools_of_their_own(client: Client) -> None:
    """Pieces of the user's part are numbered, so two equal calls in a row count as two."""
    user = {"strategy": "external", "first_message": "My phone has no service."}
    episode = client.reset("telecom", split="test", index=0, user=user)
    tools = episode.reply.info.user_tools
    assert tools
    call = {"name": tools[0]["function"]["name"], "arguments": {}}
    episode.step("What does your phone show?")
    for _ in range(2):
        assert episode.user(tool_calls=[call]).info.awaiting_user
    assert not episode.user("There it is.").info.awaiting_user
    parts = episode.trajectory().turns[-1].parts
    assert [p.part for p in parts] == ["agent", "user", "user", "user"]


def test_batches_hold_results_and_errors_in_order(client: Client) -> None:
    """A bad item gets its own error, and the others are played."""
    requests = [ResetRequest(domain=name, split="test", index=0) for name in ("retail", "nowhere", "airline")]
    good, bad, other = client.batch_reset(requests)
    assert isinstance(good, Episode)
    assert isinstance(other, Episode)
    assert isinstance(bad, ServerError)
    assert bad.code is ErrorCode.NOT_FOUND
    other.close()
    played, over = client.batch_step([(good, LOOK), (other, WORDS)])
    assert isinstance(played, StepReply)
    assert (played.turn, good.turn) == (1, 1)
    assert isinstance(over, ServerError)
    assert over.code is ErrorCode.EPISODE_OVER
    with pytest.raises(ValueError, match="one turn of each"):
        client.batch_step([(good, LOOK), (good, LOOK)])


def test_what_is_no_reset_is_told_before_anything_is_sent(client: Client) -> None:
    """A batch takes plain data too. A wrong option is a ValueError that names the field and, in a batch, the item."""
    fields = {"domain": "retail", "split": "test", "index": 0}
    plain, checked = client.batch_reset([fields, ResetRequest.model_validate(fields)])
    assert isinstance(plain, Episode)
    assert isinstance(checked, Episode)
    assert plain.messages == checked.messages
    wrong: Any = {"indexx": 1}
    with pytest.raises(ValueError, match="indexx"):
        client.reset("retail", **wrong)
    with pytest.raises(ValueError, match=r"1\.indexx"):
        client.batch_reset([fields, {**fields, **wrong}])


def test_a_model_that_said_nothing_has_played(client: Client) -> None:
    """None, which SDKs use as the content of an empty message, is played as an empty text."""
    episode, twin = client.reset_group("retail", 2, split="test", index=0)
    assert episode.step(None).observation == twin.step("").observation
    assert episode.messages == twin.messages
    assert [episode.turn, twin.turn] == [1, 1]
    again = client.batch_step([(episode, None)])
    assert isinstance(again[0], StepReply)


def test_a_models_mistakes_reach_the_episode(client: Client) -> None:
    """Half a surrogate pair, NaN and nonsense are observed by the model; none is an error of the client."""
    episode = client.reset("retail", split="test", index=0)
    nan = {"tool_calls": [{"name": "calculate", "arguments": {"expression": float("nan")}}]}
    for action in ("\ud83d hello", nan, {"tool_calls": [7]}):
        assert episode.step(action).observation
    assert episode.turn == 3


def test_problems_are_raised_with_everything_the_server_said(client: Client, server: Server) -> None:
    """An error carries its code, status and episode, for wrong keys and for unknown episodes."""
    with pytest.raises(ServerError) as caught:
        client.trajectory("ep_none")
    problem = caught.value.problem
    assert problem is not None
    assert (caught.value.status, problem.code, problem.episode_id) == (404, "episode_not_found", "ep_none")
    assert "episode_not_found" in str(caught.value)
    with Client(server.url, "wrong") as stranger, pytest.raises(ServerError) as refused:
        stranger.domains()
    assert refused.value.code is ErrorCode.UNAUTHORIZED


async def test_the_async_client_plays_the_same(server: Server) -> None:
    """An episode by the async client has the same observations and hashes as one by the sync client."""
    with Client(server.url, "secret") as plain:
        episode = plain.reset("retail", split="test", index=2)
        wanted = [episode.step(LOOK), episode.step(WORDS), episode.close()]
    async with AsyncClient(server.url, "secret") as client, await client.reset("retail", split="test", index=2) as twin:
        found = [await twin.step(LOOK), (await client.batch_step([(twin, WORDS)]))[0], await twin.close()]
        group = await client.reset_group("retail", 2, split="test", index=0)
        assert (await (await group[0].fork()).step(WORDS)).turn == 1
        assert (await client.episode(group[0].id)).turn == 0
    for reply, other in zip(wanted, found, strict=True):
        assert isinstance(other, StepReply)
        assert reply.model_copy(update={"episode_id": other.episode_id}) == other


def test_both_clients_offer_the_same() -> None:
    """The sync and the async classes have the same public methods with the same parameters."""
    for plain, other in ((Client, AsyncClient), (Episode, AsyncEpisode)):
        for name, method in inspect.getmembers(plain, inspect.isfunction):
            if not name.startswith("_"):
                twin = getattr(other, name)
                assert list(inspect.signature(method).parameters) == list(inspect.signature(twin).parameters), name


def test_the_options_of_a_reset_are_the_wires() -> None:
    """The options that editors complete are those that `/reset` takes."""
    assert set(ResetOptions.__annotations__) | {"domain", "n"} == set(ResetRequest.model_fields)
