"""Rollouts on a real Ray cluster against real servers: what comes back, also if workers or servers are killed."""

import os
import signal
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import ray

from tests.e2e.server import PATIENCE_S, Server
from tests.ray.policies import TURNS, failing, thinker
from trainer_client.recipes.ray import PlayedGroup, RayRollouts

pytestmark = pytest.mark.usefixtures("cluster")


def requests(count: int) -> list[dict[str, Any]]:
    """Resets of different tasks."""
    return [{"domain": "retail", "split": "train", "index": i} for i in range(count)]


def check_played(played: list[PlayedGroup], servers: list[Server], n: int) -> None:
    """Every group has its episodes, each played once and to its end, and the server's record says the same."""
    ids = [rollout.episode_id for group in played for rollout in group.rollouts]
    assert len(set(ids)) == len(ids) == n * len(played)
    for group in played:
        for rollout in group.rollouts:
            assert (rollout.error, rollout.turns, rollout.stop_reason) == (None, TURNS + 1, "transfer"), rollout
            assert rollout.reward is not None
    record = servers[0].call("GET", f"/episodes/{ids[0]}/trajectory").json()
    assert [turn["turn"] for turn in record["turns"]] == list(range(1, TURNS + 2))
    everything = servers[0].call("GET", "/episodes?limit=500").json()
    assert everything["total"] == len(ids)
    assert {each["done"] for each in everything["episodes"]} == {True}


def processes(notes: Path) -> set[int]:
    """The workers that have played."""
    return {int(file.name) for file in notes.iterdir()}


@pytest.mark.parametrize("workers", [2, None], ids=["actors", "tasks"])
def test_groups_are_played_on_every_replica(servers: list[Server], tmp_path: Path, workers: int | None) -> None:
    """Actors and tasks in several processes play all groups, by way of both replicas."""
    notes = tmp_path / "notes"
    notes.mkdir()
    urls = [server.url for server in servers]
    rollouts = RayRollouts(urls, thinker(str(notes)), workers=workers, groups_each=2)
    played = list(rollouts.play(requests(6), n=3))
    assert sorted(group.index for group in played) == list(range(6))
    assert {group.attempts for group in played} == {1}
    assert [group.request for group in sorted(played, key=lambda g: g.index)] == requests(6)
    check_played(played, servers, 3)
    assert os.getpid() not in processes(notes)
    assert len(processes(notes)) >= 2
    for server in servers:
        assert 'env_server_episodes_begun_total{domain="retail"' in server.call("GET", "/metrics").text


def test_requests_are_taken_as_workers_are_free(servers: list[Server], tmp_path: Path) -> None:
    """Requests are taken one by one as groups end, even from an iterator without end."""
    taken: list[int] = []

    def endless() -> Iterator[Mapping[str, Any]]:
        for i in range(10**9):
            taken.append(i)
            yield {"domain": "retail", "split": "train", "index": i}

    notes = tmp_path / "notes"
    notes.mkdir()
    rollouts = RayRollouts([servers[0].url], thinker(str(notes)), workers=2, groups_each=2)
    playing = rollouts.play(endless())
    for done in range(1, 8):
        next(playing)
        assert len(taken) <= 4 + done


def test_a_killed_worker_loses_no_turn(servers: list[Server], tmp_path: Path) -> None:
    """A killed worker's episodes go on in another process after their newest turns, and no turn is played twice."""
    notes = tmp_path / "notes"
    notes.mkdir()
    rollouts = RayRollouts([s.url for s in servers], thinker(str(notes), 0.3), workers=2, groups_each=2)
    playing = rollouts.play(requests(4), n=2)
    killed: list[int] = []

    def kill_one() -> None:
        """Wait until every episode has begun in some process, and kill one of them."""
        deadline = time.monotonic() + PATIENCE_S
        while len(processes(notes)) < 2 or any(len(f.read_text().split("\n")) < 9 for f in notes.iterdir()):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        killed.append(min(processes(notes)))
        os.kill(killed[0], signal.SIGKILL)

    killer = Thread(target=kill_one)
    killer.start()
    played = list(playing)
    killer.join()
    check_played(played, servers, 2)
    assert sorted(group.attempts for group in played) == [1, 1, 2, 2]
    before = set((notes / str(killed[0])).read_text().splitlines())
    after = [line for pid in processes(notes) - set(killed) for line in (notes / str(pid)).read_text().splitlines()]
    taken_over = {line.split()[0] for line in before}
    again = [line for line in after if line.split()[0] in taken_over]
    assert again
    assert len(before & set(again)) <= 4, "only the turns that were being played are asked for again"


def test_a_killed_replica_stops_nobody(servers: list[Server], tmp_path: Path) -> None:
    """Groups that cannot reach the killed replica go on at the other one."""
    notes = tmp_path / "notes"
    notes.mkdir()
    urls = [server.url for server in servers]
    rollouts = RayRollouts(urls, thinker(str(notes), 0.2), workers=2, groups_each=2, patience_s=1.0)
    playing = rollouts.play(requests(8), n=2)
    played = [next(playing)]
    servers[1].kill()
    played += list(playing)
    check_played(played, servers, 2)
    assert max(group.attempts for group in played) > 1


def test_a_driver_that_is_started_again_finds_its_groups(servers: list[Server], tmp_path: Path) -> None:
    """With the same name the same episodes come back, and none is begun anew."""
    notes = tmp_path / "notes"
    notes.mkdir()
    first = list(RayRollouts([servers[0].url], thinker(str(notes))).play(requests(2), n=2, name="epoch-1"))
    again = list(RayRollouts([servers[1].url], thinker(str(notes))).play(requests(2), n=2, name="epoch-1"))
    ids = [{r.episode_id: r.reward for g in found for r in g.rollouts} for found in (first, again)]
    assert ids[0] == ids[1]
    check_played(first, servers, 2)


def test_a_policy_that_fails_has_no_reward(servers: list[Server]) -> None:
    """The rollout of a policy that fails is unscored and says why. The others of its group are played to their ends."""
    (group,) = RayRollouts([servers[0].url], failing).play(requests(1), n=2)
    errors = {rollout.error for rollout in group.rollouts}
    assert errors == {None, "ValueError: the model has no answer"}
    for rollout in group.rollouts:
        assert (rollout.reward is None) == (rollout.error is not None)
        summary = servers[0].call("GET", f"/episodes/{rollout.episode_id}").json()
        assert (summary["done"], summary["scored"]) == (True, rollout.error is None)


def test_a_request_that_is_wrong_is_not_tried_again(servers: list[Server]) -> None:
    """The refusal comes back in place of the rollouts, at the first attempt."""
    (group,) = RayRollouts([servers[0].url], failing).play([{"domain": "nowhere"}], n=2)
    assert group.attempts == 1
    assert [rollout.error is not None and "not_found" in rollout.error for rollout in group.rollouts] == [True, True]


def test_an_error_of_the_makers_is_raised(servers: list[Server]) -> None:
    """A policy that cannot be made is the caller's mistake."""

    def unmade() -> Any:
        raise LookupError("no such model")

    with pytest.raises(ray.exceptions.RayTaskError, match="no such model"):
        list(RayRollouts([servers[0].url], unmade).play(requests(1)))
