"""An episode's record read back: the conversation, the trajectory, its state and differences."""

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

from env_server.episodes.ending import ended_by_server
from env_server.episodes.episode import AGENT
from env_server.episodes.reply import decode
from env_server.episodes.text import loads
from env_server.records import TurnRow

Blobs = Callable[[str], str]


def messages_of(turns: Sequence[TurnRow], blob: Blobs) -> list[dict[str, Any]]:
    """The whole conversation as chat messages: what the reset showed, each action, each observation."""
    messages: list[dict[str, Any]] = []
    for row in turns:
        if row.part == AGENT and row.turn > 0 and not ended_by_server(row.action):
            messages.append(_said(row.action))
        messages += decode(row.reply, blob).get("observation", [])
    return messages


def trajectory_turns(turns: Sequence[TurnRow], blob: Blobs) -> list[dict[str, Any]]:
    """The turns after the reset, agent and user parts inside."""
    played = [row for row in turns if row.turn > 0 or row.part != AGENT]
    return [
        {"turn": turn, "parts": [_part(row, blob) for row in rows]}
        for turn, rows in groupby(played, key=lambda row: row.turn)
    ]


def _part(row: TurnRow, blob: Blobs) -> dict[str, Any]:
    reply = decode(row.reply, blob)
    return {
        "part": "agent" if row.part == AGENT else "user",
        "action": loads(row.action),
        "observation": reply["observation"],
        "reward": reply["reward"],
        "info": reply["info"],
        "state_hash": reply["state_hash"],
        "at": row.at,
        "metadata": None if row.metadata is None else loads(row.metadata),
    }


def _said(action: str) -> dict[str, Any]:
    plain = loads(action)
    if isinstance(plain, str):
        return {"role": "assistant", "content": plain}
    return {"role": "assistant", "content": plain.get("content") or "", "tool_calls": plain.get("tool_calls", [])}
