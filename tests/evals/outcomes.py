"""Made-up outcomes."""

from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

from env_server.evals.outcome import EpisodeOutcome, Spent


def outcome(task_id: str = "task", trial: int = 0, reward: float | None = 1.0, **other: Any) -> EpisodeOutcome:
    """An outcome with this reward; all other fields have defaults."""
    given: dict[str, Any] = {
        "episode_id": f"ep_{task_id}_{trial}",
        "split": "test",
        "template": None,
        "stop_reason": "user_error" if reward is None else "user_stop",
        "scored": reward is not None,
        "partial": False,
        "turns": 3,
        "calls": 2,
        "tool_errors": 0,
        "parse_failures": 0,
        **other,
    }
    return EpisodeOutcome(task_id=task_id, trial=trial, reward=reward, **given)


def run(rewards: Mapping[str, Sequence[float | None]]) -> list[EpisodeOutcome]:
    """The outcomes of a run from the rewards of each task's trials."""
    return [outcome(task_id, trial, reward) for task_id, of in rewards.items() for trial, reward in enumerate(of)]


NAMES = st.sampled_from(["a", "b_c", "d|e", "x`$y$", "line\nbreak", ""])
COUNTS = st.integers(0, 9)
SHARES = st.floats(0, 1)
SPENT = st.builds(
    Spent,
    calls=COUNTS,
    prompt_tokens=COUNTS,
    completion_tokens=COUNTS,
    seconds=SHARES,
    cost=st.none() | SHARES,
    cached=COUNTS,
    unusable=COUNTS,
    rejected=COUNTS,
    fallbacks=st.integers(0, 1),
)


@st.composite
def any_outcome(draw: st.DrawFn, task_id: str, trial: int) -> EpisodeOutcome:
    """Any outcome of this trial."""
    return outcome(
        task_id,
        trial,
        draw(st.none() | st.sampled_from([0.0, 1.0]) | SHARES),
        template=draw(st.none() | NAMES),
        stop_reason=draw(st.sampled_from(["user_stop", "transfer", "max_turns", "user_error"])),
        partial=draw(st.booleans()),
        turns=draw(COUNTS),
        tools=draw(st.dictionaries(NAMES, st.tuples(COUNTS, COUNTS), max_size=3)),
        user=draw(SPENT),
        policy=draw(SPENT),
        judge=draw(SPENT),
        seconds=draw(SHARES),
        judged=draw(st.booleans()),
        row_diff=tuple(draw(st.lists(NAMES, max_size=3))),
        breakdown=draw(st.dictionaries(NAMES, st.none() | SHARES, max_size=2)),
    )


@st.composite
def any_run(draw: st.DrawFn) -> list[EpisodeOutcome]:
    """Any run of a few tasks, each with a few trials."""
    trials = draw(st.lists(st.integers(1, 3), max_size=4))
    return [draw(any_outcome(f"task{i}", trial)) for i, number in enumerate(trials) for trial in range(number)]
