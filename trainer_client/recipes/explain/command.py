"""The command `trainer config explain`: the settings of another GRPO trainer in ours."""

import argparse
import json
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from trainer_client.dataset.errors import DataError

if TYPE_CHECKING:
    from trainer_client.recipes.explain.meaning import Meaning

_EXPLAIN = """Say which settings here take the value of each key of another GRPO trainer's YAML file, or why there is no
such setting. The exit status is 1 if there is a key without a setting."""


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = commands.add_parser("explain", help="another trainer's settings in ours", description=_EXPLAIN)
    parser.add_argument("file", type=Path, help="a YAML file")
    parser.add_argument("--json", action="store_true", help="print the report as one JSON object")
    parser.set_defaults(run=_explain)


def _explain(options: argparse.Namespace) -> bool:
    try:
        import yaml  # noqa: PLC0415 -- it comes with the extra `data`

        from trainer_client.recipes.explain.meaning import explained  # noqa: PLC0415 -- it reads presets, as YAML
        from trainer_client.recipes.grpo.settings import parsed  # noqa: PLC0415 -- as above
    except ModuleNotFoundError:
        raise DataError("yaml is not installed: .venv/bin/pip install -e '.[data]' in a checkout") from None
    try:
        nested = parsed(options.file.read_bytes())
        if not isinstance(nested, Mapping):
            raise DataError(f"{options.file}: expected sections, found {type(nested).__name__}")
        found = explained(nested)
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        raise DataError(f"{options.file}: {error}") from error
    if options.json:
        print(json.dumps({"keys": [asdict(each) for each in found]}, default=str))
    else:
        print("\n".join(map(str, found)))
        print(_total(found), file=sys.stderr)
    return not any(each.hint for each in found)


def _total(found: "list[Meaning]") -> str:
    """A line about all keys, with the names of those without a setting."""
    without = [each.key for each in found if each.hint]
    if not without:
        return f"all {len(found)} keys are settled"
    return f"{len(without)} of {len(found)} keys have no setting here: {', '.join(without)}"
