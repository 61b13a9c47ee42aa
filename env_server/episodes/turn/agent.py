"""The agent's part of a turn: one message with tool calls or with text for the user."""

import asyncio
from collections.abc import Collection, Mapping
from typing import Any

from agent_env_schemas import StopReason
from env_server.domains.kit.submit_answer import NAME as SUBMIT
from env_server.domains.kit.submit_answer import answer_line
from env_server.episodes.episode import AGENT, Carry, Episode, Position, TurnOptions
from env_server.episodes.failures import tool_problem, user_problem
from env_server.episodes.turn.events import on_call, on_message, on_user
from env_server.episodes.turn.giving_way import CALLS_AT_ONCE, give_way
from env_server.episodes.turn.own_writes import as_at_the_beginning, own_facts
from env_server.episodes.turn.part import TurnPart
from env_server.episodes.turn.plan import THANKS, final_answer, note, over_limit, with_values
from env_server.providers.spec import CallScope, Effects, NotStored, StateLost
from env_server.rewards import MadeCall
from env_server.rewards.components import call_found, message_found
from env_server.rewards.shaping import PlayedCall
from env_server.state import Db
from env_server.telemetry import traces
from env_server.tools import CallOutcome, Fault, Parsed, ParsedCall, ToolCrashed, Toolset, parse_calls, parse_text
from env_server.users import OwnTools

Plain = str | dict[str, Any]
"""An action as plain data: the model's raw text, or `{content?, tool_calls?}`."""

LONG = 4_096
"""Actions with more characters are parsed in a thread."""

NOTHING: Mapping[str, str] = {}
NOT_EXECUTED = "Not executed: {why}."
EMPTY = "The message was empty. Call a tool, or write to the user."
LOST = "The episode ends here without a score: {why}."
SOLO_TEXT = "Noted. No user takes part and nobody answers: use the tools, and call `done` when the work is finished."
ANSWER_TEXT = (
    f"Noted. No user takes part and nobody answers: use the tools, and call `{SUBMIT}` when you know the answer."
)


async def play_agent(
    episode: Episode,
    turn: int,
    action: Plain,
    stored_action: str,
    misused: Mapping[str, str] = NOTHING,
    effects: Effects | None = None,
) -> TurnPart:
    """Play the agent's message as turn `turn`, without a commit. `misused` comes from the `Channel`.

    `effects` makes the calls to the outside; None if the episode has no tools that reach it.

    Raises:
        ProblemError: if a tool or the simulated user fails; the caller must then drop the episode object.
    """
    side = episode.side
    if len(stored_action) > LONG:  # off the event loop: parsing may be slow, and other requests must not wait for it
        parsed = await asyncio.to_thread(_parse, action, side)
    else:
        parsed = _parse(action, side)
    part = TurnPart(Position(turn, AGENT, 0), stored_action, next_carry(episode.carry))
    part.info = {"format": str(parsed.format), "parse_failure": parsed.failure, "calls": []}
    part.answer = parsed.content
    if parsed.failure is not None:
        part.carry.parse_failures += 1
        part.observation = _failure_messages(episode, turn, parsed, action)
    elif calls := parsed.calls or _answer_in(episode, parsed.content):
        await _play_calls(episode, part, calls, misused, effects)
    elif not parsed.content.strip():
        part.observation = [tool_message(episode, f"call_{turn}_0", None, EMPTY)]
    elif episode.solo:
        _note_said(episode, part.carry, parsed.content)
        part.observation = [{"role": "user", "content": SOLO_TEXT if episode.task.answer is None else ANSWER_TEXT}]
        if episode.task.sample is not None:
            part.answer, part.stop = final_answer(parsed.content), StopReason.COMPLETED
            part.observation = [{"role": "user", "content": THANKS}]
    else:
        await _speak(episode, part, parsed.content)
    part.carry.state_hash = episode.state.hash
    if part.stop is None:
        part.stop = limit_reached(episode, part)
    return part


def limit_reached(episode: Episode, part: TurnPart) -> StopReason | None:
    """Return the stop reason of the limit that ends the episode with this part, or None."""
    options, carry = episode.turn_options, part.carry
    if carry.errors >= options.max_errors:
        return StopReason.MAX_ERRORS
    if carry.calls >= options.max_calls:
        return StopReason.MAX_CALLS
    if part.position.turn >= options.max_turns and not carry.awaiting:
        return StopReason.MAX_TURNS
    return None


async def run_call(episode: Episode, call: ParsedCall, carry: Carry, effects: Effects | None = None) -> CallOutcome:
    """Run one call of the agent. Record what the reward's components find in it.

    Without a user, the agent makes the user's calls.

    Raises:
        ProblemError: if the tool has a defect, or was cut off.
        StateLost: if the memory of a server is gone.
        Conflict: if another process has taken the turn over.
        StorageUnavailable: if a call to the outside cannot be announced or stored.
    """
    scope = CallScope(episode.state, episode.episode_id, episode.task.moment, effects)
    try:
        with traces.span("execute_tool", _named(episode, episode.side, call, "agent")) as span:
            outcome = await episode.side.call_any(scope, call.name, call.arguments)
            if outcome.fault is not None:
                traces.failed(span, outcome.failure or outcome.fault)
        shown = await as_at_the_beginning(episode, outcome)
    except ToolCrashed as e:
        raise tool_problem(e, e.blame, episode.episode_id) from e
    except NotStored as e:
        raise e.reason from e
    own = episode.solo and outcome.name in episode.live.pack.user_tools
    _note_call(episode, outcome, "user" if own else "agent", carry, shown, own_facts(episode, carry, outcome))
    on_call(episode, carry, outcome)
    return outcome


def run_own_call(episode: Episode, call: ParsedCall, carry: Carry) -> CallOutcome:
    """Run one call of the user's own tools. Record what the reward's components find in it.

    Raises:
        ProblemError: if the tool has a defect, or was cut off.
    """
    try:
        side = episode.live.user_side
        with traces.span("execute_tool", _named(episode, side, call, "user")) as span:
            outcome = side.call(Db(episode.state, episode.live.pack.dialect), call.name, call.arguments)
            if outcome.fault is not None:
                traces.failed(span, outcome.fault)
    except ToolCrashed as e:
        raise tool_problem(e, e.blame, episode.episode_id) from e
    _note_call(episode, outcome, "user", carry)
    return outcome


def _named(episode: Episode, side: Toolset, call: ParsedCall, caller: str) -> Mapping[str, str]:
    """Return the attributes of a call's span. The name of an unknown tool is left out: a model may invent any."""
    if not traces.on():
        return NOTHING
    tool = side.names.get(call.name)
    named = {} if tool is None else {"gen_ai.tool.name": tool.name}
    about = {"env_server.domain": episode.task.domain, "env_server.episode": episode.episode_id}
    return {"gen_ai.operation.name": "execute_tool", "env_server.caller": caller, **about, **named}


def _note_call(
    episode: Episode,
    outcome: CallOutcome,
    requestor: str,
    carry: Carry,
    shown: CallOutcome | None = None,
    own: Collection[int] = (),
) -> None:
    if outcome.fault is None:
        made = MadeCall(outcome.name, outcome.arguments, requestor, outcome, shown or outcome, own)
        call_found(episode.task, episode.live.pack.dialect, made, carry.found)


def _answer_in(episode: Episode, content: str) -> tuple[ParsedCall, ...]:
    """Return the call of `submit_answer` that a message with a last line `Answer: ...` stands for, if any."""
    if episode.task.answer is None:
        return ()
    arguments = answer_line(content, episode.task.answer)
    return () if arguments is None else (ParsedCall(SUBMIT, arguments),)


def _parse(action: Plain, side: Toolset) -> Parsed:
    if isinstance(action, str):
        return parse_text(action, side.names)
    return parse_calls(action.get("content"), action.get("tool_calls", ()), side.names)


def next_carry(carry: Carry) -> Carry:
    """Return a copy of `carry` that the next part may change."""
    return Carry(
        carry.state_hash,
        carry.errors,
        carry.calls,
        carry.parse_failures,
        carry.awaiting,
        {name: indices.copy() for name, indices in carry.found.items()},
        carry.notes,
        ledger=carry.ledger.copy(),
        sample=carry.sample,
        shaping=carry.shaping,
    )


async def _play_calls(
    episode: Episode, part: TurnPart, calls: tuple[ParsedCall, ...], misused: Mapping[str, str], effects: Effects | None
) -> None:
    turn, carry, options = part.position.turn, part.carry, episode.turn_options
    for i, call in enumerate(calls):
        if i % CALLS_AT_ONCE == 0 and len(calls) > CALLS_AT_ONCE:
            await give_way()
        call_id = call.id or f"call_{turn}_{i}"
        why = _not_executed(part, options, effects)
        if why is None and (why := over_limit(episode, carry, call)) is not None:
            part.stop = StopReason.MAX_CALLS
        if why is not None:
            part.info["calls"].append({"name": call.name, "error": "not_executed"})
            part.observation.append(tool_message(episode, call_id, call.name, NOT_EXECUTED.format(why=why)))
            continue
        try:
            outcome = await run_call(episode, with_values(episode, carry, call), carry, effects)
        except StateLost as e:
            part.stop = StopReason.EXTERNAL_STATE_LOST
            part.info["calls"].append({"name": call.name, "error": Fault.OUTAGE})
            part.observation.append(tool_message(episode, call_id, call.name, LOST.format(why=e)))
            continue
        carry.calls += 1
        carry.errors += outcome.fault is not None and outcome.fault is not Fault.OUTAGE
        part.info["calls"].append(_told(outcome, options.max_observation_chars))
        part.played.append(PlayedCall(outcome, note(episode, carry, outcome)))
        if outcome.failure is not None:
            part.info["outages"] = part.info.get("outages", 0) + 1
        text = outcome.text
        if misused and outcome.fault is Fault.UNKNOWN_TOOL:
            text = misused.get(call.name, text)
        part.observation.append(tool_message(episode, call_id, outcome.name, text))
        part.stop = _ended_by(episode, outcome)


def _not_executed(part: TurnPart, options: TurnOptions, effects: Effects | None) -> str | None:
    """Return why no more calls of the message are made; None if they are."""
    if part.stop is not None:
        return "the episode is over"
    if part.carry.errors >= options.max_errors or part.carry.calls >= options.max_calls:
        return "a limit was reached"
    return "the turn was interrupted" if effects is not None and effects.cut else None


def _told(outcome: CallOutcome, longest: int | None) -> dict[str, Any]:
    """Return the entry of a call in `info.calls`. Where the text was cut, the structure is left out."""
    told: dict[str, Any] = {"name": outcome.name, "error": outcome.fault}
    if outcome.structured is not None and (longest is None or len(outcome.text) <= longest):
        told["structured"] = outcome.structured
    if outcome.failure is not None:
        told["failure"] = outcome.failure
    return told


def _ended_by(episode: Episode, outcome: CallOutcome) -> StopReason | None:
    if outcome.tool is None or outcome.fault is not None:
        return None
    if outcome.tool.finishes:
        return StopReason.COMPLETED
    if outcome.tool.transfers and episode.live.pack.dialect.transfer_ends:
        return StopReason.TRANSFER
    return None


async def _speak(episode: Episode, part: TurnPart, content: str) -> None:
    _note_said(episode, part.carry, content)
    if episode.user.awaits:
        on_message(episode, part.carry, content, None)
        part.carry.awaiting = True
        return
    try:
        with traces.span("user", {"env_server.strategy": str(episode.user.name)}):
            own = _own(episode, part)
            answer = await episode.user.reply(episode.task, episode.seed, episode.carry.notes, content, own)
    except Exception as e:
        raise user_problem(e) from e
    part.carry.notes, part.answers = answer.notes, answer.answers
    on_message(episode, part.carry, content, answer.heard)
    if not answer.stop:
        on_user(episode, part.carry, answer.content)
    if answer.usage is not None:
        part.info["user_usage"] = answer.usage
    part.observation = [{"role": "user", "content": answer.content}]
    if answer.stop:
        part.stop = StopReason.USER_STOP


def _own(episode: Episode, part: TurnPart) -> OwnTools:
    """Return the user's own tools. Their calls are recorded in the turn's `info.user_calls`."""
    pack = episode.live.pack

    def use(name: str, arguments: Mapping[str, Any]) -> str:
        outcome = run_own_call(episode, ParsedCall(name, dict(arguments)), part.carry)
        done = {"name": outcome.name, "arguments": outcome.arguments, "error": outcome.fault}
        part.info.setdefault("user_calls", []).append(done)
        return outcome.text

    return OwnTools(
        pack.user_tools, use, pack.domain.hands, pack.user_schemas if episode.user.remote else (), part.carry.calls
    )


def _note_said(episode: Episode, carry: Carry, content: str) -> None:
    message_found(episode.task, episode.live.pack.dialect, content, carry.found)


def _failure_messages(episode: Episode, turn: int, parsed: Parsed, action: Plain) -> list[dict[str, Any]]:
    """Return one message, or one for each call with an id, so that every call of a chat gets a result."""
    text = episode.live.pack.dialect.error.format(message=parsed.failure)
    ids = [f"call_{turn}_0"]
    if isinstance(action, dict) and action.get("tool_calls"):
        given = [call.get("id") if isinstance(call, dict) else None for call in action["tool_calls"]]
        ids = [str(name) if name else f"call_{turn}_{i}" for i, name in enumerate(given)]
    return [tool_message(episode, i, None, text) for i in ids]


def tool_message(episode: Episode, call_id: str, name: str | None, text: str) -> dict[str, Any]:
    """Return a tool's result as the agent sees it: shortened, and in the role that the reset chose."""
    longest = episode.turn_options.max_observation_chars
    if longest is not None and len(text) > longest:
        text = f"{text[:longest]}... [{len(text) - longest} characters left out]"
    if episode.turn_options.observation_role == "user":
        return {"role": "user", "content": f"<tool_response>\n{text}\n</tool_response>"}
    message = {"role": "tool", "tool_call_id": call_id, "content": text}
    return message if name is None else {**message, "name": name}
