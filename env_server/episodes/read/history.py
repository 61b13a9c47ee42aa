"""The stored history of an episode: the conversation, the trajectory, and the judge's view of it."""

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import groupby
from typing import Any

from env_server.episodes.codec.reply import decode
from env_server.episodes.codec.text import loads
from env_server.episodes.episode import AGENT, SCORE
from env_server.episodes.turn.ending import ended_by_server
from env_server.records import TurnRow
from env_server.tools import parse_calls, parse_text

Blobs = Callable[[str], str]


def messages_of(turns: Sequence[TurnRow], blob: Blobs) -> list[dict[str, Any]]:
    """Return the conversation as chat messages: the reset's observation, then each action and each observation."""
    messages: list[dict[str, Any]] = []
    for row in turns:
        if row.part == SCORE:  # its reply repeats the part before it and adds the score
            continue
        if row.part == AGENT and row.turn > 0 and not ended_by_server(row.action):
            messages.append(_said(row.action))
        messages += decode(row.reply, blob).get("observation", [])
    return messages


def conversation_of(
    turns: Sequence[TurnRow], blob: Blobs, known: Collection[str], *, solo: bool
) -> list[dict[str, Any]]:
    """Return the complete conversation for a judge, in true roles and with the user's own calls.

    The agent's calls are those that were executed, whatever their format was. `known` holds the names of the agent's
    tools. In an episode without a user (`solo`), the role of a reply to the agent's text is `environment`.
    """
    messages: list[dict[str, Any]] = []
    for row in turns:
        if row.part == SCORE:
            continue
        reply = decode(row.reply, blob)
        info, shown = reply.get("info", {}), reply.get("observation", [])
        if row.part == AGENT and row.turn > 0:
            if not ended_by_server(row.action):
                messages.append(_done(row.action, info["calls"], known))
            shown = _true_roles(row, info, shown, solo=solo)
        messages += [*_own_calls(row, info), *shown]
    return messages


def _done(action: str, made: Sequence[Mapping[str, Any]], known: Collection[str]) -> dict[str, Any]:
    """Return the agent's message with its executed calls (`made`), under the names that they had at that time."""
    if not made:
        return _said(action)
    plain = loads(action)
    if isinstance(plain, str):
        parsed = parse_text(plain, known)
    else:
        parsed = parse_calls(plain.get("content"), plain.get("tool_calls", ()), known)
    if len(parsed.calls) != len(made):  # the action was parsed differently at that time
        return _said(action) | {"tool_calls": [{"name": call["name"]} for call in made]}
    calls = [{"name": m["name"], "arguments": call.arguments} for m, call in zip(made, parsed.calls, strict=True)]
    return {"role": "assistant", "content": parsed.content, "tool_calls": calls}


def _true_roles(
    row: TurnRow, info: Mapping[str, Any], shown: Sequence[dict[str, Any]], *, solo: bool
) -> list[dict[str, Any]]:
    """Return the agent's observation in true roles.

    Tool results in the user's role must not count as the user's words.
    """
    if info["calls"] and len(info["calls"]) == len(shown):
        return [m | {"role": "tool", "name": call["name"]} for m, call in zip(shown, info["calls"], strict=True)]
    if info["calls"] or info["parse_failure"] or _silent(row.action):
        return [m | {"role": "tool"} for m in shown]
    return [m | {"role": "environment"} for m in shown] if solo else list(shown)


def trajectory_turns(turns: Sequence[TurnRow], blob: Blobs) -> list[dict[str, Any]]:
    """Return the turns after the reset, each with its agent and user parts."""
    played = [row for row in _with_scores(turns) if row.turn > 0 or row.part != AGENT]
    return [
        {"turn": turn, "parts": [_part(row, blob) for row in rows]}
        for turn, rows in groupby(played, key=lambda row: row.turn)
    ]


def _with_scores(turns: Sequence[TurnRow]) -> list[TurnRow]:
    """Return the parts that were played. A part that was scored later gets the reply with the score."""
    parts: list[TurnRow] = []
    for row in turns:
        if row.part == SCORE:
            parts[-1] = parts[-1]._replace(reply=row.reply)
        else:
            parts.append(row)
    return parts


def _own_calls(row: TurnRow, info: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the recorded calls of the user's own tools and the recorded results."""
    if row.part != AGENT:
        calls = loads(row.action).get("tool_calls") or []
        seen = info.get("user_observation") or []
        return [{"role": "user", "tool_calls": calls}, *(m | {"role": "tool"} for m in seen)] if calls else []
    return [{"role": "user", "tool_calls": [call]} for call in info.get("user_calls") or ()]


def _silent(action: str) -> bool:
    said = _said(action)
    return not said["content"].strip()


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
