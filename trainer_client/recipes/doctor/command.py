"""The command `trainer doctor`: its options, and one line for each check."""

import argparse
import os
from pathlib import Path

from trainer_client.dataset.errors import DataError

SMOKES = ("env", "tools", "vllm", "lora", "wandb")

_DOCTOR = """Check this machine before a job runs on it: versions, GPUs, memory, server, keys, rows and tokens; then
play a rollout, have the engine sample a turn and take an optimiser step. With --smoke only the named tests run. The
settings are those of `python -m trainer_client.recipes.grpo.train`. The exit status is 1 if a check fails. It is 3 if
none fails, but a test that --smoke names, or the rows, could not be checked here."""


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = commands.add_parser("doctor", help="check a machine before a job", description=_DOCTOR)
    add = parser.add_argument
    add("--preset", action="append", default=[], help="a preset; may be given again, and the later one counts")
    add("--config", type=Path, action="append", default=[], help="a YAML file of settings; may be given again")
    add("--smoke", choices=SMOKES, action="append", default=[], help="run only this test; may be given again")
    add("settings", nargs="*", metavar="key=value")
    parser.set_defaults(run=_doctor)


def _doctor(options: argparse.Namespace) -> bool | None:
    try:
        from trainer_client.recipes.doctor.checks import checks  # noqa: PLC0415 -- it needs the extra `data`
        from trainer_client.recipes.grpo.dry_run.findings import FAILED, UNCHECKED, findings  # noqa: PLC0415 -- as above
        from trainer_client.recipes.grpo.dry_run.job import Job  # noqa: PLC0415 -- as above
        from trainer_client.recipes.grpo.settings import BadSettings, check_machine, read, undone  # noqa: PLC0415 -- as above
    except ModuleNotFoundError as missing:
        raise DataError(f"{missing.name} is not installed: .venv/bin/pip install -e '.[data]' in a checkout") from None
    try:
        settings = read(options.preset, options.config, options.settings, os.environ.get("ENV_SERVER_URL"))
        check_machine(options.preset, settings)
        notes = undone(options.preset, settings)
    except (BadSettings, OSError) as error:
        raise DataError(str(error)) from error
    verdicts = dict[str, str]()
    for finding in findings(checks(options.smoke), Job(settings, os.environ.get("ENV_SERVER_KEY"), notes)):
        print(f"{finding.verdict:>11}  {finding.check}: {finding.detail}", flush=True)
        verdicts[finding.check] = finding.verdict
    if FAILED in verdicts.values():
        return False
    return None if UNCHECKED in (verdicts[name] for name in ("rows", *options.smoke)) else True
