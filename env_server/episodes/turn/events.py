"""Recording of the events from which the components of conduct are computed."""

from typing import Literal

from agent_env_schemas import ErrorCode, ResetRequest, UserStrategy
from env_server.domains.kit import Component, Db, Task
from env_server.episodes.episode import Carry, Episode
from env_server.errors import ProblemError
from env_server.reading import Act, read
from env_server.rewards.conduct import events as conduct
from env_server.rewards.conduct.ledger import FaultCode, Ledger
from env_server.telemetry import metrics
from env_server.tools import CallOutcome, Fault
from env_server.understanding import ChangePlace, hear
from env_server.understanding.ear import Ear
from env_server.users import Hearing, User
from env_server.users.scripted.topics import says_yes

Mode = Literal["score", "report", "off"]


def mode_of(request: ResetRequest, task: Task, user: User, *, by_rules: bool) -> Mode:
    """Return whether conduct is scored, only reported, or ignored in an episode of `task` with `user`.

    By default it is scored if the user plays `by_rules`, which then read the agent's messages.

    Raises:
        ProblemError: if it must be scored, but the task does not define good conduct.
    """
    known = task.shows_conduct and user.name != UserStrategy.NONE
    asked = request.conduct
    if asked == "score" and not known:
        why = "no user takes part" if task.shows_conduct else "the task says nothing of what the user agrees to"
        detail = f"conduct cannot be scored: {why}; leave `conduct` out, or ask for 'off'"
        raise ProblemError(ErrorCode.INVALID_REQUEST, detail)
    if not known:
        return "off"
    return asked or ("score" if by_rules else "report")


def looks(episode: Episode) -> bool:
    """Return whether the episode records conduct."""
    return episode.turn_options.conduct in ("score", "report")


def on_call(episode: Episode, carry: Carry, outcome: CallOutcome) -> None:
    """Record a call of the agent that reached its tool, whether it succeeded or the tool refused it."""
    if not looks(episode) or outcome.tool is None:
        return
    pack = episode.live.pack
    if outcome.fault is None:
        db = Db(episode.state, pack.dialect)
        conduct.on_call(carry.ledger, episode.task, pack, outcome.tool, outcome.arguments, db, outcome.text)
    elif outcome.fault is Fault.TOOL_ERROR:
        conduct.on_refused_call(carry.ledger, episode.task, pack, outcome.tool)


def on_message(episode: Episode, carry: Carry, content: str, hearing: Hearing | None) -> None:
    """Record a message to the user. `hearing` is the user's reading of it, or None if no rules read it."""
    if not looks(episode):
        return
    matched = carry.found.get(Component.ACTIONS, ())
    ledger = carry.ledger
    if hearing is None:
        heard = hear(_ear(episode.task, ledger), read(content))
        metrics.READ.add(("unread" if heard.reading.unread else "read",))
        opposed = heard.guessed if Act.PROPOSE in heard.reading.opposed else ()  # the rules have heard it
        ledger.offered = [*(offer.place for offer in heard.offers if offer.right), *opposed]
        conduct.on_message(ledger, episode.task, heard, matched)
        return
    metrics.READ.add(("read" if hearing.understood else "unread",))
    conduct.on_message(ledger, episode.task, hearing.heard, matched, hearing.agreed, hearing.confirmed)
    ledger.gave_up = ledger.gave_up or hearing.gave_up
    if hearing.contradicted:
        ledger.fault(FaultCode.CONTRADICTION, "proposed three times what contradicts the user's wish")


def on_user(episode: Episode, carry: Carry, text: str) -> None:
    """Record the user's message. A yes of a user who is not played by rules accepts the last proposal."""
    if not looks(episode):
        return
    ledger = carry.ledger
    conduct.hear_user(ledger, text)
    if ledger.offered and says_yes(text.lower()):
        ledger.consents += [place for place in ledger.offered if place not in ledger.consents]
    ledger.offered = []


def understood(carry: Carry) -> float | None:
    """Return the fraction of messages that the user could read; None before the first one."""
    ledger = carry.ledger
    return round(ledger.understood / ledger.messages, 4) if ledger.messages else None


def _ear(task: Task, ledger: Ledger) -> Ear:
    """Return how a message is read for a user without known notes: every wish that is not settled is open."""
    assert task.user is not None  # guaranteed, because conduct is recorded
    places = [ChangePlace(w, c) for w, request in enumerate(task.user.requests) for c in range(len(request.changes))]
    done = {place for place in places if conduct.is_made(ledger, task, place)}
    wishes = range(len(task.user.requests))
    left = [
        w for w in wishes if not task.user.requests[w].changes or any(p.wish == w and p not in done for p in places)
    ]
    revised = frozenset(wishes)  # the user may have changed their mind in unknown words, so the last wish counts
    return Ear(task.user, left[0] if left else 0, tuple(wishes), revised, frozenset(ledger.consents))
