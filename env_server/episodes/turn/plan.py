"""Rules for episodes whose task is a row of a training set: placeholders and limits of calls, progress of the plan."""

import json

from env_server.episodes.episode import Carry, Episode
from env_server.rewards.sample_progress import NO_GAIN, Gain, SampleProgress
from env_server.tools import CallOutcome, ParsedCall

THANKS = "Noted: this is your final answer."
ANSWER_KEYS = ("final_answer", "answer")


def over_limit(episode: Episode, carry: Carry, call: ParsedCall) -> str | None:
    """Return the limit of the row that a call would exceed, in words; None if there is none."""
    sample = episode.task.sample
    return None if sample is None else _progress(carry).over(sample, episode.side.names.get(call.name))


def with_values(episode: Episode, carry: Carry, call: ParsedCall) -> ParsedCall:
    """Return a call with what earlier results have shown in place of its placeholders (`${step1.close}`)."""
    if not carry.sample.get("facts") or episode.task.sample is None:
        return call
    return call._replace(arguments=_progress(carry).filled(call.arguments))


def note(episode: Episode, carry: Carry, outcome: CallOutcome) -> Gain:
    """Record a call that was made, and return its gain for the row's plan."""
    if episode.task.sample is None:
        return NO_GAIN
    progress = _progress(carry)
    gain = progress.note(episode.task.sample, outcome)
    carry.sample = progress.dump()
    return gain


def final_answer(content: str) -> str:
    """Return the answer in an agent's last message, which may be an object: `{"final_answer": "..."}`."""
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return content.strip()
    given = (found.get(key) for key in ANSWER_KEYS) if isinstance(found, dict) else ()
    return next((text.strip() for text in given if isinstance(text, str)), content.strip())


def _progress(carry: Carry) -> SampleProgress:
    return SampleProgress.load(carry.sample)
