"""The check of a job's settings by SkyRL, if it is installed."""

from trainer_client.recipes.grpo.checking import SECTIONS
from trainer_client.recipes.grpo.dry_run.findings import Unchecked, told
from trainer_client.recipes.grpo.dry_run.job import Job
from trainer_client.recipes.grpo.settings import PREFIX, BadSettings, Settings


def skyrl_agrees(job: Job) -> str:
    """Check the settings by SkyRL's schema and its `validate_cfg`; one mistake does not hide the others."""
    try:
        from skyrl.train.utils import validate_cfg  # noqa: PLC0415  # it may be missing

        from trainer_client.recipes.grpo.config import skyrl_config, unknown  # noqa: PLC0415  # it imports SkyRL
    except ImportError as missing:
        raise Unchecked(f"SkyRL is not installed ({missing}): values beyond our own section") from None
    settings = job.settings if job.section is not None else _unchecked_yet(job.settings)
    wrong = unknown(settings)
    said = list(wrong.values())
    try:
        validate_cfg(skyrl_config({name: given for name, given in settings.items() if name not in wrong}))
    except Exception as error:
        said.append(told(error))
    if said:
        raise BadSettings("; ".join(said))
    if job.section is None:
        raise Unchecked("SkyRL found no other mistake, but its check left out the settings that failed above")
    return "validate_cfg passes"


def _unchecked_yet(settings: Settings) -> Settings:
    """The settings that the check of this package has not reported on already."""
    return {
        name: given
        for name, given in settings.items()
        if name.partition(".")[0] in SECTIONS and not name.startswith(PREFIX)
    }
