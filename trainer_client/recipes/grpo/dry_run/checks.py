"""The checks of a dry run: settings, data, server, episodes, lengths of prompts, model and plan."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from agent_env_schemas import CLOSE_INFRASTRUCTURE
from trainer_client.client import Client
from trainer_client.client.errors import ServerError
from trainer_client.recipes.grpo.checking import checked
from trainer_client.recipes.grpo.dry_run.findings import Finding, Noted, Unchecked, findings
from trainer_client.recipes.grpo.dry_run.job import BegunEpisode, Job
from trainer_client.recipes.grpo.dry_run.leakage import evaluation_does_not_leak
from trainer_client.recipes.grpo.dry_run.lengths import context_is_enough, model_is_safe, prompts_fit
from trainer_client.recipes.grpo.dry_run.rows import OWN, RowKind, unread
from trainer_client.recipes.grpo.dry_run.skyrl_config import skyrl_agrees
from trainer_client.recipes.grpo.rows.read import Row, RowsAway, chosen, placed_rows
from trainer_client.recipes.grpo.schema.names import unknown_names
from trainer_client.recipes.grpo.settings import MOVES, RUN, BadSettings, Settings, parts
from trainer_client.skyrl.row import opening, overridden, reset_options
from trainer_client.skyrl.shared_client import EASY_FIRST, TEXT

MOST_TRIED = 16
"""The most rows of one kind whose episodes are begun: each costs a request, and tasks of one file are alike."""


def dry_run(settings: Settings, key: str | None = None, notes: Sequence[str] = ()) -> Iterator[Finding]:
    """Make every check of a job; `key` is the server's if the settings have none, and `notes` are on its presets."""
    return findings(CHECKS, Job(settings, key, notes))


def presets_agree(job: Job) -> str:
    """Say which presets undo settings of others."""
    if job.notes:
        raise Noted("; ".join(job.notes))
    return "none undoes another"


def settings_are_known(job: Job) -> str:
    """Check the settings against the schema of this package; without SkyRL their names against a list of SkyRL's."""
    unknown = [] if find_spec("skyrl") else unknown_names(job.settings)
    try:
        job.section = checked(job.settings)
    except BadSettings as error:
        raise BadSettings("; ".join([str(error), *unknown])) from error
    if unknown:
        raise BadSettings("; ".join(unknown))
    return f"{len(job.settings)} settings"


def data_is_readable(job: Job) -> str:
    """Check that the files exist, that their rows name tasks, and that some rows have the wanted difficulty."""
    section, left_out = job.server_settings(), 0
    for part, paths in parts(job.settings).items():
        try:
            placed = placed_rows(paths)
        except RowsAway as away:
            raise Unchecked(str(away)) from None
        job.places |= {id(row): place for place, row in placed}
        job.rows[part] = chosen(placed, section) if part == "train" else [row for _, row in placed]
        left_out += len(placed) - len(job.rows[part])
    told = f"{len(job.rows['train'])} rows to train on, {len(job.rows.get('val', ()))} to evaluate on"
    told += f"; {left_out} are not of difficulty {section.difficulty}" if section.difficulty is not None else ""
    told += "; easy rows come first" * (section.order == EASY_FIRST)
    notes = [f"{file} is named twice" for file in _twice(job)]
    if unread_ones := _unread(job):
        notes.append(f"not read are {'; '.join(unread_ones)}")
    if notes:
        raise Noted("; ".join([told, *notes]))
    return told


def _twice(job: Job) -> list[str]:
    """The files that a part names twice, so that it has their rows twice."""
    of = [Counter(str(Path(path).resolve()) for path in paths) for paths in parts(job.settings).values()]
    return [file for files in of for file, n in files.items() if n > 1]


def _unread(job: Job) -> list[str]:
    """The fields that rows seem to set for their episodes but that nobody reads: each once, with its first place."""
    first: dict[str, str] = {}
    for row in (row for rows in job.rows.values() for row in rows):
        for what in unread(row):
            first.setdefault(what, job.places[id(row)])
    return [f"{what} ({place})" for what, place in first.items()]


def server_answers(job: Job) -> str:
    """Check that the server answers, accepts the key, and hosts the domains of the rows."""
    with job.client() as client:
        hosted = {domain.name for domain in client.domains().domains}
    needed = {kind.domain for kind in job.kinds()}
    if missing := needed - hosted:
        raise BadSettings(f"the server does not host {', '.join(sorted(missing))}")
    return f"{job.server_settings().url} hosts {', '.join(sorted(needed or hosted))}"


def episodes_begin(job: Job) -> str:
    """Check that an episode begins, as the job's would, for each kind of row and each task that a row carries."""
    job.readable()
    wrong, begun = [], []
    with job.client() as client:
        for kind, rows in job.kinds().items():
            tried = _spread(rows)
            refused = _begin(client, job, kind, tried)
            wrong += [f"{kind}: {len(refused)} of {len(tried)} refused: {refused[0]}"] if refused else []
            begun.append(f"{kind}: {len(tried)} of {len(rows)}" if kind.split == OWN else str(kind))
    if wrong:
        raise BadSettings("; ".join(wrong))
    return f"one of each kind, own tasks one by one: {'; '.join(begun)}"


def plan(job: Job) -> str:
    """Describe what would run."""
    rows = {part: job.fitting.get(part, len(rows)) for part, rows in job.readable().items()}
    if unread := parts(job.settings).keys() - rows:
        raise Unchecked(f"data.{unread.pop()}_data could not be read")
    batch, samples = job.get("trainer.train_batch_size"), job.get("generator.n_samples_per_prompt")
    steps = job.get("trainer.epochs") * (rows["train"] // batch)
    if not steps:
        raise BadSettings(f"{rows['train']} rows do not make a batch of {batch}: there is nothing to train on")
    steps = min(steps, job.get("trainer.max_training_steps") or steps)
    turns, workers = job.get("generator.max_turns"), job.get("environment.skyrl_gym.max_env_workers")
    told = f"{steps} steps of {batch} prompts x {samples} episodes of up to {turns} turns, {workers} at a time"
    if rest := rows["train"] % batch:
        told += f"; {rest} rows of each epoch, others each time, fill no batch"
    if rows.get("val") == 0:
        raise BadSettings("0 rows are left to evaluate on")
    evaluated = f"{rows.get('val')} prompts evaluated every {job.get('trainer.eval_interval')} steps"
    told += f"; {evaluated if 'val' in rows else 'nothing is evaluated'}"
    every = job.server_settings().reference_every
    if every >= steps:  # a move after the last step is seen by no loss
        raise Noted(f"{told}; the reference stays as it is in all of them, as {MOVES}={every}")
    return told


CHECKS: Mapping[str, Callable[[Job], str]] = {
    "presets": presets_agree,
    "settings": settings_are_known,
    "SkyRL's settings": skyrl_agrees,
    "data": data_is_readable,
    "evaluation": evaluation_does_not_leak,
    "server": server_answers,
    "episodes": episodes_begin,
    "prompt lengths": prompts_fit,
    "context": context_is_enough,
    "model": model_is_safe,
    "plan": plan,
}


def _spread(rows: Sequence[Row]) -> list[Row]:
    """At most `MOST_TRIED` rows, evenly spread, with the first and the last."""
    n = min(len(rows), MOST_TRIED)
    return [rows[place * (len(rows) - 1) // max(n - 1, 1)] for place in range(n)]


def _begin(client: Client, job: Job, kind: RowKind, rows: Sequence[Row]) -> list[str]:
    """Begin an episode for each row, store its opening, and close it; returns why some did not begin."""
    refused = []
    for row in rows:
        try:
            episode = client.reset(**request(job, kind.part, row))
            client.close_episode(episode.id, CLOSE_INFRASTRUCTURE)
            if episode.awaiting_user:
                raise ValueError("its user is external, and a trainer cannot speak for them")
        except (ServerError, ValueError) as error:
            refused.append(f"{job.places[id(row)]}: {error}")
        else:
            native = job.server_settings().tools != TEXT
            tools = episode.tools if native else []
            begun = BegunEpisode(row["prompt"], opening(row["prompt"], episode.messages, native=native), tools)
            job.begun.setdefault(kind, []).append(begun)
    return refused


def request(job: Job, part: str, row: Row) -> dict[str, Any]:
    """The fields of `/reset` with which the job begins an episode of a row."""
    section, labels = job.server_settings(), _labels(job, part)
    native, own = section.tools != TEXT, reset_options(row, job.get("generator.max_turns"))
    options = overridden(own, section.reset, labels["purpose"], native=native)
    return {"observation_role": section.observation_role, **options, **labels}


def _labels(job: Job, part: str) -> dict[str, Any]:
    """The labels that the generator would give: the server may refuse a purpose for a task, or for a run."""
    run = job.get(RUN)
    about = {"run": run, "purpose": "train"} if part == "train" else {"run": f"{run}/eval", "purpose": "eval"}
    return {**about, "metadata": {"dry_run": True}}
