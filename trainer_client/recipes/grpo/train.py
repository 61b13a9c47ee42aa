"""Train a policy by GRPO with SkyRL on an env-server.

    python -m trainer_client.recipes.grpo.train --preset gpu-4 data.train_data="['train.parquet']" ...

Settings have SkyRL's names and come as `key=value`, in YAML files (`--config`) or from a preset. `--dry-run` makes all
checks that are possible here and describes what would run. The server's address and key are read from ENV_SERVER_URL
and ENV_SERVER_KEY unless they are set. Exit status: 0 for success, 1 if a check failed, 2 for wrong usage, and 3 for a
dry run in which no check failed, but the data could not be read here.
"""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

KEY, URL = "ENV_SERVER_KEY", "ENV_SERVER_URL"

TESTS_OWN = "cpu-tiny"
EXPERIMENT = "trainer_client.recipes.grpo.experiment:AgentEnvExp"

INSTALLING = "docs/skyrl.md#train"

DONE, FAILED, MISUSED, UNREAD = 0, 1, 2, 3
"""Exit statuses: success; a check failed; wrong usage; no check failed, but the data was not read."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit status."""
    parser = _parser()
    options = parser.parse_intermixed_args(arguments)
    if options.json and not options.dry_run:
        parser.error("--json is the form of the dry run's report: it needs --dry-run")
    try:
        from trainer_client.recipes.grpo.checking import checked  # noqa: PLC0415 -- what it imports may be absent
        from trainer_client.recipes.grpo.settings import BadSettings, check_machine, read, undone  # noqa: PLC0415 -- as above
    except ModuleNotFoundError as missing:
        return _misused(f"{missing.name} is not installed: .venv/bin/pip install -e '.[data]' in a checkout")
    try:
        settings = read(options.preset, options.config, options.settings, os.environ.get(URL))
        check_machine(options.preset, settings)
        notes = undone(options.preset, settings)
        if not options.dry_run:
            checked(settings)
    except (BadSettings, OSError) as error:
        return _misused(str(error))
    if options.dry_run:
        return _check(settings, notes, as_json=options.json)
    if TESTS_OWN in options.preset and options.experiment == EXPERIMENT:
        return _misused(f"{TESTS_OWN} needs an --experiment with stand-ins for GPUs and engine, as the tests have")
    for note in notes:
        print(f"note: {note}", file=sys.stderr)
    return _train(settings, options.experiment)


def _misused(why: str) -> int:
    print(" ".join(why.split()), file=sys.stderr)
    return MISUSED


def _check(settings: dict[str, object], notes: Sequence[str], *, as_json: bool) -> int:
    from trainer_client.recipes.grpo.dry_run import findings as kinds  # noqa: PLC0415 -- only a dry run needs it
    from trainer_client.recipes.grpo.dry_run.checks import dry_run  # noqa: PLC0415 -- as above

    findings = []
    for finding in dry_run(settings, os.environ.get(KEY), notes):
        findings.append(finding)
        print(f"{finding.verdict:>11}  {finding.check}: {finding.detail}", flush=True)
    verdicts = {finding.check: finding.verdict for finding in findings}
    status = UNREAD if verdicts["data"] == kinds.UNCHECKED else DONE
    status = FAILED if kinds.FAILED in verdicts.values() else status
    if as_json:
        print(json.dumps({"ok": status == DONE, "status": status, "findings": [asdict(each) for each in findings]}))
    return status


def _train(settings: dict[str, object], experiment: str) -> int:
    try:
        from trainer_client.recipes.grpo.config import skyrl_config  # noqa: PLC0415 -- it imports SkyRL
        from trainer_client.recipes.grpo.experiment import train  # noqa: PLC0415 -- as above
    except ModuleNotFoundError as missing:
        needed = "pip install --no-deps --require-hashes -r requirements-gpu.lock in a checkout, and what follows it in"
        return _misused(f"{missing.name} is not installed, and training needs it: {needed} {INSTALLING}")
    try:
        config = skyrl_config(settings)
    except ValueError as error:
        return _misused(str(error))
    section = config.environment.skyrl_gym.agent_env
    section.key = section.key or os.environ.get(KEY)  # in the configuration, because nodes do not inherit the variable
    train(config, experiment)
    return DONE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m trainer_client.recipes.grpo.train", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    presets = (
        "a machine's, a model's or a method's preset (docs/skyrl.md); may be given again, and the later one counts; "
        "cpu-tiny needs --experiment"
    )
    parser.add_argument("--preset", action="append", default=[], help=presets)
    parser.add_argument(
        "--config", type=Path, action="append", default=[], help="a YAML file of settings; may be given again"
    )
    parser.add_argument("--dry-run", action="store_true", help="check, and say what would run")
    parser.add_argument("--json", action="store_true", help="with --dry-run: one JSON object as the last line")
    parser.add_argument(
        "--experiment",
        default=EXPERIMENT,
        help="the class that trains, module:Class",
    )
    parser.add_argument("settings", nargs="*", metavar="key=value")
    return parser


if __name__ == "__main__":
    sys.exit(main())
