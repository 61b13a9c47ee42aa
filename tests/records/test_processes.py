import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import IO

from env_server.records import Store

ROOT = Path(__file__).parents[2]


def _start(url: str, owner: str, episodes: int, turns: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.records.hammer", url, owner, str(episodes), str(turns)]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def _go(process: subprocess.Popen[str]) -> IO[str]:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("g")
    process.stdin.flush()
    return process.stdout


def _lines(text: str, word: str) -> list[tuple[int, int]]:
    return [(int(a), int(b)) for kind, a, b in map(str.split, text.splitlines()) if kind == word]


async def test_a_killed_process_keeps_every_acknowledged_turn_and_no_half_one(url: str) -> None:
    """After SIGKILL during commits, every acknowledged turn is there, and each stored turn has both of its rows."""
    process = _start(url, "doomed", episodes=8, turns=100_000)
    output = _go(process)
    acknowledged = [output.readline() for _ in range(500)]
    process.kill()
    text = "".join(acknowledged) + output.read().rpartition("\n")[0]
    process.communicate(timeout=300)
    won = _lines(text, "won")
    assert len(won) >= 490
    store = Store.open(url)
    for episode in range(8):
        stored = [part.turn for part in store.reads.turns(episode)]
        assert {turn for played, turn in won if played == episode} <= set(stored)
        assert stored == list(range(1, len(stored) + 1))
        assert Counter(version.turn for version in store.reads.row_versions(episode)) == dict.fromkeys(stored, 2)
    await store.close()


async def test_two_processes_on_one_file_share_every_turn_without_loss(url: str) -> None:
    """Two processes race for every turn: one wins each, the store holds the winner's, and no id is given twice."""
    owners = ["one", "two"]
    processes = [_start(url, owner, episodes=10, turns=100) for owner in owners]
    for process in processes:
        _go(process)
    outputs = dict(zip(owners, [process.communicate(timeout=300)[0] for process in processes], strict=True))
    assert [process.returncode for process in processes] == [0, 0]
    winners = {(owner, *turn) for owner in owners for turn in _lines(outputs[owner], "won")}
    store = Store.open(url)
    stored = {(part.action, episode, part.turn) for episode in range(10) for part in store.reads.turns(episode)}
    await store.close()
    assert len(stored) == 1_000
    assert winners == stored
    ids = [id for text in outputs.values() for first, end in _lines(text, "ids") for id in range(first, end)]
    assert len(set(ids)) == len(ids) == 2 * 5 * 700
