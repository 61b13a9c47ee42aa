"""Smoke test of Weights & Biases: a run takes a number."""

from trainer_client.recipes.doctor.machine import loggers
from trainer_client.recipes.grpo.dry_run.findings import Unchecked
from trainer_client.recipes.grpo.dry_run.job import Job


def tracker_takes_numbers(job: Job) -> str:
    """Log a number to a run of the job's project, if the job logs there."""
    if "wandb" not in loggers(job):
        raise Unchecked(f"the job logs to {', '.join(loggers(job))}")
    try:
        import wandb  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415 -- it may be missing
    except ImportError:
        raise Unchecked("wandb is not installed") from None
    project = job.get("trainer.project_name")
    run = wandb.init(project=project, name=f"{job.get('trainer.run_name')}-doctor", settings={"silent": True})
    run.log({"doctor": 1.0})
    run.finish()
    return f"project {project} took a number in the run {run.name}"
