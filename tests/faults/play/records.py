"""What clients were told, what the database holds, and what was sent outside agree."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from agent_env_schemas import ErrorCode, StopReason
from env_server.domains.packs import Packs
from env_server.episodes.codec.reply import decode
from env_server.episodes.episode import AGENT
from env_server.episodes.read.verify import Verifier
from env_server.records import EpisodeRow, Store, TurnRow
from tests.faults.play.clients import LOST_TO_ANOTHER, Acknowledged, Ledger, Refused

MOST = 1_000_000
"""More episodes than a run plays."""


class Violation(AssertionError):
    """Something that must never happen has happened."""


def hold(true: bool, what: str, *about: object) -> None:
    """Raise Violation unless `true`."""
    if not true:
        raise Violation(": ".join([what, *map(str, about)]))


def compare(store: Store, sources: Mapping[str, Packs], ledger: Ledger, sent: Counter[str]) -> Verifier:
    """Compare everything, after all episodes were closed. Return the verifier that computed every stored hash again.

    Raises:
        Violation: if something does not agree.
    """
    for refused in ledger.refused:
        _refusal(store, refused)
    verifier = Verifier(store, sources)
    found = {line.episode.episode_id: line.episode for line in store.listings.episodes(limit=MOST).episodes}
    hold(found.keys() >= {known.episode_id for known in ledger.episodes}, "an episode is lost")
    acknowledged = _turns_told(ledger.acknowledged)
    played: Counter[str] = Counter()
    said: dict[str, str] = {}
    for row in found.values():
        verifier.episode(row)
        turns = store.reads.turns(row.id)
        _order(row, turns)
        _totals(row, turns)
        for turn in turns:
            own = row.parent is None or turn.turn > (row.parent_turn or 0)
            played.update(_notes(turn) if own else ())
            said |= _said(turn)
            told = acknowledged.pop((row.episode_id, turn.turn), None)
            hold(told is None or _same(told, turn), "a turn is not what was acknowledged", row.episode_id, turn.turn)
    hold(not acknowledged, "acknowledged turns are lost", acknowledged)
    again = [note for note, times in played.items() if times > 1]
    hold(not again, "a message was played twice", again)
    _effects(said, sent)
    _forks(store, found)
    hold(not verifier.findings.mismatches, "verify", verifier.findings.mismatches)
    hold(not verifier.findings.unchecked, "verify", verifier.findings.unchecked)
    return verifier


def _refusal(store: Store, refused: Refused) -> None:
    """A refusal has its reason in the records."""
    hold(refused.code in LOST_TO_ANOTHER, "a request was refused", refused)
    if refused.code == ErrorCode.EPISODE_OVER and "episode_id" in refused.body:
        row = store.reads.episode_by_id(refused.body["episode_id"])
        ending = row and store.reads.ending(row.id)
        hold(ending is not None, "an episode that is not over was refused", refused)
    if refused.code == ErrorCode.TURN_CONFLICT:
        row = store.reads.episode_by_id(refused.body["episode_id"])
        turn = row and store.reads.turn(row.id, refused.body["turn"], AGENT)
        hold(turn is not None and _notes(turn) != _notes_of(refused.body["action"]), "no conflict", refused)


def _turns_told(acknowledged: Sequence[Acknowledged]) -> dict[tuple[str, int], Any]:
    told = [one.told for one in acknowledged if one.path is None or one.path == "/step"]
    return {(reply["episode_id"], reply["turn"]): reply for reply in told}


def _same(told: Any, turn: TurnRow) -> bool:
    stored = _reply(turn)
    return all(told[name] == stored[name] for name in ("observation", "reward", "done", "state_hash"))


def _order(row: EpisodeRow, turns: Sequence[TurnRow]) -> None:
    numbers = [turn.turn for turn in turns]
    hold(numbers == list(range(len(numbers))), "turns are missing or doubled", row.episode_id, numbers)
    ends = [turn.turn for turn in turns if turn.turn and _reply(turn)["done"]]
    hold(ends == numbers[-1:], "an episode ends once, with its last turn", row.episode_id, ends)
    reasons = _reply(turns[-1])["stop_reason"]
    expected = {StopReason.COMPLETED, StopReason.CLOSED, StopReason.EXPIRED}
    hold(reasons in expected, "an episode ended for no reason", row.episode_id, reasons)


def _totals(row: EpisodeRow, turns: Sequence[TurnRow]) -> None:
    """Each total that the agent read is the sum of the additions up to it, each of which counts once."""
    total = 0
    for turn in turns:
        for call, line in _calls(turn):
            if call["name"] == "add" and line.startswith(call["arguments"]["note"]):
                total += call["arguments"]["amount"]
            if call["name"] in ("add", "total") and line.startswith(call["arguments"]["note"]):
                hold(line.endswith(f": {total}"), "a total is wrong", row.episode_id, turn.turn, line, total)


def _calls(turn: TurnRow) -> list[tuple[Any, str]]:
    action = orjson.loads(turn.action)
    if not isinstance(action, dict) or "tool_calls" not in action:
        return []
    lines = [message["content"] for message in _reply(turn)["observation"]]
    if len(lines) != len(action["tool_calls"]):
        return []  # a last turn in which nothing is played
    return list(zip(action["tool_calls"], lines, strict=True))


def _reply(turn: TurnRow) -> dict[str, Any]:
    return decode(turn.reply, lambda _digest: "null")


def _notes(turn: TurnRow) -> list[str]:
    return _notes_of(orjson.loads(turn.action))


def _notes_of(action: Any) -> list[str]:
    if not isinstance(action, dict):
        return []
    given = [call["arguments"] for call in action.get("tool_calls", ())]
    return [one.get("note", one.get("text")) for one in given if "note" in one or "text" in one]


def _said(turn: TurnRow) -> dict[str, str]:
    """Return the result of each `send` call as the agent read it, by the text of the call."""
    return {call["arguments"]["text"]: line for call, line in _calls(turn) if call["name"] == "send"}


def _effects(said: dict[str, str], sent: Counter[str]) -> None:
    """Everything was sent at most once, and the records say truly what was sent."""
    for text, times in sent.items():
        hold(times == 1, "something was sent twice", text)
        hold(text in said, "something was sent, and no turn tells of it", text)
        hold(said[text] == f"send: {text}" or "outcome_unknown" in said[text], "a send is denied", text, said[text])
    for text, line in said.items():
        hold(line != f"send: {text}" or sent[text] == 1, "a turn tells of what was not sent", text)


def _forks(store: Store, found: dict[str, EpisodeRow]) -> None:
    """A fork has its parent's turns up to where it begins."""
    by_key = {row.id: row for row in found.values()}
    for row in found.values():
        if row.parent is not None:
            parent, upto = by_key[row.parent], row.parent_turn
            ours, theirs = (
                [(t.turn, t.part, t.action, t.reply) for t in store.reads.turns(e.id, upto=upto)] for e in (row, parent)
            )
            hold(ours == theirs, "a fork has another history than its parent", row.episode_id)
