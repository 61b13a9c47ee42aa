"""Train a policy by GRPO with SkyRL on an env-server.

    python -m trainer_client.recipes.grpo.train --preset gpu-4 data.train_data="['train.parquet']" ...

Settings are SkyRL's own, as `key=value`, in YAML files (`--config`) or from a preset. `--dry-run` checks what can be
checked and says what would run. The server's key is read from ENV_SERVER_KEY unless it is set.
"""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

KEY = "ENV_SERVER_KEY"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit status: 0 if all went well, 1 if a check failed, 2 if the settings cannot be used."""
    options = _parser().parse_intermixed_args(arguments)
    try:
        from trainer_client.recipes.grpo import settings as reading  # noqa: PLC0415
    except ModuleNotFoundError as missing:
        print(f"{missing.name} is not installed: pip install 'agent-env-server[skyrl]'", file=sys.stderr)
        return 2
    try:
        settings = reading.read(options.preset, options.config, options.settings)
        if not options.dry_run:
            reading.checked(settings)
    except (reading.BadSettings, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    return _check(settings, as_json=options.json) if options.dry_run else _train(settings, options.experiment)


def _check(settings: dict[str, object], *, as_json: bool) -> int:
    from trainer_client.recipes.grpo.dry_run import dry_run  # noqa: PLC0415
    from trainer_client.recipes.grpo.findings import FAILED  # noqa: PLC0415

    findings = []
    for finding in dry_run(settings, os.environ.get(KEY)):
        findings.append(finding)
        print(f"{finding.verdict:>11}  {finding.check}: {finding.detail}")
    failed = any(finding.verdict == FAILED for finding in findings)
    if as_json:
        print(json.dumps({"ok": not failed, "findings": [asdict(finding) for finding in findings]}))
    return int(failed)


def _train(settings: dict[str, object], experiment: str) -> int:
    from trainer_client.recipes.grpo.config import skyrl_config  # noqa: PLC0415
    from trainer_client.recipes.grpo.experiment import train  # noqa: PLC0415

    config = skyrl_config(settings)
    ours = config.environment.skyrl_gym.agent_env
    ours.key = ours.key or os.environ.get(KEY)  # nodes do not inherit the variable: the configuration carries it
    train(config, experiment)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m trainer_client.recipes.grpo.train", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--preset", help="cpu-tiny, gpu-1-lora or gpu-4")
    parser.add_argument(
        "--config", type=Path, action="append", default=[], help="a YAML file of settings; may be given again"
    )
    parser.add_argument("--dry-run", action="store_true", help="check, and say what would run")
    parser.add_argument("--json", action="store_true", help="with --dry-run: one JSON object as the last line")
    parser.add_argument(
        "--experiment",
        default="trainer_client.recipes.grpo.experiment:AgentEnvExp",
        help="a subclass of it, module:Class",
    )
    parser.add_argument("settings", nargs="*", metavar="key=value")
    return parser


if __name__ == "__main__":
    sys.exit(main())
