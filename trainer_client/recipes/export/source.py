"""Finds the trained weights of a job: an adapter, or all weights."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ADAPTER = "adapter_config.json"
MODEL = "config.json"
LATEST = "latest_ckpt_global_step.txt"

PLACES = ("", "policy/lora_adapter", "policy", "lora_adapter")
"""The folders, below a step's, in which SkyRL 0.3.0 puts an adapter (in a checkpoint) or a model (in an export)."""


class ExportError(ValueError):
    """Nothing can be exported, or what was exported is not what was trained; the message says why."""


@dataclass(frozen=True, slots=True)
class Source:
    """A folder with what was trained."""

    folder: Path
    base: str | None
    """The model that an adapter changes; None if the folder has all weights."""


def find(path: Path, base: str | None = None) -> Source:
    """Find what was trained, in a job's folder of checkpoints or exports, in that of one step, or in `path` itself.

    Args:
        path: the folder; in a job's folder the newest step is taken.
        base: the model that the adapter changes, if it is elsewhere than the adapter says.

    Raises:
        ExportError: if there is no such folder, or nothing in it that can be exported.
    """
    if not path.is_dir():
        raise ExportError(f"there is no folder {path}")
    step = _newest(path)
    folders = [step / place for place in PLACES]
    for folder in folders:
        if (folder / ADAPTER).is_file():
            named = _object(folder / ADAPTER).get("base_model_name_or_path")
            if not (base or named):
                raise ExportError(f"{folder} does not name the model that it changes: give --base")
            return Source(folder, base or named)
    for folder in folders:
        if (folder / MODEL).is_file() and any(folder.glob("*.safetensors")):
            return Source(folder, None)
    raise ExportError(
        f"{path} has neither an adapter ({ADAPTER}) nor a model ({MODEL} and weights); a checkpoint of a job that"
        " trains all weights is no model: set trainer.hf_save_interval"
    )


def _object(file: Path) -> dict[str, Any]:
    """The JSON object in a file."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ExportError(f"{file} cannot be read: {error}") from error
    if not isinstance(found, dict):
        raise ExportError(f"{file} is no JSON object")
    return found


def _newest(path: Path) -> Path:
    """The folder of the newest step, if `path` is a job's folder."""
    if (path / LATEST).is_file():
        return path / f"global_step_{(path / LATEST).read_text(encoding='utf-8').strip()}"
    steps = [each for each in path.glob("global_step_*") if each.name.rpartition("_")[2].isdecimal()]
    return max(steps, key=lambda each: int(each.name.rpartition("_")[2]), default=path)
