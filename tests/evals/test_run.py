"""The play of an evaluation's episodes, with failures on the way."""

from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import replace

import pytest
import stamina

from agent_env_schemas import EpisodeReply, ErrorCode, ResetRequest, StepReply, StepRequest
from agent_env_schemas.usage import UserUsage
from env_server.app import open_episodes
from env_server.audit.brief import Briefing
from env_server.backends.local import LocalBackend
from env_server.episodes import Episodes
from env_server.errors import ProblemError
from env_server.evals import retry as patience
from env_server.evals.agent import RulePolicies
from env_server.evals.episode import play
from env_server.evals.outcome import EpisodeOutcome, Spent
from env_server.evals.plan import PlannedEpisode, Run, Spec, plan
from env_server.evals.retry import RetryPolicy
from env_server.evals.run import HOPELESS, Evaluation, Key, evaluate
from env_server.models import ModelUnavailable
from env_server.policies import BASELINES
from env_server.settings import Settings


@pytest.fixture(scope="module")
async def episodes(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Episodes]:
    """Episodes on a database of their own."""
    url = f"sqlite:///{tmp_path_factory.mktemp('episodes') / 'episodes.db'}"
    async with open_episodes(Settings(_env_file=None, database_url=url)) as opened:
        yield opened


@pytest.fixture(scope="module")
async def spec(episodes: Episodes) -> Spec:
    """What the tests evaluate."""
    version = await LocalBackend(episodes).version("retail", "builtin")
    return Spec("retail", "builtin", version, "test", "oracle", limit=3)


@pytest.fixture(autouse=True)
def _no_waiting() -> Iterator[None]:
    """Three tries without pauses."""
    with stamina.set_testing(True, attempts=3):
        yield


class InMemory:
    """Results that are kept for one test."""

    def __init__(self) -> None:
        self.kept: dict[Key, EpisodeOutcome] = {}

    def all(self) -> Mapping[Key, EpisodeOutcome]:
        """The results so far."""
        return dict(self.kept)

    async def put(self, outcome: EpisodeOutcome) -> None:
        """Keep a result."""
        assert (outcome.task_id, outcome.trial) not in self.kept
        self.kept[outcome.task_id, outcome.trial] = outcome


class Shaky(LocalBackend):
    """A backend whose resets fail several times each, with one of the passing problems."""

    def __init__(self, episodes: Episodes, failures: int) -> None:
        """Begin to fail."""
        super().__init__(episodes)
        self.failures, self.asked = failures, dict[str | None, int]()

    async def reset(self, request: ResetRequest) -> EpisodeReply:
        """Begin an episode, or fail."""
        seen = self.asked[request.task_id] = self.asked.get(request.task_id, 0) + 1
        if seen <= self.failures:
            raise ProblemError(ErrorCode.USER_UNAVAILABLE, "the user is away")
        return await super().reset(request)


class Broken(LocalBackend):
    """A backend with a defect that spares only the first episode."""

    begun = 0

    async def reset(self, request: ResetRequest) -> EpisodeReply:
        """Begin an episode, or not."""
        self.begun += 1
        if self.begun > 1:
            raise ZeroDivisionError("as the test wishes")
        return await super().reset(request)


class Narrow(LocalBackend):
    """A backend that refuses every message as too large."""

    async def step(self, request: StepRequest) -> StepReply:
        """Refuse it."""
        raise ProblemError(ErrorCode.BODY_TOO_LARGE, "too large")


class Judged(LocalBackend):
    """A backend in which a judge has scored the last turn of every episode."""

    async def step(self, request: StepRequest) -> StepReply:
        """Play a message."""
        reply = await super().step(request)
        usage = UserUsage(model="j", calls=2, prompt_tokens=30, completion_tokens=4, seconds=500.0, cost=0.5)
        return reply.model_copy(
            update={"info": reply.info.model_copy(update={"judge_usage": usage if reply.done else None})}
        )


class Away(InMemory):
    """Results that fail to be stored at the first try."""

    def __init__(self) -> None:
        """Begin to fail."""
        super().__init__()
        self.tried = set[Key]()

    async def put(self, outcome: EpisodeOutcome) -> None:
        """Keep a result, at the second try."""
        key = outcome.task_id, outcome.trial
        if key not in self.tried:
            self.tried.add(key)
            raise ProblemError(ErrorCode.STORAGE_UNAVAILABLE, "away")
        await super().put(outcome)


def evaluation(game: LocalBackend, run: str, spec: Spec) -> Evaluation:
    """The oracle's run."""
    return Evaluation(Run(run, spec, ""), game, RulePolicies(BASELINES["oracle"], game), InMemory())


async def test_an_outcome_tells_how_it_went(episodes: Episodes, spec: Spec) -> None:
    """An outcome has what the replies said about its episode."""
    local = LocalBackend(episodes)
    planned = (await plan(local, spec))[0]
    outcome = await play(local, RulePolicies(BASELINES["oracle"], local), Run("told", spec, ""), planned, RetryPolicy())
    assert (outcome.success, outcome.scored, outcome.stop_reason, outcome.tool_errors) == (True, True, "user_stop", 0)
    assert outcome.calls == sum(made for made, _ in outcome.tools.values()) > 0
    assert outcome.breakdown["state"] == 1
    assert outcome.row_diff == ()
    nothing = await play(
        local, RulePolicies(BASELINES["null"], local), Run("nothing", spec, ""), planned, RetryPolicy()
    )
    assert nothing.reward == 0
    assert nothing.row_diff


async def test_what_a_judge_took_is_in_the_outcome(episodes: Episodes, spec: Spec) -> None:
    """A judge is a third side, and its time is part of the episode's."""
    judged = Judged(episodes)
    planned = (await plan(judged, spec))[0]
    outcome = await play(
        judged, RulePolicies(BASELINES["oracle"], judged), Run("judged", spec, ""), planned, RetryPolicy()
    )
    assert outcome.judge == Spent(calls=2, prompt_tokens=30, completion_tokens=4, seconds=500.0, cost=0.5)
    assert (outcome.user, outcome.seconds) == (Spent(), 500.0)


async def test_what_ended_without_us_has_an_outcome(episodes: Episodes, spec: Spec) -> None:
    """An episode that has expired meanwhile is not played again: its outcome is unscored."""
    local = LocalBackend(episodes)
    planned: PlannedEpisode = (await plan(local, spec))[0]
    begun = await local.reset(planned.request(Run("late", spec, "")))
    await episodes.expire(begun.episode_id, float("inf"))
    outcome = await play(local, RulePolicies(BASELINES["oracle"], local), Run("late", spec, ""), planned, RetryPolicy())
    assert (outcome.episode_id, outcome.stop_reason, outcome.reward) == (begun.episode_id, "expired", None)


async def test_what_passes_is_waited_for(episodes: Episodes, spec: Spec) -> None:
    """A passing problem is retried."""
    shaky = Shaky(episodes, failures=2)
    report = await evaluate(evaluation(shaky, "shaky", spec), await plan(shaky, spec), 2)
    assert (len(report.outcomes), report.left) == (3, 0)


async def test_what_does_not_pass_is_left(episodes: Episodes, spec: Spec) -> None:
    """An episode that cannot be played has no result, and the reason is shown; only such ones are played next time."""
    shaky = Shaky(episodes, failures=3)
    run = evaluation(shaky, "left", spec)
    planned = await plan(shaky, spec)
    first = await evaluate(run, planned, 2)
    assert (first.outcomes, first.left) == ([], 3)
    assert dict(first.reasons) == {"user_unavailable: the user is away": 3}
    second = await evaluate(run, planned, 2)
    assert [outcome.success for outcome in second.outcomes] == [True] * 3
    third = await evaluate(run, planned, 2)
    assert third.outcomes == second.outcomes


async def test_a_defect_leaves_one_episode(episodes: Episodes, spec: Spec, capsys: pytest.CaptureFixture[str]) -> None:
    """An unexpected error leaves that one episode, with its type as the reason, and is logged once."""
    broken = Broken(episodes)
    report = await evaluate(evaluation(broken, "broken", spec), await plan(broken, spec), 2)
    assert (len(report.outcomes), report.left) == (1, 2)
    assert dict(report.reasons) == {"ZeroDivisionError: as the test wishes": 2}
    assert capsys.readouterr().out.count("an episode cannot be played") == 1


async def test_a_message_that_no_server_takes_is_the_agents_error(episodes: Episodes, spec: Spec) -> None:
    """The episode ends with reward 0 and is not left for later."""
    narrow = Narrow(episodes)
    report = await evaluate(evaluation(narrow, "narrow", spec), await plan(narrow, spec), 2)
    assert [(o.stop_reason, o.reward) for o in report.outcomes] == [("agent_error", 0.0)] * 3


async def test_a_failing_user_of_another_server_is_spared(episodes: Episodes, spec: Spec) -> None:
    """The user is asked three times at most: the other server may end the episode at the fifth failure."""
    shaky = Shaky(episodes, failures=99)
    planned = (await plan(shaky, spec))[:1]
    run = replace(evaluation(shaky, "spared", spec), patience=RetryPolicy((0.0, 0.0)))
    with stamina.set_testing(True, attempts=50):
        report = await evaluate(run, planned, 1)
    assert (report.left, list(shaky.asked.values())) == (1, [3])


async def test_no_work_is_lost_where_its_result_cannot_be_kept_at_once(episodes: Episodes, spec: Spec) -> None:
    """Storing is retried while the database is away for a moment, and the other episodes go on."""
    local = LocalBackend(episodes)
    run = replace(evaluation(local, "away", spec), results=Away())
    report = await evaluate(run, await plan(local, spec), 2)
    assert (len(report.outcomes), report.left) == (3, 0)


async def test_alone_the_oracle_comes_to_an_end(episodes: Episodes, spec: Spec) -> None:
    """Without a user the oracle says that it is done, and earns the whole reward, with or without the pack."""
    local, alone = LocalBackend(episodes), replace(spec, user="none")
    live = await episodes.library.current("retail", "builtin")
    for name, briefing in (("near", Briefing(live.pack)), ("far", None)):
        seat = RulePolicies(BASELINES["oracle"], local, briefing)
        for planned in await plan(local, alone):
            outcome = await play(local, seat, Run(name, alone, ""), planned, RetryPolicy())
            assert (outcome.reward, outcome.stop_reason) == (1.0, "completed")


async def test_a_claimed_turn_is_told_of(episodes: Episodes) -> None:
    """After some tries on a turn that another process holds, a message says how long the wait can be."""
    told: list[float] = []
    looks = 0

    async def claimed() -> int:
        nonlocal looks
        looks += 1
        if looks < 6:
            raise ProblemError(ErrorCode.TURN_CLAIMED, "")
        return looks

    with stamina.set_testing(True, attempts=50), pytest.MonkeyPatch.context() as patch:
        patch.setattr(patience, "CLAIM_PAUSE_S", 0.0)
        assert await RetryPolicy(claimed=told.append).bear("server", claimed) == 6
    assert [0 < seconds <= patience.CLAIM_S for seconds in told] == [True]


async def test_a_long_outage_ends_the_start(episodes: Episodes, spec: Spec) -> None:
    """After many episodes in a row that cannot be played, the others are not tried."""
    shaky = Shaky(episodes, failures=99)
    planned = [PlannedEpisode(episode.task, trial) for episode in await plan(shaky, spec) for trial in range(20)]
    report = await evaluate(evaluation(shaky, "outage", spec), planned, 1)
    assert (report.left, report.reasons.total()) == (60, HOPELESS)


@pytest.mark.parametrize(
    ("error", "tries"),
    [
        (ProblemError(ErrorCode.TURN_CLAIMED, ""), 3),
        (ProblemError(ErrorCode.STORAGE_UNAVAILABLE, ""), 3),
        (ProblemError(ErrorCode.NOT_FOUND, ""), 1),
        (ModelUnavailable("", asked=False), 3),
        (ModelUnavailable("", retry_after=3600.0), 1),
        (ValueError(), 1),
    ],
)
async def test_what_is_tried_again(error: Exception, tries: int) -> None:
    """Only passing problems are retried, and none that asks for too long a wait."""
    made = 0

    async def attempt() -> None:
        nonlocal made
        made += 1
        raise error

    with pytest.raises(type(error)):
        await RetryPolicy().bear("server", attempt)
    assert made == tries
