"""The list of SkyRL's settings that `config explain` and the dry run read, with types and values, is that of SkyRL."""

import ast
import inspect
import json
import re
from collections.abc import Iterator
from dataclasses import MISSING, Field, fields, is_dataclass
from importlib.resources import files
from itertools import pairwise
from types import NoneType
from typing import Any, Union, get_args, get_origin

import pytest

import trainer_client.skyrl.compat  # noqa: F401 -- SkyRL needs it  # isort: skip

from skyrl.backends.skyrl_train.utils.ppo_utils import AdvantageEstimator, PolicyLossType
from skyrl.train.config import SkyRLTrainConfig, config
from skyrl.train.config.config import _resolve_class_type
from skyrl.train.utils import validate_cfg
from skyrl.train.utils.tracking import Tracking
from skyrl.train.utils.trainer_utils import ResumeMode

from tests.skyrl.test_presets import MUST
from trainer_client.recipes.explain.meaning import explained
from trainer_client.recipes.grpo.config import skyrl_config
from trainer_client.recipes.grpo.schema.names import CHOICES, OLD, is_setting
from trainer_client.recipes.grpo.settings import ALGORITHM, read

LIST = files("trainer_client.recipes.grpo.schema").joinpath("skyrl_settings.txt")


KINDS = {int: "int", float: "float", bool: "bool", str: "text"}


def kind(field: "Field[Any]") -> str:
    """The type of a setting, and whether it may be null; nothing for objects and for what has two types.

    A list of numbers has the length of its default where that is no single number.
    """
    annotation: Any = field.type
    inner = [each for each in get_args(annotation) if each is not NoneType] if get_origin(annotation) is Union else []
    plain: Any = inner[0] if len(inner) == 1 else annotation
    null = " null" if inner else ""
    if get_origin(plain) is list:
        default = field.default_factory() if field.default_factory is not MISSING else []
        length = len(default) if get_args(plain) == (float,) else ""
        return f" {KINDS[get_args(plain)[0]]}[{length}]{null}"
    return f" {KINDS[plain]}{null}" if plain in KINDS else ""


def names(section: Any, prefix: str = "") -> Iterator[str]:
    """The settings of a section; one that takes free keys ends in `.*`, and others with sections are left out."""
    for each in fields(section):
        inner = _resolve_class_type(each.type)
        name = f"{prefix}{each.name}"
        if is_dataclass(inner) and "Optional" in str(each.type):
            yield name
        if is_dataclass(inner):
            yield from names(inner, f"{name}.")
        else:
            yield name + ".*" * ("dict" in str(each.type).lower()) + kind(each)


def test_the_list_is_that_of_skyrl() -> None:
    """`python -m tests.skyrl.test_setting_names` prints the list anew, in SkyRL's environment."""
    assert LIST.read_text(encoding="utf-8").splitlines() == sorted(names(SkyRLTrainConfig))


def documented() -> dict[str, set[str]]:
    """Field -> the texts that its docstring in SkyRL's configuration quotes, in all sections."""
    found: dict[str, set[str]] = {}
    tree = ast.walk(ast.parse(inspect.getsource(config)))
    for section in (node for node in tree if isinstance(node, ast.ClassDef)):
        for field, text in pairwise(section.body):
            if isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant):
                name = f"{section.name}.{ast.unparse(field.target)}"
                found[name] = set(re.findall(r'``"([\w+]+)"``', str(text.value.value)))
    return found


def test_the_texts_are_those_of_skyrl() -> None:
    """The listed choices are the texts of SkyRL's enumerations, and those that its configuration names."""
    said = documented()
    assert set(CHOICES["trainer.resume_mode"]) == {each.value for each in ResumeMode}
    assert set(CHOICES["trainer.logger"]) == set(Tracking.supported_backends)
    assert set(CHOICES[f"{ALGORITHM}advantage_estimator"]) == set(AdvantageEstimator)
    assert set(CHOICES[f"{ALGORITHM}policy_loss_type"]) == set(PolicyLossType)
    for name, field in (
        ("kl_estimator_type", "AlgorithmConfig.kl_estimator_type"),
        ("kl_ctrl.type", "KLCtrlConfig.type"),
        ("dynamic_sampling.type", "DynamicSamplingConfig.type"),
        ("dppo.dppo_type", "DPPOConfig.dppo_type"),
        ("off_policy_correction.tis_ratio_type", "OffPolicyCorrectionConfig.tis_ratio_type"),
        ("off_policy_correction.sequence_mask_metric", "OffPolicyCorrectionConfig.sequence_mask_metric"),
    ):
        assert set(CHOICES[f"{ALGORITHM}{name}"]) == said[field], name


@pytest.mark.parametrize("name", sorted(CHOICES.keys() - {"trainer.strategy", "trainer.resume_mode", "trainer.logger"}))
def test_every_text_passes_its_validation(name: str) -> None:
    """SkyRL's validation accepts each listed text, in a job that has what the text needs."""
    job = read(["gpu-4", "full"], [], [*MUST, f"{ALGORITHM}max_seq_len=4096"])
    critic = {"trainer.critic.model.path": "critic"}
    for text in CHOICES[name]:
        validate_cfg(skyrl_config({**job, **(critic if text == "gae" else {}), name: text}))


@pytest.mark.parametrize(
    "theirs",
    [
        *({"loss_type": loss} for loss in ("grpo", "bnpo", "dapo", "dr_grpo")),
        *({"importance_sampling_level": level} for level in ("token", "sequence")),
        {"beta": 0.0, "epsilon": 0.2, "scale_rewards": False, "num_iterations": 2, "mask_truncated_completions": True},
        {"sync_ref_model": True, "beta": 0.01},
        {"vllm_mode": "colocate", "eval_strategy": "no", "warmup_steps": 3, "attn_implementation": "sdpa"},
    ],
    ids=json.dumps,
)
def test_skyrl_takes_what_is_told_of_trl(theirs: dict[str, Any]) -> None:
    """The settings that `config explain` prints for TRL's keys pass SkyRL's validation."""
    told = {name: value for each in explained(theirs) for name, value in each.settings.items()}
    assert told
    validate_cfg(skyrl_config({**read(["gpu-4"], [], MUST), **told}))


@pytest.mark.parametrize("name", OLD)
def test_skyrl_takes_old_names(name: str) -> None:
    """Old names are no settings of SkyRL's configuration any more, but SkyRL still reads them."""
    assert not is_setting(name)
    skyrl_config({**read(["gpu-4"], [], MUST), name: True})


if __name__ == "__main__":
    print("\n".join(sorted(names(SkyRLTrainConfig))))
