"""What of a model can be had here: its tokenizer, its configuration."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from trainer_client.recipes.grpo.dry_run.findings import Unchecked, told
from trainer_client.recipes.grpo.dry_run.job import Job

MODEL = "trainer.policy.model.path"

REACHED_S = 10.0
"""To find out whether a model can be fetched: the loaders would try each of its files for half a minute."""


def loaded(job: Job, which: str) -> Any:
    """What `which` loads of the job's model: of the files that are here, or else of those that can be fetched.

    Raises:
        Unchecked: if it can be had in neither way; a later call does not try to fetch it again.
        Exception: what the loader raises where the model is a folder in which it is not.
    """
    try:
        import transformers  # noqa: PLC0415  # it comes with SkyRL, and is missing without
    except ImportError:
        raise Unchecked("transformers is not installed") from None
    load, model = getattr(transformers, which).from_pretrained, job.get(MODEL)
    with _quiet():
        try:
            return load(model, local_files_only=True)
        except (OSError, ValueError):
            if Path(model).is_dir():  # it is the model, so what is missing there is nowhere else
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
    except Exception as error:  # which library raises here, and what, depends on its version
        job.model_is_away = f"{model} is not here, and cannot be fetched: {told(error)}"
        raise Unchecked(job.model_is_away) from error


@contextmanager
def _quiet() -> Iterator[None]:
    """Without a line for every attempt to fetch a file: what came of it is told once."""
    loggers = [logging.getLogger(name) for name in ("huggingface_hub", "transformers")]
    levels = [logger.level for logger in loggers]
    try:
        for logger in loggers:
            logger.setLevel(logging.CRITICAL)
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
