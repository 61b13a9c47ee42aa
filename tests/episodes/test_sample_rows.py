"""Rows of a training set, unchanged, are played to their end, with and without shaped rewards."""

from pathlib import Path
from typing import Any

import orjson
import pytest

from agent_env_schemas import ForkRequest
from env_server.models import ModelConfig, Models
from env_server.rewards.judge import Judge
from tests.domains.configured.rows import JUDGED, ROW, row
from tests.episodes import own_servers
from tests.episodes.exchange import Exchange, begin, call, playing, say
from tests.rewards.conftest import Kept
from tests.standin.fixtures import running, standin
from tests.standin.judges import marks
from tests.standin.protocol import Reply
from tests.standin.server import StandIn

__all__ = ["running", "standin"]

PRICE = call("get_stock_price", "yahoo_finance", ticker="ORCA")
SEND = call("send_slack_message", "slack", channel="direct", text="${step1.price}")
OTHER = call("get_stock_price_2", "fmp", ticker="ORCA")
ANSWER = '{"final_answer": "ORCA is at 110.5, up by 0.105 since the first day."}'


async def test_a_row_is_played_as_it_is(tmp_path: Path) -> None:
    """The row's system message, calls with placeholders, and form of the answer are used; the right call earns 1."""
    exchange = Exchange()
    async with playing(tmp_path, ROW, exchange=exchange) as episodes:
        begun = await begin(episodes)
        assert [m["content"] for m in begun["observation"]] == [m["content"] for m in ROW["prompt"]]
        assert begun["info"]["max_turns"] == 5
        episode = begun["episode_id"]
        for action in (PRICE, SEND):
            reply = await say(episodes, episode, action)
            assert (reply.reward, reply.done, reply.info.shaping) == (0.0, False, None)
        reply = await say(episodes, episode, ANSWER)
    assert (reply.reward, reply.stop_reason, reply.info.partial) == (1.0, "completed", False)
    assert reply.info.reward_breakdown == {"success": {"value": 1.0, "missing": []}}
    assert exchange.asked == [{"ticker": "ORCA"}, {"channel": "direct", "text": 110.5}]


@pytest.mark.parametrize("named", ["get_stock_price", "yahoo_finance", "yahoo_finance.get_stock_price"])
@pytest.mark.parametrize(
    ("action", "reward"),
    [(PRICE, 1.0), ({"tool": "yahoo_finance.get_stock_price", "arguments": {}}, 1.0), (OTHER, 0.0), (SEND, 0.0)],
)
async def test_only_the_named_call_succeeds(named: str, action: dict[str, Any], reward: float, tmp_path: Path) -> None:
    """The row names a server or one of its tools; a call of another one earns nothing."""
    async with playing(tmp_path, row(spec={"success": {"must_call_tool": named}})) as episodes:
        episode = (await begin(episodes))["episode_id"]
        await say(episodes, episode, action)
        assert (await say(episodes, episode, "Done.")).reward == reward


async def test_a_refused_call_is_no_success(tmp_path: Path) -> None:
    """The named call has to succeed; the explanation says what is missing."""
    async with playing(tmp_path, ROW) as episodes:
        episode = (await begin(episodes))["episode_id"]
        await say(episodes, episode, call("get_stock_price", ticker="BAD"))
        reply = await say(episodes, episode, "ORCA is at 110.5.")
    assert reply.reward == 0.0
    assert reply.info.reward_breakdown == {"success": {"value": 0.0, "missing": ["yahoo_finance.get_stock_price"]}}


@pytest.mark.parametrize(
    ("limits", "actions"),
    [
        ({"max_tools": 2}, [PRICE, PRICE, PRICE]),
        ({"max_servers": 1}, [PRICE, PRICE, SEND]),
        ({"max_servers": 2, "max_tools": 9}, [PRICE, SEND, OTHER]),
    ],
)
async def test_a_limit_ends_the_episode(limits: dict[str, int], actions: list[Any], tmp_path: Path) -> None:
    """The call that would exceed the limit is not made; the episode ends by `max_calls` with reward 0."""
    exchange = Exchange()
    async with playing(tmp_path, row(spec={"limits": limits}), exchange=exchange) as episodes:
        episode = (await begin(episodes))["episode_id"]
        replies = [await say(episodes, episode, action) for action in actions]
    assert [reply.done for reply in replies] == [False, False, True]
    assert (replies[-1].stop_reason, replies[-1].reward, replies[-1].info.would_be) == ("max_calls", 0.0, 1.0)
    assert len(exchange.asked) == 2
    assert replies[-1].info.calls[0].error == "not_executed"


async def test_an_answer_fits_behind_the_last_call(tmp_path: Path) -> None:
    """Reaching the limit of calls does not end the episode: the answer is still taken."""
    async with playing(tmp_path, row(spec={"limits": {"max_tools": 1}})) as episodes:
        episode = (await begin(episodes))["episode_id"]
        await say(episodes, episode, PRICE)
        assert (await say(episodes, episode, "At 110.5.")).reward == 1.0


async def test_an_allow_list_hides_tools(tmp_path: Path) -> None:
    """Tools that are not on the list are unknown tools."""
    limits = {"allow_list": ["yahoo_finance.get_stock_price"]}
    async with playing(tmp_path, row(spec={"limits": limits})) as episodes:
        begun = await begin(episodes)
        assert [t["function"]["name"] for t in begun["tools"]] == ["get_stock_price", "done"]
        reply = await say(episodes, begun["episode_id"], SEND)
        assert reply.info.calls[0].error == "unknown_tool"


async def test_shaped_rewards_by_hand(tmp_path: Path) -> None:
    """The terms of each turn follow the preset; `reward` is the sum of the terms and the verified reward."""
    async with playing(tmp_path, row(spec={"limits": {}, "max_turns": 9})) as episodes:
        episode = (await begin(episodes, reward_shaping="mcp_tool_env"))["episode_id"]
        turns: list[tuple[Any, dict[str, float]]] = [
            (PRICE, {"valid": 0.1, "extract": 0.4, "accept": 0.4}),
            (PRICE, {"valid": 0.1, "repeat": -0.1}),
            (call("get_stock_price", ticker="BAD"), {"valid": 0.1, "error": -0.4}),
            (call("get_stock_price", ticker="DOWN"), {}),
            (call("sell", ticker="ORCA"), {"invalid": -0.25}),
            ('{"tool": "get_stock_price", "params": 3}', {"parse_failure": -0.1}),
            (SEND, {"valid": 0.1, "extract": 0.2, "accept": 0.4}),
        ]
        for action, terms in turns:
            reply = await say(episodes, episode, action)
            shaping = reply.info.shaping
            assert shaping is not None
            assert shaping.terms == pytest.approx(terms)
            assert (shaping.reward, shaping.partial) == (0.0, False)
            assert reply.reward == shaping.total == pytest.approx(sum(terms.values()))
        reply = await say(episodes, episode, ANSWER)
        # .4 * (.5 * 1 + .4 * 1 + .1 * 1) for price, ORCA and change; .05 for the right call
        assert reply.info.shaping is not None
        assert reply.info.shaping.terms == pytest.approx({"heuristic": 0.4, "success": 0.05})
        assert reply.info.shaping.reward == 1.0
        assert reply.reward == pytest.approx(1.45)
        parts = [turn["parts"][0] for turn in episodes.reader.trajectory(episode)["turns"]]
        kept = [part["info"]["shaping"] for part in parts]
        assert [one["total"] for one in kept] == [0.9, 0.0, -0.3, 0.0, -0.25, -0.1, 0.7, 0.45]
        assert kept[-1] == reply.info.shaping.model_dump()


async def test_the_first_right_tool_by_hand(tmp_path: Path) -> None:
    """The other preset, and custom weights, computed by hand."""
    async with playing(tmp_path, ROW) as episodes:
        for shaping, first, again in (
            ("first_tool", 0.8, 0.0),
            ({"valid": 1, "repeat": -0.5, "forced_action": -2}, 1.0, 0.5),
        ):
            episode = (await begin(episodes, reward_shaping=shaping))["episode_id"]
            assert (await say(episodes, episode, PRICE)).reward == first
            assert (await say(episodes, episode, PRICE)).reward == again
        forced = await say(episodes, episode, SEND, forced_action=True)
        assert forced.reward == -1.0


async def test_what_shaping_remembers_is_stored(tmp_path: Path) -> None:
    """Another process and a fork know the repeated calls and the values of earlier turns."""
    async with playing(tmp_path, ROW) as episodes:
        episode = (await begin(episodes, reward_shaping="mcp_tool_env"))["episode_id"]
        await say(episodes, episode, PRICE)
    async with playing(tmp_path, ROW) as episodes:
        fork = orjson.loads(await episodes.fork(episode, ForkRequest(turn=1), "tester"))["episode_id"]
        for name in (episode, fork):
            reply = await say(episodes, name, PRICE)
            assert reply.info.shaping is not None
            assert reply.info.shaping.terms == {"valid": 0.1, "repeat": -0.1}
            assert (await say(episodes, name, ANSWER)).reward == pytest.approx(1.45)


async def test_a_retry_gets_the_same_shaped_reward(tmp_path: Path) -> None:
    """A retry gets the stored reply, with its shaped reward."""
    async with playing(tmp_path, ROW) as episodes:
        episode = (await begin(episodes, reward_shaping="mcp_tool_env"))["episode_id"]
        first = await say(episodes, episode, PRICE, turn=1)
        assert await say(episodes, episode, PRICE, turn=1) == first


async def test_a_limit_leaves_the_answers_terms_out(tmp_path: Path) -> None:
    """The terms of an answer are left out if a limit ends the episode."""
    async with playing(tmp_path, row(spec={"max_turns": 1})) as episodes:
        episode = (await begin(episodes, reward_shaping="mcp_tool_env"))["episode_id"]
        reply = await say(episodes, episode, PRICE)
        assert reply.stop_reason == "max_turns"
        assert reply.info.shaping is not None
        assert reply.info.shaping.terms.keys() == {"valid", "extract", "accept"}
        assert reply.info.shaping.reward == 0.0
        assert reply.reward == pytest.approx(0.9)


RUBRIC = row(spec={"judge_rubric": JUDGED})


async def test_without_a_judge_its_part_is_left_out(tmp_path: Path) -> None:
    """The judge's part is left out of both the reward and the shaped reward, and both say that they are partial."""
    async with playing(tmp_path, RUBRIC) as episodes:
        begun = await begin(episodes, reward_shaping="mcp_tool_env")
        assert begun["info"]["not_judged"] == ["rubric"]
        await say(episodes, begun["episode_id"], PRICE)
        reply = await say(episodes, begun["episode_id"], ANSWER)
    assert reply.info.partial
    assert reply.info.shaping is not None
    assert (reply.info.shaping.reward, reply.info.shaping.partial) == (1.0, True)
    assert reply.reward == pytest.approx(1.45)


async def test_a_judge_marks_the_answer(tmp_path: Path, standin: StandIn) -> None:
    """A judge's marks count by the row's weights, in both rewards, also if the judge failed at first."""
    judge = Judge(Models(ModelConfig(base_url=standin.url, model="judge", retries=0)), Kept())
    async with playing(tmp_path, RUBRIC, judge=judge) as episodes:
        episode = (await begin(episodes, reward_shaping="mcp_tool_env"))["episode_id"]
        await say(episodes, episode, PRICE)
        standin.then(Reply(status=500))
        with pytest.raises(Exception, match="waits for its score"):
            await say(episodes, episode, ANSWER, turn=2)
        standin.then(marks(2, 4, 4, 4))
        reply = await say(episodes, episode, ANSWER, turn=2)
    await judge.close()
    # (.5 * 2 + .5 * 4 + 1 * 4 + 1 * 4) / (4 * 3)
    worth = 11 / 12
    assert reply.info.shaping is not None
    assert reply.info.shaping.terms == pytest.approx(
        {"heuristic": 0.4, "success": 0.05, "judge": 0.6 * worth}, abs=1e-6
    )
    assert reply.info.shaping.reward == pytest.approx(worth)
    assert not reply.info.shaping.partial
    assert reply.reward == pytest.approx(worth + 0.45 + 0.6 * worth, abs=1e-5)


async def test_a_row_with_a_real_server(tmp_path: Path) -> None:
    """A real process of the market server: values from its structured result, a placeholder, a shaped sum, success."""
    plan: list[dict[str, Any]] = [
        {
            "step": 1,
            "server": "polygon",
            "tool": "polygon_get_aggs",
            "params": {"ticker": "ORCA", "start_date": "2025-03-03", "end_date": "2025-03-07"},
            "analysis_requirements": {
                "extract": ["closes = bars[][close]", "ticker"],
                "compute": ["change = closes[-1] / closes[0] - 1"],
                "accept_if": ["len(closes) == 5", "ticker ~= '^ORCA$'"],
            },
        },
        {
            "step": 2,
            "server": "polygon",
            "tool": "polygon_get_ticker_details",
            "params": {"ticker": "${step1.ticker}"},
            "analysis_requirements": {"extract": ["name"], "accept_if": ["len(name) > 2"]},
        },
    ]
    success = {"must_call_tool": "polygon.polygon_get_aggs"}
    given = own_servers.files(tmp_path, row(spec={"tool_sequence": plan, "success": success}))
    async with own_servers.opened(tmp_path, **given) as episodes:
        begun = await own_servers.begin(episodes, reward_shaping="mcp_tool_env")
        episode = begun["episode_id"]
        first = await say(episodes, episode, call(plan[0]["tool"], "polygon", **plan[0]["params"]))
        assert first.reward == pytest.approx(0.1 + 2 * 0.2 + 0.4)
        second = await say(episodes, episode, call(plan[1]["tool"], "polygon", **plan[1]["params"]))
        assert second.info.calls[0].error is None
        assert second.reward == pytest.approx(0.1 + 0.2 + 0.4)
        last = await say(episodes, episode, "Answered.")
        assert last.info.shaping is not None
        assert last.info.shaping.reward == 1.0
