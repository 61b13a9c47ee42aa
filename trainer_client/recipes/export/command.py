"""The command `trainer export`: its options and the report that it prints."""

import argparse
import json
from dataclasses import asdict
from pathlib import Path

from trainer_client.recipes.export.source import ExportError, find

TYPES = ("float32", "bfloat16", "float16")

_EXPORT = """Write what a job has trained as files that an inference server loads: the LoRA adapter, and the model with
the adapter merged into it. Both are loaded again and compared with what was trained."""


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = commands.add_parser("export", help="write a trained model for a server", description=_EXPORT)
    add = parser.add_argument
    add("source", type=Path, help="a job's checkpoints or exports, the folder of one step, or a folder with an adapter")
    add("--out", type=Path, required=True, help="a new folder; it gets the folders `adapter` and `model`")
    add("--base", help="the model that the adapter changes (default: the one that it names)")
    add("--dtype", choices=TYPES, help="the type of the merged weights (default: as in the base model)")
    add("--json", action="store_true", help="print the report as one JSON object")
    parser.set_defaults(run=_export)


def _export(options: argparse.Namespace) -> bool:
    source = find(options.source, options.base)
    try:
        from trainer_client.recipes.export.export import export  # noqa: PLC0415 -- torch and peft may be missing
    except ModuleNotFoundError as missing:
        needed = "pip install '.[skyrl]' torch peft in a checkout"
        raise ExportError(f"{missing.name} is not installed, and an export needs it: {needed}") from None
    made = export(source, options.out, options.dtype)
    if options.json:
        print(json.dumps(asdict(made)))
        return True
    if made.adapter:
        print(f"{made.adapter}: the adapter; it changes log probabilities of the base model by up to {made.change:.3g}")
    print(f"{made.model}: the model; its log probabilities differ by up to {made.gap:.3g} from what was trained")
    return True
