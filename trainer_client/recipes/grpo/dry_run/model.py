"""The parts of a model that a dry run loads: its tokenizer and its configuration."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from trainer_client.recipes.grpo.dry_run.findings import Unchecked, told
from trainer_client.recipes.grpo.dry_run.job import Job
from trainer_client.recipes.grpo.settings import MODEL

REACHED_S = 10.0
"""The limit for finding out whether a model can be fetched: the loaders would try each file for half a minute."""


def loaded(job: Job, which: str, setting: str = MODEL) -> Any:
    """Load a part of the model that `setting` names, with the class `which`: from files here, or else fetched.

    Raises:
        Unchecked: if neither is possible; a later call does not try to fetch the model again.
        Exception: any error of the loader if the model is a folder that lacks the part.
    """
    try:
        import transformers  # noqa: PLC0415  # it comes with SkyRL, and is missing without
    except ImportError:
        raise Unchecked("transformers is not installed") from None
    load, model = getattr(transformers, which).from_pretrained, job.get(setting)
    with _without_logs():
        try:
            return load(model, local_files_only=True)
        except (OSError, ValueError):
            if Path(model).is_dir():  # the folder is the model, so a missing file is nowhere else
                raise
            _reach(job, model)
        try:
            return load(model)
        except OSError as error:
            raise Unchecked(f"{which} of {model} cannot be loaded here: {told(error)}") from error


def _reach(job: Job, model: str) -> None:
    if job.model_is_away:
        raise Unchecked(job.model_is_away)
    try:
        from huggingface_hub import model_info  # type: ignore[import-not-found]  # noqa: PLC0415  # with transformers

        model_info(model, timeout=REACHED_S)
    except Exception as error:  # the library and its error depend on the version
        job.model_is_away = f"{model} is not here, and cannot be fetched: {told(error)}"
        raise Unchecked(job.model_is_away) from error


@contextmanager
def _without_logs() -> Iterator[None]:
    """Suppress the log line for every attempt to fetch a file: the finding has the result."""
    loggers = [logging.getLogger(name) for name in ("huggingface_hub", "transformers")]
    levels = [logger.level for logger in loggers]
    try:
        for logger in loggers:
            logger.setLevel(logging.CRITICAL)
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
