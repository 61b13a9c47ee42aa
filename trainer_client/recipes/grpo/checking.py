"""The checks of a job's settings that work without SkyRL."""

import difflib
import math
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from pydantic import TypeAdapter, ValidationError

from agent_env_schemas import ResetRequest
from trainer_client.recipes.grpo.health import BadRule, rules
from trainer_client.recipes.grpo.settings import (
    ALGORITHM,
    DECAY,
    DEFAULTS,
    LORA,
    MOVES,
    PREFIX,
    RUN,
    SAMPLING,
    STEP_WISE,
    TOOLS,
    BadSettings,
    evaluates,
    is_whole,
    value,
)
from trainer_client.skyrl.row import ENV_CLASS
from trainer_client.skyrl.shared_client import CHAT, RENDERED, ServerSettings

SECTIONS = ("data", "trainer", "generator", "environment")

NEEDED = ("data.train_data", "trainer.policy.model.path", "generator.max_input_length", RUN)
"""The settings that a job must have. SkyRL gives all unnamed runs one name, which the server cannot tell apart."""

WORKERS = "environment.skyrl_gym.max_env_workers"

LEAST: Mapping[str, int] = {
    WORKERS: 1,
    "generator.max_input_length": 1,
    "generator.max_turns": 1,
    "generator.n_samples_per_prompt": 1,
    f"{SAMPLING}max_generate_length": 1,
    "trainer.epochs": 1,
    "trainer.eval_interval": -1,
    "trainer.max_prompt_length": 1,
    "trainer.max_training_steps": 1,
    f"{LORA}rank": 0,
    "trainer.train_batch_size": 1,
}
"""Setting -> its least value, for the whole numbers with which the dry run computes."""

KEPT_IN = ("trainer.ckpt_path", "trainer.export_path")
"""The settings with the folders for a moving reference's files. SkyRL can write its own files to S3 and GCS too."""

OF_ROWS = frozenset(
    {"domain", "pack", "task_id", "split", "index", "difficulty", "task", "n", "run", "purpose", "group_id"}
    | {"expect", "idempotency_key"}
)
"""The fields of `/reset` that say which episode it is, and that a job cannot set for all rows."""

RUN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
"""The form of a run's name, which is also the name of a folder."""


def checked(settings: Mapping[str, Any]) -> ServerSettings:
    """Check the settings as far as is possible without SkyRL, and return the section of this package.

    Raises:
        BadSettings: if some are wrong; the error names all of them.
    """
    given = nested({name.removeprefix(PREFIX): each for name, each in settings.items() if name.startswith(PREFIX)})
    found, wrong = _server_settings(given)
    wrong = [
        *_wrong_sections(settings),
        *_missing(settings),
        *_wrong_numbers(settings),
        *_wrong_texts(settings),
        *_wrong_choices(settings),
        *wrong,
    ]
    if DECAY in settings and MOVES not in settings:
        wrong.append(f"{DECAY}: does nothing without {MOVES}, which says when the reference moves")
    wrong += _too_few_connections(settings, found)
    if wrong:
        raise BadSettings("; ".join(wrong))
    return found


def faults(settings: Mapping[str, Any]) -> list[str]:
    """What is wrong with the values of some of a job's settings, alone and together; others may still be missing."""
    own = nested({name.removeprefix(PREFIX): each for name, each in settings.items() if name.startswith(PREFIX)})
    found, wrong = _server_settings(own)
    if WORKERS in settings:  # presets of machines set it
        wrong += _too_few_connections(settings, found)
    apart = {STEP_WISE: True, **settings}  # `read` adds it where the tools need it
    return [*_wrong_numbers(settings), *_wrong_texts(settings), *_wrong_choices(apart), *wrong]


def meant(name: str, names: Collection[str], alike: float = 0.6) -> str:
    """The end of a message about an unknown name: the one that was probably meant, if one is `alike`, from 0 to 1."""
    close = difflib.get_close_matches(name, names, n=1, cutoff=alike)
    return f"; did you mean {close[0]}?" if close else ""


def _wrong_sections(settings: Mapping[str, Any]) -> Iterator[str]:
    sections = {name[:at] for name in (*LEAST, *NEEDED, PREFIX) for at, letter in enumerate(name) if letter == "."}
    for name, given in settings.items():
        section = name.partition(".")[0]
        if section not in SECTIONS:
            yield f"{name}: there is no such section{meant(section, SECTIONS)}"
        elif name in sections and given != {}:
            yield f"{name}: expected settings below it, found {given!r:.100}"


def _missing(settings: Mapping[str, Any]) -> Iterator[str]:
    yield from (f"{name}: missing" for name in NEEDED if settings.get(name) is None)
    if evaluates(settings) and not settings.get("data.val_data"):  # SkyRL's default is a file of its own
        yield "data.val_data: missing; with trainer.eval_interval=-1 nothing is evaluated"


def _wrong_numbers(settings: Mapping[str, Any]) -> Iterator[str]:
    for name, least in LEAST.items():
        number = value(settings, name)
        if number is None and DEFAULTS.get(name) is None:
            continue
        if not (is_whole(number) and number >= least):
            yield f"{name}: expected a whole number from {least}, found {number!r}"


def _wrong_texts(settings: Mapping[str, Any]) -> Iterator[str]:
    """Names that are not text, and files whose names are not text; other checks find missing ones."""
    for name in ("trainer.policy.model.path", RUN):
        if not isinstance(settings.get(name), str | None):
            yield f"{name}: expected text, found {settings[name]!r}"
    for name in ("data.train_data", "data.val_data"):
        given = settings.get(name) or []
        if not isinstance(given, str | list) or not all(isinstance(path, str) for path in given):
            yield f"{name}: expected text, or a list of texts, found {given!r}"
    run = settings.get(RUN)
    if isinstance(run, str) and not RUN_NAME.fullmatch(run):
        yield f"{RUN}: expected a letter or digit, then up to 99 of them or of '._-', found {run!r}"


def _wrong_choices(settings: Mapping[str, Any]) -> Iterator[str]:
    if value(settings, "environment.env_class") != ENV_CLASS:
        yield f"environment.env_class: must be {ENV_CLASS}"
    if value(settings, "generator.batched") is not False:
        yield "generator.batched: must be false: a batch plays one turn without an environment's reply"
    if value(settings, TOOLS) in {RENDERED, CHAT} and value(settings, STEP_WISE) is not True:
        yield f"{STEP_WISE}: must be true with {TOOLS}={settings[TOOLS]}: a row for each turn"
    if settings.get(MOVES):
        yield from _wrong_reference(settings)
    if value(settings, "trainer.fully_async.enabled") is not False:
        yield (
            "trainer.fully_async.enabled: must be false: this recipe trains step by step, because SkyRL's asynchronous"
            " trainer takes no callbacks, so that nothing would watch the job (docs/decisions/0022)"
        )


def _too_few_connections(settings: Mapping[str, Any], section: ServerSettings) -> list[str]:
    workers = value(settings, WORKERS)
    if not is_whole(workers) or section.connections >= workers:
        return []
    return [f"{PREFIX}connections: fewer than {WORKERS}, which would wait for them"]


def _wrong_reference(settings: Mapping[str, Any]) -> Iterator[str]:
    """Why these settings do not allow a reference that moves."""
    uses = [f"{ALGORITHM}use_kl_loss", f"{ALGORITHM}use_kl_in_reward"]
    if not any(value(settings, name) for name in uses):
        yield f"{MOVES}: there is no reference without {' or '.join(uses)}"
    if value(settings, "trainer.strategy") != "fsdp":
        yield f"{MOVES}: must be 0 with trainer.strategy={settings['trainer.strategy']}: only FSDP's reference moves"
    if value(settings, "trainer.update_ref_every_epoch") is not False:
        yield f"trainer.update_ref_every_epoch: must be false with {MOVES}, which it would undo"
    for name in KEPT_IN:
        if isinstance(place := settings.get(name), str) and "://" in place:
            yield f"{name}: must be a folder with {MOVES}, whose files are not written to {place}"


def nested(given: Mapping[str, Any]) -> dict[str, Any]:
    """Dotted names as sections again; none of them is a section of another."""
    found: dict[str, Any] = {}
    for name, each in given.items():
        *sections, last = name.split(".")
        at = found
        for section in sections:
            at = at.setdefault(section, {})
        at[last] = each
    return found


def _wrong_reset(fields: Mapping[str, Any]) -> Iterator[str]:
    """The faults of the fields that the job sets for all rows, which the server would refuse."""
    if chosen := fields.keys() & OF_ROWS:
        yield f"{PREFIX}reset: {', '.join(sorted(chosen))}: the rows and the job's name say that"
        return
    try:
        ResetRequest.model_validate({"domain": "any", "task_id": "any", **fields})
    except ValidationError as error:
        yield from (f"{PREFIX}reset.{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())


def _server_settings(given: Mapping[str, Any]) -> tuple[ServerSettings, list[str]]:
    """The section of this package, as far as it is usable, and what is wrong with it."""
    names = ServerSettings.__annotations__.keys()
    wrong = [f"{PREFIX}{name}: there is no such setting{meant(name, names)}" for name in given if name not in names]
    known = {name: each for name, each in given.items() if name in names}
    try:
        found = TypeAdapter(ServerSettings).validate_python(known)
    except ValidationError as error:
        return ServerSettings(), [
            *wrong,
            *(f"{PREFIX}{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()),
        ]
    try:
        rules(found.health)
    except BadRule as error:
        wrong.append(f"{PREFIX}health: {error}")
    wrong += _wrong_reset(found.reset)
    endless = [name for name in ("timeout_s", "patience_s") if not math.isfinite(getattr(found, name))]
    return found, [*wrong, *(f"{PREFIX}{name}: expected a finite number" for name in endless)]
