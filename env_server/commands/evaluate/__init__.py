"""`env-server eval`: play the tasks of a split with a policy, and report its success rate.

The database holds all finished episodes and all data that an unfinished episode needs to continue. So the command can
be killed and started again at any time: it plays every episode once and writes the same report.
"""

import asyncio
import json
import logging
import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from agent_env_schemas import CLOSE_INFRASTRUCTURE, UserStrategy
from env_server.audit.brief import Briefing
from env_server.backends.base import EpisodeBackend, RecordSource
from env_server.backends.remote import on_server
from env_server.commands.evaluate.html import Records, mailed, records_of
from env_server.commands.evaluate.options import EvalOptions
from env_server.commands.evaluate.output import bar, show, why_left
from env_server.commands.evaluate.saved import KeptResults, StoredJournal, identity_of, keep_spec, refuse_other
from env_server.commands.logs import configure_logs
from env_server.commands.output import FAILED, INTERRUPTED, console, fail, print_json, readable_errors
from env_server.commands.runs import RESULTS
from env_server.commands.setup import find_pack, open_store, read_settings
from env_server.domains.pack import Pack
from env_server.errors import DomainError, PackError, ProblemError
from env_server.evals.agent import ModelPolicies, PolicySource, RulePolicies
from env_server.evals.outcome import EpisodeOutcome
from env_server.evals.plan import NATIVE, PlannedEpisode, Run, Spec, folder_name, plan
from env_server.evals.report import page as report
from env_server.evals.report.summary import summary
from env_server.evals.retry import ON_A_SERVER, RetryPolicy
from env_server.evals.run import Evaluation, RunResult, evaluate
from env_server.models.config import normal_url
from env_server.models.endpoint.reach import why_unreachable
from env_server.policies.model import Mind
from env_server.records import Store
from env_server.settings import Settings

FOLDER = "eval-results"
LONGEST_NAME = 200


@dataclass(frozen=True)
class EvalTarget:
    """The client that plays, the source of records, the store of results, and how to get the pack if this program has
    it.
    """

    game: EpisodeBackend
    records: RecordSource
    store: Store
    pack: Callable[[], Pack | None]


def run(asked: EvalOptions, *, as_json: bool) -> None:
    """Evaluate, write the report and print the result. End the program with status 1 if episodes are left."""
    configure_logs(level=logging.ERROR)
    settings = read_settings()
    asked.refuse_contradictions(settings)
    with readable_errors():
        try:
            played, found, records = asyncio.run(_evaluated(asked, settings))
        except KeyboardInterrupt:
            fail("interrupted; the same command continues the run", INTERRUPTED)
    folder = Path(asked.out) if asked.out is not None else Path(FOLDER) / folder_name(played.name)
    result = _result(played, found) | {"out": str(folder)}
    try:
        _write(folder, played, found, result)
    except OSError as e:
        fail(f"--out: {e}")
    if asked.html is not None:
        result["html"] = _write_html(asked.html, played, found, result, records)
    if as_json:
        print_json(result)
    else:
        show(console(as_json=False), played.name, result, str(folder))
    if found.left:
        fail(why_left(found), FAILED)


async def _evaluated(asked: EvalOptions, settings: Settings) -> tuple[Run, RunResult, Records]:
    if asked.chosen.model is not None and (why := await why_unreachable(asked.chosen.base_url)):
        fail(f"the policy's model cannot be reached at {normal_url(asked.chosen.base_url)}: {why}")
    async with _place(asked, settings) as place:
        spec = asked.spec(await place.game.version(asked.domain, asked.pack))
        name = _name(asked, spec)
        refuse_other(place.store, name, spec)
        planned = await plan(place.game, spec)
        if not planned:
            fail(f"nothing to play: split {spec.split!r} of {spec.domain}, pack {spec.pack!r}, has no tasks")
        begun = Run(name, spec, await identity_of(place.store, name))
        await _rehearse(place.game, begun, planned[0])
        await keep_spec(place.store, name, spec)
        async with _seat(asked, settings, place, spec) as seat:
            found = await _watched(asked, place, begun, seat, planned)
        return begun, found, {} if asked.html is None else await records_of(place.records, found.outcomes)


async def _watched(
    asked: EvalOptions, place: EvalTarget, begun: Run, seat: PolicySource, planned: Sequence[PlannedEpisode]
) -> RunResult:
    results = KeptResults(place.store, begun.name)
    known: Sequence[EpisodeOutcome] = list(results.all().values())
    with bar(begun.name, len(planned), known) as shown:
        patience = RetryPolicy(None if asked.url is None else ON_A_SERVER, shown.claimed)
        evaluation = Evaluation(begun, place.game, seat, results, patience)
        return await evaluate(evaluation, planned, asked.concurrency, shown.finished)


def _name(asked: EvalOptions, spec: Spec) -> str:
    name = asked.run if asked.run is not None else spec.name
    if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable():
        fail(f"--run: a name has 1 to {LONGEST_NAME} printable characters")
    return name


async def _rehearse(game: EpisodeBackend, begun: Run, first: PlannedEpisode) -> None:
    """Begin the first episode before the run is stored. An error of all episodes is then reported once.

    Raises:
        ProblemError: if the server refuses.
    """
    try:
        opened = await game.reset(first.request(begun))
    except ProblemError as e:
        if e.retryable:
            return  # a retry may succeed when the episode is played
        raise
    if opened.info.user == UserStrategy.EXTERNAL and begun.spec.format is not None:
        await game.close(opened.episode_id, CLOSE_INFRASTRUCTURE)
        fail("these tasks have no script for a user, and a model does not play both sides: add --user llm")


@asynccontextmanager
async def _place(asked: EvalOptions, settings: Settings) -> AsyncIterator[EvalTarget]:
    if asked.url is None:
        # The whole application is slow to import, and a server that cannot be reached has to be said at once.
        from env_server.app import open_episodes  # noqa: PLC0415
        from env_server.backends.local import LocalBackend  # noqa: PLC0415

        await open_store(settings).close()  # reports a wrong database address
        # An outage of the user's model must leave an episode for a later start, and must not end it.
        async with open_episodes(settings.model_copy(update={"user_attempts": sys.maxsize})) as episodes:
            live = await episodes.library.current(asked.domain, asked.pack)
            local = LocalBackend(episodes)
            yield EvalTarget(local, local, episodes.store, lambda: live.pack)
        return
    store = open_store(settings)
    try:
        async with on_server(asked.url, asked.key) as game:
            yield EvalTarget(game, game, store, lambda: _same_pack(asked, settings))
    finally:
        await store.close()


def _same_pack(asked: EvalOptions, settings: Settings) -> Pack | None:
    """Return the local pack of that name, or None. A rule that plays on a server may read the pack."""
    try:
        return find_pack(settings, asked.domain, asked.pack)
    except (ProblemError, DomainError, PackError):
        return None


@asynccontextmanager
async def _seat(asked: EvalOptions, settings: Settings, place: EvalTarget, spec: Spec) -> AsyncIterator[PolicySource]:
    rule = asked.rule()
    if rule is not None:
        pack = place.pack()
        same = pack is not None and pack.version == spec.pack_version
        yield RulePolicies(rule, place.game, Briefing(pack) if pack is not None and same else None)
        return
    models = asked.chosen.models(settings, stubborn=True)
    mind = Mind(models, asked.chosen.model or "", asked.temperature, native=asked.format == NATIVE)
    try:
        yield ModelPolicies(mind, StoredJournal(place.store))
    finally:
        await models.close()


def _result(played: Run, found: RunResult) -> dict[str, Any]:
    """Return the object for `--json`."""
    sums = summary(found.outcomes)
    return {
        "run": played.name,
        "asked": asdict(played.spec),
        **sums,
        "unscored": sums["episodes"] - sums["scored"],
        "left": found.left,
    }


def _write(folder: Path, played: Run, found: RunResult, result: dict[str, Any]) -> None:
    """Write the results, one JSON object per line, and the report."""
    heading = asdict(played.spec) | ({"episodes left": found.left} if found.left else {})
    report.write(folder, played.name, heading, result)
    lines = "".join(f"{json.dumps(outcome.plain())}\n" for outcome in found.outcomes)
    (folder / RESULTS).write_text(lines, encoding="utf-8")


def _write_html(name: str, played: Run, found: RunResult, result: Mapping[str, Any], records: Records) -> str:
    """Write the report as one HTML file and return its path. End the program if the file cannot be written."""
    path = Path(name)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(mailed(played.name, asdict(played.spec), result, found.outcomes, records), encoding="utf-8")
    except OSError as e:
        fail(f"--html: {e}")
    return str(path)
